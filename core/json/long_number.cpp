#include <fast_float/fast_float.h>

#include "core/json/number.hpp"

namespace crema::json {

// Apart from number.cpp, because it is rare and long: for the browser it is made small, not fast.
double nearest_double(const char* begin, const char* end) {
  double value = 0;
  fast_float::from_chars(begin, end, value);
  return value;
}

}  // namespace crema::json
