// What went wrong, and what it cost: `failures`.
#include "core/query/question.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::query::failures {

const Columns<Failed, const Run*> columns = {
    {"task", as_given, &Failed::prefix},
    {"exception", as_given, &Failed::exception},
    {"message", as_given, &Failed::message},
    {"frame", &Failed::frame},
    {"attempts", "count", &Failed::attempts, "that failed so"},
    {"items", "count", &Failed::items, "distinct pieces of work among them"},
    {"recovered", "count", &Failed::recovered, "items of which another attempt succeeded"},
    {"skipped", "count", &Failed::skipped, "attempts after which the file was left out"},
    {"lost", "count", &Failed::lost, "attempts whose worker went without a word"},
    {"core_seconds", "s", &Failed::core_seconds, "Σ duration of the attempts"},
    {"files", "count", &Failed::files},
    {"workers", "count", &Failed::workers},
    {"dataset", [](const Failed& f, const Run* run) { return run->text(f.dataset); }},
    {"file", [](const Failed& f, const Run* run) { return run->text(f.file); }},
    {"entry_start", "count", &Failed::entry_start, "of the first attempt, as dataset and file"},
    {"entry_stop", "count", &Failed::entry_stop, "of the first attempt"},
    {"first", "s", &Failed::first, "when the first attempt began"},
    {"last", "s", &Failed::last, "when the last attempt began"},
};

static Table answer(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  const Run& run = *runs[0];
  Table table = columns.table(find_failures(run, selection), &run);
  if (run.recording.tasks.size() + run.tasks.size() == 0) say(table, notes::no_attempts);
  return table;
}

extern const Question question{
    .name = "failures",
    .about = "each way in which tasks failed: exception, line, how often, and what it cost",
    .narrowed_by = Selection::by_time | Selection::by_worker | Selection::by_dataset |
                   Selection::by_file | Selection::by_prefix,
    .columns = &columns,
    .function = answer,
};

}  // namespace crema::query::failures
