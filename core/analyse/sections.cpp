#include "core/analyse/sections.hpp"

#include <unordered_map>

namespace crema {

SectionSums sum_sections(const Run& run, const ChunkSelection& chosen) {
  SectionSums sums;
  std::unordered_map<StringId, std::size_t> index;
  std::vector<double> per_chunk(run.chunks.size(), 0);
  for (const SectionValue& value : run.chunks.sections) {
    if (value.kind != SectionValue::Kind::seconds || !chosen[value.chunk]) continue;
    const auto [entry, is_new] = index.try_emplace(value.name, sums.seconds.size());
    if (is_new) sums.seconds.emplace_back(std::string(run.text(value.name)), 0.0);
    sums.seconds[entry->second].second += chosen.share[value.chunk] * value.value;
    per_chunk[value.chunk] += value.value;
  }
  // Clocks of a section and of its chunk are read at different moments: a thousandth is no overlap.
  for (std::size_t i = 0; i < per_chunk.size(); ++i) {
    if (per_chunk[i] > run.chunks.duration[i] * 1.001) sums.may_overlap = true;
  }
  return sums;
}

}  // namespace crema
