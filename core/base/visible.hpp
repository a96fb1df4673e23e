#pragma once

#include <string>
#include <string_view>

namespace crema {

/// Makes `text` safe to print in a terminal: control characters (C0, DEL, C1), line separators,
/// characters that change the direction of writing, and bytes that are not UTF-8 become escapes
/// such as "\n", "\x1b", "\u202e". Other text stays as it is, in any language.
std::string visible(std::string_view text);

}  // namespace crema
