#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::test;

TEST_CASE("A row of the timeline is a tick, over the workers present") {
  const Table table = OpenSession("metrics.json", small_metrics()).ask("timeline");
  REQUIRE(table.rows() == 3);
  const auto at = [&](const char* column) { return table.number(column, 1); };
  CHECK(at("t") == 1);
  CHECK(at("workers") == 2);
  CHECK(at("cores") == 3);
  CHECK(at("active_tasks") == 3);
  CHECK(at("executing_tasks") == 2);
  CHECK(at("slot_use_mean") == Approx(1));
  CHECK(at("cpu_mean") == Approx(0.75));
  CHECK(at("cpu_min") == Approx(0.5));
  CHECK(at("cpu_max") == Approx(1));
  CHECK(at("memory_mean") == 300);
  CHECK(at("memory_min") == 200);
  CHECK(at("memory_max") == 400);
  CHECK(at("memory_limit") == 750);
  CHECK(at("memory_utilization_mean") == Approx(0.5));
  CHECK(at("nbytes") == 30);
  CHECK(at("occupancy") == 2);
  CHECK(at("last_seen_lag_max") == Approx(0.5));
}

TEST_CASE("CPU utilisation is active tasks / threads and may exceed 1") {
  const Table table = OpenSession("metrics.json", small_metrics()).ask("timeline");
  CHECK(table.number("slot_use_mean", 0) == Approx(0.5));
  CHECK(table.number("slot_use_min", 0) == 0);
  CHECK(table.number("slot_use_max", 2) == Approx(2));
}

TEST_CASE("A worker that left is in no later tick, and what nobody reported is missing") {
  const Table table = OpenSession("metrics.json", small_metrics()).ask("timeline");
  CHECK(table.number("workers", 2) == 1);
  CHECK(table.number("cores", 2) == 2);
  CHECK(table.number("memory_max", 2) == 300);
  CHECK(is_absent(table.number("nbytes", 2)));
}

TEST_CASE("Workers and time narrow the timeline, datasets do not and a note says so") {
  const OpenSession session("metrics.json", small_metrics());
  Selection one;
  one.workers = {"tcp://10.0.0.2:1002"};
  const Table of_one = session.ask("timeline", one);
  CHECK(of_one.number("cores", 0) == 1);
  CHECK(of_one.number("workers", 0) == 1);
  CHECK(of_one.number("workers", 2) == 0);
  Selection late;
  late.time = Selection::TimeRange{0.5, 3};
  CHECK(session.ask("timeline", late).rows() == 2);
  Selection dataset;
  dataset.datasets = {"x"};
  const Table of_dataset = session.ask("timeline", dataset);
  CHECK(of_dataset.number("cores", 0) == 3);
  CHECK_FALSE(note(of_dataset, "selection").empty());
}

TEST_CASE("Without tracking there is no tick, and a note says how to record them") {
  const Table table =
      OpenSession("metrics.json", without(small_metrics(), "tracking_data")).ask("timeline");
  CHECK(table.rows() == 0);
  CHECK(note(table, "missing").find("track_workers") != std::string::npos);
}
