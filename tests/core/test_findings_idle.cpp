// Findings about cores that idle: the scheduler, the client, calls of a runner, what follows the
// last chunk.
#include <cstdint>

#include "catch.hpp"
#include "tests/core/recorded_run.hpp"

using namespace crema;
using recorded_columns::Branch;
using recorded_columns::Call;
using recorded_columns::Client;
using test::add;
using test::has;
using test::MachineRow;
using test::set_rows;
using test::SmallRun;
using test::Task;
using test::Values;

TEST_CASE("A scheduler that stands still is a cause, and no clock is") {
  SmallRun small;
  small.run.data_notes.push_back({.id = "chunks-outside-tasks", .message = "6 of 156 chunks"});
  CHECK(small.find("clock-skew") != nullptr);
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) small.stretch(i, 0.6);
  small.stream();
  small.set_activity("thread-cpu", 90);
  add(small.run.recording.machine, {{MachineRow::begin, 1},
                                    {MachineRow::wall, 38},
                                    {MachineRow::lag, 6},
                                    {MachineRow::longest_lag, 2}});
  const auto* finding = small.find("blocked-scheduler");
  REQUIRE(finding != nullptr);
  CHECK(has(finding->title, "The scheduler was held up for 6 s"));
  // 0.15 of each second of four cores, which idled for 0.4 of it, but for the first half second.
  CHECK(finding->core_seconds == Approx(6 * 4).epsilon(0.03));
  CHECK(small.find("clock-skew") == nullptr);
  CHECK(has(small.find("blocked-scheduler")->evidence, "Possible causes: code that runs in its"));
  // A process that used no CPU for most of that time did not compute.
  SmallRun still = small;
  still.run.facts = {};
  still.run.recording.machine.of(MachineRow::wall)[0] = 7;
  still.run.recording.machine.of(MachineRow::own)[0] = 0.02;
  CHECK(has(still.find("blocked-scheduler")->evidence,
            "Its process used 20 ms of CPU time meanwhile: it hardly computed. Possible causes: a "
            "process that is suspended"));
  CHECK_FALSE(has(still.find("blocked-scheduler")->evidence, "code that runs"));
  // Where it was late no core may have idled: as much of it as did is its cost.
  for (std::size_t i = 0; i < 10; ++i) small.stretch(i, 1);
  small.run.recording.machine.of(MachineRow::wall)[0] = 10;
  CHECK(small.find("blocked-scheduler")->core_seconds < 10 * 3 * 0.4 + 1);
  // After the last chunk nobody waits for it.
  small.run.recording.machine.of(MachineRow::begin)[0] = 39.8;
  CHECK(small.find("blocked-scheduler") == nullptr);
}

TEST_CASE("Code of no library that runs in the scheduler's event loop is named") {
  const auto title = [](double own, const char* file, double all = 10) {
    SmallRun small;
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i) small.stretch(i, 0.6);
    small.stream();
    small.set_activity("thread-cpu", 90);
    add(small.run.recording.machine, {{MachineRow::begin, 1},
                                      {MachineRow::wall, 38},
                                      {MachineRow::lag, 6},
                                      {MachineRow::longest_lag, 2}});
    const auto frame = [&](const char* name, const char* of) {
      return small.run.names->frames.intern(small.id(name), small.id(of), 12);
    };
    CallTree tree{.kind = CallTree::Kind::scheduler};
    tree.add(no_node, frame("root", ""), all, 0);
    tree.add(0, frame("transitions", "/opt/lib/site-packages/distributed/scheduler.py"), all, 0);
    tree.add(1, frame("transition", file), own, 0);
    tree.add(2, frame("helper", file), own, 0);  // counted with what calls it
    small.run.call_trees.push_back(tree);
    return small.find("blocked-scheduler")->title;
  };
  CHECK(title(8, "/home/me/monitor.py") ==
        "The scheduler was held up for 6 s, mostly in transition (monitor.py:12), while "
        "tasks waited");
  const std::string unknown = "The scheduler was held up for 6 s, while tasks waited";
  CHECK(title(5, "/home/me/monitor.py") == unknown);  // half of the samples is not most
  CHECK(title(3, "/home/me/monitor.py", 4) != unknown);
  CHECK(title(2, "/home/me/monitor.py", 2) == unknown);  // two looks may be chance
  CHECK(title(8, "/opt/lib/site-packages/distributed/plugin.py") == unknown);
}

