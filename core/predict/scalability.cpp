#include "core/predict/scalability.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/stats/least_squares.hpp"
#include "core/stats/p_value.hpp"

namespace crema::predict {

namespace {

std::array<double, 3> terms(double cores) { return {1, cores - 1, cores * (cores - 1)}; }

/// Fits 1/λ, and of σ/λ, κ/λ those that `used` names.
template <std::size_t N>
std::optional<Scalability> fit_with(const std::vector<double>& cores,
                                    const std::vector<double>& rates,
                                    const std::array<std::size_t, N>& used) {
  std::vector<stats::FitPoint<N>> points;
  for (std::size_t i = 0; i < cores.size(); ++i) {
    const auto all = terms(cores[i]);
    stats::FitPoint<N> point{{}, cores[i] / rates[i], rates[i] * rates[i] / (cores[i] * cores[i])};
    for (std::size_t k = 0; k < N; ++k) point.phi[k] = all[used[k]];
    points.push_back(point);
  }
  const auto fit = stats::least_squares<N>(points);
  if (!fit || !(fit->theta[0] > 0)) return std::nullopt;
  Scalability law;
  std::array<double, 3> theta{};
  law.covariance.assign(3, std::vector<double>(3, 0.0));
  for (std::size_t i = 0; i < N; ++i) {
    theta[used[i]] = fit->theta[i];
    for (std::size_t j = 0; j < N; ++j) law.covariance[used[i]][used[j]] = fit->covariance[i][j];
  }
  law.lambda = 1 / theta[0];
  law.sigma = theta[1] / theta[0];
  law.kappa = theta[2] / theta[0];
  law.quantile = stats::errors_of_p_value(0.05, static_cast<double>(fit->dof));
  if (fit->dof == 0) return law;
  // First-order propagation: λ = 1/θ0, σ = θ1/θ0, κ = θ2/θ0.
  const auto& c = law.covariance;
  law.lambda_error = std::sqrt(c[0][0]) * law.lambda * law.lambda;
  const auto quotient_error = [&](std::size_t k) {
    const double q = theta[k] / theta[0];
    return std::sqrt(std::max(0.0, c[k][k] - 2 * q * c[0][k] + q * q * c[0][0])) / theta[0];
  };
  // one that was left out is at its bound, and how sure that is the fit does not say
  for (const std::size_t k : used) {
    if (k == 1) law.sigma_error = quotient_error(k);
    if (k == 2) law.kappa_error = quotient_error(k);
  }
  return law;
}

}  // namespace

std::size_t distinct_sizes(const std::vector<double>& cores) {
  std::set<double> sizes;
  for (const double n : cores) {
    if (!is_absent(n)) sizes.insert(std::round(n));
  }
  return sizes.size();
}

Scalability::Band Scalability::at(double cores) const {
  const auto phi = terms(cores);
  const double y = (1 + sigma * phi[1] + kappa * phi[2]) / lambda;
  Band band;
  band.rate = cores / y;
  if (is_absent(quantile)) return band;
  double variance = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) variance += phi[i] * covariance[i][j] * phi[j];
  }
  const double half = quantile * std::sqrt(std::max(0.0, variance));
  band.low = cores / (y + half);
  band.high = y > half ? cores / (y - half) : absent;
  return band;
}

std::optional<Scalability> fit_scalability(const std::vector<double>& cores,
                                           const std::vector<double>& rates) {
  std::vector<double> n, x;
  for (std::size_t i = 0; i < cores.size(); ++i) {
    if (cores[i] > 0 && rates[i] > 0) {
      n.push_back(cores[i]);
      x.push_back(rates[i]);
    }
  }
  if (distinct_sizes(n) < scalability_least) return std::nullopt;
  constexpr double noise = 1e-9;  // what rounding leaves of a zero is no negative coefficient
  auto law = fit_with<3>(n, x, {0, 1, 2});
  if (law && law->sigma >= -noise && law->kappa >= -noise) return law;
  // A coefficient below 0 has no meaning: it is left out, the worse of the two first.
  auto without_coherence = fit_with<2>(n, x, {0, 1});
  auto without_contention = fit_with<2>(n, x, {0, 2});
  if (without_coherence && without_coherence->sigma >= 0 && (!law || law->kappa < 0))
    return without_coherence;
  if (without_contention && without_contention->kappa >= 0) return without_contention;
  return fit_with<1>(n, x, {0});
}

}  // namespace crema::predict
