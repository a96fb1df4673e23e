// Compiled for speed: it runs for every value of JSON.
#include "core/json/number.hpp"

#include <fast_float/fast_float.h>

namespace crema::json {

double nearest_double(std::uint64_t digits, std::int64_t exponent, bool negative, const char* begin,
                      const char* end) {
  // What from_chars does behind its own reading of the digits (Eisel-Lemire); a negative power
  // means "too close to tell".
  const auto found = fast_float::compute_float<fast_float::binary_format<double>>(exponent, digits);
  if (found.power2 < 0) return nearest_double(begin, end);
  double value = 0;
  fast_float::to_float(negative, found, value);
  return value;
}

}  // namespace crema::json
