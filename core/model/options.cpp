#include "core/model/options.hpp"

#include <fast_float/fast_float.h>

#include "core/base/error.hpp"

namespace crema {

std::string Options::text(std::string_view name, std::string_view fallback) const {
  const auto found = values_.find(std::string(name));
  return found == values_.end() ? std::string(fallback) : found->second;
}

double Options::number(std::string_view name, double fallback) const {
  const auto found = values_.find(std::string(name));
  if (found == values_.end()) return fallback;
  const std::string& text = found->second;
  double value = 0;
  const auto parsed = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) {
    throw Failure(ErrorCode::bad_option, std::string(name) + "=" + text + " is not a number");
  }
  return value;
}

bool Options::flag(std::string_view name, bool fallback) const {
  const auto found = values_.find(std::string(name));
  if (found == values_.end()) return fallback;
  if (found->second == "true" || found->second == "1") return true;
  if (found->second == "false" || found->second == "0") return false;
  throw Failure(ErrorCode::bad_option, std::string(name) + "=" + found->second + " is neither true nor false");
}

}  // namespace crema
