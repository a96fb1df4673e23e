#pragma once

#include <string>
#include <string_view>

namespace crema {

/// A number for people, the same wherever it is said: about three significant digits with a unit
/// that fits; "–" when absent. `id` is the number's in `summary` or `compare`, "" when it has none:
/// memory of processes is counted in MiB and other bytes in MB, what a group of `compare` adds up
/// ("dataset.ttbar") in core-seconds, shares in percent and a speedup in times.
std::string format_quantity(std::string_view id, std::string_view unit, double value);

/// The difference of two such numbers, with its sign; of percentages in points: "+2.3 pp", "−12
/// MiB".
std::string format_difference(std::string_view id, std::string_view unit, double difference);

/// Whether a number is given in percent: its differences are in points, and have no percentage of
/// their own.
bool is_percentage(std::string_view id, std::string_view unit);

}  // namespace crema
