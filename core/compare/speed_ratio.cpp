#include "core/compare/speed_ratio.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/elementary.hpp"
#include "core/base/order.hpp"
#include "core/compare/chunk_ratios.hpp"
#include "core/stats/benjamini_hochberg.hpp"
#include "core/stats/p_value.hpp"
#include "core/stats/robust.hpp"

namespace crema::compare {

using namespace stats;

namespace {

constexpr double least_error = 0.002;      // a ratio of seconds is hardly known better
constexpr double min_cell_share = 0.01;    // of a dataset's seconds: smaller cells have no vote
constexpr double usual_move = 0.03;        // what is far for a dataset to move by
constexpr double level_chunks = 3;         // chunks that make a file's level its own
constexpr std::size_t worker_chunks = 10;  // and a worker's
constexpr std::size_t few = 10;            // chunks that may all have met a bad moment
constexpr std::size_t beside = 3;          // chunks on either side that would have met it, too
constexpr double straggler_noise = 6;      // a chunk of its own: so many spreads away,
constexpr double straggler_share = 0.05;   // and so much of the run

using Entry = ChunkRatios::Entry;
using Kind = PartId::Kind;

/// The chunks of a cell: a column of a dataset or of a file.
struct Cell {
  double typical = absent;  // median of its chunks' ratios
  double count = 0;         // of chunks, as for one mean
  double seconds_a = 0, seconds_b = 0;
  std::size_t chunks = 0;
};

/// Cells that are one part.
struct Sum {
  double excess = 0, allowed = 0, count = 0, a = 0, b = 0;
  std::size_t chunks = 0;

  void add(const Cell& cell, double log_ratio, double may) {
    excess += cell.seconds_b * -elementary::expm1(-log_ratio);
    allowed += may * cell.seconds_b;
    count += cell.count;
    a += cell.seconds_a;
    b += cell.seconds_b;
    chunks += cell.chunks;
  }

  Effect effect(PartId id, double error) const {
    Effect part;
    part.dataset = id.dataset;
    part.section = id.section;
    part.id = std::move(id);
    part.log_ratio = b > excess ? -elementary::log1p(-excess / b) : absent;
    part.error = error;
    part.allowed = ratio(allowed, b);
    part.seconds_a = a;
    part.seconds_b = b;
    part.chunks = chunks;
    return part;
  }
};

/// The median of column `s` over entries.
Cell cell(std::size_t s, const std::vector<const Entry*>& entries) {
  Cell cell;
  std::vector<double> in_a, in_b;
  for (const Entry* e : entries) {
    if (e->of_b) {
      cell.seconds_b += e->seconds[s];
      cell.chunks += 1;
      if (!e->seconds_a.empty()) cell.seconds_a += e->seconds_a[s];
    } else {
      cell.seconds_a += e->seconds[s];
    }
    if (!is_absent(e->ratios[s])) (e->of_b ? in_b : in_a).push_back(e->ratios[s]);
  }
  const auto b = static_cast<double>(in_b.size());
  const auto a = static_cast<double>(in_a.size());
  cell.count = a > 0 ? 1 / (1 / a + 1 / b) : b;
  cell.typical = median_of(in_b) - (a > 0 ? median_of(in_a) : 0);
  return cell;
}

/// The chunks that are compared, by cell; `cells_of` fills it once.
struct Cells {
  const Run& b;
  const ChunkRatios& ratios;
  std::vector<std::vector<const Entry*>> of_dataset{}, of_file{};
  std::vector<const Entry*> in_time{};  // those of B
  std::vector<std::size_t> place{};     // in it, by chunk of B
  std::vector<Cell> cells{};            // by dataset x column
  std::vector<Cell> files{};            // the whole duration of each file's chunks
  std::vector<double> of_worker{};  // what each worker's chunks are off by, on top of their files

  double began(const Entry* e) const { return value_or(b.chunks.t_start[e->chunk], 0); }

  const Cell& cell_of(std::size_t dataset, std::size_t column) const {
    return cells[dataset * ratios.columns + column];
  }

  /// What a chunk's whole ratio would be by its file or, where that has few chunks, its dataset:
  /// what the chunks of one file have in common is no spread from chunk to chunk.
  double usual_of(const Entry& e) const {
    if (!e.of_b) return 0;
    const Cell& file = files[e.file];
    const double more = e.worker < of_worker.size() ? of_worker[e.worker] : 0;
    return more + (file.count >= level_chunks && !is_absent(file.typical)
                       ? file.typical
                       : cell_of(e.dataset, ratios.whole()).typical);
  }

