#include "core/compare/comparison.hpp"

#include <algorithm>
#include <cmath>

namespace crema::compare {

double Compared::delta() const {
  return adds_up ? value_or(b.value, 0) - value_or(a.value, 0) : b.value - a.value;
}

bool Compared::is_same() const {
  constexpr double rounding = 1e-12;
  return std::fabs(delta()) <= rounding * std::max(std::fabs(a.value), std::fabs(b.value));
}

double Compared::noteworthy() const {
  if (!a.text.empty() || !b.text.empty()) return a.text != b.text ? 1 : 0;
  if (group == "setup" && is_absent(delta()))
    return is_absent(a.value) != is_absent(b.value) ? 1 : 0;
  if (group == "setup") return !is_same() || !note.empty() ? 1 : 0;
  return is_same() ? 0 : is_absent(noise) ? absent : is_told ? 1 : 0;
}

std::string_view Compared::verdict() const {
  if (!is_told || better == Better::neither || is_absent(delta())) return "";
  return (excess() > 0) == (better == Better::higher) ? "better" : "worse";
}

}  // namespace crema::compare