TEST_CASE("What the client computes in the scheduler's process beside the run holds both up") {
  // 0.5 CPUs of 38 s, in the process of the scheduler, which was late for 6 s.
  const auto find = [](double pid_of_client, double cpus) {
    SmallRun small;
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i) small.stretch(i, 0.6);
    small.stream();
    small.set_activity("thread-cpu", 90);
    auto& machine = small.run.recording.machine;
    add(machine, {{MachineRow::worker, small.id("scheduler")},
                  {MachineRow::pid, 7},
                  {MachineRow::begin, 1},
                  {MachineRow::wall, 38},
                  {MachineRow::lag, 6},
                  {MachineRow::longest_lag, 2}});
    add(machine, {{MachineRow::worker, small.id("client")},
                  {MachineRow::address, small.id("client")},
                  {MachineRow::pid, pid_of_client},
                  {MachineRow::begin, 1},
                  {MachineRow::wall, 38},
                  {MachineRow::beside, 38 * cpus},
                  {MachineRow::beside_in, small.id("/home/me/toys.py:12 toys")}});
    const auto found = test::worded_findings(small.run);
    for (const auto& one : found)
      if (one.id == "blocked-scheduler" || one.id == "client-beside")
        return one.title + "|" + one.evidence;
    return std::string();
  };
  CHECK(has(find(7, 0.5), "toys computed for 19 s beside the run, in the scheduler's process|"));
  CHECK(has(find(7, 0.5), "toys.py:12 is what its thread was started for."));
  // In another process, or for less than half of that time, it did not hold it up.
  CHECK(has(find(8, 0.5), "The scheduler was held up for 6 s"));
  CHECK(has(find(7, 0.05), "The scheduler was held up for 6 s"));
}

TEST_CASE("A scheduler that stands still while a run starts is why it starts late") {
  SmallRun small;
  small.start_late();  // the first chunk begins after 10.5 s, of 50
  small.stream();
  const auto set = [&](double lag) {
    small.run.recording.machine = {};
    add(small.run.recording.machine, {{MachineRow::begin, 1}, {MachineRow::lag, lag}});
    add(small.run.recording.machine, {{MachineRow::begin, 30}, {MachineRow::lag, 4}});
    return small.find("start-up") != nullptr;
  };
  CHECK(set(3));
  CHECK_FALSE(set(6));
  REQUIRE(small.find("blocked-scheduler") != nullptr);
  // 6 s of four cores; the later row has no duration and is not counted.
  CHECK(small.find("blocked-scheduler")->core_seconds == Approx(24));
  CHECK(small.find("blocked-scheduler")->selection.time->end == Approx(10.5));
  // What the client computed in the same process held it up; in another process it did not.
  const FrameId frame = small.run.names->frames.intern(small.id("tokenize"), small.id("a.py"), 1);
  add(small.run.recording.calls, {{Call::called, frame}});
  add(small.run.recording.client,
      {{Client::begin, 1}, {Client::wall, 6}, {Client::call, 0}, {Client::cpu, 6}});
  add(small.run.recording.tasks,
      {{Task::kind, small.id("chunk")}, {Task::begin, 10.5}, {Task::wall, 20}});
  add(small.run.recording.machine,
      {{MachineRow::worker, small.id("scheduler")}, {MachineRow::pid, 7}});
  add(small.run.recording.machine,
      {{MachineRow::worker, small.id("client")}, {MachineRow::pid, 8}});
  CHECK(small.find("blocked-scheduler") != nullptr);
  small.run.recording.machine.of(MachineRow::pid).back() = 7;
  CHECK(small.find("blocked-scheduler") == nullptr);
}

