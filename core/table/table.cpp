#include "core/table/table.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/base/numbers.hpp"

namespace crema {

namespace {

const Column& need(const Table& table, std::string_view name) {
  const Column* column = table.find(name);
  if (column == nullptr)
    throw std::out_of_range("no column " + std::string(name) + " in " + table.question);
  return *column;
}

}  // namespace

Column& Table::add(Column::Type type, const char* name, const char* unit, const char* formula) {
  Column& column = columns.emplace_back();
  column.name = name;
  column.type = type;
  column.unit = unit;
  column.formula = formula;
  return column;
}

void Table::note(const char* name, double value) { notes.push_back({name, value}); }
void Table::note(const char* name, const char* text) { note(name, std::string_view(text)); }
void Table::note(const char* name, std::string_view text) {
  notes.push_back({name, std::string(text)});
}

std::string_view Table::text_note(std::string_view name) const {
  const auto found =
      std::find_if(notes.begin(), notes.end(), [&](const Note& one) { return one.name == name; });
  const auto* const text = found == notes.end() ? nullptr : std::get_if<std::string>(&found->value);
  return text == nullptr ? std::string_view() : *text;
}

std::size_t Table::rows() const {
  if (unmade) return unmade->rows;
  if (columns.empty()) return 0;
  const Column& first = columns.front();
  return first.type == Column::Type::text
             ? first.texts.size()
             : first.numbers.size() / std::max<std::size_t>(first.width, 1);
}

const Column* Table::find(std::string_view name) const {
  const auto found =
      std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

double Table::number(std::string_view column, std::size_t row) const {
  return need(*this, column).numbers.at(row);
}

std::string_view Table::text(std::string_view column, std::size_t row) const {
  return strings[need(*this, column).texts.at(row)];
}

std::size_t Table::row_of(std::string_view column, std::string_view key) const {
  const Column& c = need(*this, column);
  const StringId id = strings.find(key);
  if (id == no_string) return rows();
  return static_cast<std::size_t>(std::find(c.texts.begin(), c.texts.end(), id) - c.texts.begin());
}

Table copy_of(const Table& table) {
  Table copy;
  copy.question = table.question;
  copy.columns = table.columns;
  copy.notes = table.notes;
  // in order, so that each has its id again
  for (std::size_t id = 0; id < table.strings.size(); ++id)
    copy.strings.intern(table.strings[static_cast<StringId>(id)]);
  return copy;
}

}  // namespace crema
