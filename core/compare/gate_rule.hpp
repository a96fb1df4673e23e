#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/numbers.hpp"

namespace crema::compare {

// The rules of `check`. A (the baseline) and B (the candidate) are the two sides; a rule is about
// B:
//
//     rule    = subject ( operator amount | "not worse" [ "by" margin ] )
//     subject = id | group ":" name [ "." measure ] | '"' any of these '"'
//     operator = "<" | "<=" | ">" | ">=" | "=="
//     amount  = NUMBER               of what has no unit, and 0 of all
//             | NUMBER UNIT          2.5 GB, 30 s, 5 kHz
//             | NUMBER "x"           times A
//             | NUMBER "% of A"
//             | ("+"|"-") NUMBER "%" A and so much of it more or less; not of percentages
//             | NUMBER "pp"          a percentage itself, in points of 100
//             | ("+"|"-") NUMBER "pp" A and so many points more or less
//     margin  = NUMBER "%" | NUMBER "% of A" | NUMBER "pp"
//
// Rules end at ";" and at line breaks, "#" begins a comment; neither does within quotes. Nothing
// else is a rule: what is nearly one is refused with its place and with the nearest right form.

/// A rule as it was written. What it means for a number depends on that number's unit: limit_of().
struct GateRule {
  enum class Must : std::uint8_t { be_less, be_at_most, be_more, be_at_least, be_equal, not_worse };
  enum class Kind : std::uint8_t { none, plain, times, percent, percent_of_a, points };

  std::string text;
  std::size_t line = 0;  ///< of the rules' text, from 1
  std::string subject;
  Must must = Must::not_worse;
  Kind kind = Kind::none;
  double number = absent;
  bool is_change = false;      ///< it has a sign: so much more or less than A
  std::string unit;            ///< of a plain number; "" when none was written
  std::size_t subject_at = 0;  ///< where it stands in `text`, quotes included
  std::size_t subject_end = 0;
  std::size_t amount_at = 0;  ///< where number and unit stand in `text`
  std::size_t amount_end = 0;

  bool is_about_verdict() const { return must == Must::not_worse; }
};

/// Reads all rules of a text. Throws Failure bad_option for the first that is none.
std::vector<GateRule> parse_gate_rules(std::string_view text);

/// Throws Failure bad_option: the rule cannot be used because of what stands from `begin` to `end`;
/// with `instead` in its place it could.
[[noreturn]] void refuse_rule(const GateRule& rule, std::size_t begin, std::size_t end,
                              const std::string& why, std::string_view instead);

/// What B is held against, in the number's unit: `id` and `unit` are the number's, `baseline` is
/// A's value. Absent when it needs A and A is absent. Throws Failure bad_option when the rule's
/// amount does not fit the number: another unit, a percent of a percentage.
double limit_of(const GateRule& rule, std::string_view id, std::string_view unit, double baseline);

/// By how much B may be worse, in the number's unit, at least 0. Absent and throws likewise.
double margin_of(const GateRule& rule, std::string_view id, std::string_view unit, double baseline);

/// Whether `value` keeps a rule that has a limit.
bool holds(const GateRule& rule, double value, double limit);

}  // namespace crema::compare
