#include "core/predict/tail.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/table/rows.hpp"

namespace crema::query::tail {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const ChunkSelection chosen(run, selection);
  std::vector<Tail> found{find_tail(run, chosen, options)};
  std::erase_if(found, [](const Tail& tail) { return !tail.any; });
  Table table;
  Rows rows(table, found);
  rows.number("t95", "s", &Tail::t95, "95 % of the chunks were done");
  rows.number("end", "s", &Tail::end, "the last chunk's end");
  rows.number(
      "length", "s", [](const Tail& tail) { return tail.end - tail.t95; }, "end − t95");
  rows.number(
      "core_seconds_wasted", "s", &Tail::core_seconds_wasted,
      "∫ (cores − chunks running) from t95 to the end; chunks of the whole run, selected or not");
  rows.number(
      "ideal_makespan", "s", &Tail::ideal_makespan,
      "the run replayed with the longest chunks first, as in whatif; of selected chunks: longest "
      "first on as many cores");
  rows.number("actual_makespan", "s", &Tail::actual_makespan,
              "first chunk's start to the last one's end");
  rows.number(
      "ideal_end", "s",
      [](const Tail& tail) { return tail.end - tail.actual_makespan + tail.ideal_makespan; },
      "the first chunk's start + ideal_makespan");
  rows.number("critical_chunk", "count", &Tail::critical_chunk,
              "number of the chunk that ended last");
  rows.number("cores", "count", &Tail::cores, "cores of the ideal schedule: their time average");
  rows.number(
      "outliers", "count",
      [&](const Tail&) {
        const std::vector<double>& flags = outliers(run);
        double count = 0;
        for (std::size_t i = 0; i < flags.size(); ++i) count += chosen[i] && flags[i] == 1;
        return count;
      },
      "selected chunks that took more than 3 x what their dataset's lets expect");
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
    .options = {&runtime::processor_option},
    .narrowed_by = chunk_dimensions,
    .function = answer,
};

}  // namespace crema::query::tail
