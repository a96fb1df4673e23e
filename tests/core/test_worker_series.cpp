// Questions about a quantity that every worker has at every tick: worker_matrix and worker_spread.
#include <nlohmann/json.hpp>

#include "core/export/export.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::test;

namespace {

/// Workers h:1 … h:n with three ticks each: worker i has the memory `values[i]`.
std::string workers_with(const std::vector<std::vector<int>>& values) {
  std::string counts, memory;
  const auto time = [](std::size_t tick) {
    return "\"2026-11-21T10:00:0" + std::to_string(tick) + "\"";
  };
  for (std::size_t tick = 0; tick < 3; ++tick)
    counts += (tick == 0 ? "" : ", ") + time(tick) + ": 1";
  for (std::size_t i = 0; i < values.size(); ++i) {
    memory += (i == 0 ? "\"tcp://h:" : ", \"tcp://h:") + std::to_string(i + 1) + "\": [";
    for (std::size_t tick = 0; tick < values[i].size(); ++tick)
      memory +=
          (tick == 0 ? "[" : ", [") + time(tick) + ", " + std::to_string(values[i][tick]) + "]";
    memory += "]";
  }
  return "{\"elapsed_time_seconds\": 3.0, \"tracking_data\": {\"worker_counts\": {" + counts +
         "}, \"worker_memory\": {" + memory + "}}}";
}

std::vector<std::string> order_of(const Table& table) {
  std::vector<std::string> names;
  for (std::size_t row = 0; row < table.rows(); ++row)
    names.emplace_back(table.text("worker", row));
  return names;
}

std::vector<double> numbers(const Table& table, std::string_view column) {
  return table.find(column)->numbers;
}

Options memory_with(std::map<std::string, std::string> options) {
  options.emplace("series", "memory");
  return Options(std::move(options));
}

}  // namespace

TEST_CASE("Ticks are handed out as they are, or their smallest and largest per bin") {
  const OpenSession session("metrics.json", workers_with({{1, 9, 5}}));
  const auto ask = [&](const char* stat, const char* bins) {
    return numbers(session.ask("worker_matrix", {}, memory_with({{"stat", stat}, {"bins", bins}})),
                   "memory");
  };
  CHECK(ask("tick", "1") == std::vector<double>{1, 9, 5});
  CHECK(ask("min", "1") == std::vector<double>{1});
  CHECK(ask("max", "1") == std::vector<double>{9});
  CHECK(ask("mean", "1") == std::vector<double>{5});
  CHECK(ask("max", "3") == std::vector<double>{1, 9, 5});
}

TEST_CASE("A tick that begins before the range still holds in it") {
  const OpenSession session("metrics.json", workers_with({{1, 9, 5}}));
  Selection range;
  range.time = Selection::TimeRange{0.5, 1.5};
  CHECK(numbers(session.ask("worker_matrix", range, memory_with({{"bins", "2"}})), "memory") ==
        std::vector<double>{1, 9});
  CHECK(numbers(session.ask("worker_matrix", range, memory_with({{"stat", "tick"}})), "memory") ==
        std::vector<double>{9});
}

TEST_CASE("Rows are sorted by mean, peak, name or first tick") {
  const OpenSession session(std::vector<File>{
      {"m/metrics.json", workers_with({{1, 1, 1}, {5, 5, 5}, {0, 9, 0}})},
      {"m/info.json",
       R"({"type": "Scheduler", "workers": {"tcp://h:1": {"name": "c"}, "tcp://h:2": {"name": "b"},
                          "tcp://h:3": {"name": "a"}}})"}});
  const auto sorted = [&](const char* by) {
    return order_of(session.ask("worker_matrix", {}, memory_with({{"sort", by}})));
  };
  CHECK(sorted("first_seen") == std::vector<std::string>{"tcp://h:1", "tcp://h:2", "tcp://h:3"});
  CHECK(sorted("mean") == std::vector<std::string>{"tcp://h:2", "tcp://h:3", "tcp://h:1"});
  CHECK(sorted("peak") == std::vector<std::string>{"tcp://h:3", "tcp://h:2", "tcp://h:1"});
  CHECK(sorted("name") == std::vector<std::string>{"tcp://h:3", "tcp://h:2", "tcp://h:1"});
  CHECK_THROWS(sorted("colour"));
}

