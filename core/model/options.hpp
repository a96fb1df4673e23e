#pragma once

#include <map>
#include <string>
#include <string_view>

namespace crema {

/// The options of one question, by name. Session has checked the names; the accessors check the values
/// (Failure bad_option).
class Options {
 public:
  Options() = default;
  explicit Options(std::map<std::string, std::string> values) : values_(std::move(values)) {}

  bool has(std::string_view name) const { return values_.contains(std::string(name)); }
  std::string text(std::string_view name, std::string_view fallback = {}) const;
  double number(std::string_view name, double fallback) const;
  bool flag(std::string_view name, bool fallback = false) const;
  const std::map<std::string, std::string>& all() const { return values_; }

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace crema
