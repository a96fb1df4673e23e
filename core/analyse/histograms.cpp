// Distributions: `distribution` of any number of the chunks, `runtime_histogram`, and those of the files' facts.
#include <algorithm>
#include <cmath>
#include <map>

#include "core/analyse/chunk_columns.hpp"
#include "core/analyse/chunk_selection.hpp"
#include "core/analyse/file_facts.hpp"
#include "core/analyse/missing.hpp"
#include "core/analyse/questions.hpp"
#include "core/base/error.hpp"

namespace crema {

namespace {

constexpr double most_bins = 10000;
/// From so many values on a histogram has at least so many bins; fewer values would leave most of them empty.
constexpr std::size_t many = 30;

/// Bins from the data where none are asked for: width 2 · IQR / n^(1/3) (D. Freedman and P. Diaconis, 1981), 30 to 60 of them,
/// fewer for less than 30 values.
std::size_t bins_for(const std::vector<double>& sorted) {
  const std::size_t least = sorted.size() >= many ? many : 10;
  const double spread = quantile(sorted, 0.75) - quantile(sorted, 0.25);
  const double width = 2 * spread / std::cbrt(static_cast<double>(sorted.size()));
  const double range = sorted.back() - sorted.front();
  const double count = std::ceil(range / width);  // not a number where values are beyond all measure
  return count > static_cast<double>(least) ? static_cast<std::size_t>(std::min(count, 60.0)) : least;
}

/// Equal bins between the extremes of some values, on a linear or logarithmic axis.
class Bins {
 public:
  Bins(const std::vector<double>& sorted, double wanted, bool logarithmic)
      : low_(sorted.front()), high_(sorted.back()), logarithmic_(logarithmic) {
    std::vector<double> places = sorted;
    for (double& value : places) value = place(value);
    begin_ = places.front();
    const double range = places.back() - begin_;
    count_ = range > 0 ? (wanted >= 1 ? static_cast<std::size_t>(wanted) : bins_for(places)) : 1;
    width_ = range / static_cast<double>(count_);
  }

  std::size_t count() const { return count_; }
  std::size_t of(double value) const {
    const double bin = (place(value) - begin_) / width_;
    return bin >= 1 ? static_cast<std::size_t>(std::min(bin, static_cast<double>(count_ - 1))) : 0;
  }
  double lo(std::size_t bin) const { return bin == 0 ? low_ : edge(bin); }
  double hi(std::size_t bin) const { return bin + 1 == count_ ? high_ : edge(bin + 1); }

 private:
  double place(double value) const { return logarithmic_ ? std::log10(value) : value; }
  double edge(std::size_t bin) const {
    const double at = begin_ + static_cast<double>(bin) * width_;
    return logarithmic_ ? std::pow(10, at) : at;
  }

  double low_, high_;
  bool logarithmic_;
  double begin_ = 0, width_ = 0;
  std::size_t count_ = 1;
};

double wanted_bins(const Options& options) {
  const double wanted = options.number("bins", 0);
  if (!(wanted >= 0 && wanted <= most_bins)) throw Failure(ErrorCode::bad_option, "bins is not between 1 and 10000");
  return wanted;
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

constexpr const char* what_is_counted = "values in [lo, hi); the last bin includes its end";

Table histogram(const std::vector<double>& values, const std::string& unit, const Options& options, const std::string& missing) {
  const double wanted = wanted_bins(options);
  const std::vector<double> sorted = sorted_present(values);
  Table table;
  const auto lo = table.add_number("lo", unit);
  const auto hi = table.add_number("hi", unit);
  const auto count = table.add_number("count", "count", what_is_counted);
  if (sorted.empty()) {
    table.note("missing", missing);
    return table;
  }
  const Bins bins(sorted, wanted, false);
  std::vector<double> counts(bins.count(), 0);
  for (const double v : sorted) counts[bins.of(v)] += 1;
  for (std::size_t bin = 0; bin < counts.size(); ++bin) {
    table.put(lo, bins.lo(bin));
    table.put(hi, bins.hi(bin));
    table.put(count, counts[bin]);
  }
  note_moments(table, sorted);
  return table;
}

}  // namespace

Table distribution(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const Chunks& c = run.chunks;
  const std::string column = options.text("column", "duration");
  const std::string by = options.text("by");
  const std::string scale = options.text("scale", "linear");
  if (!by.empty() && by != "dataset") throw Failure(ErrorCode::bad_option, "by=" + by + " is not dataset");
  if (scale != "linear" && scale != "log") throw Failure(ErrorCode::bad_option, "scale is neither linear nor log");
  const double wanted = wanted_bins(options);
  const ChunkSelection chosen(run, selection);
  const std::vector<double> values = chunk_column(run, column);
  std::vector<std::size_t> kept;
  std::vector<double> sorted;
  double not_positive = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!chosen[i] || is_absent(values[i])) continue;
    if (scale == "log" && !(values[i] > 0)) {
      not_positive += 1;
      continue;
    }
    kept.push_back(i);
    sorted.push_back(values[i]);
  }
  std::sort(sorted.begin(), sorted.end());

  Table table;
  const auto dataset = by.empty() ? std::size_t{0} : table.add_text("dataset");
  const std::string unit(chunk_column_unit(column));
  const auto lo = table.add_number("lo", unit);
  const auto hi = table.add_number("hi", unit);
  const auto count = table.add_number("count", "count", what_is_counted);
  if (!sorted.empty()) {
    const Bins bins(sorted, wanted, scale == "log");
    std::map<std::string_view, std::vector<double>> groups;  // by name: the same order whatever the selection
    for (const std::size_t i : kept) {
      auto& counts = groups[by.empty() ? std::string_view{} : run.text(c.dataset[i])];
      counts.resize(bins.count(), 0);
      counts[bins.of(values[i])] += 1;
    }
    for (const auto& [name, counts] : groups) {
      for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        if (!by.empty()) table.put_present(dataset, name);
        table.put(lo, bins.lo(bin));
        table.put(hi, bins.hi(bin));
        table.put(count, counts[bin]);
      }
    }
    note_moments(table, sorted);
  } else {
    table.note("missing", run.chunks_recorded ? "no selected chunk has a value of " + column : std::string(missing::chunks));
  }
  if (scale == "log") table.note("not_positive", not_positive);
  if (const std::string note = chunk_selection_note(selection); !note.empty()) table.note("selection", note);
  return table;
}

Table runtime_histogram(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const ChunkSelection chosen(run, selection);
  Table table = histogram(chosen.whole(run.chunks.duration), "s", options,
                          "there are no chunks; decorate process() with @track_metrics to record them");
  if (const std::string note = chunk_selection_note(selection); !note.empty()) table.note("selection", note);
  return table;
}

Table compression_histogram(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  std::vector<double> values;
  for (const FileFacts& file : find_file_facts(*runs[0], selection)) {
    if (file.compression_ratio > 0) values.push_back(file.compression_ratio);
  }
  return histogram(values, "1", options, missing::file_metadata);
}

Table access_histogram(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  std::vector<double> values;
  for (const FileFacts& file : find_file_facts(*runs[0], selection)) values.push_back(file.bytes_read_fraction);
  return histogram(values, "1", options, missing::file_metadata);
}

Table branch_histogram(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  std::vector<double> values;
  for (const FileFacts& file : find_file_facts(*runs[0], selection)) values.push_back(file.branches_read_fraction);
  return histogram(values, "1", options, missing::file_metadata);
}

}  // namespace crema
