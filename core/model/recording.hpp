#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/base/text.hpp"
#include "core/model/call_tree.hpp"
#include "core/model/records.hpp"

namespace crema {

/// A column of a table that `crema.record` writes.
struct RecordedColumn {
  /// What its numbers are in a file, and what in memory.
  enum class Kind : std::uint8_t {
    text,     ///< an index into the part's strings; a StringId
    number,   ///< a count, bytes, a flag: as it is
    seconds,  ///< whole microseconds; [s] (of a quota: millionths; CPUs)
    moment,   ///< whole microseconds after the part's epoch; [epoch s] until `align::settle`, then
              ///< [s] on the run axis
    task,     ///< a row of `tasks`
    section,  ///< a row of `sections`
    call,     ///< a row of `calls`
  };
  std::string_view key;
  Kind kind;
  const char* unit;
};

namespace recorded_columns {

/// The columns of a table, in the order of its enumerators.
template <class Column>
inline constexpr std::array<RecordedColumn, 0> of{};

// The tables, a line a column: its key in docs/format.md, which says what it means, its kind and
// its unit. Every number is absent where the system did not tell it, or does not apply to the row.
// clang-format off
#define CREMA_PART_COLUMNS(each, part) \
  each(part##_begin, seconds, "s") each(part##_wall, seconds, "s") each(part##_cpu, seconds, "s")

/// A row for each attempt at a task. `address` is made: Dask's address of the worker, else a name
/// of its process. Attempts at one piece of work have one `item`, where a log names it.
#define CREMA_TASK_COLUMNS(each) \
  each(kind, text, "") each(executor, text, "") each(function, text, "") each(stage, text, "") \
  each(call, number, "count") each(host, text, "") each(pid, number, "count") \
  each(thread, number, "count") each(worker, text, "") each(address, text, "") each(item, text, "") \
  each(attempt, number, "count") each(status, text, "") each(error, text, "") \
  each(message, text, "") each(frame, text, "") each(dataset, text, "") each(file, text, "") \
  each(tree, text, "") each(entry_start, number, "count") each(entry_stop, number, "count") \
  each(events, number, "count") each(inputs, number, "count") each(out_bytes, number, "byte") \
  each(begin, moment, "s") each(wall, seconds, "s") each(cpu, seconds, "s") \
  each(user, seconds, "s") each(system, seconds, "s") each(cpu_of_process, seconds, "s") \
  CREMA_PART_COLUMNS(each, start) CREMA_PART_COLUMNS(each, unpack) \
  CREMA_PART_COLUMNS(each, open) CREMA_PART_COLUMNS(each, read) \
  CREMA_PART_COLUMNS(each, process) CREMA_PART_COLUMNS(each, serialise) \
  each(rss_before, number, "byte") each(rss_after, number, "byte") \
  each(rss_peak, number, "byte") each(rss_peak_sampled, number, "1") \
  each(at_once, number, "count") each(threads, number, "count") \
  each(collections, number, "count") each(collecting, seconds, "s") \
  each(collecting_called, seconds, "s") each(collector, text, "") \
  each(minor_faults, number, "count") each(major_faults, number, "count") \
  each(voluntary_switches, number, "count") each(involuntary_switches, number, "count") \
  each(run_delay, seconds, "s") \
  each(rchar, number, "byte") each(wchar, number, "byte") each(syscr, number, "count") \
  each(syscw, number, "count") each(read_bytes, number, "byte") each(write_bytes, number, "byte") \
  each(requests, number, "count") each(requested_ranges, number, "count") \
  each(requested_bytes, number, "byte") each(request_wait, seconds, "s") \
  each(first_byte, seconds, "s") each(suspended, seconds, "s") \
  each(requested_memory, number, "byte") each(hook, text, "")

/// A row for each branch that a task read.
#define CREMA_BRANCH_COLUMNS(each) \
  each(task, task, "") each(branch, text, "") each(baskets, number, "count") \
  each(compressed, number, "byte") each(uncompressed, number, "byte") \
  each(outside, number, "byte") each(again, number, "byte") each(ahead, number, "byte") \
  each(codec, text, "") each(requests, number, "count") \
  each(requested, number, "byte") each(shared, number, "1") each(wait, seconds, "s") \
  each(wall, seconds, "s") each(cpu, seconds, "s")

/// A row for each section that a task entered, parents before their children.
#define CREMA_SECTION_COLUMNS(each) \
  each(task, task, "") each(parent, section, "") each(name, text, "") \
  each(calls, number, "count") each(wall, seconds, "s") each(cpu, seconds, "s")

/// Places in the code, callers before what they call. `called` is a FrameId; `native` what the line
/// calls that has no frame, `text` the line itself, of the analysis's own.
#define CREMA_CALL_COLUMNS(each) \
  each(caller, call, "") each(called, number, "") each(line, number, "") each(native, text, "") \
  each(text, text, "")

/// Where tasks were seen, and for how long.
#define CREMA_SAMPLE_COLUMNS(each) \
  each(task, task, "") each(section, section, "") each(call, call, "") \
  each(looks, number, "count") each(wall, seconds, "s") each(cpu, seconds, "s")

/// A row for each second of a process. `address` as in tasks, "client" for the one that recorded.
/// `lag` is of the scheduler's event loop.
#define CREMA_MACHINE_COLUMNS(each) \
  each(host, text, "") each(pid, number, "count") each(worker, text, "") each(address, text, "") \
  each(begin, moment, "s") each(wall, seconds, "s") each(busy, seconds, "s") \
  each(own, seconds, "s") each(main, seconds, "s") each(children, seconds, "s") \
  each(recorder, seconds, "s") each(throttled, seconds, "s") \
  each(cpus, number, "count") each(usable, number, "count") each(quota, seconds, "count") \
  each(memory, number, "byte") each(available, number, "byte") each(swap_used, number, "byte") \
  each(rss, number, "byte") each(threads, number, "count") each(pressure_cpu, seconds, "s") \
  each(pressure_memory, seconds, "s") each(pressure_io, seconds, "s") \
  each(disk_read, number, "byte") each(disk_written, number, "byte") \
  each(received, number, "byte") each(sent, number, "byte") each(collections, number, "count") \
  each(collecting, seconds, "s") each(beside, seconds, "s") each(beside_in, text, "") \
  each(lag, seconds, "s") each(longest_lag, seconds, "s") \
  each(ended, number, "count") each(bound_to_workers, number, "count") \
  each(bound_to_resources, number, "count")

/// What the client's thread was seen at.
#define CREMA_CLIENT_COLUMNS(each) \
  each(begin, moment, "s") each(call, call, "") each(looks, number, "count") \
  each(wall, seconds, "s") each(cpu, seconds, "s")

/// Workers of a Dask cluster that came or went.
#define CREMA_CHANGE_COLUMNS(each) \
  each(begin, moment, "s") each(worker, text, "") each(change, text, "") each(reason, text, "") \
  each(workers, number, "count")

#define CREMA_ENUMERATOR(name, kind, unit) name,
#define CREMA_DECLARATION(name, kind, unit) {#name, RecordedColumn::Kind::kind, unit},
#define CREMA_RECORDED(Column, COLUMNS) \
  enum class Column : std::uint8_t { COLUMNS(CREMA_ENUMERATOR) }; \
  template <> inline constexpr auto of<Column> = \
      std::to_array<RecordedColumn>({COLUMNS(CREMA_DECLARATION)});

CREMA_RECORDED(Task, CREMA_TASK_COLUMNS)
CREMA_RECORDED(Branch, CREMA_BRANCH_COLUMNS)
CREMA_RECORDED(Section, CREMA_SECTION_COLUMNS)
CREMA_RECORDED(Call, CREMA_CALL_COLUMNS)
CREMA_RECORDED(Sample, CREMA_SAMPLE_COLUMNS)
CREMA_RECORDED(Machine, CREMA_MACHINE_COLUMNS)
CREMA_RECORDED(Client, CREMA_CLIENT_COLUMNS)
CREMA_RECORDED(Change, CREMA_CHANGE_COLUMNS)
#undef CREMA_RECORDED
#undef CREMA_DECLARATION
#undef CREMA_ENUMERATOR
// clang-format on

}  // namespace recorded_columns

/// Dask's address of a worker, "client", else a name for its process that no other has.
std::string process_address(std::string_view worker, std::string_view host, double pid);

/// Whether it is Dask's address of a worker, which names a protocol.
inline bool is_dask_worker(std::string_view address) { return has_part(address, "://"); }

/// A whole number to the last digit; "nan" where it is absent.
std::string whole_text(double number);

/// The number of no row: "not recorded".
inline constexpr std::uint32_t no_row = 0xffffffffU;

/// Rows in columns. A column that was not recorded is empty; others have a value per row.
class RecordedRows {
 public:
  explicit RecordedRows(std::span<const RecordedColumn> declared)
      : declared_(declared), columns_(declared.size()) {}

