#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/table/table.hpp"

namespace crema {

// These two stand where a number has its unit.
/// 0 or 1; NaN is missing.
inline constexpr struct AsFlag {
} as_flag;
/// A text that is present even when it is empty: an empty name is not a missing one.
inline constexpr struct AsGiven {
} as_given;

/// The name of a column that is called after the value of an option: one of these; where the option
/// has no value, there is no such column.
struct OneOf {
  std::string_view names;  ///< "dataset, host", all of a literal
};

/// A text that many rows share: `text` is called once for each key. no_string: it is missing.
template <class Text>
struct Shared {
  std::uint32_t key;
  Text text;
};
template <class Text>
Shared(std::uint32_t, Text) -> Shared<Text>;

/// What of the columns depends on what was asked.
struct Filling {
  std::string_view name{};     ///< of the column that is declared as OneOf
  std::string_view unit{};     ///< what "$" stands for in declared units
  std::string_view formula{};  ///< what "$" stands for in declared formulas
  std::size_t width = 1;       ///< of matrices
};

class TextCells;

/// A column as it is declared, whatever its rows are.
struct DeclaredColumn {
  // How a cell is made; a column has one of them.
  using Number = double (*)(const DeclaredColumn&, const void* rows, std::size_t row,
                            const void* whole);
  using Numbers = void (*)(const DeclaredColumn&, const void* rows, std::size_t row,
                           const void* whole, std::vector<double>& cells);
  using Text = void (*)(const DeclaredColumn&, const void* rows, std::size_t row, const void* whole,
                        TextCells& cells);
  using Getter = std::array<std::uintptr_t, 2>;  ///< the bytes of a member pointer or small closure

  std::string_view name;  ///< of a OneOf: all that it can be
  bool is_one_of = false;
  Column::Type type;
  const char* unit;
  const char* formula;
  bool is_matrix = false;
  bool keeps_empty = false;  ///< an empty text is present
  Number number = nullptr;
  Numbers numbers = nullptr;
  Text text = nullptr;
  Getter getter{};

  /// One that no rows fill.
  explicit DeclaredColumn(std::string_view called, Column::Type of = Column::Type::text,
                          const char* in = "", const char* made = "")
      : name(called), type(of), unit(in), formula(made) {}

 protected:
  // One call a column, of few numbers: there are hundreds, and inline each would be three times as
  // many bytes.
  enum class Cells : std::uint8_t { text, number, flag, matrix };
  DeclaredColumn(const char* called, const char* in, const char* made, Cells cells, void (*cell)(),
                 std::uintptr_t get);
};

/// The columns of an answer, declared once: the Table is made from them, and so is whatever
/// describes the question.
class Schema {
 public:
  explicit Schema(std::vector<DeclaredColumn> columns) : columns_(std::move(columns)) {}
  const std::vector<DeclaredColumn>& columns() const { return columns_; }

 protected:
  Table filled(const void* rows, std::size_t count, const void* whole, const Filling& how) const;
  Table unmade(std::size_t rows, std::shared_ptr<const void> whole, const Filling& how) const;

 private:
  std::vector<DeclaredColumn> columns_;
};

/// The texts of a column on their way into a Table.
class TextCells {
 public:
  TextCells(Column& column, StringPool& strings, bool keeps_empty)
      : column_(column), strings_(strings), keeps_empty_(keeps_empty) {}

  void put(std::string_view text) {
    column_.texts.push_back(text.empty() && !keeps_empty_ ? no_string : strings_.intern(text));
  }
  template <class Text>
  void put(const Shared<Text>& shared) {
    if (shared.key != no_string && shared.key >= shared_.size())
      shared_.resize(std::size_t{shared.key} + 1, no_string);
    if (shared.key != no_string && shared_[shared.key] == no_string)
      shared_[shared.key] = strings_.intern(shared.text());
    column_.texts.push_back(shared.key == no_string ? no_string : shared_[shared.key]);
  }
  template <class Text>
  void put(const std::optional<Text>& text) {
    column_.texts.push_back(text ? strings_.intern(*text) : no_string);
  }

