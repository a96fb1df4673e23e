#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace crema {

/// `text` as a quoted JSON string; bytes that are not UTF-8 become U+FFFD.
std::string json_text(std::string_view text);

/// Shortest decimal text that reads back as the same double; integers without a fraction; "" when
/// absent or not finite.
std::string number_text(double value);

/// `text` without blanks and line breaks at its ends.
std::string_view trimmed(std::string_view text);

/// Splits at any of `separators` and trims the pieces; empty ones are left out.
std::vector<std::string_view> split(std::string_view text, std::string_view separators);

/// Parses all of `text` as a number with a decimal point; absent when it is not one.
double parse_number(std::string_view text);

}  // namespace crema
