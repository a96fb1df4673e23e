#pragma once

#include <vector>

#include "core/model/run.hpp"
#include "core/model/selection.hpp"
#include "core/model/worker_selection.hpp"

namespace crema::runtime {

/// A step function of run-axis time: `values[i]` holds from `times[i]` to `times[i + 1]`, the last
/// one to the window's end.
struct Steps {
  std::vector<double> times;   ///< [s], ascending
  std::vector<double> values;  ///< absent where nothing is known
  double end = absent;         ///< [s] where the last value ends

  bool empty() const { return times.empty(); }
  /// The value that holds at `t`; 0 before the first step.
  double at(double t) const;
  /// ∫ values dt over [begin, to]; absent values count as 0.
  double integral(double begin, double to) const;
  /// The integral over the part of [begin, to] that the steps cover, divided by the length of that
  /// part.
  double mean(double begin, double to) const;
};

/// begin, end, and every moment between them at which one of the two changes; ascending.
std::vector<double> edges_of(const Steps& a, const Steps& b, double begin, double end);

// What is of all workers is kept by the run: most questions begin with it.

/// Σ nthreads of the workers present at each tick. Empty without tracking.
Steps core_steps(const Run& run, const WorkerSelection& workers);

/// Number of workers present at each tick: `worker_counts` where stated (and all workers are
/// selected), else the number of workers with a value at that tick.
Steps worker_steps(const Run& run, const WorkerSelection& workers);

/// Core-seconds available in [begin, end] and where the number is from (docs/meanings.md, Cores):
/// tracking, else scheduler info x length (estimated), else absent.
struct CoreTime {
  double core_seconds = absent;
  double cores = absent;  ///< time average
  bool estimated = false;
  const char* source = "";
};
CoreTime core_time(const Run& run, const WorkerSelection& workers, double begin, double end);

/// What `core_time` is computed from, for who asks for several ranges of one run.
struct CoreSupply {
  Steps steps;         ///< of cores; empty when only their number is known
  double threads = 0;  ///< that number, an estimate
  const char* source = "";
  Run::Window window;

  CoreTime between(double begin, double end) const;
};
CoreSupply core_supply(const Run& run, const WorkerSelection& workers);

}  // namespace crema::runtime
