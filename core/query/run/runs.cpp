// The open runs and their files: `runs`, `sources`.
#include "core/base/order.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::query::runs {

/// A run, and its files: which were read, and their size.
struct Open {
  const Run* run;
  std::string files{};
  double bytes = 0;
};

static double damaged_files(const Run& run) {
  return static_cast<double>(count_if(run.data_notes, [](const DataNote& note) {
    return note.severity == Severity::high && !note.file.empty();
  }));
}

const Columns<Open> columns = {
    {"run", "count", [](const Open& o) { return o.run->number; }},
    {"title", [](const Open& o) -> std::string_view { return o.run->title; }},
    {"source_files", &Open::files},
    {"schema", [](const Open& o) -> std::string_view { return o.run->schema; }},
    {"started_at", "epoch s", [](const Open& o) { return o.run->clock.zero_epoch; },
     "wall-clock time of run-axis 0: first tick, or first chunk"},
    {"time_zone_offset", "s", [](const Open& o) { return o.run->clock.zone_offset; },
     "scheduler's local time − UTC"},
    {"elapsed", "s", [](const Open& o) { return o.run->window().end; },
     "t1 − t0, or to the last of what was recorded"},
    {"started_naive", "s", [](const Open& o) { return o.run->clock.zero_naive; },
     "scheduler's local time of run-axis 0, as if it were UTC"},
    {"recorded_at", [](const Open& o) -> std::string_view { return o.run->recorded_at; }},
    {"clock_basis", [](const Open& o) -> std::string_view { return o.run->clock.basis; }},
    {"workers", "count", [](const Open& o) { return o.run->workers.size(); }},
    {"chunks", "count", [](const Open& o) { return recorded_num_chunks(*o.run); }},
    {"digest", as_flag, [](const Open& o) { return o.run->is_digest(); },
     "1 = what was kept of a run, not its recording"},
    {"running", as_flag, [](const Open& o) { return o.run->recording.index.is_running; },
     "1 = when it was read its recording had not ended"},
    {"damaged", "count", [](const Open& o) { return damaged_files(*o.run); },
     "files that were read in part only, by data notes of high severity"},
    {"bytes", "byte", &Open::bytes, "size of the source files, as far as it is known"},
};

static Table answer(std::span<const Run* const> open, const Selection&, const Options&) {
  std::vector<Open> all;
  for (const Run* run : open) {
    Open& one = all.emplace_back(Open{run});
    for (const Source& source : run->sources) {
      one.bytes += value_or(source.size, 0);
      if (!source.format.empty()) one.files += (one.files.empty() ? "" : ", ") + source.path;
    }
  }
  return columns.table(all);
}

extern const Question question("runs", "the open runs", columns, answer,
                               {.run_count = {0, any_number}, .of_digests = true});

}  // namespace crema::query::runs

namespace crema::query::sources {

const Columns<Source> columns = {
    {"file", &Source::path},
    {"size", "byte", &Source::size},
    {"format", &Source::format},
    {"schema", &Source::schema},
};

static Table answer(const Run& run, const Selection&, const Options&) {
  return columns.table(run.sources);
}

extern const Question question("sources", "the files of a run, and the format each was read as",
                               columns, answer, {.of_digests = true});

}  // namespace crema::query::sources

