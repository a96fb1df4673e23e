#include "core/facts/scaling_study.hpp"

#include <algorithm>

#include "core/facts/contention.hpp"
#include "core/facts/headlines.hpp"
#include "core/facts/prediction.hpp"
#include "core/facts/report_counts.hpp"

namespace crema::facts {

namespace {

/// What differs of each run from those of the same work of which there are most.
std::vector<std::string> differences(std::span<const Run* const> runs, const Options& options) {
  std::vector<std::pair<const Run*, std::size_t>> groups;  // the first of each, and how many
  for (const Run* run : runs) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return what_differs(*group.first, *run, options).empty();
    });
    if (same == groups.end()) groups.emplace_back(run, 1);
    else ++same->second;
  }
  const auto most =
      std::max_element(groups.begin(), groups.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<std::string> found;
  for (const Run* run : runs) found.push_back(what_differs(*most->first, *run, options));
  return found;
}

}  // namespace

ScalingStudy study_of(std::span<const Run* const> runs, const Selection& selection,
                      const Options& options) {
  ScalingStudy study;
  const std::vector<std::string> differs = differences(runs, options);
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
    if (study.differs[i].empty() && study.cores[i] > 0 && study.rate[i] > 0 &&
        !(study.cores[i] >= least)) {
      least = study.cores[i];
      study.per_core = study.rate[i] / study.cores[i];
    }
  }
  std::vector<double> cores, rates;
  for (std::size_t i = 0; i < study.run.size(); ++i) {
    if (!study.differs[i].empty()) continue;
    cores.push_back(study.cores[i]);
    rates.push_back(study.rate[i]);
  }
  study.sizes = distinct_sizes(cores);
  study.law = fit_scalability(cores, rates);
  return study;
}

}  // namespace crema::facts
