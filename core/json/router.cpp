// Compiled for speed: it runs for every value of JSON.
#include "core/json/router.hpp"

#include <cmath>

#include "core/base/collect.hpp"
#include "core/base/text.hpp"

namespace crema::json {

namespace {

bool is_plain_name(std::string_view key) {
  return !key.empty() &&
         all_of(key, [](char c) { return is_alphanumeric(c) || c == '_' || c == '-'; });
}

std::string shortened(const std::string& key) {
  constexpr std::size_t most_bytes = 200;
  if (key.size() <= most_bytes) return key;
  std::size_t end = most_bytes;
  while (end > 0 && (static_cast<unsigned char>(key[end]) & 0xC0U) == 0x80U)
    --end;  // not inside a character
  return key.substr(0, end) + "…";
}

}  // namespace

Node* Router::next() {
  if (depth_ == 0) return root_;
  Frame& top = frames_[depth_ - 1];
  if (top.object) return pending_;
  return top.node->element(top.index++);
}

void Router::report(const Node& node) {
  if (mismatch_) mismatch_(path(), offset, node.expects());
}

bool Router::null() {
  if (Node* node = next()) node->null();
  return true;
}

bool Router::boolean(bool value) {
  Node* node = next();
  if (node != nullptr && !node->boolean(value)) report(*node);
  return true;
}

bool Router::number(double value) {
  Node* node = next();
  if (node == nullptr) return true;
  if (std::isnan(value)) {
    node->null();
  } else if (!std::isfinite(value) || !node->number(value)) {
    report(*node);
  }
  return true;
}

bool Router::string(std::string_view value) {
  Node* node = next();
  if (node != nullptr && !node->string(value)) report(*node);
  return true;
}

bool Router::key(std::string_view value) {
  Frame& top = frames_[depth_ - 1];
  top.key.assign(value);
  pending_ = top.node->member(value);
  return true;
}

bool Router::start(bool object) {
  Node* node = next();
  if (node != nullptr && !(object ? node->begin_object() : node->begin_array())) {
    report(*node);
    node = nullptr;
  }
  if (node == nullptr) {
    skip = true;
    return true;
  }
  push(*node, object, 0);
  return true;
}

void Router::push(Node& node, bool object, std::size_t index) {
  if (depth_ == frames_.size()) frames_.emplace_back();
  Frame& frame = frames_[depth_++];
  frame.node = &node;
  frame.object = object;
  frame.wants_raw = wants_raw = node.wants_raw();
  frame.index = index;
  frame.key.clear();
}

std::size_t Router::consume_raw(std::string_view bytes) {
  Frame& top = frames_[depth_ - 1];
  Node& node = *top.node;
  const std::size_t taken = node.consume_raw(bytes, top.index);
  if (taken == 0) return 0;
  for (const Node::Entered& one : node.entered()) {
    push(*one.node, one.object, one.index);
    opened.push_back(one.object ? 1 : 0);
    opened_is_empty = one.is_empty;
  }
  return taken;
}

bool Router::end() {
  frames_[--depth_].node->end();
  wants_raw = depth_ > 0 && frames_[depth_ - 1].wants_raw;
  return true;
}

std::string Router::path() const {
  constexpr std::size_t levels_shown = 64;  // at either end
  std::string text;
  for (std::size_t i = 0; i < depth_; ++i) {
    if (i == levels_shown && depth_ > 2 * levels_shown) {
      i = depth_ - levels_shown;
      text += " … ";
    }
    const Frame& frame = frames_[i];
    if (!frame.object) {
      if (frame.index > 0) text += "[" + std::to_string(frame.index - 1) + "]";
      continue;
    }
    const std::string key = shortened(frame.key);
    if (is_plain_name(key)) {
      if (!text.empty()) text += '.';
      text += key;
    } else if (!key.empty()) {
      text += "[\"" + key + "\"]";
    }
  }
  return text;
}

}  // namespace crema::json
