#include "core/runtime/chunks/sections.hpp"

#include <unordered_map>

#include "core/runtime/chunks/chunk_groups.hpp"
#include "core/runtime/chunks/chunk_selection.hpp"

namespace crema::runtime {

bool sections_exceed(double sections, double duration) { return sections > duration * 1.001; }

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
  for (std::size_t i = 0; i < per_chunk.size(); ++i) {
    if (sections_exceed(per_chunk[i], run.chunks.duration[i])) sums.may_overlap = true;
  }
  return sums;
}

}  // namespace crema::runtime
