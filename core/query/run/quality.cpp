// What is doubtful in a recording: `quality`.
#include <algorithm>
#include <cmath>

#include "core/base/number_format.hpp"
#include "core/base/order.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::query::quality {

using Notes = std::vector<DataNote>;

static void add(Notes& notes, std::string id, Severity severity, std::string message) {
  notes.push_back({std::move(id), severity, {}, Error::no_offset, {}, std::move(message), 1});
}

// Parts that are missing, and what that disables.
static void note_missing_parts(const Run& run, Notes& notes) {
  if (run.schema.empty())
    add(notes, "no-metrics", Severity::medium,
        "there is no metrics.json: only the content of the other files is shown");
  if (!run.tracked && run.ticks.empty() && !run.schema.empty())
    add(notes, "no-tracking", Severity::medium,
        "worker tracking was not recorded: no timelines, and cores only where scheduler info was "
        "recorded");
  if (run.tracked && run.ticks.empty())
    add(notes, "no-ticks", Severity::medium,
        "worker tracking was on but recorded no tick: no timelines, and cores only where scheduler "
        "info was recorded");
  if (!run.chunks_recorded && !run.schema.empty())
    add(notes, "no-chunks", Severity::medium,
        "chunks were not recorded (@track_metrics): no throughput over time, no datasets, no "
        "sections");
  if (!run.activities_recorded && !run.schema.empty())
    add(notes, "no-fine-metrics", Severity::medium,
        "fine performance metrics were not recorded: the time outside process() cannot be split");
  if (run.call_trees.empty())
    add(notes, "no-profile", Severity::low, "no profile was recorded: there is no flame graph");
  if (is_absent(run.elapsed))
    add(notes, "no-elapsed", Severity::low,
        "the run's length was not recorded; it is taken from the last tick, chunk or task");
}

static void note_chunks(const Run& run, Notes& notes) {
  if (!run.chunks_recorded) return;
  if (chunk_list_is_cut(run)) {
    const double share = listed_share_of_events(run);
    add(notes, "chunk-list-cut", Severity::high,
        (is_absent(share) ? "the chunk list is cut off"
                          : "the chunk list holds " + format_percent(share) +
                                " of the events that coffea reports") +
            std::string(": sums over chunks are not those of the run, and the time outside "
                        "process(), the end of the run and slow chunks are not derived from it"));
  }
  if (run.chunks.size() == 0) return;
  const double lost = lost_num_chunks(run);
  if (lost > 0) {
    add(notes, "lost-chunks", Severity::high,
        format_number(lost) + " of " + format_number(report_num_chunks(run)) +
            " chunks that coffea submitted left no record: bad files were skipped, or their output "
            "was lost");
  }
  if (!chunk_bytes_collected(run)) {
    add(notes, "bytes-not-collected", Severity::medium,
        "bytes_read is 0 in every chunk (roastcoffea 0.1.0, or files mapped into memory): there is "
        "no data rate over time");
  } else if (const double share = ratio(moments(run.chunks.bytes_read).sum, total_bytes_read(run));
             share < 0.999 && !chunk_list_is_cut(run)) {
    add(notes, "bytes-outside-process", Severity::low,
        format_percent(1 - share) +
            " of the bytes that coffea reports were read outside process() and have no time");
  }
}

static void note_budget(const Run& run, const Options& options, Notes& notes) {
  const Budget found = compute_budget(run, {}, options);
  for (const BudgetPart& part : found.parts) {
    if (part.shortfall > 0) {
      add(notes, "negative-part", Severity::medium,
          "the core-time of \"" + part.label + "\" is " + format_number(part.shortfall) +
              " core-s below zero and is shown as 0 (" + part.source + ")");
    }
  }
  if (found.estimated)
    add(notes, "cores-estimated", Severity::medium,
        "the available core-time is estimated from the workers that worker or scheduler info "
        "names");
  const double stored = run.stored_value("total_cores");
  const double cores = ratio(found.available, run.window().end);
  if (!is_absent(stored) && !is_absent(cores) && stored > cores * 1.01) {
    // our own numbers do not use it
    add(notes, "cores-inflated", Severity::low,
        "the stored total_cores " + format_number(stored) +
            " counts every worker ever seen; the time average is " + format_number(cores) +
            ", so stored core efficiency and rates per core are too low");
  }
  if (found.processor_guessed) {
    add(notes, "processor-guessed", Severity::low,
        "the processor's task prefix is a guess: " + found.processor_basis);
  }
}

// roastcoffea waits 0.5 s before it reads the fine metrics; workers that report less often are
// heard too late.
static void note_heartbeats(const Run& run, Notes& notes) {
  const double interval = heartbeat_interval(run);
  if (!run.activities_recorded || !run.tracked || interval <= 0.5) return;
  add(notes, "fine-metrics-tail", Severity::low,
      "fine metrics were read 0.5 s after the end, but workers report every " +
          format_seconds(interval) + ": the last of them may be missing and counted as idle");
}

// Dask keeps the last 100,000 tasks.
static void note_task_stream(const Run& run, const Options& options, Notes& notes) {
  const StringId processor = find_processor(run, options).prefix;
  const double streamed = executions_in_stream(run, processor);
  const double counted = activity_sum(run, processor, "memory-read", "count");
  if (!(streamed > 0) || !(streamed < counted)) return;
  add(notes, "task-stream-cut", Severity::medium,
      "the task stream holds " + format_number(streamed) + " of at least " +
          format_number(counted) +
          " processor tasks: it was cut off or started late, so lost work is estimated");
}

const Columns<DataNote> columns = {
    {"id", &DataNote::id},
    {"severity", [](const DataNote& d) { return name_of(d.severity); }},
    {"file", &DataNote::file},
    {"offset", "byte",
     [](const DataNote& d) {
       return d.offset == Error::no_offset ? absent : static_cast<double>(d.offset);
     }},
    {"path", &DataNote::path},
    {"message", &DataNote::message},
    {"count", "count", &DataNote::count},
};

static Table answer(std::span<const Run* const> runs, const Selection&, const Options& options) {
  const Run& run = *runs[0];
  Notes notes = run.data_notes;
  note_missing_parts(run, notes);
  note_chunks(run, notes);
  note_budget(run, options, notes);
  note_heartbeats(run, notes);
  note_task_stream(run, options, notes);
  sort_stably(notes, [](const DataNote& a, const DataNote& b) { return a.severity > b.severity; });

  Table table = columns.table(notes);
  table.note("schema", run.schema);
  table.note("clock", run.clock.basis);
  return table;
}

extern const Question question{
    .name = "quality",
    .about = "data notes: what could not be read, was corrected, or is doubtful",
    .options = {&runtime::processor_option},
    .of_digests = true,
    .columns = &columns,
    .function = answer,
};

}  // namespace crema::query::quality
