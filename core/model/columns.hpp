#pragma once

#include "core/model/run.hpp"

namespace crema {

/// Calls `visit` with every column of `run` whose length grows with the recording: samples, chunks,
/// tasks, nodes.
template <class Visit>
void for_each_column(Run& run, const Visit& visit) {
  const auto all = [&](auto&... columns) { (visit(columns), ...); };
  all(run.tick_naive, run.ticks, run.worker_counts);
  for (std::vector<TickSeries>& one : run.workers.series) {
    for (TickSeries& series : one) visit(series.values);
  }
  Chunks& c = run.chunks;
  all(c.dataset, c.file, c.entry_start, c.entry_stop, c.t_start, c.t_end, c.duration, c.events,
      c.bytes_read, c.memory_before, c.memory_after, c.memory_delta, c.branches_accessed,
      c.accessed_bytes, c.accessed_uncompressed_bytes, c.branches_read_fraction,
      c.bytes_read_fraction, c.branch_set, c.error, c.sections);
  for (auto& [name, column] : c.extra) visit(column);
  Tasks& t = run.tasks;
  all(t.key, t.prefix, t.worker, t.thread, t.action, t.t0, t.t1, t.nbytes, t.status, t.exception);
  all(run.task_states.t, run.task_states.state, run.task_states.worker, run.task_states.tasks);
  for (std::vector<CallTree>* trees : {&run.call_trees, &run.profile_slices}) {
    for (CallTree& tree : *trees)
      all(tree.parent, tree.frame, tree.count, tree.line, tree.sample_node, tree.sample_weight);
  }
}

}  // namespace crema
