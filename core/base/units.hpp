#pragma once

#include <string_view>
#include <vector>

namespace crema {

/// A unit, as so many of another that measures the same: a kHz is 1000 Hz.
struct Unit {
  std::string_view name;
  double times;
  std::string_view base;
};

/// The unit of that name: "kHz", "MiB"; nullptr where it is none that is known.
const Unit* find_unit(std::string_view name);

/// How many `of` one `unit` is: 1e6 for "MB" of "byte"; absent when the two do not measure the same
/// or one is not known. A number that is one per something ("s/10⁶ events") is told in "s".
double unit_ratio(std::string_view unit, std::string_view of);

/// The units that measure the same as `unit`, smallest first; none where it is not known.
std::vector<std::string_view> units_like(std::string_view unit);

}  // namespace crema
