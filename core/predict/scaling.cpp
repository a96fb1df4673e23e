#include "core/predict/scaling.hpp"

#include <numeric>

#include "core/base/elementary.hpp"
#include "core/runtime/headlines.hpp"

namespace crema::predict {

using namespace runtime;

namespace {

constexpr double Efficiency::*factors[] = {&Efficiency::load_balance, &Efficiency::start_and_end,
                                           &Efficiency::scheduling,   &Efficiency::outside,
                                           &Efficiency::lost,         &Efficiency::on_cpu};

/// The factor whose quotient to / from is least, if it fell; without a `from` that is 1.
EfficiencyLoss largest_loss(const Efficiency* from, const Efficiency& to) {
  EfficiencyLoss worst;
  double least = 1;
  for (double Efficiency::*factor : factors) {
    const double before = from == nullptr ? 1 : from->*factor;
    if (!(to.*factor / before < least)) continue;
    least = to.*factor / before;
    worst = {factor, before, to.*factor};
  }
  return worst;
}

}  // namespace

EfficiencyLoss what_fell(const Efficiency& from, const Efficiency& to) {
  return largest_loss(&from, to);
}

EfficiencyLoss what_costs(const Efficiency& of) { return largest_loss(nullptr, of); }

Efficiency efficiency_of(const Run& run, const Options& options) {
  Efficiency found;
  const Budget budget = compute_budget(run, {}, options);
  const double inside = budget.of(BudgetPart::Kind::inside_process);
  const Run::Window window = run.window();
  found.available = budget.available;
  found.cores = core_time(run, WorkerSelection(run, {}), window.begin, window.end).cores;
  if (is_absent(inside) || !(budget.available > 0)) {
    found.missing = is_absent(inside) ? Efficiency::Missing::chunks : Efficiency::Missing::tracking;
    return found;
  }
  double left = budget.available;
  double product = 1;
  const auto keep = [&](double& factor, double seconds) {
    seconds = std::clamp(seconds, 0.0, left);
    factor = ratio(seconds, left);
    product *= value_or(factor, 1);
    left = seconds;
  };
  const double lost = value_or(budget.of(BudgetPart::Kind::lost_work), 0);
  if (!is_absent(budget.executing)) {
    // Idle time by cause, as shares of what the budget says was idle.
    const double idle = std::max(0.0, budget.available - budget.executing);
    const IdleTime by = find_idle(run, WorkerSelection(run, {}),
                                  find_processor(run, options).prefix, window.begin, window.end);
    const double known = std::accumulate(by.seconds.begin(), by.seconds.end(), 0.0);
    const auto share = [&](IdleCause cause) {
      return ratio(by.seconds[static_cast<std::size_t>(cause)], known) * idle;
    };
    if (known > 0) {
      keep(found.load_balance, left - share(IdleCause::tail));
      keep(found.start_and_end, left - share(IdleCause::starting) - share(IdleCause::library) -
                                    share(IdleCause::after_last));
    } else {
      found.missing = Efficiency::Missing::idle_causes;
    }
    keep(found.scheduling, budget.executing);
    keep(found.outside, inside + lost);
    keep(found.lost, inside);
  } else {
    found.missing = Efficiency::Missing::fine_metrics;
    keep(found.outside, inside);
  }
  const double on_cpu = load_of(run, options).on_cpu;
  if (!is_absent(on_cpu)) keep(found.on_cpu, inside * on_cpu);
  found.useful = product;
  found.useful_seconds = left;
  return found;
}

std::vector<WorkDifference> differences(std::span<const Run* const> runs, const Options& options) {
  std::vector<std::pair<const Run*, std::size_t>> groups;  // the first of each, and how many
  for (const Run* run : runs) {
    auto* const same = first_where(groups, [&](const auto& group) {
      return !what_differs(*group.first, *run, options).any();
    });
    if (same == nullptr) groups.emplace_back(run, 1);
    else ++same->second;
  }
  const auto most =
      std::max_element(groups.begin(), groups.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<WorkDifference> found;
  for (const Run* run : runs) found.push_back(what_differs(*most->first, *run, options));
  return found;
}

ScalingStudy study_of(std::span<const Run* const> runs, const Selection& selection,
                      const Options& options) {
  ScalingStudy study;
  const std::vector<WorkDifference> differs = differences(runs, options);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Run* run = runs[i];
    if (options.flag(within_option)) {
      // As many tasks at once as cores, each as long as it was seen to take there.
      const Load& load = load_of(*run, options);
      const double events = ratio(total_events(*run), load.tasks);
      const double bytes = ratio(total_bytes_read(*run), load.tasks);
      for (const Observed& at : sizes_within(*run, options)) {
        const double tasks = at.threads / at.seconds;  // per second
        study.points.push_back(
            {run, differs[i], at.threads, tasks * events / 1e3, tasks * bytes * 8 / 1e9});
      }
      continue;
    }
    const std::vector<Headline> numbers = headlines(*run, selection, {});
    const auto value = [&](std::string_view id) {
      const auto* const found = first_where(numbers, [&](const Headline& h) { return h.id == id; });
      return found == nullptr ? absent : found->value;
    };
    study.points.push_back({run, differs[i], value("cores_time_average"),
                            value("event_rate_elapsed_khz"), value("data_rate_gbps")});
  }
  const bool counted =
      none_of(study.points, [](const ScalingPoint& p) { return is_absent(p.events); });
  if (!counted) study.unit = "Gbps";
  double least = absent;
  std::set<double> sizes;
  for (ScalingPoint& point : study.points) {
    point.rate = counted ? point.events : point.bytes;
    if (point.is_in() && !(point.cores >= least)) {
      least = point.cores;
      study.per_core = point.rate / point.cores;
    }
    if (!point.differs.any() && !is_absent(point.cores)) sizes.insert(std::round(point.cores));
  }
  study.sizes = sizes.size();
  return study;
}

std::vector<const Run*> comparable_runs(const ScalingStudy& study) {
  std::vector<const Run*> found;
  for (const ScalingPoint& point : study.points) {
    const bool is_known = contains(found, point.run);
    if (!point.differs.any() && !is_known) found.push_back(point.run);
  }
  return found;
}

ExpectedRate expected_rate(const ScalingStudy& study, const Options& options, double cores) {
  const std::vector<const Run*> runs = comparable_runs(study);
  if (runs.empty()) return {};
  const bool is_events = std::string_view(study.unit) == "kHz";
  const double work =
      is_events ? total_events(*runs[0]) / 1e3 : total_bytes_read(*runs[0]) * 8 / 1e9;
  const Prediction predicted = predict_cluster(runs, options, {.cores = cores});
  return {ratio(work, predicted.likely), ratio(work, predicted.high), ratio(work, predicted.low)};
}

double cores_for(const ScalingStudy& study, const Options& options, double target) {
  const double most = 64 * study.most_cores();
  const auto is_reached = [&](double cores) {
    return expected_rate(study, options, cores).likely >= target;
  };
  double high = 1;
  while (high <= most && !is_reached(high)) high *= 2;
  if (!(high <= most)) return absent;
  double low = std::floor(high / 2);
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (is_reached(middle) ? high : low) = middle;
  }
  return high;
}

