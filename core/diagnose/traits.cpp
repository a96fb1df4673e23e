#include "core/diagnose/traits.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/base/number_format.hpp"
#include "core/base/order.hpp"
#include "core/model/run.hpp"
#include "core/runtime/chunks.hpp"

namespace crema::diagnose {

using namespace runtime;

namespace {

/// Numbers are told apart by quarters, times by more: what happens at a moment is short.
constexpr std::size_t quarters = 4;
constexpr std::size_t moments_of_a_run = 12;

using FormatNumber = std::string (*)(double);
constexpr std::uint32_t unknown = 0xffffffffU;

/// From the value of each chunk, or `unknown`.
Trait new_trait(std::vector<std::string> value, const std::vector<std::uint32_t>& of) {
  Trait trait;
  trait.value = std::move(value);
  std::vector<std::uint32_t> next(trait.value.size() + 2, 0);
  for (const std::uint32_t v : of) {
    if (v != unknown) ++next[v + 2];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  trait.chunk.resize(next.back());
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (of[i] != unknown) trait.chunk[next[of[i] + 1]++] = static_cast<std::uint32_t>(i);
  }
  next.pop_back();
  trait.first = std::move(next);
  return trait;
}

std::string range_text(FormatNumber format, double low, double high) {
  const std::string from = format(low), to = format(high);
  return from == to ? from : from + " to " + to;
}

/// Parts with as many chunks each; equal numbers are in one part.
Trait numeric_trait(const std::vector<double>& values, std::size_t parts, FormatNumber format) {
  std::vector<std::uint32_t> of(values.size(), unknown);
  std::vector<std::string> texts;
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
      texts.push_back(range_text(format, low, edge));
      low = edge;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!is_absent(values[i]))
        of[i] = static_cast<std::uint32_t>(std::lower_bound(upper.begin(), upper.end(), values[i]) -
                                           upper.begin());
    }
  }
  return new_trait(std::move(texts), of);
}

Trait group_trait(const ChunkGroups& groups) {
  std::vector<std::uint32_t> of = groups.of;
  for (std::uint32_t& group : of) {
    if (groups.name[group].empty()) group = unknown;
  }
  return new_trait({groups.name.begin(), groups.name.end()}, of);
}

/// Of ids, in the order in which chunks first have them.
Trait id_trait(const std::vector<std::uint32_t>& ids, std::uint32_t none, std::size_t chunks,
               const std::function<std::string(std::uint32_t)>& text) {
  std::vector<std::uint32_t> of(chunks, unknown), value_of;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] == none) continue;
    if (ids[i] >= value_of.size()) value_of.resize(ids[i] + 1, unknown);
    std::uint32_t& value = value_of[ids[i]];
    if (value == unknown) {
      value = static_cast<std::uint32_t>(texts.size());
      texts.push_back(text(ids[i]));
    }
    of[i] = value;
  }
  return new_trait(std::move(texts), of);
}

std::string seconds_text(double seconds) { return format_number(seconds) + " s"; }
std::string times_text(double times) { return format_number(times); }

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

std::vector<std::vector<std::uint32_t>> moments_of(const Trait& times, std::size_t chunks) {
  std::vector<std::vector<std::uint32_t>> moments;
  std::vector<bool> is_known(chunks);
  for (std::size_t v = 0; v < times.value.size(); ++v) {
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

// What selects by a trait: a part of a Selection, or columns.
constexpr std::string_view by_dataset[] = {"datasets"}, by_file[] = {"files"},
                           by_host[] = {"hosts"}, by_worker[] = {"workers"},
                           by_event[] = {"events"}, by_bytes[] = {"bytes_read"},
                           by_memory[] = {"memory_before"}, by_branches[] = {"branches_accessed"},
                           by_time[] = {"time", "t_start", "t_end"},
                           by_duration[] = {"duration", "outlier", "early", "seconds_per_event",
                                            "bytes_per_second"};

ChunkTraits compute_traits(const Run& run) {
  const Chunks& c = run.chunks;
  ChunkTraits traits;
  const auto add = [&](std::string_view name, std::span<const std::string_view> selected_by,
                       Trait trait) {
    trait.name = name;
    trait.selected_by = selected_by;
    if (trait.value.size() > 1) traits.all.push_back(std::move(trait));
  };
  const auto add_number = [&](std::string_view name, std::span<const std::string_view> selected_by,
                              const std::vector<double>& values, FormatNumber format) {
    add(name, selected_by, numeric_trait(values, quarters, format));
  };
  add("dataset", by_dataset, group_trait(chunk_groups(run, ChunkKey::dataset)));
  add("file", by_file, group_trait(chunk_groups(run, ChunkKey::file)));
  add("host", by_host, group_trait(chunk_groups(run, ChunkKey::host)));
  add("worker", by_worker, id_trait(run.chunks.worker, no_string, c.size(), [&](StringId id) {
        return std::string(run.text(id));
      }));
  Trait time = numeric_trait(c.t_start, moments_of_a_run, seconds_text);
  traits.moments = moments_of(time, c.size());
  add("time", by_time, std::move(time));
  add_number("tasks at once", by_time, tasks_at_once(run), times_text);
  add_number("events", by_event, c.events, format_number);
  if (chunk_bytes_collected(run))
    add_number("bytes per event", by_bytes, quotient(c.bytes_read, c.events), format_bytes);
  add_number("memory before", by_memory, c.memory_before, format_memory);
  add("branches", by_branches,
      id_trait(c.branch_set, Chunks::no_set, c.size(), [&](std::uint32_t set) {
        return format_number(static_cast<double>(c.branch_sets[set].size()));
      }));
  add_number("time against expected", by_duration, quotient(c.duration, expected_durations(run)),
             times_text);
  return traits;
}

struct KeptTraits {
  Once<ChunkTraits> of_chunks;
};

}  // namespace

const ChunkTraits& chunk_traits(const Run& run) {
  return run.facts.of<KeptTraits>().of_chunks.of([&] { return compute_traits(run); });
}

std::vector<const Trait*> traits_beside(const Run& run, const Selection& selection) {
  std::vector<std::string_view> selected;
  if (selection.time) selected.push_back("time");
  if (!selection.workers.empty()) selected.push_back("workers");
  if (!selection.datasets.empty()) selected.push_back("datasets");
  if (!selection.files.empty()) selected.push_back("files");
  if (!selection.hosts.empty()) selected.push_back("hosts");
  for (const auto& range : selection.ranges) selected.push_back(range.column);
  std::vector<const Trait*> traits;
  for (const Trait& trait : chunk_traits(run).all) {
    if (std::find_first_of(selected.begin(), selected.end(), trait.selected_by.begin(),
                           trait.selected_by.end()) == selected.end())
      traits.push_back(&trait);
  }
  return traits;
}

}  // namespace crema::diagnose
