#include "core/table/columns.hpp"

#include <algorithm>
#include <string>

namespace crema {

namespace {

/// "1/$" with what "$" stands for.
std::string with(const char* declared, std::string_view meant) {
  std::string text(declared);
  if (const auto place = text.find('$'); place != std::string::npos) text.replace(place, 1, meant);
  return text;
}

void add_empty(const DeclaredColumn& of, const Filling& how, Table& table) {
  Column& column = table.columns.emplace_back();
  column.name = of.is_one_of ? how.name : of.name;
  column.type = of.type;
  column.unit = with(of.unit, how.unit);
  if (column.unit.ends_with('/')) column.unit += '1';
  column.formula = with(of.formula, how.formula);
  column.is_matrix = of.is_matrix;
  column.width = of.is_matrix ? how.width : 1;
}

/// The cells of rows [begin, end), into a column that has none.
void append(Column& column, TextCells& texts, const DeclaredColumn& of, const void* rows,
            std::size_t begin, std::size_t end, const void* whole) {
  const std::size_t count = end - begin;
  if (of.text != nullptr) {
    column.texts.reserve(count);
    for (std::size_t row = begin; row < end; ++row) of.text(of, rows, row, whole, texts);
  } else if (of.is_matrix) {
    column.numbers.reserve(count * column.width);
    for (std::size_t row = begin; row < end; ++row)
      of.numbers(of, rows, row, whole, column.numbers);
  } else {
    column.numbers.resize(count);
    for (std::size_t row = begin; row < end; ++row)
      column.numbers[row - begin] = of.number(of, rows, row, whole);
  }
}

}  // namespace

[[gnu::noinline]] DeclaredColumn::DeclaredColumn(const char* called, const char* in,
                                                 const char* made, Cells cells, void (*cell)(),
                                                 std::uintptr_t get)
    : name(called),
      type(cells == Cells::text   ? Column::Type::text
           : cells == Cells::flag ? Column::Type::flag
                                  : Column::Type::number),
      unit(in),
      formula(made),
      is_matrix(cells == Cells::matrix),
      getter{get, 0} {
  if (cells == Cells::text) text = reinterpret_cast<Text>(cell);
  else if (is_matrix) numbers = reinterpret_cast<Numbers>(cell);
  else number = reinterpret_cast<Number>(cell);
}

Table Schema::unmade(std::size_t rows, std::shared_ptr<const void> whole,
                     const Filling& how) const {
  Table table;
  table.unmade = Unmade{rows, {}, std::move(whole)};
  table.columns.reserve(columns_.size());
  table.unmade->columns.reserve(columns_.size());
  for (const DeclaredColumn& of : columns_) {
    if (of.is_one_of && how.name.empty()) continue;
    add_empty(of, how, table);
    table.unmade->columns.push_back(&of);
  }
  return table;
}

Table Schema::filled(const void* rows, std::size_t count, const void* whole,
                     const Filling& how) const {
  Table table = unmade(count, nullptr, how);
  table.make(rows, whole);
  return table;
}

void Table::make(const void* rows, const void* whole) {
  for (std::size_t i = 0; unmade && i < columns.size(); ++i) {
    const DeclaredColumn& of = *unmade->columns[i];
    TextCells texts(columns[i], strings, of.keeps_empty);
    append(columns[i], texts, of, rows, 0, unmade->rows,
           whole == nullptr ? unmade->whole.get() : whole);
  }
  unmade.reset();
}

void Table::each_piece(const Column& column, const TakeCells& take) const {
  if (!unmade) return take(column, rows(), strings);
  constexpr std::size_t most_rows = std::size_t{1} << 14U;
  const DeclaredColumn& of = *unmade->columns[static_cast<std::size_t>(&column - columns.data())];
  Column piece = column;
  StringPool names;
  TextCells texts(piece, names, of.keeps_empty);
  for (std::size_t begin = 0, end = 0; begin < unmade->rows; begin = end) {
    end = std::min(begin + most_rows, unmade->rows);
    piece.numbers.clear();
    piece.texts.clear();
    append(piece, texts, of, nullptr, begin, end, unmade->whole.get());
    take(piece, end - begin, names);
  }
}

}  // namespace crema
