#include "core/predict/scaling_study.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/elementary.hpp"
#include "core/predict/contention.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/headlines.hpp"

namespace crema::predict {

using namespace runtime;

std::vector<WorkDifference> differences(std::span<const Run* const> runs, const Options& options) {
  std::vector<std::pair<const Run*, std::size_t>> groups;  // the first of each, and how many
  for (const Run* run : runs) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return !what_differs(*group.first, *run, options).any();
    });
    if (same == groups.end()) groups.emplace_back(run, 1);
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
        study.run.push_back(run);
        study.differs.push_back(differs[i]);
        study.cores.push_back(at.threads);
        study.events.push_back(tasks * events / 1e3);
        study.bytes.push_back(tasks * bytes * 8 / 1e9);
      }
      continue;
    }
    study.run.push_back(run);
    study.differs.push_back(differs[i]);
    const std::vector<Headline> numbers = headlines(*run, selection, {});
    const auto value = [&](std::string_view id) {
      const auto found = std::find_if(numbers.begin(), numbers.end(),
                                      [&](const Headline& h) { return h.id == id; });
      return found == numbers.end() ? absent : found->value;
    };
    study.cores.push_back(value("cores_time_average"));
    study.events.push_back(value("event_rate_elapsed_khz"));
    study.bytes.push_back(value("data_rate_gbps"));
  }
  const bool counted = std::none_of(study.events.begin(), study.events.end(), is_absent);
  study.rate = counted ? study.events : study.bytes;
  if (!counted) study.unit = "Gbps";
  double least = absent;
  for (std::size_t i = 0; i < study.run.size(); ++i) {
    if (!study.differs[i].any() && study.cores[i] > 0 && study.rate[i] > 0 &&
        !(study.cores[i] >= least)) {
      least = study.cores[i];
      study.per_core = study.rate[i] / study.cores[i];
    }
  }
  std::set<double> sizes;
  for (std::size_t i = 0; i < study.run.size(); ++i) {
    if (!study.differs[i].any() && !is_absent(study.cores[i]))
      sizes.insert(std::round(study.cores[i]));
  }
  study.sizes = sizes.size();
  return study;
}

std::vector<const Run*> comparable_runs(const ScalingStudy& study) {
  std::vector<const Run*> found;
  for (std::size_t i = 0; i < study.run.size(); ++i) {
    const bool is_known = std::find(found.begin(), found.end(), study.run[i]) != found.end();
    if (!study.differs[i].any() && !is_known) found.push_back(study.run[i]);
  }
  return found;
}

ExpectedRate expected_rate(const ScalingStudy& study, const Options& options, double cores) {
  const std::vector<const Run*> runs = comparable_runs(study);
  if (runs.empty()) return {};
  const bool is_events = std::string_view(study.unit) == "kHz";
  const double work =
      is_events ? total_events(*runs[0]) / 1e3 : total_bytes_read(*runs[0]) * 8 / 1e9;
  const Prediction predicted = predict_cores(runs, options, cores);
  return {ratio(work, predicted.likely), ratio(work, predicted.high), ratio(work, predicted.low)};
}

double cores_for(const ScalingStudy& study, const Options& options, double target) {
  const double most = 64 * moments(study.cores).max;
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
  constexpr std::size_t none = ~std::size_t{0};
  std::size_t least = none, most = none, best = none;
  std::size_t out = 0;
  for (std::size_t i = 0; i < study.run.size(); ++i) {
    out += study.differs[i].any() ? 1 : 0;
    if (study.differs[i].any() || !(study.cores[i] > 0) || !(study.rate[i] > 0)) continue;
    if (least == none || study.cores[i] < study.cores[least]) least = i;
    if (most == none || study.cores[i] > study.cores[most]) most = i;
    if (best == none || study.rate[i] > study.rate[best]) best = i;
  }
  if (study.sizes < 2 || most == none) return found;
  found.is_known = true;
  found.least = least;
  found.most = most;
  found.best = best;
  found.others = out;
  found.fell = what_fell(efficiency_of(*study.run[least], options),
                         efficiency_of(*study.run[most], options));
  // Between two recordings, each of which has a pace of its own.
  const Contention seen = contention_of(comparable_runs(study), options);
  const Contention::Growth knee = seen.knee();
  const double pace = std::sqrt(2.0) * options.number(run_spread_option);
  const double wide = elementary::exp(z_90 * elementary::hypot(pace, seen.error));
  found.knee = std::sqrt(knee.by_cores * knee.by_storage);
  found.knee_low = std::fmin(knee.by_cores, knee.by_storage) / wide;
  found.knee_high = std::fmax(knee.by_cores, knee.by_storage) * wide;
  return found;
}

}  // namespace crema::predict
