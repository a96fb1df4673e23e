#include "catch.hpp"
#include "core/model/records.hpp"
#include "core/read/list.hpp"
#include "open_run.hpp"
#include "small_bundle.hpp"
#include "test_data.hpp"

using namespace crema;
using namespace crema::read;
using namespace crema::test;

namespace {

// Key P-1 ran twice: on worker a until it was lost, then on b. 1795255200 is second 0 of
// small_metrics().
const std::string stream = R"json([
 {"key": "P-0", "worker": "tcp://10.0.0.1:1001", "thread": 7, "nbytes": 10, "status": "OK",
  "startstops": [{"action": "transfer", "start": 1795255200.5, "stop": 1795255200.75}, {"action": "compute", "start": 1795255200.75, "stop": 1795255202.75}]},
 {"key": "P-1", "worker": "tcp://10.0.0.2:1002", "thread": 8, "nbytes": 10, "status": "OK",
  "startstops": [{"action": "compute", "start": 1795255203.0, "stop": 1795255204.0}]},
 {"key": "P-1", "worker": "tcp://10.0.0.1:1001", "thread": 7, "nbytes": 10, "status": "OK",
  "startstops": [{"action": "compute", "start": 1795255201.0, "stop": 1795255201.5}]}
])json";

}  // namespace

TEST_CASE("Dask's prefixes of keys") {
  CHECK(key_split("ZprimeProcessor-0f3a9c") == "ZprimeProcessor");
  CHECK(key_split("automatic_retries-c2e8722d-f92c-486a-91d5-0fd2195c00dc-0") ==
        "automatic_retries");
  CHECK(key_split("hist-fill-0a1b2c3d4e5f") == "hist-fill");
  CHECK(key_split("sum-deadbeef") == "sum");  // eight hex digits are a token, not a word
  CHECK(key_split("('from-uproot-7f8a', 3)") == "from-uproot");
  CHECK(key_split("0123456789abcdef0123456789abcdef") == "data");
  CHECK(key_split("x") == "x");
}

TEST_CASE("The task stream has a row per action, on the run's axis") {
  const OpenSession session({{"run/metrics.json", small_metrics()}, {"run/unknown", stream}});
  const Table tasks = session.ask("tasks");
  REQUIRE(tasks.rows() == 4);
  CHECK(tasks.text("action", 0) == "transfer");
  CHECK(tasks.number("t0", 0) == Approx(0.5));
  CHECK(tasks.number("t1", 1) == Approx(2.75));
  CHECK(tasks.number("duration", 1) == Approx(2.75 - tasks.number("t0", 1)));
  CHECK(tasks.text("prefix", 3) == "P");
  CHECK(tasks.number("thread", 2) == 8);
  // a lane per thread of each worker
  CHECK(tasks.find("lane")->numbers == std::vector<double>{0, 0, 1, 0});

  Selection late;
  late.time = Selection::TimeRange{2.8, 10};
  CHECK(session.ask("tasks", late).rows() == 1);
  Selection worker;
  worker.workers = {"tcp://10.0.0.1:1001"};
  CHECK(session.ask("tasks", worker).rows() == 3);
  Selection prefix;
  prefix.prefixes = {"Q"};
  CHECK(session.ask("tasks", prefix).rows() == 0);
}

TEST_CASE(
    "Executions of a key before its last are lost work, in whatever order they are recorded") {
  const OpenSession session(
      {{"run/metrics.json", small_metrics()}, {"run/task_stream.json", stream}});
  const Table budget = session.ask("budget");
  CHECK(core_seconds(budget, "lost_work") == Approx(0.5));
  // Tasks of P 6 s, 5 s inside process(), half a second lost: half a second outside.
  CHECK(core_seconds(budget, "outside_process") == Approx(0.5));
  CHECK(budget.text("source", budget.row_of("part", "lost_work")).substr(0, 5) == "exact");
}

TEST_CASE("A worker's executions, and those that were done again") {
  const OpenSession session(
      {{"run/metrics.json", small_metrics()}, {"run/task_stream.json", stream}});
  const Table workers = session.ask("workers");
  const std::size_t a = workers.row_of("worker", "tcp://10.0.0.1:1001");
  const std::size_t b = workers.row_of("worker", "tcp://10.0.0.2:1002");
  CHECK(workers.number("executions", a) == 2);
  CHECK(workers.number("lost", a) == 1);
  CHECK(workers.number("executions", b) == 1);
  CHECK(workers.number("lost", b) == 0);
  CHECK(is_absent(workers.number("times_others", a)));  // two chunks let expect nothing
  // Without a task stream nothing is known of a worker's work.
  const Table none = OpenSession("metrics.json", small_metrics()).ask("workers");
  for (const char* column : {"executions", "lost", "chunks", "times_others", "slow"})
    CHECK(is_absent(none.number(column, 0)));
}

TEST_CASE("A task whose result was lost is marked, whichever workers are asked for") {
  const OpenSession session(
      {{"run/metrics.json", small_metrics()}, {"run/task_stream.json", stream}});
  const auto lost_of = [&](const Table& tasks) {
    double lost = 0;
    for (std::size_t row = 0; row < tasks.rows(); ++row) lost += tasks.number("lost", row);
    return lost;
  };
  CHECK(lost_of(session.ask("tasks")) == 1);
  // The computation that replaced it ran on the other worker.
  Selection worker;
  worker.workers = {"tcp://10.0.0.1:1001"};
  CHECK(lost_of(session.ask("tasks", worker)) == 1);
  worker.workers = {"tcp://10.0.0.2:1002"};
  CHECK(lost_of(session.ask("tasks", worker)) == 0);
}

