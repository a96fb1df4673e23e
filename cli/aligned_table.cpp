#include "cli/aligned_table.hpp"

#include <algorithm>
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

}  // namespace

void write_aligned(const Table& table, bool explain, TextSink& out) {
  // Cells are made twice, once for their widths: those of a million rows need not be held.
  std::vector<std::size_t> widths;
  for (const Column& column : table.columns) {
    std::size_t width = width_of(header(column));
    for (std::size_t row = 0; row < table.rows(); ++row)
      width = std::max(width, width_of(cell(table, column, row)));
    widths.push_back(width);
  }
  const auto put_line = [&](const auto& text_of) {
    std::string line;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const Column& column = table.columns[c];
      line += (c > 0 ? "  " : "") +
              padded(text_of(column), widths[c], column.type != Column::Type::text);
    }
    line.resize(line.find_last_not_of(' ') + 1);
    out << line << '\n';
    out.pass();
  };
  put_line(header);
  for (std::size_t row = 0; row < table.rows(); ++row)
    put_line([&](const Column& column) { return cell(table, column, row); });
  for (const Note& note : table.notes) {
    const double* number = std::get_if<double>(&note.value);
    out << "# " << visible(note.name) << ": "
        << (number != nullptr ? (is_absent(*number) ? "–" : number_text(*number))
                              : visible(std::get<std::string>(note.value)))
        << '\n';
  }
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