  std::size_t size() const { return size_; }
  std::span<const RecordedColumn> declared() const { return declared_; }
  const std::vector<double>& column(std::size_t number) const { return columns_[number]; }
  std::vector<std::vector<double>>& columns() { return columns_; }
  /// All columns that are there are given so many rows.
  void resize(std::size_t rows);
  /// Adds the rows of another part. `first` are the rows of tasks, sections and calls before it,
  /// which its references count from.
  struct First {
    std::size_t task, section, call;
  };
  void append(const RecordedRows& part, const First& first);

 protected:
  std::span<const RecordedColumn> declared_;
  std::vector<std::vector<double>> columns_;
  std::size_t size_ = 0;
};

template <class Column>
class RecordedTable : public RecordedRows {
 public:
  RecordedTable() : RecordedRows(recorded_columns::of<Column>) {}

  double at(Column column, std::size_t row) const {
    const std::vector<double>& values = columns_[static_cast<std::size_t>(column)];
    return values.empty() ? absent : values[row];
  }
  StringId text(Column column, std::size_t row) const {
    const double id = at(column, row);
    return is_absent(id) ? no_string : static_cast<StringId>(id);
  }
  /// A row of another table; no_row where there is none.
  std::uint32_t row(Column column, std::size_t of) const {
    const double number = at(column, of);
    return is_absent(number) ? no_row : static_cast<std::uint32_t>(number);
  }
  /// The column, with a value per row from now on.
  std::vector<double>& of(Column column) {
    std::vector<double>& values = columns_[static_cast<std::size_t>(column)];
    values.resize(size_, absent);
    return values;
  }
};

/// What a call of an executor was given when it began: so many tasks of a kind and dataset.
struct PlannedTasks {
  double call = absent;
  StringId kind = no_string;  ///< "file", "chunk", …, as in the rows
  StringId dataset = no_string;
  double tasks = absent, events = absent;
  double compression = absent;  ///< LZ4's level, by which the executor packs results
};

/// What its index says of a recording.
struct RecordedIndex {
  double begin = absent;    ///< [epoch s] when the recording began
  double until = absent;    ///< [epoch s] when the index was written
  bool is_running = false;  ///< the recording has not ended; or its client was killed
  /// It is, and of a Dask cluster, which tells at the end when it had which cores: until then a
  /// worker has as many as it ran tasks at once, from its first task on.
  bool awaits_cluster = false;
  std::vector<PlannedTasks> planned;
};

/// What `crema.record` measures of tasks and machines while a run lasts, of all parts together. It
/// stays beside what else is known of the same tasks.
struct RecordedTables {
  RecordedTable<recorded_columns::Task> tasks;
  RecordedTable<recorded_columns::Branch> branches;
  RecordedTable<recorded_columns::Section> sections;
  RecordedTable<recorded_columns::Call> calls;
  RecordedTable<recorded_columns::Sample> samples;
  RecordedTable<recorded_columns::Machine> machine;
  RecordedTable<recorded_columns::Client> client;
  RecordedTable<recorded_columns::Change> changes;
  /// columns of `tasks` that nobody here knows, by key
  std::map<std::string, std::vector<double>> other;
  /// the chunk that each row of `tasks` ran (align::match_rows), `no_row` where none is known
  std::vector<std::uint32_t> chunk;
  /// the key in the task stream of each row of `tasks` (align::add_rows), no_string where it has
  /// none
  std::vector<StringId> key;
  RecordedIndex index;
  std::string source;  ///< the first part
  Teller teller = Teller::own;
  /// Whether the tasks may be anybody's.
  bool of_log() const { return teller != Teller::own; }

  /// Calls `visit` with each of the tables.
  template <class R, class Visit>
  static void each_table(R& recording, const Visit& visit) {
    const auto all = [&](auto&... tables) { (visit(tables), ...); };
    all(recording.tasks, recording.branches, recording.sections, recording.calls, recording.samples,
        recording.machine, recording.client, recording.changes);
  }
  void append(RecordedTables&& part);

  /// In which worker's tree a sample counts, no_string: in none; and which part of it, 0 … 1.
  struct Taken {
    StringId worker = no_string;
    double part = 1;
  };
  /// A call tree for each worker, of the seconds for which its tasks were seen in each call.
  std::vector<CallTree> trees(Names& names,
                              const std::function<Taken(std::size_t sample)>& taken) const;
};

}  // namespace crema
