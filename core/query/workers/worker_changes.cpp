// Workers that came and went: `worker_changes`.
#include "core/query/question.hpp"

namespace crema::query::worker_changes {

using recorded_columns::Change;

template <Change of>
constexpr auto text = [](std::size_t i, const Run* const& run) {
  return run->text(run->recording.changes.text(of, i));
};
template <Change of>
constexpr auto number =
    [](std::size_t i, const Run* const& run) { return run->recording.changes.at(of, i); };

const Columns<std::size_t, const Run*> columns = {
    {"t", "s", number<Change::begin>},
    {"worker", text<Change::worker>},
    {"change", text<Change::change>},
    {"reason", text<Change::reason>},
    {"workers", "count", number<Change::workers>, "that there are since"},
};

static Table answer(std::span<const Run* const> runs, const Selection&, const Options&) {
  const Run& run = *runs[0];
  Table table = columns.table(run.recording.changes.size(), &run);
  if (run.recording.changes.size() == 0) say(table, notes::no_worker_changes);
  return table;
}

extern const Question question{
    .name = "worker_changes",
    .about = "each worker that came or went: when, and why, as Dask or a manager's log says",
    .columns = &columns,
    .function = answer,
};

}  // namespace crema::query::worker_changes
