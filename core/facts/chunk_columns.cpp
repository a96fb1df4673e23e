#include "core/facts/chunk_columns.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <queue>

#include "core/base/error.hpp"
#include "core/base/fit.hpp"
#include "core/facts/chunk_groups.hpp"
#include "core/facts/chunk_selection.hpp"

namespace crema::facts {

namespace {

std::vector<double> quotients(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = ratio(a[i], b[i]);
  return result;
}

/// The values of the sections that `wanted` accepts, as columns.
template <class Wanted>
std::vector<SectionColumn> collect_sections(const Run& run, std::size_t most, Wanted wanted) {
  std::vector<SectionColumn> columns;
  using Key = std::pair<StringId, SectionValue::Kind>;
  std::vector<Key> keys;  // of the columns
  std::size_t at =
      0;  // chunks have the same sections in the same order: the next column is mostly the one
  for (const SectionValue& value : run.chunks.sections) {
    if (!wanted(value)) continue;
    const Key key{value.name, value.kind};
    if (++at >= keys.size()) at = 0;
    if (keys.empty() || keys[at] != key)
      at = static_cast<std::size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin());
    if (at == keys.size()) {
      if (columns.size() == most) continue;
      keys.push_back(key);
      columns.push_back(
          {std::string(section_prefix(value.kind)) + std::string(run.text(value.name)),
           value.kind == SectionValue::Kind::seconds ? "s" : "byte",
           std::vector<double>(run.chunks.size(), absent)});
    }
    double& cell = columns[at].values[value.chunk];
    cell = value_or(cell, 0) + value.value;
  }
  return columns;
}

}  // namespace

std::string_view section_prefix(SectionValue::Kind kind) {
  switch (kind) {
    case SectionValue::Kind::seconds: return "section:";
    case SectionValue::Kind::memory: return "section_memory:";
    default: return "section_bytes:";
  }
}

std::vector<SectionColumn> section_columns(const Run& run, std::size_t most) {
  return collect_sections(run, most, [](const SectionValue&) { return true; });
}

std::vector<double> chunk_column(const Run& run, std::string_view name) {
  const Chunks& c = run.chunks;
  static const std::map<std::string_view, std::vector<double> Chunks::*> plain = {
      {"t_start", &Chunks::t_start},
      {"t_end", &Chunks::t_end},
      {"duration", &Chunks::duration},
      {"events", &Chunks::events},
      {"bytes_read", &Chunks::bytes_read},
      {"entry_start", &Chunks::entry_start},
      {"entry_stop", &Chunks::entry_stop},
      {"memory_before", &Chunks::memory_before},
      {"memory_after", &Chunks::memory_after},
      {"memory_delta", &Chunks::memory_delta},
      {"branches_accessed", &Chunks::branches_accessed},
      {"accessed_bytes", &Chunks::accessed_bytes},
  };
  if (name == "bytes_read" && !chunk_bytes_collected(run))
    return std::vector<double>(c.size(), absent);
  if (const auto found = plain.find(name); found != plain.end()) return c.*found->second;
  if (name == "seconds_per_event") return quotients(c.duration, c.events);
  if (name == "memory_delta_per_event") return quotients(c.memory_delta, c.events);
  if (name == "chunk") {
    std::vector<double> numbers(c.size());
    std::iota(numbers.begin(), numbers.end(), 0.0);
    return numbers;
  }
  if (name == "bytes_per_second")
    return chunk_bytes_collected(run) ? quotients(c.bytes_read, c.duration)
                                      : std::vector<double>(c.size(), absent);
  if (name == "lane") return pack_lanes(run);
  if (name == "outlier") return outliers(run);
  if (name == "early") return early_ends(run);
  if (name.substr(0, custom_prefix.size()) == custom_prefix)
    name.remove_prefix(custom_prefix.size());
  if (const auto found = c.extra.find(std::string(name)); found != c.extra.end()) {
    std::vector<double> column = found->second;
    column.resize(c.size(), absent);
    return column;
  }
  for (const auto kind :
       {SectionValue::Kind::seconds, SectionValue::Kind::memory, SectionValue::Kind::bytes}) {
    const std::string_view prefix = section_prefix(kind);
    if (name.substr(0, prefix.size()) != prefix) continue;
    const StringId section = run.names->strings.find(name.substr(prefix.size()));
    auto found = collect_sections(
        run, 1, [&](const SectionValue& v) { return v.kind == kind && v.name == section; });
    if (!found.empty()) return std::move(found[0].values);
  }
  throw Failure(ErrorCode::bad_selection, "chunks have no numeric column " + std::string(name));
}

