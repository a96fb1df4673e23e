#include "cli/screen.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

#include "core/base/text.hpp"

namespace crema::cli {

namespace {

using Row = std::vector<std::string>;

/// Without the signs of Markdown: `**`, backquotes, and backslashes before what would be one.
std::string plain(std::string_view text) {
  std::string found;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) found += text[++i];
    else if (text[i] != '*' && text[i] != '`') found += text[i];
  }
  return found;
}

/// The cells of a row between its bars.
Row cells_of(std::string_view line) {
  Row cells;
  std::string cell;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '|' && line[i - 1] != '\\') {
      cells.push_back(plain(trimmed(cell)));
      cell.clear();
    } else {
      cell += line[i];
    }
  }
  return cells;
}

std::string coloured(const std::string& text, std::string_view meaning, const Style& style) {
  if (meaning == "worse" || meaning == "broken") return style.red(text);
  if (meaning == "better" || meaning == "kept") return style.green(text);
  return text;
}

/// In columns that fit the width, the widest text cut; Markdown's second row says which are to the
/// right.
std::string table_text(std::vector<Row> rows, std::size_t width, const Style& style) {
  const Row sides = rows.size() > 1 ? rows[1] : Row();
  if (rows.size() > 1) rows.erase(rows.begin() + 1);
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::size_t all = 0;
  for (const std::size_t one : widths) all += one > 0 ? 2 + one : 0;
  if (const auto longest = std::max_element(widths.begin(), widths.end()); all > width) {
    const auto place = static_cast<std::size_t>(longest - widths.begin());
    *longest -= std::min(all - width, *longest / 2);
    for (Row& row : rows) {
      if (place < row.size()) row[place] = shortened(row[place], *longest);
    }
  }
  std::string text;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const Row& row = rows[at];
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths[i] == 0) continue;
      const bool right = i < sides.size() && sides[i].ends_with(":");
      const bool is_last = std::all_of(row.begin() + static_cast<std::ptrdiff_t>(i) + 1, row.end(),
                                       [](const std::string& cell) { return cell.empty(); });
      const std::string cell = is_last && !right ? row[i] : padded(row[i], widths[i], right);
      line += "  " + coloured(cell, row[i], style);
      if (is_last) break;
    }
    text += (at == 0 ? style.dim(line) : line) + "\n";
  }
  return text;
}

}  // namespace

std::string screen_text(const std::string& markdown, std::size_t width, const Style& style) {
  std::istringstream lines(markdown);
  std::string text;
  std::vector<Row> rows;
  const auto end_table = [&] {
    if (!rows.empty()) text += table_text(std::move(rows), width, style);
    rows.clear();
  };
  for (std::string line; std::getline(lines, line) && !line.starts_with("<details>");) {
    if (line.starts_with("|")) {
      rows.push_back(cells_of(line));
      continue;
    }
    end_table();
    if (line.empty()) text += '\n';
    else if (line.starts_with("#"))
      text += style.bold(plain(line.substr(line.find(' ') + 1))) + '\n';
    else if (line.starts_with("* ")) text += wrapped("• " + plain(line.substr(2)), width, "  ");
    else if (line.starts_with("**")) text += style.bold(wrapped(plain(line), width, ""));
    else text += wrapped(plain(line), width, "");
  }
  end_table();
  return text.substr(0, text.find_last_not_of('\n') + 1) + '\n';
}

}  // namespace crema::cli
