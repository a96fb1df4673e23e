// TaskVine's and Work Queue's `transactions`: small logs that can be checked by hand, and a real
// one whose sums TaskVine itself wrote beside it.
#include <algorithm>
#include <map>
#include <sstream>

#include "core/export/export.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/test_data.hpp"

using namespace crema;
using namespace crema::test;
using Catch::Matchers::WithinAbs;
using recorded_columns::Change;
using recorded_columns::Task;

namespace {

/// A line of a log whose manager started at 1000 s.
std::string at(double seconds, const std::string& event) {
  return std::to_string(static_cast<long long>((1000 + seconds) * 1e6)) + " 77 " + event + "\n";
}

/// What TaskVine writes of an attempt that ran from `begin` for `wall` seconds.
std::string ran(double begin, double wall) {
  return R"( {} {"time_worker_start":[0,"s"],"start":[)" + std::to_string(1000 + begin) +
         R"(,"s"],"end":[0,"s"],"wall_time":[)" + std::to_string(wall) +
         R"(,"s"],"memory":[10000,"MB"]})";
}

const std::string given = R"( FIRST_RESOURCES {"cores":[1,"cores"]})";

/// Task 1 runs for 3 s at once. Task 2 is lost with its worker after 3 s, and runs again for 2 s. 3
/// returns 1 after 1 s, 4 uses more memory than it may, 5 still runs, 6 waits. A has 2 cores for
/// 12 s, B has 1 for 5 s.
const std::string small_log =
    "# time manager_pid MANAGER manager_pid START|END time_from_origin\n" +
    at(0, "MANAGER 77 START 0") + at(0, "WORKER A CONNECTION 10.0.0.1:9000") +
    at(0, R"(WORKER A RESOURCES {"memory":[2000,"MB"],"cores":[2,"cores"]})") +
    at(1, "WORKER B CONNECTION 10.0.0.2:9000") +
    at(1, R"(WORKER B RESOURCES {"memory":[1000,"MB"],"cores":[1,"cores"]})") +
    at(1, "TASK 1 READY fit FIRST_RESOURCES 1 {}") +
    at(1, "TASK 2 READY fit FIRST_RESOURCES 1 {}") + at(2, "TASK 1 RUNNING A " + given) +
    at(3, "TASK 2 RUNNING B " + given) +
    at(3, "WORKER B TRANSFER INPUT file 17089 161 1000000000") +
    at(5.5, "TASK 1 WAITING_RETRIEVAL A ") +
    at(5.75, "TASK 1 RETRIEVED SUCCESS  0 " + ran(2.25, 3)) + at(5.75, "TASK 1 DONE SUCCESS  0 ") +
    at(6, "WORKER B DISCONNECTION FAILURE") + at(6, "TASK 2 READY fit FIRST_RESOURCES 2 {}") +
    at(7, "TASK 2 RUNNING A " + given) + at(9.5, "TASK 2 RETRIEVED SUCCESS  0 " + ran(7.25, 2)) +
    at(9.5, "TASK 2 DONE SUCCESS  0 ") + at(9.5, "TASK 3 READY merge FIRST_RESOURCES 1 {}") +
    at(9.5, "TASK 3 RUNNING A " + given) + at(10.5, "TASK 3 RETRIEVED SUCCESS  1 " + ran(9.5, 1)) +
    at(10.5, "TASK 3 DONE SUCCESS  1 ") + at(10.5, "TASK 4 READY merge FIRST_RESOURCES 1 {}") +
    at(10.5, "TASK 4 RUNNING A " + given) +
    at(11.5,
       R"(TASK 4 RETRIEVED RESOURCE_EXHAUSTION  147  {"memory":[2000,"MB"]} {"cpu_time":[0.5,"s"],)"
       R"("start":[1010.5,"s"],"wall_time":[1,"s"],"memory":[2100,"MB"]})") +
    at(11.5, "TASK 5 READY fit FIRST_RESOURCES 1 {}") +
    at(11.5, "TASK 6 READY fit FIRST_RESOURCES 1 {}") + at(11.5, "TASK 5 RUNNING A " + given) +
    at(12, "WORKER (null) DISCONNECTION FAILURE");

std::string text(const Run& run, Task column, std::size_t row) {
  return std::string(run.text(run.recording.tasks.text(column, row)));
}

/// The numbers of the last line of `performance`, by the names in its first.
double of_performance(const std::string& text, const std::string& column) {
  std::istringstream names(text.substr(0, text.find('\n')));
  std::istringstream values(text.substr(text.rfind('\n', text.size() - 2) + 1));
  std::string name, value;
  names >> name;  // "#"
  while (names >> name && values >> value) {
    if (name == column) return std::stod(value);
  }
  return absent;
}

}  // namespace

