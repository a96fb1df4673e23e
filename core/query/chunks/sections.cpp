// What the analysis itself timed and counted in its chunks: `sections`, `custom_metrics`.
#include <map>
#include <utility>

#include "core/base/collect.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"

namespace crema::query::sections {

/// What the selected chunks of one group spent in one section.
struct Section {
  StringId name;
  std::vector<double> seconds;  // of each chunk, whole
  double prorated = 0;
  double events = 0;  // of these chunks, likewise
  double memory = absent, bytes = absent;
  double entries = 0, entered = 0;  // how often it was entered, and by how many chunks
  std::uint32_t last_entered = no_row;
};

/// Chunks of one dataset, or all: their sections in order of first appearance.
struct Group {
  std::string_view dataset;
  double inside = 0;  // [s] inside process()
  double events = 0;
  std::vector<Section> sections;
  std::unordered_map<StringId, std::size_t> index;
  bool may_overlap = false;

  Section& section(StringId name) {
    return one_of(index, name, sections, {.name = name, .seconds = {}});
  }
};

/// In order of the datasets' names, or one for all; those without sections are left out.
static std::vector<Group> group_sections(const Run& run, const ChunkSelection& chosen,
                                         bool by_dataset) {
  const Chunks& c = run.chunks;
  const ChunkGroups& datasets = chunk_groups(run, ChunkKey::dataset);
  std::vector<Group> groups(by_dataset ? datasets.size() : 1);
  const auto group_of = [&](std::size_t i) -> Group& {
    return groups[by_dataset ? datasets.of[i] : 0];
  };
  std::vector<double> per_chunk(c.size(), 0);
  for (const SectionValue& value : c.sections) {
    if (!chosen[value.chunk]) continue;
    Section& section = group_of(value.chunk).section(value.name);
    const double share = chosen.share[value.chunk];
    switch (value.kind) {
      case SectionValue::Kind::seconds:
        section.seconds.push_back(value.value);
        section.prorated += share * value.value;
        section.events += share * value_or(c.events[value.chunk], 0);
        per_chunk[value.chunk] += value.value;
        break;
      case SectionValue::Kind::memory:
        section.memory = value_or(section.memory, 0) + value.value;
        break;
      case SectionValue::Kind::bytes:
        section.bytes = value_or(section.bytes, 0) + share * value.value;
        break;
    }
  }
  for (const SectionEntry& entry : section_entries(run)) {
    if (!chosen[entry.chunk]) continue;
    Section& section = group_of(entry.chunk).section(entry.section);
    section.entries += entry.times;
    if (std::exchange(section.last_entered, entry.chunk) != entry.chunk) section.entered += 1;
  }
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (!chosen[i]) continue;
    Group& group = group_of(i);
    const double share = chosen.share[i];
    if (!is_absent(c.duration[i]))
      group.inside += share == 1 ? c.duration[i] : share * c.duration[i];
    group.events += share * value_or(c.events[i], 0);
    if (sections_exceed(per_chunk[i], c.duration[i])) group.may_overlap = true;
  }
  for (std::size_t i = 0; by_dataset && i < groups.size(); ++i)
    groups[i].dataset = datasets.name[i];
  std::erase_if(groups, [](const Group& group) { return group.sections.empty(); });
  return groups;
}

