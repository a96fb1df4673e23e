#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

namespace crema {

// The standard's algorithms of the same names, of all `items`.

template <class Items, class Is>
bool any_of(const Items& items, const Is& is) {
  return std::any_of(std::begin(items), std::end(items), is);
}
template <class Items, class Is>
bool all_of(const Items& items, const Is& is) {
  return std::all_of(std::begin(items), std::end(items), is);
}
template <class Items, class Is>
bool none_of(const Items& items, const Is& is) {
  return std::none_of(std::begin(items), std::end(items), is);
}
template <class Items, class Is>
auto count_if(const Items& items, const Is& is) {
  return std::count_if(std::begin(items), std::end(items), is);
}

/// Whether `value` is one of `items`.
template <class Items, class Value>
bool contains(const Items& items, const Value& value) {
  return std::find(std::begin(items), std::end(items), value) != std::end(items);
}

/// The first of `items` that `is`; nullptr where none is.
template <class Items, class Is>
auto* first_where(Items& items, const Is& is) {
  const auto found = std::find_if(std::begin(items), std::end(items), is);
  return found == std::end(items) ? nullptr : &*found;
}

/// What `map` has under `key`; nullptr where it has nothing.
template <class Map, class Key>
auto* found_in(Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

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
