#include "core/json/tokenizer.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include <fast_float/fast_float.h>

#include "core/json/text.hpp"

namespace crema::json {

namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

bool ends_scalar(char c) {
  return is_space(c) || c == ',' || c == ']' || c == '}' || c == ':' || c == '"' || c == '[' || c == '{';
}

/// A byte as a message shows it: printable as it is, else its code.
std::string shown(char c) {
  if (c >= 0x20 && c < 0x7f) return std::string("'") + c + "'";
  return "byte " + std::to_string(static_cast<unsigned char>(c));
}

}  // namespace

bool Tokenizer::fail(ErrorCode code, std::string detail, std::uint64_t where) {
  if (!error_) error_ = Error{.code = code, .detail = std::move(detail), .file = {}, .offset = where, .path = {}};
  return false;
}

void Tokenizer::value_done() { state_ = in_object_.empty() ? State::done : State::after_value; }

bool Tokenizer::start_container(bool object) {
  if (in_object_.size() == max_depth)
    return fail(ErrorCode::too_deep, "more than " + std::to_string(max_depth) + " levels", token_at_);
  in_object_.push_back(object);
  handler_.offset = token_at_;
  state_ = object ? State::first_key : State::first_element;
  return object ? handler_.start_object() : handler_.start_array();
}

bool Tokenizer::end_container(bool object) {
  if (in_object_.empty() || in_object_.back() != object) {
    return fail(ErrorCode::not_json, object ? "'}' closes nothing that '{' opened" : "']' closes nothing that '[' opened",
                token_at_);
  }
  in_object_.pop_back();
  handler_.offset = token_at_;
  value_done();
  return object ? handler_.end_object() : handler_.end_array();
}

bool Tokenizer::end_string(std::string_view raw) {
  if (const auto bad = invalid_utf8(raw)) return fail(ErrorCode::bad_utf8, "", token_at_ + 1 + *bad);
  std::string_view value = raw;
  if (has_escape_) {
    const auto bad = unescape(raw, decoded_);
    if (bad) return fail(ErrorCode::not_json, "a broken escape in a string", token_at_ + 1 + *bad);
    value = decoded_;
  }
  handler_.offset = token_at_;
  if (string_is_key_) {
    state_ = State::colon;
    return handler_.key(value);
  }
  value_done();
  return handler_.string(value);
}

bool Tokenizer::end_scalar(std::string_view text) {
  handler_.offset = token_at_;
  value_done();
  if (text == "null") return handler_.null();
  if (text == "true") return handler_.boolean(true);
  if (text == "false") return handler_.boolean(false);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (text == "NaN") return handler_.number_float(std::numeric_limits<double>::quiet_NaN(), text);
  if (text == "Infinity") return handler_.number_float(infinity, text);
  if (text == "-Infinity") return handler_.number_float(-infinity, text);

  const NumberShape shape = number_shape(text);
  if (shape == NumberShape::none) {
    return fail(ErrorCode::not_json, "expected a value, found " + std::string(text.substr(0, 40)), token_at_);
  }
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  if (shape == NumberShape::integer) {
    if (*begin == '-') {
      std::int64_t value = 0;
      if (std::from_chars(begin, end, value).ec == std::errc()) return handler_.number_integer(value);
    } else {
      std::uint64_t value = 0;
      if (std::from_chars(begin, end, value).ec == std::errc()) return handler_.number_unsigned(value);
    }
  }
  double value = 0;
  fast_float::from_chars(begin, end, value);
  return handler_.number_float(value, text);
}

// Reads on in a string up to its closing quote; returns where to go on, or `end` with the beginning kept in carry_.
const char* Tokenizer::read_string(const char* p, const char* end) {
  const char* const begin = p;
  for (; p != end; ++p) {
    if (escaped_) {
      escaped_ = false;
    } else if (*p == '"') {
      const std::string_view here(begin, static_cast<std::size_t>(p - begin));
      const bool ok = carry_.empty() ? end_string(here) : end_string(carry_.append(here));
      carry_.clear();
      stopped_ = !ok;
      return p + 1;
    } else if (*p == '\\') {
      escaped_ = has_escape_ = true;
    } else if (static_cast<unsigned char>(*p) < 0x20) {
      stopped_ = !fail(ErrorCode::not_json, "a control character (" + shown(*p) + ") inside a string", at(p));
      return p;
    }
  }
  carry_.append(begin, end);
  return end;
}

