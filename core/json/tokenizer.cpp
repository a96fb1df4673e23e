// Compiled for speed: it runs for every byte of JSON.
#include "core/json/tokenizer.hpp"

#include <bit>
#include <charconv>
#include <cstring>
#include <limits>

#include "core/base/text.hpp"
#include "core/json/block.hpp"
#include "core/json/number.hpp"

namespace crema::json {

namespace {

// No number, however precise, needs this much; without a limit a binary file would be gathered
// whole.
constexpr std::size_t longest_scalar = 4096;

// [byte] Longer strings are refused: they have to be held in memory, and a small archive can hold
// gigabytes of them.
constexpr std::size_t longest_string = std::size_t{1} << 26U;

bool ends_scalar(char c) {
  return is_blank(c) || c == ',' || c == ']' || c == '}' || c == ':' || c == '"' || c == '[' ||
         c == '{';
}

bool begins_scalar(char c) {
  return c == '-' || is_digit(c) || c == 't' || c == 'f' || c == 'n' || c == 'N' || c == 'I';
}

/// A byte as a message shows it: printable as it is, else its code.
std::string shown(char c) {
  if (c >= 0x20 && c < 0x7f) return std::string("'") + c + "'";
  return "byte " + std::to_string(static_cast<unsigned char>(c));
}

/// The bits from place `i` on.
constexpr std::uint64_t from(unsigned i) { return ~std::uint64_t{0} << i; }
/// The bits behind place `i`.
constexpr std::uint64_t behind(unsigned i) { return from(i) << 1U; }

}  // namespace

/// The block being read, and where in it tokens begin that were not yet looked at.
struct Tokenizer::Window {
  const char* at;
  const char* end;  // of the piece; bytes of the block behind it count as blanks
  std::uint64_t starts =
      0;  // quotes, structural bytes and first bytes of scalars, also those inside strings
  std::uint64_t scalar = 0;  // what is neither quote nor structural nor blank
  std::uint64_t string_end =
      0;              // what ends a string: quotes, and bytes it may not hold; but not escaped ones
  bool rare = false;  // the block holds escapes or bytes that are no ASCII
  bool in_scalar = false;  // the last byte of the block is part of a scalar
  bool escape = false;     // the first byte of the next block is escaped

