#include "core/compare/speed/speed_cells.hpp"

#include <cmath>
#include <set>

#include "core/base/elementary.hpp"

namespace crema::compare {

using namespace stats;

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
