// What functions of the analysis did, by samples that know their task: checked by hand.
#include "core/align/align.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/report/answer_text.hpp"
#include "core/runtime/core_time.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/profile_runs.hpp"
#include "tests/core/small_run.hpp"

using namespace crema;
using namespace crema::test;

namespace {

/// Two chunks of 9 and 5 s, of datasets "data" and, where nothing else is said, "mc". token() has
/// 4 s of the first: 3 at its line 209, 1 in uproot below line 210, of both half a second on a CPU.
Run recorded(const std::string& dataset_of_second = "6") {
  const std::string part = R"({"format": "crema_tasks_v1", "epoch": 0, "rows": 2,
  "strings": ["chunk", "Toy", "node", "W-1", "ok", "data", "mc", "a.root", "process",
              "/home/u/wz.py", "token", "read", "/opt/lib/site-packages/uproot/reading.py",
              "self.socket.recv", "buffer.read", "t = self.socket.recv(64)[1:]"],
  "tasks": {"kind": [0, 0], "function": [1, 1], "call": [1, 1], "host": [2, 2], "pid": [7, 7],
    "thread": [7, 7], "worker": [3, 3], "status": [4, 4], "dataset": [5, )" +
                           dataset_of_second +
                           R"(], "file": [7, 7],
    "entry_start": [0, 100], "entry_stop": [100, 200], "events": [100, 100],
    "begin": [0, 9000000], "wall": [9000000, 5000000], "cpu": [5500000, 5000000],
    "process_begin": [0, 0], "process_wall": [9000000, 5000000]},
  "functions": {"name": [8, 10, 11], "file": [9, 9, 12], "first_line": [10, 206, 1]},
  "calls": {"caller": [null, 0, 0, 2], "called": [0, 1, 1, 2], "line": [20, 209, 210, 5],
    "native": [null, 13, null, 14], "text": [null, 15, null, null]},
  "samples": {"task": [0, 0, 0, 1], "call": [0, 1, 3, 0],
    "looks": [50, 30, 10, 50], "wall": [5000000, 3000000, 1000000, 5000000],
    "cpu": [5000000, 300000, 200000, 5000000]}, "processes": []})";
  Run run = empty_run();
  read_into(run, read::recorded_tasks_format, part, "tasks-000000.json");
  align::add_rows(run);
  return run;
}

}  // namespace

TEST_CASE("What a function did: its line, its waiting, its reading, and where it ran") {
  const Run run = recorded();
  const runtime::FunctionWork token = runtime::work_of(run, "token");
  REQUIRE(token.lines.size() == 1);
  CHECK(token.lines[0].file == "/home/u/wz.py");
  CHECK(token.lines[0].line == 209);  // 3 of 4 s
  CHECK(token.lines[0].native == "self.socket.recv");
  CHECK(report::line_text(token.lines[0]) ==
        "wz.py:209, in self.socket.recv (t = self.socket.recv(64)[1:])");
  CHECK(token.reading == Approx(0.25));
  CHECK(token.off_cpu == Approx(1 - 0.5 / 4));
  CHECK(token.off_cpu_of_others == Approx(0));
  CHECK(token.datasets.empty());  // one chunk of another dataset tells nothing
  CHECK(token.section.empty());
  CHECK(token.caller.empty());  // process() is none
}

TEST_CASE("Where no line has most of a function's time, those that together have, most first") {
  // Of 40 looks line 209 has 22, which may be half of it by chance; the rest is below line 210.
  Run run = recorded();
  run.recording.samples.of(recorded_columns::Sample::looks) = {50, 22, 18, 50};
  run.recording.samples.of(recorded_columns::Sample::wall) = {5, 2.2, 1.8, 5};
  const runtime::CodeLines lines = runtime::work_of(run, "token").lines;
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].line == 209);
  CHECK(lines[0].share == Approx(0.55));
  CHECK(lines[0].native == "self.socket.recv");
  CHECK(lines[1].line == 210);
  CHECK(lines[1].share == Approx(0.45));
  // Three of 4 looks are no line.
  run.recording.samples.of(recorded_columns::Sample::looks) = {50, 3, 1, 50};
  CHECK(runtime::work_of(run, "token").lines.empty());
}

