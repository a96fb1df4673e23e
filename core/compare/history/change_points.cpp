#include "core/compare/history.hpp"

#include <numeric>

#include "core/base/elementary.hpp"
#include "core/stats/p_value.hpp"
#include "core/stats/robust.hpp"

namespace crema::compare {

using namespace stats;

namespace {

/// Farther than so many standard deviations from the values before and from those after is left out
/// where cuts are looked for: chance has 6 of 100,000 there.
constexpr double left_out_from = 4;
/// Values on either side that such a value is held against.
constexpr std::size_t neighbours = 3;
/// Of so many values on a level at most one is an outlier.
constexpr std::size_t values_per_outlier = 4;
/// More outliers are not looked for on one level: the time grows with them.
constexpr std::size_t most_outliers = 20;
/// Larger steps are not tried, as logarithms of a ratio: a factor of 20.
constexpr double largest_step = 3;
/// The noise around a value is that of so many values on either side: as many as tell a standard
/// deviation to a sixth, few enough to follow where it changes.
constexpr std::size_t noise_reach = 10;
/// 95 % of a Gaussian, either way.
constexpr double of_95_percent = 1.96;
/// Steps larger by so many of their standard errors than the least that is found in some runs are
/// found in nine of ten others: these differ in their means and in their noise.
constexpr double errors_between_seasons = 3;

/// Of as many values as one is held against, from `first` on.
double median_of_neighbours(const double* first) {
  std::array<double, neighbours> values;
  std::copy_n(first, neighbours, values.begin());
  return quantile_of(values, 0.5);
}

/// How often all of `before` values would be above, or below, all of `after` more, were their order
/// chance: whatever the noise is like, a change is no more certain than that.
double p_value_of_order(std::size_t before, std::size_t after) {
  double ways = 1;
  const std::size_t fewer = std::min(before, after);
  for (std::size_t i = 1; i <= fewer && ways < 1e12; ++i)
    ways *= static_cast<double>(before + after - fewer + i) / static_cast<double>(i);
  return 2 / ways;
}

/// The outliers of a level, `at` their index and `change` their distance from its mean: what is
/// farthest from the mean is taken away, one after the other. Where one is farther from the rest
/// than chance has it, it and all that were taken before are outliers.
std::vector<Outlier> outliers_of(std::span<const double> values) {
  std::vector<double> rest(values.begin(), values.end());
  std::vector<std::size_t> places(rest.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::vector<Outlier> taken;
  std::vector<Outlier> found;
  Moments level = moments(rest);
  while (taken.size() < std::min(values.size() / values_per_outlier, most_outliers)) {
    const auto farthest = std::max_element(rest.begin(), rest.end(), [&](double a, double b) {
      return std::fabs(a - level.mean) < std::fabs(b - level.mean);
    });
    const double value = *farthest;
    const auto place = places.begin() + (farthest - rest.begin());
    taken.push_back({.at = *place, .p_value = 1});
    places.erase(place);
    rest.erase(farthest);
    level = moments(rest);
    const auto count = static_cast<double>(level.count);
    const double error = std::max(level.std, least_step / 2) * std::sqrt(1 + 1 / count);
    const double p_value = (count + 1) * stats::p_value((value - level.mean) / error, count - 1);
    if (p_value > false_alarm_rate || std::fabs(value - level.mean) < least_step) continue;
    for (Outlier& one : taken) {
      one.change = values[one.at] - level.mean;
      // Those that it hid are no likelier than it is.
      one.p_value = std::min(one.p_value, p_value);
    }
    found = taken;
  }
  return found;
}

}  // namespace

std::size_t least_values(double level) {
  std::size_t values = 2 * least_level;
  while (p_value_of_order(values / 2, values - values / 2) > level) ++values;
  return values;
}

/// A series whose numbers are present and on the scale on which noise is even.
class ChangePointDetector::Segmenter {
 public:
  explicit Segmenter(std::span<const double> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (is_absent(values[i])) continue;
      segmentation_.relative = segmentation_.relative && values[i] > 0;
      all_places_.push_back(i);
      all_y_.push_back(values[i]);
    }
    if (segmentation_.relative) {
      for (double& value : all_y_) value = elementary::log(value);
    }
    find_cuts();
  }

  Segmentation segmentation(double level) {
    drop_insignificant(level);
    if (leave_outliers_out()) {
      cut();
      drop_insignificant(level);
    }
    describe();
    return std::move(segmentation_);
  }

