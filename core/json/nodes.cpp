// Compiled for speed: it runs for every value of JSON.
#include "core/json/nodes.hpp"

#include <algorithm>
#include <numeric>

#include "core/json/simd.hpp"

namespace crema::json {

namespace {

// Not by memcmp, which in WebAssembly goes byte by byte.
bool is_same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && simd::same_bytes(a.data(), b.data(), a.size());
}

}  // namespace

[[gnu::noinline]] Object::Object(std::string_view what, std::span<const Field> fields,
                                 Callback<void()> ended, Callback<Node*(std::string_view)> others,
                                 Callback<void()> begins)
    : Node(what),
      fields_(fields.begin(), fields.end()),
      behind_(fields_.size() + 1),
      ended_(ended),
      others_(others),
      begins_(begins) {
  std::iota(behind_.begin(), behind_.end(), std::size_t{0});
  for (Member& field : fields_) {
    if (field.number_ != nullptr) field.taker_ = &field.number_node;
    if (field.text_ != nullptr) field.taker_ = &field.text_node;
  }
}

void Object::clear() {
  last_ = 0;
  for (const Member& field : fields_) {
    if (field.number_ != nullptr) *field.number_ = absent;
    else if (field.text_ != nullptr) field.text_->clear();
    else if (field.part_ != nullptr) field.part_->clear();
  }
}

Node* Object::member(std::string_view key) {
  const std::size_t likely = behind_[last_];
  if (likely == fields_.size() || !is_same(fields_[likely].key_, key)) return find(key);
  last_ = likely + 1;
  return fields_[likely].taker_;
}

Node* Object::find(std::string_view key) {
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const Member& field) { return is_same(field.key_, key); });
  if (found == fields_.end()) return others_ ? others_(key) : nullptr;
  const auto place = static_cast<std::size_t>(found - fields_.begin());
  behind_[last_] = place;
  last_ = place + 1;
  return found->taker_;
}

}  // namespace crema::json
