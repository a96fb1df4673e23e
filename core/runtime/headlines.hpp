#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/model/run.hpp"
#include "core/model/selection.hpp"

namespace crema::runtime {

/// Which way a number gets better.
enum class Better : std::uint8_t { neither, higher, lower };

/// From where a number varies between runs of the same work.
enum class Noise : std::uint8_t {
  none,     ///< a count of what there was, a fact of the input
  run,      ///< as the pace of the whole run
  chunks,   ///< a part of process(): as its chunks do against the pace of the run
  samples,  ///< counted from samples of a profile, on top of the pace
  unknown,  ///< nothing in one run tells: memory, idle cores, extremes; replicates do
};

/// A headline number: what we compute, what the bundle states, and why they may differ.
struct Headline {
  /// roastcoffea 0.1.2's key where it has the number, our own otherwise (docs/metrics.md)
  std::string id;
  std::string group;  ///< the table it belongs to: "Throughput", "Event processing", ...
  std::string label;
  std::string unit;  ///< the one the id names
  double value = absent;
  std::string formula;
  std::string note;  ///< why it is missing, what differs from the stored value, what it can mean
  bool whole_run = false;  ///< there is a selection, and it does not narrow this number
  Better better = Better::neither;
  Noise noise = Noise::unknown;
};

/// All headline numbers of a run under a selection, in the order of the tables.
std::vector<Headline> headlines(const Run& run, const Selection& selection, const Options& options);

}  // namespace crema::runtime
