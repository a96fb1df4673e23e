#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/compare/history.hpp"
#include "core/stats/p_value.hpp"
#include "tests/core/catch.hpp"

using crema::absent;
using crema::is_absent;
using crema::compare::segmentation_of;

namespace {

/// `count` values around `level` that go up and down by `noise` in turns of three: no two
/// neighbours alike, and the mean of three is the level.
std::vector<double> around(double level, double noise, std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(level * (1 + noise * (static_cast<double>((i * 2) % 3) - 1)));
  return values;
}

std::vector<double> joined(std::initializer_list<std::vector<double>> parts) {
  std::vector<double> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

TEST_CASE("A step of 20 % in a series of 1 % noise is a change where it is") {
  const auto segmentation = segmentation_of(joined({around(100, 0.01, 12), around(120, 0.01, 9)}));
  REQUIRE(segmentation.changes.size() == 1);
  CHECK(segmentation.changes[0].at == 12);
  CHECK(segmentation.changes[0].first == 12);
  CHECK(segmentation.changes[0].last == 12);
  CHECK(segmentation.changes[0].change == Approx(0.2).margin(0.005));
  CHECK(segmentation.changes[0].low < 0.2);
  CHECK(segmentation.changes[0].high > 0.2);
  REQUIRE(segmentation.levels.size() == 2);
  CHECK(segmentation.levels[0].level == Approx(100).epsilon(0.005));
  CHECK(segmentation.levels[1].level == Approx(120).epsilon(0.005));
  CHECK(segmentation.levels[1].end == 21);
}

TEST_CASE("Two opposite steps hide each other from no one") {
  const auto segmentation =
      segmentation_of(joined({around(100, 0.01, 20), around(110, 0.01, 8), around(100, 0.01, 20)}));
  REQUIRE(segmentation.changes.size() == 2);
  CHECK(segmentation.changes[0].at == 20);
  CHECK(segmentation.changes[1].at == 28);
}

TEST_CASE("Of many levels each is found where it begins") {
  std::vector<double> values;
  for (int level = 0; level < 20; ++level) {
    const auto part = around(level % 2 == 0 ? 100 : 110 + level, 0.01, 12);
    values.insert(values.end(), part.begin(), part.end());
  }
  const auto segmentation = segmentation_of(values);
  REQUIRE(segmentation.changes.size() == 19);
  for (std::size_t change = 0; change < 19; ++change)
    CHECK(segmentation.changes[change].at == 12 * (change + 1));
}

TEST_CASE("Noise, an outlier, values that are alike and few values are no change") {
  CHECK(segmentation_of(around(100, 0.02, 40)).changes.empty());
  CHECK(segmentation_of(std::vector<double>(30, 7)).changes.empty());
  CHECK(segmentation_of(joined({around(100, 0.01, 2), around(150, 0.01, 2)})).changes.empty());
  auto values = around(100, 0.01, 30);
  values[14] = 180;
  const auto segmentation = segmentation_of(values);
  CHECK(segmentation.changes.empty());
  REQUIRE(segmentation.outliers.size() == 1);
  CHECK(segmentation.outliers[0].at == 14);
  CHECK(segmentation.outliers[0].change == Approx(0.8).epsilon(0.01));
  CHECK(segmentation.levels[0].level == Approx(100).epsilon(0.005));
}

TEST_CASE("A slope is a slope and no flight of steps") {
  std::vector<double> values = around(100, 0.01, 60);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] *= 1 + 0.01 * static_cast<double>(i);
  const auto segmentation = segmentation_of(values);
  CHECK(segmentation.changes.empty());
  REQUIRE(segmentation.levels.size() == 1);
  CHECK(segmentation.levels[0].slope > 0.5);
}

TEST_CASE("What is absent is left out, and places stay those of the series") {
  auto values = joined({around(100, 0.01, 10), around(120, 0.01, 10)});
  values[3] = absent;
  values[9] = absent;
  const auto segmentation = segmentation_of(values);
  REQUIRE(segmentation.changes.size() == 1);
  CHECK(segmentation.changes[0].at == 10);
  CHECK(segmentation_of(std::vector<double>(5, absent)).levels.empty());
  CHECK(segmentation_of({}).levels.empty());
}

TEST_CASE("Where values are not all above 0, a change is a difference") {
  const auto segmentation =
      segmentation_of(joined({around(-100, 0.01, 10), around(120, 0.01, 10)}));
  CHECK_FALSE(segmentation.relative);
  REQUIRE(segmentation.changes.size() == 1);
  CHECK(segmentation.changes[0].change == Approx(220).epsilon(0.01));
}

TEST_CASE("Of simulated series 5 % steps in 2 % noise are found, and hardly any others") {
  // 100 series of 100 runs from a fixed seed; the step is anywhere but near the ends.
  std::mt19937 random(7);
  // by hand: distributions of the standard library are another in each
  const auto uniform = [&] { return (static_cast<double>(random()) + 0.5) / 4294967296.0; };
  const auto normal = [&] {
    return std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform());
  };
  int found = 0;
  int others = 0;
  for (int series = 0; series < 100; ++series) {
    const auto at = static_cast<std::size_t>(10 + uniform() * 80);
    std::vector<double> values;
    for (std::size_t i = 0; i < 100; ++i)
      values.push_back((i < at ? 1 : 1.05) * std::exp(0.02 * normal()));
    for (const auto& change : segmentation_of(values).changes) {
      const bool is_it = change.at + 2 >= at && change.at <= at + 2;
      found += is_it ? 1 : 0;
      others += is_it ? 0 : 1;
    }
  }
  CHECK(found >= 95);
  CHECK(others <= 10);  // of 10,000 runs
}

