#include "core/predict/memory.hpp"

#include "core/base/elementary.hpp"
#include "core/base/order.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/core_time.hpp"
#include "core/stats/p_value.hpp"
#include "core/stats/robust.hpp"

namespace crema::predict {

namespace {

using recorded_columns::Task;

/// The line of that slope that as many chunks are above as below.
stats::Line through(double slope, const std::vector<double>& events,
                    const std::vector<double>& peaks) {
  std::vector<double> rests;
  for (std::size_t i = 0; i < peaks.size(); ++i) rests.push_back(peaks[i] - slope * events[i]);
  return {median_of(std::move(rests)), slope};
}

}  // namespace

double ChunkMemory::median_events() const { return median_of(events); }

void ChunkMemory::fit() {
  const double size = median_events();
  if (!(size > 0)) return;
  // Memory grows with the events, and without any there is what was there before.
  const double steepest = std::max(0.0, (median_of(peaks) - value_or(base, 0)) / size);
  const stats::LineRange found = stats::robust_line_range(events, peaks);
  // What smaller chunks needed at least, beside what larger ones took at most.
  std::vector<double> needed = peaks;
  for (std::size_t i = 0; i < needed.size(); ++i)
    if (events[i] < size) needed[i] = value_or(base + added[i], peaks[i]);
  const double steep = stats::robust_line_range(events, needed).steep.slope;
  const auto bounded = [&](double slope, double otherwise) {
    return through(std::clamp(value_or(slope, otherwise), 0.0, steepest), events, peaks);
  };
  line = {bounded(found.line.slope, steepest / 2), bounded(found.flat.slope, 0),
          bounded(std::max(found.steep.slope, steep), steepest)};
}

std::vector<double> ChunkMemory::moved(const stats::Line& by, double power,
                                       const ChunkSizes& sizes) const {
  if (is_absent(by.slope)) return peaks;
  std::vector<double> all;
  for (std::size_t i = 0; i < peaks.size(); ++i) {
    const double rest = peaks[i] - by.fixed - by.slope * events[i];
    const double size = sizes.of(events[i]);
    const double grown = elementary::exp(power * elementary::log(size / events[i]));
    all.push_back(by.fixed + by.slope * size + rest * grown);
  }
  return all;
}

template <class Use>
void ChunkMemory::each_case(const ChunkSizes& sizes, const Use& use) const {
  for (const stats::Line* by : {&line.flat, &line.steep}) {
    for (const double power : {0.0, 1.0}) use(sorted_present(moved(*by, power, sizes)));
  }
}

MemoryAt ChunkMemory::at(const ChunkSizes& sizes) const {
  MemoryAt found;
  if (peaks.empty()) return found;
  const double n = count();
  const bool is_enough = n >= static_cast<double>(stats::fit_least);
  found.likely = quantile(sorted_present(moved(line.line, 0.5, sizes)), 0.5);
  // Few chunks do not show their tails: then as far as chunks spread that are normally distributed.
  const double errors = stats::errors_of_p_value(0.1, n - 1) * std::sqrt(1 + 1 / n);
  each_case(sizes, [&](const std::vector<double>& sorted) {
    const double median = quantile(sorted, 0.5);
    std::vector<double> away;
    for (const double value : sorted) away.push_back(std::fabs(value - median));
    const double reach = value_or(errors * stats::gaussian_spread * median_of(std::move(away)), 0);
    found.largest = std::fmax(found.largest, sorted.back());
    if (!is_enough) return;
    found.low = std::fmin(found.low, std::min(quantile(sorted, 0.05), median - reach));
    found.high = std::fmax(found.high, std::max(quantile(sorted, 0.95), median + reach));
  });
  if (is_enough) found.low = std::max(found.low, value_or(base, 0));
  return found;
}

ShareAbove ChunkMemory::above(double limit, const ChunkSizes& sizes) const {
  if (peaks.empty() || !(limit > 0)) return {};
  const auto above = [&](const std::vector<double>& values) {
    return static_cast<double>(count_if(values, [&](double v) { return v > limit; }));
  };
  const double likely = above(moved(line.line, 0.5, sizes));
  double least = count(), most = 0;
  each_case(sizes, [&](const std::vector<double>& values) {
    least = std::min(least, above(values));
    most = std::max(most, above(values));
  });
  // Chunks of one process share a peak; attempts that were lost may have been above.
  const double alone = 1 / at_once;
  return {likely / count(), stats::share_range(least * alone, count() * alone).low,
          stats::share_range((most + lost) * alone, (count() + lost) * alone).high};
}

double ChunkMemory::above_largest() const {
  return 1 - elementary::exp(elementary::log(0.1) * at_once / count());
}

double ChunkMemory::size_within(double limit) const {
  double size = std::numeric_limits<double>::infinity();
  for (const stats::Line* by : {&line.flat, &line.steep}) {
    double rest = 0, per_event = by->slope;  // of the chunk that is most above the line
    for (std::size_t i = 0; i < peaks.size(); ++i) {
      rest = std::max(rest, peaks[i] - by->fixed - by->slope * events[i]);
      per_event = std::max(per_event, (peaks[i] - by->fixed) / events[i]);
    }
    size =
        std::min({size, (limit - by->fixed - rest) / by->slope, (limit - by->fixed) / per_event});
  }
  return size >= 1 && std::isfinite(size) ? size : absent;
}

MemoryModel memory_model(const Run& run) {
  const auto& rows = run.recording.tasks;
  MemoryModel model;
  model.limit = runtime::tightest_worker(run).limit;
  std::map<StringId, ChunkMemory> datasets;
  ChunkMemory all;
  std::vector<double> at_once;
  const bool has_chunks = !runtime::rows_of_chunks(run).empty();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (has_chunks && run.text(rows.text(Task::kind, row)) != "chunk") continue;
    if (runtime::is_library(run, row)) continue;
    const StringId name = rows.text(has_chunks ? Task::dataset : Task::function, row);
    const std::string_view status = run.text(rows.text(Task::status, row));
    const std::string_view error = run.text(rows.text(Task::error, row));
    const double peak = rows.at(Task::rss_peak, row), events = rows.at(Task::events, row);
    const bool is_known = status == "ok" && peak > 0 && (!has_chunks || events > 0);
    const std::string_view message = run.text(rows.text(Task::message, row));
    const bool is_lost = status == "lost" || has_part(error, "Memory") || error == "KilledWorker" ||
                         (error == "RESOURCE_EXHAUSTION" && has_part(message, "memory"));
    for (ChunkMemory* part : {&all, &datasets[name]}) {
      part->lost += !is_known && is_lost ? 1 : 0;
      if (!is_known) continue;
      part->events.push_back(has_chunks ? events : absent);
      part->peaks.push_back(peak);
      const double added = peak - rows.at(Task::rss_before, row);
      part->added.push_back(added < 0 ? 0 : added);
      part->base = std::fmin(part->base, rows.at(Task::rss_before, row));
      part->requested = std::fmax(part->requested, rows.at(Task::requested_memory, row));
    }
    if (is_known) at_once.push_back(value_or(rows.at(Task::at_once, row), 1));
  }
  if (all.peaks.empty()) return model;
  model.is_requested = is_absent(model.limit);
  model.limit = value_or(model.limit, all.requested);
  all.at_once = std::max(1.0, median_of(std::move(at_once)));
  all.fit();
  const bool is_alone = all.at_once == 1;
  model.parts.push_back(std::move(all));
  for (auto& [name, part] : datasets) {
    if (!is_alone || datasets.size() == 1 || part.peaks.size() < stats::fit_least) continue;
    part.name = name;
    part.fit();
    model.parts.push_back(std::move(part));
  }
  const auto peak = [](const ChunkMemory& part) {
    return *std::max_element(part.peaks.begin(), part.peaks.end());
  };
  std::vector<ChunkMemory> sorted(model.parts.begin() + 1, model.parts.end());
  sort_stably(sorted,
              [&](const ChunkMemory& a, const ChunkMemory& b) { return peak(a) > peak(b); });
  std::move(sorted.begin(), sorted.end(), model.parts.begin() + 1);
  return model;
}

}  // namespace crema::predict
