#pragma once

#include <string>
#include <vector>

#include "core/table/table.hpp"

namespace crema {

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
