#pragma once

#include <string_view>
#include <vector>

namespace crema {

/// A unit as a multiple of its base unit: a kHz is 1000 Hz.
struct Unit {
  std::string_view name;
  double times;
  std::string_view base;
};

/// The unit called `name` ("kHz", "MiB"); nullptr when it is unknown.
const Unit* find_unit(std::string_view name);

/// How many `of` make one `unit`: 1e6 for "MB" and "byte"; absent when the two measure different
/// things or one is unknown. A rate as `of` ("s/10⁶ events") is its numerator ("s").
double unit_ratio(std::string_view unit, std::string_view of);

/// The units that measure the same as `unit`, smallest first; none when it is unknown.
std::vector<std::string_view> units_like(std::string_view unit);

}  // namespace crema
