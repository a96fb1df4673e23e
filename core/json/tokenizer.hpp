#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace crema::json {

/// Receives a JSON document as events: nlohmann::json_sax's, with string_view in place of
/// std::string&. Each event returns whether to go on. Strings are valid UTF-8, decoded, and live
/// only during the call.
class Handler {
 public:
  virtual ~Handler() = default;

  virtual bool null() = 0;
  virtual bool boolean(bool value) = 0;
  virtual bool number_integer(std::int64_t value) = 0;  ///< negative integers
  virtual bool number_unsigned(std::uint64_t value) = 0;
  /// Also integers too large for 64 bits, NaN and ±Infinity.
  virtual bool number_float(double value, std::string_view text) = 0;
  virtual bool string(std::string_view value) = 0;
  virtual bool start_object() = 0;
  virtual bool key(std::string_view value) = 0;
  virtual bool end_object() = 0;
  virtual bool start_array() = 0;
  virtual bool end_array() = 0;

  /// The fast path: called inside an array where an element begins, or inside an object where a
  /// member does, with the bytes at hand. A handler that knows the layout may consume whole
  /// elements (members) byte for byte, with the commas between them, and returns how many bytes it
  /// took: 0, or up to the end of a complete one. The tokenizer goes on from there. It may also
  /// stop inside containers that it has begun, which it then names in `opened`.
  virtual std::size_t consume_raw(std::string_view) { return 0; }

  std::uint64_t offset = 0;  ///< [byte] where the event's token begins; set by the tokenizer
  /// Set by a handler in `start_object` or `start_array` to skip this container. Neither its
  /// content nor its end makes events. It is still validated: which documents are refused does not
  /// depend on the handler.
  bool skip = false;
  /// Set by a handler in `consume_raw`: the containers in which it stopped, outermost first, 1 = an
  /// object. The tokenizer goes on in the innermost, after a value, or at its very beginning when
  /// `opened_is_empty`.
  std::vector<std::uint8_t> opened;
  bool opened_is_empty = false;
  bool wants_raw = true;  ///< whether `consume_raw` is worth a call in the container being read
};

/// Containers may be nested this deep; deeper input is refused (too_deep).
inline constexpr std::size_t max_depth = 1U << 20U;

/// Turns the bytes of one JSON document, given in pieces of any size, into events for a Handler.
///
/// Accepts RFC 8259 plus the bare NaN, Infinity and -Infinity that Python writes, and a UTF-8 byte
/// order mark. The events do not depend on where the input is cut. After the first error nothing
/// more is read; `error()` has its offset.
class Tokenizer {
 public:
  explicit Tokenizer(Handler& handler) : handler_(handler) {}

  /// Reads the next bytes; false after an error or when the handler said stop.
  bool push(std::string_view bytes);
  /// The input has ended; false when the document is not complete (truncated, empty_file) or wrong.
  bool finish();

  /// Whether `push` would read on.
  bool wants_more() const { return !error_ && !stopped_; }
  /// Whether the document was complete; what is an error behind it is another question.
  bool is_done() const { return state_ == State::done; }

  const std::optional<Error>& error() const { return error_; }
  /// Bytes consumed so far.
  std::uint64_t offset() const { return base_; }

 private:
  // A value may begin in the states up to first_element.
  enum class State : std::uint8_t {
    value,
    first_element,
    first_key,
    next_key,
    colon,
    after_value,
    in_string,
    in_scalar,
    done
  };
  struct Window;

  bool fail(ErrorCode code, std::string detail, std::uint64_t at);
  bool refuse(char c);
  bool start_container(bool object);
  bool enter_opened();
  bool end_container(bool object);
  bool end_string(std::string_view raw, bool plain);
  bool end_scalar(std::string_view text);
  bool number(const char* begin, const char* end);
  void value_done() { state_ = in_object_.empty() ? State::done : State::after_value; }
  const char* read_string(const char* p, const char* end);
  const char* read_scalar(const char* p, const char* end);
  const char* read_blocks(const char* p, const char* end);
  bool read_mark(const char*& p, const char* end);
  bool broken_mark() const { return bom_ == 1 || bom_ == 2; }
  bool expects_value() const { return state_ <= State::first_element; }

  Handler& handler_;
  std::optional<Error> error_;
  std::uint64_t base_ = 0;       // offset of the current piece's first byte
  const char* piece_ = nullptr;  // its first byte
  State state_ = State::value;
  bool string_is_key_ = false;
  bool escaped_ = false;  // the last byte of the current string was an unescaped backslash
  bool stopped_ = false;
  std::uint64_t token_at_ = 0;
  std::string carry_;  // a token that began in an earlier piece
  std::string decoded_;
  std::vector<char> in_object_;  // of each open container: is it an object
  std::size_t skipped_ = 0;      // the level of the container that the handler skips; 0 = none
  std::uint8_t bom_ = 0;         // bytes of a byte order mark seen at the very beginning

  std::uint64_t at(const char* p) const { return base_ + static_cast<std::uint64_t>(p - piece_); }
};

}  // namespace crema::json
