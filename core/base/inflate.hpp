#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace crema {

/// Decodes base64 (RFC 4648; the `=` at the end may be missing); nothing when `text` is not base64.
std::optional<std::string> decode_base64(std::string_view text);

/// The content of a gzip member (RFC 1952) of at most `limit` bytes; nothing when it is damaged
/// (its checksum and length are compared), cut off or larger.
///
/// For the small arrays inside Dask's pages (Bokeh stores them as gzip in base64, so no archive
/// library outside of the core can get at them): simple rather than fast. Whole files are
/// decompressed before they come here.
///
/// Libraries are heavier: zlib's inflate adds 20 kB to the module (12 gzip, Emscripten's -Oz),
/// libdeflate's 15 kB (12), miniz's 8 kB (4.3) without gzip's header and checksum. This adds 8 kB
/// (4.0), and no source has to be fetched for WebAssembly. It is fuzzed against zlib
/// (tests/fuzz/inflate.cpp): the two agree on any bytes.
std::optional<std::string> gunzip(std::string_view bytes, std::size_t limit);

}  // namespace crema