namespace {

/// `count` values of `level` - 1 and `level` + 1 in turns.
std::vector<double> turns(double level, std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(level + (i % 2 == 0 ? -1 : 1));
  return values;
}

}  // namespace

TEST_CASE("The error of a level is that of a mean, of values that are 1 off it either way") {
  // The standard deviation of n such values is sqrt(n / (n - 1)), that of their mean 1 / sqrt(n -
  // 1).
  for (const std::size_t count : {8U, 16U, 32U}) {
    CAPTURE(count);
    const auto segmentation = segmentation_of(turns(0, count));
    REQUIRE(segmentation.levels.size() == 1);
    const double error = 1.96 / std::sqrt(static_cast<double>(count) - 1);
    CHECK(segmentation.levels[0].level == Approx(0).margin(0.001));
    CHECK(segmentation.levels[0].low == Approx(-error).epsilon(0.001));
    CHECK(segmentation.levels[0].high == Approx(error).epsilon(0.001));
    CHECK(is_absent(segmentation.levels[0].slope));
  }
}

TEST_CASE("A step beyond all noise is as certain as the order of the values makes it") {
  // 8 of 16 values are the lower ones in 12,870 ways, which chance is as likely to take; the other
  // way round as well.
  const auto segmentation = segmentation_of(joined({turns(0, 8), turns(10, 8)}));
  REQUIRE(segmentation.changes.size() == 1);
  CHECK(segmentation.changes[0].p_value == Approx(2.0 / 12870));
  CHECK(segmentation.changes[0].change == Approx(10).epsilon(0.001));
  // Each level is known to 1 / sqrt(7).
  CHECK(segmentation.changes[0].low == Approx(10 - 1.96 * std::sqrt(2.0 / 7)).epsilon(0.001));
  CHECK(segmentation.changes[0].high == Approx(10 + 1.96 * std::sqrt(2.0 / 7)).epsilon(0.001));
  // 3 of 13 in 286 ways: that is less than once in a hundred, 3 of 11 in 165 is not.
  CHECK(segmentation_of(joined({turns(0, 10), {19, 20, 21}})).changes.size() == 1);
  CHECK(segmentation_of(joined({turns(0, 8), {19, 20, 21}})).changes.empty());
  CHECK(segmentation_of(joined({turns(0, 8), {19, 20, 21}})).levels.size() == 1);
  // It is a matter of what is asked.
  CHECK(segmentation_of(joined({turns(0, 8), turns(10, 8)}), 1e-5).changes.empty());
}

TEST_CASE("Two levels are told apart by a t-test, times the places where the step could be") {
  // 20 values about 0 and 20 about 8, 1 off but for six in each that are 5 off, too many for
  // outliers: squares of 164 each.
  std::vector<double> values = joined({turns(0, 20), turns(8, 20)});
  for (const std::size_t begin : {0U, 20U}) {
    for (std::size_t i = begin + 2; i < begin + 20; i += 3) values[i] += i % 2 == 0 ? -4 : 4;
  }
  const auto segmentation = segmentation_of(values);
  CHECK(segmentation.outliers.empty());
  REQUIRE(segmentation.changes.size() == 1);
  CHECK(segmentation.changes[0].at == 20);
  const double error = std::sqrt(328.0 / 38 * (1.0 / 20 + 1.0 / 20));
  CHECK(segmentation.changes[0].change == Approx(8).margin(0.2));
  CHECK(segmentation.changes[0].high - segmentation.changes[0].low ==
        Approx(2 * 1.96 * error).epsilon(0.01));
  CHECK(segmentation.changes[0].p_value ==
        Approx(39 * crema::stats::p_value(segmentation.changes[0].change / error, 38)));
}

