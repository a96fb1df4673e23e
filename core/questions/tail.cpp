#include "core/facts/tail.hpp"
#include "core/facts/chunk_selection.hpp"
#include "core/questions/question.hpp"
#include "core/table/rows.hpp"

namespace crema::questions::tail {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  const Run& run = *runs[0];
  const ChunkSelection chosen(run, selection);
  std::vector<Tail> found{find_tail(run, chosen)};
  std::erase_if(found, [](const Tail& tail) { return !tail.any; });
  Table table;
  Rows rows(table, found);
  rows.number("t95", "s", &Tail::t95, "95 % of the chunks were done");
  rows.number("end", "s", &Tail::end, "the last chunk's end");
  rows.number(
      "core_seconds_wasted", "s", &Tail::core_seconds_wasted,
      "∫ (cores − chunks running) from t95 to the end; chunks of the whole run, selected or not");
  rows.number("ideal_makespan", "s", &Tail::ideal_makespan,
              "longest-first list scheduling of the same chunks on as many cores");
  rows.number("actual_makespan", "s", &Tail::actual_makespan,
              "first chunk's start to the last one's end");
  rows.number("critical_chunk", "count", &Tail::critical_chunk,
              "number of the chunk that ended last");
  rows.number("cores", "count", &Tail::cores, "cores of the ideal schedule: their time average");
  if (found.empty())
    table.note(
        "missing",
        "there are no chunks with times; decorate process() with @track_metrics to record them");
  if (const std::string note = chunk_selection_note(selection); !note.empty())
    table.note("selection", note);
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
