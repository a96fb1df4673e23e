// Compiled for speed: it runs for every chunk.
// Chunks by what they have in common: `groups`, which datasets, files, hosts and sites are short
// for, and how fast a host serves a chunk when it serves several: `host_load`.
#include <cmath>

#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"
#include "core/stats/fit.hpp"

namespace crema::query::groups {

constexpr Option by_option =
    choice_option("by", "what the chunks are grouped by", "dataset, file, host, site", "dataset");

/// The selected chunks of one name, and what they come to.
struct Group {
  std::string_view name;
  double chunks, seconds, events, bytes;
  Moments durations;
  double p50, p95;
  double variation;
  double memory;
  double expected;  // [s] for each event
  double together;  // [byte/s] of all its chunks
  stats::Line line;
  double outliers;
};

/// Of all groups.
struct All {
  double seconds = 0, bytes = 0;
};

const Columns<Group, All> columns = {
    {"name", &Group::name},
    {"chunks", "count", &Group::chunks},
    {"seconds", "s", &Group::seconds, "Σ duration, cut to the selected time"},
    {"share", "1", [](const Group& g, const All& all) { return ratio(g.seconds, all.seconds); },
     "seconds / Σ seconds of all groups"},
    {"events", "count", &Group::events},
    {"events_per_second", "1/s", [](const Group& g) { return ratio(g.events, g.seconds); },
     "events / seconds inside process(), per core"},
    {"seconds_per_event", "s", [](const Group& g) { return ratio(g.seconds, g.events); },
     "seconds / events"},
    {"expected_per_event", "s", &Group::expected,
     "Σ of what its chunks would be expected to take by their datasets and events, / their events"},
    {"bytes", "byte", &Group::bytes, "Σ bytes read inside process()"},
    {"bytes_share", "1", [](const Group& g, const All& all) { return ratio(g.bytes, all.bytes); },
     "bytes / Σ bytes of all groups"},
    {"bytes_per_second", "byte/s", [](const Group& g) { return ratio(g.bytes, g.seconds); },
     "bytes / seconds"},
    {"bytes_per_second_together", "byte/s", &Group::together,
     "Σ bytes of its chunks, each whole, / the time from the first one's start to the last one's "
     "end"},
    {"mean", "s", [](const Group& g) { return g.durations.mean; }, "of the chunks' durations"},
    {"min", "s", [](const Group& g) { return g.durations.min; }},
    {"p50", "s", &Group::p50},
    {"p95", "s", &Group::p95},
    {"max", "s", [](const Group& g) { return g.durations.max; }},
    {"std", "s", [](const Group& g) { return g.durations.std; },
     "sample standard deviation of the durations"},
    {"seconds_per_event_cv", "1", &Group::variation,
     "standard deviation / mean of the chunks' seconds per event"},
    {"memory_delta_mean", "byte", &Group::memory},
    {"fixed_seconds", "s", [](const Group& g) { return g.line.fixed; },
     "robust line through duration against events: its value at 0 events; missing where sizes "
     "hardly differ"},
    {"seconds_per_event_slope", "s", [](const Group& g) { return g.line.slope; },
     "robust line through duration against events: its slope (Theil–Sen); missing where sizes "
     "hardly differ"},
    {"outliers", "count", &Group::outliers,
     "chunks that took more than 3 x the duration expected from their dataset's fixed cost "
     "and seconds per event"},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const Chunks& c = run.chunks;
  const ChunkSelection chosen(run, selection);
  const ChunkGroups& groups = chunk_groups(run, options.choice<ChunkKey>(by_option));
  const bool collected = chunk_bytes_collected(run);
  const std::vector<double> per_event = chunk_column(run, "seconds_per_event");
  const std::vector<double>& flags = outliers(run);
  const std::vector<double>& expected = expected_durations(run);
  All all{.seconds = chosen.prorated_sum(c.duration)};
  std::vector<Group> found;
  std::vector<std::uint32_t> members;
  std::vector<double> durations, present, sizes, picked;
  const auto moments_of = [&](const std::vector<double>& values) {
    gather(values, members, picked);
    return moments(picked);
  };
  const auto prorated = [&](const std::vector<double>& values) {
    double sum = 0;
    bool any = false;
    for (const std::uint32_t i : members) {
      if (is_absent(values[i])) continue;
      sum += chosen.share[i] == 1 ? values[i] : chosen.share[i] * values[i];
      any = true;
    }
    return any ? sum : absent;
  };
  for (std::size_t group = 0; group < groups.size(); ++group) {
    members.clear();
    for (const std::uint32_t i : groups.members(group)) {
      if (chosen[i]) members.push_back(i);
    }
    if (members.empty()) continue;
    gather(c.duration, members, durations);
    const Moments of_durations = moments(durations);
    present = durations;
    std::erase_if(present, is_absent);
    const Moments of_costs = moments_of(per_event);
    // Chunks of (nearly) one size tell nothing about what a chunk of another size would take.
    gather(c.events, members, sizes);
    const stats::Line line =
        sizes_differ(sizes) ? stats::robust_line(sizes, durations) : stats::Line{};
    const Moments of_flags = moments_of(flags);
    double events = 0, seconds = 0, bytes = 0, begin = absent, end = absent;
    for (const std::uint32_t i : members) {
      bytes += value_or(c.bytes_read[i], 0);
      begin = std::fmin(begin, c.t_start[i]);
      end = std::fmax(end, c.t_end[i]);
      if (is_absent(expected[i])) continue;
      events += c.events[i];
      seconds += expected[i];
    }
    found.push_back({.name = groups.name[group],
                     .chunks = static_cast<double>(members.size()),
                     .seconds = prorated(c.duration),
                     .events = prorated(c.events),
                     .bytes = collected ? prorated(c.bytes_read) : absent,
                     .durations = of_durations,
                     .p50 = quantile_of(present, 0.5),
                     .p95 = quantile_of(present, 0.95),
                     .variation = ratio(of_costs.std, of_costs.mean),
                     .memory = moments_of(c.memory_delta).mean,
                     .expected = ratio(seconds, events),
                     .together = collected ? ratio(bytes, end - begin) : absent,
                     .line = line,
                     .outliers = of_flags.count > 0 ? of_flags.sum : absent});
    all.bytes += value_or(found.back().bytes, 0);
  }
  Table table = columns.table(found, all);
  note_chunks(table, run, selection);
  return table;
}

extern const Question question(
    "groups", "chunks by dataset, file, host or site: rates, durations, fixed cost", columns,
    answer, {.options = {&by_option}, .narrowed_by = chunk_dimensions});

}  // namespace crema::query::groups

