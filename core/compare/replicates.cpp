#include "core/compare/replicates.hpp"

#include <cmath>
#include <iterator>
#include <tuple>

#include "core/base/elementary.hpp"
#include "core/stats/robust.hpp"

namespace crema::compare {

using namespace stats;

BetweenRuns between_runs(std::span<const double> a, std::span<const double> b, double assumed,
                         double dof) {
  const Moments of_a = moments(a);
  const Moments of_b = moments(b);
  if (of_a.count == 0 || of_b.count == 0) return {};
  const auto n = static_cast<double>(of_a.count);
  const auto m = static_cast<double>(of_b.count);
  const double measured = n + m - 2;
  const double squares =
      (n - 1) * squared(value_or(of_a.std, 0)) + (m - 1) * squared(value_or(of_b.std, 0));
  BetweenRuns between;
  const double prior = is_absent(assumed) ? 0 : dof;
  if (prior + measured == 0) return between;
  between.error = std::sqrt((prior * squared(value_or(assumed, 0)) + squares) / (prior + measured) *
                            (1 / n + 1 / m));
  if (measured > 0) between.dof = prior + measured;
  return between;
}

SpeedRatio combine(const std::vector<SpeedRatio>& others, std::size_t runs_of_a) {
  if (others.size() == 1) return others[0];
  const std::size_t before = runs_of_a - 1;  // runs of A beside the first, against which all are
  SpeedRatio all = others[before];
  const auto joined = [&](auto&& value_of, double error, double dof = assumed_dof) {
    std::vector<double> a{0};
    std::vector<double> b;
    for (std::size_t i = 0; i < others.size(); ++i)
      (i < before ? a : b).push_back(value_of(others[i]));
    return std::tuple(moments(b).mean - moments(a).mean,
                      between_runs(a, b, error / std::sqrt(2.0), dof));
  };
  for (const SpeedRatio& other : others) {
    if (!other.known()) return SpeedRatio{};
    all.resized = std::fabs(other.resized) > std::fabs(all.resized) ? other.resized : all.resized;
    all.paired = all.paired && other.paired;
  }
  all.factor = std::get<0>(joined([](const SpeedRatio& p) { return p.factor; }, all.error));
  const double slower = std::get<0>(joined(
      [](const SpeedRatio& p) { return elementary::log(p.seconds_b / p.seconds_a); }, all.error));
  const auto join_part = [&](const PartId& id, Effect& part) {
    // A chunk stands out in all of B against the first of A, and in none of the rest of A.
    if (id.kind == PartId::Kind::chunk) {
      for (std::size_t i = 0; i < others.size(); ++i)
        if ((others[i].find(id) != nullptr) != (i >= before)) return false;
      return true;
    }
    double seconds = 0;
    part.is_of_moment = true;
    for (std::size_t i = 0; i < others.size(); ++i) {
      const Effect* other = others[i].find(id);
      if (other == nullptr) return false;
      part.allowed = std::max(part.allowed, other->allowed);
      if (i < before) continue;
      seconds += other->seconds_b;
      part.is_of_moment = part.is_of_moment && other->is_of_moment;
    }
    part.seconds_b = seconds / static_cast<double>(others.size() - before);
    const auto [log_ratio, between] =
        joined([&](const SpeedRatio& p) { return p.find(id)->log_ratio; }, part.error, part.dof);
    if (is_absent(log_ratio)) return false;
    part.log_ratio = log_ratio;
    part.error = between.error;
    part.dof = between.dof;
    return true;
  };
  for (auto entry = all.parts.begin(); entry != all.parts.end();)
    entry = join_part(entry->first, entry->second) ? std::next(entry) : all.parts.erase(entry);
  all.seconds_b = 0;
  for (std::size_t i = before; i < others.size(); ++i)
    all.seconds_b += others[i].seconds_b / static_cast<double>(others.size() - before);
  all.seconds_a = all.seconds_b * elementary::exp(-slower);
  return all;
}

}  // namespace crema::compare
