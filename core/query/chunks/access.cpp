#include <set>

#include "core/diagnose/diagnose.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/chunks/missing.hpp"
#include "core/table/rows.hpp"

namespace crema::query::access {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  const Run& run = *runs[0];
  const std::vector<FileFacts> found = find_file_facts(run, selection);
  std::set<std::string_view> slow;
  for (const Anomaly& anomaly : anomalies(run)) {
    if (anomaly.kind == Anomaly::Kind::file) slow.insert(anomaly.name);
  }
  Table table;
  Rows rows(table, found);
  rows.text("file", [&](const FileFacts& f) { return run.text(f.name); });
  rows.text("dataset", [&](const FileFacts& f) { return run.text(f.dataset); });
  rows.text("host", [&](const FileFacts& f) {
    return f.name == no_string ? std::string_view{} : host_of(run.text(f.name));
  });
  rows.number("chunks", "count", &FileFacts::chunks, "selected chunks of the file");
  rows.number("compression_ratio", "1", &FileFacts::compression_ratio, "compressed / uncompressed");
  rows.number("branches_total", "count", &FileFacts::branches_total);
  rows.number("branches_read", "count", &FileFacts::branches_read);
  rows.number("branches_read_fraction", "1", &FileFacts::branches_read_fraction,
              "branches read / branches");
  rows.number("tree_bytes", "byte", &FileFacts::tree_bytes, "compressed size of the tree");
  rows.number("bytes_read", "byte", &FileFacts::bytes_read,
              "compressed size of the branches that were read");
  rows.number("bytes_read_fraction", "1", &FileFacts::bytes_read_fraction,
              "bytes read / bytes of the tree");
  rows.number("chunk_bytes", "byte", &FileFacts::chunk_bytes,
              "Σ bytes that its selected chunks read inside process(), cut to the selected time");
  rows.number("times_read", "1", &FileFacts::times_read,
              "chunk_bytes / bytes_read: more than 1 where chunks read baskets again");
  rows.number(
      "bytes_per_second", "byte/s",
      [](const FileFacts& f) { return ratio(f.chunk_bytes, f.seconds); },
      "chunk_bytes / seconds of its chunks in process()");
  rows.number(
      "times_expected", "1", &FileFacts::times_expected,
      "Σ duration of its chunks / Σ of the durations expected from their dataset's fixed cost and "
      "seconds per event");
  rows.flag(
      "slow", [&](const FileFacts& f) { return slow.count(run.text(f.name)); },
      "its chunks take longer than their like elsewhere, beyond chance");
  if (run.files.size() == 0) {
    table.note("missing", missing::file_metadata);
  }
  if (selection.time)
    table.note(
        "selection",
        "facts of a file are those of the whole file: a time range keeps the files it overlaps");
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "access",
    .about = "each file: how much of it was read",
    .narrowed_by = chunk_dimensions,
    .function = answer,
};

}  // namespace crema::query::access