TEST_CASE("Lines of the analysis: their time in the chosen chunks, most first") {
  // process() at line 20: 5 s in each chunk; token() at 209: 3 s, of which 0.3 on a CPU; at 210: 1.
  const Run run = recorded();
  const auto lines_of = [&](const Selection& selection) {
    return runtime::line_work(run, selection, {});
  };
  const std::vector<runtime::LineWork> lines = lines_of({});
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].at.line == 20);
  CHECK(lines[0].core_seconds == Approx(10));
  CHECK(lines[0].waiting == Approx(0));
  CHECK(lines[1].function == "token");
  CHECK(lines[1].at.line == 209);
  CHECK(lines[1].at.text == "t = self.socket.recv(64)[1:]");
  CHECK(lines[1].at.native == "self.socket.recv");
  CHECK(lines[1].core_seconds == Approx(3));
  CHECK(lines[1].at.share == Approx(3.0 / 14));
  CHECK(lines[1].of_function == Approx(3.0 / 4));
  CHECK(lines[1].waiting == Approx(2.7));
  CHECK(lines[2].core_seconds == Approx(1));
  Selection second;
  second.datasets = {"mc"};
  REQUIRE(lines_of(second).size() == 1);
  CHECK(lines_of(second)[0].core_seconds == Approx(5));
}

TEST_CASE("Where chunks waited: the function with most of it, its line, want of a CPU taken out") {
  // 14 s of samples, of which 3.5 s are off the CPU: 2.7 of them at line 209, 0.8 below line 210.
  Run run = recorded();
  const runtime::WaitingPlace place = runtime::waiting_place(run);
  CHECK(place.function == "token");
  REQUIRE(place.lines.size() == 1);
  CHECK(place.lines[0].file == "/home/u/wz.py");
  CHECK(place.lines[0].line == 209);
  CHECK(place.lines[0].native == "self.socket.recv");
  CHECK(place.section.empty());
  // 2.7 of 3.5 s are most of it beyond chance where they are 40 looks, not where they are 4.
  std::vector<double>& looks = run.recording.samples.of(recorded_columns::Sample::looks);
  const std::vector<double> all_looks = looks;
  for (double& count : looks) count /= 10;
  CHECK(runtime::waiting_place(run).lines.empty());
  looks = all_looks;
  // process() waits for 1.3 s, too: line 209 has 56 % of it all, and more than half of token()'s.
  run.recording.samples.of(recorded_columns::Sample::cpu).back() = 3.7;
  CHECK(runtime::waiting_place(run).function == "token");
  REQUIRE(runtime::waiting_place(run).lines.size() == 1);
  CHECK(runtime::waiting_place(run).lines[0].line == 209);
  CHECK(runtime::waiting_place(run).lines[0].native == "self.socket.recv");
  run.recording.samples.of(recorded_columns::Sample::cpu).back() = 5;
  // They wanted a CPU for 6 s in all, 0.57 s for each second on one: more than they were off it.
  auto& tasks = run.recording.tasks;
  tasks.of(recorded_columns::Task::cpu) = {5.5, 5};
  tasks.of(recorded_columns::Task::run_delay) = {3, 3};
  CHECK(runtime::waiting_place(run).lines.empty());
}

TEST_CASE("A function is off the CPU no longer than the threads of its chunks") {
  Run run = recorded();
  auto& tasks = run.recording.tasks;
  // Samples give token() 3.5 of 4 s off the CPU; by the thread's clock it was 1 of 9 s in all.
  tasks.of(recorded_columns::Task::process_cpu) = {8, 5};
  CHECK(runtime::work_of(run, "token").off_cpu == Approx(0.25));
  // Of 3.7 s its threads could run and had no CPU for 2.7 s: they did not wait for what they
  // called.
  tasks.of(recorded_columns::Task::process_cpu) = {5.3, 5};
  tasks.of(recorded_columns::Task::run_delay) = {2.7, 0};
  CHECK(runtime::work_of(run, "token").off_cpu == Approx(0.25));
  tasks.of(recorded_columns::Task::run_delay) = {};
  // 3.7 s: the samples say less
  tasks.of(recorded_columns::Task::process_cpu) = {5.3, 5};
  CHECK(runtime::work_of(run, "token").off_cpu == Approx(0.875));
}

