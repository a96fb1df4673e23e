#include "core/compare/speed/speed_cells.hpp"

#include <limits>
#include <set>
#include <utility>

#include "core/base/elementary.hpp"
#include "core/base/order.hpp"
#include "core/compare/speed_ratio.hpp"

namespace crema::compare {

using namespace stats;

namespace {

constexpr double level_chunks = 3;  // chunks that make a file's level its own
constexpr int polish_rounds = 4;

using Entry = ChunkRatios::Entry;

/// The median of column `s` over entries.
Cell cell(std::size_t s, const std::vector<const Entry*>& entries) {
  Cell cell;
  std::vector<double> in_a, in_b;
  std::set<std::size_t> files_a, files_b;
  for (const Entry* e : entries) {
    if (e->of_b) {
      cell.seconds_b += e->seconds[s];
      cell.chunks += 1;
      if (!e->seconds_a.empty()) cell.seconds_a += e->seconds_a[s];
      cell.expected += is_absent(e->ratios[s]) ? 0 : e->seconds[s] * elementary::exp(-e->ratios[s]);
    } else {
      cell.seconds_a += e->seconds[s];
    }
    if (is_absent(e->ratios[s])) continue;
    (e->of_b ? in_b : in_a).push_back(e->ratios[s]);
    (e->of_b ? files_b : files_a).insert(e->file);
  }
  // Chunks of other files tell as much as these files do: each has events of its own kind.
  const bool by_file = !files_a.empty() && files_a != files_b;
  const auto b = static_cast<double>(by_file ? files_b.size() : in_b.size());
  const auto a = static_cast<double>(by_file ? files_a.size() : in_a.size());
  cell.count = a > 0 ? 1 / (1 / a + 1 / b) : b;
  cell.typical = median_of(in_b) - (a > 0 ? median_of(in_a) : 0);
  return cell;
}

}  // namespace

double Cells::usual_of(const Entry& e) const {
  if (!e.of_b) return 0;
  return worker_level(e) + value_or(file_level[e.file], dataset_level[e.dataset]);
}

double Cells::own_of(const Entry& e) const {
  if (ratios.parts.size() < 2) return 0;
  std::vector<double> all;
  for (const std::size_t s : ratios.parts) all.push_back(away(e, s));
  return median_of(std::move(all));
}

Cells cells_of(const Run& a, const Run& b, const ChunkRatios& ratios) {
  Cells made{.b = b, .ratios = ratios};
  made.of_dataset.resize(ratios.datasets.size());
  made.of_file.resize(ratios.files.size());
  for (const Entry& e : ratios.entries) {
    made.of_dataset[e.dataset].push_back(&e);
    made.of_file[e.file].push_back(&e);
  }
  for (const auto& entries : made.of_dataset) {
    for (std::size_t s = 0; s < ratios.columns; ++s) made.cells.push_back(cell(s, entries));
  }
  for (const auto& entries : made.of_file) made.files.push_back(cell(ratios.whole(), entries));
  for (const Run* run : {&b, &a}) {
    if (!run->chunks.placed || (run == &a && !ratios.paired)) continue;
    std::vector<const Entry*>& in_time = made.in_time.emplace_back();
    for (const Entry& e : ratios.entries) {
      if (e.of_b) in_time.push_back(&e);
    }
    const auto began = [&](const Entry* e) {
      return value_or(run->chunks.t_start[run == &b ? e->chunk : e->chunk_a], 0);
    };
    sort_stably(in_time, [&](const Entry* x, const Entry* y) { return began(x) < began(y); });
  }
  // Median polish: where a worker is slow, its chunks are in the levels of files, and these in its.
  made.of_worker.assign(ratios.workers.size(), 0);
  const auto levels = [&](std::size_t count, double least, double otherwise, auto&& value_of) {
    std::vector<std::vector<double>> values(count);
    for (const Entry& e : ratios.entries) {
      const auto [at, value] = value_of(e, e.ratios[ratios.whole()]);
      if (e.of_b && at < count && !is_absent(value)) values[at].push_back(value);
    }
    std::vector<double> medians;
    for (auto& of : values)
      medians.push_back(static_cast<double>(of.size()) < least ? otherwise
                                                               : median_of(std::move(of)));
    return medians;
  };
  for (int round = 0; round < polish_rounds; ++round) {
    made.dataset_level = levels(ratios.datasets.size(), 1, absent, [&](const Entry& e, double r) {
      return std::pair(e.dataset, r - made.worker_level(e));
    });
    // Where chunks do not pair, files differ from file to file.
    made.file_level = levels(
        ratios.files.size(), ratios.paired ? level_chunks : std::numeric_limits<double>::infinity(),
        absent,
        [&](const Entry& e, double r) { return std::pair(e.file, r - made.worker_level(e)); });
    made.of_worker = levels(ratios.workers.size(), worker_chunks, 0, [&](const Entry& e, double r) {
      return std::pair(e.worker, r - made.usual_of(e) + made.worker_level(e));
    });
  }
  return made;
}

CellNoise noise_of(const Cells& cells) {
  CellNoise noise;
  const std::size_t whole = cells.ratios.whole();
  std::vector<double> wholes;
  std::vector<std::vector<double>> rests(cells.ratios.columns);
  // In B's order of time, each dataset's for itself: a series for what lasts.
  std::vector<std::vector<double>> series;
  std::vector<std::vector<std::vector<double>>> part_series(cells.ratios.columns);
  for (std::vector<const Entry*> entries : cells.of_dataset) {
    sort_stably(entries, [&](const Entry* x, const Entry* y) {
      return x->of_b && y->of_b ? cells.began(x) < cells.began(y) : x->of_b && !y->of_b;
    });
    series.emplace_back();
    for (auto& of_part : part_series) of_part.emplace_back();
    for (const Entry* e : entries) {
      if (const double rest = e->ratios[whole] - cells.usual_of(*e); !is_absent(rest)) {
        wholes.push_back(rest);
        if (e->of_b)
          series.back().push_back(e->ratios[whole] - cells.cell_of(e->dataset, whole).typical);
      }
      const double own = cells.own_of(*e);
      for (const std::size_t s : cells.ratios.parts) {
        const double rest = cells.away(*e, s) - own;
        if (is_absent(rest)) continue;
        rests[s].push_back(rest);
        if (e->of_b) part_series[s].back().push_back(rest);
      }
    }
  }
  noise.whole = robust_spread(wholes);
  noise.whole_dof = std::max(static_cast<double>(wholes.size()) - 2, 1.0);
  Autocorrelation of_wholes, of_parts;
  for (const auto& one : series) of_wholes.add(one, noise.whole);
  noise.autocorrelation = squared(autocorrelated_share) * of_wholes.share();
  noise.dof = of_wholes.dof();
  noise.part.assign(cells.ratios.columns, 0);
  for (const std::size_t s : cells.ratios.parts) {
    noise.part[s] = robust_spread(rests[s]);
    for (const auto& one : part_series[s]) of_parts.add(one, noise.part[s]);
  }
  noise.part_autocorrelation = squared(autocorrelated_share) * of_parts.share();
  noise.part_dof = of_parts.dof();
  return noise;
}

}  // namespace crema::compare
