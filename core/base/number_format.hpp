#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace crema {

/// Numbers inside sentences: three significant digits (integers whole, thousands with commas),
/// "unknown" when absent, "∞" when infinite: then without a unit.
std::string format_number(double value);
std::string format_percent(double fraction);  ///< "45.8 %"
std::string format_seconds(double seconds);   ///< "350 ms", "3.61 s", "1 min 54.3 s", "2 h 5 min"
std::string format_core_seconds(double core_seconds);
/// Of a unit that takes the prefixes k, M, G and T: "5.23 kHz", "233 Mbps".
std::string format_decimal(double value, std::string_view unit);
std::string format_bytes(double bytes);   ///< data volumes, decimal: "69.1 GB"
std::string format_memory(double bytes);  ///< process memory, binary: "0.91 GiB"
/// "1 chunk", "12 chunks".
std::string format_count(double count, const std::string& what);

/// Formats a number for people, the same everywhere: about three significant digits with a unit
/// that fits; "–" when absent. `id` is its id in `summary` or `compare`, "" when it has none.
/// Process memory is in MiB, other bytes in MB, a group of `compare` ("dataset.ttbar") in
/// core-seconds, a share in percent, a speedup in times.
std::string format_quantity(std::string_view id, std::string_view unit, double value);

/// Formats the difference of two such numbers with its sign; of percentages in points: "+2.3 pp",
/// "−12 MiB".
std::string format_difference(std::string_view id, std::string_view unit, double difference);

/// Formats a relative change with its sign: "+32.1 %", "−12 %"; "< 0.1 %" and "0 %" without.
std::string format_relative(double change);

/// Whether a number is shown in percent. Its differences are in points and have no percentage of
/// their own.
bool is_percentage(std::string_view id, std::string_view unit);

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
