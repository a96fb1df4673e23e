#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/collect.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers.hpp"
#include "core/model/call_tree.hpp"
#include "core/model/facts.hpp"
#include "core/model/recording.hpp"
#include "core/model/records.hpp"
#include "core/table/table.hpp"

namespace crema {

/// What a history is made of, of one run: of a recording what its facts say, of a digest what it
/// kept of them.
struct RunFigures {
  struct Number {
    std::string id, label, unit, better;  ///< as in `summary`
    double value = absent;
  };
  struct Part {
    std::string name;
    double seconds = absent, events = absent;
  };
  struct Found {
    std::string cause;    ///< its id
    std::string title{};  ///< where a digest keeps it
  };
  std::vector<Number> numbers;
  std::vector<Part> datasets;  ///< by name
  std::vector<Part> sections;  ///< in order of first appearance, what they leave last
  std::map<std::string, double, std::less<>> functions;  ///< [core-s] of those of the analysis
  std::vector<Found> findings;

  const Number* find(std::string_view id) const;  ///< nullptr where there is none
  double number(std::string_view id) const;       ///< absent where there is none
};

enum class Severity : std::uint8_t { low, medium, high };
std::string_view name_of(Severity severity);

/// A remark about what was read: a row of the `quality` question.
struct DataNote {
  std::string id;  ///< kind of data note, kebab-case: "cut-off", "not-recognised", ...
  Severity severity = Severity::low;
  std::string file;
  std::uint64_t offset = Error::no_offset;  ///< [byte]
  std::string path;                         ///< JSON path
  std::string message;                      ///< a sentence
  std::size_t count = 1;                    ///< how often it occurred
};

/// A file that was read (or tried) for this run.
struct Source {
  std::string path;
  double size = absent;  ///< [byte] unpacked; absent where its end was not read and nobody said how
                         ///< long it is
  std::string format;    ///< id of the Format, "" when not recognised
  std::string schema;    ///< finer than the format: "roastcoffea flat 0.1.x", "nested", ...
};

/// A number that the bundle itself states (roastcoffea's own summary), under its 0.1.2 key.
struct Stored {
  std::string id;   ///< 0.1.2 key; "per_dataset.NAME.KEY" for the nested ones
  double value;     ///< in the unit of `id`; absent when the bundle says null
  std::string key;  ///< the key as written, with its path: "summary.events.total"
};

/// coffea's own report (`savemetrics=True`): totals of the whole run. Absent members were not
/// reported.
struct Report {
  double bytes_read = absent;    ///< [byte] `bytesread`
  double events = absent;        ///< `entries`
  double process_time = absent;  ///< [s] `processtime`: wall time summed over process() calls
  double chunks = absent;        ///< `chunks`: items submitted
  std::vector<StringId> columns;
  std::string source;
};

/// What Dask's workers warned of while `crema.record` listened: "paused", "collecting",
/// "unresponsive".
struct Warning {
  std::string kind;
  std::string first;  ///< the first such line of a log
  double times = absent, workers = absent;
};

/// One of them: `value` is what part of its memory the worker used ("paused", "resumed"), what part
/// of its CPU collecting took, for how many seconds the event loop stood still.
struct WorkerEvent {
  StringId worker = no_string;  ///< address
  std::string kind;
  double t = absent;  ///< [epoch s] until `align::settle`, then [s] on the run axis
  double value = absent;
};

/// How run-axis seconds relate to other clocks (docs/meanings.md, Clocks).
struct Clock {
  double zero_epoch = absent;   ///< [epoch s] of run-axis 0; absent when only naive times are known
  double zero_naive = absent;   ///< [s] naive local time of run-axis 0, as if it were UTC
  double zone_offset = absent;  ///< [s] scheduler's local time − UTC; absent when not recoverable
  std::string basis;            ///< a sentence: what the offset was taken from
};

/// Microseconds since 1970 of an ISO 8601 date and time taken as if it were UTC
/// ("2025-12-16T14:02:11[.123456]", a blank for the T and a zone suffix allowed, the suffix
/// ignored); nothing when it is not one.
std::optional<std::int64_t> parse_naive_time(std::string_view text);

/// The version of digests that is written. Readers take every version up to it.
inline constexpr int digest_version = 1;

/// What one bundle *says*, in columns, in SI units, on one time axis, with missing marked as
/// missing.
///
/// A reader fills a Run of its own from one file; `align::join` makes one Run of several;
/// `align::settle` then puts all times on the run axis (seconds since the first tick, or the first
/// chunk) and matches what different files say of one thing. Nothing changes it afterwards.
struct Run {
  std::shared_ptr<Names> names;
  std::uint32_t number = 0;  ///< its RunId in a Session
  std::string title;
  std::vector<Source> sources;

  std::string schema;  ///< of the metrics file, for people
  std::vector<Stored> stored;
  std::string recorded_at;     ///< `metadata.json` timestamp, as written
  double elapsed = absent;     ///< [s] t1 − t0
  std::string elapsed_source;  ///< file it is from
  std::string config;          ///< `config.json`, its text
  /// What decides how workers work, as `crema.record` asked them: Dask's configuration, limits of
  /// numeric libraries, versions of packages; "1 or 8" where workers differ.
  std::map<std::string, std::string> settings;
  /// What people and programs call the run by: "commit", "branch", "label", versions ("coffea").
  std::map<std::string, std::string> labels;
  Clock clock;

