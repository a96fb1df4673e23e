// Tasks that raised: what is said of them.
#include "catch.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/report/answer_text.hpp"
#include "open_run.hpp"
#include "small_bundle.hpp"
#include "small_run.hpp"

using namespace crema;
using namespace crema::diagnose;
using namespace crema::test;

namespace {

/// A task of `seconds` on `worker`; `raised` is what it raised, nothing where it ended well.
std::string task(const std::string& key, const std::string& worker, double begin, double seconds,
                 const std::string& raised = {}) {
  const double start = 1795255200 + begin;
  return R"({"key": ")" + key + R"(", "worker": "tcp://)" + worker + R"(", "thread": 1, )" +
         (raised.empty() ? R"("status": "OK")"
                         : R"("status": "error", "exception_text": ")" + raised + "\"") +
         R"(, "startstops": [{"action": "compute", "start": )" + std::to_string(start) +
         R"(, "stop": )" + std::to_string(start + seconds) + "}]}";
}

struct Told {
  std::string first, title, evidence, severity, selection;
};

Told findings_of(const std::string& tasks) {
  const OpenSession session(
      {{"run/metrics.json", small_metrics()}, {"run/task_stream.json", "[" + tasks + "]"}});
  const Table found = session.ask("findings");
  const auto row = found.row_of("id", "failed-tasks");
  if (row >= found.rows()) return {};
  const auto text = [&](const char* column) { return std::string(found.text(column, row)); };
  return {std::string(found.text("id", 0)), text("title"), text("evidence"), text("severity"),
          text("selection")};
}

}  // namespace

TEST_CASE("Tasks that failed for good are the first finding, with what they raised") {
  const Told told = findings_of(task("P-0", "a:1", 1, 1) + "," +
                                task("P-1", "a:1", 2, 1, "MemoryError('no room')") + "," +
                                task("P-2", "b:1", 1, 1.5, "MemoryError('no room')") + "," +
                                task("P-3", "b:1", 3, 0.5, "KeyError('pt')"));
  CHECK(told.first == "failed-tasks");
  CHECK(told.title == "3 of 4 tasks failed: MemoryError and others");
  CHECK(told.severity == "high");
  CHECK(told.evidence ==
        "3 tasks never succeeded, so their results are missing; 3 core-s were wasted. "
        "MemoryError: 2 times; other exceptions: 1 time.");
}

TEST_CASE("Where all failed on one worker of several, the worker is named") {
  const Told told = findings_of(task("P-0", "a:1", 1, 1) + "," +
                                task("P-1", "b:1", 2, 1, "OSError(5, 'Input/output error')") + "," +
                                task("P-2", "b:1", 3, 1, "OSError(5, 'Input/output error')"));
  CHECK(told.title == "2 of 3 tasks failed, all on worker tcp://b:1: OSError");
  CHECK(told.selection.find("tcp://b:1") != std::string::npos);
}

TEST_CASE("Tasks that ended well when they ran again are told less gravely") {
  const Told told = findings_of(task("P-0", "a:1", 1, 0.5, "OSError(5)") + "," +
                                task("P-0", "a:1", 2, 1) + "," + task("P-1", "a:1", 3, 1));
  CHECK(told.title == "1 of 3 attempts failed: OSError");
  CHECK(told.severity == "medium");
  CHECK(told.evidence == "All of them succeeded when they were run again; 0.5 core-s were wasted.");
}

