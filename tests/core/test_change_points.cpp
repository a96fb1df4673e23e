#include <cmath>
#include <random>
#include <vector>

#include "core/compare/change_points.hpp"
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
  CHECK(segmentation.outliers == std::vector<std::size_t>{14});
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
  // 20 values about 0 and 20 about 3, 1 off but for two in each that are 6 off: squares of 90 each.
  std::vector<double> values = joined({turns(0, 20), turns(3, 20)});
  for (const std::size_t begin : {0U, 20U}) {
    values[begin + 5] += 5;
    values[begin + 14] -= 5;
  }
  const auto segmentation = segmentation_of(values);
  REQUIRE(segmentation.changes.size() == 1);
  CHECK(segmentation.changes[0].at == 20);
  const double error = std::sqrt(180.0 / 38 * (1.0 / 20 + 1.0 / 20));
  CHECK(segmentation.changes[0].change == Approx(3).margin(0.2));
  CHECK(segmentation.changes[0].high - segmentation.changes[0].low ==
        Approx(2 * 1.96 * error).epsilon(0.01));
  CHECK(segmentation.changes[0].p_value ==
        Approx(39 * crema::stats::p_value(segmentation.changes[0].change / error, 38)));
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

TEST_CASE("Four standard deviations from those before and after is an outlier") {
  // Neighbours are 2 apart, as of a standard deviation of 1.4826 x 2 / sqrt(2); 4 of them are 8.39.
  const auto outliers = [](std::size_t at, double value) {
    std::vector<double> values = turns(0, 20);
    values[at] = value;
    return segmentation_of(values).outliers;
  };
  CHECK(outliers(11, 7.3).empty());  // 8.3 from -1, of which two of three are before, and after
  CHECK(outliers(11, 7.5) == std::vector<std::size_t>{11});
  CHECK(outliers(10, -7.5) == std::vector<std::size_t>{10});
  // It takes three values on either side to tell.
  CHECK(outliers(3, 100) == std::vector<std::size_t>{3});
  CHECK(outliers(2, 100).empty());
  CHECK(outliers(16, -100) == std::vector<std::size_t>{16});
  CHECK(outliers(17, 100).empty());
  CHECK(segmentation_of(std::vector<double>{1, 1, 1, 50, 1, 1, 1}).outliers.size() == 1);
  CHECK(segmentation_of(std::vector<double>{1, 1, 1, 50, 1, 1}).outliers.empty());
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
