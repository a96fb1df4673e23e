#include "core/runtime/chunks/file_facts.hpp"

#include <unordered_map>

#include "core/runtime/chunks/chunk_columns.hpp"
#include "core/runtime/chunks/chunk_groups.hpp"
#include "core/runtime/chunks/chunk_selection.hpp"
#include "core/runtime/chunks/missing.hpp"

namespace crema::runtime {

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
  const std::vector<double>& expected = expected_durations(run);
  std::vector<double> took(facts.size(), 0), should_take(facts.size(), 0);  // [s], by place
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (c.file[i] == no_string) continue;
    std::size_t& place = places[files.of[i]];
    if (place == unseen) {
      const auto [entry, is_new] = index.try_emplace(c.file[i], facts.size());
      place = entry->second;
      if (is_new) {
        facts.emplace_back().name = c.file[i];
        selected.push_back(false);
        took.push_back(0);
        should_take.push_back(0);
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
      if (!is_absent(expected[i])) {
        took[place] += c.duration[i];
        should_take[place] += expected[i];
      }
    }
    if (file.dataset == no_string) file.dataset = c.dataset[i];
    complete(file.branches_read, c.branches_accessed[i]);
    complete(file.branches_read_fraction, c.branches_read_fraction[i]);
    complete(file.bytes_read, c.accessed_bytes[i]);
    complete(file.bytes_read_fraction, c.bytes_read_fraction[i]);
  }
  const bool whole_files = !selection.time && selection.ranges.empty();
  std::vector<FileFacts> kept;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (!selected[i] && !selection.empty()) continue;
    facts[i].times_expected = ratio(took[i], should_take[i]);
    // Of 0 bytes beside bytes that were read the file's facts are not known (RNTuple).
    if (facts[i].bytes_read > 0 && whole_files)
      facts[i].times_read = facts[i].chunk_bytes / facts[i].bytes_read;
    kept.push_back(facts[i]);
  }
  return kept;
}

}  // namespace crema::runtime
