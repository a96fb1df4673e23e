#include "core/facts/scaling_study.hpp"

#include <algorithm>

#include "core/facts/headlines.hpp"

namespace crema::facts {

ScalingStudy study_of(std::span<const Run* const> runs, const Selection& selection) {
  ScalingStudy study;
  for (const Run* run : runs) {
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
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (study.cores[i] > 0 && study.rate[i] > 0 && !(study.cores[i] >= least)) {
      least = study.cores[i];
      study.per_core = study.rate[i] / study.cores[i];
    }
  }
  study.law = fit_scalability(study.cores, study.rate);
  return study;
}

}  // namespace crema::facts
