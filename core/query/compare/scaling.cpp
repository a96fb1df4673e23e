// Rates on clusters of several sizes: a row per run of the same work, `scaling`; and the fit
// between them and beyond, `scaling_curve`.
#include <numeric>

#include "core/base/elementary.hpp"
#include "core/base/order.hpp"
#include "core/compare/speed_ratio.hpp"
#include "core/predict/prediction.hpp"
#include "core/predict/scaling.hpp"
#include "core/query/question.hpp"
#include "core/report/answer_text.hpp"

namespace crema::query::scaling {

constexpr Option target_option = number_option(
    "target", "a target rate, in the unit of the study: how many cores would reach it", "", {});

using Point = ScalingPoint;
const Columns<Point, ScalingStudy> columns = {
    {"run", as_given, [](const Point& p) -> std::string_view { return p.run->title; }},
    {"number", "", [](const Point& p) { return p.run->number; },
     "the run's number in this session"},
    {"cores", "count", &Point::cores, "time average"},
    {"rate", "$", &Point::rate,
     "what the study compares: events per second where all runs have them, else bytes"},
    {"event_rate_khz", "kHz", &Point::events, "events / elapsed"},
    {"data_rate_gbps", "Gbps", &Point::bytes, "bytes / elapsed"},
    {"rate_per_core", "$", [](const Point& p) { return ratio(p.rate, p.cores); }, "rate / cores"},
    {"efficiency_vs_ideal", "1",
     [](const Point& p, const ScalingStudy& of) { return ratio(p.rate, of.per_core * p.cores); },
     "rate / ideal"},
    {"ideal", "$", [](const Point& p, const ScalingStudy& of) { return of.per_core * p.cores; },
     "rate per core of the smallest run x cores"},
    {"differs", [](const Point& p) { return difference_text(p.differs); }},
};

static Table answer(std::span<const Run* const> runs, const Selection& selection,
                    const Options& options) {
  const ScalingStudy study = study_of(runs, selection, options);
  std::vector<Point> points = study.points;
  // Unknown sizes last: NaN compares with nothing.
  sort_stably(points, [](const Point& x, const Point& y) {
    return is_absent(x.cores) != is_absent(y.cores) ? is_absent(y.cores) : x.cores < y.cores;
  });
  Table table = columns.table(points, study, {.unit = study.unit});
  table.note("rate", std::string(study.unit));
  const ScalingVerdict verdict = verdict_of(study, options);
  const VerdictText text = scaling_text(study, verdict);
  table.note("sentence", text.verdict);
  table.note("limits", text.limits);
  table.note("knee", verdict.knee);
  table.note("knee_low", verdict.knee_low);
  table.note("knee_high", verdict.knee_high);
  double best = absent;
  for (const Point& point : study.points)
    if (point.is_in()) best = std::fmax(best, point.rate);
  table.note("best_rate", best);
  if (options.has(target_option)) {
    const double target = options.number(target_option);
    table.note("target", target);
    table.note("target_factor", ratio(target, best));
    table.note("target_cores", cores_for(study, options, target));
  }
  table.note("sizes", static_cast<double>(study.sizes));
  return table;
}

extern const Question question(
    "scaling", "rate against cores for runs on several sizes of cluster, with ideal scaling",
    columns, answer,
    {.options = {&target_option, &runtime::processor_option, &predict::within_option,
                 &run_spread_option},
     .narrowed_by = compared_dimensions,
     .run_count = {1, any_number}});

}  // namespace crema::query::scaling

namespace crema::query::scaling_curve {

constexpr Option to_option = number_option(
    "to", "maximum number of cores; default: twice that of the largest run", "", {}, "count");
constexpr Option points_option = count_option("points", "number of points", "200", {2, 10000});

/// What the runs let expect at the sizes that were measured and at some between and beyond; in
/// straight lines between those.
class Curve {
 public:
  Curve(double to, const ScalingStudy& study, const Options& options) {
    constexpr double most = 24;  // each is replayed several times
    for (double i = 0; i < most && to > 0; i += 1)
      sizes_.push_back(std::round(to <= most
                                      ? std::min(1 + i, std::ceil(to))
                                      : elementary::exp(elementary::log(to) * i / (most - 1))));
    for (const ScalingPoint& point : study.points)
      if (point.cores >= 1 && to > 0) sizes_.push_back(std::round(point.cores));
    std::sort(sizes_.begin(), sizes_.end());
    sizes_.erase(std::unique(sizes_.begin(), sizes_.end()), sizes_.end());
    for (const double size : sizes_) rates_.push_back(expected_rate(study, options, size));
  }