TEST_CASE("More workers than rows share them, and the row shows the worst of its workers") {
  const OpenSession session("metrics.json",
                            workers_with({{1, 1, 1}, {2, 2, 8}, {3, 3, 3}, {4, 4, 4}}));
  const auto ask = [&](const char* stat) {
    return session.ask("worker_matrix", {},
                       memory_with({{"bins", "3"}, {"rows", "2"}, {"rows_stat", stat}}));
  };
  CHECK(order_of(ask("max")) == std::vector<std::string>{"tcp://h:1", "tcp://h:3"});
  CHECK(numbers(ask("max"), "workers") == std::vector<double>{2, 2});
  CHECK(numbers(ask("max"), "memory") == std::vector<double>{2, 2, 8, 4, 4, 4});
  CHECK(numbers(ask("min"), "memory") == std::vector<double>{1, 1, 1, 3, 3, 3});
  CHECK(numbers(ask("mean"), "memory") == std::vector<double>{1.5, 1.5, 4.5, 3.5, 3.5, 3.5});
}

TEST_CASE("Spread: total, mean, quantiles and extremes of the workers at each tick") {
  const OpenSession session("metrics.json", workers_with({{10}, {20}, {30}, {40, 7}, {50}}));
  const Table table = session.ask("worker_spread", {}, memory_with({}));
  REQUIRE(table.rows() == 3);
  const auto at = [&](const char* column, std::size_t row) { return table.number(column, row); };
  CHECK(at("t", 1) == 1);
  CHECK(at("workers", 0) == 5);
  CHECK(at("total", 0) == 150);
  CHECK(at("mean", 0) == 30);
  CHECK(at("p10", 0) == Approx(14));
  CHECK(at("p90", 0) == Approx(46));
  CHECK(at("min", 0) == 10);
  CHECK(at("max", 0) == 50);
  CHECK(at("p10", 1) == 7);
  CHECK(at("p90", 1) == 7);
  CHECK(at("workers", 2) == 0);
  CHECK(is_absent(at("total", 2)));
  CHECK(is_absent(at("p90", 2)));
}

TEST_CASE("A part of the time has the same spread as the whole has there") {
  const OpenSession session("metrics.json", workers_with({{10, 20, 30}, {40, 50, 60}}));
  const auto totals = [&](Selection selection) {
    return session.ask("worker_spread", selection, memory_with({})).find("total")->numbers;
  };
  Selection later;
  later.time = Selection::TimeRange{1, 3};
  CHECK(totals(later) == std::vector<double>{70, 90});  // before the whole was asked for, and after
  CHECK(totals({}) == std::vector<double>{50, 70, 90});
  CHECK(totals(later) == std::vector<double>{70, 90});
  later.workers = {"tcp://h:2"};
  CHECK(totals(later) == std::vector<double>{50, 60});
  later.time = Selection::TimeRange{1.2, 1.4};
  CHECK(totals(later).empty());
}

TEST_CASE(
    "A worker's CPU share is per thread, its memory utilisation per limit, its lag the age of the "
    "last heartbeat") {
  const OpenSession session("metrics.json", small_metrics());
  const auto mean = [&](const char* series, std::size_t tick) {
    return session.ask("worker_spread", {}, option("series", series)).number("mean", tick);
  };
  CHECK(mean("cpu_share", 1) == Approx(0.75));  // (1.0 / 2 + 1.0 / 1) / 2
  CHECK(mean("cpu", 1) == Approx(1));
  CHECK(mean("memory_utilization", 1) == Approx(0.5));  // (200 / 1000 + 400 / 500) / 2
  CHECK(mean("last_seen", 1) == Approx(0.375));         // (0.5 + 0.25) / 2
  CHECK_THROWS(mean("colour", 1));
}

TEST_CASE("Without tracking there is no spread, and a note says how to record it") {
  const Table table =
      OpenSession("metrics.json", without(small_metrics(), "tracking_data")).ask("worker_spread");
  CHECK(table.rows() == 0);
  CHECK(note(table, "missing").find("track_workers") != std::string::npos);
}

TEST_CASE("A selection between two ticks has no value per tick: each worker's list is empty") {
  const OpenSession session("metrics.json", small_metrics());
  Selection between;
  between.time = Selection::TimeRange{1.2, 1.4};
  const Table table = session.ask("worker_matrix", between, memory_with({{"stat", "tick"}}));
  CHECK(nlohmann::json::parse(exports::table_json(table))["columns"][1]["values"] ==
        nlohmann::json::parse("[[], []]"));
}
