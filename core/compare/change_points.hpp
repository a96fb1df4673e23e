#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/base/numbers.hpp"

namespace crema::compare {

/// How often chance alone may give a change of a series without any.
inline constexpr double false_alarm_rate = 0.01;

/// Less is no change and no outlier, however certain it is: relative.
inline constexpr double least_step = 0.005;

/// So many values must stand on either side of a change: fewer may be outliers.
inline constexpr std::size_t least_level = 3;

/// A stretch of a series on one level, or on one slope.
struct Level {
  std::size_t begin = 0, end = 0;  ///< values [begin, end)
  double level = absent;           ///< of its middle, in the unit of the values
  double low = absent;             ///< 95 % interval of the level
  double high = absent;
  double slope = absent;  ///< per value, in the unit of the values; absent on a level
};

/// Where a series goes from one level to another.
struct ChangePoint {
  std::size_t at = 0;     ///< the first value after
  std::size_t first = 0;  ///< the first value after is one of [first, last], with 95 %
  std::size_t last = 0;
  double change =
      absent;  ///< after / before − 1, or after − before where values are not all above 0
  double low = absent;  ///< 95 % interval of `change`
  double high = absent;
  double p_value = absent;  ///< that a series without a change shows one like it
};

/// A value that is on no level.
struct Outlier {
  std::size_t at = 0;
  double change = absent;   ///< against the mean of its level, as `ChangePoint::change`
  double p_value = absent;  ///< that a level without an outlier has a value so far off
};

/// A series of values in order as levels, and the changes between them. Absent values are left
/// out; outliers are reported and count in no level.
struct Segmentation {
  std::vector<Level> levels;
  std::vector<ChangePoint> changes;  ///< between levels; none beside a slope
  std::vector<Outlier> outliers;     ///< in the order of the series
  bool relative = true;              ///< changes are ratios − 1: all values are above 0
  Moments last{};  ///< of the values on the last level; of their logarithms where `relative`
};

/// In fewer values no change is found, however large it is: too few orders of them are possible.
std::size_t least_values(double level);

/// Least squares over all ways to cut the series (optimal partitioning: B. Jackson et al., IEEE
/// Signal Process. Lett. 12, 2005), each value weighed by the noise around it. A cut stays where a
/// t-test of the levels beside it, multiplied by the number of places where it could have been,
/// is below `level`; the weakest goes first, and the rest is tested anew. Where a straight line
/// tells more (Schwarz's criterion), steps are a slope. Binary methods such as E-divisive (D. S.
/// Matteson, N. A. James, J. Am. Stat. Assoc. 109, 2014; MongoDB, Apache Otava) cut one after the
/// other, and two opposite steps hide each other; all cuts at once do not.
///
/// Outliers are what the generalized ESD test finds on a level (B. Rosner, Technometrics 25, 1983)
/// at `false_alarm_rate`, at its ends too: of a quarter of its values at most, so that a step is
/// none.
///
/// No level changes where cuts are best: it is found once.
class ChangePointDetector {
 public:
  ChangePointDetector() : ChangePointDetector(std::span<const double>()) {}
  explicit ChangePointDetector(std::span<const double> values);
  Segmentation at(double level) const;
  /// The step half-way along such a series, up or down, that `at` finds nine times in ten: the
  /// least found in these values, and what others hide of it. As a ratio − 1; absent where none is
  /// found.
  double least_step_found(double level) const;

 private:
  class Segmenter;
  std::shared_ptr<const Segmenter> segmenter_;
};

inline Segmentation segmentation_of(std::span<const double> values,
                                    double level = false_alarm_rate) {
  return ChangePointDetector(values).at(level);
}

}  // namespace crema::compare
