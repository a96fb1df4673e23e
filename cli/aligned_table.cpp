#include "cli/aligned_table.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "cli/layout.hpp"
#include "core/base/numbers.hpp"
#include "core/base/text.hpp"

namespace crema::cli {

namespace {

std::string cell(const Table& table, const Column& column, std::size_t row) {
  if (column.type == Column::Type::text) {
    if (column.texts[row] == no_string) return "–";
    std::string text(table.strings[column.texts[row]]);
    // A row is one line, whatever its texts are.
    std::replace(text.begin(), text.end(), '\n', ' ');
    return visible(text);
  }
  std::string text;
  for (std::size_t i = 0; i < column.width; ++i) {
    const double value = column.numbers[row * column.width + i];
    if (i > 0) text += ' ';
    if (is_absent(value)) text += "–";
    else if (column.type == Column::Type::flag) text += value != 0 ? "yes" : "no";
    else text += number_text(value);
  }
  return text;
}

std::string header(const Column& column) {
  const bool unitless =
      column.unit.empty() || column.unit == "count" || column.unit == "as the row's unit";
  return visible(column.name) + (unitless ? "" : " [" + visible(column.unit) + "]");
}

struct Layout {
  std::vector<const Column*> columns;
  std::vector<std::size_t> widths;
  std::vector<bool> is_name;
};

/// Every digit of a number, or those that people read. Code goes on below, as it is to be pasted.
std::string note_text(const Note& note, std::string (*said)(double)) {
  const std::string name = "# " + visible(note.name) + ": ";
  if (const double* number = std::get_if<double>(&note.value); number != nullptr)
    return name + (is_absent(*number) ? "–" : said(*number));
  const std::string& text = std::get<std::string>(note.value);
  if (text.find('\n') == std::string::npos) return name + visible(text);
  std::string lines = "# " + visible(note.name) + ":";
  for (const std::string_view line : split(trimmed(text), "\n")) lines += "\n" + visible(line);
  return lines;
}

std::string short_cell(const Table& table, const Column& column, std::size_t row) {
  if (column.type != Column::Type::number || column.width != 1) return cell(table, column, row);
  const double value = column.numbers[row];
  if (column.unit == "byte") return format_quantity(column.name, column.unit, value);
  return is_absent(value) ? "–" : format_number(value);
}

std::string short_header(const Column& column) {
  return column.unit == "byte" && column.width == 1 ? visible(column.name) : header(column);
}

constexpr std::size_t short_text = 14;  // so short a column is taken before longer texts
constexpr std::size_t least_name = 24;  // so much room has a name at least; it goes on below
constexpr std::size_t least_text = 30;  // so much is shown of another text at least, or nothing
constexpr std::size_t widest_id = 24;   // so much of an id beside a name

/// Which columns are taken first.
enum class Rank : std::uint8_t {
  names,        ///< what a row is called: the first column where no other says it
  tells_apart,  ///< numbers and short texts that differ between rows
  is_long,      ///< texts that differ, and ids of rows that have a name
  is_equal,     ///< in all rows
  is_missing,   ///< likewise, and never shown
};

/// What programs call a row, or the one that it is part of.
bool is_id(const Column& column) {
  return column.name == "id" || column.name == "part" || column.name == "parent";
}

/// What people call a row that has an id.
bool is_name(const Column& column) {
  constexpr std::array names = {"title", "label", "message", "rule"};
  return std::find(names.begin(), names.end(), column.name) != names.end();
}

Rank rank_of(const Table& table, std::size_t at, std::size_t width, bool has_names) {
  const Column& column = table.columns[at];
  bool all_equal = table.rows() > 1, all_missing = true;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string text = cell(table, column, row);
    all_equal = all_equal && text == cell(table, column, 0);
    all_missing = all_missing && (text.empty() || text == "–");
  }
  if (all_missing) return Rank::is_missing;
  if (all_equal) return Rank::is_equal;
  if (is_name(column)) return Rank::names;
  if (has_names && is_id(column)) return Rank::is_long;
  if (at == 0) return Rank::names;
  const bool is_long = column.type == Column::Type::text && width > short_text;
  return is_long ? Rank::is_long : Rank::tells_apart;
}

constexpr std::string_view header_breaks = " _";

/// Which columns fit: their least widths first, then what is left to names and headers.
Layout fitted(const Table& table, std::size_t width) {
  constexpr std::size_t space = 2;
  std::vector<std::size_t> cells, taken(table.columns.size(), 0);  // 0 = left out
  std::vector<Rank> ranks;
  const bool has_names = std::any_of(table.columns.begin(), table.columns.end(), is_name);
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const Column& column = table.columns[c];
    std::size_t own = 0, narrowest = 0;
    for (std::size_t row = 0; row < table.rows(); ++row)
      own = std::max(own, width_of(short_cell(table, column, row)));
    if (has_names && is_id(column)) own = std::min(own, widest_id);
    for (const std::string& piece : pieces_of(short_header(column), header_breaks))
      narrowest = std::max(narrowest, width_of(std::string(trimmed(piece))));
    cells.push_back(std::max(own, narrowest));
    ranks.push_back(rank_of(table, c, cells.back(), has_names));
  }
  std::size_t left = width + space;
  const auto grow = [&](std::size_t c, std::size_t wanted) {
    if (wanted <= taken[c]) return;
    const std::size_t more = std::min(wanted - taken[c], left);
    taken[c] += more;
    left -= more;
  };
  for (const Rank rank : {Rank::names, Rank::tells_apart, Rank::is_long, Rank::is_equal}) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (ranks[c] != rank || left < space) continue;
      const bool is_text = table.columns[c].type == Column::Type::text;
      const std::size_t least = rank == Rank::names ? std::max(least_name, width * 3 / 8)
                                : is_text           ? least_text
                                                    : cells[c];
      if (std::min(cells[c], least) + space > left && rank != Rank::names) continue;
      left -= space;
      grow(c, rank == Rank::names ? std::min(cells[c], least) : cells[c]);
    }
    for (std::size_t c = 0; rank == Rank::tells_apart && c < table.columns.size(); ++c)
      if (ranks[c] == Rank::names && taken[c] > 0) grow(c, cells[c]);
  }
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    if (taken[c] > 0) grow(c, width_of(short_header(table.columns[c])));
  // Names stand before numbers.
  std::vector<std::size_t> order;
  std::size_t last_name = 0;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (taken[c] > 0) order.push_back(c);
    if (ranks[c] == Rank::names) last_name = c;
  }
  std::stable_partition(order.begin(), order.end(), [&](std::size_t c) {
    return ranks[c] == Rank::names ||
           (c < last_name && table.columns[c].type == Column::Type::text);
  });
  Layout layout;
  for (const std::size_t c : order) {
    layout.columns.push_back(&table.columns[c]);
    layout.widths.push_back(taken[c]);
    layout.is_name.push_back(ranks[c] == Rank::names);
  }
  return layout;
}