  double least_step_found(double level) const {
    const auto count = static_cast<double>(all_y_.size());
    if (!segmentation_.relative || count < static_cast<double>(least_values(level))) return absent;
    // About what a test finds, and from there by halves.
    double size = std::max(least_step, 8 * moments(all_y_).std / std::sqrt(count));
    while (size > least_step && finds_steps(size / 2, level)) size /= 2;
    while (!finds_steps(size, level)) {
      if (size > largest_step) return absent;
      size *= 2;
    }
    double too_small = size / 2;
    for (int i = 0; i < 4; ++i) {
      const double middle = (too_small + size) / 2;
      (finds_steps(middle, level) ? size : too_small) = middle;
    }
    const double error = 2 * Segmenter(*this).segmentation(level).last.std / std::sqrt(count);
    return as_change(size + errors_between_seasons * error);
  }

 private:
  /// Of all values but those that are far from the ones around: which are outliers is known once
  /// the levels are.
  void find_cuts() {
    std::vector<bool> is_kept(all_y_.size(), true);
    const std::size_t n = all_y_.size();
    std::vector<double> steps;
    for (std::size_t i = 1; i < n; ++i) steps.push_back(std::fabs(all_y_[i] - all_y_[i - 1]));
    const double spread = n > 1 ? gaussian_spread * median_of(steps) / std::sqrt(2.0) : 0;
    for (std::size_t i = neighbours; i + neighbours < n; ++i) {
      const double before = median_of_neighbours(&all_y_[i - neighbours]);
      const double after = median_of_neighbours(&all_y_[i + 1]);
      const double off = std::min(std::fabs(all_y_[i] - before), std::fabs(all_y_[i] - after));
      is_kept[i] = off <= std::max(left_out_from * spread, least_step);
    }
    keep(is_kept);
    cut();
  }

  /// Both ways.
  bool finds_steps(double size, double level) const {
    for (const double step : {size, -size}) {
      Segmenter other(*this);
      for (std::size_t i = all_y_.size() / 2; i < all_y_.size(); ++i) other.all_y_[i] += step;
      other.find_cuts();
      if (other.segmentation(level).changes.empty()) return false;
    }
    return true;
  }

  /// Whether other values are left than before.
  bool keep(const std::vector<bool>& is_kept) {
    const std::vector<std::size_t> before = std::move(places_);
    places_.clear();
    y_.clear();
    for (std::size_t i = 0; i < all_y_.size(); ++i) {
      if (!is_kept[i]) continue;
      places_.push_back(all_places_[i]);
      y_.push_back(all_y_[i]);
    }
    return places_ != before;
  }

  /// Of each level; whether other values are left than before.
  bool leave_outliers_out() {
    std::vector<bool> is_kept(all_y_.size(), true);
    std::size_t end = 0;
    for (std::size_t s = 0; s < cuts_.size(); ++s) {
      const std::size_t begin = end;
      end = all_y_.size();
      if (end_of(s) < y_.size()) {
        const auto next =
            std::lower_bound(all_places_.begin(), all_places_.end(), places_[end_of(s)]);
        end = static_cast<std::size_t>(next - all_places_.begin());
      }
      for (Outlier outlier : outliers_of(std::span(all_y_).subspan(begin, end - begin))) {
        is_kept[begin + outlier.at] = false;
        outlier.at = all_places_[begin + outlier.at];
        outlier.change = as_change(outlier.change);
        segmentation_.outliers.push_back(outlier);
      }
    }
    std::sort(segmentation_.outliers.begin(), segmentation_.outliers.end(),
              [](const Outlier& a, const Outlier& b) { return a.at < b.at; });
    return keep(is_kept);
  }

  /// Cuts what is left into levels.
  void cut() {
    const std::size_t n = y_.size();
    if (n == 0) return;
    // Noise from differences of neighbours first, which levels hardly touch; then from what the
    // levels leave.
    std::vector<double> differences;
    for (std::size_t i = 1; i < n; ++i) differences.push_back((y_[i] - y_[i - 1]) / std::sqrt(2.0));
    weigh(differences);
    cuts_ = best_cuts();
    weigh(residuals());
    cuts_ = best_cuts();
  }