TEST_CASE("A client that computes after the last task is named with its function") {
  SmallRun small;
  RecordedTables& rows = small.run.recording;
  add(rows.machine, {{MachineRow::lag, 0}});
  add(rows.tasks, {{Task::kind, small.id("chunk")}, {Task::begin, 10}, {Task::wall, 20}});
  const FrameId frame = small.run.names->frames.intern(small.id("fit_limits"), small.id("a.py"), 1);
  add(rows.calls, {{Call::called, frame}});
  add(rows.client, {{Client::begin, 5}, {Client::wall, 3}, {Client::call, 0}, {Client::cpu, 3}});
  add(rows.client, {{Client::begin, 31}, {Client::wall, 8}, {Client::call, 0}, {Client::cpu, 5}});
  const auto* finding = small.find("client-computes");
  REQUIRE(finding != nullptr);
  CHECK(finding->title == "The client computed for 5 s after the last task");
  CHECK(has(finding->evidence, "fit_limits"));
  CHECK(finding->core_seconds == Approx(20));  // four cores
}

TEST_CASE("Code of the analysis that the client computes before the first task leaves cores idle") {
  // Chunks begin after 4 s, which is no late start; 3 s of it the client computed.
  const auto find = [](const char* file) {
    SmallRun small;
    small.run.elapsed = 44;
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
      small.run.chunks.t_start[i] += 3.5;
      small.run.chunks.t_end[i] += 3.5;
    }
    RecordedTables& rows = small.run.recording;
    add(rows.machine, {{MachineRow::lag, 0}});
    add(rows.tasks, {{Task::kind, small.id("chunk")}, {Task::begin, 4}, {Task::wall, 20}});
    const FrameId frame = small.run.names->frames.intern(small.id("sums"), small.id(file), 1);
    add(rows.calls, {{Call::called, frame}});
    add(rows.client,
        {{Client::begin, 0.5}, {Client::wall, 3}, {Client::call, 0}, {Client::cpu, 3}});
    const auto* finding = small.find("client-computes");
    return finding == nullptr ? std::string() : finding->title + "|" + finding->evidence;
  };
  CHECK(has(find("/home/me/a.py"), "The client computed for 3 s before the first task|"));
  CHECK(has(find("/home/me/a.py"), "Most of it was in sums"));
  // To import, or to make tasks, is how each run starts.
  CHECK(find("/opt/lib/site-packages/dask/base.py").empty());
}

TEST_CASE(
    "A client that is long in the analysis before the first task is named with its function") {
  SmallRun small;
  small.start_late();  // the first chunk begins after 10.5 s, of 50
  RecordedTables& rows = small.run.recording;
  add(rows.machine, {{MachineRow::lag, 0}});
  add(rows.tasks, {{Task::kind, small.id("chunk")}, {Task::begin, 10.5}, {Task::wall, 1}});
  const FrameId frame = small.run.names->frames.intern(small.id("query"), small.id("a.py"), 1);
  add(rows.calls, {{Call::called, frame}});
  add(rows.client, {{Client::begin, 1}, {Client::wall, 8}, {Client::call, 0}, {Client::cpu, 0.5}});
  REQUIRE(small.find("start-up") != nullptr);
  CHECK(has(small.find("start-up")->evidence, ". The client was in query for 8 s of it."));
  // Where no worker had been started, no core idled: the run is longer by this time.
  for (std::size_t worker = 0; worker < SmallRun::workers; ++worker)
    for (std::size_t tick = 0; tick < 10; ++tick)
      small.run.workers.of(Series::cores, worker).set(tick, 0);
  CHECK(small.find("start-up") == nullptr);
  const auto* finding = small.find("client-delays");
  REQUIRE(finding != nullptr);
  CHECK(finding->title == "The client was in query for 8 s before the first task");
  CHECK(has(finding->evidence, "It was on a CPU for 500 ms of that"));
  CHECK(finding->gain_elapsed == Approx(8));
  CHECK(crema::runtime::find_phases(small.run).front().name == "client in the analysis");
  // Less than half of that time is none.
  rows.client.of(Client::wall)[0] = 4;
  CHECK(small.find("client-delays") == nullptr);
}

