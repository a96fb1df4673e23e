#pragma once

#include <string>
#include <string_view>

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

}  // namespace crema
