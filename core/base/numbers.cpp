// Compiled for speed: it runs for every value of a series or chunk.
#include "core/base/numbers.hpp"

#include <algorithm>

namespace crema {

Moments moments(std::span<const double> values) {
  Running all;
  for (const double v : values) all.add(v);
  Moments m{all.count, all.sum, all.mean(), all.min, all.max};
  double squares = 0;
  for (const double v : values) {
    if (!is_absent(v)) squares += (v - m.mean) * (v - m.mean);
  }
  if (m.count > 1) m.std = std::sqrt(squares / static_cast<double>(m.count - 1));
  return m;
}

double quantile(std::span<const double> sorted, double q) {
  if (sorted.empty()) return absent;
  const double rank = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const auto above = std::min(below + 1, sorted.size() - 1);
  const double part = rank - static_cast<double>(below);
  return sorted[below] + (sorted[above] - sorted[below]) * part;
}

double quantile_of(std::span<double> values, double q) {
  if (values.empty()) return absent;
  const double rank = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const double part = rank - static_cast<double>(below);
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(values.begin(), nth, values.end());
  const double low = *nth;
  if (part == 0 || below + 1 == values.size()) return low;
  return low + (*std::min_element(nth + 1, values.end()) - low) * part;
}

double median_of(std::vector<double> values) {
  std::erase_if(values, is_absent);
  return quantile_of(values, 0.5);
}

void gather(std::span<const double> values, std::span<const std::uint32_t> at,
            std::vector<double>& into) {
  into.resize(at.size());
  for (std::size_t i = 0; i < at.size(); ++i) into[i] = values[at[i]];
}

std::vector<double> sorted_present(std::span<const double> values) {
  std::vector<double> present;
  present.reserve(values.size());
  std::copy_if(values.begin(), values.end(), std::back_inserter(present),
               [](double v) { return !is_absent(v); });
  std::sort(present.begin(), present.end());
  return present;
}

}  // namespace crema
