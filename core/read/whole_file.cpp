#include "core/read/whole_file.hpp"

#include "core/json/document.hpp"

namespace crema {

nlohmann::json parse_small(Run& run, const std::string& path, const std::string& text) {
  json::Document document = json::build_document(text);
  if (document.error) {
    const Error& error = *document.error;
    std::string message{describe(error.code)};
    if (!error.detail.empty()) message += ": " + error.detail;
    message += "; what stands before it was read";
    run.doubt(error.code == ErrorCode::truncated ? "cut-off" : "broken-json", Severity::medium, std::move(message), path, {},
              error.offset);
  }
  return std::move(document.json);
}

double number_or_absent(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : absent;
}

std::string text_of(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? std::string() : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace crema
