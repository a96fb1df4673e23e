#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace crema {

/// A string as a number: equal ids mean equal strings (within one StringPool).
using StringId = std::uint32_t;

/// The id of no string: "not recorded". Distinct from the id of "".
inline constexpr StringId no_string = 0xffffffffU;

/// Every distinct string once. Ids count from 0 in order of first sight; views stay valid for the
/// pool's life.
class StringPool {
 public:
  StringPool() = default;
  StringPool(StringPool&&) = default;
  StringPool& operator=(StringPool&&) = default;
  StringPool(const StringPool&) = delete;  // views would point into the other's strings
  StringPool& operator=(const StringPool&) = delete;

  StringId intern(std::string_view text);

  /// The id of `text`, or no_string when it was never interned.
  StringId find(std::string_view text) const;

  /// The text of `id`; "" for no_string.
  std::string_view operator[](StringId id) const {
    return id == no_string ? std::string_view{} : texts_[id];
  }

  std::size_t size() const { return texts_.size(); }

 private:
  /// A slot of a hash table with open addressing: a new text is hashed once and needs no node,
  /// which takes half the time of std::unordered_map.
  struct Slot {
    std::uint32_t hash = 0;
    StringId id = no_string;  ///< no_string: free
  };

  /// The slot of `text`, or the free slot it would take. There must be a free slot.
  std::size_t place_of(std::string_view text, std::uint32_t hash) const;
  void grow();

  std::deque<std::string> texts_;  // a deque never moves its elements
  std::vector<Slot> slots_;        // a power of two of them, at most half taken
};

}  // namespace crema
