#include "cli/aligned_table.hpp"

#include <algorithm>
#include <vector>

#include "cli/layout.hpp"
#include "core/base/numbers.hpp"
#include "core/base/text.hpp"
#include "core/base/visible.hpp"

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

}  // namespace

std::string aligned_table(const Table& table, bool explain) {
  std::vector<std::vector<std::string>> cells(table.columns.size());
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const Column& column = table.columns[c];
    const bool unitless =
        column.unit.empty() || column.unit == "count" || column.unit == "as the row's unit";
    cells[c].push_back(visible(column.name) + (unitless ? "" : " [" + visible(column.unit) + "]"));
    for (std::size_t row = 0; row < table.rows(); ++row)
      cells[c].push_back(cell(table, column, row));
    std::size_t width = 0;
    for (const std::string& text : cells[c]) width = std::max(width, width_of(text));
    widths.push_back(width);
  }
  std::string out;
  for (std::size_t row = 0; row <= table.rows(); ++row) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      line += (c > 0 ? "  " : "") +
              padded(cells[c][row], widths[c], table.columns[c].type != Column::Type::text);
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out += line + "\n";
  }
  for (const Note& note : table.notes) {
    const double* number = std::get_if<double>(&note.value);
    out += "# " + visible(note.name) + ": " +
           (number != nullptr ? (is_absent(*number) ? "–" : number_text(*number))
                              : visible(std::get<std::string>(note.value))) +
           "\n";
  }
  if (explain) {
    for (const Column& column : table.columns) {
      if (!column.formula.empty())
        out += "# " + visible(column.name) + " = " + visible(column.formula) + "\n";
    }
  }
  return out;
}

}  // namespace crema::cli
