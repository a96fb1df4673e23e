#pragma once

#include <string_view>
#include <vector>

#include "core/model/run.hpp"
#include "core/read/tools/line_reader.hpp"

namespace crema::read {

/// Rows of `recording.tasks` that the reader of a log writes, and what states tasks were in, in the
/// words of Dask's scheduler.
class Attempts {
  Run& run_;

 public:
  Attempts(Run& run, Teller teller, std::string_view source) : run_(run) {
    run.recording.source = source;
    run.recording.teller = run.task_states.teller = teller;
  }
  const StringId queued = text("queued"), processing = text("processing");

  StringId text(std::string_view text) { return run_.names->strings.intern(text); }

  /// The row that is being written.
  std::size_t row() const { return row_; }
  void next() { ++row_; }
  /// Sets a value of a row; what is absent, or an empty text, leaves it as it is.
  void set(recorded_columns::Task column, std::size_t row, double value) {
    if (is_absent(value)) return;
    std::vector<double>& values = run_.recording.tasks.columns()[static_cast<std::size_t>(column)];
    if (values.size() <= row) values.resize(row + 1, absent);
    values[row] = value;
  }
  void set(recorded_columns::Task column, std::size_t row, std::string_view value) {
    if (!value.empty()) set(column, row, static_cast<double>(text(value)));
  }
  template <class Value>
  void put(recorded_columns::Task column, const Value& value) {
    set(column, row_, value);
  }
  /// When the attempt ran; where a clock went back, how long it took is unknown.
  void put_time(double begin, double wall) {
    put(recorded_columns::Task::begin, begin);
    if (wall >= 0) put(recorded_columns::Task::wall, wall);
  }
  /// All rows are written.
  void finish() { run_.recording.tasks.resize(row_); }

  /// A task comes from `state` into the next, or into none; `worker` has it while it is processed.
  void enter(StringId& state, StringId next, StringId worker, double when) {
    if (state == next) return;
    for (const auto& [of, tasks] : {std::pair(state, -1.0), std::pair(next, 1.0)}) {
      if (of != no_string)
        run_.task_states.add(when, of, of == processing ? worker : no_string, tasks);
    }
    state = next;
  }

 private:
  std::size_t row_ = 0;
};

}  // namespace crema::read
