// Distributions: `runtime_histogram`, `compression_histogram`, `access_histogram`.
#include <algorithm>
#include <cmath>

#include "core/analyse/chunk_selection.hpp"
#include "core/analyse/file_facts.hpp"
#include "core/analyse/missing.hpp"
#include "core/analyse/questions.hpp"
#include "core/base/error.hpp"

namespace crema {

namespace {

constexpr double most_bins = 10000;

/// Bins from the data where none are asked for: width 2 · IQR / n^(1/3) (D. Freedman and P. Diaconis, 1981), 10 to 60 of them.
std::size_t bins_for(const std::vector<double>& sorted) {
  const double spread = quantile(sorted, 0.75) - quantile(sorted, 0.25);
  const double width = 2 * spread / std::cbrt(static_cast<double>(sorted.size()));
  const double range = sorted.back() - sorted.front();
  const double count = std::ceil(range / width);  // not a number where values are beyond all measure
  return count > 10 ? static_cast<std::size_t>(std::min(count, 60.0)) : 10;
}

Table histogram(const std::vector<double>& values, const std::string& unit, const Options& options, const std::string& missing) {
  const double wanted = options.number("bins", 0);
  if (!(wanted >= 0 && wanted <= most_bins)) throw Failure(ErrorCode::bad_option, "bins is not between 1 and 10000");
  const std::vector<double> sorted = sorted_present(values);
  Table table;
  const auto lo = table.add_number("lo", unit);
  const auto hi = table.add_number("hi", unit);
  const auto count = table.add_number("count", "count", "values in [lo, hi); the last bin includes its end");
  if (sorted.empty()) {
    table.note("missing", missing);
    return table;
  }
  const double range = sorted.back() - sorted.front();
  const std::size_t bins = range > 0 ? (wanted >= 1 ? static_cast<std::size_t>(wanted) : bins_for(sorted)) : 1;
  const double width = range / static_cast<double>(bins);
  std::vector<double> counts(bins, 0);
  for (const double v : sorted) {
    const double place = (v - sorted.front()) / width;
    counts[place >= 1 ? static_cast<std::size_t>(std::min(place, static_cast<double>(bins - 1))) : 0] += 1;
  }
  for (std::size_t bin = 0; bin < bins; ++bin) {
    table.put(lo, sorted.front() + static_cast<double>(bin) * width);
    table.put(hi, bin + 1 == bins ? sorted.back() : sorted.front() + static_cast<double>(bin + 1) * width);
    table.put(count, counts[bin]);
  }
  table.note("mean", moments(sorted).mean);
  table.note("median", quantile(sorted, 0.5));
  table.note("p95", quantile(sorted, 0.95));
  return table;
}

}  // namespace

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

}  // namespace crema
