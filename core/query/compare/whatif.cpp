// Question `whatif`: what a run would have taken on another cluster, with chunks of another size,
// in another order, with a part of it faster. The run as it was comes first: how far its replay is
// from what happened is the error that stands beside every prediction.
#include "core/base/order.hpp"
#include "core/compare/speed_ratio.hpp"
#include "core/predict/chunk_size.hpp"
#include "core/predict/prediction.hpp"
#include "core/predict/replay.hpp"
#include "core/query/question.hpp"
#include "core/report/answer_text.hpp"
#include "core/runtime/chunks.hpp"

namespace crema::query::whatif {

constexpr Option cores_option = text_option(
    "cores", "numbers of cores, separated by commas; default: half, twice and four times as many");
constexpr Option workers_option =
    text_option("workers", "workers x threads, separated by commas: 8x1,4x2");
constexpr Option chunk_events_option =
    text_option("chunk_events", "events per chunk, separated by commas");
constexpr Option part_option =
    text_option("part",
                "a part of the work: section:NAME, dataset:NAME, file:NAME, host:NAME, "
                "throughput:HOST, function:NAME, outside, merging or waiting");
constexpr Option times_option = number_option(
    "times", "how many times as fast that part would be; below 1 slower", "2", {1e-3, 1e6}, "1");

constexpr double sizes[] = {0.5, 2, 4};  // of chunks, in present ones

static std::vector<double> numbers_of(const Options& options, const Option& option, double most) {
  std::vector<double> numbers;
  const std::string text = options.text(option);
  for (const std::string_view one : split(text, ",")) {
    const double value = parse_number(one);
    if (!(value >= 1 && value <= most))
      throw Failure(ErrorCode::bad_option,
                    std::string(option.name) + " is not a list of numbers from 1 on: " + text);
    numbers.push_back(std::round(value));
  }
  return numbers;
}

/// A cluster that is asked for, and what it is called.
using Named = std::pair<std::string, Cluster>;

static std::vector<Named> wanted_clusters(const Options& options, double now) {
  std::vector<Named> wanted;
  const auto add = [&](double cores) {
    wanted.push_back({format_count(cores, "core"), {.cores = cores}});
  };
  for (const double cores : numbers_of(options, cores_option, most_cores)) add(cores);
  const std::string text = options.text(workers_option);
  for (const std::string_view one : split(text, ",")) {
    const std::size_t cross = std::min(one.find('x'), one.size());
    const double workers = parse_number(one.substr(0, cross));
    const double threads = cross < one.size() ? parse_number(one.substr(cross + 1)) : 1;
    if (!(workers >= 1 && threads >= 1 && workers * threads <= most_cores))
      throw Failure(ErrorCode::bad_option, "workers is not a list such as 8x1,4x2: " + text);
    wanted.push_back({format_count(workers, "worker") + " x " + format_count(threads, "thread"),
                      {.cores = std::round(workers * threads), .per_worker = threads}});
  }
  if (!wanted.empty() || options.has(part_option) || options.has(chunk_events_option))
    return wanted;
  // half of one core is none
  if (now >= 2) add(std::round(now / 2));
  add(2 * now);
  add(4 * now);
  return wanted;
}

/// A cluster, or a change of the work, and what the run would have taken.
struct Scenario {
  std::string name;
  double cores, chunk_events;
  Prediction predicted{};                   // [s]
  std::string assumed{}, seen{}, unseen{};  // what it stands on, and what it cannot know
  std::string note{};
  double measured = absent;  ///< [s] by a run of the same work of that size

  /// Nobody can plan with it: it is wide, and holds what happened [s].
  bool is_vague(double happened) const {
    return !is_narrow(predicted.low, predicted.high) && predicted.low < happened &&
           happened < predicted.high;
  }
};

/// What happened, and how far the replay of it is off.
struct Recorded {
  double elapsed;  ///< [s]
  double error;
};

/// The chunks of a file one after the other, files as they first came.
static std::vector<double> by_file(const Run& run, const ReplayTrace& trace,
                                   std::vector<double> tasks) {
  const ChunkGroups& files = chunk_groups(run, ChunkKey::file);
  std::vector<std::size_t> first(files.size(), tasks.size());
  std::vector<std::size_t> place(tasks.size());
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    std::size_t& of_file = first[files.of[trace.order[k]]];
    of_file = std::min(of_file, k);
    place[k] = k;
  }
  sort_stably(place, [&](std::size_t a, std::size_t b) {
    return first[files.of[trace.order[a]]] < first[files.of[trace.order[b]]];
  });
  std::vector<double> ordered;
  for (const std::size_t k : place) ordered.push_back(tasks[k]);
  return ordered;
}

/// The run as it was, and what could have been otherwise.
struct Asked {
  std::span<const Run* const> runs;
  const Options& options;
  const Run& run = *runs[0];
  const ReplayTrace& trace = replay_trace_of(run, options);
  double now = std::round(load_of(run, options).cores);
  double error = replay_error(run, options);
  double events = median_of(run.chunks.events);
  std::vector<Scenario> scenarios{};

