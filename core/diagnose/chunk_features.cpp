// What chunks can differ in: names as they are, numbers in parts with as many chunks each.
#include <algorithm>
#include <numeric>

#include "core/diagnose/feature_table.hpp"
#include "core/runtime/chunks.hpp"

namespace crema::diagnose {

using namespace runtime;

namespace {

/// Numbers are split into quarters, times into more parts: what happens at a moment is short.
constexpr std::size_t quarters = 4;
constexpr std::size_t moments_of_a_run = 12;

constexpr std::uint32_t unknown = 0xffffffffU;

/// From the value of each chunk, or `unknown`.
ChunkFeature new_feature(std::size_t values, const std::vector<std::uint32_t>& of) {
  ChunkFeature feature;
  std::vector<std::uint32_t> next(values + 2, 0);
  for (const std::uint32_t v : of) {
    if (v != unknown) ++next[v + 2];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  feature.chunk.resize(next.back());
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (of[i] != unknown) feature.chunk[next[of[i] + 1]++] = static_cast<std::uint32_t>(i);
  }
  next.pop_back();
  feature.first = std::move(next);
  return feature;
}

/// Parts with as many chunks each; equal numbers are in one part.
ChunkFeature numeric_feature(const std::vector<double>& values, std::size_t parts) {
  std::vector<std::uint32_t> of(values.size(), unknown);
  std::vector<std::pair<double, double>> ranges;
  std::vector<double> present = values;
  std::erase_if(present, is_absent);
  const auto [least, most] = std::minmax_element(present.begin(), present.end());
  if (!present.empty() && *least != *most) {
    double low = *least;
    std::vector<double> upper;
    auto from = present.begin();
    for (std::size_t part = 1; part <= parts; ++part) {
      const auto edge =
          present.begin() + static_cast<std::ptrdiff_t>((present.size() * part - 1) / parts);
      std::nth_element(from, edge, present.end());
      if (upper.empty() || *edge > upper.back()) upper.push_back(*edge);
      from = edge;
    }
    for (const double edge : upper) {
      ranges.emplace_back(low, edge);
      low = edge;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!is_absent(values[i]))
        of[i] = static_cast<std::uint32_t>(std::lower_bound(upper.begin(), upper.end(), values[i]) -
                                           upper.begin());
    }
  }
  ChunkFeature feature = new_feature(ranges.size(), of);
  feature.ranges = std::move(ranges);
  return feature;
}

ChunkFeature group_feature(const ChunkGroups& groups) {
  std::vector<std::uint32_t> of = groups.of;
  for (std::uint32_t& group : of) {
    if (groups.name[group].empty()) group = unknown;
  }
  ChunkFeature feature = new_feature(groups.size(), of);
  feature.names = groups.name;
  return feature;
}

/// Of ids, in the order in which chunks first have them; `value_ids` gets the id of each value.
ChunkFeature id_feature(const std::vector<std::uint32_t>& ids, std::uint32_t none,
                        std::size_t chunks, std::vector<std::uint32_t>& value_ids) {
  std::vector<std::uint32_t> of(chunks, unknown), value_of;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] == none) continue;
    if (ids[i] >= value_of.size()) value_of.resize(ids[i] + 1, unknown);
    std::uint32_t& value = value_of[ids[i]];
    if (value == unknown) {
      value = static_cast<std::uint32_t>(value_ids.size());
      value_ids.push_back(ids[i]);
    }
    of[i] = value;
  }
  return new_feature(value_ids.size(), of);
}

std::vector<double> quotient(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> quotients(a.size());
  std::transform(a.begin(), a.end(), b.begin(), quotients.begin(), ratio);
  return quotients;
}

/// The mean over each chunk's time of the chunks that run.
std::vector<double> tasks_at_once(const Run& run) {
  const Steps& steps = chunk_steps(run);
  std::vector<double> before(steps.times.size(), 0);  // [s] of all chunks, before each step
  for (std::size_t i = 1; i < before.size(); ++i)
    before[i] = before[i - 1] + steps.values[i - 1] * (steps.times[i] - steps.times[i - 1]);
  const auto at = [&](double t) {
    return before[static_cast<std::size_t>(
        std::lower_bound(steps.times.begin(), steps.times.end(), t) - steps.times.begin())];
  };
  std::vector<double> at_once(run.chunks.size(), absent);
  for (std::size_t i = 0; i < at_once.size(); ++i) {
    const double from = run.chunks.t_start[i], to = run.chunks.t_end[i];
    if (to > from) at_once[i] = (at(to) - at(from)) / (to - from);
  }
  return at_once;
}

