#include "core/table/table.hpp"

#include <algorithm>
#include <map>
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

/// "run", "run (2)".
std::vector<std::string> different_names(const std::vector<NamedTable>& answers) {
  std::vector<std::string> names;
  std::map<std::string, std::size_t> seen;
  for (const NamedTable& answer : answers) {
    const std::size_t count = ++seen[answer.name];
    names.push_back(count == 1 ? answer.name : answer.name + " (" + std::to_string(count) + ")");
  }
  return names;
}

bool same_column(const Column& a, const Column& b) {
  return a.name == b.name && a.type == b.type && a.unit == b.unit;
}

/// The place of `column` in `table`, where it is added when there is none like it.
std::size_t place_of(Table& table, const Column& column) {
  const auto found = std::find_if(table.columns.begin() + 1, table.columns.end(),
                                  [&](const Column& other) { return same_column(other, column); });
  if (found != table.columns.end()) {
    found->width = std::max(found->width, column.width);
    if (found->formula.empty()) found->formula = column.formula;
    return static_cast<std::size_t>(found - table.columns.begin());
  }
  table.columns.push_back({.name = column.name,
                           .type = column.type,
                           .unit = column.unit,
                           .formula = column.formula,
                           .is_matrix = column.is_matrix,
                           .width = column.width});
  return table.columns.size() - 1;
}

/// Makes `into` as long as a column of `rows` rows.
void fill_up(Column& into, std::size_t rows) {
  if (into.type == Column::Type::text) into.texts.resize(rows, no_string);
  else into.numbers.resize(rows * into.width, absent);
}

void append(Table& to, Column& into, const Table& from, const Column& column) {
  if (column.type == Column::Type::text) {
    for (const StringId id : column.texts)
      into.texts.push_back(id == no_string ? id : to.strings.intern(from.strings[id]));
    return;
  }
  for (std::size_t row = 0; row < from.rows(); ++row) {
    const auto first = column.numbers.begin() + static_cast<std::ptrdiff_t>(row * column.width);
    into.numbers.insert(into.numbers.end(), first,
                        first + static_cast<std::ptrdiff_t>(column.width));
    into.numbers.insert(into.numbers.end(), into.width - column.width, absent);
  }
}

}  // namespace

std::string_view name_of(Column::Type type) {
  constexpr std::string_view names[] = {"number", "text", "flag"};
  return names[static_cast<std::size_t>(type)];
}

Column& Table::add(Column::Type type, const char* name, const char* unit, const char* formula) {
  return columns.emplace_back(Column{.name = name, .type = type, .unit = unit, .formula = formula});
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

Table concatenate(const char* column, const std::vector<NamedTable>& answers) {
  Table all;
  all.add(Column::Type::text, column);
  // Columns first: how wide they are is then known.
  std::vector<std::vector<std::size_t>> places;
  for (const NamedTable& answer : answers) {
    all.question = answer.table.question;
    auto& of_answer = places.emplace_back();
    for (const Column& one : answer.table.columns) of_answer.push_back(place_of(all, one));
  }
  const std::vector<std::string> names = different_names(answers);
  std::size_t rows = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Table& table = answers[i].table;
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      append(all, all.columns[places[i][c]], table, table.columns[c]);
    rows += table.rows();
    all.columns.front().texts.resize(rows, all.strings.intern(names[i]));
    for (Column& one : all.columns) fill_up(one, rows);
    for (const Note& note : table.notes)
      all.notes.push_back({names[i] + ": " + note.name, note.value});
  }
  return all;
}

}  // namespace crema
