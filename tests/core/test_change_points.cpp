#include <cmath>
#include <random>
#include <vector>

#include "core/compare/change_points.hpp"
#include "tests/core/catch.hpp"

using crema::absent;
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