namespace crema::query::host_load {

struct Level {
  std::string_view host;
  double load;
  std::vector<double> rates;  // [byte/s] of its chunks, ascending
};

const Columns<Level> columns = {
    {"host", &Level::host},
    {"chunks_open", "count", &Level::load, "the chunks' host_load, rounded"},
    {"chunks", "count", [](const Level& level) { return level.rates.size(); }},
    {"p25", "byte/s", [](const Level& level) { return quantile(level.rates, 0.25); },
     "of the chunks' bytes_read / duration"},
    {"p50", "byte/s", [](const Level& level) { return quantile(level.rates, 0.5); }},
    {"p75", "byte/s", [](const Level& level) { return quantile(level.rates, 0.75); }},
};

static Table answer(const Run& run, const Selection& selection, const Options&) {
  const ChunkSelection chosen(run, selection);
  const ChunkGroups& hosts = chunk_groups(run, ChunkKey::host);
  const std::vector<double>& loads = host_loads(run);
  const std::vector<double> rates = chunk_column(run, "bytes_per_second");
  std::vector<Level> levels;
  for (std::size_t host = 0; host < hosts.size(); ++host) {
    std::map<double, std::vector<double>> by_load;
    for (const std::uint32_t i : hosts.members(host)) {
      if (chosen[i] && !is_absent(loads[i]) && !is_absent(rates[i]))
        by_load[std::round(loads[i])].push_back(rates[i]);
    }
    for (auto& [load, list] : by_load) {
      std::sort(list.begin(), list.end());
      levels.push_back({hosts.name[host], load, std::move(list)});
    }
  }
  Table table = columns.table(levels);
  note_chunks(table, run, selection);
  return table;
}

extern const Question question(
    "host_load", "the read rate of a chunk by how many chunks its host served at the same time",
    columns, answer, {.narrowed_by = chunk_dimensions});

}  // namespace crema::query::host_load
