#include "core/query/question.hpp"
#include "core/table/rows.hpp"

namespace crema::query::sources {

namespace {

Table answer(std::span<const Run* const> open, const Selection&, const Options&) {
  Table table;
  Rows rows(table, open[0]->sources);
  rows.text("file", &Source::path);
  rows.number("size", "byte", &Source::size);
  rows.text("format", &Source::format);
  rows.text("schema", &Source::schema);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "sources",
    .about = "the files of a run, and the format each was read as",
    .of_digests = true,
    .function = answer,
};

}  // namespace crema::query::sources
