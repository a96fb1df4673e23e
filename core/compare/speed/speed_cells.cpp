#include "core/compare/speed/speed_cells.hpp"

#include "core/base/collect.hpp"
#include "core/base/elementary.hpp"
#include "core/base/order.hpp"

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
  return median_of(numbers_of(ratios.parts, [&](std::size_t s) { return away(e, s); }));
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
      const auto [at, value] = value_of(e, value_or(e.ratios[ratios.whole()], e.apart));
      if (e.of_b && at < count && !is_absent(value)) values[at].push_back(value);
    }
    std::vector<double> medians;
    for (auto& of : values)
      medians.push_back(static_cast<double>(of.size()) < least ? otherwise
                                                               : median_of(std::move(of)));
    return medians;
  };
  // as the others, where workers began with all of a dataset
  const double of_all = median_of(
      numbers_of(ratios.entries, [&](const Entry& e) { return e.ratios[ratios.whole()]; }));
  for (int round = 0; round < polish_rounds; ++round) {
    made.dataset_level = levels(ratios.datasets.size(), 1, of_all, [&](const Entry& e, double r) {
      return std::pair(e.dataset, is_absent(e.apart) ? r - made.worker_level(e) : absent);
    });
    // Where chunks do not pair, files differ from file to file.
    made.file_level = levels(
        ratios.files.size(), ratios.paired ? level_chunks : std::numeric_limits<double>::infinity(),
        absent, [&](const Entry& e, double r) {
          return std::pair(e.file, is_absent(e.apart) ? r - made.worker_level(e) : absent);
        });
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

namespace {

constexpr double min_cell_share = 0.01;  // of a dataset's seconds: smaller cells have no vote
constexpr double usual_move = 0.03;      // what is far for a dataset to move by

/// Whether a cell is large enough to vote.
bool has_vote(const Cells& cells, const Cell& c, const SpeedRatio& speed) {
  return !is_absent(c.typical) &&
         c.seconds_b + c.seconds_a >= min_cell_share * (speed.seconds_a + speed.seconds_b) /
                                          static_cast<double>(cells.ratios.datasets.size());
}

/// Cells vote by their number: many small ones that read may agree, and a large one that computes
/// did nothing of it. An agreed factor that leaves more to explain than none, by more than
/// `tolerance` [s], is not common to all; of `values` the one stands for it that leaves the
/// least.
template <class Left>
double that_explains(double agreed, const std::vector<double>& values, double tolerance,
                     Left&& left) {
  if (!(left(agreed) > left(0.0) + tolerance)) return agreed;
  double best = 0;
  for (const double value : values)
    if (left(value) < left(best)) best = value;
  return best;
}

/// [s] that a dataset's cells are off, one way or the other, if `factor` were common to them;
/// half way between A's speed and B's, so that it is as much from A to B as back.
double left_of(const Cells& cells, std::size_t d, double factor) {
  double left = 0;
  for (const std::size_t s : cells.ratios.parts) {
    const Cell& c = cells.cell_of(d, s);
    if (!is_absent(c.typical))
      left += std::fabs(c.seconds_b * elementary::exp(-factor / 2) *
                        elementary::expm1(factor - c.typical));
  }
  return left;
}

}  // namespace

void find_factor(SpeedRatio& speed, const Cells& cells, const CellNoise& noise,
                 const std::vector<std::size_t>& voters, double run_spread) {
  std::vector<double> values, errors;
  for (std::size_t d = 0; d < cells.ratios.datasets.size(); ++d) {
    for (const std::size_t s : voters) {
      const Cell& c = cells.cell_of(d, s);
      if (!has_vote(cells, c, speed)) continue;
      values.push_back(c.typical);
      errors.push_back(std::sqrt(noise.variance(c.count) + noise.part_variance(s, c.count) +
                                 squared(least_error)));
    }
  }
  const RobustMode mode =
      robust_mode(values, errors, std::sqrt(2.0) * run_spread, between_group_spread);
  speed.factor = mode.value;
  speed.error = elementary::hypot(mode.error, least_error);
  speed.factor =
      that_explains(speed.factor, values, 2 * speed.error * speed.seconds_b, [&](double at) {
        double left = 0;
        for (std::size_t d = 0; d < cells.ratios.datasets.size(); ++d)
          left += left_of(cells, d, at);
        return left;
      });
}

double spread_of_sections(const SpeedRatio& speed, const Cells& cells, const CellNoise& noise,
                          const std::vector<std::size_t>& voters) {
  constexpr std::size_t least_sections = 6;  // fewer do not tell which of them changed
  std::vector<double> sizes, variances;
  std::set<std::size_t> sections;
  for (std::size_t d = 0; d < cells.ratios.datasets.size(); ++d) {
    const double with_all = moved(d, speed, cells, noise, voters);
    for (const std::size_t s : voters) {
      const Cell& c = cells.cell_of(d, s);
      if (!has_vote(cells, c, speed)) continue;
      sections.insert(s);
      sizes.push_back(std::fabs(c.typical - speed.factor - with_all));
      variances.push_back(noise.part_variance(s, c.count));
    }
  }
  if (sections.size() < least_sections) return 0;
  const double seen = squared(gaussian_spread * median_of(sizes));
  return std::sqrt(std::max(0.0, seen - median_of(variances)));
}

double moved(std::size_t d, const SpeedRatio& speed, const Cells& cells, const CellNoise& noise,
             const std::vector<std::size_t>& voters) {
  if (cells.ratios.datasets.size() == 1) return 0;
  std::vector<double> values, errors;
  for (const std::size_t s : voters) {
    const Cell& c = cells.cell_of(d, s);
    if (!has_vote(cells, c, speed)) continue;
    values.push_back(c.typical - speed.factor);
    errors.push_back(std::sqrt(noise.part_variance(s, c.count) + group_variance(speed)));
  }
  const RobustMode mode = robust_mode(values, errors, usual_move);
  if (is_absent(mode.value)) return 0;
  return that_explains(mode.value, values,
                       2 * mode.error * cells.cell_of(d, cells.ratios.whole()).seconds_b,
                       [&](double at) { return left_of(cells, d, speed.factor + at); });
}

}  // namespace crema::compare