ScalingVerdict verdict_of(const ScalingStudy& study, const Options& options) {
  ScalingVerdict found;
  for (const ScalingPoint& point : study.points) {
    found.others += point.differs.any() ? 1 : 0;
    if (!point.is_in()) continue;
    if (found.least == nullptr || point.cores < found.least->cores) found.least = &point;
    if (found.most == nullptr || point.cores > found.most->cores) found.most = &point;
    if (found.best == nullptr || point.rate > found.best->rate) found.best = &point;
  }
  if (study.sizes < 2 || found.most == nullptr) return {};
  // Between two recordings, each of which has a pace of its own.
  const Contention seen = contention_of(comparable_runs(study), options);
  const Contention::Growth knee = seen.knee();
  const double pace = between_recordings(*found.most->run, options);
  const double wide = elementary::exp(z_90 * elementary::hypot(pace, seen.error));
  found.is_known = true;
  found.fell = what_fell(efficiency_of(*found.least->run, options),
                         efficiency_of(*found.most->run, options));
  found.knee = std::sqrt(knee.by_cores * knee.by_storage);
  found.knee_low = std::fmin(knee.by_cores, knee.by_storage) / wide;
  found.knee_high = std::fmax(knee.by_cores, knee.by_storage) * wide;
  return found;
}

}  // namespace crema::predict
