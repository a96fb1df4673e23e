#include "core/model/chunks.hpp"

#include <algorithm>

namespace crema {

std::size_t Files::intern(StringId file_name) {
  const auto found = std::find(name.begin(), name.end(), file_name);
  if (found != name.end()) return static_cast<std::size_t>(found - name.begin());
  name.push_back(file_name);
  for (auto* column :
       {&compression_ratio, &branches_total, &tree_bytes, &bytes_read, &branches_read_fraction, &bytes_read_fraction}) {
    column->push_back(absent);
  }
  return name.size() - 1;
}

}  // namespace crema
