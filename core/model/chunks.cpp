#include "core/model/chunks.hpp"

namespace crema {

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
