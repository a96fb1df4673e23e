#include <archive.h>
#include <archive_entry.h>

#include <random>

#include "core/base/inflate.hpp"
#include "tests/core/catch.hpp"

using namespace crema;

namespace {

constexpr std::size_t roomy = 1U << 24U;

/// `content` as libarchive compresses it.
std::string gzipped(const std::string& content, const char* level) {
  std::string out(content.size() + (1U << 16U), '\0');
  std::size_t used = 0;
  archive* writer = archive_write_new();
  archive_write_add_filter_gzip(writer);
  archive_write_set_format_raw(writer);
  archive_write_set_filter_option(writer, "gzip", "compression-level", level);
  archive_write_set_bytes_in_last_block(writer, 1);
  REQUIRE(archive_write_open_memory(writer, out.data(), out.size(), &used) == ARCHIVE_OK);
  archive_entry* entry = archive_entry_new();
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_entry_set_pathname(entry, "data");
  REQUIRE(archive_write_header(writer, entry) == ARCHIVE_OK);
  archive_write_data(writer, content.data(), content.size());
  archive_entry_free(entry);
  archive_write_close(writer);
  archive_write_free(writer);
  out.resize(used);
  return out;
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

TEST_CASE("gunzip: what another library compressed, at every level") {
  std::mt19937 random(7);
  std::string noise(70000, ' ');
  for (char& c : noise) c = static_cast<char>(random());
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "worker " + std::to_string(random() % 50) + ", ";
  const std::string contents[] = {"", "a", "abcabcabcabc", std::string(100000, 'x'), noise, text};
  for (const std::string& content : contents) {
    for (const char* level : {"0", "1", "6", "9"}) {
      const std::string bytes = gzipped(content, level);
      const auto back = gunzip(bytes, roomy);
      REQUIRE(back.has_value());
      CHECK(*back == content);
    }
  }
}

TEST_CASE("gunzip: nothing comes of damaged, cut or too large input") {
  std::string text;
  for (int i = 0; i < 500; ++i) text += std::to_string(i * i);
  const std::string bytes = gzipped(text, "9");
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
