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
/// It knows  . * + ? {n} {n,} {,m} {n,m} | ( ) (?: ) ^ $ \b \B  [abc] [a-z] [^…]
/// \d \w \s \D \W \S \t \n \r \f \v  and \ before a character that is no letter or digit to mean
/// that character. Letters match in either case (ASCII). It matches bytes, so `.` is one byte of a
/// character outside of ASCII, and such a byte is no part of a word. Back references, look-around
/// and possessive repeats do not exist here.
class Regex {
 public:
  /// Failure bad_option with what is wrong.
  explicit Regex(std::string_view pattern);

  /// Whether the expression matches anywhere in `text`.
  bool search(std::string_view text) const;

 private:
  enum class Kind : std::uint8_t { set, begin, end, boundary, no_boundary, split, match };
  struct State {
    Kind kind;
    std::uint32_t set = 0;    // of `sets_`
    int next = 1, other = 1;  // how far away the states are that may follow
  };
  friend class RegexCompiler;

  std::vector<State> states_;
  std::vector<std::bitset<256>> sets_;
};

}  // namespace crema::profile
