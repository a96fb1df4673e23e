// Small files that ask for much memory: they are read up to a limit, which is said.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "cli/bundle.hpp"
#include "cli/unpack.hpp"
#include "core/read/format.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::test;

namespace {

/// `content`, packed with gzip, as a file that is gone with this object.
class PackedFile {
 public:
  explicit PackedFile(const std::string& content)
      : path_(std::filesystem::temp_directory_path() / ("crema-" + std::to_string(std::hash<std::string>()(content)) + ".gz")) {
    cli::Gzip gzip;
    gzip.push(content);
    std::ofstream(path_, std::ios::binary) << gzip.finish();
  }
  ~PackedFile() { std::filesystem::remove(path_); }
  PackedFile(const PackedFile&) = delete;
  PackedFile& operator=(const PackedFile&) = delete;

  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

constexpr std::size_t mebibyte = std::size_t{1} << 20U;

}  // namespace

TEST_CASE("A string of much more than 64 MiB is not read") {
  const std::string most(64 * mebibyte, 'a');
  CHECK_FALSE(json_error("[\"" + most + "\"]"));
  // in pieces, as a file comes
  const std::string longer = with(small_metrics(), "/data/y.root", most + std::string(mebibyte, 'a'));
  OpenSession open("metrics.json", longer);
  const auto& doubts = open.run().doubts;
  const auto found = std::find_if(doubts.begin(), doubts.end(), [](const Doubt& d) { return d.id == "broken-json"; });
  REQUIRE(found != doubts.end());
  CHECK(found->message == "this is not valid JSON (a string of more than 67108864 bytes); what stands before it was read");
}

TEST_CASE("An archive of 250 times its size is not unpacked, by the command line either") {
  Session session;
  const PackedFile bomb(std::string(40 * mebibyte, ' '));
  const auto refused = cli::open_bundles(session, {bomb.path()});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::cannot_open);
  CHECK(refused.error().sentence().find("more than 250 times as large") != std::string::npos);
  // what is small may be packed well
  const PackedFile small(small_metrics() + std::string(20 * mebibyte, ' '));
  CHECK(cli::open_bundles(session, {small.path()}));
}
