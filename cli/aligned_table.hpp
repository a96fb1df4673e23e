#pragma once

#include <limits>
#include <string>
#include <string_view>

#include "core/base/text.hpp"
#include "core/table/table.hpp"

namespace crema::cli {

/// A Table as aligned text: a header with units, a line per row with every digit, notes below; with
/// `explain` the formulas of its columns.
void write_aligned(const Table& table, bool explain, TextSink& out);
/// The same for people who look at it on a terminal of that width: three digits, long texts cut,
/// and of the columns those that fit: first what the rows are called, then the numbers and short
/// texts that tell them apart, then long texts, then what is equal in all rows. How many were left
/// out is said, of rows likewise, and that `all` has them.
void write_fitted(const Table& table, std::size_t width, TextSink& out,
                  std::size_t most = std::numeric_limits<std::size_t>::max(),
                  std::string_view all = "--wide");
std::string aligned_table(const Table& table, bool explain);

}  // namespace crema::cli
