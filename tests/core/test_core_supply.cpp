// Where the number of cores and threads is from when a source leaves something out: spans with gaps
// or alone, task streams without threads, workers whose tasks outlast their tracking.
#include <set>
#include <string>

#include "tests/core/allocations.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::test;

namespace {

constexpr int epoch = 1795255200;  // 2026-11-21T10:00:00 UTC

std::string at(double seconds) { return std::to_string(epoch + seconds); }

/// A span object with these intervals of threads and 20 s on a CPU.
std::string span(const std::string& intervals) {
  return R"([{"id": "s", "name": ["run"], "enqueued": )" + at(0) + R"(, "start": )" + at(1) +
         R"(, "stop": )" + at(11) + R"(, "nthreads_intervals": [)" + intervals +
         R"json(], "cumulative_worker_metrics": {"('execute', 'P', 'thread-cpu', 'seconds')": 20.0}}])json";
}

std::string interval(double begin, double end, int threads) {
  return "[" + at(begin) + ", " + at(end) + ", " + std::to_string(threads) + "]";
}

double available(const std::vector<File>& files) {
  return core_seconds(OpenSession(files).ask("budget"), "available");
}

std::string task(const std::string& key, const std::string& worker, double begin, double end,
                 const std::string& thread) {
  return R"({"key": ")" + key + R"(-0f3a0f3a0f3a0f3a0f3a0f3a0f3a0f3a", "worker": ")" + worker +
         "\", " + thread + R"("status": "OK", "startstops": [{"action": "compute", "start": )" +
         at(begin) + R"(, "stop": )" + at(end) + "}]}";
}

/// 80 chunks of 1.8 s on two workers of one thread, one after the other every 2 s, each in a task
/// of 1.95 s.
std::vector<File> two_workers(const std::string& thread) {
  std::string chunks, tasks;
  for (int i = 0; i < 80; ++i) {
    const double begin = 2.0 * (i / 2);
    const std::string number = std::to_string(i);
    chunks += (i > 0 ? "," : "") + std::string(R"({"t_start": )") + at(begin + 0.1) +
              R"(, "t_end": )" + at(begin + 1.9) +
              R"(, "num_events": 1000, "dataset": "x", "file": "/d/f)" + number + R"(.root"})";
    tasks += (i > 0 ? "," : "") + task("P" + number, "tcp://10.0.0." + std::to_string(i % 2) + ":1",
                                       begin, begin + 1.95, thread);
  }
  std::string ticks;
  for (int worker = 0; worker < 2; ++worker) {
    ticks += (worker > 0 ? ", " : "") + std::string("\"tcp://10.0.0.") + std::to_string(worker) +
             R"(:1": [["2026-11-21T10:00:00", 1], ["2026-11-21T10:01:19", 1]])";
  }
  return {{"run/metrics.json",
           R"json({"elapsed_time_seconds": 80.0, "raw_chunk_metrics": [)json" + chunks +
               R"json(], "raw_span_metrics": {"('execute', 'P', 'thread-cpu', 'seconds')": 156.0},
               "tracking_data": {"worker_counts": {"2026-11-21T10:00:00": 2, "2026-11-21T10:01:19": 2},
               "worker_cores": {)json" +
               ticks + "}}}"},
          {"run/task_stream.json", "[" + tasks + "]"}};
}

}  // namespace

TEST_CASE("Tasks whose stream names no thread need as many threads as ran at once") {
  // 80 chunks of 1.8 s are 144 core-s: two cores cannot run them in less than 72 s.
  const Table named = OpenSession(two_workers("\"thread\": 7, ")).ask("tail");
  const Table unnamed = OpenSession(two_workers("")).ask("tail");
  CHECK(named.number("ideal_makespan", 0) > 72);
  CHECK(unnamed.number("ideal_makespan", 0) == named.number("ideal_makespan", 0));
}

TEST_CASE("A span alone has its core-time: what comes first begins the run") {
  // Four threads for 12 s, 20 s of them on a CPU.
  const OpenSession session("spans.json", span(interval(0, 12, 4)));
  const Table budget = session.ask("budget");
  CHECK(core_seconds(budget, "available") == Approx(48));
  CHECK(core_seconds(budget, "processor_tasks") == Approx(20));
  CHECK(core_seconds(budget, "idle") == Approx(28));
}

TEST_CASE("No cores are counted between the intervals of a span, in whatever order they stand") {
  // 4 x 10 s and 4 x 5 s.
  const std::string first = interval(0, 10, 4), last = interval(25, 30, 4);
  CHECK(available({{"spans.json", span(first + ", " + last)}}) == Approx(60));
  CHECK(available({{"spans.json", span(last + ", " + first)}}) == Approx(60));
  // The same second twice, as merged spans have it, is one second: 4 x 11 s.
  CHECK(available({{"spans.json", span(first + ", " + interval(5, 11, 4))}}) == Approx(44));
}

