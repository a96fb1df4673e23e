#include "core/json/document.hpp"
#include "core/read/list.hpp"

namespace crema::read {

const std::vector<Format>& formats() {
#define CREMA_NAME(name) name##_format,
  static const std::vector<Format> all = {CREMA_FORMATS(CREMA_NAME)};
#undef CREMA_NAME
  return all;
}

const nlohmann::json& Head::sample() const {
  if (!sample_)
    sample_ = is_binary ? nlohmann::json(nlohmann::json::value_t::discarded)
                        : json::build_document(bytes, {4, 40, 200}).json;
  return *sample_;
}

const nlohmann::json& member_of(const nlohmann::json& value, const char* key) {
  static const nlohmann::json none;
  if (!value.is_object()) return none;
  const auto found = value.find(key);
  return found == value.end() ? none : *found;
}

bool holds(const nlohmann::json& value, const char* key) {
  return value.is_object() && value.find(key) != value.end();
}

std::optional<Error> json_error(std::string_view bytes) {
  return json::build_document(bytes, {.levels = 0}).error;
}

}  // namespace crema::read