const char* Tokenizer::read_scalar(const char* p, const char* end) {
  const char* const begin = p;
  while (p != end && !ends_scalar(*p)) ++p;
  // No number, however precise, needs this much; without a limit a binary file would be gathered whole.
  constexpr std::size_t longest = 4096;
  if (carry_.size() + static_cast<std::size_t>(p - begin) > longest) {
    stopped_ = !fail(ErrorCode::not_json, "expected a value", token_at_);
    return p;
  }
  if (p == end) {
    carry_.append(begin, end);
    return end;
  }
  const std::string_view here(begin, static_cast<std::size_t>(p - begin));
  const bool ok = carry_.empty() ? end_scalar(here) : end_scalar(carry_.append(here));
  carry_.clear();
  stopped_ = !ok;
  return p;
}

// One byte outside strings and scalars.
bool Tokenizer::structural(char c) {
  const auto begin_value = [&] {
    if (c == '{') return start_container(true);
    if (c == '[') return start_container(false);
    if (c == '"') {
      string_is_key_ = has_escape_ = escaped_ = false;
      state_ = State::in_string;
      return true;
    }
    if (c == '-' || (c >= '0' && c <= '9') || c == 't' || c == 'f' || c == 'n' || c == 'N' || c == 'I') {
      state_ = State::in_scalar;
      return true;
    }
    return fail(ErrorCode::not_json, "expected a value, found " + shown(c), token_at_);
  };
  switch (state_) {
    case State::value: return begin_value();
    case State::first_element: return c == ']' ? end_container(false) : begin_value();
    case State::first_key:
    case State::next_key:
      if (c == '"') {
        string_is_key_ = true;
        has_escape_ = escaped_ = false;
        state_ = State::in_string;
        return true;
      }
      if (c == '}' && state_ == State::first_key) return end_container(true);
      return fail(ErrorCode::not_json, "expected a key in quotes, found " + shown(c), token_at_);
    case State::colon:
      if (c != ':') return fail(ErrorCode::not_json, "expected ':', found " + shown(c), token_at_);
      state_ = State::value;
      return true;
    case State::after_value:
      if (c == ',') {
        state_ = in_object_.back() ? State::next_key : State::value;
        return true;
      }
      if (c == '}') return end_container(true);
      if (c == ']') return end_container(false);
      return fail(ErrorCode::not_json, "expected ',' or the end of the container, found " + shown(c), token_at_);
    case State::done: return fail(ErrorCode::not_json, "more text after the end of the document", token_at_);
    case State::in_string:
    case State::in_scalar: break;
  }
  return true;
}

bool Tokenizer::push(std::string_view bytes) {
  if (error_ || stopped_) return false;
  piece_ = bytes.data();
  const char* p = bytes.data();
  const char* const end = p + bytes.size();
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  while (p != end && base_ + static_cast<std::uint64_t>(p - piece_) == bom_ && bom_ < 3 && *p == byte_order_mark[bom_]) {
    ++bom_;
    ++p;
  }
  if (p != end && broken_mark()) {
    stopped_ = !fail(ErrorCode::not_json, "a broken byte order mark", 0);
    return false;
  }
  while (p != end && !stopped_) {
    if (state_ == State::in_string) {
      p = read_string(p, end);
      continue;
    }
    if (state_ == State::in_scalar) {
      p = read_scalar(p, end);
      continue;
    }
    if (is_space(*p)) {
      ++p;
      continue;
    }
    const bool element =
        (state_ == State::first_element && *p != ']') || (state_ == State::value && !in_object_.empty() && !in_object_.back());
    if (element) {
      handler_.offset = at(p);
      if (const std::size_t taken = handler_.take_elements({p, static_cast<std::size_t>(end - p)}); taken > 0) {
        p += taken;
        state_ = State::after_value;
        continue;
      }
    }
    token_at_ = at(p);
    if (!structural(*p)) {
      stopped_ = true;
      break;
    }
    // A scalar's first byte belongs to it; quotes and brackets do not.
    if (state_ != State::in_scalar) ++p;
  }
  base_ += static_cast<std::uint64_t>(p - piece_);
  return !stopped_;
}

bool Tokenizer::finish() {
  if (error_ || stopped_) return false;
  if (state_ == State::in_scalar) {
    const std::string text = std::move(carry_);
    carry_.clear();
    if (in_object_.empty()) {
      if (!end_scalar(text)) return false;
    }
  }
  if (state_ == State::done) return true;
  if (broken_mark()) return fail(ErrorCode::not_json, "a broken byte order mark", 0);
  if (base_ == bom_) return fail(ErrorCode::empty_file, "", 0);
  return fail(
      ErrorCode::truncated,
      state_ == State::value && in_object_.empty() ? "no JSON value in it" : "the JSON ends before its last container is closed",
      base_);
}

}  // namespace crema::json
