#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "cli/bisection.hpp"
#include "tests/core/catch.hpp"

using crema::cli::Bisection;

namespace {

struct Searched {
  double found = 0;          ///< share of searches that named the culprit
  double named_another = 0;  ///< and another commit
  std::size_t median_runs = 0;
  double mean_runs = 0;
};

/// Searches among 64 commits after the good one, of which one makes runs slower by `slower`.
Searched search(double slower, double noise, bool is_heavy = false, std::size_t searches = 200,
                std::size_t most = 120) {
  std::mt19937 random(3);
  const auto uniform = [&] { return (static_cast<double>(random()) + 0.5) / 4294967296.0; };
  const auto gaussian = [&] {
    return std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform());
  };
  // Student's t with 3 degrees of freedom, of standard deviation 1.
  const auto heavy = [&] {
    const double value = gaussian();
    return value /
           std::sqrt(std::pow(gaussian(), 2) + std::pow(gaussian(), 2) + std::pow(gaussian(), 2));
  };
  Searched all;
  std::vector<std::size_t> runs;
  for (std::size_t i = 0; i < searches; ++i) {
    Bisection bisection(65, 0.03);
    const std::size_t culprit = 1 + random() % 64;
    while (!bisection.is_done() && bisection.runs() < most) {
      const std::size_t commit = bisection.next();
      bisection.add(commit, (commit >= culprit ? std::log1p(slower) : 0) +
                                noise * (is_heavy ? heavy() : gaussian()));
    }
    if (bisection.is_done())
      (bisection.culprit().last == culprit ? all.found : all.named_another) += 1;
    runs.push_back(bisection.runs());
    all.mean_runs += static_cast<double>(bisection.runs()) / static_cast<double>(searches);
  }
  all.found /= static_cast<double>(searches);
  all.named_another /= static_cast<double>(searches);
  std::sort(runs.begin(), runs.end());
  all.median_runs = runs[searches / 2];
  return all;
}

}  // namespace

TEST_CASE("Of regressions of 5 to 30 % among 64 commits the commit is found, 95 in 100") {
  for (const double slower : {0.05, 0.1, 0.2, 0.3}) {
    CAPTURE(slower);
    CHECK(search(slower, 0.03).found >= 0.95);
  }
  // 2.5 runs for each halving
  CHECK(search(0.1, 0.03).median_runs <= 15);
  CHECK(search(0.3, 0.03).median_runs <= 10);
  CHECK(search(0.2, 0.03, true).found >= 0.95);
  // More noise than is assumed takes more runs, and names few others.
  CHECK(search(0.2, 0.08).named_another <= 0.06);
  CHECK(search(0.1, 0.005).found >= 0.99);
}

TEST_CASE("Where nothing changed hardly any commit is named") {
  CHECK(search(0, 0.03, false, 100, 60).named_another <= 0.05);
  CHECK(search(0, 0.1, false, 100, 60).named_another <= 0.05);
}

TEST_CASE("Without noise it is a bisection: an end each, and one run for each halving") {
  for (std::size_t culprit = 1; culprit < 65; ++culprit) {
    Bisection bisection(65, 0.001);
    while (!bisection.is_done() && bisection.runs() < 100) {
      const std::size_t commit = bisection.next();
      bisection.add(commit, commit >= culprit ? 0.2 : 0.0);
    }
    CHECK(bisection.culprit().first == culprit);
    CHECK(bisection.culprit().last == culprit);
    CHECK(bisection.culprit().change == Approx(0.2));
    CHECK(bisection.runs() <= 9);
  }
}

TEST_CASE("Commits that cannot be run are not, and the culprit may be one of them") {
  Bisection bisection(17, 0.01);
  for (const std::size_t commit : {7U, 8U, 9U}) bisection.skip(commit);
  while (!bisection.is_done() && bisection.runs() < 100) {
    const std::size_t commit = bisection.next();
    CHECK((commit < 7 || commit > 9));
    bisection.add(commit, commit >= 8 ? 0.2 : 0.0);
  }
  CHECK(bisection.culprit().first == 7);
  CHECK(bisection.culprit().last == 10);
}

TEST_CASE("Where all between are skipped, good and bad alone are run, and all may be it") {
  Bisection bisection(5, 0.01);
  for (const std::size_t commit : {1U, 2U, 3U}) bisection.skip(commit);
  while (!bisection.is_done() && bisection.runs() < 100) {
    const std::size_t commit = bisection.next();
    CHECK((commit == 0 || commit == 4));
    bisection.add(commit, commit == 4 ? 0.2 : 0.0);
  }
  CHECK(bisection.is_done());
  CHECK(bisection.culprit().first == 1);
  CHECK(bisection.range().first == 1);
  CHECK(bisection.range().last == 4);
}

TEST_CASE("Before it begins it knows how many runs it takes") {
  using crema::cli::runs_expected;
  CHECK(runs_expected(65, std::log(1.1) / 0.03, 200) <= 15);
  CHECK(runs_expected(65, 10, 200) <= 10);
  CHECK(runs_expected(65, 1, 30) == 30);
  CHECK(runs_expected(2, 10, 30) >= 2);
}
