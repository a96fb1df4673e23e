#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace crema {

/// The bytes that base64 `text` stands for (RFC 4648; `=` at the end may be missing); nothing when it is none.
std::optional<std::string> decode_base64(std::string_view text);

/// The content of a gzip member (RFC 1952) of at most `limit` bytes; nothing when it is damaged, cut off or larger.
///
/// For the small arrays inside Dask's pages (Bokeh stores them as gzip in base64, so no archive library outside of the core
/// can get at them): simple rather than fast. Whole files are decompressed before they come here.
std::optional<std::string> gunzip(std::string_view bytes, std::size_t limit);

}  // namespace crema
