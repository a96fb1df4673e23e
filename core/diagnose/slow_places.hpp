#pragma once

#include <string>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/model/run.hpp"

namespace crema::diagnose {

/// A place whose chunks take longer per event than their like elsewhere. All places are found by
/// one rule: the natural log of seconds per event against chunks of the same dataset elsewhere
/// (of a dataset, against the other datasets; of a section in a dataset, against the other sections
/// of the same chunks; of a moment, at other times).
struct SlowPlace {
  enum class Kind : std::uint8_t { host, site, worker, dataset, section, file, moment };
  Kind kind = Kind::file;
  std::string name;           ///< the host, site, dataset, section or file; a worker's address
  double begin = absent;      ///< [s] of a moment
  double end = absent;        ///< [s] of a moment
  std::string dataset;        ///< of a file or a section, and of a host that alone serves it
  std::string section;        ///< that takes most of what is too long; "" where sections tell none
  double slower = 1;          ///< factor, a median
  double core_seconds = 0;    ///< [core-s] more than usual
  std::vector<double> saved;  ///< [s] the same, by chunk
  std::size_t chunks = 0;
  /// CPU per thread of the workers while its chunks ran, and while others did; absent where the
  /// workers' CPU was not recorded.
  double busy = absent, busy_elsewhere = absent;

  /// Of a moment: cores that were there, and at other times.
  double cores = absent, cores_elsewhere = absent;

  /// Its chunks wait where others compute.
  bool waits() const;
  /// Another size of the cluster is what makes the moment slow.
  bool is_crowded() const;
};

/// Places that are slow beyond chance (false discoveries controlled over all of them) and that cost
/// enough to be told, most [core-s] first. What a place explains is taken out before the next one
/// is looked for: the files of a slow host are not told again. Kept by the run.
const std::vector<SlowPlace>& slow_places(const Run& run);

/// What of each chunk's time [s] no slow place explains.
std::vector<double> beside_slow_places(const Run& run);

}  // namespace crema::diagnose
