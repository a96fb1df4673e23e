#include "core/base/fit.hpp"
#include "tests/core/catch.hpp"

using namespace crema;

TEST_CASE("A line's range is the line itself where all points lie on it") {
  const std::vector<double> x = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<double> y = {3, 5, 7, 9, 11, 13, 15, 17};
  const LineRange range = robust_line_range(x, y);
  CHECK(range.line.slope == 2);
  CHECK(range.line.fixed == 1);
  CHECK(range.flat.slope == 2);
  CHECK(range.steep.slope == 2);
}

TEST_CASE("Scattered points leave a range around the line; few leave none") {
  const std::vector<double> x = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const std::vector<double> y = {2, 1, 4, 3, 6, 5, 8, 7, 10, 9};
  const LineRange range = robust_line_range(x, y);
  CHECK(range.line.slope == robust_line(x, y).slope);
  CHECK(range.flat.slope <= range.line.slope);
  CHECK(range.steep.slope >= range.line.slope);
  CHECK(range.flat.slope < range.steep.slope);
  CHECK(range.flat.fixed > range.steep.fixed);
  CHECK(is_absent(robust_line_range({x.data(), 7}, {y.data(), 7}).line.slope));
}
