#include "core/analyse/sections.hpp"

#include <unordered_map>

#include "core/analyse/questions.hpp"

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

Table sections(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  const Run& run = *runs[0];
  const ChunkSelection chosen(run, selection);
  const SectionSums sums = sum_sections(run, chosen);

  struct Section {
    StringId name;
    std::vector<double> seconds;  // of each chunk, whole
    double prorated = 0;
    double memory = absent, bytes = absent;
  };
  std::vector<Section> found;
  std::unordered_map<StringId, std::size_t> index;
  for (const SectionValue& value : run.chunks.sections) {
    if (!chosen[value.chunk]) continue;
    const auto [entry, is_new] = index.try_emplace(value.name, found.size());
    if (is_new) found.push_back({value.name, {}, 0, absent, absent});
    Section& section = found[entry->second];
    const double share = chosen.share[value.chunk];
    switch (value.kind) {
      case SectionValue::Kind::seconds:
        section.seconds.push_back(value.value);
        section.prorated += share * value.value;
        break;
      case SectionValue::Kind::memory: section.memory = value_or(section.memory, 0) + value.value; break;
      case SectionValue::Kind::bytes: section.bytes = value_or(section.bytes, 0) + share * value.value; break;
    }
  }
  const double inside = value_or(chosen.prorated_sum(run.chunks.duration), 0);

  Table table;
  const auto name = table.add_text("name");
  const auto chunks = table.add_number("chunks", "count", "chunks in which it was timed");
  const auto seconds = table.add_number("seconds", "s", "Σ over chunks, cut to the selected time");
  const auto share = table.add_number("share_of_process", "1", "seconds / time inside process()");
  const auto mean = table.add_number("mean", "s", "per chunk");
  const auto p95 = table.add_number("p95", "s", "per chunk");
  const auto max = table.add_number("max", "s", "per chunk");
  const auto memory = table.add_number("memory_delta", "byte", "Σ changes of the process's resident memory");
  const auto bytes = table.add_number("bytes", "byte", "Σ bytes read in it");
  const auto overlap =
      table.add_flag("may_overlap", "in some chunk the sections exceed the duration: nested, or used several times");
  for (const Section& section : found) {
    const std::vector<double> sorted = sorted_present(section.seconds);
    const bool timed = !section.seconds.empty();
    table.put(name, run.text(section.name));
    table.put(chunks, timed ? static_cast<double>(section.seconds.size()) : absent);
    table.put(seconds, timed ? section.prorated : absent);
    table.put(share, timed ? ratio(section.prorated, inside) : absent);
    table.put(mean, moments(section.seconds).mean);
    table.put(p95, quantile(sorted, 0.95));
    table.put(max, sorted.empty() ? absent : sorted.back());
    table.put(memory, section.memory);
    table.put(bytes, section.bytes);
    table.put(overlap, timed ? (sums.may_overlap ? 1.0 : 0.0) : absent);
  }
  if (!sums.seconds.empty() && !sums.may_overlap) {
    double accounted = 0;
    for (const auto& [section, sum] : sums.seconds) accounted += sum;
    table.put(name, "unaccounted");
    table.put(seconds, inside - accounted);
    table.put(share, ratio(inside - accounted, inside));
    for (const auto column : {chunks, mean, p95, max, memory, bytes}) table.put_missing(column);
    table.put(overlap, 0);
  }
  if (sums.may_overlap) {
    table.note("overlap",
               "sections contain each other, or a name is used several times in a chunk: their times do not add up, and what "
               "they leave unaccounted cannot be told");
  }
  if (found.empty())
    table.note("missing", "sections were not recorded; with track_time(self, \"name\"): inside process() records them");
  if (const std::string note = chunk_selection_note(selection); !note.empty()) table.note("selection", note);
  return table;
}

}  // namespace crema