TEST_CASE(
    "The section in which a function is for most of its time, and the function that calls it") {
  // token() is called by weigh() for 9 of 10 s, and for 6 of them in section "trigger".
  const auto work = [](const char* caller_of_last, const char* sections = "0, null, null",
                       const char* weigh = "weigh") {
    const std::string part = R"({"format": "crema_tasks_v1", "epoch": 0, "rows": 1,
    "strings": ["chunk", "Toy", "node", "W-1", "ok", "data", "a.root", "process", "/home/u/wz.py",
                ")" + std::string(weigh) +
                             R"(", "token", "trigger"],
    "tasks": {"kind": [0], "function": [1], "call": [1], "host": [2], "pid": [7], "thread": [7],
      "worker": [3], "status": [4], "dataset": [5], "file": [6], "entry_start": [0],
      "entry_stop": [100], "events": [100], "begin": [0], "wall": [10000000], "cpu": [10000000],
      "process_begin": [0], "process_wall": [10000000]},
    "sections": {"task": [0], "parent": [null], "name": [11], "calls": [1], "wall": [6000000],
      "cpu": [6000000]},
    "functions": {"name": [7, 9, 10], "file": [8, 8, 8], "first_line": [10, 100, 206]},
    "calls": {"caller": [null, 0, 1, )" +
                             std::string(caller_of_last) +
                             R"(], "called": [0, 1, 2, 2], "line": [20, 101, 209, 209]},
    "samples": {"task": [0, 0, 0], "section": [)" +
                             sections + R"(], "call": [2, 2, 3],
      "looks": [60, 30, 10], "wall": [6000000, 3000000, 1000000],
      "cpu": [6000000, 3000000, 1000000]}, "processes": []})";
    Run run = empty_run();
    read_into(run, read::recorded_tasks_format, part, "tasks-000000.json");
    align::add_rows(run);
    return runtime::work_of(run, "token");
  };
  CHECK(work("0").caller == "weigh");
  CHECK(report::lines_text(work("0").called_at) == "wz.py:101");  // 9 of 10 s
  // A lambda is of the function that has it, here of process().
  CHECK(work("0", "0, null, null", "<lambda>").caller.empty());
  CHECK(work("0").section == "trigger");
  CHECK(work("0").sections == std::vector{std::pair(std::string("trigger"), 0.6)});
  // A third of it is no section's.
  CHECK(work("0", "null, 0, null").sections == std::vector{std::pair(std::string("trigger"), 0.3)});
  CHECK(work("0", "null, 0, null").section.empty());
}

TEST_CASE("A function that a library calls back is told with it, and with who calls that") {
  // process() calls fit(), that scipy's quad, that integrand(), and that shape(): 6 of shape()'s
  // 8 s. The other 2 s process() calls it itself.
  const auto work = [](const char* file_of_quad) {
    const std::string part = R"({"format": "crema_tasks_v1", "epoch": 0, "rows": 1,
    "strings": ["chunk", "Toy", "node", "W-1", "ok", "data", "a.root", "process", "/home/u/wz.py",
                "fit", "shape", "quad", ")" +
                             std::string(file_of_quad) +
                             R"(", "integrand"],
    "tasks": {"kind": [0], "function": [1], "call": [1], "host": [2], "pid": [7], "thread": [7],
      "worker": [3], "status": [4], "dataset": [5], "file": [6], "entry_start": [0],
      "entry_stop": [100], "events": [100], "begin": [0], "wall": [10000000], "cpu": [10000000],
      "process_begin": [0], "process_wall": [10000000]},
    "functions": {"name": [7, 9, 11, 13, 10], "file": [8, 8, 12, 8, 8],
      "first_line": [10, 100, 5, 120, 206]},
    "calls": {"caller": [null, 0, 1, 2, 3, 0], "called": [0, 1, 2, 3, 4, 4],
      "line": [20, 101, 9, 121, 209, 209]},
    "samples": {"task": [0, 0], "section": [null, null], "call": [4, 5],
      "looks": [60, 20], "wall": [6000000, 2000000], "cpu": [6000000, 2000000]}, "processes": []})";
    Run run = empty_run();
    read_into(run, read::recorded_tasks_format, part, "tasks-000000.json");
    align::add_rows(run);
    return runtime::work_of(run, "shape");
  };
  const runtime::FunctionWork back = work("/opt/lib/site-packages/scipy/integrate/_quadpack_py.py");
  CHECK(back.called_back_by == "scipy's quad");
  CHECK(back.by_whom == "fit");
  CHECK(back.called_back == Approx(0.75));
  // A context manager of the standard library only calls what it is given.
  CHECK(work("/usr/lib/python3.12/contextlib.py").called_back_by.empty());
}

