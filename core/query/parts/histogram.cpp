#include "core/query/parts/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/numbers.hpp"
#include "core/table/rows.hpp"

namespace crema::query {

namespace {

/// From so many values on a histogram has at least so many bins; fewer values would leave most of
/// them empty.
constexpr std::size_t many = 30;

/// Bins from the data where none are asked for: width 2 · IQR / n^(1/3) (D. Freedman and P.
/// Diaconis, 1981), 30 to 60 of them, fewer for less than 30 values.
std::size_t bins_for(const std::vector<double>& sorted) {
  const std::size_t least = sorted.size() >= many ? many : 10;
  const double spread = quantile(sorted, 0.75) - quantile(sorted, 0.25);
  const double width = 2 * spread / std::cbrt(static_cast<double>(sorted.size()));
  const double range = sorted.back() - sorted.front();
  const double count =
      std::ceil(range / width);  // not a number where values are beyond all measure
  return count > static_cast<double>(least) ? static_cast<std::size_t>(std::min(count, 60.0))
                                            : least;
}

}  // namespace

HistogramBins::HistogramBins(const std::vector<double>& sorted, double wanted, bool logarithmic)
    : low_(sorted.front()), high_(sorted.back()), logarithmic_(logarithmic) {
  std::vector<double> places = sorted;
  for (double& value : places) value = place(value);
  begin_ = places.front();
  const double range = places.back() - begin_;
  count_ = range > 0 ? (wanted >= 1 ? static_cast<std::size_t>(wanted) : bins_for(places)) : 1;
  width_ = range / static_cast<double>(count_);
}

std::size_t HistogramBins::of(double value) const {
  const double bin = (place(value) - begin_) / width_;
  return bin >= 1 ? static_cast<std::size_t>(std::min(bin, static_cast<double>(count_ - 1))) : 0;
}

double HistogramBins::place(double value) const { return logarithmic_ ? std::log10(value) : value; }

double HistogramBins::edge(std::size_t bin) const {
  const double at = begin_ + static_cast<double>(bin) * width_;
  return logarithmic_ ? std::pow(10, at) : at;
}

void note_moments(Table& table, const std::vector<double>& sorted) {
  const Moments all = moments(sorted);
  table.note("count", static_cast<double>(all.count));
  table.note("mean", all.mean);
  table.note("median", quantile(sorted, 0.5));
  table.note("p95", quantile(sorted, 0.95));
  table.note("max", all.max);
  table.note("zeros", static_cast<double>(std::count(sorted.begin(), sorted.end(), 0.0)));
}

Table histogram(const std::vector<double>& values, const std::string& unit, const Options& options,
                const std::string& missing) {
  const double wanted = options.number(bins_option);
  const std::vector<double> sorted = sorted_present(values);
  Table table;
  std::vector<double> counts;
  std::optional<HistogramBins> bins;
  if (!sorted.empty()) {
    bins.emplace(sorted, wanted, false);
    counts.resize(bins->count(), 0);
    for (const double v : sorted) counts[bins->of(v)] += 1;
  }
  Rows<> rows(table, counts.size());
  rows.number("lo", unit.c_str(), [&](std::size_t bin) { return bins->lo(bin); });
  rows.number("hi", unit.c_str(), [&](std::size_t bin) { return bins->hi(bin); });
  rows.number(
      "count", "count", [&](std::size_t bin) { return counts[bin]; }, what_is_counted);
  if (sorted.empty()) table.note("missing", missing);
  else note_moments(table, sorted);
  return table;
}

}  // namespace crema::query
