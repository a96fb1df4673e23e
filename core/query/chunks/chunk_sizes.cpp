// What chunks of other sizes would change: `chunk_sizes` (the model is in
// core/predict/chunk_size.hpp); what the last of them cost: `tail`.
#include "core/base/text.hpp"
#include "core/predict/chunk_size.hpp"
#include "core/predict/memory.hpp"
#include "core/predict/replay.hpp"
#include "core/query/question.hpp"
#include "core/report/answer_text.hpp"
#include "core/runtime/chunks.hpp"

namespace crema::query::chunk_sizes {

const Columns<ChunkOffer> columns = {
    {"chunk_events", "count", &ChunkOffer::events,
     "events per chunk that are asked for; coffea divides each file evenly"},
    {"present", as_flag, &ChunkOffer::is_present,
     "the run as recorded: its median chunk, its measured time"},
    {"chunks", "count", &ChunkOffer::chunks,
     "Σ over files of round(events / chunk_events), at least 1"},
    {"inside_seconds", "s", &ChunkOffer::inside,
     "present Σ + Δ of (fixed cost x chunks) over datasets"},
    {"outside_low", "s", &ChunkOffer::outside_low,
     "processor tasks outside process(), the least of two cases: all of it is paid per chunk, or "
     "only the share that opening files surely has: by its bytes against those of results, and 0 "
     "where process() did not read all of its branches itself"},
    {"outside_high", "s", &ChunkOffer::outside_high, "the most of the same"},
    {"longest_chunk", "s", &ChunkOffer::longest,
     "expected of the largest chunk, stretched as the present longest one is"},
    {"elapsed", "s", [](const ChunkOffer& o) { return o.elapsed.likely; },
     "present + Δ(core-seconds, those outside process() per chunk) / cores + half of Δtail; "
     "missing where the band is wider than ± 30 % of its middle"},
    {"elapsed_low", "s", [](const ChunkOffer& o) { return o.elapsed.low; },
     "the best case: of the fits, of the outside cost, of the tail"},
    {"elapsed_high", "s", [](const ChunkOffer& o) { return o.elapsed.high; },
     "the worst case of the same"},
    {"tail", "s", &ChunkOffer::tail,
     "(1 − 1/cores) x the longest chunk: at most so long the last ones run alone"},
    {"memory", "byte", &ChunkOffer::memory,
     "memory_largest of the question memory at the size of the largest chunk; where peaks of "
     "chunks "
     "were not recorded, of the worker nearest to its limit: its lowest + (its peak − lowest) x "
     "largest chunk / present largest"},
    {"limited_by", &ChunkOffer::limited_by},
};

/// What the sizes rest on, and what follows from them.
static void note_offers(const Run& run, const Selection& selection, const ChunkOffers& found,
                        Table& table) {
  const ChunkSizeModel& model = found.model;
  if (const std::string note = chunk_selection_note(run, selection); !note.empty())
    table.note("selection", note);
  if (model.empty()) {
    say(table, run.chunks_recorded ? notes::no_durations : notes::no_chunks);
    return;
  }
  table.note("fitted", model.fitted);
  if (model.fitted < 1) {
    say(table, notes::sizes_hardly_differ, {model.fitted == 0 ? "each dataset" : "some datasets"});
  }
  table.note("present_events", model.median_events);
  table.note("fixed_seconds", model.fixed_seconds() / model.now.chunks);
  table.note("outside_per_chunk", model.outside / model.now.chunks);
  table.note("cores", model.cores);
  table.note("memory_limit", found.worker.limit);
  if (!model.timed()) {
    say(table,
        selection.empty() ? notes::only_core_seconds : notes::only_core_seconds_of_selection);
    return;
  }
  if (is_absent(found.best_low)) {
    say(table, notes::sizes_near_memory_limit);
    return;
  }
  const ChunkSizeModel::Estimate& best = found.best;
  const double from = found.best_low;
  const double to = found.best_high;
  table.note("best_low", from);
  table.note("best_high", to);
  const std::string sizes = sentence(
      {from == to ? "" : format_number(two_digits(from)) + " to ", format_number(two_digits(to))});
  const std::string band = sentence({format_seconds(best.low), " to ", format_seconds(best.high)});
  const std::string now = format_seconds(model.elapsed);
  if (is_absent(best.likely)) {
    say(table, notes::sizes_unknown, {sizes, band, now});
  } else if (!found.is_better()) {
    say(table, notes::size_is_good, {sizes, band});
  } else {
    say(table, notes::size_is_better, {sizes, format_seconds(best.middle), band, now});
  }
}

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const ChunkOffers found =
      chunk_offers(run, ChunkSelection(run, selection), selection.empty(), options);
  Table table = columns.table(found.offers);
  note_offers(run, selection, found, table);
  return table;
}

