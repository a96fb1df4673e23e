#pragma once

#include <string>
#include <vector>

#include "core/model/run.hpp"

namespace crema::diagnose {

/// A group of chunks that takes longer per event than comparable chunks elsewhere. One rule finds
/// all of them: the natural log of seconds per event against chunks of the same dataset outside the
/// group (of a dataset, against the other datasets; of a section in a dataset, against the other
/// sections of the same chunks; of a moment, at other times).
struct Anomaly {
  enum class Kind : std::uint8_t { host, site, worker, dataset, section, file, moment };
  Kind kind = Kind::file;
  std::string name;           ///< the host, site, dataset, section or file; a worker's address
  double begin = absent;      ///< [s] of a moment
  double end = absent;        ///< [s] of a moment
  std::string dataset;        ///< of a file or a section, and of a host that alone serves it
  std::string section;        ///< with most of the excess; "" where sections tell none
  double factor = 1;          ///< how many times as long, a median
  double core_seconds = 0;    ///< [core-s] more than usual
  std::vector<double> saved;  ///< [s] the same, by chunk
  std::size_t chunks = 0;
  /// CPU per thread of the workers while its chunks ran, and while others did; absent where the
  /// workers' CPU was not recorded.
  double cpu = absent, cpu_elsewhere = absent;
  double cores = absent, cores_elsewhere = absent;  ///< of a moment: there then, at other times

  /// Its chunks wait where others compute.
  bool waits() const;
  /// Another size of the cluster is what makes the moment slow.
  bool has_more_cores() const;
};

/// Groups that are slow beyond chance (with false discoveries controlled over all candidates) and
/// that cost enough to be reported, most [core-s] first. What one explains is taken out before the
/// next one is looked for, so the files of a slow host are not reported as well. Kept by the run.
const std::vector<Anomaly>& anomalies(const Run& run);

/// What of each chunk's time [s] no anomaly explains.
std::vector<double> unexplained_durations(const Run& run);

}  // namespace crema::diagnose
