#include <random>
#include <set>

#include "cli/unpack.hpp"
#include "core/base/inflate.hpp"
#include "tests/core/catch.hpp"

using namespace crema;

namespace {

constexpr std::size_t roomy = 1U << 24U;

/// `content` as another library compresses it: libarchive, or Node where the tests run as WebAssembly.
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
  // noise is stored, short texts take the fixed codes, a long one its own: the type stands in two bits after the header of 10
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
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) CHECK(!gunzip(std::string_view(bytes).substr(0, cut), roomy));
  CHECK(!gunzip(bytes, text.size() - 1));
  CHECK(gunzip(bytes, text.size()) == text);
  CHECK(!gunzip("{\"no\": \"gzip\"}", roomy));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    gunzip(damaged, roomy);  // whatever comes of it, it ends and reads no foreign memory (see the sanitizers)
  }
}