TEST_CASE("Between the intervals of a span the ticks count") {
  // Ticks say 3, 3, 2 and 2 threads; the span says 1 in the first and in the third second.
  const std::string text = span(interval(2, 3, 1) + ", " + interval(0, 1, 1));
  CHECK(available({{"run/metrics.json", small_metrics()}, {"run/spans.json", text}}) ==
        Approx(1 + 3 + 1 + 2));
}

TEST_CASE("What was available is one number, whatever a worker's tasks come to") {
  // Worker b is seen for two ticks of a second; its task takes 3 s.
  const OpenSession session(
      {{"run/metrics.json", small_metrics()},
       {"run/task_stream.json",
        "[" + task("P", "tcp://10.0.0.2:1002", 0, 3, "\"thread\": 1, ") + "]"}});
  Selection worker;
  worker.workers = {"tcp://10.0.0.2:1002"};
  const Table tree = session.ask("core_time_tree", worker);
  CHECK(core_seconds(session.ask("budget", worker), "available") == Approx(2));
  CHECK(value(session.ask("summary", worker), "core_seconds_available") == Approx(2));
  CHECK(tree.number("core_seconds", tree.row_of("id", "available")) == Approx(2));
  CHECK(tree.number("core_seconds", tree.row_of("id", "available/processor_tasks")) == Approx(3));
  CHECK(number_note(tree, "excess") == Approx(1));
  CHECK(tree.number("end", tree.row_of("id", "available/processor_tasks")) == Approx(1));
}

TEST_CASE("A part of the core-time has one id, whatever is selected") {
  const OpenSession session(
      {{"run/metrics.json", small_metrics()},
       {"run/task_stream.json",
        "[" + task("P", "tcp://10.0.0.2:1002", 0, 3, "\"thread\": 1, ") + "]"}});
  Selection time, dataset, worker;
  time.time = {1, 3};
  dataset.datasets = {"x"};
  worker.workers = {"tcp://10.0.0.2:1002"};
  for (const Selection& selection : {Selection{}, time, dataset, worker}) {
    const Table tree = session.ask("core_time_tree", selection, option("depth", "1"));
    REQUIRE(tree.rows() > 1);
    for (std::size_t row = 1; row < tree.rows(); ++row)
      CHECK(tree.text("id", row) == "available/" + std::string(tree.text("kind", row)));
  }
}

TEST_CASE("One chunk has no standard deviation") {
  Selection one;
  one.datasets = {"x"};
  const OpenSession session("metrics.json", small_metrics());
  const Table summary = session.ask("summary", one);
  CHECK(is_absent(value(summary, "chunk_duration_std")));
  CHECK(is_absent(value(summary, "chunk_mem_delta_std_mb")));
  CHECK(value(summary, "chunk_duration_mean") == 2);
  CHECK(is_absent(session.ask("datasets").number("std", 0)));
}

TEST_CASE("The end of a run asks for the processor that is chosen") {
  // Two chunks of 0.5 and 3 s whose time outside process() is that of another processor.
  const OpenSession session("metrics.json", small_metrics());
  CHECK_NOTHROW(session.ask("tail", {}, option("processor", "lambda")));
  CHECK_THROWS(session.ask("tail", {}, option("processor", "nobody")));
}

namespace {

/// Names that are also what something else is called.
const std::vector<std::string> hostile = {"",
                                          "total",
                                          "other",
                                          "others",
                                          "all",
                                          "rest",
                                          "unnamed",
                                          "unaccounted",
                                          "in no section",
                                          "overlapping sections",
                                          "idle",
                                          "available",
                                          "(no dataset)",
                                          "(no_dataset)",
                                          "(no_section)",
                                          "((",
                                          "(others)",
                                          "inside_process",
                                          "x/y",
                                          "/",
                                          "section:unaccounted",
                                          "(no task prefix)"};

/// A chunk of 1 s per name, in the dataset of that name; 0.75 s of it in the section of that name.
/// A task of 1.5 s per name, in the prefix of that name.
std::string hostile_metrics() {
  std::string chunks, spans;
  for (std::size_t i = 0; i < hostile.size(); ++i) {
    const auto begin = static_cast<double>(i);
    chunks += (i > 0 ? "," : "") + std::string(R"({"t_start": )") + at(begin) + R"(, "t_end": )" +
              at(begin + 1) +
              R"(, "duration": 1, "num_events": 10, "bytes_read": 5, "dataset": ")" + hostile[i] +
              R"(", "file": ")" + hostile[i] + R"(", "timing": {")" + hostile[i] + R"(": 0.75}})";
    spans += ", \"('execute', '" + hostile[i] + "', '" + hostile[i] + "', 'seconds')\": 0.5";
  }
  return R"json({"elapsed_time_seconds": 30.0, "raw_chunk_metrics": [)json" + chunks +
         R"json(], "raw_span_metrics": {"('execute', 'P', 'thread-cpu', 'seconds')": 25.0)json" +
         spans + R"json(}, "tracking_data": {
           "worker_counts": {"2026-11-21T10:00:00": 1, "2026-11-21T10:00:29": 1},
           "worker_cores": {"tcp://10.0.0.1:1": [["2026-11-21T10:00:00", 2], ["2026-11-21T10:00:29", 2]]}}})json";
}

