#pragma once

#include <string>
#include <string_view>

namespace crema {

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

}  // namespace crema
