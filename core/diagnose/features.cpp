// What chunks can differ in: names as they are, numbers in parts with as many chunks each; and how
// far each sets the selected ones apart, against chance.
#include "core/diagnose/diagnose.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/elementary.hpp"
#include "core/runtime/chunks.hpp"
#include "core/stats/p_value.hpp"

namespace crema::diagnose {

using namespace runtime;
using namespace stats;

namespace {

struct ChunkFeatures {
  std::vector<ChunkFeature> all;  ///< that two chunks or more differ in
  /// Chunks that began at about the same time; those of no known start are the last of them.
  std::vector<std::vector<std::uint32_t>> moments;
};

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
             Unit::times);
  return features;
}

struct KeptFeatures {
  Once<ChunkFeatures> features;
  Once<std::vector<double>> entropy_terms;
};

/// All that is recorded of chunks.
const ChunkFeatures& chunk_features(const Run& run) {
  return run.facts.of<KeptFeatures>().features.of([&] { return compute_features(run); });
}

}  // namespace

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

namespace {

/// Rounds of random choices, and how many words of choices an answer may cost.
constexpr std::size_t most_rounds = 6, least_rounds = 1;
constexpr std::size_t most_words = 1'000'000;

/// n log n of 0 … all chunks: of these, entropies of counts are sums.
std::vector<double> compute_terms(std::size_t chunks) {
  std::vector<double> terms(chunks + 1, 0);
  for (std::size_t n = 1; n <= chunks; ++n)
    terms[n] = static_cast<double>(n) * elementary::log(static_cast<double>(n));
  return terms;
}

const std::vector<double>& entropy_terms(const Run& run) {
  return run.facts.of<KeptFeatures>().entropy_terms.of(
      [&] { return compute_terms(run.chunks.size()); });
}

/// Chunks by a feature's value: how many, and how many of them are chosen.
struct Counts {
  const std::vector<double>& terms;
  std::size_t all = 0, chosen = 0;  // of known value
  double sum = 0;

  /// So many `values` that are alike.
  void add(std::size_t of_value, std::size_t of_them_chosen, std::size_t values = 1) {
    all += values * of_value;
    chosen += values * of_them_chosen;
    sum += static_cast<double>(values) *
           (terms[of_them_chosen] + terms[of_value - of_them_chosen] - terms[of_value]);
  }
  /// What knowing the feature entirely would give.
  double most() const { return 2 * (terms[all] - terms[chosen] - terms[all - chosen]); }
  /// Twice the mutual information x the chunks (G, natural logarithms).
  double g() const { return std::max(0.0, 2 * sum + most()); }
};

/// G under random choices as a gamma distribution with the mean and spread of what was tried, which
/// covers small p-values too (its cube root is nearly normal: E. B. Wilson, M. M. Hilferty, PNAS
/// 17, 1931).
double p_value_of(double g, const std::vector<double>& tried) {
  const Moments of = moments(tried);
  if (!(of.std > 0) || !(of.mean > 0)) return absent;
  const double shape = (of.mean / of.std) * (of.mean / of.std);
  const double cube_root = g > 0 ? elementary::exp(elementary::log(g / of.mean) / 3) : 0;
  const double z = (cube_root - (1 - 1 / (9 * shape))) * 3 * std::sqrt(shape);
  return z >= 0 ? 0.5 * std::erfc(z / std::sqrt(2.0)) : 1 - 0.5 * std::erfc(-z / std::sqrt(2.0));
}

/// Of every choice. Values of few chunks can be many, and the like of them are counted together:
/// how many of a size have how many of their chunks in a choice, all choices at once.
std::vector<Counts> counts_of(const ChunkFeature& feature,
                              const std::vector<std::uint64_t>& choices,
                              const std::vector<double>& terms) {
  constexpr std::size_t digits = 4, sizes = 1U << digits;
  std::vector<Counts> counts(choices_at_once, Counts{terms});
  std::array<std::vector<BitCounts>, sizes> having;  // by size, by how many of them
  for (std::size_t v = 0; v < feature.values(); ++v) {
    const auto members = feature.members(v);
    if (members.size() >= sizes) {
      const CountOfEach chosen = chosen_of(members, choices);
      for (std::size_t k = 0; k < choices_at_once; ++k) counts[k].add(members.size(), chosen[k]);
      continue;
    }
    std::array<std::uint64_t, digits> digit{};
    for (const std::uint32_t member : members) {
      std::uint64_t carried = choices[member];
      for (std::uint64_t& of : digit) {
        const std::uint64_t before = of;
        of ^= carried;
        carried &= before;
      }
    }
    having[members.size()].resize(members.size() + 1);
    for (std::size_t chosen = 0; chosen <= members.size(); ++chosen) {
      std::uint64_t is_so_many = ~std::uint64_t{0};
      for (std::size_t d = 0; d < digits; ++d)
        is_so_many &= (chosen >> d & 1U) != 0 ? digit[d] : ~digit[d];
      having[members.size()][chosen].add(is_so_many);
    }
  }
  for (std::size_t size = 0; size < sizes; ++size) {
    for (std::size_t chosen = 0; chosen < having[size].size(); ++chosen) {
      const CountOfEach values = having[size][chosen].counts();
      for (std::size_t k = 0; k < choices_at_once; ++k) counts[k].add(size, chosen, values[k]);
    }
  }
  return counts;
}

/// G of each feature where random choices took as many chunks of each stratum as are selected.
std::vector<std::vector<double>> by_chance(const std::vector<const ChunkFeature*>& features,
                                           const std::vector<std::vector<std::uint32_t>>& strata,
                                           const std::vector<bool>& selected,
                                           const std::vector<double>& terms) {
  const std::size_t rounds =
      std::clamp(most_words / (selected.size() * (features.size() + 1)), least_rounds, most_rounds);
  std::vector<std::vector<double>> tried(features.size());
  std::vector<std::uint64_t> choices(selected.size());
  RandomBits random;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (const auto& chunks : strata) {
      const auto chosen =
          std::count_if(chunks.begin(), chunks.end(), [&](std::uint32_t i) { return selected[i]; });
      choose(chunks, static_cast<std::size_t>(chosen), random, choices);
    }
    for (std::size_t t = 0; t < features.size(); ++t) {
      for (const Counts& of : counts_of(*features[t], choices, terms)) tried[t].push_back(of.g());
    }
  }
  return tried;
}

