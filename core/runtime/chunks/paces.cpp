// Chunks held against their like: a number per event or request, by dataset.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "core/base/elementary.hpp"
#include "core/runtime/chunks.hpp"

namespace crema::runtime {

namespace {

// The median of a dataset is that of its other chunks, too, where a group has less than this part.
constexpr double small_part = 0.1;

}  // namespace

std::vector<double> picked(const std::vector<double>& values,
                           std::span<const std::uint32_t> chunks) {
  std::vector<double> present;
  for (const std::uint32_t i : chunks) {
    if (!is_absent(values[i])) present.push_back(values[i]);
  }
  return present;
}

Paces::Paces(const Run& run, const std::vector<double>& amounts, const std::vector<double>& count)
    : datasets_(chunk_groups(run, ChunkKey::dataset)) {
  logs.assign(count.size(), absent);
  for (std::size_t i = 0; i < logs.size(); ++i) {
    const double each = amounts[i] / count[i];
    if (each > 0 && std::isfinite(each)) logs[i] = elementary::log(each);
  }
  for (std::size_t d = 0; d < datasets_.size(); ++d)
    usual.push_back(median_of(picked(logs, datasets_.members(d))));
}

std::vector<double> Paces::against_others(std::span<const std::uint32_t> chunks) const {
  std::vector<std::uint32_t> own(chunks.begin(), chunks.end());
  std::sort(own.begin(), own.end());
  std::map<std::uint32_t, double> outside, count;
  for (const std::uint32_t i : own) count[datasets_.of[i]] += 1;
  for (const auto& [dataset, many] : count) {
    const std::span<const std::uint32_t> all = datasets_.members(dataset);
    outside[dataset] = usual[dataset];
    if (many < small_part * static_cast<double>(all.size())) continue;
    std::vector<std::uint32_t> others;
    std::set_difference(all.begin(), all.end(), own.begin(), own.end(), std::back_inserter(others));
    std::vector<double> values = picked(logs, others);
    outside[dataset] = values.size() < least_others ? absent : median_of(std::move(values));
  }
  std::vector<double> differences;
  for (const std::uint32_t i : chunks) {
    const double difference = logs[i] - outside[datasets_.of[i]];
    if (!is_absent(difference)) differences.push_back(difference);
  }
  return differences;
}

double Paces::times_others(std::span<const std::uint32_t> chunks) const {
  return elementary::exp(median_of(against_others(chunks)));
}

}  // namespace crema::runtime
