#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace crema {

/// A text as JSON, in quotes; bytes that are no UTF-8 become U+FFFD.
std::string json_text(std::string_view text);

/// Shortest decimal text that reads back as the same double; integers without a fraction; "" when
/// absent or not finite.
std::string number_text(double value);

/// Without blanks and line breaks at its ends.
std::string_view trimmed(std::string_view text);

/// What stands between any of `separators`, trimmed; nothing where there is nothing.
std::vector<std::string_view> split(std::string_view text, std::string_view separators);

/// The number that all of `text` is, with a point and no blanks; absent when it is none.
double parse_number(std::string_view text);

}  // namespace crema
