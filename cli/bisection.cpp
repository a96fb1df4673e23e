#include "cli/bisection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "core/compare/sides.hpp"
#include "core/stats/p_value.hpp"
#include "core/stats/robust.hpp"

namespace crema::cli {

namespace {

/// Found is what is so likely.
constexpr double certain = 0.95;
/// That there is no change, by a t-test, is rarer than that.
constexpr double p_of_change = 0.01;
/// Runs that the assumed spread weighs, as degrees of freedom.
constexpr double assumed_dof = 2;
/// A side has too few runs while the error of its level is more than 1 / 6 of the change.
constexpr double change_in_errors = 6;
/// It gets another one while it has fewer than so many of the other's: what is too little to tell a
/// change needs runs of both sides.
constexpr double least_of_other_side = 0.8;

}  // namespace

Bisection::Bisection(std::size_t commits, double run_spread)
    : run_spread_(run_spread), is_skipped_(commits, false) {}

void Bisection::add(std::size_t commit, double value) { values_.push_back({commit, value}); }

void Bisection::skip(std::size_t commit) { is_skipped_[commit] = true; }

Bisection::Split Bisection::split_at(std::size_t commit) const {
  std::vector<double> before;
  std::vector<double> after;
  for (const Value& one : values_) (one.commit < commit ? before : after).push_back(one.value);
  const double error = compare::between_runs(before, after, run_spread_, assumed_dof).error;
  const auto count = static_cast<double>(values_.size());
  const auto count_before = static_cast<double>(before.size());
  const double mean = moments(before).mean;
  return {.before = mean,
          .change = moments(after).mean - mean,
          .error = error,
          .dof = assumed_dof + count - 2,
          .count_before = count_before,
          .count_after = count - count_before,
          .variance = stats::squared(error) / (1 / count_before + 1 / (count - count_before))};
}

std::size_t Bisection::first_untold(std::size_t commit) const {
  std::size_t first = commit;
  while (first > 1 && is_skipped_[first - 1]) --first;
  return first;
}

/// With flat priors of both levels, the prior of the variance that between_runs has, and a change
/// for the worse.
double Bisection::log_likelihood(const Split& split) {
  const double two_sided = stats::p_value(split.change / split.error, split.dof);
  const double is_worse = split.change > 0 ? 1 - two_sided / 2 : two_sided / 2;
  constexpr double least = 1e-12;
  return std::log(std::max(is_worse, least)) -
         std::log(split.count_before * split.count_after) / 2 -
         split.dof * std::log(split.variance) / 2;
}

std::vector<double> Bisection::probabilities() const {
  std::vector<double> all(is_skipped_.size(), 0);
  if (values_.size() < 2) return all;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> logs(all.size(), -infinity);
  std::vector<bool> has_runs(all.size(), false);
  for (const Value& one : values_) has_runs[one.commit] = true;
  double likelihood = 0;
  for (std::size_t commit = 1; commit < all.size(); ++commit) {
    // Between runs all commits split them alike.
    if (has_runs[commit - 1]) likelihood = log_likelihood(split_at(commit));
    // Each commit is as likely before.
    if (!is_skipped_[commit])
      logs[commit] = likelihood + std::log(static_cast<double>(commit + 1 - first_untold(commit)));
  }
  const double largest = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (std::size_t commit = 1; commit < all.size(); ++commit)
    sum += all[commit] = std::exp(logs[commit] - largest);
  for (double& one : all) one /= sum;
  return all;
}

Bisection::Culprit Bisection::between(std::size_t first, std::size_t last,
                                      double probability) const {
  const Split split = split_at(last);
  return {first_untold(first), last, probability, split.before, split.change, split.error};
}

Bisection::Culprit Bisection::culprit() const {
  const std::vector<double> all = probabilities();
  const auto most = std::max_element(all.begin(), all.end());
  const auto commit = static_cast<std::size_t>(most - all.begin());
  return between(commit, commit, *most);
}

Bisection::Culprit Bisection::range() const {
  const std::vector<double> all = probabilities();
  std::size_t low = 1;
  std::size_t high = all.size() - 1;
  double probability = 1;
  while (low < high) {
    const double gone = std::min(all[low], all[high]);
    if (probability - gone < certain) break;
    probability -= gone;
    (all[low] < all[high] ? ++low : --high);
  }
  return between(low, high, probability);
}

bool Bisection::is_done() const {
  if (values_.size() < 3) return false;
  const Culprit likeliest = culprit();
  if (likeliest.probability < certain) return false;
  const Split split = split_at(likeliest.last);
  return stats::p_value(split.change / split.error, split.dof) < p_of_change;
}

std::size_t Bisection::next() const {
  const std::size_t bad = is_skipped_.size() - 1;
  if (values_.size() < 2) return values_.empty() ? 0 : bad;
  const std::vector<double> all = probabilities();
  std::vector<double> runs(all.size(), 0);
  for (const Value& one : values_) ++runs[one.commit];
  // Half of the probability lies on either side of what tells most.
  std::size_t middle = 0;
  double nearest = 1;
  double is_bad = 0;
  double runs_of_bad = 0;
  for (std::size_t commit = 0; commit <= bad; ++commit) {
    is_bad += all[commit];
    runs_of_bad += runs[commit] * is_bad;
    // Of two alike the one with fewer runs.
    const double off = std::fabs(is_bad - 0.5) + 1e-6 * runs[commit];
    if (commit == 0 || commit == bad || is_skipped_[commit] || off >= nearest) continue;
    nearest = off;
    middle = commit;
  }
  const double runs_of_good = static_cast<double>(values_.size()) - runs_of_bad;
  const double fewer = std::min(runs_of_good, runs_of_bad);
  const double more = std::max(runs_of_good, runs_of_bad);
  const Split split = split_at(culprit().last);
  const double needed = split.variance * stats::squared(change_in_errors / split.change);
  const bool is_lopsided = fewer < least_of_other_side * more && fewer < needed;
  if (is_lopsided || middle == 0) return runs_of_good < runs_of_bad ? 0 : bad;
  return middle;
}

std::size_t runs_expected(std::size_t commits, double times, std::size_t most) {
  constexpr std::size_t searches = 101;
  constexpr double spread = 0.03;
  std::mt19937 random(1);
  // By hand: distributions of the standard library are another in each.
  const auto uniform = [&] { return (static_cast<double>(random()) + 0.5) / 4294967296.0; };
  const auto normal = [&] {
    return std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform());
  };
  std::vector<std::size_t> runs;
  for (std::size_t i = 0; i < searches; ++i) {
    Bisection bisection(commits, spread);
    const std::size_t culprit = 1 + random() % (commits - 1);
    while (!bisection.is_done() && bisection.runs() < most) {
      const std::size_t commit = bisection.next();
      bisection.add(commit, spread * (normal() + (commit >= culprit ? times : 0)));
    }
    runs.push_back(bisection.runs());
  }
  std::nth_element(runs.begin(), runs.begin() + searches / 2, runs.end());
  return runs[searches / 2];
}

}  // namespace crema::cli
