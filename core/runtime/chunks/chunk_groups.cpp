#include "core/runtime/chunks/chunk_groups.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/base/text_order.hpp"
#include "core/runtime/chunks/chunk_selection.hpp"

namespace crema::runtime {

namespace {

constexpr std::string_view compressed_to[] = {"to 10 %", "to 20 %", "to 30 %",     "to 40 %",
                                              "to 50 %", "to 60 %", "to 70 %",     "to 80 %",
                                              "to 90 %", "to 99 %", "uncompressed"};

/// Packed to so much of its size; "" where that is not recorded.
std::string_view compression_of(const Run& run, StringId file) {
  const std::size_t found = run.files.find(file);
  if (found == run.files.size()) return {};
  const double packed = run.files.compression_ratio[found];
  if (!(packed > 0)) return {};
  return compressed_to[packed > 0.99 ? 10 : static_cast<std::size_t>(std::ceil(packed * 10)) - 1];
}

std::string_view name_of(const Run& run, StringId id, ChunkKey key) {
  const std::string_view text = run.text(id);
  if (id == no_string) return text;
  if (key == ChunkKey::compression) return compression_of(run, id);
  return key == ChunkKey::host ? host_of(text) : key == ChunkKey::site ? site_of(text) : text;
}

ChunkGroups compute_groups(const Run& run, ChunkKey key) {
  const std::vector<StringId>& ids =
      key == ChunkKey::dataset ? run.chunks.dataset : run.chunks.file;
  constexpr std::uint32_t unseen = 0xffffffffU;
  // Distinct ids first: there are fewer of them, and of names fewer still. The last place is that
  // of no_string.
  std::vector<std::uint32_t> place(run.names->strings.size() + 1, unseen);
  const auto place_of = [&](StringId id) -> std::uint32_t& {
    return place[std::min<std::size_t>(id, place.size() - 1)];
  };
  std::vector<std::string_view> names;  // of each distinct id
  ChunkGroups groups;
  groups.of.resize(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    std::uint32_t& at = place_of(ids[i]);
    if (at == unseen) {
      at = static_cast<std::uint32_t>(names.size());
      names.push_back(name_of(run, ids[i], key));
    }
    groups.of[i] = at;
  }
  std::vector<std::uint32_t> group(names.size());
  for (const std::uint32_t at : text_order(names)) {
    if (groups.name.empty() || groups.name.back() != names[at]) groups.name.push_back(names[at]);
    group[at] = static_cast<std::uint32_t>(groups.name.size() - 1);
  }
  groups.first.assign(groups.size() + 1, 0);
  for (std::uint32_t& of : groups.of) {
    of = group[of];
    ++groups.first[of + 1];
  }
  std::partial_sum(groups.first.begin(), groups.first.end(), groups.first.begin());
  std::vector<std::uint32_t> next(groups.first.begin(), groups.first.end() - 1);
  groups.chunk.resize(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i)
    groups.chunk[next[groups.of[i]]++] = static_cast<std::uint32_t>(i);
  return groups;
}

}  // namespace

const ChunkGroups& chunk_groups(const Run& run, ChunkKey key) {
  const std::string what = "chunk groups|" + std::to_string(static_cast<int>(key));
  return run.memo.index<ChunkGroups>(what, [&] { return compute_groups(run, key); });
}

}  // namespace crema::runtime