// Totals of the whole run are withheld under any selection.
extern const Question question(
    "chunk_sizes", "what other chunk sizes would change: times, tail, memory", columns, answer,
    {.options = {&runtime::processor_option}, .narrowed_by = all_dimensions});

}  // namespace crema::query::chunk_sizes

namespace crema::query::tail {

/// Of so many outliers among the selected chunks.
const Columns<Tail, double> columns = {
    {"t95", "s", &Tail::t95, "95 % of the chunks were done"},
    {"end", "s", &Tail::end, "the last chunk's end"},
    {"length", "s", [](const Tail& tail) { return tail.end - tail.t95; }, "end − t95"},
    {"core_seconds_wasted", "s", &Tail::core_seconds_wasted,
     "∫ (cores − chunks running) from t95 to the end; chunks of the whole run, selected or not"},
    {"ideal_makespan", "s", &Tail::ideal_makespan,
     "the run replayed with the longest chunks first, as in whatif; of selected chunks: longest "
     "first on as many cores"},
    {"actual_makespan", "s", &Tail::actual_makespan, "first chunk's start to the last one's end"},
    {"ideal_end", "s",
     [](const Tail& tail) { return tail.end - tail.actual_makespan + tail.ideal_makespan; },
     "the first chunk's start + ideal_makespan"},
    {"critical_chunk", "count", &Tail::critical_chunk, "number of the chunk that ended last"},
    {"cores", "count", &Tail::cores, "cores of the ideal schedule: their time average"},
    {"outliers", "count", [](const Tail&, double outliers) { return outliers; },
     "selected chunks that took more than 3 x what their dataset's lets expect"},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const ChunkSelection chosen(run, selection);
  std::vector<Tail> found{find_tail(run, chosen, options)};
  std::erase_if(found, [](const Tail& tail) { return !tail.any; });
  double slow = 0;
  const std::vector<double>& flags = outliers(run);
  for (std::size_t i = 0; i < flags.size(); ++i) slow += chosen[i] && flags[i] == 1;
  Table table = columns.table(found, slow);
  if (found.empty()) say(table, notes::no_chunk_times);
  note_chunk_selection(table, run, selection);
  return table;
}

extern const Question question("tail", "what the last 5 % of the chunks cost", columns, answer,
                               {.options = {&runtime::processor_option},
                                .narrowed_by = chunk_dimensions});

}  // namespace crema::query::tail

// Memory of chunks at their peak, by their events: `memory` (the model is in
// core/predict/memory.hpp).
namespace crema::query::memory {

constexpr Option events_option =
    count_option("events", "events of the chunks that are asked about", "", {1, 1e12});
constexpr Option times_option =
    number_option("times", "size of the chunks that are asked about, as a multiple of their own",
                  "1", {1e-6, 1e6}, "1");
constexpr Option limit_option = number_option(
    "limit", "memory that a process may take; default: as recorded", "", {1, 1e15}, "byte");

/// All chunks, or those of a dataset, at the size that is asked for.
struct Row : MemoryAt {
  const ChunkMemory* of;
  bool is_all;
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
    {"memory", "byte", &Row::likely,
     "resident memory of a process at the peak of the median chunk"},
    {"memory_low", "byte", &Row::low, "5 % of the chunks are below"},
    {"memory_high", "byte", &Row::high, "5 % of the chunks are above"},
    {"memory_largest", "byte", &Row::largest, "none of as many chunks takes more"},
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
    {"memory_no_spill", "byte", [](const Row& row) { return in_steps(row.largest / dask_spills); },
     "memory limit of a Dask worker that does not spill for it: memory_largest / 0.7"},
    {"memory_no_pause", "byte", [](const Row& row) { return in_steps(row.largest / dask_pauses); },
     "memory limit of a Dask worker that is not paused for it: memory_largest / 0.8"},
    {"memory_no_kill", "byte",
     [](const Row& row) { return in_steps(row.largest / dask_terminates); },
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
    rows.push_back({at, &part, rows.empty(), part.above(limit, sizes), in_steps(at.largest)});
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
