#include "core/read/whole_file.hpp"

#include <cmath>

#include "core/json/document.hpp"
#include "core/read/json_reader.hpp"

namespace crema::read {

nlohmann::json parse_small(Run& run, const std::string& path, const std::string& text) {
  json::Document document = json::build_document(text, {.levels = most_levels});
  if (document.error) note_json_error(run, *document.error, Severity::medium, path);
  return std::move(document.json);
}

double number_or_absent(const nlohmann::json& object, const char* key) {
  const nlohmann::json& found = member_of(object, key);
  return found.is_number() ? found.get<double>() : absent;
}

void note_wrong_type(Run& run, const std::string& path, const std::string& where,
                     std::string_view expected) {
  run.add_note("wrong-type", Severity::low,
               "a value has an unexpected type and was left out; expected " + std::string(expected),
               path, where);
}

double amount_or_absent(Run& run, const std::string& path, const nlohmann::json& object,
                        const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return absent;
  const double value = found->is_number() ? found->get<double>() : -1;
  if (value >= 0 && std::isfinite(value)) return value;
  if (!std::isnan(value)) note_wrong_type(run, path, key, "a number, 0 or more");
  return absent;
}

std::string text_of(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? std::string()
                         : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace crema::read
