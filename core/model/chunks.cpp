#include "core/model/chunks.hpp"

#include <algorithm>
#include <array>

namespace crema {

namespace {

constexpr std::array text_columns = {&Chunks::dataset, &Chunks::file, &Chunks::error};
constexpr std::array number_columns = {&Chunks::entry_start,
                                       &Chunks::entry_stop,
                                       &Chunks::t_start,
                                       &Chunks::t_end,
                                       &Chunks::duration,
                                       &Chunks::events,
                                       &Chunks::bytes_read,
                                       &Chunks::memory_before,
                                       &Chunks::memory_after,
                                       &Chunks::memory_delta,
                                       &Chunks::branches_accessed,
                                       &Chunks::accessed_bytes,
                                       &Chunks::accessed_uncompressed_bytes,
                                       &Chunks::branches_read_fraction,
                                       &Chunks::bytes_read_fraction};

}  // namespace

std::uint32_t Chunks::set_of(std::vector<StringId> branches) {
  const auto found = std::find(branch_sets.begin(), branch_sets.end(), branches);
  const auto number = static_cast<std::uint32_t>(found - branch_sets.begin());
  if (found == branch_sets.end()) branch_sets.push_back(std::move(branches));
  return number;
}

void Chunks::append(const Chunks& part) {
  const auto first = static_cast<std::uint32_t>(size());
  const auto add = [](auto& into, const auto& from) {
    into.insert(into.end(), from.begin(), from.end());
  };
  for (const auto column : text_columns) add(this->*column, part.*column);
  for (const auto column : number_columns) add(this->*column, part.*column);
  for (const std::uint32_t set : part.branch_set)
    branch_set.push_back(set == no_set ? no_set : set_of(part.branch_sets[set]));
  for (SectionValue section : part.sections) {
    section.chunk += first;
    sections.push_back(section);
  }
  for (const auto& [name, column] : part.extra) {
    std::vector<double>& into = extra[name];
    into.resize(first, absent);
    add(into, column);
  }
  from_rows = part.from_rows;
}

void Chunks::keep(const std::vector<bool>& kept) {
  std::vector<std::uint32_t> number(kept.size(), 0);  // of each chunk afterwards
  for (std::uint32_t i = 1; i < kept.size(); ++i) number[i] = number[i - 1] + (kept[i - 1] ? 1 : 0);
  // Columns may be shorter than the list: what they lack is absent.
  each_column([&](auto& column) {
    std::size_t to = 0;
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (kept[i]) column[to++] = column[i];
    }
    column.resize(to);
  });
  std::erase_if(sections, [&](const SectionValue& section) { return !kept[section.chunk]; });
  for (SectionValue& section : sections) section.chunk = number[section.chunk];
}

std::size_t Files::find(StringId file_name) const {
  const auto found = index_.find(file_name);
  return found == index_.end() ? size() : found->second;
}

std::size_t Files::intern(StringId file_name) {
  const auto [entry, is_new] = index_.try_emplace(file_name, name.size());
  if (!is_new) return entry->second;
  name.push_back(file_name);
  for (auto* column : {&compression_ratio, &branches_total, &tree_bytes, &bytes_read,
                       &branches_read_fraction, &bytes_read_fraction}) {
    column->push_back(absent);
  }
  return name.size() - 1;
}

}  // namespace crema
