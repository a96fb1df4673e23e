#include <algorithm>
#include <unordered_map>

#include "core/base/order.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/core_time/branches.hpp"

namespace crema::runtime {

namespace {

// Sections of a chunk: the recorded ones by number, before them what they leave over, and the time
// of chunks whose sections exceed them.
constexpr std::uint32_t in_none = 0, overlapping = 1, first_named = 2;

/// Core-seconds of one section in one dataset. Datasets may have sections of their own, so there
/// are far fewer cells than datasets times sections.
struct Cell {
  std::uint32_t dataset, section;
  double seconds;
};

struct Cells {
  std::vector<StringId> sections;  ///< their names, from `first_named` on
  std::vector<Cell> cells;         ///< those above 0, in order of dataset, then section
};

Cells cells_of(const Run& run, const ChunkSelection& chosen, const ChunkGroups& datasets) {
  const Chunks& c = run.chunks;
  Cells made;
  std::unordered_map<StringId, std::uint32_t> number;
  std::vector<double> in_sections(c.size(), 0);
  std::vector<std::vector<std::uint32_t>> of_chunk(c.size());  // its values' places in c.sections
  for (std::uint32_t k = 0; k < c.sections.size(); ++k) {
    const SectionValue& value = c.sections[k];
    if (value.kind != SectionValue::Kind::seconds || is_absent(value.value)) continue;
    in_sections[value.chunk] += value.value;
    of_chunk[value.chunk].push_back(k);
    const auto next = static_cast<std::uint32_t>(first_named + made.sections.size());
    if (number.try_emplace(value.name, next).second) made.sections.push_back(value.name);
  }
  std::vector<double> seconds(first_named + made.sections.size(), 0);  // of one dataset
  std::vector<std::uint32_t> used;
  const auto put = [&](std::uint32_t section, double amount) {
    if (!(amount > 0)) return;
    if (seconds[section] == 0) used.push_back(section);
    seconds[section] += amount;
  };
  for (std::uint32_t dataset = 0; dataset < datasets.size(); ++dataset) {
    for (const std::uint32_t i : datasets.members(dataset)) {
      const double share = chosen.share[i];
      const double whole = chunk_seconds(run, i);
      if (sections_exceed(in_sections[i], whole)) {
        put(overlapping, share * whole);
        continue;
      }
      put(in_none, std::max(0.0, share * whole - share * in_sections[i]));
      // A section may end a moment after its chunk: it gets no more than there is.
      const double fits = std::min(1.0, value_or(ratio(whole, in_sections[i]), 1));
      for (const std::uint32_t k : of_chunk[i])
        put(number[c.sections[k].name], share * c.sections[k].value * fits);
    }
    std::sort(used.begin(), used.end());
    for (const std::uint32_t section : used) {
      made.cells.push_back({dataset, section, seconds[section]});
      seconds[section] = 0;
    }
    used.clear();
  }
  return made;
}

Branch dataset_branch(std::string_view name, double seconds) {
  const char* const note = "Σ (t_end − t_start) over its chunks";
  return name.empty() ? part_of("dataset", "(no dataset)", seconds, note, "(no_dataset)")
                      : named_part("dataset", std::string(name), seconds, note);
}

Branch section_branch(const Run& run, std::uint32_t section, const std::vector<StringId>& names,
                      double seconds) {
  if (section == in_none)
    return part_of("no_section", "in no section", seconds, "time in process() outside all sections",
                   "(no_section)");
  if (section != overlapping)
    return named_part("section", std::string(run.text(names[section - first_named])), seconds,
                      "Σ of the section's seconds");
  Branch made = part_of("overlapping_sections", "overlapping sections", seconds,
                        "chunks whose sections sum to more than the chunk: nested, or used twice",
                        "(overlapping_sections)");
  made.node.certainty = "not known";
  return made;
}

}  // namespace

std::vector<Branch> chunk_branches(const TreeInput& input, bool datasets_first) {
  const Run& run = input.run;
  const ChunkGroups& datasets = chunk_groups(run, ChunkKey::dataset);
  Cells found = cells_of(run, ChunkSelection(run, input.selection), datasets);
  const bool any_section = !found.sections.empty();
  if (!datasets_first && !any_section) return {};
  const auto outer_of = [&](const Cell& cell) {
    return datasets_first ? cell.dataset : cell.section;
  };
  const auto branch = [&](bool is_dataset, const Cell& cell, double seconds) {
    Branch made = is_dataset ? dataset_branch(datasets.name[cell.dataset], seconds)
                             : section_branch(run, cell.section, found.sections, seconds);
    split_threads(made.node, input.of_processor);
    return made;
  };
  if (!datasets_first) {
    sort_stably(found.cells, [](const Cell& a, const Cell& b) { return a.section < b.section; });
  }
  std::vector<std::size_t> first;  // cell of each outer part
  std::vector<double> sums;
  for (std::size_t k = 0; k < found.cells.size(); ++k) {
    if (k == 0 || outer_of(found.cells[k]) != outer_of(found.cells[k - 1])) {
      first.push_back(k);
      sums.push_back(0);
    }
    sums.back() += found.cells[k].seconds;
  }
  first.push_back(found.cells.size());
  std::vector<Branch> branches;
  std::vector<double> seconds;
  for (const std::uint32_t outer : most_first(sums)) {
    const std::span cells(found.cells.data() + first[outer], found.cells.data() + first[outer + 1]);
    Branch& made = branches.emplace_back(branch(datasets_first, cells.front(), sums[outer]));
    if (datasets_first && !any_section) continue;
    seconds.clear();
    for (const Cell& cell : cells) seconds.push_back(cell.seconds);
    for (const std::uint32_t k : most_first(seconds))
      made.below.push_back(branch(!datasets_first, cells[k], cells[k].seconds));
  }
  return branches;
}

}  // namespace crema::runtime