TEST_CASE(
    "An attempt in transactions lasts as long as the worker counted, a lost one until it waits "
    "again") {
  const OpenSession session("vine-logs/transactions", small_log);
  const auto& rows = session.run().recording.tasks;
  REQUIRE(rows.size() == 5);
  struct Row {
    const char *item, *status, *error, *message;
    double begin, wall, attempt;
  };
  const Row expected[] = {{"1", "ok", "", "", 2.25, 3, 1},
                          {"2", "lost", "WorkerLost", "FAILURE", 3, 3, 1},
                          {"2", "ok", "", "", 7.25, 2, 2},
                          {"3", "failed", "exit code 1", "", 9.5, 1, 1},
                          {"4", "failed", "RESOURCE_EXHAUSTION", "memory 2000 MB", 10.5, 1, 1}};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto& [item, status, error, message, begin, wall, attempt] = expected[row];
    CAPTURE(row);
    CHECK(text(session.run(), Task::item, row) == item);
    CHECK(text(session.run(), Task::status, row) == status);
    CHECK(text(session.run(), Task::error, row) == error);
    CHECK(text(session.run(), Task::message, row) == message);
    CHECK_THAT(rows.at(Task::begin, row), WithinAbs(begin, 1e-6));
    CHECK_THAT(rows.at(Task::wall, row), WithinAbs(wall, 1e-6));
    CHECK(rows.at(Task::attempt, row) == attempt);
  }
  // Only the monitor measures: memory of others is what they were given.
  CHECK(is_absent(rows.at(Task::rss_peak, 0)));
  CHECK(rows.at(Task::rss_peak, 4) == 2100 * 1048576.0);
  CHECK(rows.at(Task::cpu_of_process, 4) == 0.5);
}

TEST_CASE("Workers of transactions have cores from RESOURCES to DISCONNECTION") {
  const OpenSession session("transactions", small_log);
  const Run& run = session.run();
  CHECK(run.elapsed == 12);
  CHECK(runtime::core_time(run, WorkerSelection(run, {}), 0, 12).core_seconds == 2 * 12 + 1 * 5);
  REQUIRE(run.workers.size() == 2);
  CHECK(run.text(run.workers.host[1]) == "10.0.0.2");
  CHECK(run.workers.nthreads[0] == 2);
  CHECK(run.workers.memory_limit[1] == 1000 * 1048576.0);
  const auto& changes = run.recording.changes;
  REQUIRE(changes.size() == 3);
  CHECK(run.text(changes.text(Change::worker, 2)) == "B");
  CHECK(run.text(changes.text(Change::change, 2)) == "removed");
  CHECK(run.text(changes.text(Change::reason, 2)) == "FAILURE");
  CHECK(changes.at(Change::workers, 2) == 1);
  CHECK(has_note(run, "worker-unnamed"));
  CHECK(has_note(run, "incomplete"));
  // Cores are known; what is missing are chunks.
  const Table summary = session.ask("summary");
  CHECK(summary.text("note", summary.row_of("id", "core_efficiency")) ==
        "not recorded: no chunk list (crema.record or @track_metrics)");
}

