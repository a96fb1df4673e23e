#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

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

}  // namespace crema::json
