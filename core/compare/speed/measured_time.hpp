#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/compare/speed_ratio.hpp"
#include "core/model/options.hpp"
#include "core/model/run.hpp"

namespace crema::compare {

/// What B's tasks did more of in process() than A's, by the clocks of their threads: measured, not
/// judged. All kinds sum to the change of the time in process().
struct MeasuredTime {
  enum class Kind : std::uint8_t { computing, for_cpu, for_input, waiting };
  Kind kind = Kind::computing;  ///< `waiting`: for what is not recorded
  double seconds = 0;           ///< [core-s] more in B
  double error = absent;        ///< its standard error, by the spread of chunks
  /// Of waiting that is no chance: the worker that has most of it and not most of the chunks, of
  /// input the host or the dataset; absent where none has.
  std::optional<PartId> place{};
};

/// What is known of runs whose tasks `crema.record` measured.
struct MeasuredChange {
  std::vector<MeasuredTime> times{};  ///< largest first; empty where a run was not measured
  /// CPUs that programs beside the run used more of in B, on average; absent where no machine tells
  double others = absent;
  /// [core-s] that chunks of a dataset or of a file waited longer for a CPU: as the kernel says,
  /// or, where it was not asked and other programs used more CPUs, for what is not recorded.
  std::map<PartId, double> for_cpu{};
};
MeasuredChange measured_change(std::span<const Run* const> a, std::span<const Run* const> b,
                               std::span<const ChunkSelection> chosen);

/// Less is not worth a word.
inline constexpr double much_others = 0.25;  // CPUs

}  // namespace crema::compare
