#pragma once

#include <string>
#include <string_view>

#include "core/base/text_sink.hpp"
#include "core/table/table.hpp"

namespace crema::exports {

/// JSON of a Table, what `crema ask --json` prints: {"question", "rows", "columns": [{"name",
/// "type", "unit", "values": [...]}], "notes": {...}}; missing values are null, a matrix column's
/// values are lists. `explain` adds each column's formula.
void write_table_json(const Table& table, bool explain, TextSink& out);
std::string table_json(const Table& table, bool explain = false);

/// CSV (RFC 4180): a header "name [unit]", then a line per row; missing cells are empty; a matrix
/// column becomes one column per entry, "name.0", "name.1", ..., and one that is empty where it has
/// none. Text that a spreadsheet would run as a formula gets an apostrophe before it.
void write_table_csv(const Table& table, TextSink& out);
std::string table_csv(const Table& table);

}  // namespace crema::exports
