#include "core/json/number.hpp"

#include <fast_float/fast_float.h>

namespace crema::json {

double nearest_double(const Number& number, const char* begin, const char* end) {
  if (!number.overflow) {
    // What from_chars does behind its own reading of the digits (Eisel-Lemire); a negative power means "too close to tell".
    const auto found = fast_float::compute_float<fast_float::binary_format<double>>(number.exponent, number.digits);
    if (found.power2 >= 0) {
      double value = 0;
      fast_float::to_float(number.negative, found, value);
      return value;
    }
  }
  return nearest_double(begin, end);
}

}  // namespace crema::json
