#include "core/compare/speed/speed_cells.hpp"

#include "core/base/collect.hpp"
#include "core/base/elementary.hpp"

namespace crema::compare {

using namespace stats;

namespace {

constexpr double z_95 = 2;                 // what is nearer to chance has no moment
constexpr double moment_votes = 3;         // odds of 20 that it was the moment
constexpr double most_weight = 3;          // of one chunk: noise has tails, and lasts
constexpr double moment_share = 0.1;       // of a part's chunks: it ends where the part does
constexpr double straggler_noise = 6;      // a chunk of its own: so many spreads away,
constexpr double straggler_ratio = 1.1;    // three times as long as its like [natural log],
constexpr double straggler_share = 0.05;   // and so much of the run
constexpr double most_of_straggler = 0.8;  // of what it took longer: that is where it took it
constexpr double worker_spread = 0.05;     // assumed of a worker's speed, besides its chunks'
constexpr double first_chunks_spread = 0.15;

using Entry = ChunkRatios::Entry;
using Kind = PartId::Kind;

/// Cells that are one part.
struct Sum {
  double excess = 0, allowed = 0, count = 0, a = 0, b = 0;
  std::size_t chunks = 0;

  void add(const Cell& cell, double log_ratio, double may) {
    // Less than there was to lose: a chunk that is far off its like is in the sums.
    const double before = cell.expected * elementary::exp(cell.typical - log_ratio);
    excess += std::max(cell.seconds_b * -elementary::expm1(-log_ratio),
                       before * std::min(0.0, elementary::expm1(log_ratio)));
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

/// Whether some stretch of time tells which chunks changed better than the part does: a burst of
/// other programs begins and ends where no part does. Each chunk votes, from -1 (as usual) to 1
/// (changed as the part), for the part or for the best stretch of either run; votes are log
/// likelihoods of Gaussian noise of `spread` [natural log], up to `most_weight`, and a surplus of
/// `moment_votes` decides.
/// `off` is by how much a chunk is off what the part is held against.
template <class Off>
bool is_of_moment(const Cells& cells, const std::vector<const Entry*>& own, double log_ratio,
                  double spread, Off&& off) {
  if (is_absent(log_ratio) || log_ratio == 0 || !(spread > 0)) return false;
  const std::set<const Entry*> of_part(own.begin(), own.end());
  for (const auto& in_time : cells.in_time) {
    double part = 0, stretch = 0, best = 0;
    for (const Entry* e : in_time) {
      const bool is_own = of_part.contains(e);
      const double change = off(*e, is_own) / log_ratio;
      if (is_absent(change)) continue;
      const double vote = std::clamp(2 * change - 1, -1.0, 1.0);
      if (is_own) part += vote;
      stretch = std::max(0.0, stretch + vote);
      best = std::max(best, stretch);
    }
    const double surplus = best - part;
    if (surplus * std::min(squared(log_ratio / spread) / 2, most_weight) > moment_votes &&
        surplus > moment_share * static_cast<double>(own.size()))
      return true;
  }
  return false;
}

/// The same of whole durations.
bool is_of_moment(const Cells& cells, const std::vector<const Entry*>& own, const SpeedRatio& speed,
                  const CellNoise& noise, double log_ratio) {
  return is_of_moment(cells, own, log_ratio, noise.whole, [&](const Entry& e, bool is_own) {
    const std::size_t whole = cells.ratios.whole();
    // A file that was exchanged tells of no moment.
    return e.ratios[whole] -
           (e.is_of_other_file && !is_own ? cells.cell_of(e.dataset, whole).typical : speed.factor);
  });
}

void add(SpeedRatio& speed, const CellNoise& noise, Effect part) {
  const PartId id = part.id;
  const bool is_of_parts = id.kind == Kind::cell || id.kind == Kind::section;
  const bool is_of_workers = id.kind == Kind::worker || id.kind == Kind::first_chunks;
  part.dof = is_of_parts ? noise.part_dof : is_of_workers ? noise.whole_dof : noise.dof;
  if (is_of_parts && part.log_ratio * speed.oversubscription_allowance > 0)
    part.allowed += std::fabs(speed.oversubscription_allowance);
  // A section's noise is another in each dataset: of few chunks it is known by themselves alone.
  if (id.kind == Kind::cell)
    part.dof = std::min(part.dof, 2 * std::max(static_cast<double>(part.chunks) - 1, 1.0));
  part.is_of_moment = part.is_of_moment && std::fabs(part.errors()) > z_95;
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

/// Sections of a dataset whose own change nothing tells: as in the other datasets.
void add_as_others(const Cells& cells, const SpeedRatio& speed, std::size_t d,
                   std::vector<Sum>& of_section) {
  for (const std::size_t s : cells.ratios.parts) {
    std::vector<double> others;
    for (std::size_t other = 0; other < cells.of_dataset.size(); ++other)
      others.push_back(cells.cell_of(other, s).typical);
    Cell like = cells.cell_of(d, s);
    like.typical = median_of(others);
    like.expected = like.seconds_a;
    if (!is_absent(like.typical)) of_section[s].add(like, like.typical - speed.factor, 0);
  }
}

}  // namespace

void add_datasets_and_sections(SpeedRatio& speed, const Cells& cells, const CellNoise& noise,
                               const std::vector<std::size_t>& voters) {
  const bool has_sections = cells.ratios.parts.size() > 1;
  std::vector<Sum> of_section(cells.ratios.columns);
  for (std::size_t d = 0; d < cells.ratios.datasets.size(); ++d) {
    const Cell& all = cells.cell_of(d, cells.ratios.whole());
    if (cells.is_of_firsts(d)) add_as_others(cells, speed, d, of_section);
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
      if (!cells.ratios.overlap) {
        dataset.add(c, c.typical - speed.factor, may);
        evenly.add(c, with_all, may);
      }
      of_section[s].add(c, own, may);
      if (!has_sections) continue;
      Sum one;
      one.add(c, own, may);
      Effect part =
          one.effect({.kind = Kind::cell,
                      .dataset = cells.ratios.datasets[d],
                      .section = cells.ratios.sections[s]},
                     std::sqrt(noise.part_variance(s, c.count) + section_variance(speed)));
      part.is_of_moment =
          is_of_moment(cells, cells.of_dataset[d], part.log_ratio, noise.part[s],
                       [&, change = part.log_ratio](const Entry& e, bool is_own) {
                         return cells.away(e, s) - cells.own_of(e) + (is_own ? change : 0);
                       });
      add(speed, noise, std::move(part));
    }
    if (cells.ratios.overlap) {
      const double may = cells.ratios.may(d, cells.ratios.whole());
      dataset.add(all, all.typical - speed.factor, may);
      evenly.add(all, with_all, may);
    }
    const double error = std::sqrt(noise.variance(all.count) + group_variance(speed));
    for (const bool is_total : {true, false}) {
      Effect part = (is_total ? dataset : evenly)
                        .effect({.kind = is_total ? Kind::dataset : Kind::evenly,
                                 .dataset = cells.ratios.datasets[d]},
                                error);
      part.chunks = all.chunks;
      part.is_of_moment = is_of_moment(cells, cells.of_dataset[d], speed, noise, part.log_ratio);
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

void add_files_and_hosts(SpeedRatio& speed, const Cells& cells, const CellNoise& noise) {
  std::map<std::string, Sum> of_host;
  std::map<std::string, std::set<std::size_t>> datasets_of;
  Sum of_others;
  std::vector<std::size_t> others;
  for (std::size_t f = 0; f < cells.files.size(); ++f) {
    const std::string& name = cells.ratios.files[f];
    const Cell& c = cells.files[f];
    if (name.empty() || is_absent(c.typical) || !(c.seconds_a > 0 && c.seconds_b > 0)) continue;
    const std::size_t dataset = cells.of_file[f].front()->dataset;
    const double may = cells.ratios.may(dataset, cells.ratios.whole());
    Sum one;
    one.add(c, c.typical - speed.factor, may);
    const std::string host(host_of(name));
    of_host[host].add(c, c.typical - speed.factor, may);
    datasets_of[host].insert(dataset);
    if (cells.of_file[f].front()->is_of_other_file) {
      of_others.add(c, c.typical - speed.factor, may);
      others.push_back(f);
    }
    Effect part = one.effect({.kind = Kind::file, .place = name},
                             std::sqrt(noise.variance(c.count) + group_variance(speed)));
    part.dataset = cells.ratios.datasets[dataset];
    part.is_of_moment = is_of_moment(cells, cells.of_file[f], speed, noise, part.log_ratio);
    add(speed, noise, std::move(part));
  }
  if (!others.empty()) {
    Effect part =
        of_others.effect({.kind = Kind::other_files,
                          .place = first_of(cells.ratios.files[others.front()], others.size())},
                         std::sqrt(noise.variance(of_others.count) + group_variance(speed)));
    if (others.size() == 1)
      part.dataset = cells.ratios.datasets[cells.of_file[others.front()].front()->dataset];
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

void add_workers(SpeedRatio& speed, const Cells& cells, const CellNoise& noise, double run_spread) {
  if (!speed.paired) return;
  const std::size_t whole = cells.ratios.whole();
  std::vector<double> all, values, errors;
  std::vector<Cell> workers(cells.ratios.workers.size());
  std::vector<std::vector<const Entry*>> entries(workers.size());
  std::map<std::size_t, std::vector<double>> in_a;
  for (const Entry& e : cells.ratios.entries) {
    const double times = value_or(e.ratios[whole], e.apart);
    if (is_absent(times)) continue;
    all.push_back(times);
    if (e.worker_a != ChunkRatios::no_worker) in_a[e.worker_a].push_back(cells.usual_of(e) - times);
    if (e.worker >= workers.size()) continue;
    entries[e.worker].push_back(&e);
    Cell& cell = workers[e.worker];
    cell.count += 1;
    cell.chunks += 1;
    cell.seconds_b += e.seconds[whole];
    cell.seconds_a += e.seconds_a[whole];
    cell.expected = cell.seconds_a;
  }
  const double of_all = median_of(all);
  // As far apart as A's workers were, who may have run the others' chunks: that is nothing new.
  std::vector<double> levels;
  for (const auto& [worker, rests] : in_a)
    if (rests.size() >= worker_chunks) levels.push_back(median_of(rests));
  const Moments of_a = moments(levels);
  const double usual = 2 * value_or(of_a.max - of_a.min, 0);
  // They ran at the same time: what drifts, drifts for all of them.
  const auto error_of = [&](const Cell& cell) {
    return elementary::hypot(noise.whole * std::sqrt(median_variance_ratio / cell.count),
                             worker_spread);
  };
  for (std::size_t w = 0; w < workers.size(); ++w) {
    if (workers[w].chunks < worker_chunks) continue;
    workers[w].typical = cells.of_worker[w] + of_all;
    values.push_back(workers[w].typical);
    errors.push_back(error_of(workers[w]));
  }
  if (values.size() < 2) return;
  // Of two that differ one was slowed: nothing makes a worker faster than the machine is.
  const auto faster = std::min_element(values.begin(), values.end());
  const RobustMode agreed =
      values.size() == 2
          ? RobustMode{*faster, errors[static_cast<std::size_t>(faster - values.begin())]}
          : robust_mode(values, errors, std::sqrt(2.0) * run_spread, between_group_spread);
  for (std::size_t w = 0; w < workers.size(); ++w) {
    const Cell& c = workers[w];
    if (is_absent(c.typical)) continue;
    Sum one;
    one.add(c, c.typical - agreed.value, usual);
    Effect part = one.effect({.kind = Kind::worker, .place = cells.ratios.workers[w]},
                             elementary::hypot(elementary::hypot(error_of(c), agreed.error),
                                               std::sqrt(group_variance(speed))));
    part.is_of_moment = is_of_moment(
        cells, entries[w], part.log_ratio, noise.whole, [&](const Entry& e, bool is_own) {
          return is_own ? e.ratios[whole] - agreed.value : e.ratios[whole] - cells.usual_of(e);
        });
    add(speed, noise, std::move(part));
  }
}

void add_first_chunks(SpeedRatio& speed, const Cells& cells, const CellNoise& noise) {
  const std::size_t whole = cells.ratios.whole();
  Effect part;
  part.id.kind = Kind::first_chunks;
  std::vector<double> more(cells.ratios.columns, 0);  // [s] in B beyond A, by column
  for (const bool of_b : {false, true}) {
    const auto is_first = [&](const Entry* e) { return of_b ? e->is_first_b : e->is_first_a; };
    const auto seconds = [&](const Entry* e, std::size_t s) {
      return (of_b ? e->seconds : e->seconds_a)[s];
    };
    const auto events = [&](const Entry* e) {
      return value_or(cells.b.chunks.events[e->chunk], 1);
    };
    std::vector<double> longer(cells.ratios.columns, 0);
    double all = 0, told = 0;
    for (const auto& entries : cells.of_dataset) {
      std::vector<const Entry*> others, firsts;
      for (const Entry* e : entries) (is_first(e) ? firsts : others).push_back(e);
      all += static_cast<double>(firsts.size());
      for (const Entry* e : firsts) (of_b ? part.seconds_b : part.seconds_a) += seconds(e, whole);
      if (others.empty()) continue;
      told += static_cast<double>(firsts.size());
      for (std::size_t s = 0; s < cells.ratios.columns; ++s) {
        const double usual = median_of(
            numbers_of(others, [&](const Entry* e) { return seconds(e, s) / events(e); }));
        for (const Entry* e : firsts) longer[s] += seconds(e, s) - usual * events(e);
      }
    }
    if (told == 0) return;
    const double times = of_b ? 1 : -elementary::exp(speed.factor);
    for (std::size_t s = 0; s < more.size(); ++s) more[s] += times * longer[s] * all / told;
    if (of_b) part.chunks = static_cast<std::size_t>(all);
  }
  if (!(part.seconds_b > more[whole])) return;
  part.log_ratio = -elementary::log1p(-more[whole] / part.seconds_b);
  part.error = elementary::hypot(noise.whole / std::sqrt(static_cast<double>(part.chunks)),
                                 first_chunks_spread);
  for (const std::size_t s : cells.ratios.parts)
    if (cells.ratios.parts.size() > 1 && more[s] / more[whole] >= most_of_straggler)
      part.section = cells.ratios.sections[s];
  add(speed, noise, std::move(part));
}

void add_stragglers(SpeedRatio& speed, const Cells& cells, const CellNoise& noise) {
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
    if (!(part.errors() > straggler_noise && part.log_ratio > straggler_ratio) ||
        !(part.excess() > straggler_share * speed.seconds_b))
      continue;
    part.dataset = part.id.dataset = cells.ratios.datasets[e.dataset];
    const Chunks& c = cells.b.chunks;
    part.id.place = cells.ratios.files[e.file] + ", entries " +
                    std::to_string(static_cast<long long>(value_or(c.entry_start[e.chunk], 0))) +
                    "–" +
                    std::to_string(static_cast<long long>(value_or(c.entry_stop[e.chunk], 0)));
    for (const std::size_t s : cells.ratios.parts) {
      const double more = e.seconds[s] - e.seconds_a[s] * elementary::exp(usual);
      if (cells.ratios.parts.size() > 1 && more >= most_of_straggler * part.excess())
        part.section = cells.ratios.sections[s];
    }
    const PartId id = part.id;
    speed.parts.insert_or_assign(id, std::move(part));
  }
}

}  // namespace crema::compare
