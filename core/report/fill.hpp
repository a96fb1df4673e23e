#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace crema::report {

/// The pattern with the values in place of its "{}", in their order: "{} of {} failed".
inline std::string fill(std::string_view pattern, std::initializer_list<std::string_view> values) {
  std::string text;
  for (const std::string_view value : values) {
    const std::size_t at = pattern.find("{}");
    text += pattern.substr(0, at);
    text += value;
    pattern.remove_prefix(at + 2);
  }
  return text += pattern;
}

}  // namespace crema::report
