#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace crema::runtime {

/// Equal stretches of run-axis time.
struct TimeBins {
  double begin = 0, end = 0;  ///< [s]
  std::size_t count = 0;

  double width() const { return (end - begin) / static_cast<double>(count); }
  /// Where a bin begins; that of `count` is where the last one ends.
  double left(std::size_t bin) const { return begin + static_cast<double>(bin) * width(); }

  /// Calls `use(bin, seconds)` for each bin that [from, to) reaches into, with how much of it lies
  /// there.
  template <class Use>
  void each_overlap(double from, double to, Use use) const {
    const double length = width();
    const double first = std::max(0.0, std::floor((from - begin) / length));
    for (double bin = first; bin < static_cast<double>(count); bin += 1) {
      const double bin_begin = begin + bin * length;
      if (bin_begin >= to) break;
      const double overlap = std::min(to, bin_begin + length) - std::max(from, bin_begin);
      if (overlap > 0) use(static_cast<std::size_t>(bin), overlap);
    }
  }
};

}  // namespace crema::runtime
