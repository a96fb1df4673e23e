#include "core/facts/tail.hpp"
#include "core/facts/chunk_selection.hpp"
#include "core/questions/question.hpp"

namespace crema::questions::tail {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  const Run& run = *runs[0];
  const ChunkSelection chosen(run, selection);
  const Tail found = find_tail(run, chosen);
  Table table;
  const auto t95 = table.add_number("t95", "s", "95 % of the chunks were done");
  const auto end = table.add_number("end", "s", "the last chunk's end");
  const auto wasted = table.add_number(
      "core_seconds_wasted", "s", "∫ (cores − chunks running) from t95 to the end; chunks of the whole run, selected or not");
  const auto ideal = table.add_number("ideal_makespan", "s", "longest-first list scheduling of the same chunks on as many cores");
  const auto actual = table.add_number("actual_makespan", "s", "first chunk's start to the last one's end");
  const auto critical = table.add_number("critical_chunk", "count", "number of the chunk that ended last");
  const auto cores = table.add_number("cores", "count", "cores of the ideal schedule: their time average");
  if (found.any) {
    table.put(t95, found.t95);
    table.put(end, found.end);
    table.put(wasted, found.core_seconds_wasted);
    table.put(ideal, found.ideal_makespan);
    table.put(actual, found.actual_makespan);
    table.put(critical, static_cast<double>(found.critical_chunk));
    table.put(cores, found.cores);
  } else {
    table.note("missing", "there are no chunks with times; decorate process() with @track_metrics to record them");
  }
  if (const std::string note = chunk_selection_note(selection); !note.empty()) table.note("selection", note);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "tail",
    .about = "what the last 5 % of the chunks cost",
    .narrowed_by = chunk_dimensions,
    .function = answer,
};

}  // namespace crema::questions::tail
