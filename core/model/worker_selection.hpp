#pragma once

#include <string>
#include <vector>

#include "core/model/run.hpp"
#include "core/model/selection.hpp"

namespace crema {

/// Which workers a Selection leaves: `chosen[worker]`. A selected name is an address or a worker's
/// name.
struct WorkerSelection {
  std::vector<bool> chosen;
  bool all = true;

  WorkerSelection(const Run& run, const Selection& selection);
  bool operator[](std::size_t worker) const { return chosen[worker]; }
  /// Whether it holds the worker of that address; false for one that the run does not know.
  bool holds(const Run& run, StringId address) const {
    const std::size_t worker = run.workers.find(address);
    return worker < chosen.size() && chosen[worker];
  }
};

/// The number of threads of a worker at a tick: its `cores` series, else its meta.
inline double nthreads_at(const Run& run, std::size_t worker, std::size_t tick) {
  const double ticked = run.workers.of(Series::cores, worker).at(tick);
  return is_absent(ticked) ? run.workers.nthreads[worker] : ticked;
}

/// First and one past the last tick at which any series of the worker has a value; {0, 0} when none
/// has.
TickRange ticks_of(const Workers& workers, std::size_t worker);

/// The ticks in [begin, end] of the run axis.
TickRange ticks_within(const Run& run, double begin, double end);

/// The selected time; where none is selected, the run's.
Run::Window selected_window(const Run& run, const Selection& selection);

/// The ticks in the selected time; all where none is selected.
TickRange selected_ticks(const Run& run, const Selection& selection);

/// What of a selection does not narrow the workers' series, a sentence; "" when all does.
std::string worker_series_note(const Selection& selection);

/// Whether any series of the worker has a value at that tick: an address that left and came back
/// was not there between.
bool present_at(const Workers& workers, std::size_t worker, std::size_t tick);

}  // namespace crema