TEST_CASE("A start in which first tasks import says how long they took outside process()") {
  const auto tell = [](double unpack) -> std::string {
    SmallRun small;
    small.start_late();  // 42 core-s until the first chunk began
    set_rows(small, [&](std::size_t i) {
      const bool is_first = i % SmallRun::chunks_each == 0;
      return Values{{Task::address, small.run.workers.address[i / SmallRun::chunks_each]},
                    {Task::wall, 0.7 + (is_first ? unpack : 0)},
                    {Task::process_wall, 0.7}};
    });
    const auto* finding = small.find("start-up");
    return finding == nullptr ? "" : finding->evidence;
  };
  CHECK(has(tell(5.4),
            "First tasks of workers took 21.6 core-s outside process(), possibly to import"));
  CHECK(has(tell(2), "First core at 0 s"));
  CHECK_FALSE(has(tell(2), "First tasks of workers"));
  CHECK(tell(8).empty());  // any new process imports: 2.5 of 10.5 s are left
}

TEST_CASE("Attempts that failed are no cores that waited for the first chunk") {
  SmallRun small;
  small.start_late();  // the first chunk begins after 10.5 s
  const auto set = [&](const char* status) {
    small.run.recording.tasks = {};
    add(small.run.recording.tasks, {{Task::kind, small.id("chunk")},
                                    {Task::status, small.id(status)},
                                    {Task::begin, 1},
                                    {Task::wall, 9}});
    return small.find("start-up") != nullptr;
  };
  CHECK(set("ok"));
  CHECK_FALSE(set("failed"));
}

TEST_CASE("A client that imports modules before the first task is said to, whatever they run") {
  SmallRun small;
  small.start_late();  // the first chunk begins after 10.5 s
  RecordedTables& rows = small.run.recording;
  add(rows.machine, {{MachineRow::lag, 0}});
  add(rows.tasks, {{Task::kind, small.id("chunk")}, {Task::begin, 10.5}, {Task::wall, 1}});
  const auto add_call = [&](std::uint32_t caller, const char* name, const char* file) {
    const FrameId frame = small.run.names->frames.intern(small.id(name), small.id(file), 1);
    add(rows.calls, {{Call::caller, caller}, {Call::called, frame}});
  };
  add_call(no_row, "main", "a.py");
  add_call(0, "_find_and_load", "<frozen importlib._bootstrap>");
  add_call(1, "<module>", "/opt/lib/site-packages/dask/dataframe/__init__.py");
  add_call(1, "<module>", "helpers.py");
  add(rows.client, {{Client::begin, 1}, {Client::wall, 3}, {Client::call, 2}, {Client::cpu, 3}});
  add(rows.client, {{Client::begin, 4}, {Client::wall, 3}, {Client::call, 3}, {Client::cpu, 3}});
  REQUIRE(small.find("start-up") != nullptr);
  CHECK(has(small.find("start-up")->evidence, ". The client imported modules for 6 s of it."));
}

TEST_CASE("A client in the analysis is told from a tenth of the run, however short its start") {
  SmallRun small;  // 40 s; chunks run from 0.5 s on
  RecordedTables& rows = small.run.recording;
  add(rows.machine, {{MachineRow::lag, 0}});
  const auto set = [&](double start, double in_function) {
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
      small.run.chunks.t_start[i] = std::max(small.run.chunks.t_start[i], start);
      small.run.chunks.t_end[i] = std::max(small.run.chunks.t_end[i], start + 0.1);
    }
    small.stream();
    rows.tasks = {};
    rows.client = {};
    rows.calls = {};
    add(rows.tasks, {{Task::kind, small.id("chunk")}, {Task::begin, start}, {Task::wall, 1}});
    const FrameId frame = small.run.names->frames.intern(small.id("sums"), small.id("a.py"), 1);
    add(rows.calls, {{Call::called, frame}});
    add(rows.client, {{Client::begin, 0},
                      {Client::wall, in_function},
                      {Client::call, 0},
                      {Client::cpu, in_function}});
    return small.find("client-delays");
  };
  CHECK(set(4.5, 3.9) == nullptr);
  REQUIRE(set(4.5, 4.1) != nullptr);
  CHECK(set(4.5, 4.1)->title == "The client was in sums for 4.1 s before the first task");
  CHECK(set(4.5, 4.1)->gain_elapsed == Approx(4.1));
}

