#pragma once

#include <string>

#include "cli/layout.hpp"

namespace crema::cli {

/// A report in Markdown as a screen of a terminal: paragraphs wrapped, tables in columns, what is
/// better and worse in colour. What is folded away (`<details>`) is left out.
std::string screen_text(const std::string& markdown, std::size_t width, const Style& style);

}  // namespace crema::cli
