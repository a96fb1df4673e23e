#pragma once

#include <cstddef>

namespace crema::test {

/// While it lives, one allocation fails as when there is not enough memory: of those of `least`
/// bytes or more the `nth` from its beginning, counted from 0. One at a time.
class FailingAllocation {
 public:
  explicit FailingAllocation(std::size_t nth, std::size_t least = 0);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;

  /// Whether it has failed by now; not so where fewer were made.
  static bool happened();
};

/// How many allocations were made, and how many bytes were asked for, from its beginning on. One at
/// a time.
class AllocationCount {
 public:
  AllocationCount();
  static std::size_t allocations();
  static std::size_t bytes();
  static std::size_t held();  ///< [byte] allocated and not freed, by whomever
};

}  // namespace crema::test
