#include <algorithm>
#include <string>
#include <vector>

#include "core/query/list.hpp"
#include "core/runtime/chunks/missing.hpp"
#include "core/table/rows.hpp"

namespace crema::query::chunk_columns {

namespace {

struct Entry {
  std::string name, unit, formula;
  double known;
};

struct Kept {
  Once<std::vector<Entry>> columns;
};

Table answer(std::span<const Run* const> runs, const Selection&, const Options&) {
  const Run& run = *runs[0];
  const auto& entries = run.facts.of<Kept>().columns.of([&] {
    std::vector<Entry> made;
    for (const Column& column : chunks::question(runs, {}, {}).columns) {
      if (column.type == Column::Type::text) continue;
      const auto unknown = std::count_if(column.numbers.begin(), column.numbers.end(),
                                         [](double v) { return is_absent(v); });
      made.push_back(
          {column.name, column.unit, column.formula,
           static_cast<double>(column.numbers.size() - static_cast<std::size_t>(unknown))});
    }
    return made;
  });
  Table table;
  const std::vector<Entry> none;
  Rows rows(table, run.chunks_recorded ? entries : none);
  rows.text("column", &Entry::name);
  rows.any_text("unit", &Entry::unit);
  rows.any_text("formula", &Entry::formula);
  rows.number("known", "count", &Entry::known, "chunks that have it");
  if (!run.chunks_recorded) {
    table.note("missing", missing::chunks);
    return table;
  }
  table.note("chunks_total", static_cast<double>(run.chunks.size()));
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "chunk_columns",
    .about = "the numeric columns of chunks, and how many chunks have a value",
    .function = answer,
};

}  // namespace crema::query::chunk_columns
