#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"
#include "tests/core/test_data.hpp"

using namespace crema;
using namespace crema::test;

namespace {

std::vector<double> column(const Table& table, std::string_view name) {
  return table.find(name)->numbers;
}

double integral(const Table& table, std::string_view rate) {
  double sum = 0;
  for (std::size_t row = 0; row < table.rows(); ++row)
    sum += table.number(rate, row) * (table.number("t1", row) - table.number("t0", row));
  return sum;
}

}  // namespace

TEST_CASE("Bytes and events are spread evenly over each chunk's time") {
  const Table table =
      OpenSession("metrics.json", small_metrics()).ask("throughput", {}, option("bins", "4"));
  REQUIRE(table.rows() == 4);
  CHECK(column(table, "t0") == std::vector<double>{0, 1, 2, 3});
  CHECK(column(table, "t1") == std::vector<double>{1, 2, 3, 4});
  const std::vector<double> bytes = {0.75e6, 1.5e6 + 4e6 / 3, 0.75e6 + 4e6 / 3, 4e6 / 3};
  const std::vector<double> events = {250, 500 + 2000.0 / 3, 250 + 2000.0 / 3, 2000.0 / 3};
  const std::vector<double> running = {0.5, 2, 1.5, 1};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(table.number("bytes_per_second", i) == Approx(bytes[i]));
    CHECK(table.number("events_per_second", i) == Approx(events[i]));
    CHECK(table.number("chunks_running", i) == Approx(running[i]));
    CHECK(table.number("coverage", i) == Approx(7.0 / 8));
  }
}

TEST_CASE(
    "The sum over the intervals is the sum over the chunks, whatever the number of intervals") {
  const OpenSession session("metrics.json", small_metrics());
  for (const char* bins : {"1", "2", "3", "7", "200", "1000", "99999"}) {
    CAPTURE(bins);
    const Table table = session.ask("throughput", {}, option("bins", bins));
    CHECK(integral(table, "bytes_per_second") == Approx(7e6).epsilon(1e-9));
    CHECK(integral(table, "events_per_second") == Approx(3000).epsilon(1e-9));
    CHECK(integral(table, "chunks_running") == Approx(5).epsilon(1e-9));
  }
}

TEST_CASE("A recorded run's intervals hold what its chunks inside the run's time read") {
  const OpenSession session(
      std::vector<File>{{"m/metrics.json", read_test_file("ab-before/metrics.json")}});
  const Run& run = session.run();
  double bytes = 0;
  for (std::size_t i = 0; i < run.chunks.size(); ++i) {
    const double begin = run.chunks.t_start[i];
    const double end = run.chunks.t_end[i];
    bytes += run.chunks.bytes_read[i] * (std::min(end, run.elapsed) - std::max(begin, 0.0)) /
             (end - begin);
  }
  for (const char* bins : {"1", "13", "500"})
    CHECK(integral(session.ask("throughput", {}, option("bins", bins)), "bytes_per_second") ==
          Approx(bytes).epsilon(1e-9));
}

TEST_CASE("A chunk without length is in one interval, a chunk without times in none") {
  const std::string instant =
      with(small_metrics(), "\"t_end\": 1795255202.5", "\"t_end\": 1795255200.5");
  const OpenSession session("metrics.json", instant);
  CHECK(integral(session.ask("throughput", {}, option("bins", "4")), "bytes_per_second") ==
        Approx(7e6));
  CHECK(session.ask("throughput", {}, option("bins", "4")).number("bytes_per_second", 0) ==
        Approx(3e6));
  const std::string timeless = with(small_metrics(), "\"t_end\": 1795255202.5", "\"t_end\": 0");
  CHECK(integral(OpenSession("metrics.json", timeless).ask("throughput"), "bytes_per_second") ==
        Approx(4e6));
}

TEST_CASE("Selected chunks are drawn alone, a selected time shows its intervals") {
  const OpenSession session("metrics.json", small_metrics());
  Selection x;
  x.datasets = {"x"};
  CHECK(integral(session.ask("throughput", x, option("bins", "5")), "bytes_per_second") ==
        Approx(3e6));
  Selection middle;
  middle.time = Selection::TimeRange{1, 2};
  const Table table = session.ask("throughput", middle, option("bins", "4"));
  REQUIRE(table.rows() == 1);
  CHECK(table.number("chunks_running", 0) == Approx(2));
  const Table zoomed = session.ask(
      "throughput", middle,
      Options(std::map<std::string, std::string>{{"bins", "2"}, {"window", "selection"}}));
  CHECK(column(zoomed, "t0") == std::vector<double>{1, 1.5});
}

TEST_CASE(
    "Bytes that no chunk recorded are missing, not 0; without chunks there is nothing to draw") {
  std::string text = with(with(small_metrics(), "\"bytes_read\": 3000000", "\"bytes_read\": 0"),
                          "\"bytes_read\": 4000000", "\"bytes_read\": 0");
  const Table table = OpenSession("metrics.json", text).ask("throughput", {}, option("bins", "1"));
  CHECK(is_absent(table.number("bytes_per_second", 0)));
  CHECK(is_absent(table.number("coverage", 0)));
  CHECK(table.number("events_per_second", 0) == Approx(750));
  const Table none =
      OpenSession("metrics.json", without(small_metrics(), "raw_chunk_metrics")).ask("throughput");
  CHECK(none.rows() == 0);
  CHECK_FALSE(note(none, "missing").empty());
}

TEST_CASE("How far the events have come at the end of each interval") {
  // [0, 2]: 1.5 of chunk 0's 2 s are 750 events, 1 of chunk 1's 3 s is 667, of 3000
  const Table table =
      OpenSession("metrics.json", small_metrics()).ask("throughput", {}, option("bins", "2"));
  CHECK(table.number("events_done", 0) == Approx((750 + 2000.0 / 3) / 3000));
  CHECK(table.number("events_done", 1) == Approx(1));
}
