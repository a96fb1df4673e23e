#include "core/facts/traits.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/elementary.hpp"
#include "core/base/number_format.hpp"
#include "core/base/order.hpp"
#include "core/facts/chunk_columns.hpp"
#include "core/facts/chunk_groups.hpp"
#include "core/facts/chunk_selection.hpp"
#include "core/facts/noise/discoveries.hpp"
#include "core/facts/sweep.hpp"
#include "core/model/worker_clocks.hpp"

namespace crema::facts {

namespace {

/// Numbers are told apart by quarters, times by more: what happens at a moment is short.
constexpr std::size_t quarters = 4;
constexpr std::size_t moments_of_a_run = 12;

/// Times chance is tried, and how much of it (draws of a chunk) an answer may cost.
constexpr double most_shuffles = 400, least_shuffles = 60, most_draws = 4e6;

using FormatNumber = std::string (*)(double);

std::string range_text(FormatNumber format, double low, double high) {
  const std::string from = format(low), to = format(high);
  return from == to ? from : from + " to " + to;
}

/// Parts with as many chunks each; equal numbers are in one part.
Trait numeric_trait(std::string name, const std::vector<double>& values, std::size_t parts,
                    FormatNumber format) {
  Trait trait{std::move(name), {}, std::vector<std::uint32_t>(values.size(), Trait::unknown)};
  const std::vector<double> sorted = sorted_present(values);
  if (sorted.empty() || sorted.front() == sorted.back()) return trait;
  std::vector<double> upper;
  for (std::size_t part = 1; part <= parts; ++part) {
    const double edge = sorted[(sorted.size() * part - 1) / parts];
    if (upper.empty() || edge > upper.back()) upper.push_back(edge);
  }
  double low = sorted.front();
  for (const double edge : upper) {
    trait.value.push_back(range_text(format, low, edge));
    low = edge;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!is_absent(values[i]))
      trait.of[i] = static_cast<std::uint32_t>(
          std::lower_bound(upper.begin(), upper.end(), values[i]) - upper.begin());
  }
  return trait;
}

Trait group_trait(std::string name, const ChunkGroups& groups) {
  Trait trait{std::move(name), {}, groups.of};
  for (std::size_t g = 0; g < groups.size(); ++g) {
    trait.value.emplace_back(groups.name[g]);
    if (!groups.name[g].empty()) continue;
    for (const std::uint32_t chunk : groups.members(g)) trait.of[chunk] = Trait::unknown;
  }
  return trait;
}

/// Of ids, in the order in which chunks first have them.
template <class Id, class Text>
Trait id_trait(std::string name, const std::vector<Id>& ids, Id none, std::size_t chunks,
               Text text) {
  Trait trait{std::move(name), {}, std::vector<std::uint32_t>(chunks, Trait::unknown)};
  std::vector<Id> seen;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] == none) continue;
    const auto at = std::find(seen.begin(), seen.end(), ids[i]);
    trait.of[i] = static_cast<std::uint32_t>(at - seen.begin());
    if (at != seen.end()) continue;
    seen.push_back(ids[i]);
    trait.value.push_back(text(ids[i]));
  }
  return trait;
}

std::string seconds_text(double seconds) { return format_number(seconds) + " s"; }
std::string times_text(double times) { return format_number(times); }

std::vector<double> quotient(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> quotients(a.size());
  std::transform(a.begin(), a.end(), b.begin(), quotients.begin(), ratio);
  return quotients;
}

std::vector<double> tasks_at_once(const Run& run) {
  const Steps& steps = chunk_steps(run);
  std::vector<double> at_once(run.chunks.size(), absent);
  for (std::size_t i = 0; i < at_once.size(); ++i) {
    const double from = run.chunks.t_start[i], to = run.chunks.t_end[i];
    if (to > from) at_once[i] = steps.integral(from, to) / (to - from);
  }
  return at_once;
}

/// Chunks by a trait's value: how many, and how many of them are selected.
struct Counts {
  std::vector<double> all, selected;
  double chunks = 0, chosen = 0;  // of known value

  explicit Counts(std::size_t values) : all(values, 0), selected(values, 0) {}

