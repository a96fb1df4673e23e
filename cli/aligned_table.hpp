#pragma once

#include <string>

#include "core/base/text.hpp"
#include "core/table/table.hpp"

namespace crema::cli {

/// A Table as aligned text: a header with units, a line per row with every digit, notes below; with
/// `explain` the formulas of its columns.
void write_aligned(const Table& table, bool explain, TextSink& out);
std::string aligned_table(const Table& table, bool explain);

}  // namespace crema::cli
