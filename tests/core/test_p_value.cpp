#include "core/stats/p_value.hpp"

#include <cmath>

#include "core/base/numbers.hpp"
#include "tests/core/catch.hpp"

using namespace crema;
using namespace crema::stats;

TEST_CASE("The table of Student's t at 5 %, two-sided") {
  const std::pair<double, double> table[] = {{1, 12.706}, {2, 4.303},  {3, 3.182},  {4, 2.776},
                                             {5, 2.571},  {10, 2.228}, {30, 2.042}, {120, 1.980}};
  for (const auto& [freedom, errors] : table) {
    CAPTURE(freedom);
    CHECK(p_value(errors, freedom) == Approx(0.05).epsilon(1e-3));
    CHECK(errors_of_p_value(0.05, freedom) == Approx(errors).margin(5e-4));
  }
  CHECK(p_value(1.959964) == Approx(0.05).epsilon(1e-6));
  CHECK(errors_of_p_value(0.05) == Approx(1.959964).epsilon(1e-6));
}

TEST_CASE("With one and two degrees of freedom, the closed forms") {
  for (double t = 0; t < 200; t = 1.3 * t + 0.01) {
    CAPTURE(t);
    CHECK(p_value(t, 1) == Approx(1 - 2 / M_PI * std::atan(t)).epsilon(1e-12));
    CHECK(p_value(t, 2) == Approx(1 - t / std::sqrt(2 + t * t)).epsilon(1e-11));
    CHECK(p_value(-t, 1.5) == p_value(t, 1.5));
  }
}

TEST_CASE("Many degrees of freedom come close to the normal distribution, and nothing is lost") {
  for (const double t : {0.5, 1.0, 2.0, 3.0}) {
    CAPTURE(t);
    CHECK(p_value(t, 1e7) == Approx(p_value(t)).epsilon(1e-5));
    CHECK(p_value(t, 2e8) == p_value(t));
    CHECK(p_value(t, 100) > p_value(t));
  }
}

TEST_CASE("p-values at the ends of what a double holds") {
  CHECK(p_value(0) == 1);
  CHECK(p_value(0, 3) == 1);
  CHECK(p_value(1e200, 3) == 0);
  CHECK(p_value(INFINITY, 3) == 0);
  CHECK(p_value(INFINITY) == 0);
  CHECK(is_absent(p_value(absent)));
  CHECK(is_absent(p_value(1, 0)));
  CHECK(is_absent(p_value(1, absent)));
  CHECK(is_absent(errors_of_p_value(0, 3)));
  CHECK(errors_of_p_value(1, 3) < 1e-15);
}

TEST_CASE("The tails of the normal distribution, to the last digits") {
  // erfc(errors / √2) by its continued fraction, with 60 digits
  const std::pair<double, double> tails[] = {{2, 4.55002638963584144e-2},
                                             {5, 5.73303143758387823e-7},
                                             {8, 1.24419211485435682e-15},
                                             {20, 5.50724823721246739e-89},
                                             {37, 1.14511424450491536e-299}};
  for (const auto& [errors, tail] : tails) {
    CAPTURE(errors);
    // the rounding of errors / √2 alone is up to errors² units of the last place
    CHECK(p_value(errors) == Approx(tail).epsilon(3e-16 * (4 + errors * errors)));
  }
}
