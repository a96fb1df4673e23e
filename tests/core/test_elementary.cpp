#include <cmath>

#include "core/base/elementary.hpp"
#include "tests/core/catch.hpp"

using namespace crema;

TEST_CASE(
    "Logarithms and exponentials are those of the C library, to a few units of the last place") {
  for (double x = -40; x <= 40; x += 0.0137) {
    CAPTURE(x);
    CHECK(elementary::exp(x) == Approx(std::exp(x)).epsilon(4e-15));
    CHECK(elementary::expm1(x / 50) == Approx(std::expm1(x / 50)).epsilon(4e-15));
    CHECK(elementary::log(std::exp2(x)) == Approx(std::log(std::exp2(x))).epsilon(4e-15));
    if (x > -39) CHECK(elementary::log1p(x / 40) == Approx(std::log1p(x / 40)).epsilon(4e-15));
    CHECK(elementary::hypot(x, 3) == Approx(std::hypot(x, 3)).epsilon(4e-15));
  }
  CHECK(elementary::expm1(1e-20) == 1e-20);
  CHECK(elementary::log1p(1e-20) == 1e-20);
  CHECK(elementary::log(1) == 0);
  CHECK(elementary::exp(0) == 1);
}

TEST_CASE("Logarithms and exponentials at the ends of what a double holds") {
  CHECK(std::isinf(elementary::log(0)));
  CHECK(std::isnan(elementary::log(-1)));
  CHECK(std::isinf(elementary::exp(1000)));
  CHECK(elementary::exp(-1000) == 0);
  CHECK(elementary::hypot(3e200, 4e200) == Approx(5e200).epsilon(4e-15));
  CHECK(elementary::hypot(3e-200, -4e-200) == Approx(5e-200).epsilon(4e-15));
  CHECK(elementary::hypot(0, 0) == 0);
  CHECK(std::isinf(elementary::hypot(-INFINITY, 3)));
}

TEST_CASE("The hypotenuse of numbers whose squares no double holds") {
  CHECK(elementary::hypot(1e200, 1e200) == Approx(1.4142135623730951e200).epsilon(4e-15));
  CHECK(elementary::hypot(1e-200, 1e-200) == Approx(1.4142135623730951e-200).epsilon(4e-15));
}
