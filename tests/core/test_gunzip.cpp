// Packed files as the command line reads them: what is damaged is said, wherever the damage is.
// As WebAssembly under Node others unpack.
#ifndef __EMSCRIPTEN__

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "cli/bundle.hpp"
#include "cli/unpack.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::test;

namespace {

/// What is said to be missing of a file `metrics.json.gz` of these bytes, whose run is opened as
/// far as it goes.
std::string missing_of_gz(const std::string& bytes) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("crema-test-" + std::to_string(getpid()) + ".json.gz");
  std::ofstream(path, std::ios::binary) << bytes;
  Session session;
  std::ostringstream told;
  const Result<Opened> opened = cli::open_bundles(session, {path.string()}, told);
  std::filesystem::remove(path);
  return opened ? told.str() : opened.error().sentence();
}

bool is_damaged(const std::string& bytes) {
  return missing_of_gz(bytes).find("the packed file is damaged") != std::string::npos;
}
bool is_cut(const std::string& bytes) {
  return missing_of_gz(bytes).find("the packed file is cut off") != std::string::npos;
}

std::string packed(const std::string& content) {
  cli::Gzip gzip;
  gzip.push(content);
  return gzip.finish();
}

std::string with_byte_changed(std::string bytes, std::size_t from_end) {
  bytes[bytes.size() - from_end] = static_cast<char>(bytes[bytes.size() - from_end] ^ 0x10);
  return bytes;
}

}  // namespace

TEST_CASE(
    "A packed file whose checksum or length is wrong, or that is cut off, is not taken for whole") {
  const std::string whole = packed(small_metrics());
  CHECK(missing_of_gz(whole).empty());
  for (const std::size_t from_end : {1U, 4U, 5U, 8U}) {
    CAPTURE(from_end);
    CHECK(is_damaged(with_byte_changed(whole, from_end)));
  }
  for (const std::size_t missing : {std::size_t{1}, std::size_t{9}, whole.size() / 2}) {
    CAPTURE(missing);
    CHECK(is_cut(whole.substr(0, whole.size() - missing)));
  }
}

TEST_CASE("Members of gzip that follow one another are one file, each with a checksum") {
  const std::string text = small_metrics();
  const std::string first = packed(text.substr(0, 100));
  const std::string second = packed(text.substr(100));
  CHECK(missing_of_gz(first + second).empty());
  CHECK(is_damaged(with_byte_changed(first, 5) + second));
  CHECK(is_damaged(first + with_byte_changed(second, 5)));
  CHECK(missing_of_gz(first + second + std::string(100, '\0')).empty());  // as from a tape
}

#endif
