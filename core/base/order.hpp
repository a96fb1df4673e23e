#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace crema {

/// Whether the value at place `a` comes before the one at `b`; `less` is the caller's context.
using Before = bool (*)(const void* less, std::uint32_t a, std::uint32_t b);

/// The places 0 … count − 1 in sorted order; ties keep their order.
std::vector<std::uint32_t> places_in_order(std::size_t count, Before before, const void* less);

/// std::stable_sort of all `values` with a tenth of its code: the sort is compiled once for all
/// types. Where time matters more than weight, std::sort is faster.
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

/// Indices of `values`, largest first; of equal ones the earlier first.
std::vector<std::uint32_t> most_first(std::span<const double> values);

/// Calls `take` for those of [at, end) that match, until `most_taken` were taken or `most_seen`
/// were looked at.
template <class Place, class Matches, class Take>
void take_first(Place at, Place end, std::size_t most_seen, std::size_t most_taken,
                const Matches& matches, const Take& take) {
  for (std::size_t taken = 0; at != end && most_seen > 0 && taken < most_taken; ++at, --most_seen) {
    if (!matches(*at)) continue;
    take(*at);
    ++taken;
  }
}

/// The places of `texts` in the order of their bytes; equal texts in any order.
std::vector<std::uint32_t> text_order(std::span<const std::string_view> texts);

}  // namespace crema
