#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace crema {

/// Whether the value at place `a` comes before that at `b`, by whatever `less` is.
using Before = bool (*)(const void* less, std::uint32_t a, std::uint32_t b);

/// The places 0 … count − 1 in order; those that come before none of each other stay as they are.
std::vector<std::uint32_t> places_in_order(std::size_t count, Before before, const void* less);

/// std::stable_sort of all `values`, at a tenth of its weight: the sort itself is there once, for
/// whatever is sorted. Where sorting is what takes time, std::sort is faster.
template <class T, class Less>
void sort_stably(std::vector<T>& values, const Less& less) {
  const std::pair<const T*, const Less*> by(values.data(), &less);
  const auto before = [](const void* of, std::uint32_t a, std::uint32_t b) {
    const auto& [first, is_less] = *static_cast<const std::pair<const T*, const Less*>*>(of);
    return static_cast<bool>((*is_less)(first[a], first[b]));
  };
  std::vector<T> sorted;
  sorted.reserve(values.size());
  for (const std::uint32_t place : places_in_order(values.size(), before, &by))
    sorted.push_back(std::move(values[place]));
  values.swap(sorted);
}

}  // namespace crema
