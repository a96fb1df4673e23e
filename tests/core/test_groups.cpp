#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::test;

TEST_CASE("A dataset's row sums its chunks") {
  const Table table = OpenSession("metrics.json", small_metrics()).ask("datasets");
  REQUIRE(table.rows() == 2);
  CHECK(table.text("name", 0) == "x");
  CHECK(table.number("chunks", 0) == 1);
  CHECK(table.number("seconds", 0) == 2);
  CHECK(table.number("share", 0) == Approx(0.4));
  CHECK(table.number("events", 0) == 1000);
  CHECK(table.number("events_per_second", 0) == Approx(500));
  CHECK(table.number("seconds_per_event", 0) == Approx(0.002));
  CHECK(table.number("bytes", 0) == 3e6);
  CHECK(table.number("bytes_per_second", 0) == Approx(1.5e6));
  CHECK(table.number("memory_delta_mean", 0) == 1048576);
  CHECK(is_absent(table.number("std", 0)));  // of one chunk
  CHECK(table.number("share", 1) == Approx(0.6));
}

TEST_CASE("Files and hosts are groups, too; a path without a scheme is local") {
  const OpenSession session("metrics.json", small_metrics());
  const Table files = session.ask("files");
  CHECK(files.rows() == 2);
  CHECK(files.number("events", files.row_of("name", "/data/y.root")) == 2000);
  const Table hosts = session.ask("hosts");
  CHECK(hosts.number("events", hosts.row_of("name", "eos.example")) == 1000);
  CHECK(hosts.number("events", hosts.row_of("name", "local")) == 2000);
}

TEST_CASE("Chunks without a dataset are a group without a name") {
  const Table table =
      OpenSession("metrics.json", with(small_metrics(), "\"dataset\": \"x\"", "\"dataset\": null"))
          .ask("datasets");
  REQUIRE(table.rows() == 2);
  CHECK(table.text("name", 0).empty());
  CHECK(table.number("events", 0) == 1000);
}

TEST_CASE("Durations of many chunks: extremes, percentiles, and the line through them") {
  // Eleven chunks of 0, 100, … 1000 events that take 1 s and 0.002 s per event.
  std::string list;
  for (int i = 0; i <= 10; ++i) {
    list += (i == 0 ? "" : ",") +
            std::string("{\"dataset\": \"d\", \"t_start\": 1795255200, \"t_end\": ") +
            std::to_string(1795255201 + i) + ", \"duration\": " + std::to_string(1 + 0.2 * i) +
            ", \"num_events\": " + std::to_string(100 * i) + "}";
  }
  const Table table =
      OpenSession("metrics.json", "{\"raw_chunk_metrics\": [" + list + "]}").ask("datasets");
  REQUIRE(table.rows() == 1);
  CHECK(table.number("min", 0) == Approx(1));
  CHECK(table.number("max", 0) == Approx(3));
  CHECK(table.number("p50", 0) == Approx(2));
  CHECK(table.number("p95", 0) == Approx(2.9));
  CHECK(table.number("mean", 0) == Approx(2));
  CHECK(table.number("std", 0) == Approx(0.2 * std::sqrt(11.0)));
  CHECK(table.number("fixed_seconds", 0) == Approx(1));
  CHECK(table.number("seconds_per_event_slope", 0) == Approx(0.002));
}

TEST_CASE("Bytes that were not recorded are missing in every group") {
  const std::string text =
      with(with(small_metrics(), "\"bytes_read\": 3000000", "\"bytes_read\": 0"),
           "\"bytes_read\": 4000000", "\"bytes_read\": 0");
  const Table table = OpenSession("metrics.json", text).ask("datasets");
  CHECK(is_absent(table.number("bytes", 0)));
  CHECK(is_absent(table.number("bytes_per_second", 1)));
}

TEST_CASE("Under a time selection, sums are cut to it and durations stay whole") {
  Selection selection;
  selection.time = Selection::TimeRange{0, 2};
  const Table table = OpenSession("metrics.json", small_metrics()).ask("datasets", selection);
  CHECK(table.number("seconds", 0) == Approx(1.5));
  CHECK(table.number("events", 0) == Approx(750));
  CHECK(table.number("seconds", 1) == Approx(1));
  CHECK(table.number("max", 1) == 3);
}
