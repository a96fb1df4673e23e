#include "core/table/table.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/base/numbers.hpp"

namespace crema {

namespace {

std::size_t add(Table& table, std::string_view name, Column::Type type, std::string_view unit, std::string_view formula,
                std::size_t width = 1) {
  Column column;
  column.name = name;
  column.type = type;
  column.unit = unit;
  column.formula = formula;
  column.width = width;
  table.columns.push_back(std::move(column));
  return table.columns.size() - 1;
}

const Column& need(const Table& table, std::string_view name) {
  const Column* column = table.find(name);
  if (column == nullptr) throw std::out_of_range("no column " + std::string(name) + " in " + table.question);
  return *column;
}

}  // namespace

std::size_t Table::add_number(const char* name, const char* unit, const char* formula) {
  return add(*this, name, Column::Type::number, unit, formula);
}

std::size_t Table::add_number(std::string_view name, std::string_view unit, std::string_view formula) {
  return add(*this, name, Column::Type::number, unit, formula);
}

std::size_t Table::add_matrix(std::string_view name, std::string_view unit, std::size_t width, std::string_view formula) {
  return add(*this, name, Column::Type::number, unit, formula, width);
}

std::size_t Table::add_text(const char* name) { return add(*this, name, Column::Type::text, {}, {}); }
std::size_t Table::add_text(std::string_view name) { return add(*this, name, Column::Type::text, {}, {}); }

std::size_t Table::add_flag(const char* name, const char* formula) { return add(*this, name, Column::Type::flag, {}, formula); }

void Table::note(const char* name, double value) { notes.push_back({name, value}); }
void Table::note(const char* name, const char* text) { note(name, std::string_view(text)); }
void Table::note(const char* name, std::string_view text) { notes.push_back({name, std::string(text)}); }

void Table::put(std::size_t column, double value) { columns[column].numbers.push_back(value); }
void Table::put(std::size_t column, std::string_view text) { columns[column].texts.push_back(strings.intern(text)); }

void Table::put_missing(std::size_t column) {
  if (columns[column].type == Column::Type::text) {
    columns[column].texts.push_back(no_string);
  } else {
    columns[column].numbers.push_back(absent);
  }
}

void Table::put_present(std::size_t column, std::string_view text) {
  if (text.empty()) put_missing(column);
  else put(column, text);
}

std::size_t Table::rows() const {
  if (columns.empty()) return 0;
  const Column& first = columns.front();
  return first.type == Column::Type::text ? first.texts.size() : first.numbers.size() / std::max<std::size_t>(first.width, 1);
}

const Column* Table::find(std::string_view name) const {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

double Table::number(std::string_view column, std::size_t row) const { return need(*this, column).numbers.at(row); }

std::string_view Table::text(std::string_view column, std::size_t row) const {
  return strings[need(*this, column).texts.at(row)];
}

std::size_t Table::row_of(std::string_view column, std::string_view key) const {
  const Column& c = need(*this, column);
  const StringId id = strings.find(key);
  if (id == no_string) return rows();
  return static_cast<std::size_t>(std::find(c.texts.begin(), c.texts.end(), id) - c.texts.begin());
}

}  // namespace crema
