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

std::string coloured(const std::string& text, const Style& style) {
  return text == "worse" ? style.red(text) : text == "better" ? style.green(text) : text;
}

/// In columns that fit the width: names that are too long go on below. Markdown's second row says
/// which columns are to the right.
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
  if (all > width) widths.front() -= std::min(all - width, widths.front() / 2);
  std::string text;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const Row& row = rows[at];
    const std::vector<std::string> names = lines_of(row.front(), widths.front(), " ");
    std::string line = "  " + padded(names.front(), widths.front(), false);
    for (std::size_t i = 1; i < row.size(); ++i) {
      const bool right = i < sides.size() && sides[i].ends_with(":");
      if (widths[i] > 0) line += "  " + padded(coloured(row[i], style), widths[i], right);
    }
    line.resize(line.find_last_not_of(' ') + 1);
    for (std::size_t i = 1; i < names.size(); ++i) line += "\n  " + names[i];
    text += (at == 0 ? style.dim(line) : line) + "\n";
  }
  return text;
}

}  // namespace

std::string screen_text(const std::string& markdown, std::size_t width, const Style& style) {
  std::istringstream lines(markdown);
  std::string text;
  std::vector<Row> rows;
  bool below_heading = false;
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
    const bool is_heading = line.starts_with("#");
    if (line.empty()) text += below_heading ? "" : "\n";
    else if (is_heading) text += style.bold(plain(line.substr(line.find(' ') + 1))) + '\n';
    else if (line.starts_with("* ")) text += wrapped("• " + plain(line.substr(2)), width, "  ");
    else if (line.starts_with("**")) text += style.bold(wrapped(plain(line), width, ""));
    else text += wrapped(plain(line), width, "");
    below_heading = is_heading;
  }
  end_table();
  return text.substr(0, text.find_last_not_of('\n') + 1) + '\n';
}

}  // namespace crema::cli
