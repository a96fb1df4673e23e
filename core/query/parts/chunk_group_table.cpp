// Compiled for speed: it runs for every chunk.
#include "core/query/parts/chunk_group_table.hpp"

#include <vector>

#include "core/runtime/chunks.hpp"
#include "core/runtime/chunks/missing.hpp"
#include "core/stats/fit.hpp"
#include "core/table/rows.hpp"

namespace crema::query {

namespace {

/// The selected chunks of one name, and what they come to.
struct Group {
  std::string_view name;
  double chunks, seconds, events, bytes;
  Moments durations;
  double p50, p95;
  double variation;
  double memory;
  stats::Line line;
  double outliers;
};

}  // namespace

Table group_chunks(std::span<const Run* const> runs, const Selection& selection, ChunkKey key) {
  const Run& run = *runs[0];
  const Chunks& c = run.chunks;
  const ChunkSelection chosen(run, selection);
  const ChunkGroups& groups = chunk_groups(run, key);
  const bool collected = chunk_bytes_collected(run);
  const double all_seconds = chosen.prorated_sum(c.duration);
  const std::vector<double> per_event = chunk_column(run, "seconds_per_event");

  const std::vector<double>& flags = outliers(run);
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
                     .line = line,
                     .outliers = of_flags.count > 0 ? of_flags.sum : absent});
  }

  double all_bytes = 0;
  for (const Group& group : found) all_bytes += value_or(group.bytes, 0);

  Table table;
  Rows rows(table, found);
  rows.text("name", &Group::name);
  rows.number("chunks", "count", &Group::chunks);
  rows.number("seconds", "s", &Group::seconds, "Σ duration, cut to the selected time");
  rows.number(
      "share", "1", [&](const Group& g) { return ratio(g.seconds, all_seconds); },
      "seconds / Σ seconds of all groups");
  rows.number("events", "count", &Group::events);
  rows.number(
      "events_per_second", "1/s", [](const Group& g) { return ratio(g.events, g.seconds); },
      "events / seconds inside process(), per core");
  rows.number(
      "seconds_per_event", "s", [](const Group& g) { return ratio(g.seconds, g.events); },
      "seconds / events");
  rows.number("bytes", "byte", &Group::bytes, "Σ bytes read inside process()");
  rows.number(
      "bytes_share", "1", [&](const Group& g) { return ratio(g.bytes, all_bytes); },
      "bytes / Σ bytes of all groups");
  rows.number(
      "bytes_per_second", "byte/s", [](const Group& g) { return ratio(g.bytes, g.seconds); },
      "bytes / seconds");
  rows.number(
      "mean", "s", [](const Group& g) { return g.durations.mean; }, "of the chunks' durations");
  rows.number("min", "s", [](const Group& g) { return g.durations.min; });
  rows.number("p50", "s", &Group::p50);
  rows.number("p95", "s", &Group::p95);
  rows.number("max", "s", [](const Group& g) { return g.durations.max; });
  rows.number(
      "std", "s", [](const Group& g) { return g.durations.std; },
      "sample standard deviation of the durations");
  rows.number("seconds_per_event_cv", "1", &Group::variation,
              "standard deviation / mean of the chunks' seconds per event");
  rows.number("memory_delta_mean", "byte", &Group::memory);
  rows.number(
      "fixed_seconds", "s", [](const Group& g) { return g.line.fixed; },
      "robust line through duration against events: its value at 0 events; missing where sizes "
      "hardly differ");
  rows.number(
      "seconds_per_event_slope", "s", [](const Group& g) { return g.line.slope; },
      "robust line through duration against events: its slope (Theil–Sen); missing where sizes "
      "hardly differ");
  rows.number(
      "outliers", "count", &Group::outliers,
      "chunks that took more than 3 x the duration expected from their dataset's fixed cost "
      "and seconds per event");
  if (!run.chunks_recorded) table.note("missing", missing::chunks);
  if (const std::string note = chunk_selection_note(selection); !note.empty())
    table.note("selection", note);
  return table;
}

}  // namespace crema::query
