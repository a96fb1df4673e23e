#include "core/report/notes.hpp"

#include "core/base/text.hpp"

namespace crema::report {

namespace {

std::string number_text(double number, std::string_view form) {
  if (form.empty()) return format_number(number);
  if (form == "%") return format_percent(number);
  if (form == "s") return format_seconds(number);
  if (form == "core-s") return format_core_seconds(number);
  if (form == "B") return format_bytes(number);
  if (form == "GiB") return format_memory(number);
  return format_count(number, std::string(form));
}

}  // namespace

std::string fill(std::string_view pattern, std::initializer_list<FillValue> values) {
  std::string text;
  for (const FillValue& value : values) {
    const std::size_t begin = pattern.find('{');
    const std::size_t end = pattern.find('}', begin);
    text += pattern.substr(0, begin);
    if (value.is_number)
      text += number_text(value.number, pattern.substr(begin + 1, end - begin - 1));
    else text += value.text;
    pattern.remove_prefix(end + 1);
  }
  return text += pattern;
}

}  // namespace crema::report