  ExpectedRate at(double cores) const {
    const auto next = std::lower_bound(sizes_.begin(), sizes_.end(), cores);
    if (next == sizes_.end()) return {};
    const auto i = static_cast<std::size_t>(next - sizes_.begin());
    if (*next == cores || i == 0) return rates_[i];
    const double part = (cores - sizes_[i - 1]) / (*next - sizes_[i - 1]);
    ExpectedRate between;
    for (const auto which : {&ExpectedRate::likely, &ExpectedRate::low, &ExpectedRate::high})
      between.*which = rates_[i - 1].*which * (1 - part) + rates_[i].*which * part;
    return between;
  }

 private:
  std::vector<double> sizes_;
  std::vector<ExpectedRate> rates_;
};

/// A point of the curves.
struct Point {
  double cores, ideal;
  ExpectedRate expected;
};

const Columns<Point> columns = {
    {"cores", "count", &Point::cores},
    {"ideal", "$", &Point::ideal, "rate per core of the smallest run x cores"},
    {"likely", "$", [](const Point& p) { return p.expected.likely; },
     "work / elapsed, as whatif predicts it; missing where the runs do not tell"},
    {"low", "$", [](const Point& p) { return p.expected.low; }, "work / elapsed_high of whatif"},
    {"high", "$", [](const Point& p) { return p.expected.high; }, "work / elapsed_low of whatif"},
};

static Table answer(std::span<const Run* const> runs, const Selection& selection,
                    const Options& options) {
  const ScalingStudy study = study_of(runs, selection, options);
  const double largest = study.most_cores();
  const double to = value_or(options.number(to_option), 2 * largest);
  const double points = options.number(points_option);
  const bool drawn = to > 1;  // not where no run's cores are known
  // predictions are of whole runs
  const Curve expected(drawn && selection.empty() ? to : 0, study, options);
  std::vector<Point> curve;
  for (double i = 0; drawn && i < points; i += 1) {
    const double cores = 1 + (to - 1) * i / (points - 1);
    curve.push_back({cores, study.per_core * cores, expected.at(cores)});
  }
  Table table = columns.table(curve, {}, {.unit = study.unit});
  if (drawn) table.note("largest", largest);
  return table;
}

extern const Question question("scaling_curve",
                               "curves of ideal scaling and of what the runs let expect", columns,
                               answer,
                               {.options = {&to_option, &points_option, &runtime::processor_option,
                                            &predict::within_option, &run_spread_option},
                                .narrowed_by = compared_dimensions,
                                .run_count = {1, any_number}});

}  // namespace crema::query::scaling_curve

// Where the available core-time went, as factors: `efficiency`.
namespace crema::query::efficiency {

struct Row : Efficiency {
  const Run* run;
  WorkDifference differs;
};

const Columns<Row> columns = {
    {"run", as_given, [](const Row& row) -> std::string_view { return row.run->title; }},
    {"number", "", [](const Row& row) { return row.run->number; },
     "the run's number in this session"},
    {"cores", "count", &Row::cores, "time average"},
    {"available", "s", &Row::available, "∫ cores dt"},
    {"load_balance", "1", &Row::load_balance,
     "(available − idle while the last tasks ran) / available"},
    {"start_and_end", "1", &Row::start_and_end,
     "what is left − idle before a worker's first task and after the last chunk, / what was left"},
    {"scheduling", "1", &Row::scheduling, "executing / what was left: gaps between tasks"},
    {"outside", "1", &Row::outside, "(inside process() + repeated work) / executing"},
    {"lost", "1", &Row::lost, "inside process() / with repeated work"},
    {"on_cpu", "1", &Row::on_cpu, "on a CPU / on a CPU and waiting, of the processor's tasks"},
    {"useful", "1", &Row::useful, "the product of the factors"},
    {"useful_seconds", "s", &Row::useful_seconds, "inside process() x on_cpu"},
    {"differs", [](const Row& row) { return difference_text(row.differs); }},
    {"missing", [](const Row& row) { return missing_text(row); }},
};

static Table answer(std::span<const Run* const> runs, const Selection& selection,
                    const Options& options) {
  std::vector<Row> found;
  const std::vector<WorkDifference> differs = differences(runs, options);
  for (std::size_t i = 0; i < runs.size(); ++i)
    found.push_back({efficiency_of(*runs[i], options), runs[i], differs[i]});
  // Unknown sizes last.
  sort_stably(found, [](const Row& a, const Row& b) {
    const bool known = !is_absent(a.cores);
    return known != !is_absent(b.cores) ? known : a.cores < b.cores;
  });
  Table table = columns.table(found);
  if (!selection.empty()) say(table, notes::efficiency_is_whole);
  // Of the runs of one work, the smallest against the largest.
  const Row* least = nullptr;
  const Row* most = nullptr;
  for (const Row& row : found) {
    if (row.differs.any() || is_absent(row.useful) || is_absent(row.cores)) continue;
    if (least == nullptr) least = &row;
    most = &row;
  }
  if (most != nullptr && most != least && std::round(most->cores) > std::round(least->cores)) {
    const std::string fell = fell_text(what_fell(*least, *most));
    const double from = std::round(least->cores), to = std::round(most->cores);
    if (fell.empty()) say(table, notes::no_factor_fell, {from, to, least->useful, most->useful});
    else say(table, notes::factor_fell, {from, to, least->useful, most->useful, fell});
  } else if (most != nullptr) {
    const std::string costs = costs_text(what_costs(*most));
    if (costs.empty()) say(table, notes::useful_share, {most->useful});
    else say(table, notes::largest_loss, {most->useful, costs});
  }
  return table;
}

extern const Question question(
    "efficiency", "each run: the share of its core-time that was useful, as a product of factors",
    columns, answer, {.options = {&runtime::processor_option}, .run_count = {1, any_number}});

}  // namespace crema::query::efficiency

