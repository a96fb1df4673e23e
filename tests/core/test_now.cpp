// A recording that goes on: who is silent, who is idle, what will fail again, what findings cost
// if it goes on.
#include <map>

#include "core/report/answer_text.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"

namespace crema::test {
namespace {

/// An attempt at 100 events of x.root: it takes `wall` [s], `process` of it in process().
struct Attempt {
  int worker;
  double begin, wall, process;
  int chunk;
  bool fails = false;
};

/// What is recorded of attempts at `until` [s], of 40 chunks that were planned; a worker has one
/// thread.
OpenSession recording(const std::vector<Attempt>& attempts, double until,
                      const std::string& state = "running", bool is_cluster = false) {
  const auto micros = [](double seconds) {
    return std::to_string(static_cast<long long>(seconds * 1e6));
  };
  std::map<std::string, std::string> columns;
  std::map<int, double> ends;
  for (const Attempt& one : attempts) {
    const auto add = [&](const char* name, const std::string& value) {
      std::string& column = columns[name];
      column += (column.empty() ? "" : ", ") + value;
    };
    add("kind", "0");
    add("function", "1");
    add("call", "1");
    add("host", "2");
    add("dataset", "3");
    add("file", "4");
    add("pid", std::to_string(one.worker));
    add("thread", std::to_string(one.worker));
    add("worker", one.worker == 1 ? "5" : "6");
    add("status", one.fails ? "8" : "7");
    add("error", one.fails ? "9" : "null");
    add("message", one.fails ? "10" : "null");
    add("entry_start", std::to_string(100 * one.chunk));
    add("entry_stop", std::to_string(100 * one.chunk + 100));
    add("events", one.fails ? "null" : "100");
    add("begin", micros(one.begin));
    add("wall", micros(one.wall));
    add("cpu", micros(one.wall));
    add("process_begin", micros(one.wall - one.process));
    add("process_wall", micros(one.process));
    ends[one.worker] = std::max(ends[one.worker], one.begin + one.wall);
  }
  std::string part = R"({"format": "crema_tasks_v1", "epoch": 1700000000, "strings":
    ["chunk", "Toy", "node", "d", "data/x.root", "W-1", "W-2", "ok", "failed", "OSError",
     "Expired", "client"], "processes": [], "tasks": {)";
  std::string separator;
  for (const auto& [name, column] : columns)
    part += std::exchange(separator, ", ") + "\"" + name + "\": [" + column + "]";
  part += "}";
  if (is_cluster)  // what the client did in the first second and worker 1 in the last
    part += R"(, "machine": {"host": [2, 2], "pid": [9, 1], "worker": [11, 5], "begin": [0, )" +
            micros(until - 1) + R"(], "wall": [1000000, 1000000], "own": [0, 0]})";
  std::string workers;
  for (const auto& [worker, end] : ends)
    workers += std::string(workers.empty() ? "" : ", ") + R"({"host": "node", "pid": )" +
               std::to_string(worker) + R"(, "worker": "W-)" + std::to_string(worker) +
               R"(", "begin": 1700000000, "threads": 1, "end": )" +
               std::to_string(1700000000 + end) + "}";
  const std::string index = R"({"format": "crema_task_index_v1", "state": ")" + state +
                            R"(", "begin": 1700000000, "until": )" +
                            std::to_string(1700000000 + until) +
                            R"(, "dropped": 0, "notes": [], "cluster": )" +
                            (is_cluster ? "true" : "false") + R"(, "planned": [{"call": 1,
    "kind": "chunk", "dataset": "d", "tasks": 40, "events": 4000}], "workers": [)" +
                            workers + R"(], "parts": []})";
  return OpenSession({{"run/tasks-000000.json", part + "}"}, {"run/tasks.json", index}});
}

std::string text_of(const Table& now, std::string_view kind) {
  const std::size_t row = now.row_of("kind", kind);
  return row < now.rows() ? std::string(now.text("text", row)) : std::string();
}

/// `count` chunks of 1 s that worker 1 ran, one after the other, `apart` [s].
std::vector<Attempt> in_a_row(int count, double apart = 0, double process = 1) {
  std::vector<Attempt> attempts;
  for (int i = 0; i < count; ++i) attempts.push_back({1, i * (1 + apart), 1, process, i});
  return attempts;
}

}  // namespace

TEST_CASE("While a cluster runs nobody knows when it had cores: no phase has waited for them") {
  // The first of the chunks began at 20 s.
  const std::vector<Attempt> attempts = {{1, 20, 1, 1, 0}, {1, 21, 1, 1, 1}};
  const OpenSession session = recording(attempts, 30, "running", true);
  const Table phases = session.ask("phases");
  REQUIRE(phases.rows() == 3);
  CHECK(phases.text("phase", 0) == "pre-processing");
  CHECK(phases.number("t1", 0) == Approx(20));
  CHECK(phases.text("phase", 1) == "steady");
  CHECK(phases.text("phase", 2) == "after");
  const Table findings = session.ask("findings");
  CHECK(findings.row_of("id", "start-up") == findings.rows());
}