TEST_CASE("A client that computes between two runs keeps the cores idle") {
  SmallRun small;
  RecordedTables& rows = small.run.recording;
  add(rows.tasks, {{Task::kind, small.id("chunk")}, {Task::begin, 1}, {Task::wall, 15}});
  add(rows.tasks, {{Task::kind, small.id("chunk")}, {Task::begin, 24}, {Task::wall, 16}});
  const FrameId frame = small.run.names->frames.intern(small.id("fit_limits"), small.id("a.py"), 1);
  add(rows.calls, {{Call::called, frame}});
  add(rows.client, {{Client::begin, 16}, {Client::wall, 8}, {Client::call, 0}, {Client::cpu, 6}});
  const auto* finding = small.find("client-computes");
  REQUIRE(finding != nullptr);
  CHECK(finding->title == "The client computed for 6 s between tasks");
  CHECK(has(finding->evidence, "Most of it was in fit_limits (a.py:1). Do it in tasks"));
  CHECK(finding->core_seconds == Approx(24));  // four cores
  // It waited, for what nobody knows.
  rows.client.of(Client::cpu)[0] = 0.1;
  CHECK(small.find("client-computes") == nullptr);
}

TEST_CASE("Of three functions in which the client computed alike none has most of it") {
  SmallRun small;
  RecordedTables& rows = small.run.recording;
  add(rows.machine, {{MachineRow::lag, 0}});
  add(rows.tasks, {{Task::kind, small.id("chunk")}, {Task::begin, 10}, {Task::wall, 20}});
  const auto compute = [&](const char* name, const char* file, double begin, double cpu) {
    const FrameId frame = small.run.names->frames.intern(small.id(name), small.id(file), 1);
    add(rows.client, {{Client::begin, begin},
                      {Client::wall, 3},
                      {Client::call, static_cast<double>(rows.calls.size())},
                      {Client::cpu, cpu}});
    add(rows.calls, {{Call::called, frame}});
  };
  compute("plot_mass", "a.py", 31, 2);
  compute("plot_pt", "a.py", 34, 1.9);
  compute("gather", "lib/python3.12/site-packages/distributed/client.py", 37, 2.1);
  // Dask's has the most, and the analysis more than half.
  CHECK(small.find("client-prepares") == nullptr);
  const auto* finding = small.find("client-computes");
  REQUIRE(finding != nullptr);
  CHECK(finding->title == "The client computed for 6 s after the last task");
  CHECK(!has(finding->evidence, "Most of it"));
}

TEST_CASE("A client that submits is not told to do it in tasks") {
  SmallRun small;
  RecordedTables& rows = small.run.recording;
  add(rows.machine, {{MachineRow::lag, 0}});
  add(rows.tasks, {{Task::kind, small.id("chunk")}, {Task::begin, 10}, {Task::wall, 20}});
  add(rows.tasks, {{Task::kind, small.id("chunk")}, {Task::begin, 35}, {Task::wall, 5}});
  // the script calls Dask, which calls the standard library
  const auto frame = [&](const char* name, const char* file) {
    return small.run.names->frames.intern(small.id(name), small.id(file), 1);
  };
  add(rows.calls, {{Call::called, frame("main", "a.py")}});
  add(rows.calls,
      {{Call::called, frame("map", "lib/python3.12/site-packages/distributed/client.py")},
       {Call::caller, 0}});
  add(rows.calls, {{Call::called, frame("dumps", "lib/python3.12/pickle.py")}, {Call::caller, 1}});
  add(rows.client, {{Client::begin, 30}, {Client::wall, 5}, {Client::call, 2}, {Client::cpu, 4}});
  CHECK(small.find("client-computes") == nullptr);
  const auto* finding = small.find("client-prepares");
  REQUIRE(finding != nullptr);
  CHECK(finding->title ==
        "The client computed for 4 s between tasks, most of it in coffea or Dask");
  CHECK(has(finding->evidence,
            "Most of it was in map (distributed/client.py:1). Possible causes: preparing tasks"));
  // What Dask goes through to name tasks says what is large.
  rows.calls.of(Call::called)[1] =
      frame("_tokenize", "lib/python3.12/site-packages/dask/tokenize.py");
  CHECK(has(small.find("client-prepares")->evidence,
            "There Dask makes the names of tasks from all that they are given, item by item: large "
            "tables in the metadata of datasets, or in the processor, take long. Possible"));
  // An analysis that is installed as a package prepares nothing.
  rows.calls.of(Call::called)[0] = rows.calls.of(Call::called)[1] =
      frame("plot_all", "lib/python3.12/site-packages/theiranalysis/plots.py");
  CHECK(small.find("client-prepares") == nullptr);
  CHECK(small.find("client-computes") != nullptr);
}

