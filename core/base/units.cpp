#include "core/base/units.hpp"

#include <algorithm>

#include "core/base/numbers.hpp"

namespace crema {

namespace {

constexpr Unit known_units[] = {
    {"us", 1e-6, "s"},
    {"ms", 1e-3, "s"},
    {"s", 1, "s"},
    {"core-s", 1, "s"},
    {"min", 60, "s"},
    {"h", 3600, "s"},
    {"core-h", 3600, "s"},
    {"B", 1, "byte"},
    {"byte", 1, "byte"},
    {"kB", 1e3, "byte"},
    {"KiB", 1024, "byte"},
    {"MB", 1e6, "byte"},
    {"MiB", 1048576, "byte"},
    {"GB", 1e9, "byte"},
    {"GiB", 1073741824, "byte"},
    {"TB", 1e12, "byte"},
    {"TiB", 1099511627776, "byte"},
    {"Hz", 1, "Hz"},
    {"kHz", 1e3, "Hz"},
    {"kHz/core", 1e3, "Hz"},
    {"MHz", 1e6, "Hz"},
    {"bps", 1, "bps"},
    {"kbps", 1e3, "bps"},
    {"Mbps", 1e6, "bps"},
    {"Gbps", 1e9, "bps"},
    {"B/s", 1, "B/s"},
    {"byte/s", 1, "B/s"},
    {"kB/s", 1e3, "B/s"},
    {"MB/s", 1e6, "B/s"},
    {"GB/s", 1e9, "B/s"},
};

/// The unit in which a number of this unit is told.
const Unit* told_in(std::string_view unit) {
  const Unit* const known = find_unit(unit);
  return known != nullptr ? known : find_unit(unit.substr(0, unit.find('/')));
}

}  // namespace

const Unit* find_unit(std::string_view name) {
  const auto found = std::find_if(std::begin(known_units), std::end(known_units),
                                  [&](const Unit& unit) { return unit.name == name; });
  return found == std::end(known_units) ? nullptr : found;
}

double unit_ratio(std::string_view unit, std::string_view of) {
  const Unit* const a = find_unit(unit);
  const Unit* const b = told_in(of);
  return a != nullptr && b != nullptr && a->base == b->base ? a->times / b->times : absent;
}

std::vector<std::string_view> units_like(std::string_view unit) {
  std::vector<std::string_view> names;
  const Unit* const like = told_in(unit);
  for (const Unit& one : known_units) {
    if (like != nullptr && one.base == like->base) names.push_back(one.name);
  }
  return names;
}

}  // namespace crema
