#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "core/model/run.hpp"

namespace crema::read {

/// The number with this bit pattern.
template <class Number, class Bits>
Number number_of_bits(Bits bits) {
  static_assert(sizeof(Number) == sizeof bits);
  Number number;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

/// Walks the bytes of a binary file. What is not as expected throws Unexpected.
class ByteCursor {
 public:
  struct Unexpected {
    const char* expected;  ///< "a frame"
    std::uint64_t at;      ///< [byte]
  };

  explicit ByteCursor(std::string_view bytes) : bytes_(bytes) {}

  bool at_end() const { return at_ == bytes_.size(); }
  std::size_t size() const { return bytes_.size(); }
  std::size_t at() const { return at_; }
  void seek(std::size_t at) { at_ = at; }
  [[noreturn]] void fail(const char* expected) const { throw Unexpected{expected, at_}; }

  std::string_view take(std::uint64_t size, const char* expected) {
    if (size > bytes_.size() - at_) fail(expected);
    const std::string_view taken = bytes_.substr(at_, static_cast<std::size_t>(size));
    at_ += taken.size();
    return taken;
  }
  unsigned char byte(const char* expected) {
    return static_cast<unsigned char>(take(1, expected)[0]);
  }
  unsigned char peek(const char* expected) const {
    if (at_end()) fail(expected);
    return static_cast<unsigned char>(bytes_[at_]);
  }
  /// An unsigned number of `size` bytes, the lowest first.
  std::uint64_t little(std::size_t size, const char* expected) {
    std::uint64_t value = 0;
    const std::string_view taken = take(size, expected);
    for (std::size_t i = size; i-- > 0;) value = value << 8U | static_cast<unsigned char>(taken[i]);
    return value;
  }
  /// Up to the byte 0, which is skipped.
  std::string_view text(const char* expected) {
    const std::size_t end = bytes_.find('\0', at_);
    if (end == std::string_view::npos) fail(expected);
    const std::string_view taken = take(end - at_, expected);
    ++at_;
    return taken;
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

/// Reads with `read(cursor)`; where it breaks off, a data note says what was expected there.
template <class Read>
void read_bytes(Run& run, const std::string& path, std::string_view bytes, Read read) {
  ByteCursor cursor(bytes);
  try {
    read(cursor);
  } catch (const ByteCursor::Unexpected& problem) {
    run.add_note("broken-file", Severity::high,
                 "it is cut off or damaged here, where " + std::string(problem.expected) +
                     " was expected; what comes before was read",
                 path, {}, problem.at);
  }
}

}  // namespace crema::read
