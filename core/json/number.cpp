#include "core/json/number.hpp"

#include <fast_float/fast_float.h>

namespace crema::json {

double nearest_double(const char* begin, const char* end) {
  double value = 0;
  fast_float::from_chars(begin, end, value);
  return value;
}

}  // namespace crema::json