  /// Twice the mutual information x the chunks (G, natural logarithms).
  double g() const {
    double sum = 0;
    const auto term = [&](double seen, double of, double share) {
      if (seen > 0) sum += seen * elementary::log(seen / (of * share));
    };
    const double share = chosen / chunks;
    for (std::size_t v = 0; v < all.size(); ++v) {
      if (all[v] == 0) continue;
      term(selected[v], all[v], share);
      term(all[v] - selected[v], all[v], 1 - share);
    }
    return 2 * sum;
  }
  /// What knowing the trait entirely would give.
  double most() const {
    const double share = chosen / chunks;
    return -2 * chunks *
           (share * elementary::log(share) + (1 - share) * elementary::log(1 - share));
  }
};

/// Chance's G as a gamma distribution with the mean and spread of what was tried, which tells of
/// rare chances too (its cube root is nearly normal: E. B. Wilson, M. M. Hilferty, PNAS 17, 1931).
double chance_above(double g, const std::vector<double>& tried) {
  const Moments of = moments(tried);
  if (!(of.std > 0) || !(of.mean > 0)) return absent;
  const double shape = (of.mean / of.std) * (of.mean / of.std);
  const double cube_root = g > 0 ? elementary::exp(elementary::log(g / of.mean) / 3) : 0;
  const double z = (cube_root - (1 - 1 / (9 * shape))) * 3 * std::sqrt(shape);
  return z >= 0 ? 0.5 * elementary::erfc(z / std::sqrt(2.0))
                : 1 - 0.5 * elementary::erfc(-z / std::sqrt(2.0));
}

/// G of each trait where chance chose the chunks, `strata` keeping how many each had.
std::vector<std::vector<double>> by_chance(const std::vector<Trait>& traits,
                                           const std::vector<std::vector<std::uint32_t>>& strata,
                                           const std::vector<std::size_t>& chosen,
                                           const std::vector<Counts>& found) {
  double draws = 0;
  for (const std::size_t count : chosen)
    draws += static_cast<double>(count) * static_cast<double>(traits.size());
  const auto shuffles = static_cast<std::size_t>(
      std::clamp(most_draws / std::max(1.0, draws), least_shuffles, most_shuffles));
  std::vector<std::vector<double>> tried(traits.size());
  std::vector<std::vector<std::uint32_t>> places = strata;
  std::vector<Counts> counts = found;
  // xorshift64 (G. Marsaglia, J. Stat. Softw. 8, 2003): the same answer each time
  std::uint64_t state = 1;
  const auto random = [&] {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
  };
  for (std::size_t shuffle = 0; shuffle < shuffles; ++shuffle) {
    for (Counts& of : counts) {
      std::fill(of.selected.begin(), of.selected.end(), 0);
      of.chosen = 0;
    }
    for (std::size_t s = 0; s < places.size(); ++s) {
      std::vector<std::uint32_t>& chunks = places[s];
      for (std::size_t i = 0; i < chosen[s]; ++i) {
        std::swap(chunks[i], chunks[i + random() % (chunks.size() - i)]);
        for (std::size_t t = 0; t < traits.size(); ++t) {
          const std::uint32_t value = traits[t].of[chunks[i]];
          if (value == Trait::unknown) continue;
          counts[t].selected[value] += 1;
          counts[t].chosen += 1;
        }
      }
    }
    for (std::size_t t = 0; t < traits.size(); ++t) tried[t].push_back(counts[t].g());
  }
  return tried;
}

/// The value that has most more selected chunks than its share.
void put_value(Apart& apart, const Counts& counts) {
  double most = 0;
  for (std::size_t v = 0; v < counts.all.size(); ++v) {
    const double more = counts.selected[v] - counts.all[v] * counts.chosen / counts.chunks;
    if (!(more > most)) continue;
    most = more;
    apart.value = static_cast<std::uint32_t>(v);
    apart.selected = counts.selected[v];
    apart.of_all = counts.all[v];
    apart.lift = counts.selected[v] / counts.all[v] * counts.chunks / counts.chosen;
  }
}

}  // namespace