/// The rows of that label and kind: exactly one, whose value is told.
double only(const Table& table, const char* column, std::string_view name, const char* kind_column,
            std::string_view kind, const char* number) {
  double found = absent;
  std::size_t rows = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.text(column, row) != name || table.text(kind_column, row) != kind) continue;
    found = table.number(number, row);
    ++rows;
  }
  CAPTURE(name, rows);
  CHECK(rows == 1);
  return found;
}

void check_unique(const Table& table, const char* column) {
  std::set<std::string> seen;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    CAPTURE(table.text(column, row));
    CHECK(seen.insert(std::string(table.text(column, row))).second);
  }
}

}  // namespace

TEST_CASE("What is called as the rest is, the whole, or nothing, stays itself") {
  const OpenSession session("metrics.json", hostile_metrics());
  const auto count = static_cast<double>(hostile.size());

  const Table budget = session.ask("budget");
  check_unique(budget, "part");
  for (const std::string& name : hostile) {
    CHECK(core_seconds(budget, "section:" + name) == Approx(0.75));
    CHECK(core_seconds(budget, "activity:" + name) == Approx(0.5));
    if (!name.empty()) CHECK(core_seconds(budget, "task:" + name) == Approx(0.5));
  }
  CHECK(core_seconds(budget, "unaccounted") == Approx(0.25 * count));

  const Table sections = session.ask("sections");
  for (const std::string& name : hostile)
    CHECK(only(sections, "name", name, "kind", "section", "seconds") == Approx(0.75));
  CHECK(only(sections, "name", "unaccounted", "kind", "unaccounted", "seconds") ==
        Approx(0.25 * count));

  for (const char* by : {"datasets", "sections", "activities", "functions"}) {
    const Table tree = session.ask("core_time_tree", {},
                                   Options({{"by", by}, {"depth", "100"}, {"most", "1000"}}));
    check_unique(tree, "id");
    // Each part is found again by its id.
    for (std::size_t row = 1; row < tree.rows(); ++row) {
      const std::string id(tree.text("id", row));
      CAPTURE(id);
      const Table part =
          session.ask("core_time_tree", {}, Options({{"by", by}, {"under", id}, {"depth", "0"}}));
      REQUIRE(part.rows() == 1);
      CHECK(part.text("id", 0) == id);
      CHECK(part.number("core_seconds", 0) == tree.number("core_seconds", row));
    }
    if (by != std::string_view("datasets")) continue;
    for (const std::string& name : hostile) {
      const std::string label = name.empty() ? "(no dataset)" : name;
      double found = 0;
      for (std::size_t row = 0; row < tree.rows(); ++row) {
        if (tree.text("kind", row) == "dataset" && tree.text("label", row) == label)
          found += tree.number("core_seconds", row);
      }
      CHECK(found == Approx(name.empty() || name == "(no dataset)" ? 2 : 1));
    }
  }

  const Table running = session.ask("concurrency", {}, option("bins", "30"));
  for (const std::string& name : hostile) {
    std::size_t rows = 0;
    for (std::size_t row = 0; row < running.rows(); ++row)
      rows += running.text("dataset", row) == name && running.text("kind", row) == "group" ? 1 : 0;
    CAPTURE(name);
    CHECK(rows == 1);
  }
  const Table merged = session.ask("concurrency", {}, Options({{"bins", "30"}, {"most", "2"}}));
  REQUIRE(merged.rows() == 2);
  CHECK(merged.text("kind", 1) == "others");
}

TEST_CASE("Courses of many datasets share the memory of the largest") {
  std::string chunks;
  constexpr int datasets = 3000;
  for (int i = 0; i < datasets; ++i) {
    chunks += (i > 0 ? "," : "") + std::string(R"({"t_start": )") + at(0.01 * i) +
              R"(, "t_end": )" + at(0.01 * i + 1) + R"(, "dataset": "d)" + std::to_string(i) +
              "\"}";
  }
  const OpenSession session(
      "metrics.json", R"({"elapsed_time_seconds": 31.0, "raw_chunk_metrics": [)" + chunks + "]}");
  constexpr std::size_t megabyte = 1000000;
  const AllocationCount since_here;
  // 200 rows of 400 bins of two numbers are 1.3 MB; a row for each dataset would be 19 MB.
  session.ask("concurrency");
  CHECK(since_here.bytes() < 15 * megabyte);
  const AllocationCount since_then;
  session.ask("core_time_bins", {}, option("by", "datasets"));
  CHECK(since_then.bytes() < 15 * megabyte);
}
