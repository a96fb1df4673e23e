#include <algorithm>

#include "core/base/number_format.hpp"
#include "core/facts/activity_sums.hpp"
#include "core/facts/heartbeat.hpp"
#include "core/facts/missing.hpp"
#include "core/facts/processor.hpp"
#include "core/questions/question.hpp"
#include "core/table/rows.hpp"

namespace crema::questions::fine {

namespace {

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
    table.note("memory_reads", activity_sum(run, "memory-read", "count"));
    table.note("memory_read_bytes", activity_sum(run, "memory-read", "bytes"));
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
                                      " can be missing and looks idle"
                                : "workers report every 0.5 s at this number of them, and the "
                                  "totals are read 0.5 s after the end: a "
                                  "late report can be missing and looks idle");
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
    .options = {&facts::processor_option},
    .narrowed_by = Selection::by_prefix,
    .function = answer,
};

}  // namespace crema::questions::fine
