#pragma once

#include <array>
#include <optional>
#include <span>

namespace crema::stats {

/// y ≈ Σ θ_k φ_k by weighted least squares with `N` terms, and the covariance of θ scaled by the
/// residuals.
template <std::size_t N>
struct Fit {
  std::array<double, N> theta{};
  /// of theta; all 0 when the fit leaves no degree of freedom
  std::array<std::array<double, N>, N> covariance{};
  std::size_t dof = 0;  ///< points − N
};

/// One point of a fit.
template <std::size_t N>
struct FitPoint {
  std::array<double, N> phi;
  double y;
  double weight;  ///< 1 / variance, up to a common factor
};

/// Normal equations and Gauss–Jordan with pivoting: N is 3 at most here. Nothing when the points do
/// not determine θ.
template <std::size_t N>
std::optional<Fit<N>> least_squares(std::span<const FitPoint<N>> points) {
  std::array<std::array<double, 2 * N>, N> m{};  // [ΦᵀWΦ | 1] becomes [1 | (ΦᵀWΦ)⁻¹]
  std::array<double, N> right{};
  for (const FitPoint<N>& p : points) {
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t j = 0; j < N; ++j) m[i][j] += p.weight * p.phi[i] * p.phi[j];
      right[i] += p.weight * p.phi[i] * p.y;
    }
  }
  for (std::size_t i = 0; i < N; ++i) m[i][N + i] = 1;
  for (std::size_t column = 0; column < N; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < N; ++row) {
      if ((m[row][column] < 0 ? -m[row][column] : m[row][column]) >
          (m[pivot][column] < 0 ? -m[pivot][column] : m[pivot][column]))
        pivot = row;
    }
    if (!(m[pivot][column] > 1e-300 || m[pivot][column] < -1e-300)) return std::nullopt;
    std::swap(m[pivot], m[column]);
    const double head = m[column][column];
    for (double& cell : m[column]) cell /= head;
    for (std::size_t row = 0; row < N; ++row) {
      if (row == column) continue;
      const double factor = m[row][column];
      for (std::size_t k = 0; k < 2 * N; ++k) m[row][k] -= factor * m[column][k];
    }
  }
  Fit<N> fit;
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t j = 0; j < N; ++j) fit.theta[i] += m[i][N + j] * right[j];
  }
  fit.dof = points.size() > N ? points.size() - N : 0;
  if (fit.dof == 0) return fit;
  double squares = 0;
  for (const FitPoint<N>& p : points) {
    double rest = p.y;
    for (std::size_t i = 0; i < N; ++i) rest -= fit.theta[i] * p.phi[i];
    squares += p.weight * rest * rest;
  }
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t j = 0; j < N; ++j)
      fit.covariance[i][j] = m[i][N + j] * squares / static_cast<double>(fit.dof);
  }
  return fit;
}

}  // namespace crema::stats
