// Compiled for speed: it runs for every value of JSON.
#include "core/json/nodes.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace crema::json {

bool TextInto::number(double value) {
  const bool whole = value == std::floor(value) && std::fabs(value) < 9007199254740992.0;
  *target_ = whole ? std::to_string(static_cast<long long>(value)) : nlohmann::json(value).dump();
  return true;
}

Object::Object(std::string_view what, std::initializer_list<Field> fields,
               std::function<void()> ended)
    : what_(what), fields_(fields), next_(fields_.begin()), ended_(std::move(ended)) {
  for (Field& field : fields_) {
    if (field.number_ != nullptr) field.taker_ = &field.number_node_;
    if (field.text_ != nullptr) field.taker_ = &field.text_node_;
  }
}

void Object::clear() {
  for (const Field& field : fields_) {
    if (field.number_ != nullptr) *field.number_ = absent;
    else if (field.text_ != nullptr) field.text_->clear();
    else if (field.part_ != nullptr) field.part_->clear();
  }
}

Node* Object::find(std::string_view key) {
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const Field& field) { return field.key_ == key; });
  if (found == fields_.end()) return nullptr;
  next_ = found + 1;
  return found->taker_;
}

}  // namespace crema::json
