#pragma once

#include <span>
#include <utility>

#include "core/model/worker_selection.hpp"
#include "core/runtime/core_time.hpp"
#include "tests/core/profile_runs.hpp"

namespace crema::test {

/// From 0 to 10 s on one worker of one thread, which runs P-1 in each of `stretches` [s].
inline Run one_worker(std::initializer_list<std::pair<double, double>> stretches) {
  Run run = empty_run();
  const auto text = [&](const char* t) { return run.names->strings.intern(t); };
  run.elapsed = 10;
  run.workers.intern(text("tcp://a:1"));
  run.workers.nthreads[0] = 1;
  run.ticks = {0, 5};
  run.worker_counts = {1, 1};
  for (const Series series : {Series::cores, Series::active_tasks, Series::executing}) {
    run.workers.of(series, 0).set(0, 1);
    run.workers.of(series, 0).set(1, 1);
  }
  for (const auto& [t0, t1] : stretches) {
    Tasks& t = run.tasks;
    t.key.push_back(text("P-1"));
    t.prefix.push_back(text("P"));
    t.worker.push_back(text("tcp://a:1"));
    t.thread.push_back(1);
    t.action.push_back(text("compute"));
    t.t0.push_back(t0);
    t.t1.push_back(t1);
    t.nbytes.push_back(1);
    t.status.push_back(text("OK"));
    t.exception.push_back(no_string);
  }
  return run;
}

/// Of all its time, with P as the processor.
inline runtime::IdleTime idle_of(const Run& run) {
  return runtime::find_idle(run, WorkerSelection(run, {}), run.names->strings.find("P"), 0, 10);
}

inline double of_cause(const runtime::IdleTime& idle, runtime::IdleCause cause) {
  return idle.seconds[static_cast<std::size_t>(cause)];
}

}  // namespace crema::test
