// Rows of tasks that `crema.record` writes while a run lasts (docs/format.md): an index, and parts
// of `{format: "crema_tasks_v1", epoch, strings: [text, …], tasks: {column: [value, …], …},
// branches: {…}, sections: {…}, functions: {…}, calls: {…}, samples: {…}, machine: {…}}`. Which
// columns there are, core/model/recording.hpp declares; `align` makes chunks and tasks of them.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "core/base/text.hpp"
#include "core/read/list.hpp"
#include "core/read/tools/stack_profile.hpp"

namespace crema::read {

namespace {

/// The columns of a table as they are written; null is absent.
class ColumnTable {
 public:
  json::Node& node() { return columns_node_; }
  std::map<std::string, std::vector<double>, std::less<>> columns;

 private:
  struct Number : json::Value {
    using Value::Value;
    void null() override { number(absent); }
  };

  std::vector<double>* current_ = nullptr;
  Number number_{"a number", [this](double value) { current_->push_back(value); }};
  json::List column_{"a list of numbers", number_};
  json::Map columns_node_{"an object of columns", [this](std::string_view name) {
                            current_ = &columns[std::string(name)];
                            return &column_;
                          }};
};

class Part : public JsonDocument {
 public:
  Part(Run& run, const std::string& path) : JsonDocument(run, path) { run.recording.source = path; }
  json::Node& root() override { return part_; }

  void ended() override {
    RecordedTables& recording = run_.recording;
    std::size_t table = 0;
    RecordedTables::each_table(recording, [&](auto& rows) { take(tables_[table++], rows); });
    RecordedTables::each_table(recording, [&](auto& rows) { convert(rows); });
    for (auto& [key, column] : tables_[0].columns) {
      column.resize(recording.tasks.size(), absent);
      recording.other.emplace(key, std::move(column));
    }
    name_workers(recording.tasks);
    name_workers(recording.machine);
    name_frames(recording.calls);
  }

 private:
  /// Moves the columns that the table declares into it.
  static void take(ColumnTable& from, RecordedRows& into) {
    std::size_t rows = 0;
    for (const auto& [key, column] : from.columns) rows = std::max(rows, column.size());
    for (std::size_t i = 0; i < into.declared().size(); ++i) {
      const auto found = from.columns.find(into.declared()[i].key);
      if (found == from.columns.end()) continue;
      into.columns()[i] = std::move(found->second);
      from.columns.erase(found);
    }
    into.resize(rows);
  }

  void convert(RecordedRows& rows) const {
    for (std::size_t i = 0; i < rows.declared().size(); ++i) {
      for (double& value : rows.columns()[i]) value = in_memory(rows.declared()[i].kind, value);
    }
  }

  double in_memory(RecordedColumn::Kind kind, double value) const {
    using Kind = RecordedColumn::Kind;
    const auto index = [&](std::size_t size) {
      return value >= 0 && value < static_cast<double>(size) ? std::floor(value) : absent;
    };
    switch (kind) {
      case Kind::number: return value;
      case Kind::seconds: return value * 1e-6;
      case Kind::moment: return epoch_ + value * 1e-6;
      case Kind::text: {
        const double text = index(texts_.size());
        return is_absent(text) ? absent : texts_[static_cast<std::size_t>(text)];
      }
      case Kind::task: return index(run_.recording.tasks.size());
      case Kind::section: return index(run_.recording.sections.size());
      case Kind::call: return index(run_.recording.calls.size());
    }
    return absent;
  }

  template <class Column>
  void name_workers(RecordedTable<Column>& rows) {
    std::vector<double>& address = rows.of(Column::address);
    for (std::size_t i = 0; i < rows.size(); ++i)
      address[i] = run_.names->strings.intern(
          process_address(run_.text(rows.text(Column::worker, i)),
                          run_.text(rows.text(Column::host, i)), rows.at(Column::pid, i)));
  }

  /// Functions become frames of the run; a call of none is one of "root".
  void name_frames(RecordedTable<recorded_columns::Call>& calls) {
    Names& names = *run_.names;
    for (double& called : calls.of(recorded_columns::Call::called)) {
      const auto at = [&](const char* column) {
        const std::vector<double>& values = functions_.columns[column];
        return called >= 0 && called < static_cast<double>(values.size())
                   ? values[static_cast<std::size_t>(called)]
                   : absent;
      };
      const auto text = [&](const char* column) {
        const double id = in_memory(RecordedColumn::Kind::text, at(column));
        return is_absent(id) ? no_string : static_cast<StringId>(id);
      };
      const StringId name = text("name");
      called = frame_in(names, name == no_string ? "root" : names.strings[name],
                        names.strings[text("file")], as_line(at("first_line")));
    }
  }

  std::vector<StringId> texts_;
  double epoch_ = absent;
  std::array<ColumnTable, 8> tables_;  // in the order of RecordedTables::each_table
  ColumnTable functions_;

