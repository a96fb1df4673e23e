#include "core/facts/comparison.hpp"

namespace crema::facts {

double Compared::delta() const {
  return adds_up ? value_or(b.value, 0) - value_or(a.value, 0) : b.value - a.value;
}

}  // namespace crema::facts
