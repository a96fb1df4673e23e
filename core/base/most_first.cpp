#include "core/base/most_first.hpp"

#include <numeric>

#include "core/base/order.hpp"

namespace crema {

std::vector<std::uint32_t> most_first(std::span<const double> values) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  sort_stably(order, [&](std::uint32_t a, std::uint32_t b) { return values[a] > values[b]; });
  return order;
}

}  // namespace crema
