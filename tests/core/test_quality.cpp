#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::test;

namespace {

Table quality_of(const std::string& text) {
  return OpenSession("metrics.json", text).ask("quality");
}

std::string message(const Table& quality, const std::string& id) {
  const std::size_t row = quality.row_of("id", id);
  return row == quality.rows() ? std::string() : std::string(quality.text("message", row));
}

}  // namespace

TEST_CASE("What was not recorded is a data note, and what was recorded is none") {
  const Table whole = quality_of(small_metrics());
  for (const char* id : {"no-metrics", "no-tracking", "no-chunks", "no-fine-metrics", "no-elapsed",
                         "lost-chunks", "bytes-not-collected", "cut-off"}) {
    CAPTURE(id);
    CHECK_FALSE(notes(whole, id));
  }
  CHECK(notes(whole, "no-profile"));
  CHECK(notes(quality_of(without(small_metrics(), "tracking_data")), "no-tracking"));
  CHECK(notes(quality_of(without(small_metrics(), "raw_chunk_metrics")), "no-chunks"));
  CHECK(notes(quality_of(without(small_metrics(), "raw_span_metrics")), "no-fine-metrics"));
  CHECK(notes(quality_of(with(small_metrics(), "\"elapsed_time_seconds\": 4.0, ", "")),
              "no-elapsed"));
}

TEST_CASE("A bundle without metrics says so") {
  const OpenSession session("report.json", R"({"bytesread": 1, "entries": 2, "processtime": 3})");
  CHECK(notes(session.ask("quality"), "no-metrics"));
}

TEST_CASE("Lost chunks are counted, with high severity") {
  const Table quality = quality_of(
      with(small_metrics(), "\"avg_cpu_time_per_chunk\": 2.5", "\"avg_cpu_time_per_chunk\": 1.25"));
  const std::size_t row = quality.row_of("id", "lost-chunks");
  REQUIRE(row < quality.rows());
  CHECK(quality.text("severity", row) == "high");
  CHECK(message(quality, "lost-chunks").substr(0, 7) == "2 of 4 ");
}

TEST_CASE("The stored number of cores is compared with the time average") {
  CHECK(message(quality_of(small_metrics()), "cores-inflated").find("3 counts every worker") !=
        std::string::npos);
  CHECK_FALSE(
      notes(quality_of(with(small_metrics(), "\"total_cores\": 3.0", "\"total_cores\": 2.5")),
            "cores-inflated"));
}

TEST_CASE("Bytes read outside process() are told in percent") {
  CHECK(message(quality_of(small_metrics()), "bytes-outside-process").substr(0, 6) == "12.5 %");
  CHECK_FALSE(notes(quality_of(with(small_metrics(), "\"total_bytes_read\": 8000000",
                                    "\"total_bytes_read\": 7000000")),
                    "bytes-outside-process"));
}

TEST_CASE("A zero in every chunk means that bytes were not collected") {
  const std::string text =
      with(with(small_metrics(), "\"bytes_read\": 3000000", "\"bytes_read\": 0"),
           "\"bytes_read\": 4000000", "\"bytes_read\": 0");
  CHECK(notes(quality_of(text), "bytes-not-collected"));
}

TEST_CASE(
    "A cut-off file, a wrong type and a broken file are told with file, byte and path, gravest "
    "first") {
  const std::string text =
      with(small_metrics(), "\"num_events\": 1000", "\"num_events\": \"many\"");
  const Table quality = quality_of(text.substr(0, text.size() - 50));
  CHECK(quality.text("id", 0) == "cut-off");
  CHECK(quality.text("severity", 0) == "high");
  CHECK(quality.text("file", 0) == "metrics.json");
  CHECK(quality.number("offset", 0) == static_cast<double>(text.size() - 50));
  const std::size_t wrong = quality.row_of("id", "wrong-type");
  REQUIRE(wrong < quality.rows());
  CHECK(quality.text("path", wrong) == "raw_chunk_metrics[0].num_events");
  CHECK(quality.number("offset", wrong) == static_cast<double>(text.find("\"many\"")));
}

TEST_CASE("The same note again is counted, not repeated") {
  std::string text = small_metrics();
  for (const char* value : {"100", "200", "300"})
    text = with(text, std::string(", ") + value + "]", std::string(", \"x\"]"));
  const Table quality = quality_of(text);
  const std::size_t row = quality.row_of("id", "wrong-type");
  REQUIRE(row < quality.rows());
  CHECK(quality.number("count", row) == 3);
}

TEST_CASE("Tracking that recorded no tick is said to be missing") {
  const std::string text = small_metrics();
  const auto begin = text.find("\"tracking_data\": {");
  const auto end = text.find("\"raw_chunk_metrics\"");
  const OpenSession session("metrics.json",
                            text.substr(0, begin) + "\"tracking_data\": {},\n " + text.substr(end));
  CHECK(notes(session.ask("quality"), "no-ticks"));
  for (const char* id : {"unresponsive", "unbalanced", "start-up", "tail", "idle-unknown"}) {
    CAPTURE(id);
    CHECK(session.ask("findings").row_of("id", id) == session.ask("findings").rows());
  }
}

TEST_CASE("What a truncated chunk list leaves out is not taken for time or bytes elsewhere") {
  // The first of two chunks, which has a third of the events.
  const std::string text = small_metrics();
  const auto cut = text.find("},\n  {\"t_start\": 1795255201.0");
  const std::string truncated =
      text.substr(0, cut) + "}]" + text.substr(text.find(",\n \"raw_span_metrics\""));
  const OpenSession session("metrics.json", truncated);
  const Table quality = session.ask("quality");
  CHECK(message(quality, "chunk-list-cut").substr(0, 43) ==
        "the chunk list holds 33.3 % of the events t");
  CHECK_FALSE(notes(quality, "bytes-outside-process"));
  CHECK_FALSE(notes(quality, "lost-chunks"));
  const Table findings = session.ask("findings");
  for (const char* id :
       {"outside-process", "large-chunks", "lost-chunks", "tail", "start-up", "unaccounted"}) {
    CAPTURE(id);
    CHECK(findings.row_of("id", id) == findings.rows());
  }
  // The tasks' seconds are whole: they are not split at chunks that are not all there.
  CHECK(is_absent(core_seconds(session.ask("budget"), "outside_process")));
  CHECK(core_seconds(session.ask("budget"), "processor_tasks") == Approx(6));
}