TEST_CASE("Calls of a runner one after the other leave cores idle between them") {
  SmallRun small;
  add(small.run.recording.machine, {{MachineRow::lag, 0}});
  // Of each worker's chunks those after the twentieth are of a second call, 5 s later.
  const auto set = [&](double later) {
    for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i) {
      const std::uint32_t place = i % SmallRun::chunks_each;
      small.run.chunks.t_start[i] = 0.5 + place + (place < 20 ? 0 : later);
      small.stretch(i, 1);
    }
    small.run.elapsed = 40 + later;
    set_rows(small, [](std::uint32_t i) {
      return Values{{Task::call, i % SmallRun::chunks_each < 20 ? 1 : 2}};
    });
    return small.find("runs-in-series");
  };
  CHECK(set(0) == nullptr);
  REQUIRE(set(5) != nullptr);
  CHECK(set(5)->title ==
        "2 calls of a runner, one after the other: 20 core-s of cores idled between them");
}

TEST_CASE("Calls of a runner on the same entries are told with what starting them again took") {
  SmallRun small;
  Chunks& c = small.run.chunks;
  for (std::uint32_t i = 0; i < c.size(); ++i)
    c.entry_start[i] = 10000 * (i % 78), c.entry_stop[i] = c.entry_start[i] + 10000;
  const auto let_call = [&](std::uint32_t chunks_of_first) {
    set_rows(small, [&](std::uint32_t i) {
      return Values{{Task::call, i < chunks_of_first ? 1 : 2}, {Task::wall, 1.2}};
    });
  };
  let_call(156);
  CHECK(small.find("repeated-calls") == nullptr);
  let_call(78);
  const auto* finding = small.find("repeated-calls");
  REQUIRE(finding != nullptr);
  CHECK(finding->title == "2 calls of the runner process entries that another call processes");
  CHECK(finding->core_seconds == Approx(78 * 0.2));
  CHECK(has(finding->evidence, "78 of 156 chunks had been processed by an earlier call."));
  CHECK(has(finding->evidence, "the rest of process() took 1 min 18 s."));
}

TEST_CASE("Files that the client opens one after the other are why a run starts late") {
  SmallRun small;
  small.start_late();
  const auto set = [&](const char* executor, double first = 0) {
    set_rows(small, [&](std::size_t) {
      return Values{{Task::executor, small.id("DaskExecutor")}};
    });
    for (int file = 0; file < 4; ++file)
      add(small.run.recording.tasks, {{Task::kind, small.id("file")},
                                      {Task::executor, small.id(executor)},
                                      {Task::begin, first + 2.0 * file},
                                      {Task::wall, 2}});
    return small.find("start-up")->evidence;
  };
  CHECK(has(set("IterativeExecutor"), "The client opened 4 files one after the other"));
  CHECK_FALSE(has(set("DaskExecutor"), "The client opened"));
  CHECK_FALSE(has(set("IterativeExecutor", 20), "The client opened"));     // chunks ran by then
  CHECK(has(set("IterativeExecutor", 2.5), "The client opened 4 files"));  // until the first began
  CHECK(has(set("IterativeExecutor", 2.6), "The client opened 3 files"));  // the last until 10.6 s
}

