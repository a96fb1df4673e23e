#include "core/read/roastcoffea/metrics.hpp"

#include "core/read/list.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"

using namespace crema;
using namespace crema::read;
using namespace crema::test;

namespace {

Run read_tracking(const std::string& members) {
  return read_as(metrics_format, "{\"tracking_data\": {" + members + "}}");
}

const TickSeries& series(const Run& run, Series which, std::size_t worker = 0) {
  return run.workers.of(which, worker);
}

}  // namespace

TEST_CASE("Ticks are stored once, and series are contiguous from their first tick") {
  const Run run = read_tracking(
      R"("worker_counts": {"2026-11-21T10:00:00": 1, "2026-11-21T10:00:01.5": 2, "2026-11-21T10:00:03": 1},
    "worker_memory": {"w1": [["2026-11-21T10:00:00", 10], ["2026-11-21T10:00:01.5", 20], ["2026-11-21T10:00:03", 30]],
                      "w2": [["2026-11-21T10:00:01.5", 5]]},
    "worker_cpu": {"w2": [["2026-11-21T10:00:01.5", 150.0]]})");
  CHECK(run.tracked);
  CHECK(run.tick_naive ==
        std::vector<std::int64_t>{1795255200000000, 1795255201500000, 1795255203000000});
  CHECK(run.worker_counts == std::vector<double>{1, 2, 1});
  REQUIRE(run.workers.size() == 2);
  CHECK(series(run, Series::memory).values == std::vector<double>{10, 20, 30});
  CHECK(series(run, Series::memory, 1).first_tick == 1);
  CHECK(series(run, Series::memory, 1).values == std::vector<double>{5});
  CHECK(series(run, Series::cpu, 1).values == std::vector<double>{1.5});
  CHECK(series(run, Series::cpu, 0).empty());
  CHECK(run.data_notes.empty());
}

TEST_CASE("All nine series of roastcoffea are read, others are passed by") {
  for (const std::string_view& name : series_names) {
    const Run run = read_tracking("\"worker_" + std::string(name) +
                                  "\": {\"w\": [[\"2026-11-21T10:00:00\", 4]]}");
    CAPTURE(std::string(name));
    const auto which = static_cast<Series>(&name - series_names.data());
    CHECK(series(run, which).values == std::vector<double>{which == Series::cpu ? 0.04 : 4});
  }
  CHECK(read_tracking(R"("worker_gpu": {"w": [["2026-11-21T10:00:00", 4]]}, "other": 3)")
            .workers.size() == 0);
}

TEST_CASE("A value that a worker lacks at a tick is absent there") {
  const Run run = read_tracking(
      R"("worker_memory": {"a": [["2026-11-21T10:00:00", 1], ["2026-11-21T10:00:01", null], ["2026-11-21T10:00:02", NaN],
                                                            ["2026-11-21T10:00:03", 4]],
                                                     "b": [["2026-11-21T10:00:00", 7], ["2026-11-21T10:00:03", 8]]})");
  const TickSeries& a = series(run, Series::memory, 0);
  CHECK(a.values.size() == 4);
  CHECK(is_absent(a.at(1)));
  CHECK(is_absent(a.at(2)));
  CHECK(a.at(3) == 4);
  CHECK(is_absent(series(run, Series::memory, 1).at(1)));
  CHECK(series(run, Series::memory, 1).at(3) == 8);
  CHECK(is_absent(a.at(99)));
}

TEST_CASE("Ticks without worker counts come in the order in which series show them") {
  const Run run = read_tracking(
      R"("worker_memory": {"late": [["2026-11-21T10:00:05", 1]], "early": [["2026-11-21T10:00:00", 2], ["2026-11-21T10:00:05", 3]]})");
  CHECK(run.tick_naive.size() == 2);
  CHECK(run.tick_naive[0] > run.tick_naive[1]);  // settle_clock puts them in order
  CHECK(series(run, Series::memory, 1).values.size() == 2);
  CHECK(is_absent(run.worker_counts[0]));
}

TEST_CASE("The same tick twice in a series holds its last value") {
  const Run run = read_tracking(
      R"("worker_memory": {"w": [["2026-11-21T10:00:00", 1], ["2026-11-21T10:00:00", 2]]})");
  CHECK(run.tick_naive.size() == 1);
  CHECK(series(run, Series::memory).values == std::vector<double>{2});
}

TEST_CASE("Values and times of another kind are left out, with their path") {
  const std::vector<std::string> wrong = {
      R"("worker_memory": {"w": [["yesterday", 1]]})",
      R"("worker_memory": {"w": [["2026-11-21T10:00:00", "1"]]})",
      R"("worker_memory": {"w": [["2026-11-21T10:00:00", -1]]})",
      R"("worker_memory": {"w": [["2026-11-21T10:00:00", "2026-11-21T10:00:00"]]})",
      R"("worker_memory": {"w": [[1, "2026-11-21T10:00:00"]]})",
      R"("worker_memory": {"w": [5]})",
      R"("worker_memory": {"w": {"2026-11-21T10:00:00": 1}})",
      R"("worker_memory": [["2026-11-21T10:00:00", 1]])",
      R"("worker_memory": {"w": [["2026-11-21T10:00:00", Infinity]]})",
      R"("worker_counts": {"soon": 1})",
      R"("worker_counts": {"2026-11-21T10:00:00": "1"})",
      R"("worker_counts": [1])",
      R"("worker_counts": {"2026-11-21T10:00:00": -1})"};
  for (const std::string& members : wrong) {
    CAPTURE(members);
    const Run run = read_tracking(members);
    CHECK(has_note(run, "wrong-type"));
    for (std::size_t i = 0; i < run.workers.size(); ++i)
      CHECK(series(run, Series::memory, i).empty());
    for (const double count : run.worker_counts) CHECK(is_absent(count));
  }
}

TEST_CASE("A pair may have more than two elements, an empty series is no worker's presence") {
  const Run run = read_tracking(
      R"("worker_memory": {"a": [["2026-11-21T10:00:00", 1, "extra", {}]], "b": []})");
  CHECK(run.workers.size() == 2);
  CHECK(series(run, Series::memory, 0).values == std::vector<double>{1});
  CHECK(series(run, Series::memory, 1).empty());
  CHECK(run.data_notes.empty());
}

TEST_CASE("tracking_data of null is no tracking, an empty one is") {
  CHECK_FALSE(read_as(metrics_format, R"({"tracking_data": null})").tracked);
  CHECK(read_tracking("").tracked);
}