TEST_CASE("A dataset whose chunks alone were seen in a function is named, where that is certain") {
  // Chunks of `all` datasets by turns; token() is seen in each of the first `of` of them.
  const auto datasets = [](std::uint32_t chunks, std::uint32_t of = 1, std::uint32_t all = 2) {
    SmallRun small;
    while (small.run.chunks.size() < chunks) small.add_chunk(0.5, 1, 10000, "mc");
    const auto frame = [&](const char* name) {
      return small.run.names->frames.intern(small.id(name), small.id("/home/u/wz.py"), 0);
    };
    small.draw_profile("root 2\n  process@/home/u/wz.py 2\n    token@/home/u/wz.py 1\n");
    RecordedTables& rows = small.run.recording;
    rows.calls.resize(2);
    rows.calls.of(recorded_columns::Call::called) = {static_cast<double>(frame("process")),
                                                     static_cast<double>(frame("token"))};
    rows.calls.of(recorded_columns::Call::caller) = {absent, 0};
    rows.tasks.resize(chunks);
    rows.samples.resize(chunks);
    for (std::uint32_t i = 0; i < chunks; ++i) {
      small.run.chunks.dataset[i] = small.id("d" + std::to_string(i % all));
      rows.chunk.push_back(i);
      rows.samples.of(recorded_columns::Sample::task)[i] = i;
      rows.samples.of(recorded_columns::Sample::call)[i] = i % all < of ? 1 : 0;
      rows.samples.of(recorded_columns::Sample::looks)[i] = 40;
      rows.samples.of(recorded_columns::Sample::wall)[i] = 1;
    }
    for (std::uint32_t i = chunks; i < small.run.chunks.size(); ++i)
      small.run.chunks.dataset[i] = small.id("d1");
    return runtime::work_of(small.run, "token").datasets;
  };
  // 20 of 40 chunks were seen in it: 10 of the 20 of the other would have been, were both alike.
  CHECK(datasets(40) == std::vector<std::string>{"d0"});
  CHECK(datasets(38).empty());
  // Of more, half of all at most, and three.
  CHECK(datasets(200, 3, 6).size() == 3);
  CHECK(datasets(200, 3, 5).empty());
  CHECK(datasets(200, 4, 8).empty());
}

TEST_CASE("The largest part says of its function where it is, whether it reads, waits, and where") {
  diagnose::LargestPart part{.section = "trigger",
                             .most = {.function = {"token", 0.9}, .library = "scipy's griddata"},
                             .is_within = true,
                             .share = 0.4};
  part.most.work = {.reading = 0.8,
                    .off_cpu = 0.95,
                    .lines = {{.file = "/home/u/wz.py", .line = 1209, .share = 0.8}},
                    .caller = "weigh",
                    .datasets = {"data", "mc"}};
  const auto text_of = [&] {
    return report::text_of({.cause = diagnose::FindingCause::own_function, .evidence = part});
  };
  CHECK(text_of().title == "40 % of process() is in section trigger, most of it in token");
  const auto says = [&](const char* text) {
    return text_of().evidence.find(text) != std::string::npos;
  };
  CHECK(
      says("90 % of the samples in this section are in token, mostly by scipy's griddata.\n"
           "token: mostly at wz.py:1209, called by weigh, in chunks of data and mc only."));
  part.most.work.lines = {
      {.file = "/home/u/wz.py", .line = 1209, .share = 0.4, .text = "a = copy.deepcopy(b)"},
      {.file = "/home/u/wz.py", .line = 1213, .share = 0.3}};
  CHECK(
      says("\ntoken: 40 % at wz.py:1209 (a = copy.deepcopy(b)), 30 % at wz.py:1213, called by "
           "weigh, in chunks of data and mc only. A deep copy copies all columns: a shallow one "
           "shares those that do not change."));
  part.most.work.called_back_by = "scipy's quad", part.most.work.by_whom = "fit";
  part.most.work.called_back = 0.7;  // of 90 % of the section
  CHECK(text_of().title ==
        "40 % of process() is in section trigger, most of it in calls of scipy's quad");
  part.most.work.called_back = 0.6;
  CHECK(text_of().title == "40 % of process() is in section trigger, most of it in token");
  CHECK(says(", mostly in calls of scipy's quad by fit, "));
  part.seconds = 10;  // of which the finding's cost is the function's
  CHECK(report::text_of(
            {.cause = diagnose::FindingCause::own_function, .evidence = part, .core_seconds = 9})
            .evidence.find("9 core-s in token in this section. Twice as fast") == 0);
  part.most.reads = true;
  CHECK(text_of().title.ends_with("in token, which reads files"));
  CHECK(says(", 80 % reading files, "));
  part.most.reads = false, part.most.waits = true;
  CHECK(text_of().title.ends_with("in token, which waits"));
  CHECK(says(", off the CPU for 95 % of its time, "));
  CHECK(says("Half as long, it would make the run"));
  part.next = {.function = {"smear", 0.25}, .work = {.section = "jets"}};
  // One line has no room for both.
  CHECK(text_of().title ==
        "40 % of process() is in section trigger, most of it in token, which waits");
  CHECK(text_of().evidence.find("\nsmear, 25 % of process(): mostly in section jets.") !=
        std::string::npos);
  part.most.waits = false, part.next.function.name = "jec";
  CHECK(text_of().title ==
        "40 % of process() is in section trigger, most of it in token, 25 % in jec");
}

