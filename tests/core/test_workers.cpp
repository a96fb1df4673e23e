#include "core/report/answer_text.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::test;

namespace {

/// A run of workers that are present at ticks [first, last] of 0 … 9, one per second.
struct Present {
  std::string address;
  int first, last;
};

std::string tracking(const std::vector<Present>& workers) {
  const auto time = [](int tick) { return "\"2026-11-21T10:00:0" + std::to_string(tick) + "\""; };
  std::string counts, memory;
  for (int tick = 0; tick < 10; ++tick) counts += (tick == 0 ? "" : ", ") + time(tick) + ": 1";
  for (const Present& w : workers) {
    memory += (memory.empty() ? "\"" : ", \"") + w.address + "\": [";
    for (int tick = w.first; tick <= w.last; ++tick)
      memory += (tick == w.first ? "[" : ", [") + time(tick) + ", 1]";
    memory += "]";
  }
  return "{\"tracking_data\": {\"worker_counts\": {" + counts + "}, \"worker_memory\": {" + memory +
         "}}}";
}

std::string restarted_from(const OpenSession& session, const std::string& worker) {
  const Table table = session.ask("workers");
  return std::string(table.text("restarted_from", table.row_of("worker", worker)));
}

}  // namespace

TEST_CASE("A worker has its threads, limit, times and means") {
  const Table table = OpenSession("metrics.json", small_metrics()).ask("workers");
  REQUIRE(table.rows() == 2);
  CHECK(table.text("worker", 0) == "tcp://10.0.0.1:1001");
  CHECK(table.text("host", 0) == "10.0.0.1");
  CHECK(table.text("name", 0).empty());
  CHECK(table.number("nthreads", 0) == 2);
  CHECK(table.number("memory_limit", 0) == 1000);
  CHECK(table.number("first_seen", 0) == 0);
  CHECK(table.number("last_seen", 0) == 2);
  CHECK(table.number("memory_mean", 0) == 200);
  CHECK(table.number("memory_peak", 0) == 300);
  CHECK(table.number("cpu_mean", 0) == Approx(0.5));
  CHECK(table.number("active_mean", 0) == 2);
  CHECK(table.number("executing_mean", 0) == 1);
}

TEST_CASE("A worker whose series begin after those of the first joined late") {
  const Table table =
      OpenSession("metrics.json", tracking({{"tcp://h1:1", 0, 9}, {"tcp://h2:2", 5, 9}}))
          .ask("workers");
  CHECK(table.number("joined_late", table.row_of("worker", "tcp://h1:1")) == 0);
  CHECK(table.number("joined_late", table.row_of("worker", "tcp://h2:2")) == 1);
}

TEST_CASE("A worker whose series end before the last tick left early") {
  const Table table = OpenSession("metrics.json", small_metrics()).ask("workers");
  CHECK(table.number("left_early", 0) == 0);
  CHECK(table.number("left_early", 1) == 1);
  CHECK(table.number("last_seen", 1) == 1);
}

TEST_CASE(
    "A worker that appears on the host of one that ended within 5 s is taken for its restart") {
  const OpenSession session("metrics.json", tracking({{"tcp://h1:1", 0, 3},
                                                      {"tcp://h1:2", 5, 9},
                                                      {"tcp://h2:3", 5, 9},
                                                      {"tcp://h1:4", 0, 9}}));
  CHECK(restarted_from(session, "tcp://h1:2") == "tcp://h1:1");
  CHECK(restarted_from(session, "tcp://h2:3").empty());
  CHECK(restarted_from(session, "tcp://h1:1").empty());
}

TEST_CASE("A worker is restarted once, and a much later one is a new worker") {
  const OpenSession twice(
      "metrics.json", tracking({{"tcp://h1:1", 0, 3}, {"tcp://h1:2", 4, 9}, {"tcp://h1:3", 4, 9}}));
  CHECK(restarted_from(twice, "tcp://h1:2") == "tcp://h1:1");
  CHECK(restarted_from(twice, "tcp://h1:3").empty());
  const OpenSession late("metrics.json", tracking({{"tcp://h1:1", 0, 1}, {"tcp://h1:2", 8, 9}}));
  CHECK(restarted_from(late, "tcp://h1:2").empty());
}

