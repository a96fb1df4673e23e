// What the scheduler had to do: states of tasks over time, workers that were paused, and idle time
// told by them.
#include "core/diagnose/rules.hpp"
#include "core/read/roastcoffea/metrics.hpp"
#include "core/report/answer_text.hpp"
#include "core/runtime/cluster.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/one_worker.hpp"

using namespace crema;
using namespace crema::test;
using runtime::IdleCause;

namespace {

/// From 0 to 10 s on one worker of one thread. P-1 is assigned at 0 and runs from 0 to 2; P-2 waits
/// for it, is ready at 3, assigned at 5 and runs from 6 to 8. Names: 0 P, 1 released, 2 waiting,
/// 3 processing, 4 queued, 5 memory, 6 the worker, 7 a stimulus.
const std::string two_tasks = R"({"format": "crema_transitions_v1", "start": 0, "forgotten": 0,
  "names": ["P", "released", "waiting", "processing", "queued", "memory", "tcp://a:1", "why"],
  "before": [],
  "transitions": [[0, 0, 1, 3, -1, 6, 7], [0, 0, 1, 2, -1, -1, 7], [2, 0, 3, 5, 6, -1, 7],
    [3, 0, 2, 4, -1, -1, 7], [5, 0, 4, 3, -1, 6, 7], [8, 0, 3, 5, 6, -1, 7]]})";

Run worker_with(const std::string& transitions) {
  Run run = one_worker({{0, 2}, {6, 8}});
  if (!transitions.empty())
    read_into(run, read::transitions_format, transitions, "transitions.json");
  return run;
}

void add_event(Run& run, const char* kind, double t, double value) {
  run.worker_events.push_back({run.names->strings.intern("tcp://a:1"), kind, t, value});
}

}  // namespace

TEST_CASE("Idle time by the tasks' states: nothing ready, nothing assigned, and held back") {
  const runtime::IdleTime idle = idle_of(worker_with(two_tasks));
  CHECK(idle.states);
  CHECK(of_cause(idle, IdleCause::nothing_ready) == Approx(1));  // 2 to 3
  CHECK(of_cause(idle, IdleCause::unassigned) == Approx(2));     // 3 to 5
  CHECK(of_cause(idle, IdleCause::held_back) == Approx(1));      // 5 to 6
  CHECK(of_cause(idle, IdleCause::after_last) == Approx(2));     // 8 to 10
}

namespace {

/// From 0 to 9 s four tasks are assigned to the other worker, which has one thread: it runs one,
/// holds one ready, and two wait. At 4 s two of them are done.
Run bound_to_another() {
  const std::string transitions = R"({"format": "crema_transitions_v1", "start": 0, "forgotten": 0,
    "names": ["P", "waiting", "processing", "memory", "tcp://b:1"], "before": [],
    "transitions": [[0, 0, 1, 2, -1, 4, -1], [0, 0, 1, 2, -1, 4, -1], [0, 0, 1, 2, -1, 4, -1],
      [0, 0, 1, 2, -1, 4, -1], [4, 0, 2, 3, 4, -1, -1], [4, 0, 2, 3, 4, -1, -1]]})";
  Run run = one_worker({{0, 1}, {9, 10}});
  const std::size_t other = run.workers.intern(run.names->strings.intern("tcp://b:1"));
  run.workers.nthreads[other] = 1;
  read_into(run, read::transitions_format, transitions, "transitions.json");
  return run;
}

}  // namespace

TEST_CASE("A worker idles while tasks wait for another one, that holds more than it can begin") {
  const runtime::IdleTime idle = idle_of(bound_to_another());
  CHECK(of_cause(idle, IdleCause::elsewhere) >= 3);      // 1 to 4, and the other worker
  CHECK(of_cause(idle, IdleCause::nothing_ready) == 5);  // 4 to 9
}

TEST_CASE("Tasks that may run on certain workers only are why others idle") {
  using recorded_columns::Machine;
  const auto evidence_of = [](double to_workers, double to_resources) {
    Run run = bound_to_another();
    auto& rows = run.recording.machine;
    rows.resize(1);
    rows.of(Machine::bound_to_workers)[0] = to_workers;
    rows.of(Machine::bound_to_resources)[0] = to_resources;
    rows.of(Machine::ended)[0] = 4;
    diagnose::RunFacts facts(run, {});
    facts.idle.seconds[static_cast<std::size_t>(IdleCause::elsewhere)] = 3;
    const std::vector<diagnose::Finding> found = diagnose::rules::tasks_elsewhere(facts);
    REQUIRE(found.size() == 1);
    const bool is_bound = found[0].cause == diagnose::FindingCause::tasks_bound;
    return is_bound ? report::text_of(found[0]).evidence : "not bound";
  };
  CHECK(evidence_of(0, 0) == "not bound");
  CHECK(evidence_of(1, 0) == "not bound");  // of four
  CHECK(evidence_of(4, 0).starts_with(
      "4 of 4 tasks could run on certain workers only. 4 were bound by worker_aff"));
  CHECK(evidence_of(0, 3).starts_with(
      "3 of 4 tasks could run on certain workers only. 3 needed a resource"));
}

TEST_CASE("Without states idle time is told by the ticks, as ever") {
  const runtime::IdleTime idle = idle_of(worker_with({}));
  CHECK(!idle.states);
  CHECK(of_cause(idle, IdleCause::nothing_ready) == Approx(4));
  CHECK(of_cause(idle, IdleCause::unassigned) == 0);
}