TEST_CASE("Where chunks were slow: section, function, and whether it waited") {
  CHECK(report::slow_place_text("", {}).empty());
  CHECK(report::slow_place_text("read", {}) == " in section read");
  CHECK(report::slow_place_text("", {"token", 0.2}) == " in token");
  CHECK(report::slow_place_text("read", {"token", 0.98}) ==
        " in section read and in token, which was off the CPU for 98 % of its time");
}

TEST_CASE("Seconds of functions by chunk: those that have enough in all, process() aside") {
  const std::vector<runtime::SectionColumn> found = runtime::function_seconds(recorded(), 4);
  REQUIRE(found.size() == 1);
  CHECK(found[0].name == "token");
  CHECK(found[0].values == std::vector<double>{4, 0});
  CHECK(runtime::function_seconds(recorded(), 4.5).empty());
}

TEST_CASE("A function that nobody saw did nothing that is known") {
  const runtime::FunctionWork none = runtime::work_of(recorded(), "fill");
  CHECK(is_absent(none.reading));
  CHECK(none.lines.empty());
  CHECK(none.datasets.empty());
}

TEST_CASE("The function in which chunks took longer has most of it, and enough looks") {
  // Both of one dataset: token() has 4 of the 9 s, and none of the other chunk.
  const runtime::SlowestFunction slowest = runtime::slowest_function(recorded("5"), {4, 0});
  CHECK(slowest.name == "token");
  CHECK(slowest.off_cpu == Approx(0.875));
  CHECK(slowest.is_alone);                                               // process() took its 5 s
  CHECK(runtime::slowest_function(recorded("5"), {8, 0}).name.empty());  // 4 of 8 are not most
  CHECK(runtime::slowest_function(recorded("5"), {0, 2}).name.empty());  // process() has no name
  // A dataset that was slow as a whole: of the 5 s as expected token() had as large a part.
  CHECK(runtime::slowest_function(recorded(), {4, 0}).name.empty());
}

TEST_CASE("The lines of a function come to what the function takes") {
  const OpenSession session(recorded_files("tutorial-before"));
  const Table lines = session.ask("lines");
  const Table functions =
      session.ask("core_time_tree", {},
                  Options(std::map<std::string, std::string>{
                      {"under", "available/inside_process"}, {"depth", "1"}, {"most", "1000"}}));
  std::size_t compared = 0;
  for (std::size_t row = 0; row < functions.rows(); ++row) {
    if (functions.text("kind", row) != "function") continue;
    double of_lines = 0;
    for (std::size_t line = 0; line < lines.rows(); ++line)
      of_lines += lines.text("function", line) == functions.text("label", row)
                      ? lines.number("core_seconds", line)
                      : 0;
    if (of_lines == 0) continue;  // seen by Dask's profiler alone
    CHECK(of_lines == Approx(functions.number("core_seconds", row)));
    ++compared;
  }
  CHECK(compared >= 3);
}
