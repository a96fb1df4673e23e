#include "core/read/byte_cursor.hpp"

namespace crema::read {

std::uint64_t ByteCursor::little(std::size_t size, const char* expected) {
  std::uint64_t value = 0;
  const std::string_view taken = take(size, expected);
  for (std::size_t i = size; i-- > 0;) value = value << 8U | static_cast<unsigned char>(taken[i]);
  return value;
}

std::string_view ByteCursor::text(const char* expected) {
  const std::size_t end = bytes_.find('\0', at_);
  if (end == std::string_view::npos) fail(expected);
  const std::string_view taken = take(end - at_, expected);
  ++at_;
  return taken;
}

}  // namespace crema::read