 private:
  Column& column_;
  StringPool& strings_;
  bool keeps_empty_;
  std::vector<StringId> shared_;  // by key
};

/// The columns of rows that are structs; a line declares one and says how to get its cells:
///
///     const Columns<Group, All> columns = {
///         {"name", &Group::name},
///         {"seconds", "s", &Group::seconds, "Σ duration, cut to the selected time"},
///         {"share", "1", [](const Group& g, const All& all) { return ratio(g.seconds, all.s); }},
///         {"slow", as_flag, &Group::is_slow},
///     };
///     Table table = columns.table(groups, all);
///
/// A getter is a member of Row, or a function of a row, or of a row and what all rows share
/// (Whole). One that gives a text makes a text column, which has no unit; one that gives a vector
/// makes a matrix. Rows that are numbers from 0 on (std::size_t) are asked for by how many there
/// are; a getter of them can also be a column of Whole.
template <class Row, class Whole = std::nullptr_t>
class Columns : public Schema {
 public:
  struct One : DeclaredColumn {
    template <class Get>
    One(const char* called, Get get)
        : DeclaredColumn(called, "", "", Cells::text, erased(Text{put_text<Get>}), word_of(get)) {
      take(get);
    }
    template <class Get>
    One(const char* called, AsGiven, Get get) : One(called, get) {
      keeps_empty = true;
    }
    template <class Get>
    One(const char* called, const char* in, Get get, const char* made = "")
        : DeclaredColumn(called, in, made, is_number<Get>() ? Cells::number : Cells::matrix,
                         cell<Get>(), word_of(get)) {
      take(get);
    }
    template <class Get>
    One(const char* called, AsFlag, Get get, const char* made = "")
        : DeclaredColumn(called, "", made, Cells::flag, cell<Get>(), word_of(get)) {
      take(get);
    }
    /// One that is called as an option says.
    template <class... Rest>
    One(OneOf called, Rest... rest) : One(called.names.data(), rest...) {
      is_one_of = true;
    }

   private:
    template <class Get>
    static std::uintptr_t word_of(const Get& get) {
      std::uintptr_t word = 0;
      if constexpr (!std::is_empty_v<Get> && sizeof get <= sizeof word)
        std::memcpy(&word, &get, sizeof get);
      return word;
    }
    template <class Get>
    void take(const Get& get) {
      static_assert(sizeof(Get) <= sizeof(Getter) && std::is_trivially_copyable_v<Get>);
      if constexpr (sizeof get > sizeof(std::uintptr_t)) std::memcpy(&getter, &get, sizeof get);
    }

    template <class Get>
    static constexpr bool is_number() {
      using Value = decltype(at<Get>(std::declval<const DeclaredColumn&>(), nullptr, 0, nullptr));
      return std::is_convertible_v<Value, double>;
    }
    template <class Cell>
    static auto erased(Cell cell) {
      return reinterpret_cast<void (*)()>(cell);
    }
    template <class Get>
    static auto cell() {
      if constexpr (is_number<Get>()) return erased(Number{number_at<Get>});
      else return erased(Numbers{put_numbers<Get>});
    }
  };

  Columns(std::initializer_list<One> columns)
      : Schema(std::vector<DeclaredColumn>(columns.begin(), columns.end())) {}

  Table table(const std::vector<Row>& rows, const Whole& whole = {},
              const Filling& how = {}) const {
    return filled(rows.data(), rows.size(), &whole, how);
  }
  Table table(std::size_t rows, const Whole& whole, const Filling& how = {}) const
      requires(std::is_same_v<Row, std::size_t>) {
    return filled(nullptr, rows, &whole, how);
  }

  /// The same answer, whose cells are made while it is written.
  Table table(std::size_t rows, std::shared_ptr<const Whole> whole, const Filling& how = {}) const
      requires(std::is_same_v<Row, std::size_t>) {
    return unmade(rows, std::move(whole), how);
  }

 private:
  static decltype(auto) row_at(const void* rows, std::size_t row) {
    if constexpr (std::is_same_v<Row, std::size_t>)
      return std::size_t{rows == nullptr ? row : static_cast<const Row*>(rows)[row]};
    else return (static_cast<const Row*>(rows)[row]);
  }

  template <class Get>
  static double number_at(const DeclaredColumn& of, const void* rows, std::size_t row,
                          const void* whole) {
    return static_cast<double>(at<Get>(of, rows, row, whole));
  }
  template <class Get>
  static void put_numbers(const DeclaredColumn& of, const void* rows, std::size_t row,
                          const void* whole, std::vector<double>& cells) {
    const auto& more = at<Get>(of, rows, row, whole);
    cells.insert(cells.end(), more.begin(), more.end());
  }
  template <class Get>
  static void put_text(const DeclaredColumn& of, const void* rows, std::size_t row,
                       const void* whole, TextCells& cells) {
    cells.put(at<Get>(of, rows, row, whole));
  }

  template <class Get>
  static decltype(auto) at(const DeclaredColumn& of, const void* rows, std::size_t row,
                           const void* whole) {
    const Get& get = *std::launder(reinterpret_cast<const Get*>(&of.getter));
    const auto& all = *static_cast<const Whole*>(whole);
    // By hand what std::invoke does: it is instantiated for each column of each question.
    if constexpr (requires(const Row& one) { get(one); }) return get(row_at(rows, row));
    else if constexpr (requires(const Row& one) { get(one, all); })
      return get(row_at(rows, row), all);
    else if constexpr (requires(const Row& one) { one.*get; }) return (row_at(rows, row).*get);
    else if constexpr (requires(const Row& one) { (one.*get)(); })
      return (row_at(rows, row).*get)();
    else return (all.*get)[row_at(rows, row)];
  }
};

}  // namespace crema
