// Threads that read slices of a large file: natively only.
#ifndef __EMSCRIPTEN__

#include "cli/slices.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "core/read/readers.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/random_bundle.hpp"
#include "tests/core/small_bundle.hpp"
#include "tests/core/told_series.hpp"

using namespace crema;
using namespace crema::test;

namespace {

/// Reads metrics.json, and counts.
class Taker : public cli::FileTaker {
 public:
  void begin(SourceId, const std::string&, std::uint64_t) override {}
  bool push(std::string_view bytes) override {
    pushed += bytes.size();
    reader_->push(bytes);
    return reader_->wants_more();
  }
  bool takes_slices() const override { return true; }
  bool take_slice(read::SeriesSlice&& slice) override {
    const bool taken = read::take_slice(*reader_, std::move(slice));
    slices += taken ? 1 : 0;
    return taken;
  }
  void end() override { reader_->finish(); }

  std::size_t pushed = 0, slices = 0;
  std::string told() const { return test::told(run_); }

 private:
  Run run_{std::make_shared<Names>()};
  std::unique_ptr<read::Reader> reader_ = read::metrics_format.open(run_, "metrics.json");
};

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content)
      : path_((std::filesystem::temp_directory_path() / "crema_test_slices.json").string()) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string told_at_once(const std::string& text) {
  return test::told(test::read_as(read::metrics_format, text));
}

}  // namespace

TEST_CASE("A file that threads read in slices is what it is at once") {
  std::size_t slices = 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    const std::string text = seed == 0 ? small_metrics() : RandomBundle(seed).metrics;
    const TemporaryFile file(text);
    const std::string expected = told_at_once(text);
    for (const std::uint64_t region : {40, 200, 500, 1500}) {
      for (const unsigned threads : {1U, 2U, 3U, 5U}) {
        Taker taker;
        const std::size_t first = seed * 7;
        taker.push(text.substr(0, first));
        CHECK(cli::push_in_slices(taker, file.path(), first, text.size(),
                                  static_cast<std::uint64_t>(region), threads)
                  .empty());
        taker.end();
        CHECK(taker.told() == expected);
        CHECK((threads > 1 || taker.slices == 0));
        CHECK((taker.pushed < text.size()) == (taker.slices > 0));
        slices += taker.slices;
      }
    }
  }
  CHECK(slices > 0);  // how many, the threads decide
}

TEST_CASE("A file that is broken, or ends sooner than it was said to, is no fault of its threads") {
  for (const std::string& text :
       std::vector<std::string>{small_metrics().substr(0, 2000), small_metrics() + "}",
                                std::string(3000, '['), std::string(3000, ' ')}) {
    const TemporaryFile file(text);
    Taker taker;
    CHECK(cli::push_in_slices(taker, file.path(), 0, text.size() + 500, 300, 3).empty());
    taker.end();
    CHECK(taker.told() == told_at_once(text));
  }
}

TEST_CASE("A file that has become longer is read to its end") {
  const std::string text = small_metrics();
  const TemporaryFile file(text);
  Taker taker;
  CHECK(cli::push_in_slices(taker, file.path(), 0, text.size() / 2, 300, 3).empty());
  taker.end();
  CHECK(taker.told() == told_at_once(text));
}

#endif
