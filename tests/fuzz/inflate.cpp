// Our gunzip against zlib's: both say the same of any bytes, and unpack the same. The first byte
// chooses what the input is: a file of gzip, deflated data that a right header and trailer are put
// around, or a text that zlib packs.
#define ZLIB_CONST  // what is read is not written to
#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/inflate.hpp"

namespace {

constexpr std::size_t limit = 1U << 20U;

/// What zlib makes of the first member; nothing when it is damaged, cut off or larger than `limit`.
std::optional<std::string> unpacked(std::string_view bytes, int window_bits) {
  z_stream stream{};
  if (inflateInit2(&stream, window_bits) != Z_OK) std::abort();
  std::string out(limit + 1, '\0');
  stream.next_in = reinterpret_cast<const Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const bool whole = inflate(&stream, Z_FINISH) == Z_STREAM_END;
  out.resize(stream.total_out);
  inflateEnd(&stream);
  if (!whole || out.size() > limit) return std::nullopt;
  return out;
}

std::string packed(std::string_view text, int level) {
  z_stream stream{};
  if (deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    std::abort();
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<const Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) std::abort();
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// Deflated data as a file of gzip whose checksum and length are right, so that damage is seen in
/// the data itself.
std::string as_gzip(std::string_view deflated) {
  const std::string content = unpacked(deflated, -15).value_or("");
  std::string file("\x1F\x8B\x08\0\0\0\0\0\0\x03", 10);
  file += deflated;
  const auto append = [&](unsigned long value) {
    for (int i = 0; i < 4; ++i) file.push_back(static_cast<char>(value >> (8 * i) & 0xFFU));
  };
  append(
      crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
  append(content.size());
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  const unsigned kind = data[0];
  const std::string file = kind % 4 == 0   ? std::string(rest)
                           : kind % 4 == 1 ? packed(rest, static_cast<int>(kind / 4 % 10))
                                           : as_gzip(rest);
  if (crema::gunzip(file, limit) != unpacked(file, 15 + 16)) std::abort();
  return 0;
}
