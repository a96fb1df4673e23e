// The tasks of the task stream: `tasks`, how many there were: `task_prefixes`, and in which states
// the scheduler had them: `task_states`.
#include <algorithm>

#include "core/base/order.hpp"
#include "core/query/question.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::query::tasks {

/// Lane of each record: one per thread of each worker, workers in order of first sight, their
/// threads by their first task.
static std::vector<double> thread_lanes(const Run& run) {
  const Tasks& t = run.tasks;
  using Thread = std::pair<StringId, double>;
  const auto thread_of = [&](std::size_t i) {
    return Thread{t.worker[i], value_or(t.thread[i], -1)};
  };
  std::map<Thread, double> first_start;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const auto [known, is_new] = first_start.try_emplace(thread_of(i), t.t0[i]);
    if (!is_new && t.t0[i] < known->second) known->second = t.t0[i];
  }
  std::vector<std::tuple<std::size_t, double, Thread>> order;
  order.reserve(first_start.size());
  for (const auto& [thread, start] : first_start)
    order.emplace_back(run.workers.find(thread.first), start, thread);
  sort_stably(order, std::less<>());
  std::map<Thread, double> lane_of;
  for (const auto& entry : order)
    lane_of.emplace(std::get<2>(entry), static_cast<double>(lane_of.size()));
  std::vector<double> lanes(t.size());
  for (std::size_t i = 0; i < t.size(); ++i) lanes[i] = lane_of.at(thread_of(i));
  return lanes;
}

/// Of the chunk that each task ran; no_string where none is known.
static std::vector<StringId> datasets_of(const Run& run) {
  const Chunks& c = run.chunks;
  std::vector<StringId> datasets(run.tasks.size(), no_string);
  for (std::size_t i = 0; i < c.task.size(); ++i)
    if (c.task[i] < datasets.size()) datasets[c.task[i]] = c.dataset[i];
  return datasets;
}

/// Kept, as a worker that is chosen asks for them again.
struct ThreadLanes : Once<std::vector<double>> {};

struct Of {
  const Run& run;
  const Tasks& t;
  const std::vector<double>& lanes;
  std::vector<StringId> datasets;
  std::vector<bool> lost;
};

const Columns<std::size_t, Of> columns = {
    {"key", [](std::size_t i, const Of& of) { return of.run.text(of.t.key[i]); }},
    {"prefix", [](std::size_t i, const Of& of) { return of.run.text(of.t.prefix[i]); }},
    {"worker", [](std::size_t i, const Of& of) { return of.run.text(of.t.worker[i]); }},
    {"thread", "", [](std::size_t i, const Of& of) { return of.t.thread[i]; }},
    {"action", [](std::size_t i, const Of& of) { return of.run.text(of.t.action[i]); }},
    {"t0", "s", [](std::size_t i, const Of& of) { return of.t.t0[i]; }},
    {"t1", "s", [](std::size_t i, const Of& of) { return of.t.t1[i]; }},
    {"duration", "s", [](std::size_t i, const Of& of) { return of.t.t1[i] - of.t.t0[i]; },
     "t1 − t0"},
    {"nbytes", "byte", [](std::size_t i, const Of& of) { return of.t.nbytes[i]; },
     "size of the task's result"},
    {"status", [](std::size_t i, const Of& of) { return of.run.text(of.t.status[i]); }},
    // what a failed task raised
    {"exception", [](std::size_t i, const Of& of) { return of.run.text(of.t.exception[i]); }},
    {"lane", "count", [](std::size_t i, const Of& of) { return of.lanes[i]; },
     "one per thread of each worker, as recorded"},
    {"lost", as_flag, [](std::size_t i, const Of& of) { return bool(of.lost[i]); },
     "the processor computed the same key again later: this result was lost"},
    // of the chunk that it ran; a chunk's record comes with its result, and is lost with it
    {"dataset", [](std::size_t i,
                   const Of& of) { return of.run.text(of.lost[i] ? no_string : of.datasets[i]); }},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const Tasks& t = run.tasks;
  const WorkerSelection chosen(run, selection);
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (selection.time && (t.t1[i] < selection.time->begin || t.t0[i] > selection.time->end))
      continue;
    if (!chosen.all && !chosen.holds(run, t.worker[i])) continue;
    if (leaves(selection.prefixes, run.text(t.prefix[i]))) shown.push_back(i);
  }
  // Of the whole run: the computation that replaced a lost one may be on another worker.
  std::vector<bool> lost(t.size());
  for (const std::size_t i :
       runtime::superseded_executions(run, find_processor(run, options).prefix))
    lost[i] = true;
  const std::vector<double>& lanes =
      run.facts.of<ThreadLanes>().of([&] { return thread_lanes(run); });
  Table table = columns.table(shown, {run, t, lanes, datasets_of(run), std::move(lost)});
  if (t.size() == 0) say(table, notes::no_task_stream);
  if (selection.uses(Selection::of_chunks)) say(table, notes::tasks_have_no_dataset);
  return table;
}

