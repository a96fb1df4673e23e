#include "core/base/text.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/numbers.hpp"

namespace crema {

namespace {

std::string with_commas(std::string digits) {
  const std::size_t first = !digits.empty() && digits.front() == '-' ? 1 : 0;
  const auto point = std::min(digits.find('.'), digits.size());
  for (std::size_t at = point; at > first + 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

/// Rounded to three significant digits; what has more before the point is rounded to a whole
/// number.
double rounded(double value) {
  if (value == std::floor(value) || std::fabs(value) >= 1000) return std::round(value);
  const double scale = std::pow(10.0, 2 - std::floor(std::log10(std::fabs(value))));
  return std::round(value * scale) / scale;
}

/// What stands for a number that has no digits; empty for all others.
std::string_view special(double value) {
  return is_absent(value) ? "unknown" : std::isfinite(value) ? "" : value < 0 ? "-∞" : "∞";
}

std::string in_units(double value, double step, std::string_view prefixes, std::string_view unit) {
  if (!special(value).empty()) return std::string(special(value));
  // Rounded first, so that nothing is "1,000 kB".
  std::size_t power = 0;
  while (power < prefixes.size() && std::fabs(rounded(value)) >= step) {
    value /= step;
    ++power;
  }
  std::string text = format_number(value) + " ";
  if (power > 0) text += prefixes[power - 1];
  if (power > 0 && step == 1024) text += 'i';
  return text.append(unit);
}

// Data volumes are decimal; what Dask calls memory-read is one.
bool is_memory(std::string_view id) {
  return has_part(id, "memory") && !has_part(id, "memory_read");
}

/// The rows of a group of `compare` are parts of the core-time; those of its set-up are not.
bool is_core_time(std::string_view id) {
  return has_part(id, "core_seconds") ||
         (has_part(id, ".") && id.substr(0, id.find('.')) != "setup");
}

bool is_rate(const Unit& unit) {
  return unit.base == "Hz" || unit.base == "bps" || unit.base == "B/s";
}

bool is_times(std::string_view id) { return id == "speedup_factor"; }

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

/// The unit in which a number of this unit is printed.
const Unit* printed_in(std::string_view unit) {
  const Unit* const known = find_unit(unit);
  return known != nullptr ? known : find_unit(unit.substr(0, unit.find('/')));
}

}  // namespace

std::string format_number(double value) {
  if (!special(value).empty()) return std::string(special(value));
  if (std::fabs(value) < 1e-300) return "0";
  if (const double power = std::floor(std::log10(std::fabs(value))); std::fabs(power) >= 15)
    return format_number(value / std::pow(10.0, power)) + "e" + number_text(power);
  return with_commas(number_text(rounded(value)));
}

std::string format_percent(double fraction) {
  if (!special(fraction).empty()) return std::string(special(fraction));
  if (fraction != 0 && std::fabs(fraction) < 0.001) return "< 0.1 %";
  return number_text(std::round(fraction * 1000) / 10) + " %";
}

std::string format_seconds(double seconds) {
  if (!special(seconds).empty()) return std::string(special(seconds));
  if (seconds < 0) return "-" + format_seconds(-seconds);
  // Rounded first, so that nothing is "1,000 ms" or "1 min 60 s".
  if (seconds != 0 && seconds < 0.9995) return format_number(seconds * 1000) + " ms";
  if (seconds < 59.95) return format_number(seconds) + " s";
  const double tenths = std::round(seconds * 10);
  if (tenths < 36000)
    return format_number(std::floor(tenths / 600)) + " min " +
           number_text(std::fmod(tenths, 600) / 10) + " s";
  const double minutes = std::round(seconds / 60);
  const std::string hours = format_number(std::floor(minutes / 60)) + " h";
  return minutes < 6e7 ? hours + " " + format_number(std::fmod(minutes, 60)) + " min" : hours;
}

std::string format_core_seconds(double core_seconds) {
  if (!special(core_seconds).empty()) return std::string(special(core_seconds));
  if (std::fabs(core_seconds) >= 1e4) return format_number(core_seconds / 3600) + " core-h";
  return format_number(core_seconds) + " core-s";
}

std::string format_decimal(double value, std::string_view unit) {
  return in_units(value, 1000, "kMGT", unit);
}
std::string format_bytes(double bytes) { return format_decimal(bytes, "B"); }
std::string format_memory(double bytes) { return in_units(bytes, 1024, "KMGT", "B"); }

std::string format_count(double count, const std::string& what) {
  const std::string number = format_number(count);
  return number + " " + what + (number == "1" ? "" : "s");
}

bool is_percentage(std::string_view id, std::string_view unit) {
  return unit == "%" || (unit == "1" && !is_times(id));
}

std::string format_quantity(std::string_view id, std::string_view unit, double value) {
  if (is_absent(value)) return "–";
  if (unit == "byte") return is_memory(id) ? format_memory(value) : format_bytes(value);
  if (unit == "core-s" || (unit == "s" && is_core_time(id))) return format_core_seconds(value);
  if (unit == "s") return format_seconds(value);
  if (unit == "1") return is_times(id) ? format_number(value) + " ×" : format_percent(value);
  if (unit == "%") return format_percent(value / 100);
  if (unit == "count" || unit.empty()) return format_number(value);
  if (const Unit* const rate = find_unit(unit); rate != nullptr && is_rate(*rate))
    return format_decimal(value * rate->times, rate->base);
  std::string said = format_number(value) + " ";
  if (is_core_time(id) && unit.starts_with("s/")) said += "core-";
  return said.append(unit);
}

std::string format_relative(double change) {
  if (is_absent(change)) return "–";
  const double size = std::fabs(change);
  constexpr double rounding = 1e-12;
  if (size < rounding) return "0 %";
  return (size < 0.001 ? "" : change < 0 ? "−" : "+") + format_percent(size);
}

std::string format_difference(std::string_view id, std::string_view unit, double difference) {
  if (is_absent(difference)) return "–";
  const double size = std::fabs(difference);
  if (is_percentage(id, unit)) {
    // two shares that are equal may differ in their last bits
    const double points = unit == "1" ? 100 * size : size;
    if (points < 1e-9) return "0 pp";
    return (difference > 0 ? "+" : "−") + format_number(points) + " pp";
  }
  const std::string amount = format_quantity(id, unit, size);
  return (difference > 0 ? "+" : difference < 0 ? "−" : "") + amount;
}

const Unit* find_unit(std::string_view name) {
  const auto found = std::find_if(std::begin(known_units), std::end(known_units),
                                  [&](const Unit& unit) { return unit.name == name; });
  return found == std::end(known_units) ? nullptr : found;
}

double unit_ratio(std::string_view unit, std::string_view of) {
  const Unit* const a = find_unit(unit);
  const Unit* const b = printed_in(of);
  return a != nullptr && b != nullptr && a->base == b->base ? a->times / b->times : absent;
}

std::vector<std::string_view> units_like(std::string_view unit) {
  std::vector<std::string_view> names;
  const Unit* const like = printed_in(unit);
  for (const Unit& one : known_units) {
    if (like != nullptr && one.base == like->base) names.push_back(one.name);
  }
  return names;
}

}  // namespace crema
