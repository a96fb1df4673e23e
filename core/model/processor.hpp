#pragma once

#include "core/model/run.hpp"

namespace crema {

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
