#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace crema {

/// A string as a number: equal ids mean equal strings (within one StringPool).
using StringId = std::uint32_t;

/// The id of no string: "not recorded". Distinct from the id of "".
inline constexpr StringId no_string = 0xffffffffU;

/// Every distinct string once. Ids count from 0 in order of first sight; views stay valid for the pool's life.
class StringPool {
 public:
  StringPool() = default;
  StringPool(StringPool&&) = default;
  StringPool& operator=(StringPool&&) = default;
  StringPool(const StringPool&) = delete;  // the map views the deque's strings
  StringPool& operator=(const StringPool&) = delete;

  StringId intern(std::string_view text);

  /// The id of `text`, or no_string when it was never interned.
  StringId find(std::string_view text) const;

  /// The text of `id`; "" for no_string.
  std::string_view operator[](StringId id) const { return id == no_string ? std::string_view{} : texts_[id]; }

  std::size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;  // a deque never moves its elements: the map's keys view them
  std::unordered_map<std::string_view, StringId> ids_;
};

}  // namespace crema
