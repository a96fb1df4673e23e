#include "core/base/order.hpp"

#include <algorithm>
#include <numeric>

namespace crema {

std::vector<std::uint32_t> places_in_order(std::size_t count, Before before, const void* less) {
  std::vector<std::uint32_t> places(count);
  std::iota(places.begin(), places.end(), 0U);
  std::stable_sort(places.begin(), places.end(),
                   [=](std::uint32_t a, std::uint32_t b) { return before(less, a, b); });
  return places;
}

}  // namespace crema
