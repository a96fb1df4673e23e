#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace crema {

/// `value` of each of `items`: a member, or a function of one.
template <class Items, class Value>
std::vector<double> numbers_of(const Items& items, const Value& value) {
  std::vector<double> numbers;
  for (const auto& item : items) numbers.push_back(std::invoke(value, item));
  return numbers;
}

/// The one of `values` that `places` has under `key`; where it has none, `fresh`, behind the
/// others: values are in order of first appearance.
template <class Places, class Key, class T>
T& one_of(Places& places, const Key& key, std::vector<T>& values, T fresh = {}) {
  const auto [place, is_new] = places.try_emplace(key, values.size());
  if (is_new) values.push_back(std::move(fresh));
  return values[place->second];
}

}  // namespace crema