TEST_CASE("Noise that is known from 21 values around has 19 degrees of freedom, few values fewer") {
  // Levels of 10 and 30 values tell less of the shorter one than all of them together seem to.
  const auto of = [](std::size_t first, std::size_t then, double degrees) {
    const auto segmentation = segmentation_of(joined({turns(0, first), turns(3, then)}));
    REQUIRE(segmentation.changes.size() == 1);
    const crema::compare::ChangePoint& one = segmentation.changes[0];
    const double error = (one.high - one.low) / 2 / 1.96;
    CHECK(one.change == Approx(3).epsilon(0.02));
    CHECK(error == Approx(std::sqrt(1.0 / static_cast<double>(first - 1) +
                                    1.0 / static_cast<double>(then - 1)))
                       .epsilon(0.03));
    CHECK(one.p_value == Approx(static_cast<double>(first + then - 1) *
                                crema::stats::p_value(one.change / error, degrees))
                             .epsilon(0.001));
  };
  of(10, 30, 19);
  of(30, 10, 19);
  of(6, 12, 16);  // of 18 values, all
}

TEST_CASE("Values that are alike are taken to be off by half of the least step, for an outlier") {
  std::vector<double> values(9, 100);
  values.push_back(103);
  const auto segmentation = segmentation_of(values);
  REQUIRE(segmentation.outliers.size() == 1);
  CHECK(segmentation.outliers[0].p_value ==
        Approx(10 * crema::stats::p_value(std::log(1.03) / (0.005 / 2 * std::sqrt(1 + 1.0 / 9)), 8))
            .epsilon(0.001));
}

TEST_CASE("Half a per cent is no change, however certain; a little more is one") {
  const auto changes = [](double times) {
    return segmentation_of(
               joined({std::vector<double>(10, 100), std::vector<double>(10, 100 * times)}))
        .changes.size();
  };
  CHECK(changes(1.0049) == 0);
  CHECK(changes(1.0052) == 1);
  CHECK(changes(1 / 1.0052) == 1);
}

TEST_CASE("A value that chance puts so far from the others of its level is an outlier, by hand") {
  // 9 values about 0, 1 off and one 0: standard deviation 1; the tenth is 6 off, in a t-test with
  // 8 degrees of freedom, times ten values that could have been it.
  for (const std::size_t at : {0U, 1U, 5U, 8U, 9U}) {
    CAPTURE(at);
    std::vector<double> values = {-1, 1, -1, 1, 0, 1, -1, 1, -1};
    values.insert(values.begin() + static_cast<std::ptrdiff_t>(at), 6);
    const auto segmentation = segmentation_of(values);
    REQUIRE(segmentation.outliers.size() == 1);
    CHECK(segmentation.outliers[0].at == at);
    CHECK(segmentation.outliers[0].change == Approx(6));
    CHECK(segmentation.outliers[0].p_value ==
          Approx(10 * crema::stats::p_value(6 / std::sqrt(1 + 1.0 / 9), 8)));
    CHECK(segmentation.last.count == 9);
    CHECK(segmentation.last.std == Approx(1));
  }
  // 56 s among 10 to 14 s
  const auto season = segmentation_of(std::vector<double>{10, 14, 11, 12, 56, 13, 10, 12});
  REQUIRE(season.outliers.size() == 1);
  CHECK(season.outliers[0].at == 4);
  CHECK(season.outliers[0].change == Approx(3.8).margin(0.1));
}

TEST_CASE("Outliers do not hide each other, and what three values tell at the end is a step") {
  auto values = around(100, 0.02, 16);
  values[3] = 300;
  values[15] = 310;
  const auto two = segmentation_of(values);
  REQUIRE(two.outliers.size() == 2);
  CHECK(two.outliers[0].at == 3);
  CHECK(two.outliers[0].change == Approx(2).margin(0.03));
  CHECK(two.outliers[1].at == 15);
  CHECK(two.outliers[1].change == Approx(2.1).margin(0.03));
  CHECK(two.changes.empty());
  const auto step = segmentation_of(joined({around(100, 0.02, 12), around(300, 0.02, 3)}));
  CHECK(step.outliers.empty());
  CHECK(step.changes.size() == 1);
  // An outlier on the level after it is held against that level.
  auto later = joined({around(100, 0.02, 12), around(300, 0.02, 12)});
  later[20] = 100;
  const auto both = segmentation_of(later);
  REQUIRE(both.changes.size() == 1);
  CHECK(both.changes[0].at == 12);
  REQUIRE(both.outliers.size() == 1);
  CHECK(both.outliers[0].at == 20);
  CHECK(both.outliers[0].change == Approx(-2.0 / 3).margin(0.01));
}

