#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "core/base/order.hpp"
#include "core/model/worker_selection.hpp"
#include "core/query/question.hpp"
#include "core/table/rows.hpp"

namespace crema::query::tasks {

namespace {

/// Lane of each record: one per thread of each worker, workers in order of first sight, their
/// threads by their first task.
std::vector<double> thread_lanes(const Run& run) {
  const Tasks& t = run.tasks;
  using Thread = std::pair<StringId, double>;
  const auto thread_of = [&](std::size_t i) {
    return Thread{t.worker[i], value_or(t.thread[i], -1)};
  };
  std::map<Thread, double> first_start;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const auto [known, is_new] = first_start.try_emplace(thread_of(i), t.t0[i]);
    if (!is_new && t.t0[i] < known->second) known->second = t.t0[i];
  }
  std::vector<std::tuple<std::size_t, double, Thread>> order;
  order.reserve(first_start.size());
  for (const auto& [thread, start] : first_start)
    order.emplace_back(run.workers.find(thread.first), start, thread);
  sort_stably(order, std::less<>());
  std::map<Thread, double> lane_of;
  for (const auto& entry : order)
    lane_of.emplace(std::get<2>(entry), static_cast<double>(lane_of.size()));
  std::vector<double> lanes(t.size());
  for (std::size_t i = 0; i < t.size(); ++i) lanes[i] = lane_of.at(thread_of(i));
  return lanes;
}

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  const Run& run = *runs[0];
  const Tasks& t = run.tasks;
  const WorkerSelection chosen(run, selection);
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (selection.time && (t.t1[i] < selection.time->begin || t.t0[i] > selection.time->end))
      continue;
    if (!chosen.all && !chosen.holds(run, t.worker[i])) continue;
    if (!selection.prefixes.empty() &&
        std::find(selection.prefixes.begin(), selection.prefixes.end(), run.text(t.prefix[i])) ==
            selection.prefixes.end()) {
      continue;
    }
    shown.push_back(i);
  }
  const std::vector<double> lanes = thread_lanes(run);
  Table table;
  Rows rows(table, shown);
  rows.text("key", [&](std::size_t i) { return run.text(t.key[i]); });
  rows.text("prefix", [&](std::size_t i) { return run.text(t.prefix[i]); });
  rows.text("worker", [&](std::size_t i) { return run.text(t.worker[i]); });
  rows.number("thread", "", [&](std::size_t i) { return t.thread[i]; });
  rows.text("action", [&](std::size_t i) { return run.text(t.action[i]); });
  rows.number("t0", "s", [&](std::size_t i) { return t.t0[i]; });
  rows.number("t1", "s", [&](std::size_t i) { return t.t1[i]; });
  rows.number(
      "duration", "s", [&](std::size_t i) { return t.t1[i] - t.t0[i]; }, "t1 − t0");
  rows.number(
      "nbytes", "byte", [&](std::size_t i) { return t.nbytes[i]; }, "size of the task's result");
  rows.text("status", [&](std::size_t i) { return run.text(t.status[i]); });
  // what a failed task raised
  rows.text("exception", [&](std::size_t i) { return run.text(t.exception[i]); });
  rows.number(
      "lane", "count", [&](std::size_t i) { return lanes[i]; },
      "one per thread of each worker, as recorded");
  if (t.size() == 0)
    table.note("missing",
               "the task stream was not recorded; client.get_task_stream() before the cluster "
               "closes returns it");
  if (!selection.datasets.empty() || !selection.files.empty() || !selection.hosts.empty() ||
      !selection.ranges.empty()) {
    table.note(
        "selection",
        "tasks carry no dataset, file or host: only time, workers and task prefixes narrow them");
  }
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "tasks",
    .about = "each task of the task stream",
    .narrowed_by = worker_dimensions | Selection::by_prefix,
    .function = answer,
};

}  // namespace crema::query::tasks
