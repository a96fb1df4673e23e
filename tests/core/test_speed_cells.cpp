#include <cmath>

#include "core/compare/speed/speed_cells.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/small_run.hpp"

using namespace crema;
using namespace crema::compare;
using namespace crema::test;

namespace {

/// Chunks of one dataset. Each section takes 1 s in both runs; the last column is the whole chunk.
struct MadeRatios {
  ChunkRatios ratios;
  SmallRun small;

  explicit MadeRatios(std::size_t sections, std::size_t files = 1) {
    ratios.datasets = {"d"};
    ratios.files.assign(files, "f");
    ratios.columns = sections + 1;
    for (std::size_t s = 0; s < sections; ++s) ratios.parts.push_back(s);
    small.run.chunks.placed = false;  // when they ran does not matter here
  }

  /// `logs`: natural logarithms of B / A, by section.
  void add(std::vector<double> logs, std::size_t file = 0, bool of_b = true) {
    std::vector<double>& seconds = ratios.owned.emplace_back(ratios.columns, 1);
    seconds.back() = static_cast<double>(logs.size());
    logs.push_back(0);
    ratios.entries.push_back({.dataset = 0,
                              .file = file,
                              .chunk = ratios.entries.size(),
                              .of_b = of_b,
                              .ratios = std::move(logs),
                              .seconds = seconds,
                              .seconds_a = seconds});
  }

  Cells cells() const { return cells_of(small.run, small.run, ratios); }
};

/// Of sections that moved by `logs` against a factor of 1, each known from one chunk.
double spread_of(const std::vector<double>& logs, double noise_of_part) {
  MadeRatios made(logs.size());
  made.add(logs);
  SpeedRatio speed;
  speed.factor = 0;
  CellNoise noise;
  noise.part.assign(made.ratios.columns, noise_of_part);
  return spread_of_sections(speed, made.cells(), noise, made.ratios.parts);
}

}  // namespace

TEST_CASE("Sections that each follow the pace in their own way: how far most of them are apart") {
  // 1.4826 is a standard deviation in median absolute deviations; the section that changed alone is
  // beyond the median, however far.
  const double own = std::log(1.1);
  CHECK(spread_of({own, -own, own, -own, own, -own, 2}, 0) == Approx(1.4826 * own));
  CHECK(spread_of({own, -own, own, -own, own, -own, 5}, 0) == Approx(1.4826 * own));
  CHECK(spread_of({0, 0, 0, 0, 0, 0, 2}, 0) == 0);
  // Chance is no way of their own: the median of one chunk has pi / 2 of the chunk's variance.
  const double chance = 0.05 * 0.05 * std::acos(-1.0) / 2;
  CHECK(spread_of({own, -own, own, -own, own, -own, 2}, 0.05) ==
        Approx(std::sqrt(std::pow(1.4826 * own, 2) - chance)).epsilon(0.001));
  CHECK(spread_of({own, -own, own, -own, own, -own, 2}, 0.3) == 0);
  // Five do not tell which of them changed.
  CHECK(spread_of({own, -own, own, -own, 2}, 0) == 0);
}

TEST_CASE("Chunks of the same files count as chunks, those of other files as these files do") {
  const auto counted = [](std::size_t first_of_b) {
    MadeRatios made(1, 4);
    for (std::size_t i = 0; i < 8; ++i) {
      made.add({0.1}, i % 2, false);
      made.add({0.3}, first_of_b + i % 2, true);
    }
    const Cell cell = made.cells().cell_of(0, 0);
    CHECK(cell.typical == Approx(0.2));
    CHECK(cell.chunks == 8);
    return cell.count;
  };
  // A difference of two means is known as the mean of 1 / (1/a + 1/b).
  CHECK(counted(0) == Approx(4));  // 8 chunks a side
  CHECK(counted(2) == Approx(1));  // 2 files a side
}