  /// The weight of each value: 1 / the variance of `noise` around it. `noise` has a value for each,
  /// or for each two neighbours, of which as many lie before a value as after it. Sums of weights,
  /// weighed values and squares follow.
  void weigh(const std::vector<double>& noise) {
    const std::size_t n = y_.size();
    // No noise at all is rounding: what is below the least change is none.
    const double least = squared(least_step / 10);
    weights_.assign(n, 1 / least);
    std::vector<double> around;  // sizes of the noise around a value, in their order
    const auto place_of = [&](double size) {
      return std::lower_bound(around.begin(), around.end(), size);
    };
    const auto enter = [&](std::size_t i) {
      if (i >= noise.size()) return;
      const double size = std::fabs(noise[i]);
      around.insert(place_of(size), size);
    };
    const std::size_t ahead = noise.size() < n ? noise_reach - 1 : noise_reach;
    for (std::size_t i = 0; i < ahead; ++i) enter(i);
    for (std::size_t i = 0; i < n && !noise.empty(); ++i) {
      enter(i + ahead);
      if (i > noise_reach) around.erase(place_of(std::fabs(noise[i - noise_reach - 1])));
      // The spread is that of values around their mean; no mean was taken of these, or what it took
      // was given back.
      const auto count = static_cast<double>(around.size());
      const double spread = robust_spread_of_sizes(around, quantile(around, 0.5));
      weights_[i] = 1 / std::max(least, squared(spread) * (count - 1) / count);
    }
    weight_.assign(n + 1, 0);
    sum_.assign(n + 1, 0);
    square_.assign(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
      weight_[i + 1] = weight_[i] + weights_[i];
      sum_[i + 1] = sum_[i] + weights_[i] * (y_[i] - y_[0]);
      square_[i + 1] = square_[i] + weights_[i] * squared(y_[i] - y_[0]);
    }
  }

  double weight(std::size_t begin, std::size_t end) const { return weight_[end] - weight_[begin]; }
  double mean(std::size_t begin, std::size_t end) const {
    return y_[0] + (sum_[end] - sum_[begin]) / weight(begin, end);
  }
  /// Σ weight · (value − mean)²
  double cost(std::size_t begin, std::size_t end) const {
    const double sum = sum_[end] - sum_[begin];
    return square_[end] - square_[begin] - sum * sum / weight(begin, end);
  }

  /// The cuts that leave least, each at the price of what noise alone would win by one: beginnings
  /// of levels, 0 among them.
  std::vector<std::size_t> best_cuts() const {
    const std::size_t n = y_.size();
    const std::size_t shortest = std::min(n, least_level);
    const double price = 2 * elementary::log(static_cast<double>(n)) + 2;
    std::vector<double> best(n + 1, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> begin_of(n + 1, 0);
    best[0] = -price;
    std::vector<Candidate> candidates;
    std::vector<Candidate> spare;
    for (std::size_t end = shortest; end <= n; ++end) {
      if (best[end - shortest] < std::numeric_limits<double>::infinity()) {
        spare.clear();
        add_candidate(candidates, end - shortest, best, spare);
        candidates.swap(spare);
      }
      for (const auto& [begin, low, high] : candidates) {
        const double total = best[begin] + cost(begin, end) + price;
        if (total < best[end]) {
          best[end] = total;
          begin_of[end] = begin;
        }
      }
    }
    std::vector<std::size_t> cuts;
    for (std::size_t end = n; end > 0; end = begin_of[end]) cuts.push_back(begin_of[end]);
    std::reverse(cuts.begin(), cuts.end());
    return cuts;
  }

  /// Where the last level may begin, if it lies in [low, high], as a difference from the first
  /// value.
  struct Candidate {
    std::size_t begin;
    double low, high;
  };

  /// Of two places where the last level begins, the one that leaves less depends on the level
  /// alone, not on where it will end: a place that is better for no level is never looked at again
  /// (functional pruning: G. Rigaill, J. SFdS 156, 2015; R. Maidstone et al., Stat. Comput. 27,
  /// 2017). A handful of a thousand places is left.
  ///
  /// Into `all` go `candidates` and `begin`, each with the levels for which it is best.
  void add_candidate(const std::vector<Candidate>& candidates, std::size_t begin,
                     const std::vector<double>& best, std::vector<Candidate>& all) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto add = [&](std::size_t of, double low, double high) {
      if (low >= high) return;
      if (!all.empty() && all.back().begin == of) all.back().high = high;
      else all.push_back({of, low, high});
    };
    if (candidates.empty()) add(begin, -infinity, infinity);
    for (const auto& [before, low, high] : candidates) {
      // The place before leaves less within `half` of the mean of what lies between.
      const double between = weight(before, begin);
      const double middle = (sum_[begin] - sum_[before]) / between;
      const double half_squared =
          squared(middle) +
          (best[begin] - square_[begin] - best[before] + square_[before]) / between;
      const double half = half_squared > 0 ? std::sqrt(half_squared) : 0;
      const double from = std::clamp(middle - half, low, high);
      const double to = std::clamp(middle + half, low, high);
      add(begin, low, from);
      add(before, from, to);
      add(begin, to, high);
    }
  }