/// A section of the chunks of a dataset, or of all.
struct Row {
  std::string_view dataset, name;
  std::string_view kind = "section";
  double chunks = absent, seconds = absent, share = absent;
  double per_event = absent;
  double mean = absent, p95 = absent, max = absent;
  double entries = absent;
  double memory = absent, bytes = absent;
  double may_overlap = absent;
};
const Columns<Row> columns = {
    {OneOf{by_dataset_option.values}, &Row::dataset},
    {"name", as_given, &Row::name},
    {"chunks", "count", &Row::chunks, "chunks in which it was timed"},
    {"seconds", "s", &Row::seconds, "Σ over chunks, cut to the selected time"},
    {"share_of_process", "1", &Row::share, "seconds / time inside process()"},
    {"seconds_per_event", "s", &Row::per_event, "seconds / events of those chunks"},
    {"mean", "s", &Row::mean, "per chunk"},
    {"p95", "s", &Row::p95, "per chunk"},
    {"max", "s", &Row::max, "per chunk"},
    {"entries", "count", &Row::entries,
     "how often a chunk that entered it did so, on average; where tasks recorded it"},
    {"memory_delta", "byte", &Row::memory, "Σ changes of the process's resident memory"},
    {"bytes", "byte", &Row::bytes, "Σ bytes read in it"},
    {"may_overlap", as_flag, &Row::may_overlap,
     "in some chunk the sections exceed the duration: nested, or used several times"},
    // "unaccounted" is what the sections leave of process(); a section may have that name, too.
    {"kind", &Row::kind},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const std::string by = options.text(by_dataset_option);
  const ChunkSelection chosen(run, selection);
  std::vector<Group> groups = group_sections(run, chosen, !by.empty());
  std::vector<Row> found;
  bool any_overlap = false;
  for (Group& group : groups) {
    double accounted = 0;
    bool any_timed = false;
    for (Section& section : group.sections) {
      const Moments times = moments(section.seconds);
      const bool timed = !section.seconds.empty();
      Row& row = found.emplace_back(Row{.dataset = group.dataset, .name = run.text(section.name)});
      if (timed) {
        row.chunks = static_cast<double>(section.seconds.size());
        row.seconds = section.prorated;
        row.share = ratio(section.prorated, group.inside);
        row.per_event = ratio(section.prorated, section.events);
        row.may_overlap = group.may_overlap ? 1 : 0;
      }
      std::erase_if(section.seconds, is_absent);
      row.mean = times.mean;
      row.p95 = quantile_of(section.seconds, 0.95);
      row.max = times.max;
      row.entries = ratio(section.entries, section.entered);
      row.memory = section.memory;
      row.bytes = section.bytes;
      accounted += section.prorated;
      any_timed = any_timed || timed;
    }
    any_overlap = any_overlap || group.may_overlap;
    if (!any_timed || group.may_overlap) continue;
    const double left = group.inside - accounted;
    found.push_back({.dataset = group.dataset,
                     .name = "unaccounted",
                     .kind = "unaccounted",
                     .seconds = left,
                     .share = ratio(left, group.inside),
                     .per_event = ratio(left, group.events),
                     .may_overlap = 0});
  }

  Table table = columns.table(found, {}, {.name = by});
  if (any_overlap) {
    say(table, notes::sections_overlap);
  }
  if (groups.empty()) say(table, notes::no_sections);
  note_chunk_selection(table, run, selection);
  return table;
}

extern const Question question("sections", "named sections inside process()", columns, answer,
                               {.options = {&by_dataset_option}, .narrowed_by = chunk_dimensions});

}  // namespace crema::query::sections

namespace crema::query::custom_metrics {

/// A number of a group of chunks.
struct Number {
  std::string_view dataset, name;
  Moments all;
  double p50, p95;
};

const Columns<Number> columns = {
    {OneOf{by_dataset_option.values}, &Number::dataset},
    {"name", &Number::name},
    {"chunks", "count", [](const Number& n) { return n.all.count; }, "chunks that have it"},
    {"sum", "", [](const Number& n) { return n.all.sum; }, "over those chunks, each whole"},
    {"mean", "", [](const Number& n) { return n.all.mean; }},
    {"min", "", [](const Number& n) { return n.all.min; }},
    {"p50", "", &Number::p50},
    {"p95", "", &Number::p95},
    {"max", "", [](const Number& n) { return n.all.max; }},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const Chunks& c = run.chunks;
  const std::string by = options.text(by_dataset_option);
  const ChunkSelection chosen(run, selection);
  std::map<std::string_view, std::vector<std::size_t>>
      groups;  // by name: the same order whatever the selection
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (chosen[i]) groups[by.empty() ? std::string_view{} : run.text(c.dataset[i])].push_back(i);
  }

  std::vector<Number> numbers;
  for (const auto& [group, members] : groups) {
    for (const auto& [key, values] : c.extra) {
      std::vector<double> picked;
      for (const std::size_t i : members) picked.push_back(i < values.size() ? values[i] : absent);
      const Moments all = moments(picked);
      if (all.count == 0) continue;
      const std::vector<double> sorted = sorted_present(picked);
      numbers.push_back({group, key, all, quantile(sorted, 0.5), quantile(sorted, 0.95)});
    }
  }

  Table table = columns.table(numbers, {}, {.name = by});
  if (!run.chunks_recorded) say(table, notes::no_chunks);
  else if (c.extra.empty()) say(table, notes::no_custom_metrics);
  note_chunk_selection(table, run, selection);
  return table;
}

extern const Question question("custom_metrics",
                               "numbers that the analysis itself recorded per chunk", columns,
                               answer,
                               {.options = {&by_dataset_option}, .narrowed_by = chunk_dimensions});

}  // namespace crema::query::custom_metrics
