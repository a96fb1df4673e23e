// What the client did, by looks at its thread, and the idle cores that it explains.
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"

using namespace crema;
using namespace crema::test;

namespace {

const std::string index_file = R"({"format": "crema_task_index_v1", "state": "complete",
  "begin": 1700000000, "until": 1700000010, "rows": 2, "dropped": 0, "notes": [],
  "cluster": false, "parts": [], "workers": [{"host": "node", "pid": 7, "worker": "W-1",
  "begin": 1700000000, "end": 1700000010, "threads": 1}]})";

/// One worker of one thread, there from 0 to 10 s, ran two chunks: from 3 to 5 s and from 7 to 8 s.
/// The client was in build() for the first 3 s, on a CPU; in wait(), which main() calls, while they
/// ran; in choose() between them, half of it on a CPU; in fit() for the last 2 s, by library code.
const std::string part_file = R"({"format": "crema_tasks_v1", "epoch": 1700000000, "rows": 2,
  "strings": ["chunk", "Toy", "node", "W-1", "ok", "d", "a.root", "build", "main", "wait", "choose",
              "fit", "lstsq", "analysis.py", "/usr/lib/python3.11/threading.py",
              "/site-packages/numpy/linalg.py"],
  "tasks": {"kind": [0, 0], "function": [1, 1], "call": [1, 1], "host": [2, 2], "pid": [7, 7],
    "thread": [7, 7], "worker": [3, 3], "attempt": [1, 1], "status": [4, 4], "dataset": [5, 5],
    "file": [6, 6], "entry_start": [0, 100], "entry_stop": [100, 200], "events": [100, 100],
    "begin": [3000000, 7000000], "wall": [2000000, 1000000], "cpu": [2000000, 1000000]},
  "functions": {"name": [7, 8, 9, 10, 11, 12], "file": [13, 13, 14, 13, 13, 15],
    "first_line": [1, 10, 300, 20, 30, 400]},
  "calls": {"caller": [null, null, 1, null, null, 4], "called": [0, 1, 2, 3, 4, 5],
    "line": [5, 12, 310, 21, 33, 410]},
  "client": {"begin": [0, 3000000, 5000000, 7000000, 8000000], "call": [0, 2, 3, 2, 5],
    "looks": [60, 40, 40, 20, 40],
    "wall": [3000000, 2000000, 2000000, 1000000, 2000000], "cpu": [3000000, 0, 1000000, 0, 2000000]},
  "machine": {"host": [2,2,2,2,2,2,2,2,2,2], "pid": [7,7,7,7,7,7,7,7,7,7],
    "worker": [3,3,3,3,3,3,3,3,3,3],
    "begin": [0,1000000,2000000,3000000,4000000,5000000,6000000,7000000,8000000,9000000],
    "wall": [1000000,1000000,1000000,1000000,1000000,1000000,1000000,1000000,1000000,1000000],
    "own": [0,0,0,1000000,1000000,0,0,1000000,0,0]}})";

OpenSession recording(const std::string& part = part_file) {
  return OpenSession({{"run/tasks.json", index_file},
                      {"run/tasks-000000.json", part},
                      {"run/start_end_time.txt", "0,10\n"}});
}

/// The row of a function in one of the times.
std::size_t row_of(const Table& table, std::string_view when, std::string_view function) {
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.text("when", row) == when && table.text("function", row) == function) return row;
  }
  throw std::runtime_error("no such row");
}

}  // namespace

TEST_CASE("The client's own functions before, between and after tasks, and while they ran") {
  const Table table = recording().ask("client");
  REQUIRE(table.rows() == 4);
  const std::size_t before = row_of(table, "before the first task", "build");
  CHECK(table.number("seconds", before) == Approx(3));
  CHECK(table.number("cpu_seconds", before) == Approx(3));
  CHECK(table.number("looks", before) == Approx(60));
  CHECK(table.number("line", before) == 5);
  const std::size_t between = row_of(table, "between tasks", "choose");
  CHECK(table.number("seconds", between) == Approx(2));
  CHECK(table.number("cpu_seconds", between) == Approx(1));
  // wait() is the standard library's, main() the analysis's that called it; lstsq() is fit()'s
  const std::size_t during = row_of(table, "while tasks ran", "main");
  CHECK(table.number("seconds", during) == Approx(3));
  CHECK(table.number("cpu_seconds", during) == 0);
  CHECK(table.number("line", during) == 12);
  const std::size_t after = row_of(table, "after the last task", "fit");
  CHECK(table.number("seconds", after) == Approx(2));
  CHECK(table.number("share", after) == Approx(1));
  CHECK(table.text("file", after) == "analysis.py");
}

