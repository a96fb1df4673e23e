// Memory of chunks at their peak, by their events: `memory` (the model is in
// core/predict/memory.hpp).
#include "core/predict/memory.hpp"
#include "core/query/question.hpp"
#include "core/report/prediction_text.hpp"

namespace crema::query::memory {

constexpr Option events_option =
    count_option("events", "events of the chunks that are asked about", "", {1, 1e12});
constexpr Option times_option =
    number_option("times", "size of the chunks that are asked about, as a multiple of their own",
                  "1", {1e-6, 1e6}, "1");
constexpr Option limit_option = number_option(
    "limit", "memory that a process may take; default: as recorded", "", {1, 1e15}, "byte");

/// All chunks, or those of a dataset, at the size that is asked for.
struct Row {
  const ChunkMemory* of;
  bool is_all;
  MemoryAt at;
  ShareAbove above;
  double request;  ///< [byte]
};

struct Whole {
  const Run& run;
  double limit;
};

static double per_event(const stats::Line& line) { return line.slope; }

const Columns<Row, Whole> columns = {
    {"kind", [](const Row& row) { return row.is_all ? "all" : "dataset"; }},
    {"name", as_given,
     [](const Row& row, const Whole& whole) { return whole.run.text(row.of->name); }},
    {"chunks", "count", [](const Row& row) { return row.of->count(); },
     "of which the peak is known; attempts of other tasks where a log tells of no chunks"},
    {"lost", "count", [](const Row& row) { return row.of->lost; },
     "attempts that ended for want of memory or with their worker: their peak is not known"},
    {"at_once", "count", [](const Row& row) { return row.of->at_once; },
     "chunks at once in a process, whose memory is of all of them"},
    {"events_p50", "count", [](const Row& row) { return row.of->median_events(); },
     "events of the median chunk"},
    {"memory_fixed", "byte", [](const Row& row) { return row.of->line.line.fixed; },
     "resident memory of a process whose chunk has no events, by a robust line"},
    {"memory_per_event", "byte", [](const Row& row) { return per_event(row.of->line.line); },
     "slope of that line (Theil and Sen)"},
    {"memory_per_event_low", "byte", [](const Row& row) { return per_event(row.of->line.flat); },
     "95 % of the slopes are above, as far as the sizes of chunks tell; else 0"},
    {"memory_per_event_high", "byte", [](const Row& row) { return per_event(row.of->line.steep); },
     "95 % of the slopes are below, as far as the sizes of chunks tell; else all that a chunk "
     "added"},
    {"memory", "byte", [](const Row& row) { return row.at.likely; },
     "resident memory of a process at the peak of the median chunk"},
    {"memory_low", "byte", [](const Row& row) { return row.at.low; },
     "5 % of the chunks are below"},
    {"memory_high", "byte", [](const Row& row) { return row.at.high; },
     "5 % of the chunks are above"},
    {"memory_largest", "byte", [](const Row& row) { return row.at.largest; },
     "none of as many chunks takes more"},
    {"above", "1", [](const Row& row) { return row.above.likely; },
     "share of the chunks that take more than the limit"},
    {"above_low", "1", [](const Row& row) { return row.above.low; }, "its 90 % range"},
    {"above_high", "1", [](const Row& row) { return row.above.high; }, "its 90 % range"},
    {"memory_requested", "byte", [](const Row& row) { return row.of->requested; },
     "the most that any of them asked the batch system for"},
    {"memory_request", "byte", [](const Row& row) { return row.request; },
     "memory_largest, rounded up to 128 MiB: enough for a batch slot"},
    {"above_request", "1", [](const Row& row) { return row.of->above_largest(); },
     "at most this share of the chunks takes more, with 90 % certainty"},
    {"memory_no_spill", "byte",
     [](const Row& row) { return in_steps(row.at.largest / dask_spills); },
     "memory limit of a Dask worker that does not spill for it: memory_largest / 0.7"},
    {"memory_no_pause", "byte",
     [](const Row& row) { return in_steps(row.at.largest / dask_pauses); },
     "memory limit of a Dask worker that is not paused for it: memory_largest / 0.8"},
    {"memory_no_kill", "byte",
     [](const Row& row) { return in_steps(row.at.largest / dask_terminates); },
     "memory limit of a Dask worker that is not killed for it: memory_largest / 0.95"},
    {"events_within", "count",
     [](const Row& row, const Whole& whole) { return row.of->size_within(whole.limit); },
     "largest size of chunks of which none takes more than the limit"},
};

static Table answer(const Run& run, const Selection&, const Options& options) {
  const MemoryModel model = memory_model(run);
  const ChunkSizes sizes{options.number(events_option), options.number(times_option)};
  const double asked = options.number(limit_option);
  const double limit = is_absent(asked) ? model.limit : asked;
  std::vector<Row> rows;
  for (const ChunkMemory& part : model.parts) {
    const MemoryAt at = part.at(sizes);
    rows.push_back({&part, rows.empty(), at, part.above(limit, sizes), in_steps(at.largest)});
  }
  Table table = columns.table(rows, {run, limit});
  if (rows.empty()) {
    say(table, run.recording.tasks.size() == 0 ? notes::no_rows : notes::no_peaks);
    return table;
  }
  table.note("limit", limit);
  table.note("headline", memory_headline(model.parts.front(), limit, sizes));
  return table;
}

extern const Question question(
    "memory", "memory that chunks take by their events, and what suffices; all, then by dataset",
    columns, answer, {.options = {&events_option, &times_option, &limit_option}});

}  // namespace crema::query::memory
