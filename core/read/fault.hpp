#pragma once

#include <cstddef>

namespace crema::read {

/// How often something is wrong in a list, and where first.
struct Fault {
  std::size_t count = 0;
  std::size_t first = 0;
  void at(std::size_t index) {
    if (count++ == 0) first = index;
  }
};

}  // namespace crema::read