  /// Begins anew at `p`, outside strings and scalars.
  void restart(const char* p) {
    at = p;
    in_scalar = escape = false;
    load();
  }
  /// The next block; false when there is none.
  bool next() {
    if (static_cast<std::size_t>(end - at) <= Block::size) return false;
    at += Block::size;
    load();
    return true;
  }
  void load() {
    const auto left = static_cast<std::size_t>(end - at);
    if (left >= Block::size) {
      take(classify<simd::Sixteen>(at));
    } else {
      char padded[Block::size];
      std::memset(padded, ' ', sizeof padded);
      std::memcpy(padded, at, left);
      take(classify<simd::Sixteen>(padded));
    }
  }
  void take(const Block& block) {
    rare = escape || (block.backslash | block.high) != 0;
    scalar = ~(block.quote | block.structural | block.blank);
    const std::uint64_t continued = (scalar << 1U) | (in_scalar ? 1U : 0U);
    in_scalar = (scalar >> 63U) != 0;
    starts = ~block.blank & ~(scalar & continued);
    string_end =
        (block.quote | block.line | block.control) & ~escaped_bytes(block.backslash, escape);
  }
};

bool Tokenizer::fail(ErrorCode code, std::string detail, std::uint64_t where) {
  if (!error_)
    error_ =
        Error{.code = code, .detail = std::move(detail), .file = {}, .offset = where, .path = {}};
  return false;
}

/// Fails at a token that begins with `c` and may not stand here.
bool Tokenizer::refuse(char c) {
  const bool wants_key = state_ == State::first_key || state_ == State::next_key;
  const std::string expected = wants_key                ? "expected a key in quotes"
                               : state_ == State::colon ? "expected ':'"
                               : state_ == State::after_value
                                   ? "expected ',' or the end of the container"
                                   : "expected a value";
  return fail(ErrorCode::not_json,
              state_ == State::done ? "more text after the end of the document"
                                    : expected + ", found " + shown(c),
              token_at_);
}

bool Tokenizer::start_container(bool object) {
  if (in_object_.size() == max_depth)
    return fail(ErrorCode::too_deep, "more than " + std::to_string(max_depth) + " levels",
                token_at_);
  in_object_.push_back(object ? 1 : 0);
  state_ = object ? State::first_key : State::first_element;
  if (skipped_ > 0) return true;
  handler_.offset = token_at_;
  const bool go_on = object ? handler_.start_object() : handler_.start_array();
  if (handler_.skip) {
    handler_.skip = false;
    skipped_ = in_object_.size();
  }
  return go_on;
}

/// Goes on in the containers that the handler has begun.
bool Tokenizer::enter_opened() {
  if (in_object_.size() + handler_.opened.size() > max_depth)
    return fail(ErrorCode::too_deep, "more than " + std::to_string(max_depth) + " levels",
                token_at_);
  in_object_.insert(in_object_.end(), handler_.opened.begin(), handler_.opened.end());
  if (handler_.opened_is_empty)
    state_ = in_object_.back() != 0 ? State::first_key : State::first_element;
  handler_.opened.clear();
  return true;
}

bool Tokenizer::end_container(bool object) {
  if (in_object_.empty() || (in_object_.back() != 0) != object) {
    return fail(
        ErrorCode::not_json,
        object ? "'}' closes nothing that '{' opened" : "']' closes nothing that '[' opened",
        token_at_);
  }
  const std::size_t level = in_object_.size();
  in_object_.pop_back();
  value_done();
  if (skipped_ > 0) {
    if (skipped_ == level) skipped_ = 0;
    return true;
  }
  handler_.offset = token_at_;
  return object ? handler_.end_object() : handler_.end_array();
}

/// `plain`: it is known to hold neither escapes nor bytes that are no ASCII.
bool Tokenizer::end_string(std::string_view raw, bool plain) {
  std::string_view value = raw;
  if (!plain) {
    if (const auto bad = invalid_utf8(raw))
      return fail(ErrorCode::bad_utf8, "", token_at_ + 1 + *bad);
    if (raw.find('\\') != std::string_view::npos) {
      if (const auto bad = unescape(raw, decoded_))
        return fail(ErrorCode::not_json, "a broken escape in a string", token_at_ + 1 + *bad);
      value = decoded_;
    }
  }
  const bool is_key = string_is_key_;
  if (is_key) state_ = State::colon;
  else value_done();
  if (skipped_ > 0) return true;
  handler_.offset = token_at_;
  return is_key ? handler_.key(value) : handler_.string(value);
}

bool Tokenizer::number(const char* begin, const char* end) {
  Number number;
  const std::string_view text(begin, static_cast<std::size_t>(end - begin));
  if (scan_number(begin, end, number) != end)
    return fail(ErrorCode::not_json, "expected a value, found " + std::string(text.substr(0, 40)),
                token_at_);
  if (skipped_ > 0) return true;
  if (number.kind == Number::Kind::integer) {
    if (number.negative) {
      constexpr std::uint64_t most = std::uint64_t{1} << 63U;
      if (!number.overflow && number.digits <= most)
        return handler_.number_integer(static_cast<std::int64_t>(std::uint64_t{0} - number.digits));
    } else {
      if (!number.overflow) return handler_.number_unsigned(number.digits);
      std::uint64_t value = 0;
      if (std::from_chars(begin, end, value).ec == std::errc())
        return handler_.number_unsigned(value);
    }
  }
  return handler_.number_float(value_of(number, begin, end), text);
}

bool Tokenizer::end_scalar(std::string_view text) {
  if (text.size() > longest_scalar) return fail(ErrorCode::not_json, "expected a value", token_at_);
  handler_.offset = token_at_;
  value_done();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const bool tells = skipped_ == 0;
  if (!is_digit(text.front())) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    if (text == "null") return !tells || handler_.null();
    if (text == "true") return !tells || handler_.boolean(true);
    if (text == "false") return !tells || handler_.boolean(false);
    if (text == "NaN") return !tells || handler_.number_float(nan, text);
    if (text == "Infinity") return !tells || handler_.number_float(infinity, text);
    if (text == "-Infinity") return !tells || handler_.number_float(-infinity, text);
  }
  return number(text.data(), text.data() + text.size());
}

// Reads on in a string that may have begun in an earlier piece, byte for byte, up to its closing
// quote; returns where to go on, or `end` with the beginning kept in carry_.
const char* Tokenizer::read_string(const char* p, const char* end) {
  const char* const begin = p;
  for (; p != end; ++p) {
    if (escaped_) {
      escaped_ = false;
    } else if (*p == '"') {
      carry_.append(begin, p);
      stopped_ = !end_string(carry_, false);
      carry_.clear();
      return p + 1;
    } else if (*p == '\\') {
      escaped_ = true;
    } else if (static_cast<unsigned char>(*p) < 0x20) {
      stopped_ = !fail(ErrorCode::not_json,
                       "a control character (" + shown(*p) + ") inside a string", at(p));
      return p;
    }
  }
  if (carry_.size() + static_cast<std::size_t>(end - begin) > longest_string) {
    stopped_ =
        !fail(ErrorCode::not_json,
              "a string of more than " + std::to_string(longest_string) + " bytes", token_at_);
    return end;
  }
  carry_.append(begin, end);
  return end;
}

const char* Tokenizer::read_scalar(const char* p, const char* end) {
  const char* const begin = p;
  while (p != end && !ends_scalar(*p)) ++p;
  carry_.append(begin, p);
  if (p != end || carry_.size() > longest_scalar) {
    stopped_ = !end_scalar(carry_);
    carry_.clear();
  }
  return p;
}

