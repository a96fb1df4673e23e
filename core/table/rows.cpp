#include "core/table/rows.hpp"

namespace crema {

void RowFiller::add_numbers(Column::Type type, const char* name, const char* unit,
                            const char* formula, Number number, const void* value) {
  Column& column = table_.add(type, name, unit, formula);
  column.numbers.resize(count_);
  for (std::size_t row = 0; row < count_; ++row) column.numbers[row] = number(value, rows_, row);
}

void RowFiller::add_texts(const char* name, Text text, const void* value) {
  Column& column = table_.add(Column::Type::text, name);
  column.texts.resize(count_);
  for (std::size_t row = 0; row < count_; ++row)
    column.texts[row] = text(value, rows_, row, table_.strings);
}

}  // namespace crema
