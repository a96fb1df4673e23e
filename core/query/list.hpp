#pragma once

#include "core/query/question.hpp"

// The questions, one a line, in the order in which help and docs list them. Each is `question` in
// the namespace of its name; list.cpp has the aliases.
// clang-format off
#define CREMA_QUESTIONS(each) \
  each(runs) \
  each(sources) \
  each(summary) \
  each(budget) \
  each(core_time_tree) \
  each(core_time_bins) \
  each(core_time_part) \
  each(findings) \
  each(rules) \
  each(advice) \
  each(quality) \
  each(timeline) \
  each(machines) \
  each(client) \
  each(worker_matrix) \
  each(worker_spread) \
  each(workers) \
  each(worker_changes) \
  each(throughput) \
  each(concurrency) \
  each(chunks) \
  each(chunk) \
  each(chunk_columns) \
  each(groups) \
  each(distribution) \
  each(sections) \
  each(custom_metrics) \
  each(input) \
  each(host_load) \
  each(access) \
  each(bytes) \
  each(branches) \
  each(fine) \
  each(fine_functions) \
  each(fine_activities) \
  each(task_prefixes) \
  each(phases) \
  each(tail) \
  each(excess) \
  each(ruled_out) \
  each(progress) \
  each(now) \
  each(failures) \
  each(system) \
  each(task_states) \
  each(chunk_sizes) \
  each(memory) \
  each(tasks) \
  each(profiles) \
  each(flame) \
  each(sandwich) \
  each(stacks) \
  each(frames) \
  each(lines) \
  each(worker_frames) \
  each(profile_spread) \
  each(flame_diff) \
  each(compare) \
  each(compare_matrix) \
  each(compare_steps) \
  each(compare_pairs) \
  each(verdict) \
  each(check) \
  each(scaling) \
  each(scaling_curve) \
  each(whatif) \
  each(bounds) \
  each(efficiency) \
  each(why) \
  each(history) \
  each(history_series) \
  each(history_levels) \
  each(check_history)
// clang-format on

#define CREMA_DECLARE(name)       \
  namespace crema::query::name {  \
  extern const Question question; \
  }
CREMA_QUESTIONS(CREMA_DECLARE)
#undef CREMA_DECLARE
