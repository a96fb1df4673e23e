#include "core/facts/chunk_selection.hpp"
#include "core/facts/file_facts.hpp"
#include "core/facts/missing.hpp"
#include "core/questions/question.hpp"

namespace crema::questions::access {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  const Run& run = *runs[0];
  Table table;
  const auto file = table.add_text("file");
  const auto dataset = table.add_text("dataset");
  const auto host = table.add_text("host");
  const auto chunks = table.add_number("chunks", "count", "selected chunks of the file");
  const auto compression = table.add_number("compression_ratio", "1", "compressed / uncompressed");
  const auto total = table.add_number("branches_total", "count");
  const auto read = table.add_number("branches_read", "count");
  const auto fraction = table.add_number("branches_read_fraction", "1", "branches read / branches");
  const auto tree = table.add_number("tree_bytes", "byte", "compressed size of the tree");
  const auto bytes = table.add_number("bytes_read", "byte", "compressed size of the branches that were read");
  const auto share = table.add_number("bytes_read_fraction", "1", "bytes read / bytes of the tree");
  const auto chunk_bytes =
      table.add_number("chunk_bytes", "byte", "Σ bytes that its selected chunks read inside process(), cut to the selected time");
  const auto put = [&](std::size_t column, StringId id) { table.put_present(column, run.text(id)); };
  for (const FileFacts& f : find_file_facts(run, selection)) {
    put(file, f.name);
    put(dataset, f.dataset);
    table.put_present(host, f.name == no_string ? std::string_view{} : host_of(run.text(f.name)));
    table.put(chunks, f.chunks);
    table.put(chunk_bytes, f.chunk_bytes);
    table.put(compression, f.compression_ratio);
    table.put(total, f.branches_total);
    table.put(read, f.branches_read);
    table.put(fraction, f.branches_read_fraction);
    table.put(tree, f.tree_bytes);
    table.put(bytes, f.bytes_read);
    table.put(share, f.bytes_read_fraction);
  }
  if (run.files.size() == 0) {
    table.note("missing", missing::file_metadata);
  }
  if (selection.time) table.note("selection", "facts of a file are of the whole file: a time range keeps the files it touches");
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "access",
    .about = "each file: how much of it was read",
    .narrowed_by = chunk_dimensions,
    .function = answer,
};

}  // namespace crema::questions::access
