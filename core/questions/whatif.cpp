// Question `whatif`: the recorded chunks replayed by list scheduling on other clusters, in other
// sizes, in another order. The run as it was comes first: how far its replay is from what happened
// is the error that stands beside every prediction.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/base/error.hpp"
#include "core/base/fit.hpp"
#include "core/base/number_format.hpp"
#include "core/base/text.hpp"
#include "core/facts/chunk_columns.hpp"
#include "core/facts/chunk_groups.hpp"
#include "core/facts/cores.hpp"
#include "core/facts/missing.hpp"
#include "core/facts/processor.hpp"
#include "core/facts/script.hpp"
#include "core/questions/question.hpp"
#include "core/table/rows.hpp"

namespace crema::questions::whatif {

namespace {

constexpr Option cores_option{.name = "cores",
                              .about =
                                  "numbers of cores to replay on, with commas between; half, twice "
                                  "and four times as many where none are given"};

// Beyond this a replay has not understood the run, and what it says of another one is worth
// nothing.
constexpr double worst_error = 0.15;

/// As many slots as wanted, which come in the rhythm of the recorded ones and stay.
std::vector<Slot> slots_for(const Script& script, std::size_t count) {
  std::vector<double> starts;
  for (const Slot& slot : script.slots) starts.push_back(slot.from);
  std::sort(starts.begin(), starts.end());
  std::vector<Slot> slots(count);
  for (std::size_t i = 0; i < count; ++i) slots[i].from = starts[i * starts.size() / count];
  return slots;
}

/// The fixed cost of a chunk inside process() by dataset [s]: what its fit says, 0 where it cannot
/// be told.
std::vector<double> fixed_costs(const Run& run, const std::vector<double>& inside) {
  const Chunks& c = run.chunks;
  const ChunkGroups& datasets = chunk_groups(run, ChunkKey::dataset);
  std::vector<double> fixed(datasets.size());
  std::vector<double> events, seconds;
  for (std::size_t dataset = 0; dataset < datasets.size(); ++dataset) {
    events.clear();
    seconds.clear();
    for (const std::uint32_t i : datasets.members(dataset)) {
      events.push_back(is_absent(c.t_start[i]) || is_absent(c.t_end[i]) ? absent : c.events[i]);
      seconds.push_back(inside[i]);
    }
    const Line line = sizes_differ(events) ? robust_line(events, seconds) : Line{};
    fixed[dataset] = line.slope > 0 ? std::max(0.0, line.fixed) : 0;
  }
  return fixed;
}

/// The chunks of each dataset, `factor` (2, 4: merged; 0.5: cut) times as large. Outside of
/// process() costs `outside` per chunk of any size, or in proportion.
std::vector<double> resized(const Run& run, const Script& script, const std::vector<double>& fixed,
                            double factor, bool outside_per_chunk) {
  const ChunkGroups& datasets = chunk_groups(run, ChunkKey::dataset);
  const double outside = outside_per_chunk ? script.outside : script.outside * factor;
  std::vector<double> tasks;
  tasks.reserve(
      static_cast<std::size_t>(static_cast<double>(script.order.size()) / std::min(1.0, factor)));
  std::vector<std::pair<double, std::size_t>> merging(datasets.size());  // seconds, chunks
  const auto put = [&](double inside) { tasks.push_back(inside + outside + script.others); };
  for (const std::uint32_t i : script.order) {
    const double cost = std::min(fixed[datasets.of[i]], script.inside[i]);
    if (factor < 1) {
      const double pieces = std::round(1 / factor);
      for (double piece = 0; piece < pieces; piece += 1)
        put((script.inside[i] - cost) / pieces + cost);
      continue;
    }
    auto& [seconds, count] = merging[datasets.of[i]];
    seconds += count == 0 ? script.inside[i] : script.inside[i] - cost;
    if (++count < static_cast<std::size_t>(std::round(factor))) continue;
    put(seconds);
    seconds = 0;
    count = 0;
  }
  for (const auto& [seconds, count] : merging) {
    if (count > 0) put(seconds);
  }
  return tasks;
}

constexpr double sizes[] = {0.5, 2, 4};  // of chunks, in present ones

/// All that does not depend on the number of cores asked for: replays on the recorded cluster.
struct Replays {
  Script script;
  double cores = absent;      // now: of workers that came and went there never were all at once
  std::vector<double> tasks;  // [s] in the order in which they began
  double as_it_was = absent;  // [s]
  std::vector<double> per_chunk, per_event;  // [s] by size: how the time outside process() grows
  double longest_first = absent, without_stragglers = absent, half_outside = absent;  // [s]
  double stragglers = 0;