TEST_CASE("While a cluster runs its workers have as many cores as they ran tasks at once") {
  // Dask tells its cores at the end; until then worker 1 has one, from 0 s to its last end at 10 s.
  const Table summary = recording(in_a_row(10), 10, "running", true).ask("summary");
  const auto value = [&](const char* id) {
    return summary.number("value", summary.row_of("id", id));
  };
  CHECK(value("core_seconds_available") == Approx(10));
  CHECK(value("process_fraction") == Approx(1));
  CHECK(value("cpu_fraction") == Approx(1));
  // of one that has ended without a word of Dask's they are not known
  const Table ended = recording(in_a_row(10), 10, "complete", true).ask("summary");
  CHECK(is_absent(ended.number("value", ended.row_of("id", "core_seconds_available"))));
}

TEST_CASE("What a recording that goes on lacks, it lacks so far") {
  const OpenSession runs = recording({}, 2, "running", true);
  const OpenSession ended = recording(in_a_row(10), 10, "complete", true);
  CHECK(note(runs.ask("chunks"), "missing") == "chunks were not recorded so far");
  CHECK(note(runs.ask("task_states"), "missing") == "the tasks' states were not recorded so far");
  CHECK(note(runs.ask("input"), "verdict") ==
        "How much of the files was read is not recorded so far.");
  CHECK(note(runs.ask("flame"), "missing") == "No profile was recorded so far");
  CHECK(note(ended.ask("task_states"), "missing") ==
        "the tasks' states were not recorded; crema.record keeps them");
  const Table quality = runs.ask("quality");  // that it goes on, and not what it lacks
  REQUIRE(quality.rows() == 1);
  CHECK(quality.text("id", 0) == "incomplete");
  const auto note_of = [](const Table& summary) {
    return summary.text("note", summary.row_of("id", "event_rate_elapsed_khz"));
  };
  CHECK(note_of(runs.ask("summary")) == "not known yet: the recording goes on");
  CHECK(note(recording(in_a_row(10), 10, "running", true).ask("findings"), "not_seen")
            .starts_with("cannot be seen so far: workers that paused"));
}

TEST_CASE("A process for each task, as under TaskVine, is not busy after it") {
  std::vector<Attempt> attempts;  // two at a time, of 1 s; the later begins before the other ends
  for (int i = 0; i < 20; ++i)
    attempts.push_back(
        {.worker = 1 + i, .begin = 0.99 * (i / 2), .wall = 1, .process = 1, .chunk = i});
  const Table progress = recording(attempts, 10).ask("progress");
  CHECK(number_note(progress, "cores") == Approx(2).epsilon(0.02));
  CHECK(number_note(progress, "left") == Approx(20 / 2.0).epsilon(0.02));  // 20 of 40 chunks
}

TEST_CASE("A worker is silent once it has ended no task for three times the longest one") {
  std::vector<Attempt> attempts = in_a_row(10);
  attempts.push_back({2, 0, 4, 4, 10});
  CHECK(text_of(recording(attempts, 15).ask("now"), "silent").empty());
  attempts.push_back({1, 10, 4, 4, 11});
  // the longest one took 4 s, and worker 2 has ended none since 4 s
  CHECK(text_of(recording(attempts, 17).ask("now"), "silent") ==
        "No task of W-2 has ended for 13 s or more; the longest one so far took 4 s");
  CHECK(recording(attempts, 17, "complete").ask("now").rows() == 0);
}

TEST_CASE("Idle time is told up to the moment that all its threads have told of") {
  // Of the 9 s from 20 s, where the last third begins, to the end of the last task 4 were idle.
  CHECK(text_of(recording(in_a_row(15, 1), 30).ask("now"), "idle") ==
        "44.4 % of the core-time from 20 s to 29 s was idle: Cause not recorded 44.4 %");
  CHECK(text_of(recording(in_a_row(30), 30).ask("now"), "idle").empty());
  // Worker 2 may be at work since 21 s; of the 10 core-s from 16 s to there worker 1 idled 2 s.
  std::vector<Attempt> attempts = in_a_row(12, 1);
  for (int i = 0; i < 20; ++i) attempts.push_back({2, 1.05 * i, 1.05, 1.05, 12 + i});
  CHECK(text_of(recording(attempts, 24).ask("now"), "idle") ==
        "20 % of the core-time from 16 s to 21 s was idle: Cause not recorded 20 %");
}

