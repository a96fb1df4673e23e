#include "core/base/say.hpp"

#include <cmath>
#include <initializer_list>

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

std::string in_units(double value, double step, std::initializer_list<const char*> units) {
  auto unit = units.begin();
  while (std::fabs(value) >= step && unit + 1 != units.end()) {
    value /= step;
    ++unit;
  }
  return say(value) + " " + *unit;
}

}  // namespace

std::string say(double value) {
  if (is_absent(value)) return "unknown";
  if (!std::isfinite(value)) return "infinite";
  if (value == 0) return "0";
  if (value == std::floor(value) || std::fabs(value) >= 1000) return with_commas(number_text(std::round(value)));
  const double scale = std::pow(10.0, 2 - std::floor(std::log10(std::fabs(value))));
  return number_text(std::round(value * scale) / scale);
}

std::string say_percent(double fraction) {
  if (is_absent(fraction)) return "unknown";
  if (fraction != 0 && std::fabs(fraction) < 0.001) return "< 0.1 %";
  return number_text(std::round(fraction * 1000) / 10) + " %";
}

std::string say_seconds(double seconds) {
  if (is_absent(seconds)) return "unknown";
  if (std::fabs(seconds) < 1) return say(seconds * 1000) + " ms";
  if (std::fabs(seconds) < 60) return say(seconds) + " s";
  const double whole = std::round(seconds);
  const double minutes = std::floor(whole / 60);
  if (minutes < 60) return say(minutes) + " min " + say(whole - 60 * minutes) + " s";
  return say(std::floor(minutes / 60)) + " h " + say(minutes - 60 * std::floor(minutes / 60)) + " min";
}

std::string say_core_seconds(double core_seconds) {
  if (std::fabs(core_seconds) >= 1e5) return say(core_seconds / 3600) + " core-h";
  return say(core_seconds) + " core-s";
}

std::string say_bytes(double bytes) { return in_units(bytes, 1000, {"B", "kB", "MB", "GB", "TB"}); }
std::string say_memory(double bytes) { return in_units(bytes, 1024, {"B", "KiB", "MiB", "GiB", "TiB"}); }

std::string say_count(double count, const std::string& what) { return say(count) + " " + what + (count == 1 ? "" : "s"); }

}  // namespace crema