TEST_CASE("Words of Dask for the end of a worker, and what they are told as") {
  const auto text = [](std::string_view reason) {
    return report::worker_end_text(worker_end(reason), reason);
  };
  CHECK(text("memory-limit") == "was killed near its memory limit");
  CHECK(text("worker-close-gracefully") == "closed itself, as at the end of its --lifetime");
  CHECK(text("wall-time-exhausted") == "closed itself at the end of its --wall-time");
  CHECK(text("keepalive") == text("check-worker-ttl"));
  CHECK(text("FAILURE") == text(""));
  CHECK(text("signal-15") == "was stopped from outside (signal-15)");
  CHECK(text("signal-9") ==
        "was killed by SIGKILL, unknown why: Linux without memory and batch systems do so");
  CHECK(text("signal-11") == "crashed (signal-11)");
  CHECK(text("handle-worker-cleanup") == text(""));
  CHECK(text("DISCONNECTED") == "left (DISCONNECTED)");
  CHECK(worker_end("retire-workers") == WorkerEnd::retired);
}

TEST_CASE("Where none failed nothing is said") {
  CHECK(findings_of(task("P-0", "a:1", 1, 1)).title.empty());
}

TEST_CASE("Lost work unfolds by what the tasks raised, and by the workers that were lost") {
  // P-0 raised after 1 s and ran again; P-1 had run for 0.5 s on worker a:1, and ran again.
  const OpenSession session(
      {{"run/metrics.json", small_metrics()},
       {"run/task_stream.json",
        "[" + task("P-0", "10.0.0.1:1001", 0.2, 1, "MemoryError('no room')") + "," +
            task("P-0", "10.0.0.1:1001", 1.3, 1.5) + "," + task("P-1", "10.0.0.2:1002", 0.2, 0.5) +
            "," + task("P-1", "10.0.0.1:1001", 1, 3) + "]"}});
  const Table tree = session.ask("core_time_tree");
  const std::size_t lost = tree.row_of("kind", "lost_work");
  const std::size_t raised = tree.row_of("kind", "exception");
  const std::size_t worker = tree.row_of("kind", "worker");
  REQUIRE(worker < tree.rows());
  CHECK(tree.text("label", raised) == "MemoryError");
  CHECK(tree.number("core_seconds", raised) == Approx(1));
  CHECK(tree.number("core_seconds", worker) == Approx(0.5));
  CHECK(tree.number("core_seconds", lost) == Approx(1.5));
}

TEST_CASE("A chunk that its executor split after a failure has succeeded when its parts have") {
  using recorded_columns::Task;
  SmallRun small;
  auto& rows = small.run.recording.tasks;
  const auto add = [&](double begin, double end, const char* status, const char* error) {
    const std::size_t row = rows.size();
    rows.resize(row + 1);
    rows.of(Task::kind)[row] = small.id("chunk");
    rows.of(Task::function)[row] = small.id("process");
    rows.of(Task::file)[row] = small.id("a.root");
    rows.of(Task::call)[row] = 2;
    rows.of(Task::entry_start)[row] = begin;
    rows.of(Task::entry_stop)[row] = end;
    rows.of(Task::status)[row] = small.id(status);
    if (*error != '\0') {
      rows.of(Task::error)[row] = small.id(error);
      rows.of(Task::message)[row] = small.id("memory 1000 MB");
    }
  };
  const auto told = [&] {
    return report::failures_headline(runtime::find_failures(small.run, {}));
  };
  add(2000, 4000, "failed", "RESOURCE_EXHAUSTION");
  add(4000, 6000, "ok", "");  // another chunk
  add(2000, 3000, "ok", "");
  CHECK(told() ==
        "1 attempt of 1 chunk exceeded its limit of memory 1000 MB (a.root, entries 2,000 to "
        "4,000); none has succeeded");
  add(3000, 3500, "ok", "");
  add(3500, 4000, "ok", "");
  CHECK(told() ==
        "1 attempt of 1 chunk exceeded its limit of memory 1000 MB (a.root, entries 2,000 to "
        "4,000); it succeeded in smaller chunks");
  add(2000, 2500, "ok", "");  // a part of a part, again
  CHECK(told() ==
        "1 attempt of 1 chunk exceeded its limit of memory 1000 MB (a.root, entries 2,000 to "
        "4,000); it succeeded in smaller chunks");
}
