#include "core/base/text.hpp"

#include <fast_float/fast_float.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include "core/base/numbers.hpp"

namespace crema {

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string number_text(double value) {
  if (!std::isfinite(value)) return "";
  // Integers up to 2^53 are exact in a double and are written as such.
  if (value == std::floor(value) && std::fabs(value) < 9007199254740992.0) return std::to_string(static_cast<long long>(value));
  return nlohmann::json(value).dump();
}

double parse_number(std::string_view text) {
  double value = absent;
  const char* const end = text.data() + text.size();
  const auto parsed = fast_float::from_chars(text.data(), end, value);
  return parsed.ec == std::errc() && parsed.ptr == end ? value : absent;
}

}  // namespace crema
