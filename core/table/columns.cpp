#include "core/table/columns.hpp"

#include <string>

namespace crema {

namespace {

/// "1/$" with what "$" stands for.
std::string with(const char* declared, std::string_view meant) {
  std::string text(declared);
  if (const auto place = text.find('$'); place != std::string::npos) text.replace(place, 1, meant);
  return text;
}

}  // namespace

void Schema::fill_in(Table& table, const void* rows, std::size_t count, const void* whole,
                     const Filling& how) const {
  table.columns.reserve(columns_.size());
  for (const DeclaredColumn& of : columns_) {
    if (of.is_one_of && how.name.empty()) continue;
    Column& column = table.columns.emplace_back();
    column.name = of.is_one_of ? how.name : of.name;
    column.type = of.type;
    column.unit = with(of.unit, how.unit);
    if (column.unit.ends_with('/')) column.unit += '1';
    column.formula = with(of.formula, how.formula);
    column.is_matrix = of.is_matrix;
    column.width = of.is_matrix ? how.width : 1;
    if (of.text != nullptr) {
      column.texts.reserve(count);
      TextCells cells(column, table.strings, of.keeps_empty);
      for (std::size_t row = 0; row < count; ++row) of.text(of, rows, row, whole, cells);
    } else if (of.is_matrix) {
      column.numbers.reserve(count * column.width);
      for (std::size_t row = 0; row < count; ++row)
        of.numbers(of, rows, row, whole, column.numbers);
    } else {
      column.numbers.resize(count);
      for (std::size_t row = 0; row < count; ++row)
        column.numbers[row] = of.number(of, rows, row, whole);
    }
  }
}

}  // namespace crema