// From `p`, outside strings and scalars, to the end of the piece, or to a token that it cuts.
const char* Tokenizer::read_blocks(const char* p, const char* end) {
  Window window{p, end};
  window.load();
  const auto cut = [&](State state, const char* token) {
    state_ = state;
    return token;
  };
  for (;;) {
    while (window.starts == 0) {
      if (!window.next()) return end;
    }
    const auto place = static_cast<unsigned>(std::countr_zero(window.starts));
    const char* const token = window.at + place;
    const char c = *token;
    token_at_ = at(token);

    const auto begins_element = [&] {
      if (in_object_.back() == 0) return expects_value() && c != ']';
      return c == '"' && (state_ == State::first_key || state_ == State::next_key);
    };
    if (handler_.wants_raw && skipped_ == 0 && !in_object_.empty() && begins_element()) {
      handler_.offset = token_at_;
      if (const std::size_t taken =
              handler_.consume_raw({token, static_cast<std::size_t>(end - token)});
          taken > 0) {
        state_ = State::after_value;
        if (!handler_.opened.empty() && !enter_opened()) {
          stopped_ = true;
          return token;
        }
        if (token + taken == end) return end;
        window.restart(token + taken);
        continue;
      }
    }
    window.starts &= window.starts - 1;

    bool well = true;
    switch (c) {
      case '"': {
        if (state_ == State::first_key || state_ == State::next_key) string_is_key_ = true;
        else if (expects_value()) string_is_key_ = false;
        else {
          well = refuse(c);
          break;
        }
        std::uint64_t stops = window.string_end & behind(place);
        bool plain = !window.rare;
        while (stops == 0) {
          if (!window.next()) {
            escaped_ = false;
            return cut(State::in_string, token + 1);
          }
          stops = window.string_end;
          plain = plain && !window.rare;
        }
        const auto last = static_cast<unsigned>(std::countr_zero(stops));
        const char* const closing = window.at + last;
        if (*closing != '"') {
          fail(ErrorCode::not_json, "a control character (" + shown(*closing) + ") inside a string",
               at(closing));
          stopped_ = true;
          return closing;
        }
        // What stood inside the string began no token; a scalar right behind it does.
        window.starts = window.starts & behind(last);
        well = end_string({token + 1, static_cast<std::size_t>(closing - token - 1)}, plain);
        break;
      }
      case ',':
        if (state_ == State::after_value)
          state_ = in_object_.back() != 0 ? State::next_key : State::value;
        else well = refuse(c);
        break;
      case ':':
        if (state_ == State::colon) state_ = State::value;
        else well = refuse(c);
        break;
      case '{':
      case '[': well = expects_value() ? start_container(c == '{') : refuse(c); break;
      case '}':
        well = state_ == State::after_value || state_ == State::first_key ? end_container(true)
                                                                          : refuse(c);
        break;
      case ']':
        well = state_ == State::after_value || state_ == State::first_element ? end_container(false)
                                                                              : refuse(c);
        break;
      default: {
        if (!expects_value() || !begins_scalar(c)) {
          well = refuse(c);
          break;
        }
        std::uint64_t stops = ~window.scalar & behind(place);
        while (stops == 0) {
          if (!window.next()) return cut(State::in_scalar, token);
          stops = ~window.scalar;
        }
        const char* const stop = window.at + std::countr_zero(stops);
        if (stop >= end) return cut(State::in_scalar, token);
        well = end_scalar({token, static_cast<std::size_t>(stop - token)});
        break;
      }
    }
    if (!well) {
      stopped_ = true;
      return token;
    }
  }
}

// A byte order mark at the very beginning; false when it is broken.
bool Tokenizer::read_mark(const char*& p, const char* end) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  while (p != end && at(p) == bom_ && bom_ < 3 && *p == byte_order_mark[bom_]) {
    ++bom_;
    ++p;
  }
  return p == end || !broken_mark() || fail(ErrorCode::not_json, "a broken byte order mark", 0);
}

bool Tokenizer::push(std::string_view bytes) {
  if (!wants_more()) return false;
  piece_ = bytes.data();
  const char* p = bytes.data();
  const char* const end = p + bytes.size();
  if (base_ < 3 && !read_mark(p, end)) {
    stopped_ = true;
    return false;
  }
  while (p != end && !stopped_) {
    if (state_ == State::in_string) p = read_string(p, end);
    else if (state_ == State::in_scalar) p = read_scalar(p, end);
    else p = read_blocks(p, end);
  }
  base_ += static_cast<std::uint64_t>(p - piece_);
  return !stopped_;
}

bool Tokenizer::finish() {
  if (!wants_more()) return false;
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
  return fail(ErrorCode::truncated,
              state_ == State::value && in_object_.empty()
                  ? "no JSON value in it"
                  : "the JSON ends before its last container is closed",
              base_);
}

}  // namespace crema::json
