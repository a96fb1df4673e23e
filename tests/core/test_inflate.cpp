#include <random>
#include <set>

#include "cli/unpack.hpp"
#include "core/base/inflate.hpp"
#include "tests/core/catch.hpp"

using namespace crema;

namespace {

constexpr std::size_t roomy = 1U << 24U;

/// `content` as another library compresses it: libarchive, or Node where the tests run as
/// WebAssembly.
std::string gzipped(const std::string& content) {
  cli::Gzip gzip;
  gzip.push(content);
  return gzip.finish();
}

}  // namespace

TEST_CASE("base64: RFC 4648's own examples, with and without padding") {
  CHECK(decode_base64("") == "");
  CHECK(decode_base64("Zg==") == "f");
  CHECK(decode_base64("Zm8=") == "fo");
  CHECK(decode_base64("Zm8") == "fo");
  CHECK(decode_base64("Zm9vYmFy") == "foobar");
  CHECK(!decode_base64("Zm9vY"));
  CHECK(!decode_base64("Zm 9"));
}

TEST_CASE("gunzip: what another library compressed, in stored, fixed and own codes") {
  std::mt19937 random(7);
  std::string noise(70000, ' ');
  for (char& c : noise) c = static_cast<char>(random());
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "worker " + std::to_string(random() % 50) + ", ";
  const std::string contents[] = {"", "a", "abcabcabcabc", std::string(100000, 'x'), noise, text};
  // noise is stored, short texts take the fixed codes, a long one its own: the type stands in two
  // bits after the header of 10
  std::set<int> types;
  for (const std::string& content : contents) {
    types.insert(gzipped(content)[10] >> 1 & 3);
    const auto back = gunzip(gzipped(content), roomy);
    REQUIRE(back.has_value());
    CHECK(*back == content);
  }
  CHECK(types == std::set<int>{0, 1, 2});
}

TEST_CASE("gunzip: nothing comes of damaged, cut or too large input") {
  std::string text;
  for (int i = 0; i < 500; ++i) text += std::to_string(i * i);
  const std::string bytes = gzipped(text);
  for (std::size_t cut = 0; cut < bytes.size(); ++cut)
    CHECK(!gunzip(std::string_view(bytes).substr(0, cut), roomy));
  CHECK(!gunzip(bytes, text.size() - 1));
  CHECK(gunzip(bytes, text.size()) == text);
  CHECK(!gunzip("{\"no\": \"gzip\"}", roomy));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    CAPTURE(at);
    for (const int change : {0x01, 0x55, 0x80}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      const auto back = gunzip(damaged, roomy);
      // What gzip's header says of time, level, system and "this is text" changes nothing (RFC
      // 1952, 2.3.1), nor do the bits between the end of the data and the next byte.
      const bool may_go_unnoticed = (at >= 3 && at < 10) || at == bytes.size() - 9;
      CHECK((!back || (may_go_unnoticed && *back == text)));
    }
  }
}

TEST_CASE("gunzip: a header with all fields, whose sum is checked, too") {
  using namespace std::string_literals;
  const std::string header = "\x1F\x8B\x08\x1E\0\0\0\0\0\0\x04\0ab\0\0name\0comment\0"s;
  const std::string sum = "\x80\x2A"s;  // the low half of the CRC-32 of these bytes
  const std::string letter =
      "\x4B\x04\0\x43\xBE\xB7\xE8\x01\0\0\0"s;  // "a" in the fixed codes, its CRC-32, its length
  CHECK(gunzip(header + sum + letter, roomy) == "a");
  CHECK(!gunzip(header + "\x80\x2B"s + letter, roomy));
  CHECK(!gunzip(header, roomy));
  // a bit that nobody has given a meaning
  CHECK(!gunzip("\x1F\x8B\x08\x20\0\0\0\0\0\0"s + letter, roomy));
  CHECK(gunzip("\x1F\x8B\x08\0\0\0\0\0\0\0"s + letter, roomy) == "a");
}
