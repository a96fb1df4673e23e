#include <algorithm>

#include "core/base/say.hpp"
#include "core/facts/heartbeat.hpp"
#include "core/facts/processor.hpp"
#include "core/questions/question.hpp"

namespace crema::questions::fine {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const Activities& a = run.activities;
  const Processor processor = find_processor(run, options);

  Table table;
  const auto context = table.add_text("context");
  const auto prefix = table.add_text("prefix");
  const auto activity = table.add_text("activity");
  const auto unit = table.add_text("unit");
  const auto value = table.add_number("value", "as the row's unit");
  const auto is_processor = table.add_flag("is_processor");
  const auto put = [&](std::size_t column, StringId id) { table.put_present(column, run.text(id)); };
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!selection.prefixes.empty()) {
      const std::string_view own = run.text(a.prefix[i]);
      bool wanted = false;
      for (const std::string& p : selection.prefixes) wanted = wanted || p == own;
      if (!wanted) continue;
    }
    put(context, a.context[i]);
    put(prefix, a.prefix[i]);
    put(activity, a.activity[i]);
    put(unit, a.unit[i]);
    table.put(value, a.value[i]);
    table.put(is_processor, a.prefix[i] != no_string && a.prefix[i] == processor.prefix ? 1 : 0);
  }
  if (!run.activities_recorded) {
    table.note("missing",
               "fine performance metrics were not recorded; roastcoffea 0.1.0 and later write them as raw_span_metrics");
  } else {
    table.note("processor", std::string(run.text(processor.prefix)));
    table.note("processor_basis", processor.basis);
    table.note("source", a.source);
    // roastcoffea reads them a fixed half second after the end; a heartbeat carries a worker's share.
    constexpr double read_after = 0.5;
    const double heartbeat = heartbeat_interval(run);
    const double late = std::max(0.0, heartbeat - read_after);
    const Run::Window window = run.window();
    const double share = ratio(late, window.end - window.begin);
    table.note("heartbeat", heartbeat);
    table.note("late",
               late > 0 ? "workers report every " + say_seconds(heartbeat) +
                              " at this number of them, and the totals are read 0.5 s after the end: what they did in the last " +
                              say_seconds(late) + (is_absent(share) ? "" : ", up to " + say_percent(share) + " of the run,") +
                              " can be missing and looks idle"
                        : "workers report every 0.5 s at this number of them, and the totals are read 0.5 s after the end: a "
                          "late report can be missing and looks idle");
  }
  if (selection.time || !selection.workers.empty() || !selection.datasets.empty() || !selection.files.empty() ||
      !selection.hosts.empty() || !selection.ranges.empty()) {
    table.note("selection",
               "fine metrics are totals of the whole run: they have no time axis, worker or dataset, and are not narrowed");
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