  /// How far a chunk's part is off what is usual in its dataset.
  double away(const Entry& e, std::size_t s) const {
    return e.ratios[s] - (e.of_b ? cell_of(e.dataset, s).typical : 0);
  }

  /// What all parts of a chunk are off by.
  double own_of(const Entry& e) const {
    if (ratios.parts.size() < 2) return 0;
    std::vector<double> all;
    for (const std::size_t s : ratios.parts) all.push_back(away(e, s));
    return median_of(std::move(all));
  }
};

Cells cells_of(const Run& b, const ChunkRatios& ratios) {
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
  for (const Entry& e : ratios.entries) {
    if (e.of_b) made.in_time.push_back(&e);
  }
  sort_stably(made.in_time,
              [&](const Entry* x, const Entry* y) { return made.began(x) < made.began(y); });
  made.place.resize(b.chunks.size());
  for (std::size_t i = 0; i < made.in_time.size(); ++i) made.place[made.in_time[i]->chunk] = i;
  std::vector<std::vector<double>> rests(ratios.workers.size());
  for (const Entry& e : ratios.entries) {
    const double rest = e.ratios[ratios.whole()] - made.usual_of(e);
    if (e.worker < rests.size() && !is_absent(rest)) rests[e.worker].push_back(rest);
  }
  for (const auto& of : rests)
    made.of_worker.push_back(of.size() < worker_chunks ? 0 : median_of(of));
  return made;
}

/// How chunks and their parts spread.
struct Noise {
  double whole = 0;            // spread of a chunk's duration about its like
  double autocorrelation = 0;  // what of that the mean of many keeps, as a share of it
  double dof = 0;
  std::vector<double> part;  // by column: spread of a part about its chunk's others
  double part_autocorrelation = 0;
  double part_dof = 0;

