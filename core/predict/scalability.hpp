#pragma once

#include <optional>
#include <vector>

#include "core/base/numbers.hpp"

namespace crema::predict {

/// The Universal Scalability Law: rate(N) = λN / (1 + σ(N − 1) + κN(N − 1)), with contention σ and
/// coherence κ, none below 0 (N. J. Gunther, Guerrilla Capacity Planning, 2007, ch. 4).
struct Scalability {
  double lambda = absent, sigma = absent, kappa = absent;
  double lambda_error = absent, sigma_error = absent,
         kappa_error = absent;  ///< standard errors; absent at a bound

  /// A rate with the ends of its 95 % band.
  struct Band {
    double rate = absent, low = absent, high = absent;
  };
  Band at(double cores) const;

  double quantile = absent;  ///< of Student's t for 95 %, at the fit's degrees of freedom
  std::vector<std::vector<double>> covariance;  ///< of (1/λ, σ/λ, κ/λ), as far as they were fitted
};

/// Fits the law by least squares on N / rate, weighted so that relative deviations of the rate
/// count alike. Nothing with fewer than `scalability_least` different numbers of cores: three
/// parameters through three points say nothing.
inline constexpr std::size_t scalability_least = 4;
std::optional<Scalability> fit_scalability(const std::vector<double>& cores,
                                           const std::vector<double>& rates);

/// The number of different sizes, in whole cores.
std::size_t distinct_sizes(const std::vector<double>& cores);

}  // namespace crema::predict
