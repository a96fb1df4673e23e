#include "core/predict/chunk_offers.hpp"

#include <algorithm>
#include <cmath>

#include "core/predict/prediction.hpp"

namespace crema::predict {

namespace {

/// Sizes from 1/16 to 16 x the present one, two per doubling; as people ask for them, see
/// `two_digits`.
constexpr int steps_each_way = 8;
/// Dask's worker pauses at 80 % of its memory limit (`distributed.worker.memory.pause`).
constexpr double memory_share = 0.8;
/// A tail of more than this share of the run is said to bite.
constexpr double tail_share = 0.1;
/// Sizes whose expected run time differs by less are as good as each other.
constexpr double as_good = 0.02;

}  // namespace

double two_digits(double size) {
  double unit = 1;
  while (size >= 100 * unit) unit *= 10;
  return std::round(size / unit) * unit;
}

bool ChunkOffers::is_better() const { return best.mid < model.elapsed * (1 - as_good); }

ChunkOffers chunk_offers(const Run& run, const ChunkSelection& chosen, bool whole,
                         const Options& options) {
  ChunkOffers found;
  found.model = chunk_size_model(run, chosen, whole, options);
  const ChunkSizeModel& model = found.model;
  if (model.empty()) return found;
  const TightestWorker& worker = found.worker = tightest_worker(run);
  const bool timed = model.timed();
  struct Row {
    double size;
    ChunkSizeModel::Estimate time;
  };
  std::vector<Row> good;
  const auto put = [&](double size, const Cutting& cut, bool is_present) {
    const ChunkSizeModel::Estimate time = timed ? model.at(cut) : ChunkSizeModel::Estimate{};
    const double grown = model.outside * cut.chunks / model.now.chunks;
    const double used =
        worker.begin + (worker.peak - worker.begin) * cut.largest / model.now.largest;
    const bool full = used > memory_share * worker.limit;
    const bool alone = timed && model.tail(cut) > tail_share * time.mid;
    found.offers.push_back({.events = size,
                            .chunks = cut.chunks,
                            .is_present = is_present,
                            .inside = model.seconds + cut.inside_line - model.now.inside_line,
                            .outside_low = std::min(model.outside, grown),
                            .outside_high = std::max(model.outside, grown),
                            .longest = model.longest(cut),
                            .elapsed = time,
                            .tail = model.cores >= 1 ? model.tail(cut) : absent,
                            .memory = used,
                            .limited_by = full    ? "memory"
                                          : alone ? "tail"
                                                  : ""});
    if (timed && !full) {
      good.push_back({size, time});
      if (!(time.mid >= found.best.mid)) found.best = time;
    }
  };
  constexpr double root_two = 1.4142135623730951;
  double size = model.median_events / 16;
  double last_chunks = absent;
  for (int step = -steps_each_way; step <= steps_each_way; ++step) {
    if (step == 0) {
      put(model.median_events, model.now, true);
    } else if (const double asked = two_digits(size); asked >= 1) {
      const Cutting cut = model.cut_at(asked);
      // Files cannot be joined: beyond one chunk per file no size changes anything.
      if (cut.chunks == last_chunks && cut.chunks == model.files) break;
      last_chunks = cut.chunks;
      put(asked, cut, false);
    }
    size *= root_two;
  }
  for (const Row& row : good) {
    if (row.time.mid > found.best.mid * (1 + as_good)) continue;
    if (!(row.size >= found.best_low)) found.best_low = row.size;
    if (!(row.size <= found.best_high)) found.best_high = row.size;
  }
  // What is said of the best sizes holds for each of them.
  for (const Row& row : good) {
    if (!(row.size >= found.best_low && row.size <= found.best_high)) continue;
    found.best.low = std::min(found.best.low, row.time.low);
    found.best.high = std::max(found.best.high, row.time.high);
    found.best.is_conclusive &= row.time.is_conclusive;
  }
  return found;
}

}  // namespace crema::predict
