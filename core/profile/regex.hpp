#pragma once

#include <bitset>
#include <cstdint>
#include <string_view>
#include <vector>

namespace crema::profile {

/// A small regular expression that cannot run away: all possibilities are followed at once
/// (Thompson's construction), so that a search takes length of text x length of expression steps at
/// most. std::regex is recursive, exponential, and larger than the rest of this folder.
///
/// Known are  . * + ? | ( ) ^ $  [abc] [a-z] [^…]  \d \w \s \D \W \S  and \ before any other
/// character to mean itself. Letters match whatever their case (ASCII). Bytes count, so that `.` is
/// one byte of a character outside of ASCII. Not known: {n,m}, back references, look-around, lazy
/// and possessive repeats.
class Regex {
 public:
  /// Failure bad_option with what is wrong.
  explicit Regex(std::string_view pattern);

  /// Whether the expression matches anywhere in `text`.
  bool search(std::string_view text) const;

 private:
  enum class Kind : std::uint8_t { set, begin, end, split, match };
  struct State {
    Kind kind;
    std::uint32_t set = 0;  // of `sets_`
    std::uint32_t next = 0, other = 0;
  };
  friend class RegexCompiler;

  std::vector<State> states_;
  std::vector<std::bitset<256>> sets_;
  std::uint32_t start_ = 0;
};

}  // namespace crema::profile
