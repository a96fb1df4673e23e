#include "core/compare/speed_ratio.hpp"

#include "core/base/collect.hpp"
#include "core/base/elementary.hpp"
#include "core/compare/speed/speed_cells.hpp"
#include "core/stats/p_value.hpp"

namespace crema::compare {

using namespace stats;

namespace {

constexpr double slow_worker = 3.3;  // errors: then the other workers' chunks tell of the rest

SpeedRatio speed_of(const Run& a, const Run& b, const ChunkRatios& ratios, double run_spread,
                    const ConfigDifference& config) {
  SpeedRatio speed;
  speed.paired = ratios.paired;
  speed.overlap = ratios.overlap;
  speed.resized = ratios.resized;
  if (ratios.entries.empty()) return speed;
  // Where each section feels the set-up in its own way, whole chunks tell what all have in common.
  const std::vector<std::size_t> voters = config.any() ? std::vector{ratios.whole()} : ratios.parts;
  const Cells all = cells_of(a, b, ratios);
  for (std::size_t d = 0; d < ratios.datasets.size(); ++d) {
    speed.seconds_a += all.cell_of(d, ratios.whole()).seconds_a;
    speed.seconds_b += all.cell_of(d, ratios.whole()).seconds_b;
  }
  const double slower = elementary::log(speed.seconds_b / speed.seconds_a);
  const auto set_spreads = [&] {
    const double usual = between_group_spread * std::fabs(speed.factor);
    const double other = std::max(std::fabs(speed.factor), std::fabs(slower));
    speed.between_group_spread = config.any() ? other : usual;
    speed.between_place_spread = config.layout ? other : usual;
  };
  // Workers ran some of everything: a slow one is told apart before the rest is judged.
  {
    const CellNoise noise = noise_of(all);
    find_factor(speed, all, noise, voters, run_spread);
    if (!speed.known()) return speed;
    set_spreads();
    add_workers(speed, all, noise, run_spread);
  }
  std::set<std::size_t> slow;
  for (std::size_t w = 0; w < ratios.workers.size(); ++w) {
    const Effect* const worker =
        speed.find({.kind = PartId::Kind::worker, .place = ratios.workers[w]});
    if (worker != nullptr && !worker->is_of_moment && worker->errors() > slow_worker)
      slow.insert(w);
  }
  const ChunkRatios others = slow.empty() ? ChunkRatios{} : ratios.without(slow);
  const ChunkRatios& judged = slow.empty() ? ratios : others;
  const Cells cells = cells_of(a, b, judged);
  const CellNoise noise = noise_of(cells);
  const auto of_part = [&](std::size_t s) { return noise.part[s]; };
  speed.section_noise = value_or(median_of(numbers_of(ratios.parts, of_part)), 0);
  find_factor(speed, cells, noise, voters, run_spread);
  if (!speed.known()) return speed;
  set_spreads();
  speed.between_group_spread = elementary::hypot(speed.between_group_spread,
                                                 spread_of_sections(speed, cells, noise, voters));
  if (slower * config.threads > 0) speed.oversubscription_allowance = config.threads;
  add_datasets_and_sections(speed, cells, noise, voters);
  add_files_and_hosts(speed, cells, noise);
  if (speed.paired) {
    add_first_chunks(speed, cells, noise);
    add_stragglers(speed, cells, noise);
  }
  return speed;
}

}  // namespace

double log_mean(double x, double y) {
  if (x == y || !(x > 0 && y > 0)) return std::max(x, y);
  return (y - x) / elementary::log(y / x);
}

double Effect::excess() const {
  // what only one run has: all of it
  return std::isinf(log_ratio) ? (log_ratio > 0 ? seconds_b : -seconds_a)
                               : seconds_b * -elementary::expm1(-log_ratio);
}

double Effect::excess_error() const {
  return std::isinf(log_ratio)
             ? 0
             : log_mean(seconds_b * elementary::exp(-log_ratio), seconds_b) * error;
}

double Effect::margin(double level) const {
  if (std::isinf(log_ratio)) return 0;
  return log_mean(seconds_b * elementary::exp(-log_ratio), seconds_b) *
         (stats::errors_of_p_value(level, dof) * error + allowed);
}

double Effect::errors() const {
  if (is_absent(log_ratio)) return absent;
  const double beyond = std::max(0.0, std::fabs(log_ratio) - allowed);
  if (beyond == 0) return 0;
  return std::copysign(beyond / error, log_ratio);
}

double Effect::p_value() const { return stats::p_value(errors(), dof); }

const Effect* SpeedRatio::find(const PartId& id) const { return found_in(parts, id); }

SpeedRatio compare_speed(const Run& a, const ChunkSelection& in_a, const Run& b,
                         const ChunkSelection& in_b, double run_spread,
                         const ConfigDifference& config) {
  const ChunkRatios ratios = chunk_ratios(a, in_a, b, in_b);
  SpeedRatio speed = speed_of(a, b, ratios, run_spread, config);
  speed.inside.assign(a.chunks.size(), absent);
  if (!ratios.paired) return speed;
  for (const ChunkRatios::Entry& e : ratios.entries)
    speed.inside[e.chunk_a] = e.seconds[ratios.whole()];
  return speed;
}

}  // namespace crema::compare
