#include "core/base/number_format.hpp"

#include <cmath>

#include "core/base/numbers.hpp"
#include "core/base/text.hpp"

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
  if (std::fabs(core_seconds) >= 1e5) return format_number(core_seconds / 3600) + " core-h";
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

}  // namespace crema
