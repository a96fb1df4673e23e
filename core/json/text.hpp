#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crema::json {

/// Decodes the escapes of a JSON string (the text between its quotes) into `out`. Returns the
/// offset of a broken escape, nothing when all are well. A lone surrogate becomes U+FFFD.
std::optional<std::size_t> unescape(std::string_view raw, std::string& out);

/// Appends the UTF-8 form of a code point; surrogates and numbers beyond U+10FFFF become U+FFFD.
void append_utf8(std::string& out, std::uint32_t code);

/// All of `text` as a hexadecimal number of so many digits; nothing when it is none.
std::optional<std::uint32_t> parse_hex(std::string_view text, std::size_t digits);

/// The offset of the first byte that is not valid UTF-8 (RFC 3629), nothing when all are.
std::optional<std::size_t> invalid_utf8(std::string_view text);

}  // namespace crema::json