/// Counts by the feature's values, and the value that is most over-represented among selected ones.
Counts put_counts(FeatureAssociation& association, const std::vector<bool>& selected,
                  const std::vector<double>& terms) {
  const ChunkFeature& feature = *association.feature;
  Counts counts{terms};
  std::vector<std::size_t> chosen;
  for (std::size_t v = 0; v < feature.values(); ++v) {
    const auto members = feature.members(v);
    chosen.push_back(static_cast<std::size_t>(std::count_if(
        members.begin(), members.end(), [&](std::uint32_t i) { return selected[i]; })));
    counts.add(members.size(), chosen.back());
  }
  const auto all_chosen = static_cast<double>(counts.chosen);
  const auto all_chunks = static_cast<double>(counts.all);
  double most = 0;
  for (std::size_t v = 0; v < chosen.size(); ++v) {
    const auto has = static_cast<double>(chosen[v]);
    const auto all = static_cast<double>(feature.members(v).size());
    const double more = has - all * all_chosen / all_chunks;
    if (!(more > most)) continue;
    most = more;
    association.value = v;
    association.selected = has;
    association.of_all = all;
    association.lift = has / all * all_chunks / all_chosen;
  }
  return counts;
}

}  // namespace

std::vector<FeatureAssociation> associate(const Run& run,
                                          const std::vector<const ChunkFeature*>& features,
                                          const std::vector<bool>& selected) {
  const std::vector<double>& terms = entropy_terms(run);
  std::vector<FeatureAssociation> all(features.size());
  std::vector<Counts> found;
  for (std::size_t t = 0; t < features.size(); ++t) {
    all[t].feature = features[t];
    found.push_back(put_counts(all[t], selected, terms));
  }
  const auto chosen = static_cast<std::size_t>(std::count(selected.begin(), selected.end(), true));
  if (chosen < least_selected || selected.size() - chosen < least_selected) return all;

  std::vector<std::uint32_t> everything(selected.size());
  std::iota(everything.begin(), everything.end(), 0U);
  const auto anytime = by_chance(features, {everything}, selected, terms);
  // Of a stretch of time all chunks are selected, or none: at equal times nothing is to compare.
  const auto is_time = [](const ChunkFeature* feature) { return feature->name == "time"; };
  const bool is_of_time = std::none_of(features.begin(), features.end(), is_time);
  const auto then = is_of_time ? std::vector<std::vector<double>>(features.size())
                               : by_chance(features, chunk_features(run).moments, selected, terms);
  std::vector<double> p_values, p_values_then;
  for (std::size_t t = 0; t < features.size(); ++t) {
    const double g = found[t].g();
    all[t].explained = std::max((g - moments(anytime[t]).mean) / found[t].most(), 0.0);
    p_values.push_back(all[t].p_value = p_value_of(g, anytime[t]));
    all[t].p_value_then = is_time(features[t]) ? absent : p_value_of(g, then[t]);
    p_values_then.push_back(all[t].p_value_then);
  }
  const std::vector<bool> anytime_too = benjamini_hochberg(p_values),
                          then_too = benjamini_hochberg(p_values_then);
  for (std::size_t t = 0; t < features.size(); ++t) {
    all[t].is_significant = anytime_too[t];
    all[t].is_significant_then = anytime_too[t] && then_too[t];
  }
  return all;
}

}  // namespace crema::diagnose
