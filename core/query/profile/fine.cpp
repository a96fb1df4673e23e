#include <algorithm>

#include "core/base/number_format.hpp"
#include "core/base/sentence.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks/missing.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"
#include "core/table/rows.hpp"

namespace crema::query::fine {

namespace {

/// Of the core-time, as everywhere; of the tasks' time where the cores are not known.
std::string verdict_of(const Run& run, const Budget& budget) {
  const double cpu = activity_sum(run, "thread-cpu", "seconds");
  const double waiting = activity_sum(run, "thread-noncpu", "seconds");
  const double whole = is_absent(budget.available) ? budget.executing : budget.available;
  if (!(cpu + waiting >= 0) || !(whole > 0)) return "Dask counted no seconds on and off a CPU.";
  const bool spilled = activity_sum(run, "disk-write", "seconds") > 0 ||
                       activity_sum(run, "disk-read", "seconds") > 0;
  const std::vector<StringId>& contexts = run.activities.context;
  const bool sent = std::any_of(contexts.begin(), contexts.end(), [&](StringId context) {
    return run.text(context) == "get-data" || run.text(context) == "gather-dep";
  });
  return sentence({format_percent(waiting / whole), " of the ",
                   (is_absent(budget.available) ? "tasks' time" : "core-time"),
                   " was waiting in tasks, ", format_percent(cpu / whole), " on a CPU; ",
                   (spilled ? "results were spilled to disk" : "nothing was spilled to disk"),
                   (sent ? "." : "; transfers were not recorded.")});
}

/// What the processor's tasks and all others took, and how not to read the numbers.
std::string limits_of(const Run& run, const Budget& budget) {
  std::string text;
  const double inside = budget.of(BudgetPart::Kind::inside_process);
  const double outside = budget.of(BudgetPart::Kind::outside_process);
  if (!is_absent(inside) && !is_absent(outside)) {
    const double lost = budget.of(BudgetPart::Kind::lost_work);
    text +=
        sentence({"process() took ", format_core_seconds(inside), ", the processor's tasks ",
                  format_core_seconds(outside), " outside it",
                  (lost > 0 ? ", work done twice " + format_core_seconds(lost) : std::string())});
    for (const BudgetPart& part : budget.parts) {
      if (part.kind == BudgetPart::Kind::task)
        text += ", " + part.label + " " + format_core_seconds(part.core_seconds);
    }
    text += ". ";
  }
  const double in_memory = activity_sum(run, "memory-read", "bytes");
  return text +
         sentence({"Waiting is for data, for locks (Python's interpreter lock among them), or for "
                   "a CPU where there are more threads than cores. disk-read and disk-write are "
                   "Dask's own spilling",
                   (in_memory > 0 ? ", memory-read the inputs of tasks found in memory (" +
                                        format_bytes(in_memory) + ")"
                                  : std::string()),
                   ": none of these is reading of input files."});
}

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const Activities& a = run.activities;
  const Processor processor = find_processor(run, options);

  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (is_selected(run, selection, i)) chosen.push_back(i);
  }
  Table table;
  Rows rows(table, chosen);
  rows.text("context", [&](std::size_t i) { return run.text(a.context[i]); });
  rows.text("prefix", [&](std::size_t i) { return run.text(a.prefix[i]); });
  rows.text("activity", [&](std::size_t i) { return run.text(a.activity[i]); });
  rows.text("unit", [&](std::size_t i) { return run.text(a.unit[i]); });
  rows.number("value", "as the row's unit", [&](std::size_t i) { return a.value[i]; });
  rows.flag("is_processor", [&](std::size_t i) {
    return a.prefix[i] != no_string && a.prefix[i] == processor.prefix;
  });
  if (!run.activities_recorded) {
    table.note("missing", missing::fine_metrics);
  } else {
    table.note("processor", std::string(run.text(processor.prefix)));
    table.note("processor_basis", processor.basis);
    table.note("source", a.source);
    const Budget budget = compute_budget(run, {}, options);
    table.note("verdict", verdict_of(run, budget));
    table.note("limits", limits_of(run, budget));
    // roastcoffea reads them a fixed half second after the end; a heartbeat carries a worker's
    // share.
    constexpr double read_after = 0.5;
    const double heartbeat = heartbeat_interval(run);
    const double late = std::max(0.0, heartbeat - read_after);
    const Run::Window window = run.window();
    const double share = ratio(late, window.end - window.begin);
    table.note("heartbeat", heartbeat);
    table.note("late", late > 0 ? "workers report every " + format_seconds(heartbeat) +
                                      " at this number of them, and the totals are read 0.5 s "
                                      "after the end: what they did in the last " +
                                      format_seconds(late) +
                                      (is_absent(share)
                                           ? ""
                                           : ", up to " + format_percent(share) + " of the run,") +
                                      " may be missing and then looks idle"
                                : "workers report every 0.5 s at this number of them, and the "
                                  "totals are read 0.5 s after the end: a "
                                  "late report may be missing and then looks idle");
  }
  if (selection.time || !selection.workers.empty() || !selection.datasets.empty() ||
      !selection.files.empty() || !selection.hosts.empty() || !selection.ranges.empty()) {
    table.note("selection",
               "fine metrics are totals of the whole run: they have no time axis, worker or "
               "dataset, and are not narrowed");
  }
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "fine",
    .about = "Dask's activities by task prefix",
    .options = {&runtime::processor_option},
    .narrowed_by = Selection::by_prefix,
    .function = answer,
};

}  // namespace crema::query::fine