namespace {

/// Independent noise, the same on every machine.
struct Noise {
  std::mt19937 random{5};
  double uniform() { return (static_cast<double>(random()) + 0.5) / 4294967296.0; }
  double gaussian() {
    return std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform());
  }
  /// Student's t with 3 degrees of freedom, of standard deviation 1.
  double heavy() {
    const double value = gaussian();
    const double squares =
        std::pow(gaussian(), 2) + std::pow(gaussian(), 2) + std::pow(gaussian(), 2);
    return value / std::sqrt(squares);
  }
  /// Runs of 12 s with a standard deviation of `share`.
  std::vector<double> runs(std::size_t count, double share, bool is_heavy = false) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i)
      values.push_back(12 * std::exp(share * (is_heavy ? heavy() : gaussian())));
    return values;
  }
};

}  // namespace

TEST_CASE("Of single runs of 56 s among 12 s, 12 % apart, all are named; without one, one in 100") {
  Noise noise;
  std::size_t named = 0;
  std::size_t false_alarms = 0;
  constexpr std::size_t seasons = 600;
  for (std::size_t season = 0; season < seasons; ++season) {
    auto values = noise.runs(8 + season % 30, 0.12);
    false_alarms += segmentation_of(values).outliers.empty() ? 0 : 1;
    const std::size_t at = season % values.size();
    values[at] = 56;
    const auto outliers = segmentation_of(values).outliers;
    const auto is_it = [&](const auto& outlier) { return outlier.at == at; };
    named += std::any_of(outliers.begin(), outliers.end(), is_it) ? 1 : 0;
  }
  CAPTURE(named, false_alarms);
  CHECK(named >= seasons * 98 / 100);
  CHECK(false_alarms <= seasons / 50);
}

TEST_CASE("Of steps of which it is said that they would have been found, 87 to 100 of 100 are") {
  using crema::compare::ChangePointDetector;
  Noise noise;
  for (const bool is_heavy : {false, true}) {
    for (const double level : {0.01, 0.002}) {
      double promised = 0;
      double found_here = 0;
      double found_in_others = 0;
      double half_as_large = 0;
      for (std::size_t season = 0; season < 212; ++season) {
        const std::size_t runs = 8 + season % 53;
        const auto values = noise.runs(runs, 0.05, is_heavy);
        const double step = ChangePointDetector(values).least_step_found(level);
        if (is_absent(step)) continue;
        ++promised;
        const auto finds = [&](std::vector<double> changed, double times) {
          for (std::size_t i = runs / 2; i < runs; ++i) changed[i] *= times;
          return segmentation_of(changed, level).changes.empty() ? 0.0 : 1.0;
        };
        const double times = season % 2 == 0 ? 1 + step : 1 / (1 + step);
        found_here += finds(values, times);
        found_in_others += finds(noise.runs(runs, 0.05, is_heavy), times);
        half_as_large += finds(values, 1 + step / 2);
      }
      CAPTURE(is_heavy, level, promised, found_here, found_in_others, half_as_large);
      CHECK(promised >= 180);
      CHECK(found_here >= 0.87 * promised);
      CHECK(found_in_others >= 0.87 * promised);
      // It is no larger than it has to be.
      CHECK(half_as_large <= 0.5 * promised);
    }
  }
}

TEST_CASE("In ten runs a step can be found at 1 %, in nine none") {
  // 5 of 10 are the lower ones in 252 ways, 4 of 9 in 126; the other way round as well.
  using namespace crema::compare;
  CHECK(least_values(0.01) == 10);
  CHECK(least_values(2.0 / 126 + 1e-9) == 9);
  CHECK(is_absent(ChangePointDetector(around(12, 0.05, 9)).least_step_found(0.01)));
  CHECK(ChangePointDetector(around(12, 0.05, 12)).least_step_found(0.01) > 0.05);
  CHECK(is_absent(ChangePointDetector(around(-12, 0.05, 12)).least_step_found(0.01)));
}