TEST_CASE("What was forgotten of the tasks' states is told by the ticks") {
  // known from 3 on, when one task was waiting
  const runtime::IdleTime idle = idle_of(worker_with(
      R"({"format": "crema_transitions_v1", "start": 0, "forgotten": 3,
      "names": ["P", "waiting", "processing", "queued", "tcp://a:1"], "before": [[1, -1, 1]],
      "transitions": [[3, 0, 1, 3, -1, -1, -1], [5, 0, 3, 2, -1, 4, -1]]})"));
  CHECK(of_cause(idle, IdleCause::nothing_ready) == Approx(1));
  CHECK(of_cause(idle, IdleCause::unassigned) == Approx(2));
  CHECK(of_cause(idle, IdleCause::held_back) == Approx(1));
}

TEST_CASE("A paused worker is the cause of its idle time, whatever was ready") {
  Run run = worker_with(two_tasks);
  add_event(run, "paused", 2.5, 0.82);
  add_event(run, "paused", 3.0, 0.9);  // of another monitor: it is one pause
  add_event(run, "resumed", 4.5, 0.6);
  add_event(run, "paused", 9.5, 0.85);
  const std::vector<runtime::Pause> pauses = runtime::pauses_of(run);
  REQUIRE(pauses.size() == 2);
  CHECK(pauses[0].end == 4.5);
  CHECK(pauses[0].share == 0.82);
  CHECK(pauses[1].end == 10);  // nothing says that it ended
  const runtime::IdleTime idle = idle_of(run);
  CHECK(of_cause(idle, IdleCause::nothing_ready) == Approx(0.5));
  CHECK(of_cause(idle, IdleCause::paused) == Approx(2));
  CHECK(of_cause(idle, IdleCause::unassigned) == Approx(0.5));
}

TEST_CASE("Pauses, garbage and still event loops are told in numbers, of the worst worker") {
  Run run = worker_with(two_tasks);
  for (const char* kind : {"paused", "collecting", "unresponsive"})
    run.warnings.push_back({kind, "as logged", 2, 1});
  run.warnings_recorded = true;
  read::add_activity(run.activities, run.names->strings,
                     "('execute', 'P', 'thread-cpu', 'seconds')", 4);
  add_event(run, "paused", 2.5, 0.82);
  add_event(run, "resumed", 4.5, 0.6);
  add_event(run, "collecting", 5, 0.14);
  add_event(run, "unresponsive", 6, 3.5);
  add_event(run, "unresponsive", 9, 4);
  const Table table = ask("findings", run);
  const auto evidence = [&](const char* id) {
    return std::string(table.text("evidence", table.row_of("id", id)));
  };
  CHECK(evidence("memory-near-limit").find("Worker :1 was paused for 2 s at 82 % of its memory") ==
        0);
  CHECK(evidence("memory-near-limit").find("cores of paused workers idled for 2 core-s") !=
        std::string::npos);
  CHECK(evidence("garbage-collection").find("Worker :1 spent up to 14 % of its CPU time") == 0);
  CHECK(evidence("unresponsive").find("was blocked for 7.5 s in total, at most for 4 s") !=
        std::string::npos);
}

TEST_CASE("task_states: how many tasks were in each state, over time") {
  const Run run = worker_with(two_tasks);
  const Table table = ask("task_states", run, {{"bins", "2"}});
  CHECK(table.rows() == 4);
  const auto row = [&](const char* state) { return table.row_of("state", state); };
  CHECK(table.number("entered", row("processing")) == 2);
  CHECK(table.number("most", row("processing")) == 1);
  CHECK(table.number("most", row("memory")) == 2);
  const std::vector<double>& tasks = table.find("tasks")->numbers;
  // waiting from 0 to 3, queued from 3 to 5; in halves of 5 s
  CHECK(tasks[2 * row("waiting")] == Approx(3.0 / 5));
  CHECK(tasks[2 * row("waiting") + 1] == 0);
  CHECK(tasks[2 * row("queued")] == Approx(2.0 / 5));
  CHECK(tasks[2 * row("processing") + 1] == Approx(3.0 / 5));
  CHECK(!note(ask("task_states", worker_with({})), "missing").empty());
}

TEST_CASE("States out of order end all the same") {
  const runtime::IdleTime idle = idle_of(worker_with(
      R"({"format": "crema_transitions_v1", "start": 0, "names": ["queued"], "transitions": [
      [9, 0, -1, 0, -1, -1, -1], [1, 0, -1, 0, -1, -1, -1], [0.5, 0, -1, 0, -1, -1, -1]]})"));
  CHECK(of_cause(idle, IdleCause::after_last) == Approx(2));
}

TEST_CASE("States that are no list of numbers are left out, and said") {
  const Run run = worker_with(
      R"({"format": "crema_transitions_v1", "start": 0, "names": ["waiting"],
      "before": [[0, -1]], "transitions": [[1, 2], "x", [1, 0, 5, 0, -1, -1, -1]]})");
  CHECK(run.task_states.t.size() == 2);  // of the last: from a state that has no name, and to one
  REQUIRE(!run.data_notes.empty());
  CHECK(run.data_notes.back().message.find("3 changes") == 0);
}
