#include "core/model/chunks.hpp"

namespace crema {

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