  bool is_cluster() const { return cores >= 1 && cores <= most_cores && !script.slots.empty(); }
  bool is_whole() const {
    return !script.order.empty() && is_cluster() && !is_absent(script.elapsed);
  }
};

Replays made_replays(const Run& run, const Options& options) {
  Replays made;
  made.script = script_of(run, options);
  const Script& script = made.script;
  made.cores = std::round(core_time(run, WorkerSelection(run, {}), 0, script.elapsed).cores);
  if (!made.is_whole()) return made;
  made.tasks = tasks_of(script, script.inside, script.outside);
  made.as_it_was = on_recorded_cluster(script, made.tasks);
  const std::vector<double> fixed = fixed_costs(run, script.inside);
  for (const double size : sizes) {
    made.per_chunk.push_back(on_recorded_cluster(script, resized(run, script, fixed, size, true)));
    made.per_event.push_back(
        script.outside > 0 ? on_recorded_cluster(script, resized(run, script, fixed, size, false))
                           : made.per_chunk.back());
  }
  std::vector<double> longest = made.tasks;
  std::sort(longest.begin(), longest.end());
  std::reverse(longest.begin(), longest.end());
  made.longest_first = on_recorded_cluster(script, longest);
  const std::vector<double>& flags = outliers(run);
  const std::vector<double>& expected = expected_durations(run);
  std::vector<double> tamed = script.inside;
  for (std::size_t i = 0; i < tamed.size(); ++i) {
    if (flags[i] != 1) continue;
    tamed[i] = std::min(tamed[i], expected[i]);
    made.stragglers += 1;
  }
  made.without_stragglers = on_recorded_cluster(script, tasks_of(script, tamed, script.outside));
  made.half_outside =
      on_recorded_cluster(script, tasks_of(script, script.inside, script.outside / 2));
  return made;
}

std::vector<double> wanted_cores(const Options& options, double now) {
  std::vector<double> cores;
  if (!options.has(cores_option)) {
    // half of one core is none
    if (now < 2) return {2 * now, 4 * now};
    return {std::round(now / 2), 2 * now, 4 * now};
  }
  std::string text = options.text(cores_option);
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const double value = parse_number(std::string_view(text).substr(at, comma - at));
    if (!(value >= 1 && value <= 1e6))
      throw Failure(ErrorCode::bad_option, "cores is not a list of numbers of cores: " + text);
    cores.push_back(std::round(value));
    at = comma + 1;
  }
  return cores;
}

/// A cluster, or a change of the work, and what the run would have taken.
struct Scenario {
  std::string name;
  double cores, chunk_events;
  double elapsed, low, high;  // [s]
  double error;
  std::string note;
};

/// The run as it was, and what could have been otherwise; a note where there is nothing to replay.
std::vector<Scenario> scenarios_of(const Run& run, const Options& options, Table& notes) {
  std::vector<Scenario> scenarios;
  const Replays& made = run.memo.index<Replays>("replays|" + options.text(processor_option),
                                                [&] { return made_replays(run, options); });
  const Script& script = made.script;
  const double now = made.cores;
  if (!made.is_whole()) {
    notes.note("missing", script.order.empty() ? std::string(missing::chunks)
                          : !made.is_cluster() ? std::string("the number of cores is not known: ") +
                                                     missing::tracking
                                               : std::string("the run's length was not recorded"));
    return scenarios;
  }
  const double events = median_of(run.chunks.events);
  const double replayed = made.as_it_was;
  const double off = ratio(replayed, script.elapsed) - 1;
  const bool good = std::fabs(off) <= worst_error;
  const double around = std::fabs(off);

  const auto put = [&](const std::string& name, double n, double size, double least, double most,
                       std::string text) {
    if (!good)
      text = "withheld: the replay of the run as it was is " + format_percent(around) + " off";
    scenarios.push_back({.name = name,
                         .cores = n,
                         .chunk_events = size,
                         .elapsed = good ? (least + most) / 2 : absent,
                         .low = good ? std::min(least, most) * (1 - around) : absent,
                         .high = good ? std::max(least, most) * (1 + around) : absent,
                         .error = off,
                         .note = std::move(text)});
  };

  scenarios.push_back(
      {.name = "as it was",
       .cores = now,
       .chunk_events = events,
       .elapsed = replayed,
       .low = replayed,
       .high = replayed,
       .error = off,
       .note = "replayed; it took " + format_seconds(script.elapsed) +
               (script.repeated > 0
                    ? ", with " + format_count(script.repeated, "execution") + " done again"
                    : "")});
  for (const double n : wanted_cores(options, now)) {
    const double t = predicted(script, made.tasks, slots_for(script, static_cast<std::size_t>(n)));
    put(format_count(n, "core"), n, events, t, t,
        "if the machines are as good: contention for disks, network or cores is not in it");
  }
  for (std::size_t i = 0; i < std::size(sizes); ++i) {
    put(sizes[i] < 1 ? "chunks half as large"
                     : "chunks " + format_number(sizes[i]) + " times as large",
        now, events * sizes[i], made.per_chunk[i], made.per_event[i],
        "time outside process() taken per chunk, and per event: the truth is between");
  }
  put("longest chunks first", now, events, made.longest_first, made.longest_first, "");
  put("without stragglers", now, events, made.without_stragglers, made.without_stragglers,
      format_count(made.stragglers, "straggler") + " taken as long as expected");
  put("half the time outside process()", now, events, made.half_outside, made.half_outside,
      script.outside > 0 ? format_seconds(script.outside) + " per execution now"
                         : "nothing is known to be outside");
  return scenarios;
}

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  Table table;
  if (!selection.empty()) table.note("selection", "a replay is of the whole run");
  const std::vector<Scenario> scenarios = scenarios_of(*runs[0], options, table);
  Rows rows(table, scenarios);
  rows.text("scenario", &Scenario::name);
  rows.number("cores", "count", &Scenario::cores);
  rows.number("chunk_events", "count", &Scenario::chunk_events, "median events per chunk");
  rows.number("elapsed", "s", &Scenario::elapsed,
              "list scheduling of the recorded chunks, and what came before and after them");
  rows.number("elapsed_low", "s", &Scenario::low,
              "least of the models, less the calibration error");
  rows.number("elapsed_high", "s", &Scenario::high,
              "most of the models, plus the calibration error");
  rows.number("calibration_error", "1", &Scenario::error,
              "replay of the run as it was / what happened − 1");
  rows.text("note", &Scenario::note);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "whatif",
    .about = "the recorded chunks replayed on another cluster",
    .options = {&facts::processor_option, &cores_option},
    .function = answer,
};

}  // namespace crema::questions::whatif