  std::string missing() const {
    if (trace.order.empty()) return notes::no_chunks.text;
    if (!(now >= 1 && now <= most_cores) || trace.slots.empty())
      return fill(no_number_of_cores, {notes::no_tracking.text});
    return is_absent(trace.elapsed) ? length_not_recorded : "";
  }
  Recorded recorded() const { return {trace.elapsed, error}; }

  std::vector<Scenario> all() {
    add_as_it_was();
    for (const Named& cluster : wanted_clusters(options, now)) add_cluster(cluster);
    if (options.has(part_option)) add_part();
    add_sizes();
    add_replays();
    return std::move(scenarios);
  }

  bool is_good() const { return std::fabs(error) <= worst_replay; }

  /// What is said beside it: where the recording cannot tell, why. A replay that is too far off
  /// says nothing.
  void put(Scenario scenario) {
    if (!is_good()) {
      scenario.predicted = {};
      scenario.assumed = scenario.seen = scenario.unseen = {};
      scenario.note = withheld_text(error);
    } else if (is_absent(scenario.predicted.likely)) {
      scenario.note = sentence({"unknown: ", scenario.unseen});
    }
    scenarios.push_back(std::move(scenario));
  }

  Scenario scenario_of(std::string_view name, double cores, const Prediction& predicted) const {
    return {.name = std::string(name),
            .cores = cores,
            .chunk_events = events,
            .predicted = predicted,
            .assumed = assumed_text(predicted.basis),
            .seen = seen_text(predicted.basis),
            .unseen = unseen_text(predicted.basis)};
  }

  void add_as_it_was() {
    Prediction predicted;
    // What was measured, and not its replay: changes are differences of two replays added to it.
    predicted.likely = predicted.low = predicted.high = predicted.ideal = predicted.contended =
        trace.elapsed;
    Scenario scenario = scenario_of(scenarios::as_recorded.name, now, predicted);
    scenario.assumed = nothing_assumed;
    scenario.seen = trace.exact ? seen_in_stream : seen_in_chunks;
    const double off = std::fabs(error);
    scenario.note = trace.repeated > 0
                        ? fill(scenarios::as_recorded_repeated.note, {off, trace.repeated})
                        : fill(scenarios::as_recorded.note, {off});
    scenarios.push_back(std::move(scenario));
  }

  void add_cluster(const Named& named) {
    const auto& [name, cluster] = named;
    Scenario scenario = scenario_of(name, cluster.cores, predict_cluster(runs, options, cluster));
    scenario.note = scenario.assumed;
    put(std::move(scenario));
    for (const Run* other : runs) {
      const Load& load = load_of(*other, options);
      if (std::round(load.cores) != cluster.cores ||
          value_or(cluster.per_worker, load.per_worker) != load.per_worker)
        continue;
      if (what_differs(run, *other, options).any()) continue;
      scenarios.back().measured = replay_trace_of(*other, options).elapsed;
    }
  }

  void add_part() {
    const std::string text = options.text(part_option);
    const double times = options.number(times_option);
    const Prediction predicted =
        predict_part(run, options, part_named(run, options, text), 1 / times);
    Scenario scenario =
        scenario_of(fill(scenarios::faster_part.name, {text, times}), now, predicted);
    scenario.note = scenario.assumed;
    put(std::move(scenario));
  }

  void add_sizes() {
    const ChunkSizeModel model = chunk_size_model(run, ChunkSelection(run, {}), true, options);
    if (!model.timed()) return;
    const auto add = [&](std::string_view name, double size) {
      const Prediction predicted = model.at(model.cut_at(size));
      Scenario scenario = scenario_of(name, now, predicted);
      scenario.chunk_events = size;
      scenario.assumed = scenario.note = scenarios::chunks_of_size.note;
      scenario.seen = fill(seen_of_sizes, {model.fitted});
      scenario.unseen = model.fitted < 1 ? fixed_cost_text(model)
                                         : fill(outside_unseen, {1 - model.outside_fixed});
      if (is_absent(predicted.likely)) scenario.unseen += fill(size_would_settle, {size});
      put(std::move(scenario));
    };
    for (const double size : sizes) {
      add(size < 1 ? scenarios::half_chunks.name
                   : fill(scenarios::larger_chunks.name,
                          {size == 2 ? "twice" : format_number(size) + " times"}),
          model.median_events * size);
    }
    for (const double size : numbers_of(options, chunk_events_option, 1e15))
      add(fill(scenarios::chunks_of_size.name, {size}), size);
  }

  /// On the recorded cluster.
  void add_replay(const ScenarioText& text, const ReplayTrace& changed, std::vector<double> tasks,
                  std::initializer_list<FillValue> values = {}) {
    put_replay(text, elapsed_after(run, options, on_recorded_cluster(changed, std::move(tasks))),
               values);
  }

