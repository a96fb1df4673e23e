#include "core/query/parts/histogram.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"

namespace crema::query::runtime_histogram {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const ChunkSelection chosen(run, selection);
  Table table =
      histogram(chosen.whole(run.chunks.duration), "s", options,
                "there are no chunks; decorate process() with @track_metrics to record them");
  if (const std::string note = chunk_selection_note(selection); !note.empty())
    table.note("selection", note);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "runtime_histogram",
    .about = "chunk durations",
    .options = {&bins_option},
    .narrowed_by = chunk_dimensions,
    .function = answer,
};

}  // namespace crema::query::runtime_histogram
