// What no cluster, or no order of the chunks, can go below: `bounds`.
#include <algorithm>
#include <numeric>
#include <string>

#include "core/base/elementary.hpp"
#include "core/base/number_format.hpp"
#include "core/predict/prediction.hpp"
#include "core/query/question.hpp"
#include "core/report/fill.hpp"
#include "core/report/scenario_text.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::query::bounds {

struct Bound {
  const char* id;
  double cores, elapsed, low;
  std::string note;
};

static std::vector<Bound> bounds_of(const Run& run, const Options& options, Table& said) {
  const ReplayTrace& trace = replay_trace_of(run, options);
  const double cores = std::round(load_of(run, options).cores);
  if (trace.order.empty() || is_absent(trace.elapsed)) {
    say(said, trace.order.empty() ? notes::no_chunks : notes::no_length);
    return {};
  }
  std::vector<double> tasks;
  double longest = 0;
  for (const std::uint32_t i : trace.order) {
    tasks.push_back(trace.inside[i] + trace.outside + trace.others);
    longest = std::max(longest, trace.inside[i] + trace.outside);
  }
  const double work = std::accumulate(tasks.begin(), tasks.end(), 0.0);
  // The first task begins where the replay's first core does.
  double begin = trace.begin;
  for (const Slot& slot : trace.slots) begin = std::min(begin, slot.from);
  // By what the replay is off, as predictions are, but no bound is raised by that.
  const auto lasting = [&](double seconds) {
    const double replayed = begin + seconds + trace.after;
    return std::min(replayed, elapsed_after(run, options, replayed));
  };
  // Another recording of the same may compute faster by this much: whatif's bands count that in.
  const double faster =
      elementary::exp(within_90 * between_recordings(load_of(run, options), options));
  std::vector<Bound> found;
  const auto add = [&](const ScenarioText& text, double on, double elapsed,
                       std::initializer_list<std::string_view> values = {}) {
    found.push_back({text.name, on, elapsed, elapsed / faster, fill(text.note, values)});
  };
  found.push_back({scenarios::as_recorded.name, cores, trace.elapsed, trace.elapsed, ""});
  if (cores >= 1) {
    add(scenarios::perfect_packing, cores,
        std::min(trace.elapsed, lasting(std::max(longest, work / cores))),
        {format_core_seconds(work)});
  }
  add(scenarios::infinite_cores, absent, std::min(trace.elapsed, lasting(longest)),
      {format_seconds(longest), format_seconds(begin), format_seconds(trace.after)});
  const double least = found.back().low;
  add(scenarios::one_core, 1, lasting(work));
  say(said, notes::shortest_run, {format_seconds(least), format_seconds(longest)});
  // More cores than this only wait for the longest chunk.
  said.note("useful_cores", longest > 0 ? work / longest : absent);
  return found;
}

/// Against so many seconds as recorded.
const Columns<Bound, double> columns = {
    {"bound", &Bound::id},
    {"cores", "count", &Bound::cores},
    {"elapsed", "s", &Bound::elapsed,
     "before the first chunk + max(longest task, Σ tasks / cores) + after the last"},
    {"elapsed_low", "s", &Bound::low,
     "elapsed / the spread of recordings of the same work: no lower end of whatif's "
     "predictions for other numbers of cores is below it"},
    {"speedup", "1", [](const Bound& b, double recorded) { return ratio(recorded, b.elapsed); },
     "elapsed as recorded / elapsed"},
    {"note", &Bound::note},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  Table said;
  const std::vector<Bound> bounds = bounds_of(run, options, said);
  Table table = columns.table(bounds, bounds.empty() ? absent : bounds[0].elapsed);
  if (!selection.empty()) say(table, notes::bounds_are_whole);
  for (Note& note : said.notes) table.notes.push_back(std::move(note));
  return table;
}

extern const Question question(
    "bounds", "lower bounds of the elapsed time: the longest chunk, perfect packing, one core",
    columns, answer, {.options = {&runtime::processor_option, &run_spread_option}});

}  // namespace crema::query::bounds