TEST_CASE(
    "Failures in transactions are told by result, exit code and limit, and what was tried again") {
  const OpenSession session("transactions", small_log);
  const Table failures = session.ask("failures");
  REQUIRE(failures.rows() == 3);
  const std::size_t lost = failures.row_of("exception", "WorkerLost");
  CHECK(failures.number("recovered", lost) == 1);
  CHECK(failures.number("lost", lost) == 1);
  CHECK(failures.number("core_seconds", lost) == 3);
  const std::size_t exhausted = failures.row_of("exception", "RESOURCE_EXHAUSTION");
  CHECK(failures.text("task", exhausted) == "merge");
  CHECK(failures.text("message", exhausted) == "memory 2000 MB");
  CHECK(failures.number("recovered", exhausted) == 0);
}

TEST_CASE(
    "Of a log whose clock went back it is unknown how long an attempt took, and not negative") {
  const std::string log =
      "# time manager_pid MANAGER manager_pid START|END time_from_origin\n" +
      at(0, "MANAGER 77 START 0") + at(0, "WORKER A CONNECTION 10.0.0.1:9000") +
      at(5, "TASK 1 READY default" + given) + at(5, "TASK 1 RUNNING A" + given) +
      at(3, "WORKER A DISCONNECTION FAILURE") + at(3, "TASK 1 READY default" + given);
  const Table failures = OpenSession("transactions", log).ask("failures");
  REQUIRE(failures.rows() == 1);
  CHECK(failures.number("lost", 0) == 1);
  CHECK(is_absent(failures.number("core_seconds", 0)));
}

TEST_CASE("Instances of a library are no task work: the calls in them are") {
  const std::string of_library =
      at(0, "MANAGER 77 START 0") + at(0, "WORKER A CONNECTION 10.0.0.1:9000") +
      at(0, R"(WORKER A RESOURCES {"cores":[2,"cores"]})") +
      at(0, "TASK 1 READY f FIRST_RESOURCES 1 {}") + at(1, "TASK 9 RUNNING A " + given) +
      at(1, "LIBRARY 9 SENT A") + at(2, "LIBRARY 9 STARTED A") +
      at(2, "TASK 1 RUNNING A " + given) + at(5, "TASK 1 RETRIEVED SUCCESS 0 " + ran(2, 3)) +
      at(6, "TASK 9 RETRIEVED LIBRARY_EXIT  -1  {} {}") + at(6, "TASK 9 DONE LIBRARY_EXIT  -1") +
      at(6, "MANAGER 77 END 6000000");
  const OpenSession session("transactions", of_library);
  CHECK(session.run().tasks.size() == 1);
  const Table failures = session.ask("failures");
  REQUIRE(failures.rows() == 1);
  CHECK(failures.text("task", 0) == "library");
  CHECK(failures.text("exception", 0) == "LIBRARY_EXIT");
  CHECK(failures.text("message", 0) == "exit code -1");
  CHECK(is_absent(failures.number("core_seconds", 0)));
  // Two cores from 0 to 6 s, the task on one of them from 2 to 5 s: 9 core-s are idle. The task
  // waited for the library from 1 to 2 s.
  const Table tree = session.ask("core_time_tree", {}, option("depth", "9"));
  const auto seconds = [&](const char* label) {
    return tree.number("core_seconds", tree.row_of("label", label));
  };
  CHECK(seconds("Idle") == Approx(9));
  CHECK(seconds("Starting") == Approx(2));
  CHECK(seconds("Library starting") == Approx(2));
  CHECK(seconds("Tail") == Approx(3));
  CHECK(seconds("After the last chunk") == Approx(2));
  const Table findings = session.ask("findings");
  const std::size_t row = findings.row_of("id", "library-start");
  REQUIRE(row < findings.rows());
  CHECK(findings.number("gain_core_seconds", row) == Approx(2));
}

