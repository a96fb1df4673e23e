// What functions of the analysis did, by samples that know their task: checked by hand.
#include "core/align/align.hpp"
#include "core/runtime/core_time.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/profile_runs.hpp"

using namespace crema;
using namespace crema::test;

namespace {

/// Two chunks of 9 and 5 s, of datasets "data" and "mc". token() has 4 s of the first: 3 at its
/// line 209, 1 in uproot below line 210, of both half a second on a CPU.
Run recorded(const std::string& looks_of_mc) {
  const std::string part = R"({"format": "crema_tasks_v1", "epoch": 0, "rows": 2,
  "strings": ["chunk", "Toy", "node", "W-1", "ok", "data", "mc", "a.root", "process",
              "/home/u/wz.py", "token", "read", "/opt/lib/site-packages/uproot/reading.py"],
  "tasks": {"kind": [0, 0], "function": [1, 1], "call": [1, 1], "host": [2, 2], "pid": [7, 7],
    "thread": [7, 7], "worker": [3, 3], "status": [4, 4], "dataset": [5, 6], "file": [7, 7],
    "entry_start": [0, 100], "entry_stop": [100, 200], "events": [100, 100],
    "begin": [0, 9000000], "wall": [9000000, 5000000], "cpu": [5500000, 5000000],
    "process_begin": [0, 0], "process_wall": [9000000, 5000000]},
  "functions": {"name": [8, 10, 11], "file": [9, 9, 12], "first_line": [10, 206, 1]},
  "calls": {"caller": [null, 0, 0, 2], "called": [0, 1, 1, 2], "line": [20, 209, 210, 5]},
  "samples": {"task": [0, 0, 0, 1], "call": [0, 1, 3, 0],
    "looks": [50, 30, 10, )" +
                           looks_of_mc +
                           R"(], "wall": [5000000, 3000000, 1000000, 5000000],
    "cpu": [5000000, 300000, 200000, 5000000]}, "processes": []})";
  Run run = empty_run();
  read_into(run, read::recorded_tasks_format, part, "tasks-000000.json");
  align::add_rows(run);
  return run;
}

}  // namespace

TEST_CASE("What a function did: its line, its waiting, its reading, and where it ran") {
  const Run run = recorded("50");
  const runtime::FunctionWork token = runtime::work_of(run, "token");
  CHECK(token.file == "/home/u/wz.py");
  CHECK(token.line == 209);  // 3 of 4 s
  CHECK(token.reading == Approx(0.25));
  CHECK(token.off_cpu == Approx(1 - 0.5 / 4));
  CHECK(token.off_cpu_of_others == Approx(0));
  // 40 of 140 looks are in token(): 14 of the 50 at "mc" would be, were both alike.
  CHECK(token.datasets == std::vector<std::string>{"data"});
  CHECK(runtime::work_of(run, "process").datasets.empty());  // it ran in both
}

TEST_CASE("Where a function ran is not told by few looks") {
  // 40 of 110: 7 of 20.
  CHECK(runtime::work_of(recorded("20"), "token").datasets.empty());
}

TEST_CASE("A function that nobody saw did nothing that is known") {
  const runtime::FunctionWork none = runtime::work_of(recorded("50"), "fill");
  CHECK(is_absent(none.reading));
  CHECK(is_absent(none.line));
  CHECK(none.datasets.empty());
}

TEST_CASE("The function in which chunks took longer has most of it, and enough looks") {
  const Run run = recorded("50");
  // token() has 4 of the 9 s, and none of the other chunk.
  const runtime::SlowestFunction slowest = runtime::slowest_function(run, {4, 0});
  CHECK(slowest.name == "token");
  CHECK(slowest.off_cpu == Approx(0.875));
  // Of 8 s process() itself has 5 - 1 and token() 4: neither has most of it.
  CHECK(runtime::slowest_function(run, {8, 0}).name.empty());
}