TEST_CASE("Equal names make a restart certain, on any host and at any time") {
  const OpenSession session(std::vector<File>{
      {"m/metrics.json", tracking({{"tcp://h1:1", 0, 1}, {"tcp://h2:2", 8, 9}})},
      {"m/info.json",
       R"({"type": "Scheduler", "workers": {"tcp://h1:1": {"name": "job-7"}, "tcp://h2:2": {"name": "job-7"}}})"}});
  CHECK(restarted_from(session, "tcp://h2:2") == "tcp://h1:1");
}

TEST_CASE("Workers whose hosts are not known are not taken for one host") {
  const OpenSession session("metrics.json", tracking({{"first", 0, 3}, {"second", 4, 9}}));
  CHECK(restarted_from(session, "second").empty());
}

TEST_CASE("A worker that only the scheduler names has no series") {
  const OpenSession session(std::vector<File>{
      {"m/metrics.json", small_metrics()},
      {"m/info.json",
       R"({"type": "Scheduler", "workers": {"tcp://10.0.0.9:9": {"name": 3, "host": "n9", "nthreads": 4, "memory_limit": 8},
                                                          "tcp://10.0.0.1:1001": {"name": "a", "nthreads": 16}}})"}});
  const Table table = session.ask("workers");
  REQUIRE(table.rows() == 3);
  const std::size_t row = table.row_of("worker", "tcp://10.0.0.9:9");
  CHECK(table.text("name", row) == "3");
  CHECK(table.number("nthreads", row) == 4);
  CHECK(is_absent(table.number("first_seen", row)));
  CHECK(is_absent(table.number("left_early", row)));
  CHECK(table.text("name", 0) == "a");
  CHECK(table.number("nthreads", 0) == 2);  // what the ticks say counts more than a look at the end
}

TEST_CASE("Workers are selected by address or name, and by the time in which they were present") {
  const OpenSession session("metrics.json", small_metrics());
  Selection by_address;
  by_address.workers = {"tcp://10.0.0.2:1002"};
  CHECK(session.ask("workers", by_address).rows() == 1);
  Selection late;
  late.time = Selection::TimeRange{1.5, 3};
  const Table table = session.ask("workers", late);
  REQUIRE(table.rows() == 1);
  CHECK(table.number("memory_mean", 0) == 300);
}

TEST_CASE("Few workers: none is called slow") {
  using report::workers_text;
  using report::WorkersSeen;
  WorkersSeen seen{.workers = 2, .compared = 2, .least = 0.837, .most = 1.21};
  CHECK(workers_text(seen).verdict ==
        "No slow worker was found; 2 workers are too few to judge one by their spread.");
  seen = {.workers = 1};
  CHECK(workers_text(seen).verdict == "1 worker: there is no other to compare it with.");
}

TEST_CASE("Where none can be called slow, what is known of workers comes first") {
  report::WorkersSeen seen{.workers = 2, .compared = 2, .executions = 78};
  CHECK(report::workers_text(seen).verdict == "Every worker stayed to the end.");
  CHECK(report::workers_text(seen).limits ==
        "No slow worker was found; 2 workers are too few to judge one by their spread. No task ran "
        "again. ");
  seen.lost = 3;
  CHECK(report::workers_text(seen).verdict ==
        "No slow worker was found; 2 workers are too few to judge one by their spread.");
}

TEST_CASE("Why a worker counts as slow, or does not") {
  runtime::WorkerWork seen{.chunks = 4, .times_others = 2.36};
  CHECK(report::slow_worker_text(seen, false, 1.53) ==
        "cannot tell: 4 chunks matched to it, 5 are needed");
  seen.chunks = 5;
  CHECK(report::slow_worker_text(seen, false, 1.53) ==
        "slow: above 1.53 times, by the spread of all");
  seen.times_others = 1.2;
  CHECK(report::slow_worker_text(seen, false, 1.53) ==
        "as others: up to 1.53 times, by the spread of all");
}