  std::size_t end_of(std::size_t s) const {
    return s + 1 < cuts_.size() ? cuts_[s + 1] : y_.size();
  }

  std::vector<double> residuals() const {
    std::vector<double> all;
    for (std::size_t s = 0; s < cuts_.size(); ++s) {
      const std::size_t begin = cuts_[s];
      const std::size_t end = end_of(s);
      // What the mean took of the spread is given back.
      const double taken = std::sqrt(static_cast<double>(end - begin) /
                                     std::max(1.0, static_cast<double>(end - begin) - 1));
      for (std::size_t i = begin; i < end; ++i) all.push_back((y_[i] - mean(begin, end)) * taken);
    }
    return all;
  }

  /// Σ (value − mean of all)², whatever their weights.
  double left(std::size_t begin, std::size_t end) const {
    double sum = 0;
    double squares = 0;
    for (std::size_t i = begin; i < end; ++i) {
      sum += y_[i] - y_[0];
      squares += squared(y_[i] - y_[0]);
    }
    return std::max(0.0, squares - sum * sum / static_cast<double>(end - begin));
  }

  struct Test {
    double difference, error, p_value;
  };
  Test test(std::size_t begin, std::size_t cut, std::size_t end) const {
    Test t{};
    t.difference = mean(cut, end) - mean(begin, cut);
    // The noise is known from the values around, one less for each level; of values that go up and
    // down between two states it tells too little, and all of them tell more.
    const double all = static_cast<double>(end - begin);
    const double around = std::min(all, static_cast<double>(2 * noise_reach + 1));
    const double known = std::sqrt(1 / weight(begin, cut) + 1 / weight(cut, end));
    const double pooled =
        std::sqrt((left(begin, cut) + left(cut, end)) / (all - 2) *
                  (1 / static_cast<double>(cut - begin) + 1 / static_cast<double>(end - cut)));
    t.error = std::max(known, pooled);
    const double dof = (known < pooled ? all : around) - 2;
    t.p_value = (all - 1) * stats::p_value(t.difference / t.error, dof);
    t.p_value = std::min(1.0, std::max(t.p_value, p_value_of_order(cut - begin, end - cut)));
    return t;
  }

  void drop_insignificant(double limit) {
    while (cuts_.size() > 1) {
      std::size_t weakest = 0;
      double most = -1;
      for (std::size_t s = 1; s < cuts_.size(); ++s) {
        const Test t = test(cuts_[s - 1], cuts_[s], end_of(s));
        const bool is_least = std::fabs(t.difference) < least_step;
        const double p_value = is_least ? 2 : t.p_value;
        if (p_value > most) {
          most = p_value;
          weakest = s;
        }
      }
      if (most <= limit) return;
      cuts_.erase(cuts_.begin() + static_cast<std::ptrdiff_t>(weakest));
    }
  }

  /// What a straight line through [begin, end) leaves, and its slope per value.
  struct Line {
    double left, slope;
  };
  Line line(std::size_t begin, std::size_t end) const {
    double w = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const double at = static_cast<double>(i - begin);
      const double value = y_[i] - y_[0];
      w += weights_[i];
      x += weights_[i] * at;
      y += weights_[i] * value;
      xx += weights_[i] * at * at;
      xy += weights_[i] * at * value;
      yy += weights_[i] * value * value;
    }
    const double slope = (xy - x * y / w) / (xx - x * x / w);
    return {yy - y * y / w - slope * (xy - x * y / w), slope};
  }

