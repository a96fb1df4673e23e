// How far a run has come, and how long it will take: `progress`. How it stands: `now`.
#include "core/predict/progress.hpp"

#include "core/diagnose/diagnose.hpp"
#include "core/query/question.hpp"
#include "core/report/answer_text.hpp"

namespace crema::query::progress {

/// A row: all chunks first, then those of each dataset.
struct Row : PartProgress {
  const char* kind;
};

const Columns<Row, const Run*> columns = {
    {"kind", &Row::kind},  // "all", or "dataset"
    {"dataset", as_given, [](const Row& row, const Run* run) { return run->text(row.dataset); }},
    {"planned", "count", &Row::planned, "chunks that executors were given"},
    {"done", "count", &Row::done, "chunks that ended well"},
    {"skipped", "count", &Row::skipped, "chunks that were given up, their file left out"},
    {"failed", "count", &Row::failed, "attempts that failed, or whose worker was lost"},
    {"events_planned", "count", &Row::events_planned},
    {"events", "count", &Row::events, "of chunks that are done"},
    {"share", "1", [](const Row& row) { return ratio(row.done, row.planned); }, "done / planned"},
    {"core_seconds", "s", &Row::core_seconds, "Σ duration of all attempts"},
};

static Table answer(const Run& run, const Selection&, const Options&) {
  const Progress& progress = progress_of(run);
  std::vector<Row> rows;
  if (run.recording.tasks.size() > 0 || !run.recording.index.planned.empty()) {
    rows.push_back({progress.all, "all"});
    for (const PartProgress& dataset : progress.datasets) rows.push_back({dataset, "dataset"});
  }
  Table table = columns.table(rows, &run);
  if (rows.empty()) {
    say(table, notes::no_rows);
    return table;
  }
  table.note("state", progress.is_running ? "running" : "ended");
  table.note("since_begin", progress.since_begin);
  table.note("files", progress.files);
  table.note("files_planned", progress.files_planned);
  table.note("cores", progress.cores);
  table.note("event_rate", progress.event_rate);
  table.note("left", progress.left);
  table.note("left_low", progress.left_low);
  table.note("left_high", progress.left_high);
  table.note("headline", progress_headline(progress));
  return table;
}

extern const Question question(
    "progress", "how many of the chunks of each dataset are done; how long the rest will take",
    columns, answer);

}  // namespace crema::query::progress

namespace crema::query::now {

const Columns<NowLine> columns = {
    {"part", &NowLine::part},
    {"kind", &NowLine::kind},
    {"name", &NowLine::name},
    {"text", &NowLine::text},
    {"low", "s", &NowLine::low,
     "of rest the core-time that the finding costs in the rest of the run, in proportion to the "
     "work; of restart the time that all of the work takes with the setting, by the model of "
     "whatif; with the lower end of the time left"},
    {"high", "s", &NowLine::high, "with the upper end of the time left"},
};

static Table answer(const Run& run, const Selection&, const Options& options) {
  Table table = columns.table(now_lines(run, find_now(run, options)));
  if (run.recording.tasks.size() == 0 && run.recording.index.planned.empty())
    say(table, notes::no_rows);
  return table;
}

extern const Question question(
    "now",
    "what fails and what is idle in a run that is being recorded; what findings cost if it goes "
    "on, and what a restart would take",
    columns, answer, {.options = {&runtime::processor_option, &run_spread_option}});

}  // namespace crema::query::now
