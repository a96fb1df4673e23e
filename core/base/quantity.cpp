#include "core/base/quantity.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/number_format.hpp"
#include "core/base/numbers.hpp"
#include "core/base/units.hpp"

namespace crema {

namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Data volumes are decimal; what Dask calls memory-read is one.
bool is_memory(std::string_view id) { return has(id, "memory") && !has(id, "memory_read"); }

/// The rows of a group of `compare` are parts of the core-time; those of its set-up are not.
bool is_core_time(std::string_view id) {
  return has(id, "core_seconds") || (has(id, ".") && id.substr(0, id.find('.')) != "setup");
}

bool is_rate(const Unit& unit) {
  return unit.base == "Hz" || unit.base == "bps" || unit.base == "B/s";
}

bool is_times(std::string_view id) { return id == "speedup_factor"; }

}  // namespace

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

}  // namespace crema
