#include "core/json/nodes.hpp"

#include <nlohmann/json.hpp>

namespace crema::json {

bool TextInto::number(double value) {
  const bool whole = value == std::floor(value) && std::fabs(value) < 9007199254740992.0;
  *target_ = whole ? std::to_string(static_cast<long long>(value)) : nlohmann::json(value).dump();
  return true;
}

void Object::clear() {
  for (const Field& field : fields_) {
    if (field.number != nullptr) *field.number = absent;
    else if (field.text != nullptr) field.text->clear();
    else if (field.object != nullptr) field.object->clear();
  }
}

Node* Object::member(std::string_view key) {
  for (const Field& field : fields_) {
    if (field.key != key) continue;
    if (field.number != nullptr) return &number_.at(field.number, field.scale);
    if (field.text != nullptr) return &text_.at(field.text);
    return field.node;
  }
  return nullptr;
}

}  // namespace crema::json