TEST_CASE("A slope says by how much it rises from value to value") {
  std::vector<double> line, growth;
  for (std::size_t i = 0; i < 60; ++i) {
    const double at = static_cast<double>(i);
    line.push_back(-10 + 0.5 * at + (i % 2 == 0 ? -0.1 : 0.1));
    growth.push_back(100 * std::pow(1.01, at) * (i % 2 == 0 ? 0.999 : 1.001));
  }
  const auto straight = segmentation_of(line);
  REQUIRE(straight.levels.size() == 1);
  CHECK(straight.changes.empty());
  CHECK(straight.levels[0].slope == Approx(0.5).epsilon(0.001));
  CHECK(straight.levels[0].level == Approx(-10 + 0.5 * 29.5).margin(0.1));
  const auto growing = segmentation_of(growth);
  REQUIRE(growing.levels.size() == 1);
  CHECK(growing.levels[0].level == Approx(100 * std::pow(1.01, 29.5)).epsilon(0.01));
  CHECK(growing.levels[0].slope == Approx(0.01 * growing.levels[0].level).epsilon(0.01));
}

TEST_CASE("A step between a slope and a level is told by neither as a change of level") {
  // Level, slope, level: the slope joins them, nothing steps.
  std::vector<double> values = turns(0, 20);
  for (std::size_t i = 0; i < 30; ++i)
    values.push_back(static_cast<double>(i) + (i % 2 == 0 ? -1 : 1));
  const auto after = turns(29, 20);
  values.insert(values.end(), after.begin(), after.end());
  const auto segmentation = segmentation_of(values);
  CHECK(segmentation.changes.empty());
  REQUIRE(segmentation.levels.size() == 3);
  CHECK(is_absent(segmentation.levels[0].slope));
  CHECK(segmentation.levels[1].slope == Approx(1).epsilon(0.02));
  CHECK(is_absent(segmentation.levels[2].slope));
  CHECK(segmentation.levels[2].end == 70);
}

TEST_CASE("A series read backwards has the same steps, and ten times the values the same ratios") {
  std::mt19937 random(11);
  const auto uniform = [&] { return (static_cast<double>(random()) + 0.5) / 4294967296.0; };
  const auto normal = [&] {
    return std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform());
  };
  std::size_t steps = 0;
  for (int series = 0; series < 20; ++series) {
    std::vector<double> values;
    for (std::size_t i = 0; i < 60; ++i)
      values.push_back((i < 25 ? 1 : i < 45 ? 1.08 : 1.15) * std::exp(0.02 * normal()));
    std::vector<double> backwards(values.rbegin(), values.rend()), tenfold = values;
    for (double& value : tenfold) value *= 10;
    const auto there = segmentation_of(values), back = segmentation_of(backwards),
               ten = segmentation_of(tenfold);
    REQUIRE(back.changes.size() == there.changes.size());
    REQUIRE(ten.changes.size() == there.changes.size());
    for (std::size_t i = 0; i < there.changes.size(); ++i) {
      const auto &one = there.changes[i], &other = back.changes[there.changes.size() - 1 - i];
      CHECK(other.at == 60 - one.at);
      CHECK(other.first == 60 - one.last);
      CHECK(other.last == 60 - one.first);
      CHECK(1 + other.change == Approx(1 / (1 + one.change)));
      CHECK(other.p_value == Approx(one.p_value));
      CHECK(one.first <= one.at);
      CHECK(one.at <= one.last);
      CHECK(ten.changes[i].at == one.at);
      CHECK(ten.changes[i].change == Approx(one.change));
      CHECK(ten.changes[i].p_value == Approx(one.p_value));
      steps += 1;
    }
    CHECK(back.outliers.size() == there.outliers.size());
  }
  CHECK(steps > 30);  // of 40
}

TEST_CASE("The least step that is found in a series is found both ways, and a little less is not") {
  using crema::compare::ChangePointDetector;
  Noise noise;
  for (const std::size_t runs : {12U, 20U, 33U, 48U}) {
    CAPTURE(runs);
    const auto values = noise.runs(runs, 0.05);
    const double step = ChangePointDetector(values).least_step_found(0.01);
    REQUIRE(step > 0);
    // Three errors of the difference of two halves are added for other series.
    const double error =
        2 * segmentation_of(values).last.std / std::sqrt(static_cast<double>(runs));
    const double least = std::log(1 + step) - 3 * error;
    const auto finds = [&](double size) {
      for (const double both : {size, -size}) {
        std::vector<double> changed = values;
        for (std::size_t i = runs / 2; i < runs; ++i) changed[i] *= std::exp(both);
        if (segmentation_of(changed).changes.empty()) return false;
      }
      return true;
    };
    CHECK(finds(least * 1.0001));
    CHECK_FALSE(finds(least * 0.93));
  }
}
