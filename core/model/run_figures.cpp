#include "core/model/run_figures.hpp"

#include <algorithm>

namespace crema {

const RunFigures::Number* RunFigures::find(std::string_view id) const {
  const auto found =
      std::find_if(numbers.begin(), numbers.end(), [&](const Number& one) { return one.id == id; });
  return found == numbers.end() ? nullptr : &*found;
}

double RunFigures::number(std::string_view id) const {
  const Number* const one = find(id);
  return one == nullptr ? absent : one->value;
}

}  // namespace crema
