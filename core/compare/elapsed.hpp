#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/options.hpp"
#include "core/model/run.hpp"

namespace crema::compare {

/// How the elapsed time of A becomes that of B, by replays of A's tasks on A's cores: first with
/// B's times in process(), then with one thing more of B at a time.
struct ElapsedChange {
  struct Step {
    enum class Kind : std::uint8_t {
      process,
      outside_process,  ///< tasks of the processor
      other_tasks,
      gaps,
      start_up,
      workers,
      lost_work,
      after_last_chunk,
      not_replayed,
    };
    Kind kind;
    double seconds;  ///< [s] longer by it
  };
  std::vector<Step> steps;       ///< process() first; the sum is the change of the elapsed time
  double with_process = absent;  ///< [s] A's elapsed time with B's times in process()
  double with_pace = absent;     ///< [s] likewise, what is beside process() at B's speed, too

  bool known() const { return !steps.empty(); }
};

/// `inside` are B's times in process() [s], by chunk of A; `speed` is the natural log of what is
/// common to all work. Nothing is known where the replay of either run as it was is too far off.
ElapsedChange elapsed_change(const Run& a, const Run& b, std::span<const double> inside,
                             double speed, const Options& options);

}  // namespace crema::compare
