#include "core/facts/traits.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "core/base/number_format.hpp"
#include "core/base/order.hpp"
#include "core/facts/chunk_columns.hpp"
#include "core/facts/chunk_groups.hpp"
#include "core/facts/chunk_selection.hpp"
#include "core/facts/sweep.hpp"
#include "core/model/worker_clocks.hpp"

namespace crema::facts {

namespace {

/// Numbers are told apart by quarters, times by more: what happens at a moment is short.
constexpr std::size_t quarters = 4;
constexpr std::size_t moments_of_a_run = 12;

using FormatNumber = std::string (*)(double);
constexpr std::uint32_t unknown = 0xffffffffU;

/// From the value of each chunk, or `unknown`.
Trait new_trait(std::string name, std::vector<std::string> value,
                const std::vector<std::uint32_t>& of) {
  Trait trait{std::move(name), std::move(value), {}, {}, {}};
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
Trait numeric_trait(std::string name, const std::vector<double>& values, std::size_t parts,
                    FormatNumber format) {
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
  return new_trait(std::move(name), std::move(texts), of);
}

Trait group_trait(std::string name, const ChunkGroups& groups) {
  std::vector<std::uint32_t> of = groups.of;
  for (std::uint32_t& group : of) {
    if (groups.name[group].empty()) group = unknown;
  }
  return new_trait(std::move(name), {groups.name.begin(), groups.name.end()}, of);
}

/// Of ids, in the order in which chunks first have them.
template <class Id, class Text>
Trait id_trait(std::string name, const std::vector<Id>& ids, Id none, std::size_t chunks,
               Text text) {
  std::vector<std::uint32_t> of(chunks, unknown);
  std::vector<std::string> texts;
  std::unordered_map<Id, std::uint32_t> seen;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] == none) continue;
    const auto [at, is_new] = seen.emplace(ids[i], static_cast<std::uint32_t>(texts.size()));
    if (is_new) texts.push_back(text(ids[i]));
    of[i] = at->second;
  }
  return new_trait(std::move(name), std::move(texts), of);
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

ChunkTraits compute_traits(const Run& run) {
  const Chunks& c = run.chunks;
  ChunkTraits traits;
  const auto add = [&](Trait trait, std::vector<std::string_view> selected_by) {
    trait.selected_by = std::move(selected_by);
    if (trait.value.size() > 1) traits.all.push_back(std::move(trait));
  };
  add(group_trait("dataset", chunk_groups(run, ChunkKey::dataset)), {"datasets"});
  add(group_trait("file", chunk_groups(run, ChunkKey::file)), {"files"});
  add(group_trait("host", chunk_groups(run, ChunkKey::host)), {"hosts"});
  add(id_trait("worker", workers_of_chunks(run), no_string, c.size(),
               [&](StringId id) { return std::string(run.text(id)); }),
      {"workers"});
  Trait time = numeric_trait("time", c.t_start, moments_of_a_run, seconds_text);
  traits.moments = moments_of(time, c.size());
  add(std::move(time), {"time", "t_start", "t_end"});
  add(numeric_trait("tasks at once", tasks_at_once(run), quarters, times_text),
      {"time", "t_start", "t_end"});
  add(numeric_trait("events", c.events, quarters, format_number), {"events"});
  if (chunk_bytes_collected(run))
    add(numeric_trait("bytes per event", quotient(c.bytes_read, c.events), quarters, format_bytes),
        {"bytes_read"});
  add(numeric_trait("memory before", c.memory_before, quarters, format_memory), {"memory_before"});
  add(id_trait("branches", c.branch_set, Chunks::no_set, c.size(),
               [&](std::uint32_t set) {
                 return format_number(static_cast<double>(c.branch_sets[set].size()));
               }),
      {"branches_accessed"});
  add(numeric_trait("time against expected", quotient(c.duration, expected_durations(run)),
                    quarters, times_text),
      {"duration", "outlier", "early", "seconds_per_event", "bytes_per_second"});
  return traits;
}

}  // namespace

const ChunkTraits& chunk_traits(const Run& run) {
  return run.memo.index<ChunkTraits>("chunk traits", [&] { return compute_traits(run); });
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

}  // namespace crema::facts