// What no cluster, or no order of the chunks, can go below: `bounds`.
namespace crema::query::bounds {

struct Bound {
  const char* id;
  double cores, elapsed, low;
  std::string note;
};

static std::vector<Bound> bounds_of(const Run& run, const Options& options, Table& said) {
  const ReplayTrace& trace = replay_trace_of(run, options);
  const double cores = std::round(load_of(run, options).cores);
  if (trace.order.empty() || is_absent(trace.elapsed)) {
    say(said, trace.order.empty() ? notes::no_chunks : notes::no_length);
    return {};
  }
  std::vector<double> tasks;
  double longest = 0;
  for (const std::uint32_t i : trace.order) {
    tasks.push_back(trace.inside[i] + trace.outside + trace.others);
    longest = std::max(longest, trace.inside[i] + trace.outside);
  }
  const double work = std::accumulate(tasks.begin(), tasks.end(), 0.0);
  // The first task begins where the replay's first core does.
  double begin = trace.begin;
  for (const Slot& slot : trace.slots) begin = std::min(begin, slot.from);
  // By what the replay is off, as predictions are, but no bound is raised by that.
  const auto lasting = [&](double seconds) {
    const double replayed = begin + seconds + trace.after;
    return std::min(replayed, elapsed_after(run, options, replayed));
  };
  // Another recording of the same may compute faster by this much: whatif's bands count that in.
  const double faster = elementary::exp(within_90 * between_recordings(run, options));
  std::vector<Bound> found;
  const auto add = [&](const ScenarioText& text, double on, double elapsed,
                       std::initializer_list<FillValue> values = {}) {
    found.push_back({text.name, on, elapsed, elapsed / faster, fill(text.note, values)});
  };
  found.push_back({scenarios::as_recorded.name, cores, trace.elapsed, trace.elapsed, ""});
  if (cores >= 1) {
    add(scenarios::perfect_packing, cores,
        std::min(trace.elapsed, lasting(std::max(longest, work / cores))), {work});
  }
  add(scenarios::infinite_cores, absent, std::min(trace.elapsed, lasting(longest)),
      {longest, begin, trace.after});
  const Bound shortest = found.back();
  add(scenarios::one_core, 1, lasting(work));
  // A replay that is far off bounds nothing.
  if (shortest.low > 0) say(said, notes::shortest_run, {shortest.low, shortest.elapsed, longest});
  // More cores than this only wait for the longest chunk.
  said.note("useful_cores", longest > 0 ? work / longest : absent);
  return found;
}

/// Against so many seconds as recorded.
const Columns<Bound, double> columns = {
    {"bound", &Bound::id},
    {"cores", "count", &Bound::cores},
    {"elapsed", "s", &Bound::elapsed,
     "before the first chunk + max(longest task, Σ tasks / cores) + after the last"},
    {"elapsed_low", "s", &Bound::low,
     "elapsed / the spread of recordings of the same work: no lower end of whatif's "
     "predictions for other numbers of cores is below it"},
    {"speedup", "1", [](const Bound& b, double recorded) { return ratio(recorded, b.elapsed); },
     "elapsed as recorded / elapsed"},
    {"note", &Bound::note},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  Table said;
  const std::vector<Bound> bounds = bounds_of(run, options, said);
  Table table = columns.table(bounds, bounds.empty() ? absent : bounds[0].elapsed);
  if (!selection.empty()) say(table, notes::bounds_are_whole);
  for (Note& note : said.notes) table.notes.push_back(std::move(note));
  return table;
}

extern const Question question(
    "bounds", "lower bounds of the elapsed time: the longest chunk, perfect packing, one core",
    columns, answer, {.options = {&runtime::processor_option, &run_spread_option}});

}  // namespace crema::query::bounds
