#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crema {

/// Indices of `values`, largest first; of equal ones the earlier first.
std::vector<std::uint32_t> most_first(std::span<const double> values);

}  // namespace crema
