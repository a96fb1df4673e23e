#include "core/facts/comparison.hpp"

#include <cmath>

namespace crema::facts {

double Compared::delta() const {
  return adds_up ? value_or(b.value, 0) - value_or(a.value, 0) : b.value - a.value;
}

double Compared::noise() const {
  const double of_a = adds_up && is_absent(a.value) ? 0 : a.noise;
  const double of_b = adds_up && is_absent(b.value) ? 0 : b.noise;
  return std::sqrt(of_a * of_a + of_b * of_b);
}

}  // namespace crema::facts