// What is doubtful in a recording: `quality`.
namespace crema::query::quality {

using Notes = std::vector<DataNote>;

static void add(Notes& notes, const RunNote& note, std::initializer_list<FillValue> values = {}) {
  notes.push_back({note.id, note.severity, {}, Error::no_offset, {}, fill(note.text, values), 1});
}

// Parts that are missing, and what that disables.
static void note_missing_parts(const Run& run, Notes& notes) {
  if (run.recording.index.is_running) return;  // they may come
  if (run.schema.empty() && run.recording.tasks.size() == 0) add(notes, run_notes::no_metrics);
  if (!run.tracked && run.ticks.empty() && !run.schema.empty()) add(notes, run_notes::no_tracking);
  if (run.tracked && run.ticks.empty()) add(notes, run_notes::no_ticks);
  if (!run.chunks_recorded && !run.schema.empty()) add(notes, run_notes::no_chunks);
  if (!run.activities_recorded && !run.schema.empty()) add(notes, run_notes::no_fine_metrics);
  if (run.call_trees.empty()) add(notes, run_notes::no_profile);
  if (is_absent(run.elapsed)) add(notes, run_notes::no_elapsed);
}

static void note_chunks(const Run& run, Notes& notes) {
  if (!run.chunks_recorded) return;
  if (chunk_list_is_cut(run)) {
    const double share = listed_share_of_events(run);
    if (is_absent(share)) add(notes, run_notes::chunk_list_cut);
    else add(notes, run_notes::chunk_list_part, {share});
  }
  if (run.chunks.size() == 0) return;
  if (const double lost = lost_num_chunks(run); lost > 0) {
    add(notes, run_notes::lost_chunks, {lost, report_num_chunks(run)});
  }
  if (!chunk_bytes_collected(run)) {
    add(notes, run_notes::bytes_not_collected);
  } else if (const double share = ratio(moments(run.chunks.bytes_read).sum, total_bytes_read(run));
             share < 0.999 && !chunk_list_is_cut(run)) {
    add(notes, run_notes::bytes_outside_process, {1 - share});
  }
}

static void note_tasks(const Run& run, Notes& notes) {
  using recorded_columns::Task;
  const auto& rows = run.recording.tasks;
  const std::vector<std::uint32_t>& chunk = run.recording.chunk;
  const bool times_process = !run.recording.of_log();
  double lost = 0, whole = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    lost += run.text(rows.text(Task::status, row)) == "lost";
    whole += times_process && row < chunk.size() && chunk[row] < run.chunks.size() &&
             is_absent(rows.at(Task::process_wall, row)) &&
             run.chunks.duration[chunk[row]] == rows.at(Task::wall, row);
  }
  if (lost > 0) add(notes, run_notes::lost_tasks, {lost});
  if (whole > 0) add(notes, run_notes::whole_tasks, {whole});
}

static void note_budget(const Run& run, const Options& options, Notes& notes) {
  const Budget found = compute_budget(run, {}, options);
  for (const BudgetPart& part : found.parts) {
    if (part.shortfall > 0) {
      add(notes, run_notes::negative_part, {part.label, part.shortfall, part.source});
    }
  }
  if (found.estimated) add(notes, run_notes::cores_estimated);
  const double stored = run.stored_value("total_cores");
  const double cores = ratio(found.available, run.window().end);
  if (stored > cores * 1.01) {  // our own numbers do not use it
    add(notes, run_notes::cores_inflated, {stored, cores});
  }
  if (found.processor_guessed) {
    add(notes, run_notes::processor_guessed, {found.processor_basis});
  }
}

// roastcoffea waits 0.5 s before it reads the fine metrics; workers that report less often are
// heard too late.
static void note_heartbeats(const Run& run, Notes& notes) {
  const double interval = heartbeat_interval(run);
  if (!run.activities_recorded || !run.tracked || interval <= 0.5) return;
  add(notes, run_notes::fine_metrics_tail, {interval});
}

// Dask keeps the last 100,000 tasks.
static void note_task_stream(const Run& run, const Options& options, Notes& notes) {
  const StringId processor = find_processor(run, options).prefix;
  const double streamed = executions_in_stream(run, processor);
  const double counted = activity_sum(run, processor, "memory-read", "count");
  if (!(streamed > 0) || !(streamed < counted)) return;
  add(notes, run_notes::task_stream_cut, {streamed, counted});
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

static Table answer(const Run& run, const Selection&, const Options& options) {
  Notes notes = run.data_notes;
  note_missing_parts(run, notes);
  note_tasks(run, notes);
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

extern const Question question("quality",
                               "data notes: what could not be read, was corrected, or is doubtful",
                               columns, answer,
                               {.options = {&runtime::processor_option}, .of_digests = true});

}  // namespace crema::query::quality
