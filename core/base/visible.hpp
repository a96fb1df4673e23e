#pragma once

#include <string>
#include <string_view>

namespace crema {

/// `text` so that a terminal shows it and obeys none of it: control characters (C0, DEL, C1), line
/// separators, characters that change the direction of writing, and bytes that are no UTF-8 become
/// escapes such as "\n", "\x1b", "\u202e". Other text, whatever its language, stays as it is.
std::string visible(std::string_view text);

}  // namespace crema
