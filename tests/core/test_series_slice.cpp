#include "core/read/series_slice.hpp"

#include "core/read/readers.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/random_bundle.hpp"
#include "tests/core/read_sliced.hpp"
#include "tests/core/small_bundle.hpp"
#include "tests/core/told_series.hpp"

using namespace crema;
using namespace crema::read;
using namespace crema::test;

namespace {

std::string told_at_once(const std::string& text) { return told(read_as(metrics_format, text)); }

/// A series of two workers with three ticks, and what stands around it.
std::string with_series(const std::string& before, const std::string& value = "2") {
  return R"({"tracking_data": {)" + before +
         R"("worker_cpu": {"a": [["2026-11-21T10:00:00", 1], ["2026-11-21T10:00:01", 2]],)"
         "\n"
         R"( "b": [["2026-11-21T10:00:01", )" +
         value +
         R"(], ["2026-11-21T10:00:02", 3]], "c": [["2026-11-21T10:00:05", 9]] },)"
         R"( "worker_memory": {"d": [["2026-11-21T10:00:09", 1], ["2026-11-21T10:00:10", 1]]}},)"
         R"( "total_cores": 3})";
}

}  // namespace

TEST_CASE("Slices begin behind two brackets, a comma and a quote, and end where the next does") {
  const std::string text = with_series("");
  const std::vector<SeriesSlice> slices = slices_of(text, 40, 120);
  REQUIRE(slices.size() == 1);
  const SeriesSlice& slice = slices[0];
  CHECK(text.substr(slice.begin, 4) == "\"b\":");
  CHECK(text.substr(slice.end, 4) == "\"c\":");
  CHECK_FALSE(slice.is_last);
  CHECK(slice.last == "b");
  CHECK(slice.addresses == std::vector<std::string>{"b"});
  CHECK(slice.times == std::vector<std::string>{"2026-11-21T10:00:01", "2026-11-21T10:00:02"});
  CHECK(slice.series[0].values == std::vector<double>{2, 3});  // as written: percent

  const std::vector<SeriesSlice> last = slices_of(text, 120, 300);
  REQUIRE(last.size() == 1);
  CHECK(text.substr(last[0].begin, 4) == "\"c\":");
  CHECK(text.substr(last[0].end, 4) == "}, \"");
  CHECK(last[0].is_last);

  // of a region all, each as short as may be
  const std::vector<SeriesSlice> all = slices_of(text, 0, 300, 1);
  REQUIRE(all.size() == 2);
  CHECK(all[0].end == all[1].begin);
  CHECK(slices_of(text, 0, 300).size() == 1);

  // there is none in a region where no member begins, nor where the file ends first
  CHECK(slices_of(text, 40, 60).empty());
  CHECK(slices_of(text.substr(0, 140), 120, 300).empty());
}

TEST_CASE("A file in slices is what it is at once, wherever they are cut") {
  std::size_t taken = 0;
  std::vector<std::string> texts = {small_metrics(), with_series(""),
                                    // a worker twice, ticks in another order
                                    with_series(R"("worker_nbytes": {"a": [], "b": null}, )")};
  for (unsigned seed = 0; seed < 6; ++seed) texts.push_back(RandomBundle(seed).metrics);
  for (const std::string& text : texts) {
    const std::string expected = told_at_once(text);
    for (std::size_t size = 1; size < text.size(); size += 1 + size / 9) {
      const Sliced sliced = read_sliced(text, size, 1 + size * 5 % 400, 1 + size * 7 % 200);
      CHECK(sliced.told == expected);
      taken += sliced.taken;
    }
  }
  CHECK(taken > 1000);
}

TEST_CASE("What a slice cannot hold is read in its place: doubts keep their offset and path") {
  for (const char* value : {"-1", "\"2\"", "1e400", "[2]", "{\"x\": [[1]],\"y\": 2}", "2, 3",
                            "null", "NaN", "\"]], \\\"b\\\": [[\"", "#", "tru", "01"}) {
    CAPTURE(value);
    const std::string text =
        with_series(R"("worker_counts": {"2026-11-21T10:00:00": -2}, )", value);
    const std::string expected = told_at_once(text);
    for (std::size_t size = 1; size < text.size(); ++size)
      CHECK(read_sliced(text, size).told == expected);
  }
}

