// Question `whatif`: what a run would have taken on another cluster, with chunks of another size,
// in another order, with a part of it faster. The run as it was comes first: how far its replay is
// from what happened is the error that stands beside every prediction.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/base/elementary.hpp"
#include "core/base/error.hpp"
#include "core/base/number_format.hpp"
#include "core/base/order.hpp"
#include "core/base/text.hpp"
#include "core/compare/speed_ratio.hpp"
#include "core/predict/chunk_size_model.hpp"
#include "core/predict/prediction.hpp"
#include "core/predict/tail.hpp"
#include "core/query/question.hpp"
#include "core/report/prediction_text.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/chunks/missing.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::query::whatif {

constexpr Option cores_option{
    .name = "cores",
    .about = "numbers of cores, separated by commas; default: half, twice and four times as many"};
constexpr Option workers_option{.name = "workers",
                                .about = "workers x threads, separated by commas: 8x1,4x2"};
constexpr Option chunk_events_option{.name = "chunk_events",
                                     .about = "events per chunk, separated by commas"};
constexpr Option part_option{.name = "part",
                             .about =
                                 "a part of the work: section:NAME, dataset:NAME, file:NAME, "
                                 "host:NAME, throughput:HOST, function:NAME, outside, merging or "
                                 "waiting"};
constexpr Option times_option{.name = "times",
                              .type = Option::Type::number,
                              .about = "how many times as fast that part would be; below 1 slower",
                              .fallback = "2",
                              .unit = "1",
                              .least = 1e-3,
                              .most = 1e6};

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

/// A cluster that is asked for.
struct Cluster {
  std::string name;
  double cores;
  double threads = absent;  ///< per worker
};

