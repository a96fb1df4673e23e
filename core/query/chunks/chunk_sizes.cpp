// What chunks of other sizes would change: `chunk_sizes` (the model is in
// core/predict/chunk_size.hpp); what the last of them cost: `tail`.
#include "core/base/number_format.hpp"
#include "core/base/text.hpp"
#include "core/predict/chunk_size.hpp"
#include "core/predict/replay.hpp"
#include "core/query/notes.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"

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
     "processor tasks outside process(), if they cost per event"},
    {"outside_high", "s", &ChunkOffer::outside_high, "the same, if they cost per chunk"},
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
  if (const std::string note = chunk_selection_note(selection); !note.empty())
    table.note("selection", note);
  if (model.empty()) {
    say(table, run.chunks_recorded ? notes::no_durations : notes::no_chunks);
    return;
  }
  table.note("fitted", model.fitted);
  if (model.fitted < 1) {
    say(table, notes::sizes_hardly_differ,
        {model.fitted == 0 ? "each dataset" : "some datasets", format_percent(model.least_fixed),
         format_percent(model.most_fixed)});
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
  note_chunk_selection(table, selection);
  return table;
}

extern const Question question("tail", "what the last 5 % of the chunks cost", columns, answer,
                               {.options = {&runtime::processor_option},
                                .narrowed_by = chunk_dimensions});

}  // namespace crema::query::tail
