#include <algorithm>

#include "core/analyse/questions.hpp"
#include "core/analyse/worker_selection.hpp"

namespace crema {

Table tasks(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  const Run& run = *runs[0];
  const Tasks& t = run.tasks;
  const WorkerSelection chosen(run, selection);
  Table table;
  const auto key = table.add_text("key");
  const auto prefix = table.add_text("prefix");
  const auto worker = table.add_text("worker");
  const auto thread = table.add_number("thread", "");
  const auto action = table.add_text("action");
  const auto t0 = table.add_number("t0", "s");
  const auto t1 = table.add_number("t1", "s");
  const auto nbytes = table.add_number("nbytes", "byte", "size of the task's result");
  const auto status = table.add_text("status");
  const auto put = [&](std::size_t column, StringId id) { table.put_present(column, run.text(id)); };
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (selection.time && (t.t1[i] < selection.time->begin || t.t0[i] > selection.time->end)) continue;
    if (!chosen.all) {
      const std::size_t number = run.workers.find(t.worker[i]);
      if (number == run.workers.size() || !chosen[number]) continue;
    }
    if (!selection.prefixes.empty() &&
        std::find(selection.prefixes.begin(), selection.prefixes.end(), run.text(t.prefix[i])) == selection.prefixes.end()) {
      continue;
    }
    put(key, t.key[i]);
    put(prefix, t.prefix[i]);
    put(worker, t.worker[i]);
    table.put(thread, t.thread[i]);
    put(action, t.action[i]);
    table.put(t0, t.t0[i]);
    table.put(t1, t.t1[i]);
    table.put(nbytes, t.nbytes[i]);
    put(status, t.status[i]);
  }
  if (t.size() == 0)
    table.note("missing", "the task stream was not recorded; client.get_task_stream() before the cluster closes returns it");
  if (!selection.datasets.empty() || !selection.files.empty() || !selection.hosts.empty() || !selection.ranges.empty()) {
    table.note("selection", "tasks carry no dataset, file or host: only time, workers and task prefixes narrow them");
  }
  return table;
}

}  // namespace crema
