#pragma once

#include <string>
#include <vector>

#include "core/table/table.hpp"

namespace crema {

/// An answer, and what it is about.
struct NamedTable {
  std::string name;
  Table table;
};

/// Answers to one question, one below the other, with a text column `column` in front that tells
/// whose each row is; names that occur twice are numbered. A column is of all answers that have one
/// of its name, type and unit, in the others its cells are missing; rows of a matrix are as wide as
/// its widest. Notes are named "NAME: note".
Table concatenate(const char* column, const std::vector<NamedTable>& answers);

}  // namespace crema