  json::Value text_{"a text", {}, [this](std::string_view text) {
                      texts_.push_back(run_.names->strings.intern(text));
                    }};
  json::List strings_{"a list of texts", text_};
  // What a system does not tell, and why.
  std::string untold_;
  json::Value reason_{"a reason", {}, [this](std::string_view why) {
                        run_.add_note("not-measured", Severity::low,
                                      untold_ + " was not measured: " + std::string(why),
                                      run_.recording.source);
                      }};
  json::Map absent_{"an object of reasons", [this](std::string_view columns) {
                      untold_ = columns;
                      return &reason_;
                    }};
  json::Object process_{"a process", {{"absent", absent_}}};
  json::List processes_{"a list of processes", process_};
  json::Object part_{"a part",
                     {{"epoch", epoch_},
                      {"strings", strings_},
                      {"tasks", tables_[0].node()},
                      {"branches", tables_[1].node()},
                      {"sections", tables_[2].node()},
                      {"calls", tables_[3].node()},
                      {"samples", tables_[4].node()},
                      {"machine", tables_[5].node()},
                      {"client", tables_[6].node()},
                      {"changes", tables_[7].node()},
                      {"functions", functions_.node()},
                      {"processes", processes_}}};
};

bool recognises_part(const Head& head) {
  return member_of(head.sample(), "format") == "crema_tasks_v1";
}

// --- tasks.json, the index

bool recognises_index(const Head& head) {
  return member_of(head.sample(), "format") == "crema_task_index_v1";
}

/// The threads of all workers over time: each from its first task to its last.
std::map<double, double> thread_changes(const nlohmann::json& workers) {
  std::map<double, double> changes;
  for (const nlohmann::json& worker : workers) {
    const double from = number_or_absent(worker, "begin");
    const double to = number_or_absent(worker, "end");
    const double threads = number_or_absent(worker, "threads");
    if (!(to > from) || !(threads > 0)) continue;
    changes[from] += threads;
    changes[to] -= threads;
  }
  return changes;
}

void read_index(Run& run, const std::string& path, const std::string& text) {
  const nlohmann::json document = parse_small(run, path, text);
  if (!document.is_object()) return;
  const double begin = number_or_absent(document, "begin");
  const double until = number_or_absent(document, "until");
  if (const double dropped = number_or_absent(document, "dropped"); dropped > 0)
    run.add_note("rows-dropped", Severity::high,
                 format_count(dropped, "task") + " left no row, because they could not be written",
                 path);
  RecordedIndex& index = run.recording.index;
  index.begin = begin;
  index.until = until;
  index.is_running = text_of(member_of(document, "state")) == "running";
  StringPool& strings = run.names->strings;
  for (const nlohmann::json& one : member_of(document, "planned")) {
    const std::string dataset = text_of(member_of(one, "dataset"));
    index.planned.push_back(
        {number_or_absent(one, "call"), strings.intern(text_of(member_of(one, "kind"))),
         dataset.empty() ? no_string : strings.intern(dataset), number_or_absent(one, "tasks"),
         number_or_absent(one, "events"), number_or_absent(one, "compression")});
  }
  if (index.is_running) {
    run.add_note("incomplete", Severity::medium,
                 "the recording did not end: it still runs, or its client was killed; tasks of the "
                 "last two seconds may be missing",
                 path);
    // Of one that has ended they are in config.json.
    for (const nlohmann::json& note : member_of(document, "notes"))
      if (note.is_string())
        run.add_note("recorder", Severity::low, "the recorder: " + note.get<std::string>(), path);
    if (until > begin) {
      run.elapsed = until - begin;
      run.elapsed_source = path;
    }
  }
  const bool of_cluster = member_of(document, "cluster") == true;
  index.awaits_cluster = of_cluster && index.is_running;
  if (of_cluster != index.awaits_cluster || !(until > begin)) return;  // Dask knows better
  const nlohmann::json& workers = member_of(document, "workers");
  for (const nlohmann::json& worker : workers) {
    const std::string address =
        process_address(text_of(member_of(worker, "worker")), text_of(member_of(worker, "host")),
                        number_or_absent(worker, "pid"));
    const std::size_t number = run.workers.intern(run.names->strings.intern(address));
    run.workers.nthreads[number] = number_or_absent(worker, "threads");
  }
  // Threads that are not recorded are not 0.
  if (auto changes = thread_changes(workers); !changes.empty())
    run.spans.push_back(span_of_changes("crema", std::move(changes), begin, until, path));
}

}  // namespace

const Format recorded_tasks_format{recorded_tasks_about, recognises_part, open_reader<Part>};
const Format task_index_format{task_index_about, recognises_index, open_whole<read_index>};

}  // namespace crema::read
