// Compiled for speed: it runs for every chunk.
#include "core/runtime/chunks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "core/base/order.hpp"
#include "core/runtime/facts.hpp"

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
  return kept_of(run).groups.of(key, [&] { return compute_groups(run, key); });
}

std::vector<FileFacts> find_file_facts(const Run& run, const Selection& selection) {
  const Files& f = run.files;
  const Chunks& c = run.chunks;
  std::vector<FileFacts> facts;
  std::unordered_map<StringId, std::size_t> index;
  std::vector<bool> selected;
  for (std::size_t i = 0; i < f.size(); ++i) {
    index.emplace(f.name[i], facts.size());
    FileFacts& file = facts.emplace_back();
    file.name = f.name[i];
    file.compression_ratio = f.compression_ratio[i];
    file.branches_total = f.branches_total[i];
    file.tree_bytes = f.tree_bytes[i];
    file.bytes_read = f.bytes_read[i];
    file.branches_read_fraction = f.branches_read_fraction[i];
    file.bytes_read_fraction = f.bytes_read_fraction[i];
    selected.push_back(c.size() == 0);
  }
  const ChunkSelection chosen(run, selection);
  const bool collected = chunk_bytes_collected(run);
  const auto complete = [](double& known, double value) {
    if (is_absent(known)) known = value;
  };
  // A file has many chunks: it is looked up once.
  const ChunkGroups& files = chunk_groups(run, ChunkKey::file);
  constexpr auto unseen = static_cast<std::size_t>(-1);
  std::vector<std::size_t> places(files.size(), unseen);
  // [byte] of the branches that were read: where rows tell it, of each chunk, then by place.
  const std::vector<double> branches = branch_bytes(run);
  std::vector<double> used(branches.empty() ? 0 : facts.size(), 0);
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (c.file[i] == no_string) continue;
    std::size_t& place = places[files.of[i]];
    if (place == unseen) {
      const auto [entry, is_new] = index.try_emplace(c.file[i], facts.size());
      place = entry->second;
      if (is_new) {
        facts.emplace_back().name = c.file[i];
        selected.push_back(false);
        if (!branches.empty()) used.push_back(0);
      }
    }
    FileFacts& file = facts[place];
    if (chosen[i]) {
      selected[place] = true;
      file.chunks += 1;
      // What its chunks read, unlike the facts of the file, is each chunk's own and adds up.
      const double read = c.bytes_read[i];
      if (collected && !is_absent(read))
        file.chunk_bytes = value_or(file.chunk_bytes, 0) + chosen.share[i] * read;
      file.seconds += chosen.share[i] * value_or(c.duration[i], 0);
    }
    if (!branches.empty()) used[place] += branches[i];
    if (file.dataset == no_string) file.dataset = c.dataset[i];
    complete(file.branches_read, c.branches_accessed[i]);
    complete(file.branches_read_fraction, c.branches_read_fraction[i]);
    complete(file.bytes_read, c.accessed_bytes[i]);
    complete(file.bytes_read_fraction, c.bytes_read_fraction[i]);
  }
  const Paces paces(run, c.duration, c.events);
  std::vector<std::uint32_t> own;
  for (std::size_t group = 0; group < files.size(); ++group) {
    if (places[group] == unseen) continue;
    own.clear();
    for (const std::uint32_t i : files.members(group)) {
      if (chosen[i]) own.push_back(i);
    }
    facts[places[group]].times_others = paces.times_others(own);
  }
  const bool whole_files = !selection.time && selection.ranges.empty();
  std::vector<FileFacts> kept;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (!selected[i] && !selection.empty()) continue;
    // What its chunks used of it, where none of them keeps it to itself.
    if (!branches.empty() && used[i] > 0) complete(facts[i].bytes_read, used[i]);
    // Of 0 bytes beside bytes that were read the file's facts are not known (RNTuple).
    if (facts[i].bytes_read > 0 && whole_files)
      facts[i].times_read = facts[i].chunk_bytes / facts[i].bytes_read;
    kept.push_back(facts[i]);
  }
  return kept;
}

const std::vector<FileFacts>& find_file_facts(const Run& run) {
  return kept_of(run).files.of([&] { return find_file_facts(run, {}); });
}

}  // namespace crema::runtime
