#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/table/table.hpp"

namespace crema {

/// The part of `Rows` that does not depend on the type of a row. Its loops are compiled once, so
/// that a column costs a call and its own formula.
class RowFiller {
 protected:
  using Number = double (*)(const void* value, const void* rows, std::size_t row);
  using Text = StringId (*)(const void* value, const void* rows, std::size_t row,
                            StringPool& strings);

  RowFiller(Table& table, const void* rows, std::size_t count)
      : table_(table), rows_(rows), count_(count) {}
  void add_numbers(Column::Type type, const char* name, const char* unit, const char* formula,
                   Number number, const void* value);
  void add_texts(const char* name, Text text, const void* value);

  Table& table_;

 private:
  const void* rows_;
  std::size_t count_;
};

/// Fills a Table column by column: a statement declares a column and gives its value in every row.
///
///     Rows<Group> rows(table, groups);
///     rows.text("name", &Group::name);
///     rows.number("seconds", "s", &Group::seconds, "Σ duration, cut to the selected time");
///     rows.number("share", "1", [&](const Group& g) { return ratio(g.seconds, all); }, "seconds /
///     Σ seconds");
///
/// A value is a member of Row, or what a function makes of a row. `Rows<> rows(table, n)` are
/// numbers from 0 to n − 1.
template <class Row = void>
class Rows : RowFiller {
 public:
  Rows(Table& table, const std::vector<Row>& rows) requires(!std::is_void_v<Row>)
      : RowFiller(table, rows.data(), rows.size()) {}
  Rows(Table& table, std::size_t count) requires(std::is_void_v<Row>)
      : RowFiller(table, nullptr, count) {}

  /// NaN is missing.
  template <class Value>
  void number(const char* name, const char* unit, Value&& value, const char* formula = "") {
    add_numbers(Column::Type::number, name, unit, formula,
                number_of<std::remove_reference_t<Value>>, &value);
  }

  /// 0 or 1; NaN is missing.
  template <class Value>
  void flag(const char* name, Value&& value, const char* formula = "") {
    add_numbers(Column::Type::flag, name, "", formula, number_of<std::remove_reference_t<Value>>,
                &value);
  }

  /// An empty text is missing. An id is one of the Table's strings.
  template <class Value>
  void text(const char* name, Value&& value) {
    add_texts(name, text_of<std::remove_reference_t<Value>, no_string>, &value);
  }

  /// A text that is present even when it is empty: an empty name is not a missing one.
  template <class Value>
  void any_text(const char* name, Value&& value) {
    add_texts(name, text_of<std::remove_reference_t<Value>, 0>, &value);
  }

  /// Numbers that exist already, in row-major order: `width` per row.
  void matrix(const char* name, const char* unit, std::size_t width, std::vector<double> numbers,
              const char* formula = "") {
    Column& column = table_.add(Column::Type::number, name, unit, formula);
    column.is_matrix = true;
    column.width = width;
    column.numbers = std::move(numbers);
  }

 private:
  template <class Value>
  static decltype(auto) at(const void* value, const void* rows, std::size_t row) {
    Value& get = *static_cast<Value*>(const_cast<void*>(value));
    if constexpr (std::is_void_v<Row>) return get(row);
    else return std::invoke(get, static_cast<const Row*>(rows)[row]);
  }

  template <class Value>
  static double number_of(const void* value, const void* rows, std::size_t row) {
    return static_cast<double>(at<Value>(value, rows, row));
  }

  /// `empty`: the id that an empty text gets; 0 = interned like any other.
  template <class Value, StringId empty>
  static StringId text_of(const void* value, const void* rows, std::size_t row,
                          StringPool& strings) {
    const auto& text = at<Value>(value, rows, row);
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(text)>, StringId>) {
      return text;
    } else {
      const std::string_view view = text;
      return empty != 0 && view.empty() ? empty : strings.intern(view);
    }
  }
};

}  // namespace crema