  void put_replay(const ScenarioText& text, double elapsed,
                  std::initializer_list<FillValue> values = {}) {
    Prediction predicted = predict_replayed(run, options, elapsed, {elapsed});
    Scenario scenario = scenario_of(text.name, now, predicted);
    scenario.note = fill(text.note, values);
    put(std::move(scenario));
  }

  void add_replays() {
    const std::vector<double> tasks = tasks_of(trace, trace.inside, trace.outside);
    const Tail tail = find_tail(run, ChunkSelection(run, {}), options);
    put_replay(
        scenarios::longest_first,
        trace.elapsed - std::max(0.0, value_or(tail.actual_makespan - tail.ideal_makespan, 0)));
    add_replay(scenarios::by_file, trace, by_file(run, trace, tasks));
    const std::vector<double>& flags = outliers(run);
    const std::vector<double>& expected = expected_durations(run);
    std::vector<double> tamed = trace.inside;
    double stragglers = 0;
    for (std::size_t i = 0; i < tamed.size(); ++i) {
      if (flags[i] != 1) continue;
      tamed[i] = std::min(tamed[i], expected[i]);
      stragglers += 1;
    }
    if (stragglers > 0)
      add_replay(scenarios::no_stragglers, trace, tasks_of(trace, tamed, trace.outside),
                 {stragglers});
    add_replay(scenarios::half_outside, trace, tasks_of(trace, trace.inside, trace.outside / 2),
               {trace.outside});
    ReplayTrace once = trace;
    once.repeated = 0;
    if (trace.repeated > 0) add_replay(scenarios::nothing_twice, once, tasks, {trace.repeated});
    double lost = 0;
    for (Slot& slot : once.slots) lost += std::exchange(slot.until, Slot{}.until) < Slot{}.until;
    if (lost > 0) add_replay(scenarios::none_lost, once, tasks, {lost});
    ReplayTrace sooner = trace;
    for (Slot& slot : sooner.slots) slot.from = 0;
    add_replay(scenarios::all_at_start, sooner, tasks);
    WorkPart waiting = part_named(run, options, "waiting");
    Prediction predicted = predict_part(run, options, waiting, 0);
    if (is_absent(predicted.ideal)) return;
    // All of it storage's, or none.
    predicted = predict_replayed(run, options, absent, {predicted.ideal, trace.elapsed});
    Scenario scenario = scenario_of(scenarios::no_storage_waiting.name, now, predicted);
    scenario.assumed = nothing_waited_for;
    scenario.unseen = scenario.note = scenarios::no_storage_waiting.note;
    put(std::move(scenario));
  }
};

const Columns<Scenario, Recorded> columns = {
    {"scenario", &Scenario::name},
    {"cores", "count", &Scenario::cores},
    {"chunk_events", "count", &Scenario::chunk_events, "median events per chunk"},
    {"elapsed", "s", [](const Scenario& s) { return s.predicted.likely; },
     "recorded elapsed + the difference of two replays; missing where the recording does not "
     "determine it"},
    {"elapsed_low", "s", [](const Scenario& s) { return s.predicted.low; },
     "no shared resource is at its limit; minus the spread of recordings of the same work"},
    {"elapsed_high", "s", [](const Scenario& s) { return s.predicted.high; },
     "no shared resource gives more than was seen; plus the spread of recordings of the same work"},
    {"vague", as_flag,
     [](const Scenario& s, const Recorded& now) { return s.is_vague(now.elapsed); },
     "further than 30 % from its middle, and both faster and slower than recorded: nobody can plan "
     "with it"},
    {"ideal", "s", [](const Scenario& s) { return s.predicted.ideal; },
     "tasks take as long as recorded"},
    {"contended", "s", [](const Scenario& s) { return s.predicted.contended; },
     "cores and storage give no more than was seen (closed queueing network)"},
    {"measured", "s", &Scenario::measured,
     "elapsed of another run of the same work on the same number of cores"},
    {"calibration_error", "1", [](const Scenario&, const Recorded& now) { return now.error; },
     "replayed elapsed / recorded elapsed − 1, with nothing changed"},
    {"note", &Scenario::note},
    {"assumed", &Scenario::assumed},
    {"seen", &Scenario::seen},
    {"unseen", &Scenario::unseen},
};

static Table answer(std::span<const Run* const> runs, const Selection& selection,
                    const Options& options) {
  Asked asked{runs, options};
  const std::string missing = asked.missing();
  Table table =
      columns.table(missing.empty() ? asked.all() : std::vector<Scenario>{}, asked.recorded());
  if (!selection.empty()) say(table, notes::prediction_is_whole);
  if (!missing.empty()) table.note("missing", missing);
  return table;
}

extern const Question question(
    "whatif",
    "how long the first run would have taken with one thing changed; further runs of the same "
    "work show how tasks slow each other down",
    columns, answer,
    {.options = {&runtime::processor_option, &cores_option, &workers_option, &chunk_events_option,
                 &part_option, &times_option, &run_spread_option},
     .run_count = {1, any_number}});

}  // namespace crema::query::whatif