TEST_CASE("A guess that was wrong changes nothing") {
  const std::string series = R"("x": [["2026-11-21T10:00:00", 1], ["2026-11-21T10:00:01", 2]])";
  // looks like members of a series, and is: a part of a text, of what is skipped, of a chunk, of
  // another level
  std::string quoted;
  for (const char c : "[[]], " + series + "}") quoted += c == '"' ? "\\\"" : std::string(1, c);
  const std::vector<std::string> texts = {
      R"({"tracking_data": {"worker_cpu": {"[[]], )" + quoted + R"(": []}}})",
      R"({"unknown": {"a": [[]], )" + series + R"(}, "tracking_data": {"worker_cpu": {}}})",
      R"({"tracking_data": {"worker_new": {"a": [[]], )" + series + R"(}, "worker_cpu": {}}})",
      R"({"tracking_data": {"worker_cpu": {"b": {"a": [[]], )" + series + R"(}}}})",
      R"({"tracking_data": {"worker_counts": {"a": [[]], )" + series + R"(}}})",
      R"({"tracking_data": {}, "raw_chunk_metrics": [{"a": [[]], )" + series + R"(}]})",
      R"([[]], )" + series + "}"};
  std::size_t offered = 0;
  for (const std::string& text : texts) {
    const std::string expected = told_at_once(text);
    for (std::size_t size = 1; size < text.size(); ++size) {
      const Sliced sliced = read_sliced(text, size);
      CHECK(sliced.told == expected);
      CHECK(sliced.taken == 0);
      offered += sliced.offered;
    }
  }
  CHECK(offered > 100);
}

TEST_CASE("A broken file is read in slices as it is at once") {
  const std::string whole = with_series("");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string broken = whole;
    broken[at] = "#\"]},["[at % 6];
    for (const std::string& text : {broken, whole.substr(0, at)}) {
      const std::string expected = told_at_once(text);
      for (const std::size_t size : {30, 50, 77, 110})
        CHECK(read_sliced(text, static_cast<std::size_t>(size)).told == expected);
    }
  }
}

TEST_CASE("A session takes slices of the files that have any, in their place alone") {
  Session session;
  const std::string text = small_metrics();
  const SourceId source = session.begin_source("", {});
  const FileId file = session.add_file(source, "metrics.json", text.size());
  const FileId other = session.add_file(source, "config.json", 2);
  session.push(other, std::string_view("{}"));
  CHECK_FALSE(session.takes_slices(file));  // it has not been recognised yet
  CHECK_FALSE(session.takes_slices(other));
  CHECK_FALSE(session.take_slice(other, SeriesSlice{}));
  CHECK_FALSE(session.take_slice(77, SeriesSlice{}));
}

TEST_CASE("A session puts a slice where its bytes would have been") {
  const std::string text = small_metrics();
  const std::vector<SeriesSlice> slices = slices_of(text, text.size() / 3, text.size());
  REQUIRE_FALSE(slices.empty());
  std::vector<std::string> opened;
  for (const bool sliced : {false, true}) {
    Session session(0, HeadSize{200, 400});
    const FileId file = session.add_file(session.begin_source("", {}), "metrics.json", text.size());
    std::size_t at = 0;
    const auto push_up_to = [&](std::size_t end) {
      session.push(file, std::string_view(text).substr(at, end - at));
      at = end;
    };
    if (sliced) {
      push_up_to(slices[0].begin);
      REQUIRE(session.takes_slices(file));
      REQUIRE(session.take_slice(file, SeriesSlice(slices[0])));
      at = slices[0].end;
    }
    push_up_to(text.size());
    session.finish_file(file);
    REQUIRE(session.finish());
    opened.push_back(told(*session.run(0)));
    CHECK(session.run(0)->sources.at(0).size == static_cast<double>(text.size()));
  }
  CHECK(opened[0] == opened[1]);
}
