#include "core/json/nodes.hpp"

#include <nlohmann/json.hpp>

#include "core/json/simd.hpp"

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
  const std::size_t count = fields_.size();
  for (std::size_t tried = 0; tried < count; ++tried) {
    const Field& field = fields_[next_];
    if (++next_ == count) next_ = 0;
    // not by memcmp, which in WebAssembly goes byte by byte
    if (field.key.size() != key.size() ||
        !simd::same_bytes(field.key.data(), key.data(), key.size()))
      continue;
    if (field.number != nullptr) return &number_.at(field.number, field.scale);
    if (field.text != nullptr) return &text_.at(field.text);
    return field.node;
  }
  return nullptr;
}

}  // namespace crema::json