  /// Whether the levels from `from` to `to` are one slope: they go the same way, and a line
  /// leaves no more, its two numbers against a level of each and a place between.
  bool is_slope(std::size_t from, std::size_t to) const {
    double left = 0;
    for (std::size_t s = from; s <= to; ++s) left += cost(cuts_[s], end_of(s));
    const std::size_t begin = cuts_[from];
    const std::size_t end = end_of(to);
    const double numbers = 2 * static_cast<double>(to - from) + 1;
    const double price = elementary::log(static_cast<double>(end - begin));
    return line(begin, end).left + 2 * price < left + numbers * price;
  }

  bool rises(std::size_t s) const {
    return mean(cuts_[s], end_of(s)) > mean(cuts_[s - 1], cuts_[s]);
  }

  double back(double y) const { return segmentation_.relative ? elementary::exp(y) : y; }
  double as_change(double difference) const {
    return segmentation_.relative ? elementary::expm1(difference) : difference;
  }

  void describe() {
    for (std::size_t s = 0; s < cuts_.size();) {
      // The longest slope that begins here.
      std::size_t last = s;
      for (std::size_t to = s + 1; to < cuts_.size() && rises(to) == rises(s + 1); ++to) {
        if (is_slope(s, to)) last = to;
      }
      // Where a slope begins is no change of level.
      if (s > 0 && !after_slope_ && last == s) add_change(s);
      after_slope_ = last > s;
      add_level(cuts_[s], end_of(last), after_slope_);
      s = last + 1;
    }
  }

  void add_level(std::size_t begin, std::size_t end, bool is_slope) {
    const double level = mean(begin, end);
    const double error = of_95_percent / std::sqrt(weight(begin, end));
    // It reaches over outliers and what is not known up to the next.
    const bool is_last = end == y_.size();
    Level made{.begin = segmentation_.levels.empty() ? 0 : places_[begin],
               .end = is_last ? places_.back() + 1 : places_[end],
               .level = back(level),
               .low = back(level - error),
               .high = back(level + error)};
    if (is_slope) {
      const double slope = line(begin, end).slope;
      made.slope = segmentation_.relative ? made.level * elementary::expm1(slope) : slope;
    }
    segmentation_.levels.push_back(made);
    segmentation_.last = moments(std::span(y_).subspan(begin, end - begin));
  }

  void add_change(std::size_t s) {
    const std::size_t end = end_of(s);
    const std::size_t begin = cuts_[s - 1];
    const std::size_t cut = cuts_[s];
    const Test t = test(begin, cut, end);
    ChangePoint change{.at = places_[cut],
                       .change = as_change(t.difference),
                       .low = as_change(t.difference - of_95_percent * t.error),
                       .high = as_change(t.difference + of_95_percent * t.error),
                       .p_value = t.p_value};
    // How likely each place is beside the best, all being equally likely before: from both ends
    // what is least likely goes, until 5 % are gone.
    std::vector<double> likely;
    const double best = cost(begin, cut) + cost(cut, end);
    double all = 0;
    for (std::size_t place = begin + 1; place < end; ++place) {
      likely.push_back(elementary::exp(-(cost(begin, place) + cost(place, end) - best) / 2));
      all += likely.back();
    }
    std::size_t low = 0;
    std::size_t high = likely.size() - 1;
    for (double gone = 0; low < high;) {
      const bool is_low = likely[low] < likely[high];
      gone += is_low ? likely[low] : likely[high];
      if (gone > 0.05 * all) break;
      (is_low ? ++low : --high);
    }
    change.first = places_[begin + 1 + low];
    change.last = places_[begin + 1 + high];
    segmentation_.changes.push_back(change);
  }

  Segmentation segmentation_;
  std::vector<std::size_t> all_places_;  // of `all_y_` among the values
  std::vector<double> all_y_;            // all that are present
  std::vector<std::size_t> places_;      // of `y_` among the values
  std::vector<double> y_;                // without outliers
  std::vector<double> weights_;
  std::vector<double> weight_, sum_, square_;  // of the values before each
  std::vector<std::size_t> cuts_;              // where levels begin
  bool after_slope_ = false;
};

ChangePointDetector::ChangePointDetector(std::span<const double> values)
    : segmenter_(std::make_shared<const Segmenter>(values)) {}

Segmentation ChangePointDetector::at(double level) const {
  return Segmenter(*segmenter_).segmentation(level);
}

double ChangePointDetector::least_step_found(double level) const {
  return segmenter_->least_step_found(level);
}

}  // namespace crema::compare
