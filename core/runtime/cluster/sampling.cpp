#include "core/runtime/cluster/sampling.hpp"

#include <algorithm>
#include <vector>

namespace crema::runtime {

namespace {

/// Where sampling stopped for longer than this many usual intervals the value is not held.
constexpr double held_intervals = 3;

}  // namespace

double sampling_interval(const Run& run) {
  if (run.ticks.size() < 2) return absent;
  std::vector<double> gaps(run.ticks.size() - 1);
  for (std::size_t i = 0; i < gaps.size(); ++i) gaps[i] = run.ticks[i + 1] - run.ticks[i];
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  return *middle;
}

double time_mean(const Run& run, std::size_t first, std::span<const double> values, double begin,
                 double end) {
  const double usual = sampling_interval(run);
  double weight = 0;
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t tick = first + i;
    const double from = run.ticks[tick];
    double until = 0;
    if (tick + 1 == run.ticks.size()) until = std::max(value_or(run.window().end, 0), from);
    else if (run.ticks[tick + 1] - from > held_intervals * usual) until = from + usual;
    else until = run.ticks[tick + 1];
    const double seconds = std::min(end, until) - std::max(begin, from);
    if (!(seconds > 0) || is_absent(values[i])) continue;
    weight += seconds;
    sum += seconds * values[i];
  }
  return ratio(sum, weight);
}

}  // namespace crema::runtime