TEST_CASE("Work Queue's form of transactions is read, too") {
  const std::string wq =
      "# time manager_pid MANAGER START|END\n\n" + at(0, "MANAGER START") +
      at(0, "WORKER worker-1 10.0.0.1:9000  CONNECTION") +
      at(0, R"(WORKER worker-1 RESOURCES {"cores":[4,"cores"]})") +
      at(1, "TASK 1 WAITING processing FIRST_RESOURCES {}") +
      at(2, "TASK 1 RUNNING 10.0.0.1:9000 " + given) +
      at(4, "TASK 1 WAITING_RETRIEVAL 10.0.0.1:9000 ") +
      at(4, "TASK 1 RETRIEVED SIGNAL  9 " + ran(2, 2)) +
      at(4, "TASK 1 DONE SIGNAL  9 " + ran(2, 2)) + at(4, "TRANSFER INPUT 1 0 0.5 0.1 f") +
      at(5, "WORKER worker-1 10.0.0.1:9000  DISCONNECTION EXPLICIT") + at(5, "MANAGER END");
  const OpenSession session("wq.tr", wq);
  const Run& run = session.run();
  REQUIRE(run.recording.tasks.size() == 1);
  CHECK(text(run, Task::address, 0) == "worker-1");
  CHECK(text(run, Task::message, 0) == "signal 9");
  CHECK(runtime::core_time(run, WorkerSelection(run, {}), 0, 5).core_seconds == 20);
  CHECK(runtime::find_processor(run, {}).guessed == false);
  CHECK(run.text(runtime::find_processor(run, {}).prefix) == "processing");
  CHECK(!has_note(run, "incomplete"));
}

TEST_CASE("A real log's sums are those that TaskVine wrote beside it") {
  const std::string performance = read_test_file("taskvine/performance.gz");
  const OpenSession session(
      {{"vine-logs/transactions", read_test_file("taskvine/transactions.gz")}});
  const Run& run = session.run();
  const auto& rows = run.recording.tasks;
  double seconds = 0, calls = 0, failed = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    seconds += value_or(rows.at(Task::wall, row), 0);
    calls += text(run, Task::kind, row) == "call" ? 1 : 0;
    failed += text(run, Task::error, row) == "LIBRARY_EXIT" ? 1 : 0;
  }
  CHECK_THAT(seconds, WithinAbs(of_performance(performance, "time_execute") * 1e-6, 1e-5));
  CHECK(calls == 231);
  CHECK(failed == of_performance(performance, "tasks_failed"));
  // Its last task was done when the last line of `performance` was written.
  CHECK(static_cast<double>(rows.size()) == of_performance(performance, "tasks_done") + 1);
  CHECK(static_cast<double>(run.workers.size()) == of_performance(performance, "workers_joined"));
  const auto& changes = run.recording.changes;
  CHECK(changes.at(Change::workers, changes.size() - 1) ==
        of_performance(performance, "workers_connected"));
  CHECK_THAT(core_seconds(session.ask("budget"), "task:parsl-default"),
             WithinAbs(4866.787904, 1e-5));
}

TEST_CASE("What transactions tell does not depend on the pieces in which they come") {
  const auto rows = [](std::size_t piece) {
    return table_json(
        OpenSession(std::vector<File>{{"transactions", small_log}}, piece).ask("failures"));
  };
  for (const std::size_t piece : {1, 7, 100}) CHECK(rows(piece) == rows(small_log.size()));
}

TEST_CASE("A long log of transactions has the sum of its attempts") {
  std::string long_log = at(0, "MANAGER 77 START 0");
  double expected = 0;
  for (int task = 1; task <= 20000; ++task) {
    const std::string id = std::to_string(task);
    const double begin = task, wall = 0.25 * (1 + task % 3);
    expected += wall;
    long_log += at(begin, "TASK " + id + " READY c FIRST_RESOURCES 1 {}") +
                at(begin, "TASK " + id + " RUNNING W" + std::to_string(task % 50) + given) +
                at(begin + wall, "TASK " + id + " RETRIEVED SUCCESS 0" + ran(begin, wall)) +
                at(begin + wall, "TASK " + id + " DONE SUCCESS 0");
  }
  const OpenSession session("transactions", long_log);
  CHECK(session.run().tasks.size() == 20000);
  CHECK_THAT(core_seconds(session.ask("budget"), "task:c"), WithinAbs(expected, 1e-3));
}

