#include <unordered_map>

#include "core/facts/chunk_groups.hpp"
#include "core/facts/chunk_selection.hpp"
#include "core/facts/sections.hpp"
#include "core/questions/question.hpp"

namespace crema::questions::sections {

namespace {

constexpr Option by_option{.name = "by", .about = "a row for each dataset instead of one for all", .values = "dataset"};

/// What the selected chunks of one group spent in one section.
struct Section {
  StringId name;
  std::vector<double> seconds;  // of each chunk, whole
  double prorated = 0;
  double memory = absent, bytes = absent;
};

/// Chunks of one dataset, or all: their sections in order of first appearance.
struct Group {
  std::string_view dataset;
  double inside = 0;  // [s] inside process()
  std::vector<Section> sections;
  std::unordered_map<StringId, std::size_t> index;
  bool may_overlap = false;

  Section& section(StringId name) {
    const auto [entry, is_new] = index.try_emplace(name, sections.size());
    if (is_new) sections.push_back({name, {}, 0, absent, absent});
    return sections[entry->second];
  }
};

/// In order of the datasets' names, or one for all; those without sections are left out.
std::vector<Group> group_sections(const Run& run, const ChunkSelection& chosen, bool by_dataset) {
  const Chunks& c = run.chunks;
  const ChunkGroups& datasets = chunk_groups(run, ChunkKey::dataset);
  std::vector<Group> groups(by_dataset ? datasets.size() : 1);
  const auto group_of = [&](std::size_t i) -> Group& { return groups[by_dataset ? datasets.of[i] : 0]; };
  std::vector<double> per_chunk(c.size(), 0);
  for (const SectionValue& value : c.sections) {
    if (!chosen[value.chunk]) continue;
    Section& section = group_of(value.chunk).section(value.name);
    const double share = chosen.share[value.chunk];
    switch (value.kind) {
      case SectionValue::Kind::seconds:
        section.seconds.push_back(value.value);
        section.prorated += share * value.value;
        per_chunk[value.chunk] += value.value;
        break;
      case SectionValue::Kind::memory: section.memory = value_or(section.memory, 0) + value.value; break;
      case SectionValue::Kind::bytes: section.bytes = value_or(section.bytes, 0) + share * value.value; break;
    }
  }
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (!chosen[i]) continue;
    Group& group = group_of(i);
    const double share = chosen.share[i];
    if (!is_absent(c.duration[i])) group.inside += share == 1 ? c.duration[i] : share * c.duration[i];
    if (sections_exceed(per_chunk[i], c.duration[i])) group.may_overlap = true;
  }
  for (std::size_t i = 0; by_dataset && i < groups.size(); ++i) groups[i].dataset = datasets.name[i];
  std::erase_if(groups, [](const Group& group) { return group.sections.empty(); });
  return groups;
}

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const std::string by = options.text(by_option);
  const ChunkSelection chosen(run, selection);
  std::vector<Group> groups = group_sections(run, chosen, !by.empty());

  Table table;
  const auto dataset = by.empty() ? std::size_t{0} : table.add_text("dataset");
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
  bool any_overlap = false;
  for (Group& group : groups) {
    double accounted = 0;
    bool any_timed = false;
    for (Section& section : group.sections) {
      const Moments times = moments(section.seconds);
      const auto timed_in = static_cast<double>(section.seconds.size());
      const bool timed = timed_in > 0;
      std::erase_if(section.seconds, is_absent);
      if (!by.empty()) table.put_present(dataset, group.dataset);
      table.put(name, run.text(section.name));
      table.put(chunks, timed ? timed_in : absent);
      table.put(seconds, timed ? section.prorated : absent);
      table.put(share, timed ? ratio(section.prorated, group.inside) : absent);
      table.put(mean, times.mean);
      table.put(p95, quantile_of(section.seconds, 0.95));
      table.put(max, times.max);
      table.put(memory, section.memory);
      table.put(bytes, section.bytes);
      table.put(overlap, timed ? (group.may_overlap ? 1.0 : 0.0) : absent);
      accounted += section.prorated;
      any_timed = any_timed || timed;
    }
    any_overlap = any_overlap || group.may_overlap;
    if (!any_timed || group.may_overlap) continue;
    if (!by.empty()) table.put_present(dataset, group.dataset);
    table.put(name, "unaccounted");
    table.put(seconds, group.inside - accounted);
    table.put(share, ratio(group.inside - accounted, group.inside));
    for (const auto column : {chunks, mean, p95, max, memory, bytes}) table.put_missing(column);
    table.put(overlap, 0);
  }
  if (any_overlap) {
    table.note("overlap",
               "sections contain each other, or a name is used several times in a chunk: their times do not add up, and what "
               "they leave unaccounted cannot be told");
  }
  if (groups.empty())
    table.note("missing", "sections were not recorded; with track_time(self, \"name\"): inside process() records them");
  if (const std::string note = chunk_selection_note(selection); !note.empty()) table.note("selection", note);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "sections",
    .about = "named sections inside process()",
    .options = {&by_option},
    .narrowed_by = chunk_dimensions,
    .function = answer,
};

}  // namespace crema::questions::sections