  bool tracked = false;  ///< tracking_data was an object, not null or missing
  /// [µs] naive local time of each tick, as if UTC, in order
  std::vector<std::int64_t> tick_naive;
  std::vector<double> ticks;          ///< [s] run axis; same length
  std::vector<double> worker_counts;  ///< per tick, absent where not stated
  /// Ticks are of processes that measured themselves while they ran tasks: of one that has none it
  /// is not known whether it was there.
  bool ticks_of_busy_workers = false;
  Workers workers;

  bool chunks_recorded = false;  ///< a chunk list was there, even if empty
  Chunks chunks;
  Files files;

  bool activities_recorded = false;
  Activities activities;

  Report report;
  Tasks tasks;
  TaskStates task_states;
  SystemLoad system;
  RecordedTables recording;
  std::vector<Span> spans;
  std::vector<CallTree> call_trees;
  /// What was sampled when, in order of time: each sample of `call_trees` once, where recorded.
  std::vector<CallTree> profile_slices;
  std::vector<DataNote> data_notes;
  bool warnings_recorded = false;
  std::vector<Warning> warnings;
  std::vector<WorkerEvent> worker_events;  ///< in order of time
  std::vector<BatchJob> jobs;              ///< that a batch system's log tells
  /// why workers left, by address, and tasks were given back, by number: by a manager's debug log
  std::map<StringId, StringId> last_words;

  /// Of a digest: the answers that it keeps of a run which is recorded elsewhere.
  std::vector<std::shared_ptr<const Table>> kept;
  RunFigures figures;  ///< in them, what a history needs
  /// A digest that lies beside its recording adds nothing to it.
  bool is_digest() const { return !kept.empty() && schema.empty() && call_trees.empty(); }

  mutable Facts facts;  ///< kept between questions; no part of what the bundle says

  explicit Run(std::shared_ptr<Names> shared) : names(std::move(shared)) {}

  /// The stored number of that id, absent when the bundle has none.
  double stored_value(std::string_view id) const;

  /// [first tick or first chunk, + elapsed] on the run axis: {0, elapsed}; from ticks, chunks
  /// and tasks when elapsed is unknown.
  struct Window {
    double begin = 0;
    double end = absent;
  };
  Window window() const;

  void add_note(const char* id, Severity severity, std::string_view message,
                std::string_view file = {}, std::string_view path = {},
                std::uint64_t offset = Error::no_offset, std::size_t count = 1);

  std::string_view text(StringId id) const { return names->strings[id]; }
};

/// The task prefix of a row of `recording.tasks`: Dask's name of the same function, by which the
/// rest of the core knows it.
std::string_view prefix_of_row(const Run& run, std::size_t row);

/// Calls `use(row)` for each row of the task stream that is the computing of a task: an execution.
template <class Use>
void for_each_execution(const Run& run, const Use& use) {
  const StringId compute = run.names->strings.find("compute");
  for (std::size_t row = 0; row < run.tasks.size(); ++row) {
    if (run.tasks.action[row] == compute) use(row);
  }
}

/// Calls `visit` with every column of `run` whose length grows with the recording: samples, chunks,
/// tasks, nodes.
template <class Visit>
void for_each_column(Run& run, const Visit& visit) {
  const auto all = [&](auto&... columns) { (visit(columns), ...); };
  std::apply(all, Chunks::columns_of(run.chunks));
  for (auto& [key, column] : run.chunks.extra) visit(column);
  std::apply(all, Tasks::columns_of(run.tasks));
  all(run.tick_naive, run.ticks, run.worker_counts);
  for (std::vector<TickSeries>& one : run.workers.series) {
    for (TickSeries& series : one) visit(series.values);
  }
  visit(run.chunks.sections);
  RecordedTables::each_table(run.recording, [&](RecordedRows& table) {
    for (std::vector<double>& column : table.columns()) visit(column);
  });
  all(run.recording.chunk, run.recording.key);
  all(run.task_states.t, run.task_states.state, run.task_states.worker, run.task_states.tasks);
  for (std::vector<CallTree>* trees : {&run.call_trees, &run.profile_slices}) {
    for (CallTree& tree : *trees)
      all(tree.parent, tree.frame, tree.count, tree.on_cpu, tree.line, tree.sample_node,
          tree.sample_weight);
  }
}

/// What `crema.record` saw run chunks, by whose name Dask calls their tasks; no_string where it saw
/// none.
inline StringId function_of_chunks(const Run& run) {
  using recorded_columns::Task;
  const auto& rows = run.recording.tasks;
  for (std::size_t row = 0; row < rows.size() && !run.recording.of_log(); ++row) {
    if (run.text(rows.text(Task::kind, row)) == "chunk") return rows.text(Task::function, row);
  }
  return no_string;
}

}  // namespace crema
