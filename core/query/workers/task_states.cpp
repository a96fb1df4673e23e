// How many tasks the scheduler had in each state over time. It shows whether cores were idle
// because no task was ready or because none was assigned.
#include <algorithm>

#include "core/model/worker_selection.hpp"
#include "core/query/parts/time_bins_option.hpp"
#include "core/query/question.hpp"
#include "core/runtime/cluster.hpp"
#include "core/table/rows.hpp"

namespace crema::query::task_states {

namespace {

using runtime::TimeBins;

constexpr Option bins_option = time_bins_option();

struct State {
  StringId name;
  double now = 0, most = 0, entered = 0;
  double since = 0;  // [s] up to when `now` is counted into `mean`
  std::vector<double> mean;
};

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const TaskStates& changes = run.task_states;
  const Run::Window window = selected_window(run, selection);
  const TimeBins bins{window.begin, window.end,
                      static_cast<std::size_t>(options.number(bins_option))};
  std::vector<State> states;
  const auto count_until = [&](State& state, double t) {
    bins.each_overlap(state.since, t, [&](std::size_t bin, double seconds) {
      state.mean[bin] += state.now * seconds / bins.width();
    });
    if (!selection.time || (t > bins.begin && state.since < bins.end))
      state.most = std::max(state.most, state.now);
    state.since = t;
  };
  for (std::size_t i = 0; i < changes.t.size() && bins.end > bins.begin; ++i) {
    auto state = std::find_if(states.begin(), states.end(),
                              [&](const State& s) { return s.name == changes.state[i]; });
    if (state == states.end()) {
      states.push_back({.name = changes.state[i], .since = changes.t[i], .mean = {}});
      state = states.end() - 1;
      state->mean.resize(bins.count, 0);
    }
    const double t = changes.t[i];
    count_until(*state, t);
    state->now += changes.tasks[i];
    // Without a selected time all changes count: the last ones may come after the end of the run.
    if (changes.tasks[i] > 0 && (!selection.time || (t >= bins.begin && t < bins.end)))
      state->entered += changes.tasks[i];
  }
  for (State& state : states) count_until(state, bins.end);

  Table table;
  std::vector<double> mean;
  for (const State& state : states) mean.insert(mean.end(), state.mean.begin(), state.mean.end());
  Rows rows(table, states);
  rows.text("state", [&](const State& state) { return run.text(state.name); });
  rows.number("entered", "count", &State::entered, "tasks that entered the state");
  rows.number("most", "count", &State::most, "at once");
  rows.matrix("tasks", "count", bins.count, std::move(mean), "mean number in the bin");
  table.note("t0", bins.begin);
  table.note("t1", bins.end);
  if (changes.t.empty())
    table.note("missing", "the tasks' states were not recorded; crema.record keeps them");
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "task_states",
    .about = "how many tasks the scheduler had in each state, over time",
    .options = {&bins_option},
    .narrowed_by = Selection::by_time,
    .function = answer,
};

}  // namespace crema::query::task_states