TEST_CASE("adaptive: with its task stream 89.5 core-s were lost and 31 spent outside process()") {
  std::vector<File> files;
  for (const char* name :
       {"metrics.json", "report.json", "task_stream.json.gz", "span_object.json.gz"})
    files.push_back(
        {std::string("adaptive/") + name, read_test_file(std::string("adaptive/") + name)});
  const OpenSession session(files);
  const Table budget = session.ask("budget");
  CHECK(core_seconds(budget, "lost_work") == Approx(89.5).margin(0.05));
  CHECK(core_seconds(budget, "outside_process") == Approx(31).margin(0.5));
  // Each execution that was not lost ran one of the recorded chunks, which say their dataset.
  const Table tasks = session.ask("tasks");
  REQUIRE(tasks.rows() > 500);
  std::map<std::string, double> of_tasks;
  double known = 0;
  for (std::size_t row = 0; row < tasks.rows(); ++row) {
    const std::string dataset(tasks.text("dataset", row));
    if (dataset.empty()) continue;
    CHECK(tasks.text("action", row) == "compute");
    CHECK(tasks.number("lost", row) == 0);
    of_tasks[dataset] += 1;
    known += 1;
  }
  const Table datasets = session.ask("datasets");
  CHECK(known > 0.95 * static_cast<double>(session.ask("chunks").rows()));
  for (std::size_t row = 0; row < datasets.rows(); ++row)
    CHECK(of_tasks[std::string(datasets.text("name", row))] ==
          Approx(datasets.number("chunks", row)).epsilon(0.05));
}

TEST_CASE("adaptive: the workers that came at 7 s were two to three times as slow as the others") {
  std::vector<File> files;
  for (const char* name : {"metrics.json", "task_stream.json.gz", "span_object.json.gz"})
    files.push_back(
        {std::string("adaptive/") + name, read_test_file(std::string("adaptive/") + name)});
  const Table workers = OpenSession(files).ask("workers");
  double slow = 0;
  for (std::size_t row = 0; row < workers.rows(); ++row) {
    if (workers.number("slow", row) != 1) continue;
    slow += 1;
    CHECK(workers.number("times_others", row) > 2);
    CHECK(workers.number("first_seen", row) == Approx(7).margin(1));
  }
  CHECK(slow == 2);  // a third has too few chunks left to tell
  CHECK(note(workers, "verdict").find("2 of 8 workers took 2.36 to 3.14 times") == 0);
}

TEST_CASE("An action without usable times is left out, with a note") {
  const std::string bad =
      R"([{"key": "P-0", "worker": "w", "startstops": [{"action": "compute", "start": 5, "stop": 4}, {"action": "compute", "start": 5}, {"action": "compute", "start": 5, "stop": 6}]}])";
  const Run run = read_as(task_stream_format, bad);
  CHECK(run.tasks.size() == 1);
  REQUIRE(has_note(run, "task-time"));
}

TEST_CASE("A span's thread intervals refine the ticks while it lasts") {
  // One thread from second 1 to 2 only, where the ticks say three; before and after, the ticks
  // hold: 3 + 1 + 2 + 2.
  const std::string span =
      R"([{"id": "s", "name": ["coffea-processing"], "enqueued": 1795255201.0, "start": 1795255201.0, "stop": 1795255202.0,
    "nthreads_intervals": [[1795255201.0, 1795255202.0, 1]], "active_cpu_seconds": 1.0}])";
  const OpenSession session({{"run/metrics.json", small_metrics()}, {"run/unknown", span}});
  CHECK(core_seconds(session.ask("budget"), "available") == Approx(8));
}

TEST_CASE("A span's fine metrics are used only where metrics.json has none") {
  const std::string span =
      R"json({"id": "s", "name": ["x"], "enqueued": 1795255200, "start": 1795255200, "stop": 1795255204,
    "cumulative_worker_metrics": {"('execute', 'P', 'thread-cpu', 'seconds')": 4.0}, "nthreads_intervals": []})json";
  const OpenSession both({{"run/metrics.json", small_metrics()}, {"run/span.json", span}});
  CHECK(value(both.ask("summary"), "processor_cpu_time_seconds") == Approx(4));
  CHECK(both.ask("fine").rows() == 6);
  const OpenSession alone({{"run/metrics.json", without(small_metrics(), "raw_span_metrics")},
                           {"run/span.json", span}});
  CHECK(alone.ask("fine").rows() == 1);
}

TEST_CASE("Of several spans in a file the first is used, and a note says so") {
  const auto span = [](const std::string& name) {
    return R"({"id": ")" + name + R"(", "name": [")" + name +
           R"("], "enqueued": 1, "start": 1, "stop": 2, "active_cpu_seconds": 1})";
  };
  const Run run = read_as(spans_format, "[" + span("outer") + ", " + span("inner") + "]");
  REQUIRE(run.spans.size() == 1);
  CHECK(run.spans[0].name == "outer");
  CHECK(has_note(run, "more-spans"));
  CHECK(read_as(spans_format, "[" + span("outer") + "]").data_notes.empty());
}