TEST_CASE("What failed twice alike is named, unless it ended well or another way") {
  std::vector<Attempt> attempts = in_a_row(3);
  attempts.push_back({1, 3, 1, 1, 7, true});
  const Table once = recording(attempts, 6).ask("now");
  CHECK(text_of(once, "failure") ==
        "1 attempt of 1 chunk failed with OSError: Expired (x.root, entries 700 to 800 of d); none "
        "has succeeded");
  CHECK(text_of(once, "repeated").empty());
  attempts.push_back({1, 4, 1, 1, 7, true});
  const Table twice = recording(attempts, 6).ask("now");
  CHECK(text_of(twice, "failure") ==
        "2 attempts of 1 chunk failed with OSError: Expired, each on worker node/1 (x.root, "
        "entries 700 to 800 of d); none has succeeded");
  CHECK(text_of(twice, "repeated") ==
        "1 task failed twice with OSError and may fail again: x.root:700-800");
  CHECK(twice.text("part", 0) == "Failures");
  CHECK(recording(attempts, 6).ask("failures").number("repeated", 0) == 1);
  attempts.push_back({1, 5, 1, 1, 7});
  CHECK(text_of(recording(attempts, 6).ask("now"), "repeated").empty());
}

TEST_CASE("A cause that stays costs in the rest what it has cost so far, for as much work") {
  // Of 20 chunks each has 0.6 s outside process(), 0.5 s more than usual: 10 core-s. As many chunks
  // are left.
  const OpenSession session = recording(in_a_row(20, 0, 0.4), 20.5);
  const Table now = session.ask("now"), progress = session.ask("progress");
  const std::size_t row = now.row_of("name", "outside-process");
  REQUIRE(row < now.rows());
  CHECK(now.text("part", row) == "If it goes on");
  const double each = 10.0 / 20 * number_note(progress, "cores");
  CHECK(now.number("low", row) == Approx(each * number_note(progress, "left_low")));
  CHECK(now.number("high", row) == Approx(each * number_note(progress, "left_high")));
  CHECK(now.number("low", row) < 10);
  CHECK(now.number("high", row) > 10);
  CHECK(recording(in_a_row(20, 0, 0.4), 20.5, "complete").ask("now").rows() == 0);
}

TEST_CASE("The first chunk of a thread, which imports, tells nothing of what the others cost") {
  // 4 s, then 1 s each: of 40 chunks 16 are done, and the other 24 take as many seconds
  std::vector<Attempt> attempts = {{1, 0, 4, 4, 0}};
  for (int i = 1; i < 16; ++i) attempts.push_back({1, 3.0 + i, 1, 1, i});
  const Table later = recording(attempts, 19).ask("progress");
  CHECK(number_note(later, "left") == Approx(24).epsilon(0.02));
  CHECK(number_note(later, "left_low") > 24 * 0.8);
  // of the first alone: 39 times 4 s, or much less
  const Table first = recording({{1, 0, 4, 4, 0}}, 4).ask("progress");
  CHECK(number_note(first, "left") == Approx(39 * 4).epsilon(0.02));
  CHECK(number_note(first, "left_low") < 39 * 4 * 0.6);
}

TEST_CASE("The time left is told in steps that one can plan with, outwards") {
  // 20 chunks of 1 s are done, and 20 are left: 20 s, and 8 % and 0.4 chunks of it unknown
  CHECK(note(recording(in_a_row(20), 20.5).ask("progress"), "headline") ==
        "50 % of 40 chunks done; 17 s to 23 s left");
  const auto headline = [](double low, double high) {
    predict::Progress progress{.is_running = true};
    progress.all.planned = 4;
    progress.all.done = 1;
    progress.left = progress.left_low = low;
    progress.left_high = high;
    return report::progress_headline(progress);
  };
  CHECK(headline(65, 322.7) == "25 % of 4 chunks done; 1 min to 5 min 30 s left");
  CHECK(headline(0.4, 3.2) == "25 % of 4 chunks done; at most 4 s left");
  CHECK(headline(3590, 7190) == "25 % of 4 chunks done; 59 min to 2 h left");
  CHECK(headline(3600, 7201) == "25 % of 4 chunks done; 1 h to 2 h 1 min left");
}

TEST_CASE(
    "A recording that goes on is a run before its first task has ended; an ended one is none") {
  const auto index = [](const std::string& state) {
    return std::vector<File>{{"run/tasks.json", R"({"format": "crema_task_index_v1", "state": ")" +
                                                    state + R"(", "begin": 1700000000,
      "until": 1700000002, "rows": 0, "dropped": 0, "notes": [], "cluster": false, "workers": [],
      "planned": [{"call": 1, "kind": "chunk", "dataset": "d", "tasks": 40, "events": 4000}],
      "parts": []})"}};
  };
  const OpenSession session(index("running"));
  CHECK(note(session.ask("progress"), "headline").starts_with("0 % of 40 chunks done"));
  CHECK(session.ask("now").rows() == 0);
  Session ended;
  CHECK_FALSE(open_files(ended, index("complete")));
}

}  // namespace crema::test
