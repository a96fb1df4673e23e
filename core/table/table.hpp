#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/text.hpp"

namespace crema {

/// A column of a Table. `unit` is "s", "byte", "1" (a fraction), "count", "" (text, ids) or the
/// unit an id names ("Gbps", "kHz").
struct Column {
  enum class Type : std::uint8_t {
    number,  ///< `numbers`, absent = NaN; `width` numbers per row
    text,    ///< `texts`, ids into the Table's strings; missing = no_string
    flag,    ///< `numbers`, 0 or 1, absent = NaN
  };

  std::string name;
  Type type = Type::number;
  std::string unit;
  std::string formula;  ///< how a derived column is computed, one line; empty for what the bundle
                        ///< says itself
  bool is_matrix = false;  ///< a row holds a list of `width` numbers, even when it is one or none
  std::size_t width = 1;   ///< numbers per row (row-major)
  std::vector<double> numbers;
  std::vector<StringId> texts;
};

std::string_view name_of(Column::Type type);  ///< "number", "text", "flag"

/// A remark about a Table as a whole: a number (a total, a mean) or a sentence.
struct Note {
  std::string name;
  std::variant<double, std::string> value;
};

struct DeclaredColumn;

/// How the cells of a Table are made that has none yet (core/table/columns.hpp).
struct Unmade {
  std::size_t rows = 0;
  std::vector<const DeclaredColumn*> columns;  ///< of each column of the Table
  std::shared_ptr<const void> whole;           ///< what its rows are made from
};

/// An answer: named, typed, unit-carrying columns of equal length. The only way out of the core.
struct Table {
  std::string question;
  std::vector<Column> columns;
  std::vector<Note> notes;
  StringPool strings;  ///< the texts of this Table's text columns
  /// of an answer of millions of rows, which is made while it is written
  std::optional<Unmade> unmade;

  // Literals are passed as pointers: hundreds of calls then need no temporaries, which saves a
  // tenth of the module.
  /// Adds an empty column, to be filled to the length of the others; `Columns`
  /// (core/table/columns.hpp) does both.
  Column& add(Column::Type type, const char* name, const char* unit = "", const char* formula = "");

  void note(const char* name, double value);
  void note(const char* name, const char* text);
  void note(const char* name, std::string_view text);

  /// The text note called `name`; "" where there is none, or it is a number.
  std::string_view text_note(std::string_view name) const;

  std::size_t rows() const;

  /// Makes the cells of a Table that is unmade, of what is kept for it or of these.
  void make(const void* rows = nullptr, const void* whole = nullptr);
  /// Hands the cells of a column on from top to bottom, with the strings that they name: at once,
  /// or in pieces that are made now and not kept.
  using TakeCells =
      std::function<void(const Column& cells, std::size_t rows, const StringPool& strings)>;
  void each_piece(const Column& column, const TakeCells& take) const;

  /// The column called `name`, or nullptr.
  const Column* find(std::string_view name) const;

  /// Cell access for tests and writers: the number or text of `column` at `row`; throws
  /// std::out_of_range for an unknown column.
  double number(std::string_view column, std::size_t row) const;
  std::string_view text(std::string_view column, std::size_t row) const;

  /// The first row whose text column `column` holds `key`; rows() when there is none.
  std::size_t row_of(std::string_view column, std::string_view key) const;
};

/// An answer and the name of its subject.
struct NamedTable {
  std::string name;
  Table table;
};

/// Stacks answers to one question. A text column `column` in front names the answer of each row;
/// repeated names are numbered. Columns of the same name, type and unit become one, whose cells are
/// missing for answers without it; a matrix becomes as wide as its widest. Notes are named "NAME:
/// note".
Table concatenate(const char* column, const std::vector<NamedTable>& answers);

}  // namespace crema