static std::vector<Cluster> wanted_clusters(const Options& options, double now) {
  std::vector<Cluster> wanted;
  const auto add = [&](double cores) {
    wanted.push_back({.name = format_count(cores, "core"), .cores = cores});
  };
  for (const double cores : numbers_of(options, cores_option, most_cores)) add(cores);
  const std::string text = options.text(workers_option);
  for (const std::string_view one : split(text, ",")) {
    const std::size_t cross = std::min(one.find('x'), one.size());
    const double workers = parse_number(one.substr(0, cross));
    const double threads = cross < one.size() ? parse_number(one.substr(cross + 1)) : 1;
    if (!(workers >= 1 && threads >= 1 && workers * threads <= most_cores))
      throw Failure(ErrorCode::bad_option, "workers is not a list such as 8x1,4x2: " + text);
    wanted.push_back(
        {.name = format_count(workers, "worker") + " x " + format_count(threads, "thread"),
         .cores = std::round(workers * threads),
         .threads = threads});
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
  Prediction told{};                        // [s]
  std::string assumed{}, seen{}, unseen{};  // what it stands on, and what it cannot know
  std::string note{};
  double measured = absent;  ///< [s] by a run of the same work of that size
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
class Scenarios {
 public:
  Scenarios(std::span<const Run* const> runs, const Options& options)
      : runs_(runs),
        run_(*runs[0]),
        options_(options),
        trace_(replay_trace_of(run_, options)),
        now_(std::round(load_of(run_, options).cores)),
        error_(replay_error(run_, options)) {}

  std::string missing() const {
    if (trace_.order.empty()) return missing::chunks;
    if (!(now_ >= 1 && now_ <= most_cores) || trace_.slots.empty())
      return std::string("the number of cores is not known: ") + missing::tracking;
    return is_absent(trace_.elapsed) ? "the run's length was not recorded" : "";
  }
  double error() const { return error_; }

  std::vector<Scenario> all() {
    events_ = median_of(run_.chunks.events);
    add_as_it_was();
    for (const Cluster& cluster : wanted_clusters(options_, now_)) add_cluster(cluster);
    if (options_.has(part_option)) add_part();
    add_sizes();
    add_replays();
    return std::move(scenarios_);
  }

 private:
  bool is_good() const { return std::fabs(error_) <= worst_replay; }

  /// What is said beside it: where the recording cannot tell, why. A replay that is too far off
  /// says nothing.
  void put(Scenario scenario) {
    if (!is_good()) {
      scenario.told = {};
      scenario.assumed = scenario.seen = scenario.unseen = {};
      scenario.note = withheld_text(error_);
    } else if (is_absent(scenario.told.likely)) {
      scenario.note = sentence({"unknown: ", scenario.unseen});
    }
    scenarios_.push_back(std::move(scenario));
  }

  Scenario scenario_of(std::string_view name, double cores, const Prediction& told) const {
    return {.name = std::string(name),
            .cores = cores,
            .chunk_events = events_,
            .told = told,
            .assumed = assumed_text(told.basis),
            .seen = seen_text(told.basis),
            .unseen = unseen_text(told.basis)};
  }

  void add_as_it_was() {
    Prediction told;
    // What was measured, and not its replay: changes are differences of two replays added to it.
    told.likely = told.low = told.high = told.ideal = told.contended = trace_.elapsed;
    Scenario scenario = scenario_of("as recorded", now_, told);
    scenario.assumed = "nothing";
    scenario.seen = trace_.exact ? "each task and gap, from the task stream"
                                 : "each chunk; the time outside chunks on average";
    scenario.note =
        sentence({"measured; a replay of it is off by ", format_percent(std::fabs(error_))});
    if (trace_.repeated > 0)
      scenario.note +=
          sentence({", with ", format_count(trace_.repeated, "execution"), " done again"});
    scenarios_.push_back(std::move(scenario));
  }

  void add_cluster(const Cluster& cluster) {
    Scenario scenario =
        scenario_of(cluster.name, cluster.cores, predict_cores(runs_, options_, cluster.cores));
    if (cluster.threads > 1) {
      scenario.assumed += "; threads of one worker compute at once as processes do";
      scenario.unseen += sentence(
          {scenario.unseen.empty() ? "" : "; ", "how long they hold the interpreter's lock"});
    }
    scenario.note = scenario.assumed;
    put(std::move(scenario));
    for (const Run* run : runs_) {
      if (std::round(load_of(*run, options_).cores) != cluster.cores) continue;
      if (what_differs(run_, *run, options_).any()) continue;
      scenarios_.back().measured = replay_trace_of(*run, options_).elapsed;
    }
  }

  void add_part() {
    const std::string text = options_.text(part_option);
    const double times = options_.number(times_option);
    const Prediction told =
        predict_part(run_, options_, part_named(run_, options_, text), 1 / times);
    Scenario scenario =
        scenario_of(sentence({text, " ", format_number(times), " times as fast"}), now_, told);
    scenario.note = scenario.assumed;
    put(std::move(scenario));
  }

  static std::string unknown_fixed_cost(const ChunkSizeModel& model) {
    const bool bounded = model.least_fixed > 0 || model.most_fixed < 1;
    return sentence({"how much of a chunk's time does not depend on its size: ",
                     bounded ? sentence({format_percent(model.least_fixed), " to ",
                                         format_percent(model.most_fixed), ", from its files"})
                             : "anything from none to all"});
  }

  void add_sizes() {
    const ChunkSizeModel model = chunk_size_model(run_, ChunkSelection(run_, {}), true, options_);
    if (!model.timed()) return;
    const auto add = [&](std::string_view name, double size) {
      const ChunkSizeModel::Estimate at = model.at(model.cut_at(size));
      Prediction told;
      told.likely = at.likely();
      told.low = at.low;
      told.high = at.high;
      Scenario scenario = scenario_of(name, now_, told);
      scenario.chunk_events = size;
      scenario.assumed = scenario.note = "the time outside process() is per chunk";
      scenario.seen = sentence({format_percent(model.fitted),
                                " of the chunks are of datasets whose chunks differ in size"});
      scenario.unseen = model.fitted < 1 ? unknown_fixed_cost(model)
                                         : "how the time outside process() grows with a chunk";
      if (is_absent(told.likely))
        scenario.unseen += sentence({"; a recording of a few minutes with chunks of ",
                                     format_number(size), " events would settle it"});
      put(std::move(scenario));
    };
    for (const double size : sizes) {
      add(size < 1 ? "chunks half as large"
                   : sentence({"chunks ", format_number(size), " times as large"}),
          model.median_events * size);
    }
    for (const double size : numbers_of(options_, chunk_events_option, 1e15))
      add(sentence({"chunks of ", format_number(size), " events"}), size);
  }

  /// On the recorded cluster.
  void add_replay(std::string_view name, const ReplayTrace& trace, std::vector<double> tasks,
                  std::string_view note) {
    put_replay(name, elapsed_after(run_, options_, on_recorded_cluster(trace, std::move(tasks))),
               note);
  }

  void put_replay(std::string_view name, double elapsed, std::string_view note) {
    Prediction told;
    told.likely = elapsed;
    const double off = std::fabs(error_) * std::fabs(told.likely - trace_.elapsed);
    told.low = told.likely - off;
    told.high = told.likely + off;
    told.ideal = told.contended = told.likely;
    told.basis.assumed = PredictionBasis::Assumed::rest_as_recorded;
    Scenario scenario = scenario_of(name, now_, told);
    scenario.note = note;
    put(std::move(scenario));
  }

  void add_replays() {
    const std::vector<double> tasks = tasks_of(trace_, trace_.inside, trace_.outside);
    const Tail tail = find_tail(run_, ChunkSelection(run_, {}), options_);
    put_replay(
        "longest chunks first",
        trace_.elapsed - std::max(0.0, value_or(tail.actual_makespan - tail.ideal_makespan, 0)),
        "no core is idle while chunks are left");
    add_replay("file by file", trace_, by_file(run_, trace_, tasks),
               "a file's chunks one after the other");
    const std::vector<double>& flags = outliers(run_);
    const std::vector<double>& expected = expected_durations(run_);
    std::vector<double> tamed = trace_.inside;
    double stragglers = 0;
    for (std::size_t i = 0; i < tamed.size(); ++i) {
      if (flags[i] != 1) continue;
      tamed[i] = std::min(tamed[i], expected[i]);
      stragglers += 1;
    }
    add_replay("without stragglers", trace_, tasks_of(trace_, tamed, trace_.outside),
               sentence({format_count(stragglers, "straggler"), " as fast as expected"}));
    add_replay("half the time outside process()", trace_,
               tasks_of(trace_, trace_.inside, trace_.outside / 2),
               sentence({"now ", format_seconds(trace_.outside), " per chunk"}));
    ReplayTrace once = trace_;
    once.repeated = 0;
    add_replay("nothing done twice", once, tasks,
               sentence({"now ", format_count(trace_.repeated, "execution"), " done again"}));
    double lost = 0;
    for (Slot& slot : once.slots) lost += std::exchange(slot.until, Slot{}.until) < Slot{}.until;
    if (lost > 0)
      add_replay("no lost workers", once, tasks,
                 sentence({format_count(lost, "core"), " left before the end"}));
    ReplayTrace sooner = trace_;
    for (Slot& slot : sooner.slots) slot.from = 0;
    add_replay("all cores and chunks ready at the start", sooner, tasks, "from the run's start");
    WorkPart waiting = part_named(run_, options_, "waiting");
    Prediction told = predict_part(run_, options_, waiting, 0);
    if (is_absent(told.likely)) return;
    // All of it storage's, or none.
    told.low = told.ideal = told.likely;
    told.high = told.contended = trace_.elapsed;
    if (told.high > told.low * elementary::exp(2 * options_.number(run_spread_option)))
      told.likely = absent;
    else told.likely = std::sqrt(told.low * told.high);
    Scenario scenario = scenario_of("no waiting for storage", now_, told);
    scenario.assumed = "tasks wait for nothing";
    scenario.unseen = scenario.note =
        "how much of the waiting is for storage: some may be for cores or locks";
    put(std::move(scenario));
  }

  std::span<const Run* const> runs_;
  const Run& run_;
  const Options& options_;
  const ReplayTrace& trace_;
  double now_, error_;
  double events_ = absent;
  std::vector<Scenario> scenarios_;
};

/// The replay of the run as it was is off by so much.
const Columns<Scenario, double> columns = {
    {"scenario", &Scenario::name},
    {"cores", "count", &Scenario::cores},
    {"chunk_events", "count", &Scenario::chunk_events, "median events per chunk"},
    {"elapsed", "s", [](const Scenario& s) { return s.told.likely; },
     "recorded elapsed + the difference of two replays; missing where the recording does "
     "not determine it"},
    {"elapsed_low", "s", [](const Scenario& s) { return s.told.low; },
     "no shared resource is at its limit; minus the spread of recordings of the same work"},
    {"elapsed_high", "s", [](const Scenario& s) { return s.told.high; },
     "no shared resource gives more than was seen; plus the spread of recordings of the "
     "same work"},
    {"ideal", "s", [](const Scenario& s) { return s.told.ideal; },
     "tasks take as long as recorded"},
    {"contended", "s", [](const Scenario& s) { return s.told.contended; },
     "cores and storage give no more than was seen (closed queueing network)"},
    {"measured", "s", &Scenario::measured,
     "elapsed of another run of the same work on the same number of cores"},
    {"calibration_error", "1", [](const Scenario&, double error) { return error; },
     "replayed elapsed / recorded elapsed − 1, with nothing changed"},
    {"note", &Scenario::note},
    {"assumed", &Scenario::assumed},
    {"seen", &Scenario::seen},
    {"unseen", &Scenario::unseen},
};

static Table answer(std::span<const Run* const> runs, const Selection& selection,
                    const Options& options) {
  Scenarios asked(runs, options);
  const std::string missing = asked.missing();
  Table table =
      columns.table(missing.empty() ? asked.all() : std::vector<Scenario>{}, asked.error());
  if (!selection.empty()) table.note("selection", "a prediction is of the whole run");
  if (!missing.empty()) table.note("missing", missing);
  return table;
}

extern const Question question{
    .name = "whatif",
    .about =
        "how long the first run would have taken with one thing changed; further runs of the same "
        "work show how tasks slow each other down",
    .options = {&runtime::processor_option, &cores_option, &workers_option, &chunk_events_option,
                &part_option, &times_option, &run_spread_option},
    .max_runs = any_number,
    .columns = &columns,
    .function = answer,
};

}  // namespace crema::query::whatif
