#include "core/export/markdown.hpp"

#include "core/base/visible.hpp"

namespace crema::exports {

std::string markdown_cell(std::string_view text) {
  std::string out;
  for (const char c : visible(text)) {
    if (std::string_view("|\\`*_<[#").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace crema::exports
