#include "core/stats/fit.hpp"
#include "tests/core/catch.hpp"

using namespace crema;
using namespace crema::stats;

TEST_CASE("A line's range is the line itself where all points lie on it") {
  const std::vector<double> x = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<double> y = {3, 5, 7, 9, 11, 13, 15, 17};
  const LineRange range = robust_line_range(x, y);
  CHECK(range.line.slope == 2);
  CHECK(range.line.fixed == 1);
  CHECK(range.flat.slope == 2);
  CHECK(range.steep.slope == 2);
}

TEST_CASE("One point far off does not move the line, only the range") {
  const std::vector<double> x = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<double> y = {-11, 5, 7, 9, 11, 13, 15, 17};
  // Of the 28 slopes of pairs 21 are 2, those to the first point are 2 + 14/1 … 2 + 14/7. Sen's
  // interval leaves out 6 at either end: (28 − 1.96 √(8·7·21/18)) / 2 = 6.1.
  const LineRange range = robust_line_range(x, y);
  CHECK(range.line.slope == 2);
  CHECK(range.line.fixed == 1);
  CHECK(range.flat.slope == 2);
  CHECK(range.steep.slope == 4);
  CHECK(range.steep.fixed == -10);  // the median of y − 4x: −15, −15, −13, −11, −9, −7, −5, −3
  const Line line = robust_line(x, y);
  CHECK(line.slope == 2);
  CHECK(line.fixed == 1);
}

TEST_CASE("Scattered points leave a range around the line; few leave none") {
  const std::vector<double> x = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const std::vector<double> y = {2, 1, 4, 3, 6, 5, 8, 7, 10, 9};
  // 45 slopes: 15 are 1 − 2/d (five for d = 1, four for 3, three for 5, two for 7, one for 9), 20
  // are 1, ten 1 + 2/d. The interval leaves out 11 at either end: (45 − 1.96 √(10·9·25/18)) / 2
  // = 11.5.
  const LineRange range = robust_line_range(x, y);
  CHECK(range.line.slope == 1);
  CHECK(range.line.fixed == 0);
  CHECK(range.flat.slope == Approx(0.6));
  CHECK(range.flat.fixed == Approx(2.2));
  CHECK(range.steep.slope == 1);
  CHECK(robust_line(x, y).slope == 1);
  CHECK(robust_line(x, y).fixed == 0);
  CHECK(is_absent(robust_line_range({x.data(), 7}, {y.data(), 7}).line.slope));
}