std::vector<std::vector<std::uint32_t>> moments_of(const ChunkFeature& times, std::size_t chunks) {
  std::vector<std::vector<std::uint32_t>> moments;
  std::vector<bool> is_known(chunks);
  for (std::size_t v = 0; v < times.values(); ++v) {
    const auto members = times.members(v);
    moments.emplace_back(members.begin(), members.end());
    for (const std::uint32_t chunk : members) is_known[chunk] = true;
  }
  moments.emplace_back();
  for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
    if (!is_known[chunk]) moments.back().push_back(chunk);
  }
  return moments;
}

// What selects by a feature: a part of a Selection, or columns.
constexpr std::string_view by_dataset[] = {"datasets"}, by_file[] = {"files"},
                           by_host[] = {"hosts"}, by_worker[] = {"workers"},
                           by_event[] = {"events"}, by_bytes[] = {"bytes_read"},
                           by_memory[] = {"memory_before"}, by_branches[] = {"branches_accessed"},
                           by_time[] = {"time", "t_start", "t_end"},
                           by_duration[] = {"duration", "outlier", "early", "seconds_per_event",
                                            "bytes_per_second"};

ChunkFeatures compute_features(const Run& run) {
  const Chunks& c = run.chunks;
  using Unit = ChunkFeature::Unit;
  ChunkFeatures features;
  const auto add = [&](std::string_view name, std::span<const std::string_view> selected_by,
                       ChunkFeature feature, Unit unit = Unit::name) {
    if (feature.values() < 2) return;
    feature.name = name;
    feature.unit = unit;
    feature.selected_by = selected_by;
    features.all.push_back(std::move(feature));
  };
  const auto add_number = [&](std::string_view name, std::span<const std::string_view> selected_by,
                              const std::vector<double>& values, Unit unit) {
    add(name, selected_by, numeric_feature(values, quarters), unit);
  };
  add("dataset", by_dataset, group_feature(chunk_groups(run, ChunkKey::dataset)));
  add("file", by_file, group_feature(chunk_groups(run, ChunkKey::file)));
  add("host", by_host, group_feature(chunk_groups(run, ChunkKey::host)));
  std::vector<std::uint32_t> ids;
  ChunkFeature worker = id_feature(run.chunks.worker, no_string, c.size(), ids);
  for (const StringId id : ids) worker.names.push_back(run.text(id));
  add("worker", by_worker, std::move(worker));
  ChunkFeature time = numeric_feature(c.t_start, moments_of_a_run);
  features.moments = moments_of(time, c.size());
  add("time", by_time, std::move(time), Unit::seconds);
  add_number("tasks at once", by_time, tasks_at_once(run), Unit::number);
  add_number("events", by_event, c.events, Unit::number);
  if (chunk_bytes_collected(run))
    add_number("bytes per event", by_bytes, quotient(c.bytes_read, c.events), Unit::bytes);
  add_number("memory before", by_memory, c.memory_before, Unit::memory);
  ids.clear();
  ChunkFeature branches = id_feature(c.branch_set, Chunks::no_set, c.size(), ids);
  for (const std::uint32_t set : ids) {
    const auto count = static_cast<double>(c.branch_sets[set].size());
    branches.ranges.emplace_back(count, count);
  }
  add("branches", by_branches, std::move(branches), Unit::number);
  add_number("time against expected", by_duration, quotient(c.duration, expected_durations(run)),
             Unit::number);
  return features;
}

struct KeptFeatures {
  Once<ChunkFeatures> features;
};

}  // namespace

const ChunkFeatures& chunk_features(const Run& run) {
  return run.facts.of<KeptFeatures>().features.of([&] { return compute_features(run); });
}

std::vector<const ChunkFeature*> features_beside(const Run& run, const Selection& selection) {
  std::vector<std::string_view> selected;
  if (selection.time) selected.push_back("time");
  if (!selection.workers.empty()) selected.push_back("workers");
  if (!selection.datasets.empty()) selected.push_back("datasets");
  if (!selection.files.empty()) selected.push_back("files");
  if (!selection.hosts.empty()) selected.push_back("hosts");
  for (const auto& range : selection.ranges) selected.push_back(range.column);
  std::vector<const ChunkFeature*> features;
  for (const ChunkFeature& feature : chunk_features(run).all) {
    if (std::find_first_of(selected.begin(), selected.end(), feature.selected_by.begin(),
                           feature.selected_by.end()) == selected.end())
      features.push_back(&feature);
  }
  return features;
}

}  // namespace crema::diagnose
