// Chunks held against their like: a number per event or request, by dataset.
#include <algorithm>
#include <cmath>

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
  present.reserve(chunks.size());
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
  usual.reserve(datasets_.size());
  for (std::size_t d = 0; d < datasets_.size(); ++d)
    usual.push_back(median_of(picked(logs, datasets_.members(d))));
}

std::vector<double> Paces::against_others(std::span<const std::uint32_t> chunks) const {
  std::vector<std::uint32_t> own(chunks.begin(), chunks.end());
  std::sort(own.begin(), own.end());
  // The datasets of these chunks only: there may be as many groups as datasets.
  struct Touched {
    std::uint32_t dataset;
    double chunks = 0, usual = absent;
  };
  std::vector<Touched> touched;
  const auto at = [&](std::uint32_t dataset) {
    return std::lower_bound(touched.begin(), touched.end(), dataset,
                            [](const Touched& one, std::uint32_t d) { return one.dataset < d; });
  };
  for (const std::uint32_t i : own) {
    auto place = at(datasets_.of[i]);
    if (place == touched.end() || place->dataset != datasets_.of[i])
      place = touched.insert(place, {datasets_.of[i]});
    place->chunks += 1;
  }
  for (Touched& one : touched) {
    const std::span<const std::uint32_t> all = datasets_.members(one.dataset);
    one.usual = usual[one.dataset];
    if (one.chunks < small_part * static_cast<double>(all.size())) continue;
    std::vector<double> values;
    values.reserve(all.size());
    auto mine = own.begin();  // both ascend
    for (const std::uint32_t i : all) {
      mine = std::lower_bound(mine, own.end(), i);
      if ((mine == own.end() || *mine != i) && !is_absent(logs[i])) values.push_back(logs[i]);
    }
    one.usual = values.size() < least_others ? absent : median_of(std::move(values));
  }
  std::vector<double> differences;
  differences.reserve(chunks.size());
  for (const std::uint32_t i : chunks) {
    const double difference = logs[i] - at(datasets_.of[i])->usual;
    if (!is_absent(difference)) differences.push_back(difference);
  }
  return differences;
}

double Paces::times_others(std::span<const std::uint32_t> chunks) const {
  return elementary::exp(median_of(against_others(chunks)));
}

}  // namespace crema::runtime