TEST_CASE("While only the client has told, how many workers there are is unknown, and not 0") {
  const std::vector<File> files = {{"run/tasks.json",
                                    R"({"format": "crema_task_index_v1", "state": "running",
      "begin": 1700000000, "until": 1700000002, "rows": 0, "dropped": 0, "notes": [],
      "cluster": true, "parts": [], "workers": []})"},
                                   {"run/tasks-000000.json",
                                    R"({"format": "crema_tasks_v1", "epoch": 1700000000, "rows": 0,
      "strings": ["node", "client"], "tasks": {}, "machine": {"host": [0, 0], "pid": [1, 1],
      "worker": [1, 1], "begin": [0, 1000000], "wall": [1000000, 1000000], "own": [0, 0]}})"}};
  const OpenSession first(files);
  const Table summary = first.ask("summary");
  CHECK(is_absent(summary.number("value", summary.row_of("id", "peak_workers"))));
}

TEST_CASE("Idle cores while no task ran are told with what the client did meanwhile") {
  // Of 10 core-s, tasks took 3: 3 were idle before the first, 2 between them, 2 after the last.
  const Table tree = recording().ask("core_time_tree", {}, option("depth", "9"));
  const auto seconds = [&](std::string_view label) {
    const std::size_t row = tree.row_of("label", label);
    REQUIRE(row < tree.rows());
    return tree.number("core_seconds", row);
  };
  CHECK(seconds("Idle") == Approx(7));
  CHECK(seconds("Client before the first task") == Approx(3));
  CHECK(seconds("build") == Approx(3));
  CHECK(seconds("Client between tasks") == Approx(2));
  CHECK(seconds("choose") == Approx(2));
  CHECK(seconds("Client after the last task") == Approx(2));
  CHECK(seconds("fit") == Approx(2));
  CHECK(tree.row_of("label", "main") == tree.rows());  // it waited while tasks ran
  CHECK(tree.row_of("label", "Otherwise") == tree.rows());
}

TEST_CASE("Each second and each phase say what the client was in") {
  const Table machines = recording().ask("machines");
  REQUIRE(machines.rows() == 10);
  CHECK(machines.text("client_function", 0) == "build");
  CHECK(machines.text("client_function", 4) == "main");
  CHECK(machines.text("client_function", 6) == "choose");
  CHECK(machines.text("client_function", 9) == "fit");
  const Table phases = recording().ask("phases");
  const std::size_t first = phases.row_of("phase", "pre-processing");
  CHECK(phases.text("client_function", first) == "build");
  CHECK(phases.number("client_seconds", first) == Approx(3));
  const std::size_t last = phases.row_of("phase", "after");
  CHECK(phases.text("client_function", last) == "fit");
  CHECK(phases.number("client_cpu_seconds", last) == Approx(2));
}

TEST_CASE("A client that nobody looked at has no functions, and the reason") {
  std::string part = part_file;
  part.replace(part.find("\"client\""), 8, "\"nobody\"");
  const OpenSession session = recording(part);
  const Table table = session.ask("client");
  CHECK(table.rows() == 0);
  CHECK(note(table, "missing").find("was not recorded") != std::string::npos);
  const Table phases = session.ask("phases");
  CHECK(is_absent(phases.number("client_seconds", 0)));
  CHECK(phases.text("client_function", 0).empty());
  const Table tree = session.ask("core_time_tree", {}, option("depth", "9"));
  CHECK(tree.row_of("label", "Client before the first task") == tree.rows());
}