extern const Question question("tasks", "each task of the task stream", columns, answer,
                               {.options = {&runtime::processor_option},
                                .narrowed_by = worker_dimensions | Selection::by_prefix});

}  // namespace crema::query::tasks

namespace crema::query::task_prefixes {

struct Prefix {
  std::string_view name;
  double tasks, seconds;
};

const Columns<Prefix> columns = {
    {"prefix", &Prefix::name},
    {"tasks", "count", &Prefix::tasks, "executions, with those done again"},
    {"seconds_per_task", "s", [](const Prefix& p) { return ratio(p.seconds, p.tasks); },
     "execute seconds / tasks; without fine metrics, mean compute time"},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const StringId processor = find_processor(run, options).prefix;
  const TaskCounts counts = count_tasks(run, processor);
  std::map<std::string_view, TaskCounts::Executed> by_name;
  for (const auto& [id, of] : counts.executed) by_name[run.text(id)] = of;
  std::map<std::string_view, double> seconds;
  for (const TaskTime& time : task_times(run)) seconds[run.text(time.prefix)] = time.all;
  std::vector<Prefix> shown;
  for (const auto& [name, of] : by_name) {
    if (!leaves(selection.prefixes, name)) continue;
    const double* const executed = found_in(seconds, name);
    shown.push_back({name, of.tasks, executed == nullptr ? of.seconds : *executed});
  }
  Table table = columns.table(shown);
  if (counts.executed.empty()) {
    say(table, notes::no_task_counts);
  } else if (counts.stream_cut) {
    say(table, notes::counted_of_cut_stream);
  } else {
    say(table, run.tasks.size() > 0 ? notes::counted_in_stream : notes::counted_in_memory);
  }
  return table;
}

extern const Question question("task_prefixes", "how many tasks each prefix had, and what one took",
                               columns, answer,
                               {.options = {&runtime::processor_option},
                                .narrowed_by = Selection::by_prefix});

}  // namespace crema::query::task_prefixes

// Whether cores were idle because no task was ready or because none was assigned.
namespace crema::query::task_states {

constexpr Option bins_option = time_bins_option();

struct State {
  StringId name;
  double now = 0, most = 0, entered = 0;
  double since = 0;  // [s] up to when `now` is counted into `mean`
  std::vector<double> mean;
};

const Columns<State, Run> columns = {
    {"state", [](const State& state, const Run& run) { return run.text(state.name); }},
    {"entered", "count", &State::entered, "tasks that entered the state"},
    {"most", "count", &State::most, "at once"},
    {"tasks", "count", &State::mean, "mean number in the bin"},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
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
    State* state = first_where(states, [&](const State& s) { return s.name == changes.state[i]; });
    if (state == nullptr)
      state = &states.emplace_back(State{.name = changes.state[i],
                                         .since = changes.t[i],
                                         .mean = std::vector<double>(bins.count, 0)});
    const double t = changes.t[i];
    count_until(*state, t);
    state->now += changes.tasks[i];
    // Without a selected time all changes count: the last ones may come after the end of the run.
    if (changes.tasks[i] > 0 && (!selection.time || (t >= bins.begin && t < bins.end)))
      state->entered += changes.tasks[i];
  }
  for (State& state : states) count_until(state, bins.end);

  Table table = columns.table(states, run, {.width = bins.count});
  table.note("t0", bins.begin);
  table.note("t1", bins.end);
  if (changes.t.empty()) say(table, notes::no_task_states);
  return table;
}

extern const Question question("task_states",
                               "how many tasks the scheduler had in each state, over time", columns,
                               answer,
                               {.options = {&bins_option}, .narrowed_by = Selection::by_time});

}  // namespace crema::query::task_states