/// A row, in as many lines as its longest name or header takes: those end in the same line.
template <class LinesOf>
void write_row(const Layout& layout, bool is_head, const LinesOf& lines_of_column, TextSink& out) {
  std::vector<std::vector<std::string>> cells;
  std::size_t most = 0;
  for (std::size_t c = 0; c < layout.columns.size(); ++c) {
    cells.push_back(lines_of_column(c));
    most = std::max(most, cells.back().size());
  }
  for (std::size_t at = 0; at < most; ++at) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::size_t above = is_head ? most - cells[c].size() : 0;
      const bool is_there = at >= above && at - above < cells[c].size();
      line += (c > 0 ? "  " : "") + padded(is_there ? cells[c][at - above] : "", layout.widths[c],
                                           layout.columns[c]->type != Column::Type::text);
    }
    line.resize(line.find_last_not_of(' ') + 1);
    out << line << '\n';
    out.pass();
  }
}

}  // namespace

void write_fitted(const Table& table, std::size_t width, TextSink& out, std::size_t most,
                  std::string_view all) {
  const Layout layout = fitted(table, width);
  write_row(
      layout, true,
      [&](std::size_t c) {
        return lines_of(short_header(*layout.columns[c]), layout.widths[c], header_breaks);
      },
      out);
  for (std::size_t row = 0; row < std::min(table.rows(), most); ++row)
    write_row(
        layout, false,
        [&](std::size_t c) {
          return lines_of(short_cell(table, *layout.columns[c], row), layout.widths[c],
                          layout.is_name[c] ? " " : "");
        },
        out);
  if (table.rows() > most)
    out << "# " << format_number(static_cast<double>(most)) << " of "
        << format_count(static_cast<double>(table.rows()), "row") << ": " << all << '\n';
  for (const Note& note : table.notes) {
    const std::string text = note_text(note, format_number);
    out << (text.find('\n') == text.npos ? wrapped(text, width, "") : text + "\n");
  }
  if (const std::size_t left = table.columns.size() - layout.columns.size(); left > 0)
    out << "# " << format_count(static_cast<double>(left), "more column") << ": " << all << '\n';
}

void write_aligned(const Table& table, bool explain, TextSink& out) {
  Layout layout;
  for (const Column& column : table.columns) {
    std::size_t widest = width_of(header(column));
    for (std::size_t row = 0; row < table.rows(); ++row)
      widest = std::max(widest, width_of(cell(table, column, row)));
    layout.columns.push_back(&column);
    layout.widths.push_back(widest);
  }
  // Cells are made twice, once for their widths: those of a million rows need not be held.
  write_row(
      layout, true, [&](std::size_t c) { return std::vector{header(*layout.columns[c])}; }, out);
  for (std::size_t row = 0; row < table.rows(); ++row)
    write_row(
        layout, false,
        [&](std::size_t c) { return std::vector{cell(table, *layout.columns[c], row)}; }, out);
  for (const Note& note : table.notes) out << note_text(note, number_text) << '\n';
  if (!explain) return;
  for (const Column& column : table.columns) {
    if (!column.formula.empty())
      out << "# " << visible(column.name) << " = " << visible(column.formula) << '\n';
  }
}

std::string aligned_table(const Table& table, bool explain) {
  return whole_text([&](TextSink& out) { write_aligned(table, explain, out); });
}

}  // namespace crema::cli