TEST_CASE("A client that works between calls, or before the first task, leaves cores idle") {
  // Two calls: chunks until 20 s, and from 25 s on, on two of four cores `late` s later, or never;
  // the client computes for `cpu` s in between.
  const auto found = [](double cpu, double late = 0) {
    SmallRun small;
    for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i) {
      const std::uint32_t place = i % SmallRun::chunks_each;
      const bool is_late = place >= 20 && i / SmallRun::chunks_each >= 2;
      small.run.chunks.t_start[i] = 0.5 + place + (place < 20 ? 0 : 5) + (is_late ? late : 0);
      small.stretch(i, 1);
    }
    small.run.elapsed = 47;
    set_rows(small, [&](std::uint32_t i) {
      Values values{{Task::call, i % SmallRun::chunks_each < 20 ? 1 : 2},
                    {Task::thread, i / SmallRun::chunks_each}};
      if (is_absent(small.run.chunks.t_start[i])) values.emplace_back(Task::begin, absent);
      return values;
    });
    RecordedTables& rows = small.run.recording;
    const FrameId frame = small.run.names->frames.intern(small.id("fit"), small.id("a.py"), 1);
    add(rows.calls, {{Call::called, frame}});
    add(rows.client,
        {{Client::begin, 20.5}, {Client::wall, 5}, {Client::call, 0}, {Client::cpu, cpu}});
    const auto* finding = small.find("runs-in-series");
    CHECK((finding != nullptr && has(finding->evidence,
                                     "and 2.1 s in which the client computed, "
                                     "most of it in fit (a.py:1).")) == (cpu == 2.1));
    return finding == nullptr ? absent : finding->core_seconds;
  };
  CHECK(found(0) == Approx(20));  // 5 s, at the end of which all four cores begin again
  CHECK(found(0, 2) == Approx(24));
  CHECK(found(0, absent) == Approx(20 + 2 * 18));  // the second call lasts for 18 s
  CHECK(found(1) == Approx(16));
  CHECK(found(2.1) == Approx(4 * 2.9));
  CHECK(is_absent(found(2.9)));  // 8.4 of 188 core-s are less than a twentieth
}

TEST_CASE("What calls repeat: starting tasks, and reading the branches that were read before") {
  SmallRun small;
  Chunks& c = small.run.chunks;
  for (std::uint32_t i = 0; i < c.size(); ++i)
    c.entry_start[i] = 10000 * (i % 78), c.entry_stop[i] = c.entry_start[i] + 10000;
  set_rows(small, [&](std::uint32_t i) {
    return Values{{Task::call, i < 78 ? 1 : 2}, {Task::wall, 1.2}};
  });
  auto& branches = small.run.recording.branches;
  for (std::uint32_t i = 0; i < c.size(); ++i) {
    add(branches, {{Branch::task, i},
                   {Branch::branch, small.id("pt")},
                   {Branch::wait, 0.05},
                   {Branch::cpu, 0.1}});
    if (i >= 78)
      add(branches, {{Branch::task, i}, {Branch::branch, small.id("eta")}, {Branch::cpu, 0.3}});
  }
  const auto* finding = small.find("repeated-calls");
  REQUIRE(finding != nullptr);
  CHECK(finding->core_seconds == Approx(78 * (0.2 + 0.15)));
  CHECK(has(finding->evidence, "78 of 156 chunks had been processed by an earlier call."));
  // Without a row it is not known which call a chunk is of.
  small.run.recording.tasks.of(Task::call)[0] = absent;
  CHECK(has(small.find("repeated-calls")->evidence, "77 of 156 chunks"));
}

TEST_CASE("Other tasks that ran for half of the time until the first chunk are why it began late") {
  const auto start = [](double seconds) {
    SmallRun small;
    small.start_late();
    small.stream();
    const double first = moments(small.run.chunks.t_start).min;
    // Two at once count once.
    small.add_task("derive", 0, 0, 0, seconds * first, 100);
    small.add_task("derive", 1, 1, 0, seconds * first / 2, 100);
    return small.find("start-up")->title;
  };
  CHECK(has(start(0.6), " of it derive"));
  CHECK_FALSE(has(start(0.45), "derive"));
}

