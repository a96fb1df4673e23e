// Small files that ask for much memory: they are read up to a limit, which is said.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "cli/bundle.hpp"
#include "cli/unpack.hpp"
#include "core/json/tokenizer.hpp"
#include "core/read/format.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::read;
using namespace crema::test;

namespace {

/// `content`, packed with gzip, as a file that is gone with this object.
class PackedFile {
 public:
  explicit PackedFile(const std::string& content)
      : path_(std::filesystem::temp_directory_path() /
              ("crema-" + std::to_string(std::hash<std::string>()(content)) + ".gz")) {
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

std::string repeated(std::string_view part, std::size_t bytes) {
  std::string text;
  text.reserve(bytes + part.size());
  while (text.size() < bytes) text += part;
  return text;
}

/// A file that begins with `head` and goes on with `filler` for ever, read for as long as it is
/// wanted, or `most` MiB.
struct Endless {
  Endless(const std::string& path, std::string_view head, std::string_view filler,
          std::size_t most = 100)
      : file(session.add_file(0, path, 0)) {
    session.push(file, head);
    for (const std::string piece = repeated(filler, mebibyte);
         session.wants_more(file) && mebibytes < most; ++mebibytes)
      session.push(file, piece);
  }
  Result<Opened> end() {
    session.finish_file(file);
    return session.finish();
  }

  Session session;
  FileId file;
  std::size_t mebibytes = 0;  ///< of the filler that were taken
};

/// Opens a bundle as the command line does, and counts the bytes that were unpacked for it.
class Counter : public cli::FileTaker {
 public:
  void begin(SourceId source, const std::string& path, std::uint64_t size) override {
    file_ = session.add_file(source, path, size);
  }
  bool push(std::string_view piece) override {
    bytes += piece.size();
    session.push(file_, piece);
    return session.wants_more(file_);
  }
  void end() override { session.finish_file(file_); }

  Session session;
  std::size_t bytes = 0;

 private:
  FileId file_ = 0;
};

const std::string in_metrics = R"({"elapsed_time_seconds": 4, "tracking_data": )";

}  // namespace

TEST_CASE("A file without end is asked for only as long as something of it could be read") {
  const std::string other = R"({"elapsed_time_seconds": 4, "raw_chunk_metrics": [], "other": )";
  // a level a byte, and 2^20 levels are allowed
  CHECK(Endless("metrics.json", in_metrics, "[").mebibytes == 1);
  CHECK(Endless("metrics.json", in_metrics, R"({"a":)").mebibytes == 5);
  CHECK(Endless("metrics.json", other, "[").mebibytes == 1);
  CHECK(Endless("metrics.json", other + "\"", "a").mebibytes ==
        65);  // the longest string is of 64 MiB
  CHECK(Endless("metrics.json", other + "\"", "\\n").mebibytes == 65);
  CHECK(Endless("metrics.json", other + "{\"", "a").mebibytes == 65);  // so is the longest key
  CHECK(Endless("metrics.json", other, "1").mebibytes == 1);  // the longest number is of 4 KiB
  CHECK(Endless("metrics.json", other + "-0.", "0").mebibytes == 1);
  CHECK(Endless("metrics.json", other, "}").mebibytes == 1);
  CHECK(Endless("metrics.json", "", "[").mebibytes ==
        1);  // after 1 MiB it is clear that it is of no known format
  CHECK(Endless("notes.txt", "", "words ").mebibytes == 1);
  // small files are held whole, up to 16 MiB
  CHECK(Endless("metadata.json",
                R"({"timestamp": "2026-11-21T10:00:05", "format": "roastcoffea_measurement_v1")",
                " ")
            .mebibytes == 16);
}

TEST_CASE("What goes on for ever and yet is valid is read on, and what comes after it counts",
          "[slow]") {
  Endless blanks("metrics.json", R"({"tracking_data": null, "raw_chunk_metrics": [)", " \n");
  CHECK(blanks.mebibytes == 100);
  blanks.session.push(blanks.file, std::string_view(R"(], "elapsed_time_seconds": 4})"));
  REQUIRE(blanks.end());
  CHECK(blanks.session.run(0)->elapsed == 4);

  Endless lists("metrics.json", R"({"tracking_data": null, "other": [)", "[],");
  CHECK(lists.mebibytes == 100);
  lists.session.push(lists.file, std::string_view(R"(0], "elapsed_time_seconds": 4})"));
  REQUIRE(lists.end());
  CHECK(lists.session.run(0)->elapsed == 4);

  Endless line("stacks.folded", "main;work 2\n", "main;");
  CHECK(line.mebibytes == 100);
  line.session.push(line.file, std::string_view("work 5\nmain;work 3\n"));
  REQUIRE(line.end());
  CHECK(line.session.run(0)->call_trees.at(0).count.at(0) == 5);
  CHECK(has_note(*line.session.run(0), "bad-line"));
}

TEST_CASE(
    "A file that is given up keeps what was read, says why, and does not state a size that nobody "
    "knows") {
  Endless brackets("metrics.json", in_metrics, "[");
  REQUIRE(brackets.end());
  const Run& run = *brackets.session.run(0);
  CHECK(run.elapsed == 4);
  const auto found = std::find_if(run.data_notes.begin(), run.data_notes.end(),
                                  [](const DataNote& d) { return d.id == "broken-json"; });
  REQUIRE(found != run.data_notes.end());
  CHECK(found->offset == in_metrics.size() + json::max_depth - 1);
  CHECK(found->message.find("more than 1048576 levels") != std::string::npos);
  CHECK(is_absent(run.sources.at(0).size));
}

TEST_CASE("What is packed is unpacked only as far as it is wanted") {
  const PackedFile bomb(in_metrics + repeated("[", 30 * mebibyte));
  Counter counter;
  cli::read_bundles({bomb.path()}, counter);
  CHECK(counter.bytes <= 2 * mebibyte);
  REQUIRE(counter.session.finish());
  CHECK(counter.session.run(0)->elapsed == 4);
}

TEST_CASE("A string of much more than 64 MiB is not read") {
  const std::string most(64 * mebibyte, 'a');
  CHECK_FALSE(json_error("[\"" + most + "\"]"));
  // in pieces, as a file comes
  const std::string longer =
      with(small_metrics(), "/data/y.root", most + std::string(mebibyte, 'a'));
  OpenSession open("metrics.json", longer);
  const auto& notes = open.run().data_notes;
  const auto found = std::find_if(notes.begin(), notes.end(),
                                  [](const DataNote& d) { return d.id == "broken-json"; });
  REQUIRE(found != notes.end());
  CHECK(found->message ==
        "this is not valid JSON (a string of more than 67108864 bytes); what comes before it was "
        "read");
}

TEST_CASE(
    "What unpacks to 250 times its size is not unpacked to its end, by the command line either") {
  Session session;
  const PackedFile bomb(
      R"({"elapsed_time_seconds": 4, "tracking_data": null, "raw_chunk_metrics": [)" +
      std::string(40 * mebibyte, ' '));
  REQUIRE(cli::open_bundles(session, {bomb.path()}));
  const auto& notes = session.run(0)->data_notes;
  const auto found = std::find_if(notes.begin(), notes.end(),
                                  [](const DataNote& d) { return d.id == "unreadable"; });
  REQUIRE(found != notes.end());
  CHECK(found->message.find("more than 250 times as large") != std::string::npos);
  // what is small may be packed well
  const PackedFile small(small_metrics() + std::string(20 * mebibyte, ' '));
  REQUIRE(cli::open_bundles(session, {small.path()}));
  CHECK_FALSE(has_note(*session.run(1), "unreadable"));
}
