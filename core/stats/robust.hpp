#pragma once

#include <span>
#include <vector>

namespace crema::stats {

inline double squared(double x) { return x * x; }

/// Standard deviation of a Gaussian in units of its median absolute deviation.
inline constexpr double gaussian_spread = 1.4826;

/// Variance of a median / variance of a mean, of a Gaussian: π/2.
inline constexpr double median_variance_ratio = 1.57;

/// Standard deviation with what lies more than three robust spreads away pulled in.
double robust_spread(const std::vector<double>& residuals);
/// The same of the residuals' sizes, whose median is known.
double robust_spread_of_sizes(std::span<const double> sizes, double median);

/// The value on which most of `values` agree, and its standard error by their spread. Each votes
/// for what is within a few of its `errors`, with the same weight; a minority that moved elsewhere
/// does not move it, however far or large it is. Where two values have as many votes, the nearer to
/// 0 is taken: that few things change is likelier than that many do. `spread` is what counts as far
/// from 0. Of the error, `between_group_spread` times the value is unknown besides.
struct RobustMode {
  double value, error;
};
RobustMode robust_mode(std::span<const double> values, std::span<const double> errors,
                       double spread, double between_group_spread = 0);

/// What part of the variance of residuals lasts from one to the next, between 0 (each is drawn
/// anew) and 1 (noise with equal power in each octave of time), by the means of blocks of them.
/// Series are in order of time. 1 is assumed as far as they are too few to tell.
class Autocorrelation {
 public:
  void add(const std::vector<double>& series, double spread);
  double share() const;
  /// From how much that is known, as degrees of freedom.
  double dof() const;

 private:
  double found_ = 0, most_ = 0, blocks_ = 0;
};

}  // namespace crema::stats