TEST_CASE("What a blocked worker computes after the last chunk is told of idle cores") {
  SmallRun small;
  small.run.elapsed = 60;
  const std::string worker = "tcp://10.0.0.0:1000";
  for (std::size_t tick = 40; tick < 60; ++tick) {
    small.run.ticks.push_back(static_cast<double>(tick));
    for (std::size_t w = 0; w < SmallRun::workers; ++w)
      small.run.workers.of(Series::cores, w).set(tick, 1);
  }
  small.stream();
  set_rows(small, [](std::size_t) { return Values{}; });
  small.run.recording.client.resize(1);
  // From 40 s on the worker tells nothing. The client's children, the worker among them, use a CPU.
  for (std::size_t second = 0; second < 60; ++second) {
    for (const char* who : {"client", worker.c_str()}) {
      const bool is_client = *who == 'c';
      if (!is_client && second >= 40) continue;
      add(small.run.recording.machine, {{MachineRow::host, small.id("10.0.0.0")},
                                        {MachineRow::worker, small.id(who)},
                                        {MachineRow::address, small.id(who)},
                                        {MachineRow::begin, static_cast<double>(second)},
                                        {MachineRow::wall, 1},
                                        {MachineRow::busy, 1.05},
                                        {MachineRow::own, is_client ? 0.05 : 1},
                                        {MachineRow::children, is_client ? 1 : 0},
                                        {MachineRow::usable, 4}});
    }
  }
  const runtime::MachineUse& use = runtime::machine_use(small.run);
  CHECK(use.own[20] == Approx(1.05));
  CHECK(use.own[50] == Approx(1.05));
  CHECK(use.others[50] == Approx(0).margin(1e-9));
  CHECK(use.started[20] == Approx(0).margin(1e-9));
  CHECK(is_absent(use.started[50]));  // it may be the worker's
  const auto* finding = small.find("idle-unknown");
  REQUIRE(finding != nullptr);
  CHECK(has(finding->title, "was idle while a process of the run computed outside tasks"));
  // 20 s of a CPU; the last chunks ended half a second before
  CHECK(has(finding->evidence, "While no task ran, workers used 20 core-s of CPU"));
}

TEST_CASE("Large chunks cost what cores idled at the end and for want of a task") {
  SmallRun small;
  // After the twentieth chunk of each worker no task for 2 s; the last one of the first takes 12 s.
  for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i) {
    const std::uint32_t place = i % SmallRun::chunks_each;
    small.run.chunks.t_start[i] = 0.5 + place + (place < 20 ? 0 : 2);
    small.stretch(i, 1);
  }
  const std::size_t last = SmallRun::chunks_each - 1;
  small.stretch(last, 12);
  small.run.chunks.events[last] = 120000;
  small.run.elapsed = 53;
  for (std::size_t w = 0; w < SmallRun::workers; ++w) small.set_series(Series::active_tasks, w, 1);
  small.stream();
  const auto* finding = small.find("large-chunks");
  REQUIRE(finding != nullptr);
  // 4 x 2 s; and from 41.5 s to 52.5 s, when the last chunk ended, three cores.
  CHECK(finding->core_seconds == Approx(8 + 3 * 11));
}

TEST_CASE("A look at the client that took no time is in a time that begins with it") {
  SmallRun small;
  RecordedTables& rows = small.run.recording;
  const FrameId frame = small.run.names->frames.intern(small.id("fit"), small.id("a.py"), 1);
  add(rows.calls, {{Call::called, frame}});
  add(rows.client, {{Client::begin, 5}, {Client::looks, 3}, {Client::call, 0}});
  const auto looks = [&](double begin, double end) {
    double sum = 0;
    for (const auto& one : runtime::client_functions(small.run, begin, end)) sum += one.looks;
    return sum;
  };
  CHECK(looks(5, 10) == 3);
  CHECK(looks(4, 6) == 3);
  CHECK(looks(4, 5) == 0);
  CHECK(looks(6, 10) == 0);
}