  double variance(double count) const {
    return squared(whole) * (median_variance_ratio / std::max(count, 1.0) + autocorrelation);
  }
  double part_variance(std::size_t s, double count) const {
    return squared(part[s]) * (median_variance_ratio / std::max(count, 1.0) + part_autocorrelation);
  }
};

Noise noise_of(const Cells& cells) {
  Noise noise;
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

/// What of a change of few chunks the moment when they ran may explain: by how much chunks of
/// others just before, between and just after were off by `rest_of`, the same way. What happened
/// to all at that moment is not of the part.
template <class Rest>
double allowed_by_moment(const Cells& cells, const std::vector<const Entry*>& entries,
                         double log_ratio, Rest&& rest_of) {
  if (!cells.b.chunks.placed || entries.size() >= few) return 0;
  std::size_t first = cells.in_time.size();
  std::size_t last = 0;
  for (const Entry* e : entries) {
    if (!e->of_b) continue;
    first = std::min(first, cells.place[e->chunk]);
    last = std::max(last, cells.place[e->chunk]);
  }
  std::vector<double> others;
  const std::size_t end = std::min(last + beside + 1, cells.in_time.size());
  for (std::size_t i = first - std::min(first, beside); i < end && others.size() < 2 * few; ++i) {
    const Entry* const e = cells.in_time[i];
    const bool is_own = std::find(entries.begin(), entries.end(), e) != entries.end();
    const double rest = is_own ? absent : rest_of(*e);
    if (!is_absent(rest)) others.push_back(rest);
  }
  const double moment = others.size() < beside ? 0 : median_of(others);
  return moment * log_ratio > 0 ? std::fabs(moment) : 0;
}

/// The same of a whole duration.
double allowed_by_moment(const Cells& cells, const std::vector<const Entry*>& entries,
                         double log_ratio) {
  return allowed_by_moment(cells, entries, log_ratio, [&](const Entry& e) {
    return e.ratios[cells.ratios.whole()] - cells.usual_of(e);
  });
}

/// Variance of what follows the speed ratio in its own way: a dataset or a file, and a section.
double group_variance(const SpeedRatio& speed) {
  return squared(between_group_spread * speed.factor) + squared(least_error);
}
double section_variance(const SpeedRatio& speed) {
  return squared(speed.between_group_spread) + squared(least_error);
}

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

/// `voters`: columns that say what the common factor is.
void find_factor(SpeedRatio& speed, const Cells& cells, const Noise& noise,
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

/// By how much all of a dataset moved against the factor.
double moved(std::size_t d, const SpeedRatio& speed, const Cells& cells, const Noise& noise,
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

void add(SpeedRatio& speed, const Noise& noise, Effect part) {
  const PartId id = part.id;
  const bool is_of_parts = id.kind == Kind::cell || id.kind == Kind::section;
  part.dof = is_of_parts ? noise.part_dof : noise.dof;
  if (is_of_parts && part.log_ratio * speed.oversubscription_allowance > 0)
    part.allowed += std::fabs(speed.oversubscription_allowance);
  // A section's noise is another in each dataset: of few chunks it is known by themselves alone.
  if (id.kind == Kind::cell)
    part.dof = std::min(part.dof, 2 * std::max(static_cast<double>(part.chunks) - 1, 1.0));
  if (!is_absent(part.log_ratio)) speed.parts.insert_or_assign(id, std::move(part));
}

/// A section that only one of the runs has.
void add_only(SpeedRatio& speed, const Cells& cells, std::size_t d, std::size_t s,
              const Cell& cell) {
  if (cells.ratios.parts.size() == 1 || (cell.seconds_a > 0) == (cell.seconds_b > 0)) return;
  const double infinite = std::numeric_limits<double>::infinity();
  for (const bool in_all : {false, true}) {
    PartId id{.kind = in_all ? Kind::section : Kind::cell, .section = cells.ratios.sections[s]};
    if (!in_all) id.dataset = cells.ratios.datasets[d];
    Effect& part = speed.parts.try_emplace(id).first->second;
    part.id = id;
    part.dataset = id.dataset;
    part.section = id.section;
    part.seconds_a += cell.seconds_a;
    part.seconds_b += cell.seconds_b;
    part.chunks += cell.chunks;
    part.error = least_error;
    part.log_ratio = part.seconds_b > 0 ? infinite : -infinite;
  }
}

void add_datasets_and_sections(SpeedRatio& speed, const Cells& cells, const Noise& noise,
                               const std::vector<std::size_t>& voters) {
  const bool has_sections = cells.ratios.parts.size() > 1;
  std::vector<Sum> of_section(cells.ratios.columns);
  for (std::size_t d = 0; d < cells.ratios.datasets.size(); ++d) {
    const Cell& all = cells.cell_of(d, cells.ratios.whole());
    if (is_absent(all.typical)) continue;
    const double with_all = moved(d, speed, cells, noise, voters);
    Sum dataset, evenly;
    for (const std::size_t s : cells.ratios.parts) {
      const Cell& c = cells.cell_of(d, s);
      if (is_absent(c.typical)) {
        add_only(speed, cells, d, s, c);
        continue;
      }
      const double may = cells.ratios.may(d, s);
      const double own = c.typical - speed.factor - with_all;
      dataset.add(c, c.typical - speed.factor, may);
      evenly.add(c, with_all, may);
      of_section[s].add(c, own, may);
      if (!has_sections) continue;
      Sum one;
      one.add(c, own, may);
      Effect part =
          one.effect({.kind = Kind::cell,
                      .dataset = cells.ratios.datasets[d],
                      .section = cells.ratios.sections[s]},
                     std::sqrt(noise.part_variance(s, c.count) + section_variance(speed)));
      part.allowed +=
          allowed_by_moment(cells, cells.of_dataset[d], part.log_ratio,
                            [&](const Entry& e) { return cells.away(e, s) - cells.own_of(e); });
      add(speed, noise, std::move(part));
    }
    const double error = std::sqrt(noise.variance(all.count) + group_variance(speed));
    for (const bool is_total : {true, false}) {
      Effect part = (is_total ? dataset : evenly)
                        .effect({.kind = is_total ? Kind::dataset : Kind::evenly,
                                 .dataset = cells.ratios.datasets[d]},
                                error);
      part.chunks = all.chunks;
      part.allowed += allowed_by_moment(cells, cells.of_dataset[d], part.log_ratio);
      add(speed, noise, std::move(part));
    }
  }
  for (const std::size_t s : cells.ratios.parts) {
    // of the datasets where both runs have it
    const Sum& sum = of_section[s];
    if (!has_sections || sum.chunks == 0) continue;
    add(speed, noise,
        sum.effect({.kind = Kind::section, .section = cells.ratios.sections[s]},
                   std::sqrt(noise.part_variance(s, sum.count) + section_variance(speed))));
  }
}

void add_files_and_hosts(SpeedRatio& speed, const Cells& cells, const Noise& noise) {
  std::map<std::string, Sum> of_host;
  std::map<std::string, std::set<std::size_t>> datasets_of;
  for (std::size_t f = 0; f < cells.files.size(); ++f) {
    const std::string& name = cells.ratios.files[f];
    const Cell& c = cells.files[f];
    if (name.empty() || is_absent(c.typical)) continue;
    const std::size_t dataset = cells.of_file[f].front()->dataset;
    const double may = cells.ratios.may(dataset, cells.ratios.whole());
    Sum one;
    one.add(c, c.typical - speed.factor, may);
    const std::string host(host_of(name));
    of_host[host].add(c, c.typical - speed.factor, may);
    datasets_of[host].insert(dataset);
    Effect part = one.effect({.kind = Kind::file, .place = name},
                             std::sqrt(noise.variance(c.count) + group_variance(speed)));
    part.dataset = cells.ratios.datasets[dataset];
    part.allowed += allowed_by_moment(cells, cells.of_file[f], part.log_ratio);
    add(speed, noise, std::move(part));
  }
  for (const auto& [host, sum] : of_host) {
    Effect part = sum.effect({.kind = Kind::host, .place = host},
                             std::sqrt(noise.variance(sum.count) + group_variance(speed)));
    if (const auto& on_it = datasets_of[host]; on_it.size() == 1)
      part.dataset = cells.ratios.datasets[*on_it.begin()];
    add(speed, noise, std::move(part));
  }
}

/// Workers ran parts of all that there is: what they have in common is their own agreement, not
/// that of cells, in which all of them are.
void add_workers(SpeedRatio& speed, const Cells& cells, const Noise& noise, double run_spread) {
  std::vector<double> all, values, errors;
  std::vector<Cell> workers(cells.ratios.workers.size());
  for (const Entry& e : cells.ratios.entries) {
    if (!e.of_b || is_absent(e.ratios[cells.ratios.whole()])) continue;
    all.push_back(e.ratios[cells.ratios.whole()]);
    if (e.worker >= workers.size()) continue;
    Cell& cell = workers[e.worker];
    cell.count += 1;
    cell.chunks += 1;
    cell.seconds_b += e.seconds[cells.ratios.whole()];
    if (!e.seconds_a.empty()) cell.seconds_a += e.seconds_a[cells.ratios.whole()];
  }
  const double of_all = median_of(all);
  // They ran at the same time: what drifts, drifts for all of them.
  const auto error_of = [&](const Cell& cell) {
    return noise.whole * std::sqrt(median_variance_ratio / cell.count) + least_error;
  };
  for (std::size_t w = 0; w < workers.size(); ++w) {
    if (workers[w].chunks < worker_chunks) continue;
    workers[w].typical = cells.of_worker[w] + of_all;
    values.push_back(workers[w].typical);
    errors.push_back(error_of(workers[w]));
  }
  if (values.size() < 2 || !speed.paired) return;
  // Of two that differ one was slowed: nothing makes a worker faster than the machine is.
  speed.of_workers =
      values.size() == 2
          ? std::min(values[0], values[1])
          : robust_mode(values, errors, std::sqrt(2.0) * run_spread, between_group_spread).value;
  for (std::size_t w = 0; w < workers.size(); ++w) {
    const Cell& c = workers[w];
    if (is_absent(c.typical)) continue;
    Sum one;
    one.add(c, c.typical - speed.of_workers, 0);
    add(speed, noise,
        one.effect({.kind = Kind::worker, .place = cells.ratios.workers[w]},
                   elementary::hypot(error_of(c), std::sqrt(group_variance(speed)))));
  }
}

/// Single chunks that took far more than their like: no noise of a sum, and no change of it.
void add_stragglers(SpeedRatio& speed, const Cells& cells, const Noise& noise) {
  const std::size_t whole = cells.ratios.whole();
  for (const Entry& e : cells.ratios.entries) {
    const double usual = cells.usual_of(e);
    Effect part;
    part.id.kind = Kind::chunk;
    part.log_ratio = e.ratios[whole] - usual;
    part.error = std::max(noise.whole, least_error);
    part.seconds_b = e.seconds[whole];
    part.seconds_a = e.seconds_a[whole];
    part.chunks = 1;
    if (!(part.errors() > straggler_noise) || !(part.excess() > straggler_share * speed.seconds_b))
      continue;
    part.dataset = part.id.dataset = cells.ratios.datasets[e.dataset];
    const Chunks& c = cells.b.chunks;
    part.id.place = cells.ratios.files[e.file] + ", entries " +
                    std::to_string(static_cast<long long>(value_or(c.entry_start[e.chunk], 0))) +
                    "–" +
                    std::to_string(static_cast<long long>(value_or(c.entry_stop[e.chunk], 0)));
    for (const std::size_t s : cells.ratios.parts) {
      const double more = e.seconds[s] - e.seconds_a[s] * elementary::exp(usual);
      if (cells.ratios.parts.size() > 1 && more >= 0.8 * part.excess())
        part.section = cells.ratios.sections[s];
    }
    const PartId id = part.id;
    speed.parts.insert_or_assign(id, std::move(part));
  }
}

SpeedRatio speed_of(const Run& b, const ChunkRatios& ratios, double run_spread,
                    const ConfigDifference& config) {
  SpeedRatio speed;
  speed.paired = ratios.paired;
  speed.resized = ratios.resized;
  if (ratios.entries.empty()) return speed;
  // Where each section feels the set-up in its own way, whole chunks tell what all have in common.
  const std::vector<std::size_t> voters = config.any() ? std::vector{ratios.whole()} : ratios.parts;
  const Cells cells = cells_of(b, ratios);
  for (std::size_t d = 0; d < ratios.datasets.size(); ++d) {
    speed.seconds_a += cells.cell_of(d, ratios.whole()).seconds_a;
    speed.seconds_b += cells.cell_of(d, ratios.whole()).seconds_b;
  }
  const Noise noise = noise_of(cells);
  std::vector<double> typical;
  for (const std::size_t s : ratios.parts) typical.push_back(noise.part[s]);
  speed.section_noise = value_or(median_of(typical), 0);
  find_factor(speed, cells, noise, voters, run_spread);
  if (!speed.known()) return speed;
  const double slower = elementary::log(speed.seconds_b / speed.seconds_a);
  speed.between_group_spread = config.any() ? std::max(std::fabs(speed.factor), std::fabs(slower))
                                            : between_group_spread * std::fabs(speed.factor);
  if (slower * config.threads > 0) speed.oversubscription_allowance = config.threads;
  add_datasets_and_sections(speed, cells, noise, voters);
  add_files_and_hosts(speed, cells, noise);
  add_workers(speed, cells, noise, run_spread);
  if (speed.paired) add_stragglers(speed, cells, noise);
  return speed;
}

}  // namespace

double Effect::excess() const {
  // what only one run has: all of it
  return std::isinf(log_ratio) ? (log_ratio > 0 ? seconds_b : -seconds_a)
                               : seconds_b * -elementary::expm1(-log_ratio);
}

double Effect::excess_error() const {
  return std::isinf(log_ratio) ? 0 : seconds_b * elementary::exp(-log_ratio) * error;
}

double Effect::errors() const {
  if (is_absent(log_ratio)) return absent;
  const double beyond = std::max(0.0, std::fabs(log_ratio) - allowed);
  if (beyond == 0) return 0;
  return std::copysign(beyond / error, log_ratio);
}

double Effect::p_value() const { return stats::p_value(errors(), dof); }

const Effect* SpeedRatio::find(const PartId& id) const {
  const auto found = parts.find(id);
  return found == parts.end() ? nullptr : &found->second;
}

SpeedRatio compare_speed(const Run& a, const ChunkSelection& in_a, const Run& b,
                         const ChunkSelection& in_b, double run_spread,
                         const ConfigDifference& config) {
  const ChunkRatios ratios = chunk_ratios(a, in_a, b, in_b);
  SpeedRatio speed = speed_of(b, ratios, run_spread, config);
  speed.inside.assign(a.chunks.size(), absent);
  if (!ratios.paired) return speed;
  for (const Entry& e : ratios.entries) speed.inside[e.chunk_a] = e.seconds[ratios.whole()];
  return speed;
}

}  // namespace crema::compare
