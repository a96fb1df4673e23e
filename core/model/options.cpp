#include "core/model/selection.hpp"

#include <cmath>

#include "core/base/error.hpp"
#include "core/base/numbers.hpp"
#include "core/base/text.hpp"

namespace crema {

namespace {

[[noreturn]] void refuse(const Option& option, const std::string& value, const std::string& why) {
  throw Failure(ErrorCode::bad_option, std::string(option.name) + "=" + value + " " + why);
}

/// "is not a whole number of at least 1".
std::string bounds(const Option& option) {
  std::string text =
      option.type == Option::Type::count ? "is not a whole number" : "is not a number";
  if (std::isfinite(option.least) && std::isfinite(option.most))
    text += " between " + number_text(option.least) + " and " + number_text(option.most);
  else if (std::isfinite(option.least)) text += " of at least " + number_text(option.least);
  return text;
}

}  // namespace

std::string_view name_of(Option::Type type) {
  constexpr std::string_view names[] = {"text", "number", "count", "flag"};
  return names[static_cast<std::size_t>(type)];
}

const std::string* Options::find(const Option& option) const {
  for (const std::string_view name : {option.name, option.alias}) {
    if (const std::string* const value = found_in(values_, std::string(name))) return value;
  }
  return nullptr;
}

std::string Options::text(const Option& option) const {
  const std::string* const given = find(option);
  return given == nullptr ? std::string(option.fallback) : *given;
}

double Options::number(const Option& option) const {
  const std::string value = text(option);
  if (value.empty() && !has(option)) return absent;
  const double number = parse_number(value);
  const bool fits = number >= option.least && number <= option.most;
  if (!fits || (option.type == Option::Type::count && number != std::floor(number)))
    refuse(option, value, bounds(option));
  return number;
}

bool Options::flag(const Option& option) const {
  const std::string value = text(option);
  if (value == "true" || value == "1") return true;
  if (value != "false" && value != "0" && has(option))
    refuse(option, value, "is neither true nor false");
  return false;
}

std::size_t Options::index(const Option& option) const {
  const std::string value = text(option);
  const std::vector<std::string_view> values = values_of(option);
  const auto found = std::find(values.begin(), values.end(), value);
  if (found == values.end() && value != option.fallback)
    throw Failure(ErrorCode::bad_option, std::string(option.name) + "=" + not_among(value, values));
  return static_cast<std::size_t>(found - values.begin());
}

void Options::check(const Option& option) const {
  if (option.type == Option::Type::flag) flag(option);
  else if (option.type != Option::Type::text) number(option);
  else if (!option.values.empty()) index(option);
}

std::vector<std::string_view> values_of(const Option& option) { return split(option.values, ","); }

void check(const Options& options, std::span<const Option* const> known) {
  for (const auto& given : options.all()) {
    const std::string& name = given.first;
    if (const auto* const found =
            first_where(known, [&](const Option* option) { return option->is_called(name); })) {
      options.check(**found);
      continue;
    }
    std::vector<std::string_view> names;
    for (const Option* option : known) names.push_back(option->name);
    throw Failure(ErrorCode::unknown_option, not_among(name, names));
  }
}

}  // namespace crema
