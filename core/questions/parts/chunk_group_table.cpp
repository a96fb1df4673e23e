#include "core/questions/parts/chunk_group_table.hpp"

#include <vector>

#include "core/base/fit.hpp"
#include "core/facts/chunk_columns.hpp"
#include "core/facts/chunk_groups.hpp"
#include "core/facts/chunk_selection.hpp"
#include "core/facts/missing.hpp"

namespace crema::questions {

Table group_chunks(std::span<const Run* const> runs, const Selection& selection, ChunkKey key) {
  const Run& run = *runs[0];
  const Chunks& c = run.chunks;
  const ChunkSelection chosen(run, selection);
  const ChunkGroups& groups = chunk_groups(run, key);
  const bool collected = chunk_bytes_collected(run);
  const double all_seconds = chosen.prorated_sum(c.duration);
  const std::vector<double> per_event = chunk_column(run, "seconds_per_event");

  Table table;
  const auto name = table.add_text("name");
  const auto count = table.add_number("chunks", "count");
  const auto seconds = table.add_number("seconds", "s", "Σ duration, cut to the selected time");
  const auto share = table.add_number("share", "1", "seconds / Σ seconds of all groups");
  const auto events = table.add_number("events", "count");
  const auto rate = table.add_number("events_per_second", "1/s", "events / seconds inside process(), per core");
  const auto cost = table.add_number("seconds_per_event", "s", "seconds / events");
  const auto bytes = table.add_number("bytes", "byte", "Σ bytes read inside process()");
  const auto byte_rate = table.add_number("bytes_per_second", "byte/s", "bytes / seconds");
  const auto mean = table.add_number("mean", "s", "of the chunks' durations");
  const auto min = table.add_number("min", "s");
  const auto p50 = table.add_number("p50", "s");
  const auto p95 = table.add_number("p95", "s");
  const auto max = table.add_number("max", "s");
  const auto std = table.add_number("std", "s", "sample standard deviation of the durations");
  const auto variation =
      table.add_number("seconds_per_event_cv", "1", "standard deviation / mean of the chunks' seconds per event");
  const auto memory = table.add_number("memory_delta_mean", "byte");
  const auto fixed =
      table.add_number("fixed_seconds", "s",
                       "robust line through duration against events: its value at 0 events; missing where sizes hardly differ");
  const auto slope =
      table.add_number("seconds_per_event_slope", "s",
                       "robust line through duration against events: its slope (Theil–Sen); missing where sizes hardly differ");
  const auto slow = table.add_number(
      "outliers", "count", "chunks that took more than 3 x what their dataset's fixed cost and seconds per event let expect");

  const std::vector<double>& flags = outliers(run);
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
    const Line line = sizes_differ(sizes) ? robust_line(sizes, durations) : Line{};
    const double group_seconds = prorated(c.duration);
    const double group_events = prorated(c.events);
    const double group_bytes = collected ? prorated(c.bytes_read) : absent;
    table.put_present(name, groups.name[group]);
    table.put(count, static_cast<double>(members.size()));
    table.put(seconds, group_seconds);
    table.put(share, ratio(group_seconds, all_seconds));
    table.put(events, group_events);
    table.put(rate, ratio(group_events, group_seconds));
    table.put(cost, ratio(group_seconds, group_events));
    table.put(bytes, group_bytes);
    table.put(byte_rate, ratio(group_bytes, group_seconds));
    table.put(mean, of_durations.mean);
    table.put(min, of_durations.min);
    table.put(p50, quantile_of(present, 0.5));
    table.put(p95, quantile_of(present, 0.95));
    table.put(max, of_durations.max);
    table.put(std, of_durations.std);
    table.put(variation, ratio(of_costs.std, of_costs.mean));
    table.put(memory, moments_of(c.memory_delta).mean);
    table.put(fixed, line.fixed);
    table.put(slope, line.slope);
    const Moments of_flags = moments_of(flags);
    table.put(slow, of_flags.count > 0 ? of_flags.sum : absent);
  }
  if (!run.chunks_recorded) table.note("missing", missing::chunks);
  if (const std::string note = chunk_selection_note(selection); !note.empty()) table.note("selection", note);
  return table;
}

}  // namespace crema::questions
