#include "tests/core/allocations.hpp"

#include <malloc.h>

#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t never = ~std::size_t{0};
std::size_t until_failure = never;
std::size_t least_size = 0;
std::size_t counted = 0;
std::size_t counted_bytes = 0;
std::size_t held_bytes = 0;

void release(void* memory) noexcept {
  if (memory != nullptr) held_bytes -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

namespace crema::test {

FailingAllocation::FailingAllocation(std::size_t nth, std::size_t least) {
  least_size = least;
  until_failure = nth;
}
FailingAllocation::~FailingAllocation() { until_failure = never; }
bool FailingAllocation::happened() { return until_failure == never; }

AllocationCount::AllocationCount() { counted = counted_bytes = 0; }
std::size_t AllocationCount::allocations() { return counted; }
std::size_t AllocationCount::bytes() { return counted_bytes; }
std::size_t AllocationCount::held() { return held_bytes; }

}  // namespace crema::test

// The standard lets a program bring its own; the forms for arrays end up in these.
void* operator new(std::size_t size) {
  ++counted;
  counted_bytes += size;
  const bool counts = until_failure != never && size >= least_size;
  const bool fails = counts && until_failure == 0;
  if (counts) --until_failure;  // below 0 is never
  void* const memory = fails ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  held_bytes += malloc_usable_size(memory);
  return memory;
}
// under the sanitizers the other forms are their own: all are here, so that what is freed was
// allocated in the same way
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
