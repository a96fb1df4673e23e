#include "core/questions/question.hpp"

namespace crema::questions::sources {

namespace {

Table answer(std::span<const Run* const> open, const Selection&, const Options&) {
  Table table;
  const auto file = table.add_text("file");
  const auto size = table.add_number("size", "byte");
  const auto format = table.add_text("format");
  const auto schema = table.add_text("schema");
  for (const Source& source : open[0]->sources) {
    table.put(file, source.path);
    table.put(size, source.size);
    table.put_present(format, source.format);
    table.put_present(schema, source.schema);
  }
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "sources",
    .about = "the files of a run, and what they were read as",
    .function = answer,
};

}  // namespace crema::questions::sources