std::string_view chunk_column_unit(std::string_view name) {
  static const std::map<std::string_view, std::string_view> units = {
      {"t_start", "s"},
      {"t_end", "s"},
      {"duration", "s"},
      {"events", "count"},
      {"bytes_read", "byte"},
      {"entry_start", "count"},
      {"entry_stop", "count"},
      {"memory_before", "byte"},
      {"memory_after", "byte"},
      {"memory_delta", "byte"},
      {"accessed_bytes", "byte"},
      {"branches_accessed", "count"},
      {"lane", "count"},
      {"seconds_per_event", "s"},
      {"outlier", "1"},
      {"early", "1"},
      {"chunk", "count"},
      {"bytes_per_second", "byte/s"},
      {"memory_delta_per_event", "byte"},
  };
  if (const auto found = units.find(name); found != units.end()) return found->second;
  if (name.substr(0, 8) == "section:") return "s";
  return name.substr(0, 8) == "section_" && name.find(':') != std::string_view::npos ? "byte" : "";
}

const std::vector<std::uint32_t>& chunks_by_start(const Run& run) {
  return run.memo.index<std::vector<std::uint32_t>>("chunks by start", [&] {
    const Chunks& c = run.chunks;
    std::vector<std::uint32_t> order;
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (!is_absent(c.t_start[i]) && !is_absent(c.t_end[i]))
        order.push_back(static_cast<std::uint32_t>(i));
    }
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tie(c.t_start[a], c.t_end[a], a) < std::tie(c.t_start[b], c.t_end[b], b);
    });
    return order;
  });
}

namespace {

std::vector<double> compute_lanes(const Run& run) {
  const Chunks& chunks = run.chunks;
  std::vector<double> lanes(chunks.size(), absent);
  std::priority_queue<double, std::vector<double>, std::greater<>> free_lanes;
  using Busy = std::pair<double, double>;  // end, lane
  std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy;
  double next_lane = 0;
  for (const std::uint32_t i : chunks_by_start(run)) {
    while (!busy.empty() && busy.top().first <= chunks.t_start[i]) {
      free_lanes.push(busy.top().second);
      busy.pop();
    }
    double lane = next_lane;
    if (free_lanes.empty()) {
      next_lane += 1;
    } else {
      lane = free_lanes.top();
      free_lanes.pop();
    }
    lanes[i] = lane;
    busy.emplace(chunks.t_end[i], lane);
  }
  return lanes;
}

}  // namespace

const std::vector<double>& pack_lanes(const Run& run) {
  return run.memo.index<std::vector<double>>("lanes", [&] { return compute_lanes(run); });
}

bool sizes_differ(std::span<const double> events) {
  // Mostly nothing has to be sorted: files are cut into chunks of nearly one size.
  const Moments all = moments(events);
  if (!(all.max >= 1.5 * all.min)) return false;
  std::vector<double> present;
  std::copy_if(events.begin(), events.end(), std::back_inserter(present),
               [](double v) { return !is_absent(v); });
  return quantile_of(present, 0.9) >= 1.5 * quantile_of(present, 0.1);
}

namespace {

std::vector<double> made_expected(const Run& run) {
  const Chunks& c = run.chunks;
  const ChunkGroups& datasets = chunk_groups(run, ChunkKey::dataset);
  std::vector<double> expected(c.size(), absent);
  std::vector<std::uint32_t> members;
  std::vector<double> events, durations, per_event;
  for (std::size_t dataset = 0; dataset < datasets.size(); ++dataset) {
    members.clear();
    for (auto* values : {&events, &durations, &per_event}) values->clear();
    for (const std::uint32_t i : datasets.members(dataset)) {
      if (is_absent(c.duration[i]) || !(c.events[i] > 0)) continue;
      members.push_back(i);
      events.push_back(c.events[i]);
      durations.push_back(c.duration[i]);
      per_event.push_back(c.duration[i] / c.events[i]);
    }
    if (members.size() < outlier_least) continue;
    Line line{0, quantile_of(per_event, 0.5)};
    if (sizes_differ(events)) {
      const Line fitted = robust_line(events, durations);
      // A line that falls, or begins below nothing, explains no cost: chunks are then compared per
      // event.
      if (fitted.slope > 0 && fitted.fixed >= 0) line = fitted;
    }
    for (const std::uint32_t i : members) expected[i] = line.fixed + line.slope * c.events[i];
  }
  return expected;
}

/// A flag for each chunk of which a duration is expected: `holds(duration, expected)`.
template <class Holds>
std::vector<double> flags_by_expected(const Run& run, Holds holds) {
  const std::vector<double>& expected = expected_durations(run);
  std::vector<double> flags(expected.size(), absent);
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (!is_absent(expected[i])) flags[i] = holds(run.chunks.duration[i], expected[i]) ? 1 : 0;
  }
  return flags;
}

}  // namespace

const std::vector<double>& expected_durations(const Run& run) {
  return run.memo.index<std::vector<double>>("expected durations",
                                             [&] { return made_expected(run); });
}

const std::vector<double>& outliers(const Run& run) {
  return run.memo.index<std::vector<double>>("outliers", [&] {
    return flags_by_expected(
        run, [](double took, double expected) { return took > outlier_factor * expected; });
  });
}

const std::vector<double>& early_ends(const Run& run) {
  return run.memo.index<std::vector<double>>("early ends", [&] {
    return flags_by_expected(
        run, [](double took, double expected) { return took < early_factor * expected; });
  });
}

}  // namespace crema::facts
