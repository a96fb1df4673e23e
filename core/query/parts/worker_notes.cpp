#include "core/query/parts/worker_notes.hpp"

#include "core/model/worker_selection.hpp"
#include "core/runtime/chunks/missing.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::query {

using namespace runtime;

void note_worker_series(Table& table, const Run& run, const Selection& selection) {
  if (!run.tracked) table.note("missing", missing::tracking);
  if (const std::string note = worker_series_note(selection); !note.empty())
    table.note("selection", note);
  table.note("window_end", run.window().end);
}

void note_time_mean(Table& table, const char* name, const Run& run, const Selection& selection,
                    std::size_t first, std::span<const double> values) {
  const Run::Window window = selected_window(run, selection);
  table.note(name, time_mean(run, first, values, window.begin, window.end));
}

}  // namespace crema::query
