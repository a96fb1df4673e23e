#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json/simd.hpp"

namespace crema::read {

/// Keeps look-ups of keys that come in the same order again and again, as the members of records
/// do. The key that came at this place last time is tried first.
template <class Found>
class InOrder {
 public:
  /// The first key comes next.
  void rewind() { place_ = 0; }

  /// What belongs to `key`: known from last time, else `find(key)`.
  template <class Find>
  Found of(std::string_view key, const Find& find) {
    if (place_ < known_.size() && is_same(known_[place_].first, key))
      return known_[place_++].second;
    const Found found = find(key);
    if (place_ < most) {
      known_.resize(place_++);
      known_.emplace_back(key, found);
    }
    return found;
  }

 private:
  static constexpr std::size_t most = 256;  // longer records are looked up from there on

  // not by memcmp, which in WebAssembly goes byte by byte
  static bool is_same(std::string_view a, std::string_view b) {
    return a.size() == b.size() && json::simd::same_bytes(a.data(), b.data(), a.size());
  }

  std::vector<std::pair<std::string, Found>> known_;
  std::size_t place_ = 0;
};

}  // namespace crema::read