std::vector<Trait> traits_of(const Run& run, const Selection& selection) {
  const Chunks& c = run.chunks;
  std::vector<Trait> all;
  const auto is_free = [&](std::initializer_list<std::string_view> columns) {
    return std::none_of(selection.ranges.begin(), selection.ranges.end(), [&](const auto& range) {
      return std::find(columns.begin(), columns.end(), range.column) != columns.end();
    });
  };
  const auto add = [&](Trait trait) {
    if (trait.value.size() > 1) all.push_back(std::move(trait));
  };
  if (selection.datasets.empty()) add(group_trait("dataset", chunk_groups(run, ChunkKey::dataset)));
  if (selection.files.empty()) add(group_trait("file", chunk_groups(run, ChunkKey::file)));
  if (selection.hosts.empty()) add(group_trait("host", chunk_groups(run, ChunkKey::host)));
  if (selection.workers.empty())
    add(id_trait("worker", workers_of_chunks(run), no_string, c.size(),
                 [&](StringId id) { return std::string(run.text(id)); }));
  if (!selection.time && is_free({"t_start", "t_end"})) {
    add(numeric_trait("time", c.t_start, moments_of_a_run, seconds_text));
    add(numeric_trait("tasks at once", tasks_at_once(run), quarters, times_text));
  }
  if (is_free({"events"})) add(numeric_trait("events", c.events, quarters, format_number));
  if (is_free({"bytes_read"}) && chunk_bytes_collected(run))
    add(numeric_trait("bytes per event", quotient(c.bytes_read, c.events), quarters, format_bytes));
  if (is_free({"memory_before"}))
    add(numeric_trait("memory before", c.memory_before, quarters, format_memory));
  if (is_free({"branches_accessed"}))
    add(id_trait("branches", c.branch_set, Chunks::no_set, c.size(), [&](std::uint32_t set) {
      return format_number(static_cast<double>(c.branch_sets[set].size()));
    }));
  if (is_free({"duration", "outlier", "early", "seconds_per_event", "bytes_per_second"}))
    add(numeric_trait("time against expected", quotient(c.duration, expected_durations(run)),
                      quarters, times_text));
  return all;
}

std::vector<Apart> set_apart(const Run& run, const std::vector<Trait>& traits,
                             const std::vector<bool>& selected) {
  std::vector<Counts> found;
  for (const Trait& trait : traits) {
    Counts& counts = found.emplace_back(trait.value.size());
    for (std::size_t i = 0; i < trait.of.size(); ++i) {
      if (trait.of[i] == Trait::unknown) continue;
      counts.all[trait.of[i]] += 1;
      counts.chunks += 1;
      if (!selected[i]) continue;
      counts.selected[trait.of[i]] += 1;
      counts.chosen += 1;
    }
  }
  std::vector<Apart> all(traits.size());
  for (std::size_t t = 0; t < traits.size(); ++t) put_value(all[t], found[t]);
  const auto chosen = static_cast<std::size_t>(std::count(selected.begin(), selected.end(), true));
  if (chosen < least_selected || selected.size() - chosen < least_selected) return all;

  const auto chances = [&](const std::vector<std::vector<std::uint32_t>>& strata) {
    std::vector<std::size_t> wanted;
    for (const auto& stratum : strata)
      wanted.push_back(static_cast<std::size_t>(std::count_if(
          stratum.begin(), stratum.end(), [&](std::uint32_t i) { return selected[i]; })));
    return by_chance(traits, strata, wanted, found);
  };
  std::vector<std::uint32_t> everything(selected.size());
  for (std::size_t i = 0; i < everything.size(); ++i) everything[i] = static_cast<std::uint32_t>(i);
  const auto anytime = chances({everything});
  const Trait times = numeric_trait("time", run.chunks.t_start, moments_of_a_run, seconds_text);
  std::vector<std::vector<std::uint32_t>> strata(times.value.size() + 1);
  for (std::size_t i = 0; i < selected.size(); ++i)
    strata[std::min<std::size_t>(times.of[i], times.value.size())].push_back(
        static_cast<std::uint32_t>(i));
  // Of a stretch of time all chunks are selected, or none: at equal times nothing is to compare.
  const bool is_of_time = std::none_of(traits.begin(), traits.end(),
                                       [](const Trait& trait) { return trait.name == "time"; });
  const auto then = is_of_time ? std::vector<std::vector<double>>(traits.size()) : chances(strata);
  std::vector<double> chance, chance_then;
  for (std::size_t t = 0; t < traits.size(); ++t) {
    const double g = found[t].g();
    all[t].explained = std::clamp((g - moments(anytime[t]).mean) / found[t].most(), 0.0, 1.0);
    chance.push_back(all[t].chance = chance_above(g, anytime[t]));
    chance_then.push_back(all[t].chance_then =
                              traits[t].name == "time" ? absent : chance_above(g, then[t]));
  }
  const std::vector<bool> told = discoveries(chance), told_then = discoveries(chance_then);
  for (std::size_t t = 0; t < traits.size(); ++t) {
    all[t].is_told = told[t];
    all[t].is_told_then = told[t] && told_then[t];
  }
  return all;
}

}  // namespace crema::facts
