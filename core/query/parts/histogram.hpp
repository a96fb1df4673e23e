#pragma once

#include <string>
#include <vector>

#include "core/query/question.hpp"

namespace crema::query {

inline constexpr Option bins_option{.name = "bins",
                                    .type = Option::Type::count,
                                    .about = "number of bins; 0 = chosen from the values",
                                    .fallback = "0",
                                    .least = 0,
                                    .most = 10000};

/// Equal bins between the extremes of some values, on a linear or logarithmic axis.
class HistogramBins {
 public:
  /// Of `sorted`, which is not empty; as many as wanted, or as they ask for.
  HistogramBins(const std::vector<double>& sorted, double wanted, bool logarithmic);

  std::size_t count() const { return count_; }
  std::size_t of(double value) const;
  double lo(std::size_t bin) const { return bin == 0 ? low_ : edge(bin); }
  double hi(std::size_t bin) const { return bin + 1 == count_ ? high_ : edge(bin + 1); }

 private:
  double place(double value) const;
  double edge(std::size_t bin) const;

  double low_, high_;
  bool logarithmic_;
  double begin_ = 0, width_ = 0;
  std::size_t count_ = 1;
};

inline constexpr const char* what_is_counted = "values in [lo, hi); the last bin includes its end";

/// Notes count, mean, median, p95, max and how many are 0.
void note_moments(Table& table, const std::vector<double>& sorted);

/// The present ones of `values` in bins; `missing` is noted where there are none.
Table histogram(const std::vector<double>& values, const std::string& unit, const Options& options,
                const std::string& missing);

}  // namespace crema::query