TEST_CASE("What TaskVine writes beside its transactions is neither read nor unknown") {
  const OpenSession session(
      {{"vine-logs/transactions", small_log},
       {"vine-logs/debug",
        "2025/03/17 18:25:21.36 vine_manager[318561] vine: Listening on port 9123.\n"},
       {"vine-logs/taskgraph", "digraph \"taskvine\" {\nnode [style=filled];\n"},
       {"vine-logs/workflow.json",
        R"({"@graph": [{"url": {"@id": "http://ccl.cse.nd.edu/software/taskvine"}}]})"}});
  CHECK(session.runs() == 1);
  CHECK(!has_note(session.run(), "not-recognised"));
}

TEST_CASE("performance alone tells cores, states of tasks and the seconds of all") {
  const std::string performance =
      "# timestamp workers_connected tasks_waiting tasks_running tasks_submitted tasks_done "
      "tasks_failed time_execute total_cores workers_lost\n"
      "1000000000 0 0 0 0 0 0 0 0 0\n1010000000 1 3 0 3 0 0 0 4 0\n"
      "1020000000 1 1 2 3 0 0 0 4 0\n1030000000 0 0 0 3 2 1 15000000 0 1\n";
  const OpenSession session("performance", performance);
  // 4 cores from 10 s to 30 s
  CHECK(core_seconds(session.ask("budget"), "available") == 80);
  CHECK(core_seconds(session.ask("budget"), "idle") == 65);
  const Table states = session.ask("task_states");
  CHECK(states.number("most", states.row_of("state", "queued")) == 3);
  CHECK(states.number("most", states.row_of("state", "processing")) == 2);
  CHECK(has_note(session.run(), "manager-totals"));
}

TEST_CASE("Beside transactions, performance is second") {
  const std::vector<File> both = {{"l/performance", read_test_file("taskvine/performance.gz")},
                                  {"l/transactions", read_test_file("taskvine/transactions.gz")}};
  const OpenSession alone("l/transactions", both[1].content), session(both);
  for (const char* part : {"available", "idle", "task:parsl-default"})
    CHECK_THAT(core_seconds(session.ask("budget"), part),
               WithinAbs(core_seconds(alone.ask("budget"), part), 1e-6));
  CHECK(session.run().task_states.t.size() == alone.run().task_states.t.size());
  CHECK(session.runs() == 1);
}

TEST_CASE("A task whose READY is not in the log is a task, unless a library runs in it") {
  const std::string late = at(0, "TASK 1 RUNNING A " + given) +
                           at(2, "TASK 1 RETRIEVED SUCCESS 0 " + ran(0, 2)) +
                           at(2, "TASK 1 DONE SUCCESS 0");
  const OpenSession session("transactions", late);
  CHECK(core_seconds(session.ask("budget"), "task:unknown") == 2);
}

TEST_CASE("Why a worker left stands in the debug log: transactions say FAILURE of all") {
  const auto debug = [](const std::string& what) {
    return "2026/11/26 12:32:05.38 vine_manager[77]vine: rx from b (10.0.0.2:9000): info " + what +
           "\n";
  };
  const auto ask = [&](const std::string& last_word) {
    const OpenSession session({{"vine-logs/transactions", small_log},
                               {"vine-logs/debug", debug("worker-id B") + last_word}});
    CHECK(session.runs() == 1);
    const Table failures = session.ask("failures");
    return std::string(failures.text_note("workers"));
  };
  CHECK(ask(debug("vacating 15")) == "Worker B was stopped from outside (signal-15), at 6 s");
  CHECK(ask(debug("wall_time_exhausted 5")) ==
        "Worker B closed itself at the end of its --wall-time, at 6 s");
  CHECK(ask("2026/11/26 12:32:05.38 vine_manager[77]vine: Removing worker b (10.0.0.2:9000): "
            "hasn't responded to keepalive check for more than 30 s\n") ==
        "Worker B was silent for too long, and given up, at 6 s");
  CHECK(ask("") ==
        "Worker B was lost, unknown why: killed from outside, a crash and a lost machine look the "
        "same, at 6 s");
}

namespace {

/// Attempts of a run: of which kind, when [epoch s], and whether they ended well.
struct Attempted {
  std::string kind;
  double begin, end;
  std::string status;
  bool is_told = false;  ///< by another source, too
};

std::vector<Attempted> attempts_of(const Run& run, Task kind) {
  const auto& rows = run.recording.tasks;
  std::vector<Attempted> found;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double begin = run.clock.zero_epoch + rows.at(Task::begin, row);
    if (text(run, Task::worker, row) != "client")
      found.push_back({text(run, kind, row), begin, begin + rows.at(Task::wall, row),
                       text(run, Task::status, row)});
  }
  return found;
}

}  // namespace

TEST_CASE("Why a task was given back by a worker that stays stands in the debug log") {
  const std::string log = at(0, "MANAGER 77 START 0") + at(0, "WORKER A CONNECTION 10.0.0.1:9000") +
                          at(1, "TASK 4 READY fit FIRST_RESOURCES 1 {}") +
                          at(1, "TASK 4 RUNNING A " + given) +
                          at(3, "TASK 4 READY fit FIRST_RESOURCES 2 {}");
  const auto told = [&](const std::string& debug) {
    const OpenSession session(
        {{"l/transactions", log},
         {"l/debug", "2026/11/26 12:32:05.38 vine_manager[77]vine: " + debug}});
    return std::string(session.ask("failures").text_note("headline"));
  };
  CHECK(told("manager start\n") ==
        "1 attempt of 1 task was given back by its worker; none has succeeded");
  CHECK(told("Task 4 exhausted disk sandbox on a (10.0.0.1:9000).\n") ==
        "1 attempt of 1 task exceeded its limit of disk; none has succeeded");
}

TEST_CASE("What crema recorded of a run and what its manager wrote are the same attempts") {
  // coffea with two workers, one of which got SIGTERM while it processed a chunk
  const std::vector<File> own = {
      {"r/tasks.json", read_test_file("taskvine-recorded/tasks.json")},
      {"r/tasks-000000.json.gz", read_test_file("taskvine-recorded/tasks-000000.json.gz")}};
  const std::vector<File> logs = {
      {"r/vine-logs/transactions", read_test_file("taskvine-recorded/transactions.gz")},
      {"r/vine-logs/debug", read_test_file("taskvine-recorded/debug")}};
  const OpenSession recorded(own), logged(logs);
  std::vector<Attempted> of_manager = attempts_of(logged.run(), Task::function);
  const std::vector<Attempted> attempts = attempts_of(recorded.run(), Task::kind);
  CHECK(attempts.size() == of_manager.size());
  const std::map<std::string, std::string> categories = {
      {"file", "preprocessing"}, {"chunk", "processing"}, {"merge", "accumulating"}};
  constexpr double clocks_agree = 0.01;  // [s] one machine
  for (const Attempted& attempt : attempts) {
    CAPTURE(attempt.kind, attempt.begin);
    const auto same = std::find_if(of_manager.begin(), of_manager.end(), [&](const Attempted& a) {
      return !a.is_told && a.kind == categories.at(attempt.kind) && a.status == attempt.status &&
             a.begin <= attempt.begin + clocks_agree && a.end >= attempt.end - clocks_agree;
    });
    REQUIRE(same != of_manager.end());
    same->is_told = true;
  }
  for (const OpenSession* const session : {&recorded, &logged}) {
    const Table failures = session->ask("failures");
    REQUIRE(failures.rows() == 1);
    CHECK(failures.number("recovered", 0) == 1);
    CHECK(failures.text_note("workers").find("was stopped from outside (signal-15)") !=
          std::string_view::npos);
  }
  CHECK(recorded.ask("failures").text_note("headline") ==
        "1 attempt of 1 chunk ended when its worker was stopped from outside (signal-15) "
        "(muons_1.root, entries 2,000 to 4,000 of muons); another attempt succeeded");

  std::vector<File> both = own;
  both.insert(both.end(), logs.begin(), logs.end());
  const OpenSession session(both);
  CHECK(session.runs() == 1);
  CHECK(session.run().recording.tasks.size() == recorded.run().recording.tasks.size());
  CHECK(exports::table_json(session.ask("failures")) ==
        exports::table_json(recorded.ask("failures")));
}
