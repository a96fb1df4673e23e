// How far each feature of chunks sets the selected ones apart, against chance.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/elementary.hpp"
#include "core/diagnose/feature_table.hpp"
#include "core/stats/benjamini_hochberg.hpp"
#include "core/stats/random_choices.hpp"

namespace crema::diagnose {

using namespace stats;

namespace {

/// Rounds of random choices, and how many words of choices an answer may cost.
constexpr std::size_t most_rounds = 6, least_rounds = 2;
constexpr std::size_t most_words = 1'000'000;

/// n log n of 0 … all chunks: of these, entropies of counts are sums.
std::vector<double> compute_terms(std::size_t chunks) {
  std::vector<double> terms(chunks + 1, 0);
  for (std::size_t n = 1; n <= chunks; ++n)
    terms[n] = static_cast<double>(n) * elementary::log(static_cast<double>(n));
  return terms;
}

struct KeptTerms {
  Once<std::vector<double>> terms;
};

const std::vector<double>& entropy_terms(const Run& run) {
  return run.facts.of<KeptTerms>().terms.of([&] { return compute_terms(run.chunks.size()); });
}

/// Chunks by a feature's value: how many, and how many of them are chosen.
struct Counts {
  const std::vector<double>& terms;
  std::size_t all = 0, chosen = 0;  // of known value
  double sum = 0;

  void add(std::size_t of_value, std::size_t of_them_chosen) {
    all += of_value;
    chosen += of_them_chosen;
    sum += terms[of_them_chosen] + terms[of_value - of_them_chosen] - terms[of_value];
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

/// G of each feature where random choices took as many of the chunks of each stratum as are
/// selected.
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
      std::vector<Counts> counts(choices_at_once, Counts{terms});
      for (std::size_t v = 0; v < features[t]->values(); ++v) {
        const auto members = features[t]->members(v);
        const auto chosen = chosen_of(members, choices);
        for (std::size_t k = 0; k < choices_at_once; ++k) counts[k].add(members.size(), chosen[k]);
      }
      for (const Counts& of : counts) tried[t].push_back(of.g());
    }
  }
  return tried;
}

/// Counts by the feature's values, and the value that is most over-represented among the selected
/// chunks.
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
    all[t].explained = std::clamp((g - moments(anytime[t]).mean) / found[t].most(), 0.0, 1.0);
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
