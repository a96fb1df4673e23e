#pragma once

#include <string>
#include <string_view>

namespace crema::exports {

/// A text as the cell of a Markdown table shows it; a name may hold anything, bars and markup
/// included.
std::string markdown_cell(std::string_view text);

}  // namespace crema::exports
