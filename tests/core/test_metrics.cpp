#include <algorithm>

#include "core/model/stored_names.hpp"
#include "core/read/list.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"

using namespace crema;
using namespace crema::read;
using namespace crema::test;

namespace {

Run read_text(const std::string& text) { return read_as(metrics_format, text); }

const Stored& stored(const Run& run, std::string_view id) {
  for (const Stored& s : run.stored) {
    if (s.id == id) return s;
  }
  throw std::runtime_error("not stored: " + std::string(id));
}

bool has_stored(const Run& run, std::string_view id) {
  return std::any_of(run.stored.begin(), run.stored.end(),
                     [&](const Stored& s) { return s.id == id; });
}

}  // namespace

TEST_CASE("The numbers of a flat metrics.json are kept under their keys") {
  const Run run = read_text(
      R"({"total_events": 12, "data_rate_gbps": 0.5, "core_efficiency": null, "elapsed_time_seconds": 70.5})");
  CHECK(stored(run, "total_events").value == 12);
  CHECK(stored(run, "data_rate_gbps").key == "data_rate_gbps");
  CHECK(has_stored(run, "core_efficiency"));
  CHECK(is_absent(run.stored_value("core_efficiency")));
  CHECK_FALSE(has_stored(run, "total_cores"));
  CHECK(run.elapsed == 70.5);
  CHECK(run.schema == "roastcoffea flat 0.1.x");
}

TEST_CASE("Keys of before 2025-12-13 become today's, in today's unit") {
  const Run run = read_text(
      R"({"overall_rate_gbps": 0.5, "wall_time": 10, "event_rate_core_hz": 25000, "processor_noncpu_percentage": 9})");
  CHECK(stored(run, "data_rate_gbps").value == 0.5);
  CHECK(stored(run, "data_rate_gbps").key == "overall_rate_gbps");
  CHECK(run.elapsed == 10);
  CHECK(stored(run, "event_rate_core_khz").value == Approx(25));
  CHECK(stored(run, "processor_io_wait_percent").value == 9);
  CHECK(run.schema == "roastcoffea flat, before 2025-12-13");
}

TEST_CASE("The nested schema is read by its paths") {
  const Run run = read_text(
      R"({"raw": {"workers": null, "tasks": null, "chunks": [{"t_start": 5, "t_end": 6, "num_events": 7}], "sections": null},
    "summary": {"events": {"total": 7, "rate_wall_khz": 1.5}, "timing": {"wall_seconds": 3, "num_chunks": 4},
                "chunks": {"num_chunks": 1, "sections": null}}})");
  CHECK(stored(run, "total_events").key == "summary.events.total");
  CHECK(stored(run, "event_rate_elapsed_khz").value == 1.5);
  CHECK(stored(run, "report_num_chunks").value == 4);
  CHECK(stored(run, "num_chunks").value == 1);
  CHECK(run.elapsed == 3);
  CHECK(run.chunks.size() == 1);
  CHECK_FALSE(run.tracked);
  CHECK_FALSE(run.activities_recorded);
  CHECK_FALSE(has_stored(run, "chunks.sections"));
  CHECK(run.schema == "roastcoffea nested");
  CHECK(run.data_notes.empty());
}

TEST_CASE("Every alias leads to a number of 0.1.2") {
  for (const char* key : {"overall_rate_mbps", "event_rate_agg_khz", "total_bytes_read_coffea",
                          "cpu_time_seconds", "overhead_noncpu_time_seconds"}) {
    CAPTURE(key);
    CHECK(is_stored_number(flat_name(key).id));
    CHECK(flat_name(key).old_flat);
  }
  for (const char* path : {"throughput.bytes_read", "resources.workers_avg", "efficiency.speedup",
                           "fine.processor_io_seconds", "data_access.total_branches_read",
                           "chunks.mem_delta_std_mb"}) {
    CAPTURE(path);
    CHECK(is_stored_number(nested_name(path).id));
  }
  CHECK(flat_name("my_number").id == "my_number");
  CHECK(nested_name("my.number").id == "my.number");
}

TEST_CASE("Nested numbers of a flat file are named by their path") {
  const Run run = read_text(
      R"({"total_events": 1, "per_dataset": {"zprime": {"num_chunks": 3}}, "chunk_notes": ["a", 1]})");
  CHECK(stored(run, "per_dataset.zprime.num_chunks").value == 3);
}

TEST_CASE(
    "The same key twice holds its last value, and today's key counts more than its old name") {
  CHECK(read_text(R"({"total_events": 1, "total_events": 2})").stored_value("total_events") == 2);
  CHECK(read_text(R"({"wall_time": 1, "elapsed_time_seconds": 2})").elapsed == 2);
  CHECK(read_text(R"({"elapsed_time_seconds": 2, "wall_time": 1})").elapsed == 2);
}

TEST_CASE("A known number of another type is reported, an unknown key of any type is not") {
  for (const char* wrong : {"\"12\"", "true", "[12]", "{\"a\": 12}", "Infinity"}) {
    CAPTURE(wrong);
    const Run run =
        read_text(std::string("{\"data_rate_gbps\": 1, \"total_events\": ") + wrong + "}");
    CHECK_FALSE(has_stored(run, "total_events"));
    REQUIRE(run.data_notes.size() == 1);
    CHECK(run.data_notes[0].id == "wrong-type");
    CHECK(run.data_notes[0].path == "total_events");
    CHECK(run.data_notes[0].offset == 38);
  }
  CHECK(read_text(R"({"total_events": 1, "comment": "x", "list": [1], "flag": true})")
            .data_notes.empty());
}

TEST_CASE("A length of the run that is not above 0 is left out, with a note") {
  for (const char* wrong : {"0", "-3"}) {
    const Run run = read_text(std::string("{\"elapsed_time_seconds\": ") + wrong + "}");
    CHECK(is_absent(run.elapsed));
    CHECK(has_note(run, "elapsed"));
  }
}

TEST_CASE("Empty span metrics are no fine metrics") {
  CHECK_FALSE(read_text(R"({"raw_span_metrics": {}})").activities_recorded);
  CHECK_FALSE(read_text(R"({"raw_span_metrics": null})").activities_recorded);
  CHECK(read_text(R"j({"raw_span_metrics": {"('execute', 'P', 'other', 'seconds')": 0}})j")
            .activities_recorded);
}

TEST_CASE("Numbers nested 10,000 deep are passed by in little memory") {
  std::string text = "{\"total_events\": 5, \"x\": ";
  for (int i = 0; i < 10000; ++i) text += "{\"a\": ";
  text += "1" + std::string(10000, '}') + "}";
  const Run run = read_text(text);
  CHECK(run.stored.size() == 1);
  CHECK(run.data_notes.empty());
}

TEST_CASE("A file that is cut off keeps what is complete and says where it ends") {
  const std::string text =
      R"({"total_events": 5, "raw_chunk_metrics": [{"t_start": 1, "num_events": 2}, {"t_start": 3, "num_ev)";
  const Run run = read_text(text);
  CHECK(run.stored_value("total_events") == 5);
  CHECK(run.chunks.size() == 1);
  REQUIRE(has_note(run, "cut-off"));
  CHECK(run.data_notes.back().offset == text.size());
  CHECK(run.data_notes.back().path.substr(0, 20) == "raw_chunk_metrics[1]");
}
