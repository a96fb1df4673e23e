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
  if (column.type == Column::Type::text)
    return column.texts[row] == no_string ? "–" : visible(table.strings[column.texts[row]]);
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

/// Columns in their order; longer cells are cut.
struct Layout {
  std::vector<const Column*> columns;
  std::vector<std::size_t> widths;
};

template <class CellText>
std::size_t widest(const Table& table, const Column& column, const CellText& text_of) {
  std::size_t width = width_of(header(column));
  for (std::size_t row = 0; row < table.rows(); ++row)
    width = std::max(width, width_of(text_of(table, column, row)));
  return width;
}

// Cells are made twice, once for their widths: those of a million rows need not be held.
template <class CellText>
void write_lines(const Table& table, const Layout& layout, const CellText& text_of, TextSink& out,
                 std::size_t most = std::numeric_limits<std::size_t>::max()) {
  const auto put_line = [&](const auto& of_column) {
    std::string line;
    for (std::size_t c = 0; c < layout.columns.size(); ++c) {
      const Column& column = *layout.columns[c];
      line += (c > 0 ? "  " : "") + padded(shortened(of_column(column), layout.widths[c]),
                                           layout.widths[c], column.type != Column::Type::text);
    }
    line.resize(line.find_last_not_of(' ') + 1);
    out << line << '\n';
    out.pass();
  };
  put_line(header);
  for (std::size_t row = 0; row < std::min(table.rows(), most); ++row)
    put_line([&](const Column& column) { return text_of(table, column, row); });
}

std::string note_text(const Note& note) {
  const double* number = std::get_if<double>(&note.value);
  return visible(note.name) + ": " +
         (number == nullptr    ? visible(std::get<std::string>(note.value))
          : is_absent(*number) ? "–"
                               : number_text(*number));
}

std::string short_cell(const Table& table, const Column& column, std::size_t row) {
  if (column.type != Column::Type::number || column.width != 1) return cell(table, column, row);
  const double value = column.numbers[row];
  return is_absent(value) ? "–" : format_number(value);
}

constexpr std::size_t short_text = 14;   // so short a column is taken before longer texts
constexpr std::size_t widest_text = 40;  // so much is shown of longer ones
constexpr std::size_t least_text = 16;   // and so much at least, or nothing
constexpr std::size_t widest_id = 24;    // so much of an id beside a name

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

Layout fitted(const Table& table, std::size_t width) {
  constexpr std::size_t space = 2;
  std::vector<std::size_t> wanted, taken(table.columns.size(), 0);  // 0 = left out
  std::vector<Rank> ranks;
  const bool has_names = std::any_of(table.columns.begin(), table.columns.end(), is_name);
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const std::size_t most = has_names && is_id(table.columns[c]) ? widest_id : widest_text;
    wanted.push_back(std::min(widest(table, table.columns[c], short_cell), most));
    ranks.push_back(rank_of(table, c, wanted.back(), has_names));
  }
  std::size_t left = width + space;
  for (const Rank rank : {Rank::names, Rank::tells_apart, Rank::is_long, Rank::is_equal}) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (ranks[c] != rank || left < space) continue;
      const bool may_be_cut =
          (rank == Rank::names || rank == Rank::is_long) && left >= space + least_text;
      if (wanted[c] + space > left && !may_be_cut) continue;
      taken[c] = std::min(wanted[c], left - space);
      left -= taken[c] + space;
    }
  }
  Layout layout;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (taken[c] == 0) continue;
    layout.columns.push_back(&table.columns[c]);
    layout.widths.push_back(taken[c]);
  }
  return layout;
}

}  // namespace

void write_fitted(const Table& table, std::size_t width, TextSink& out, std::size_t most,
                  std::string_view all) {
  const Layout layout = fitted(table, width);
  write_lines(table, layout, short_cell, out, most);
  if (table.rows() > most)
    out << "# " << format_number(static_cast<double>(most)) << " of "
        << format_count(static_cast<double>(table.rows()), "row") << ": " << all << '\n';
  for (const Note& note : table.notes) out << wrapped("# " + note_text(note), width, "");
  if (const std::size_t left = table.columns.size() - layout.columns.size(); left > 0)
    out << "# " << format_count(static_cast<double>(left), "more column") << ": " << all << '\n';
}

void write_aligned(const Table& table, bool explain, TextSink& out) {
  Layout layout;
  for (const Column& column : table.columns) {
    layout.columns.push_back(&column);
    layout.widths.push_back(widest(table, column, cell));
  }
  write_lines(table, layout, cell, out);
  for (const Note& note : table.notes) out << "# " << note_text(note) << '\n';
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
