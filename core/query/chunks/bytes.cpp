// The counters of bytes side by side: `bytes`. Each counts something else; what one explains of
// another is said.
#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/table/rows.hpp"

namespace crema::query::bytes {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const ChunkSelection chosen(run, selection);
  const double report = total_bytes_read(run);
  const double by_chunks =
      chunk_bytes_collected(run) ? chosen.prorated_sum(run.chunks.bytes_read) : absent;
  double of_files = absent;
  for (const FileFacts& file : find_file_facts(run, selection)) {
    // 0 beside bytes that were read is what roastcoffea writes when it cannot know the file
    // (RNTuple).
    if (file.bytes_read > 0) of_files = value_or(of_files, 0) + file.bytes_read;
  }
  const Processor processor = find_processor(run, options);

  struct Counter {
    std::string_view id, label;
    double bytes;
    std::string_view meaning;
  };
  const std::vector<Counter> counters = {
      {"report", "coffea report", report,
       "what uproot requested for the whole run, opening files and reading their metadata "
       "included"},
      {"chunks", "Σ chunk bytes_read", by_chunks,
       "read inside process(), of the selected chunks, cut to the selected time"},
      {"outside", "not in process()", selection.empty() ? report - by_chunks : absent,
       "coffea report − Σ chunk bytes_read: read before process() begins, or by chunks without a "
       "record"},
      {"files", "branches read", of_files,
       "compressed size of the branches that were read, each file once: what reading them "
       "completely would take"},
      {"memory-read", "Dask memory-read",
       selection.empty() ? activity_sum(run, "memory-read", "bytes") : absent,
       "inputs of tasks that the worker found in memory: no reading of input files"},
  };
  Table table;
  Rows rows(table, counters);
  rows.text("id", &Counter::id);
  rows.text("label", &Counter::label);
  rows.number("bytes", "byte", &Counter::bytes);
  rows.number(
      "share_of_report", "1", [&](const Counter& c) { return ratio(c.bytes, report); },
      "bytes / the report's total");
  rows.text("meaning", &Counter::meaning);
  table.note("explained", ratio(by_chunks, report));
  table.note("processor_memory_read", activity_sum(run, processor.prefix, "memory-read", "bytes"));
  if (run.chunks_recorded && is_absent(by_chunks))
    table.note("missing",
               "the chunks' bytes were not collected: bytes_read is 0 in every chunk (roastcoffea "
               "0.1.0, or files mapped into memory)");
  if (!selection.empty())
    table.note("selection",
               "the report and Dask's counters are totals of the whole run: only the chunks' and "
               "the files' bytes are narrowed");
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "bytes",
    .about = "bytes of the same data, as each layer counts them",
    .options = {&runtime::processor_option},
    .narrowed_by = all_dimensions,  // totals of the whole run are withheld under any selection
    .function = answer,
};

}  // namespace crema::query::bytes
