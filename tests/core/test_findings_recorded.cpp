// Findings that stand on the rows of `crema.record`, and on the order of a worker's chunks.
#include <cmath>
#include <map>

#include "catch.hpp"
#include "core/align/align.hpp"
#include "core/diagnose/anomaly_search.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/diagnose/rules.hpp"
#include "core/report/answer_text.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"
#include "tests/core/drawn_tree.hpp"
#include "tests/core/small_run.hpp"

using namespace crema;
using recorded_columns::Branch;
using recorded_columns::Call;
using recorded_columns::Client;
using recorded_columns::Task;
using MachineRow = recorded_columns::Machine;
using test::SmallRun;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

using test::add;
using test::set_rows;
using Values = std::vector<std::pair<Task, double>>;

/// Tasks that are off the CPU for 70 of 158 s, in code that computes.
void let_compute_without_cpu(SmallRun& small) {
  small.set_activity("thread-noncpu", 70);
  small.set_activity("thread-cpu", 88);
  small.draw_profile("root 100\n  process@analysis.py 100\n");
}

/// The machine of all four workers in each second of the run: CPUs in use by all, and by the run.
void set_machine(SmallRun& small, double busy, double own) {
  for (std::size_t second = 0; second < 40; ++second)
    add(small.run.recording.machine, {{MachineRow::host, small.id("10.0.0.0")},
                                      {MachineRow::worker, small.id("tcp://10.0.0.0:1000")},
                                      {MachineRow::address, small.id("tcp://10.0.0.0:1000")},
                                      {MachineRow::begin, static_cast<double>(second)},
                                      {MachineRow::wall, 1},
                                      {MachineRow::busy, busy},
                                      {MachineRow::own, own},
                                      {MachineRow::usable, 4}});
}

/// Each worker's 39 chunks, one after the other, with the times of two sections.
template <class Seconds>
void set_workers(SmallRun& small, const Seconds& seconds_of) {
  Chunks& c = small.run.chunks;
  double begin = 0;
  for (std::uint32_t i = 0; i < c.size(); ++i) {
    const std::size_t place = i % SmallRun::chunks_each;
    if (place == 0) begin = 0.5;
    const auto [fit, fill] = seconds_of(place);
    c.t_start[i] = begin;
    small.stretch(i, fit + fill);
    begin = c.t_end[i];
    c.sections.push_back({i, small.id("fit"), SectionValue::Kind::seconds, fit});
    c.sections.push_back({i, small.id("fill"), SectionValue::Kind::seconds, fill});
  }
  small.run.elapsed = 60;
  small.stream();
}

}  // namespace

TEST_CASE("A scheduler that stands still is a cause, and no clock is") {
  SmallRun small;
  small.run.data_notes.push_back({.id = "chunks-outside-tasks", .message = "6 of 156 chunks"});
  CHECK(small.find("clock-skew") != nullptr);
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) small.stretch(i, 0.6);
  small.stream();
  small.set_activity("thread-cpu", 90);
  add(small.run.recording.machine, {{MachineRow::lag, 6}, {MachineRow::longest_lag, 2}});
  const auto* finding = small.find("blocked-scheduler");
  REQUIRE(finding != nullptr);
  CHECK(has(finding->title, "The scheduler was blocked or busy for 6 s"));
  CHECK(finding->core_seconds <= 24);  // 6 s of four cores
  CHECK(small.find("clock-skew") == nullptr);
  // After the last chunk nobody waits for it.
  small.run.recording.machine.of(MachineRow::begin)[0] = 39.8;
  CHECK(small.find("blocked-scheduler") == nullptr);
}

TEST_CASE("Code of no library that runs in the scheduler's event loop is named") {
  const auto title = [](double own, const char* file) {
    SmallRun small;
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i) small.stretch(i, 0.6);
    small.stream();
    small.set_activity("thread-cpu", 90);
    add(small.run.recording.machine, {{MachineRow::lag, 6}, {MachineRow::longest_lag, 2}});
    const auto frame = [&](const char* name, const char* of) {
      return small.run.names->frames.intern(small.id(name), small.id(of), 12);
    };
    CallTree tree{.kind = CallTree::Kind::scheduler};
    tree.add(no_node, frame("root", ""), 10, 0);
    tree.add(0, frame("transitions", "/opt/lib/site-packages/distributed/scheduler.py"), 10, 0);
    tree.add(1, frame("transition", file), own, 0);
    tree.add(2, frame("helper", file), own, 0);  // counted with what calls it
    small.run.call_trees.push_back(tree);
    return small.find("blocked-scheduler")->title;
  };
  CHECK(title(8, "/home/me/monitor.py") ==
        "The scheduler was blocked or busy for 6 s, mostly in transition (monitor.py:12), while "
        "tasks waited");
  const std::string unknown = "The scheduler was blocked or busy for 6 s, while tasks waited";
  CHECK(title(5, "/home/me/monitor.py") == unknown);  // half of the samples is not most
  CHECK(title(8, "/opt/lib/site-packages/distributed/plugin.py") == unknown);
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
  CHECK(small.find("blocked-scheduler")->core_seconds == Approx(40));  // 10 s of four cores
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
  // An analysis that is installed as a package prepares nothing.
  rows.calls.of(Call::called)[0] = rows.calls.of(Call::called)[1] =
      frame("plot_all", "lib/python3.12/site-packages/theiranalysis/plots.py");
  CHECK(small.find("client-prepares") == nullptr);
  CHECK(small.find("client-computes") != nullptr);
}

TEST_CASE("Programs beside the run are why tasks wait, where all CPUs are busy and enough") {
  for (const double busy : {2.2, 4.0}) {
    SmallRun small;
    let_compute_without_cpu(small);
    set_machine(small, busy, 2.2);
    const auto* finding = small.find("foreign-load");
    REQUIRE((finding != nullptr) == (busy == 4));
    if (finding != nullptr) CHECK(finding->title == "Other processes used 1.8 of 4 CPUs");
    if (busy == 4) CHECK(small.find("waiting") == nullptr);
    // What its workers started is no other program.
    auto& children = small.run.recording.machine.of(MachineRow::children);
    children.assign(children.size(), 1.8);
    CHECK(small.find("foreign-load") == nullptr);
    children.assign(children.size(), 0);
    // A client on another machine: its CPUs are not the run's, nor who uses them.
    auto& machine = small.run.recording.machine;
    const std::size_t of_workers = machine.size();
    for (std::size_t row = 0; row < of_workers && busy == 4; ++row)
      add(machine, {{MachineRow::host, small.id("login")},
                    {MachineRow::worker, small.id("client")},
                    {MachineRow::begin, machine.at(MachineRow::begin, row)},
                    {MachineRow::wall, machine.at(MachineRow::wall, row)},
                    {MachineRow::own, 0},
                    {MachineRow::children, 2},
                    {MachineRow::busy, 64},
                    {MachineRow::cpus, 64},
                    {MachineRow::usable, 64}});
    if (busy == 4) {
      REQUIRE(small.find("foreign-load") != nullptr);
      CHECK(small.find("foreign-load")->title == "Other processes used 1.8 of 4 CPUs");
    }
    // Four of 64 CPUs are the run's: others use theirs.
    for (double& cpus : small.run.recording.machine.of(MachineRow::cpus)) cpus = 64;
    CHECK(small.find("foreign-load") == nullptr);
  }
}

TEST_CASE("Programs that compute for ten seconds have these ten seconds, and no others") {
  SmallRun small;
  let_compute_without_cpu(small);
  set_machine(small, 4, 4);
  for (std::size_t second = 10; second < 20; ++second)
    small.run.recording.machine.of(MachineRow::own)[second] = 2;
  const auto* finding = small.find("foreign-load");
  REQUIRE(finding != nullptr);
  CHECK(finding->title == "Other processes used 2 of 4 CPUs from 10 s to 20 s");
  REQUIRE(finding->selection.time);
  CHECK(finding->selection.time->begin == 10);
}

TEST_CASE(
    "Programs that compute from some moment on are told since when, a pause notwithstanding") {
  SmallRun small;
  let_compute_without_cpu(small);
  set_machine(small, 4, 2);
  std::vector<double>& own = small.run.recording.machine.of(MachineRow::own);
  for (const std::size_t second : {0, 1, 2, 3, 4, 20}) own[second] = 4;
  const auto* finding = small.find("foreign-load");
  REQUIRE(finding != nullptr);
  REQUIRE(finding->selection.time);
  CHECK(finding->selection.time->begin == 5);
  CHECK(finding->selection.time->end >= 40);
  // All along where only a second or two lack.
  for (const std::size_t second : {2, 3, 4}) own[second] = 2;
  CHECK(!small.find("foreign-load")->selection.time);
}

TEST_CASE("A file that ran while other programs had the CPUs is not to blame beside them") {
  // They ran for all of its 7 s, or for 3 s of them, which are less than half.
  for (const auto& [own, seconds] : {std::pair(4.0, 8U), std::pair(2.0, 8U), std::pair(2.0, 4U)}) {
    SmallRun small;
    let_compute_without_cpu(small);
    set_machine(small, 4, 4);
    for (std::size_t second = 0; second < seconds; ++second)
      small.run.recording.machine.of(MachineRow::own)[second] = own;
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
      const std::size_t step = i % SmallRun::chunks_each;
      small.run.chunks.dataset[i] = small.id("data");
      small.run.chunks.file[i] = small.id("/data/" + std::to_string(step / 5) + ".root");
      small.stretch(i, step < 5 ? 3 : 1);  // from 0.5 s to 7.5 s
    }
    CHECK((small.find("foreign-load") != nullptr) == (own == 2));
    CHECK((small.find("slow-file") != nullptr) == (own == 4 || seconds == 4));
  }
}

TEST_CASE("Most of the time outside process() is named where the rows tell it") {
  const auto title = [](const diagnose::OutsideProcess& evidence) {
    return report::text_of(diagnose::Finding{.cause = diagnose::FindingCause::outside_process,
                                             .evidence = evidence})
        .title;
  };
  diagnose::OutsideProcess each{.share = 0.3,
                                .outside = 0.5,
                                .inside = 1,
                                .opening = 0.05,
                                .unpacking = 0,
                                .packing = 0.2,
                                .other = 0.25};
  const std::string plain = "30 % of the processor tasks' time was outside process()";
  CHECK(title(each) == plain);
  each.packing = 0.3;
  CHECK(title(each) == plain + ", most of it packing results");
  each.packing = absent;
  each.opening = 0.3;
  CHECK(title(each) == plain + ", most of it opening files and building events");
  each.opening = 0.05;
  each.unpacking = 0.26;
  CHECK(title(each) == plain + ", most of it unpacking the processor");
}

TEST_CASE("Threads that run no task have what their process used beside its task's thread") {
  for (const double of_process : {0.6, 0.8}) {
    SmallRun small;
    let_compute_without_cpu(small);
    set_machine(small, 4, 4);
    set_rows(small, [&](std::size_t) {
      return Values{{Task::cpu, 0.5}, {Task::cpu_of_process, of_process}};
    });
    const auto* finding = small.find("library-threads");
    REQUIRE((finding != nullptr) == (of_process == 0.8));  // 10 % have event loops
    if (finding != nullptr)                                // 0.3 of a CPU for each of four threads
      CHECK(finding->title == "Threads that ran no task used 1.2 CPUs in the workers");
  }
}

TEST_CASE("Threads that run no task are event loops where the workers' main threads used the CPU") {
  for (const double main : {0.1, 0.8}) {  // of 1.2 CPUs beside the tasks
    SmallRun small;
    let_compute_without_cpu(small);
    set_machine(small, 4, 4);
    for (double& of_second : small.run.recording.machine.of(MachineRow::main)) of_second = main;
    set_rows(small, [&](std::size_t) {
      return Values{{Task::cpu, 0.5}, {Task::cpu_of_process, 0.8}};
    });
    CHECK((small.find("library-threads") != nullptr) == (main == 0.1));
    const auto* finding = small.find("busy-loop");
    REQUIRE((finding != nullptr) == (main == 0.8));
    if (finding == nullptr) continue;
    CHECK(finding->title == "The event loops of the workers used 0.8 CPUs beside the tasks");
    // Tasks were off the CPU for half of their time, and others had one for 0.3 s of each.
    CHECK(finding->core_seconds == Approx(0.3 * static_cast<double>(small.run.chunks.size())));
    // Dask's profiler runs there.
    small.run.settings["profile.interval"] = "1ms";
    CHECK(small.find("busy-loop")->title ==
          "The event loops of the workers used 0.8 CPUs beside the tasks: profile.interval is 1ms");
    // Their samples say what ran there; and clocks that leave open when chunks ran change nothing.
    CallTree loops{.kind = CallTree::Kind::server};
    const auto frame = [&](const char* name, const char* of) {
      return small.run.names->frames.intern(small.id(name), small.id(of), 12);
    };
    loops.add(no_node, frame("root", ""), 10, 0);
    loops.add(0, frame("metric", "/home/me/monitor.py"), 9, 0);
    small.run.call_trees.push_back(loops);
    small.run.chunks.placed = false;
    small.run.chunks.t_start[0] -= 3600;
    REQUIRE(small.find("busy-loop") != nullptr);
    CHECK(has(small.find("busy-loop")->evidence,
              "90 % of the samples of event loops are in metric (monitor.py:12)"));
    small.run.chunks.placed = true;
    small.run.chunks.t_start[0] += 3600;
    // A worker in the client's process has its loop in another thread.
    auto& machine = small.run.recording.machine;
    for (double& pid : machine.of(MachineRow::pid)) pid = 7;
    add(machine, {{MachineRow::host, small.id("10.0.0.0")},
                  {MachineRow::pid, 7},
                  {MachineRow::address, small.id("client")}});
    CHECK(small.find("busy-loop") == nullptr);
  }
}

TEST_CASE(
    "A thread that runs no task holds the interpreter's lock where tasks ask for it in turns") {
  // Two of four CPUs are busy. Tasks were off the CPU for 0.5 of each second, 0.02 for want of
  // one: 200 times a second they would have asked 96 times.
  const auto tell = [](double switches) {
    SmallRun small;
    let_compute_without_cpu(small);
    set_machine(small, 2, 2);
    set_rows(small, [&](std::size_t) {
      return Values{{Task::cpu, 0.5},
                    {Task::cpu_of_process, 0.8},
                    {Task::run_delay, 0.02},
                    {Task::voluntary_switches, switches}};
    });
    for (const test::WordedFinding& finding : test::worded_findings(small.run))
      if (finding.id == "library-threads") return finding.evidence;
    return std::string();
  };
  CHECK(has(tell(97),
            "although they had a CPU when they could run: threads of a process take "
            "turns at Python code (GIL)"));
  CHECK_FALSE(has(tell(97), "CPUs were busy"));
  CHECK(tell(95).empty());
}

TEST_CASE("Garbage collection and the operating system have their part of the tasks' time") {
  SmallRun small;
  add(small.run.recording.machine, {{MachineRow::lag, 0}});
  set_rows(small, [](std::size_t) { return Values{{Task::collecting, 0.15}}; });
  CHECK(small.find("garbage-collection") == nullptr);
  set_rows(small, [](std::size_t) {
    return Values{{Task::collecting, 0.25}, {Task::collections, 3}};
  });
  CHECK(small.find("garbage-collection")->title ==
        "25 % of the tasks' time was Python's garbage collection");
  CHECK(small.find("garbage-collection")->core_seconds == Approx(156 * 0.25));
  CHECK(has(small.find("garbage-collection")->evidence, "468 collections"));
  CHECK(has(small.find("garbage-collection")->evidence, "where gc.collect() is called"));
  // Who called them is told where they have most of the time.
  const auto called = [&](double seconds) {
    set_rows(small, [&](std::size_t) {
      return Values{{Task::collecting, 0.25},
                    {Task::collecting_called, seconds},
                    {Task::collector, small.id("/home/me/objects.py:54 free_memory")}};
    });
    return small.find("garbage-collection");
  };
  CHECK(has(called(0.2)->title, "garbage collection, most in free_memory"));
  CHECK(
      has(called(0.2)->evidence, "80 % of it by gc.collect(), most at objects.py:54 free_memory."));
  CHECK_FALSE(has(called(0.1)->evidence, "objects.py"));

  const auto with_peak = [&](double peak) {
    set_rows(small, [&](std::size_t) {
      return Values{{Task::cpu, 1},
                    {Task::system, 0.4},
                    {Task::rss_before, 200e6},
                    {Task::rss_after, 210e6},
                    {Task::rss_peak, peak}};
    });
    return small.find("system-time");
  };
  CHECK(with_peak(220e6) == nullptr);  // no large arrays: why is not known
  REQUIRE(with_peak(510e6) != nullptr);
  CHECK(with_peak(510e6)->title == "40 % of the tasks' CPU time was in the operating system");
  CHECK(with_peak(510e6)->core_seconds == Approx(156 * 0.3));
  CHECK(has(with_peak(510e6)->evidence, "at least 300 MB for a moment"));
  // A peak that was looked for now and then is less: where half of them are exact, these count.
  const auto with_exact = [&](std::uint32_t of_ten) {
    set_rows(small, [&](std::uint32_t i) {
      const bool is_exact = i % 10 < of_ten;
      return Values{{Task::cpu, 1},
                    {Task::system, 0.4},
                    {Task::rss_before, 200e6},
                    {Task::rss_after, 210e6},
                    {Task::rss_peak, is_exact ? 510e6 : 220e6},
                    {Task::rss_peak_sampled, is_exact ? 0 : 1}};
    });
    return small.find("system-time") != nullptr;
  };
  CHECK(with_exact(6));
  CHECK_FALSE(with_exact(4));
}

TEST_CASE("Page faults have the system time that goes with them, where a threshold is set") {
  SmallRun small;
  // 10 ms in the system, and 2 us for each of 100,000 faults, more or less.
  const auto set = [&](double each) {
    set_rows(small, [&](std::uint32_t i) {
      const double faults = 90e3 + 10e3 * (i % 3);
      return Values{{Task::status, small.id("ok")},
                    {Task::cpu, 1},
                    {Task::system, 0.01 + 0.2 + each * (faults - 100e3)},
                    {Task::minor_faults, faults}};
    });
  };
  const auto found = [&](const char* setting) {
    small.run.settings["MALLOC_TRIM_THRESHOLD_"] = setting;
    return small.find("page-faults");
  };
  set(2e-6);
  REQUIRE(found("65536") != nullptr);
  CHECK(found("65536")->title == "At least 20 % of the tasks' CPU time was page faults");
  CHECK(found("65536")->core_seconds == Approx(156 * 0.2));
  CHECK(has(found("65536")->evidence, "MALLOC_TRIM_THRESHOLD_ is 65536 in the workers:"));
  CHECK(has(
      found("65536")->evidence,
      R"(dask.config.set({"distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": None}))"));
  // What is particular to the run comes before, though it costs less.
  small.stretch(0, 12);
  REQUIRE(found("65536") != nullptr);
  CHECK(diagnose::find_findings(small.run, {}).front().cause == diagnose::FindingCause::stragglers);
  small.stretch(0, 1);
  // Half of a section gains more: it is named first, and is still no cause.
  small.section("fit", 0.9);
  REQUIRE(found("65536") != nullptr);
  CHECK(diagnose::find_findings(small.run, {}).front().cause ==
        diagnose::FindingCause::own_function);
  const auto tree = runtime::core_time_tree(small.run, {}, {}, runtime::CoreTimeSplit::functions);
  CHECK(report::core_time_verdict(small.run, {}, *tree).text == found("65536")->title + ".");
  CHECK(found("none") == nullptr);
  CHECK(found("65536 or none") == nullptr);
  // The size itself, where that is set.
  small.run.settings["MALLOC_MMAP_THRESHOLD_"] = "16384";
  REQUIRE(found("65536") != nullptr);
  CHECK(has(found("65536")->evidence,
            "MALLOC_MMAP_THRESHOLD_ is 16384 in the workers: so glibc takes large arrays from the "
            "system each time. dask.config.set({\"distributed.nanny.pre-spawn-environ."
            "MALLOC_TRIM_THRESHOLD_\": None}), before a cluster is made and where its workers "
            "start, leaves it to glibc. Unset MALLOC_MMAP_THRESHOLD_ where workers start. "));
  set(0);  // the system's time has nothing to do with them
  CHECK(found("65536") == nullptr);
  // Chunks of more events have more of both: 20 us and a fault for each.
  set_rows(small, [&](std::uint32_t i) {
    const double events = 5000 + 5000 * (i % 3);
    return Values{{Task::status, small.id("ok")},
                  {Task::cpu, 1},
                  {Task::events, events},
                  {Task::system, 20e-6 * events},
                  {Task::minor_faults, events}};
  });
  CHECK(found("65536") == nullptr);
}

namespace {

/// Chunks of A read the column "pt", those of B another one, of 1 MB each: in 0.05 s of CPU, in two
/// baskets and with zstd 2 in B.
void read_columns(SmallRun& small, double slow, const char* column, double baskets,
                  const char* codec) {
  auto& branches = small.run.recording.branches;
  branches = {};
  for (std::uint32_t i = 0; i < 156; ++i)
    add(branches, {{Branch::task, i},
                   {Branch::branch, small.id(i < 78 ? "pt" : column)},
                   {Branch::codec, small.id(i < 78 ? codec : "zstd 2")},
                   {Branch::baskets, i < 78 ? baskets : 2},
                   {Branch::uncompressed, 1e6},
                   {Branch::cpu, i < 78 ? slow : 0.05}});
}

}  // namespace

TEST_CASE("A codec that takes more CPU is told by the same columns with another codec") {
  SmallRun small;
  set_rows(small, [&](std::size_t i) {
    return Values{{Task::dataset, small.id(i < 78 ? "A" : "B")}};
  });
  const auto set = [&](double slow, const char* column, double baskets = 2,
                       const char* codec = "lzma 6") {
    read_columns(small, slow, column, baskets, codec);
    return small.find("codec");
  };
  add(small.run.recording.machine, {{MachineRow::lag, 0}});
  const auto* finding = set(0.2, "pt");
  REQUIRE(finding != nullptr);
  CHECK(finding->title ==
        "Columns packed with lzma 6 took 4 times as much CPU to read as with zstd 2");
  CHECK(finding->core_seconds == Approx(78 * 0.15));
  CHECK(has(finding->evidence, " lzma 6 is that of files of A."));
  CHECK(has(finding->evidence, "78 MB of them are packed with lzma 6, 78 MB with zstd 2."));
  // 78 x 0.1 s are less than a twentieth of the core-time, 160 core-s.
  CHECK(set(0.15, "pt") == nullptr);
  // Other columns may take longer with any codec.
  CHECK(set(0.2, "eta") == nullptr);
  // So do smaller baskets, and larger ones are unpacked more often; without a codec nothing is.
  CHECK(set(0.2, "pt", 4) != nullptr);
  CHECK(set(0.2, "pt", 5) == nullptr);
  CHECK(set(0.2, "pt", 1) != nullptr);
  CHECK(set(0.2, "pt", 0.9) == nullptr);
  CHECK(set(0.2, "pt", 2, "none") == nullptr);
}

TEST_CASE("Small baskets take more CPU than the same columns of another dataset in larger ones") {
  SmallRun small;
  set_rows(small, [&](std::size_t i) {
    return Values{{Task::dataset, small.id(i < 78 ? "A" : "B")}};
  });
  const auto set = [&](double slow, double baskets, const char* codec = "zstd 2") {
    read_columns(small, slow, "pt", baskets, codec);
    return small.find("small-baskets");
  };
  add(small.run.recording.machine, {{MachineRow::lag, 0}});
  const auto* finding = set(0.2, 20);
  REQUIRE(finding != nullptr);
  CHECK(finding->title ==
        "Baskets of A hold 50 kB, those of B 500 kB: reading took 4 times as much CPU");
  CHECK(finding->core_seconds == Approx(78 * 0.15));
  CHECK(has(finding->evidence, "in 1,560 baskets."));
  CHECK(set(0.09, 20) == nullptr);           // not twice as much
  CHECK(set(0.2, 8) == nullptr);             // not much smaller
  CHECK(set(0.2, 20, "lzma 6") == nullptr);  // another codec takes longer by itself
}

TEST_CASE("A variable that makes numeric code slower is told where all workers have it") {
  SmallRun small;
  small.section("fit", 0.9);
  const auto found = [&](const char* name, const char* value) {
    small.run.settings = {{"memory.pause", "0.8"}, {name, value}};
    return small.find("slow-setting");
  };
  const std::pair<const char*, const char*> slow[] = {
      {"NUMBA_OPT", "0"},
      {"NUMBA_LOOP_VECTORIZE", "0"},
      {"NUMBA_BOUNDSCHECK", "1"},
      {"NPY_DISABLE_CPU_FEATURES", "X86_V3 X86_V4"},
      {"NPY_ENABLE_CPU_FEATURES", "X86_V3"},
      {"OPENBLAS_CORETYPE", "Prescott"},
      {"MKL_ENABLE_INSTRUCTIONS", "AVX"},
      {"MKL_CBWR", "COMPATIBLE"},
      {"ONEDNN_MAX_CPU_ISA", "SSE41"},
      {"ARROW_USER_SIMD_LEVEL", "NONE"},
      {"PYTHONDEVMODE", "0"},  // any text turns it on
      {"PYTHONMALLOC", "pymalloc_debug"},
      {"compression", "zlib"},
      {"system-monitor.interval", "2ms"},
      {"MALLOC_PERTURB_", "165"},
      {"profile.interval", "1ms"},
      {"profile.interval", "500us"}};
  for (const auto& [name, value] : slow) {
    CAPTURE(name);
    CHECK(found(name, value) != nullptr);
  }
  const std::pair<const char*, const char*> others[] = {
      {"NUMBA_DISABLE_JIT", "0"},
      {"NUMBA_DISABLE_JIT", "none"},
      {"NUMBA_DISABLE_JIT", "1 or none"},  // settings-differ
      {"NUMBA_DISABLE_JIT", "true"},       // numba takes numbers
      {"NUMBA_OPT", "3"},
      {"NUMBA_OPT", "max"},
      {"NUMBA_LOOP_VECTORIZE", "1"},
      {"NUMBA_NUM_THREADS", "1"},
      {"NPY_DISABLE_CPU_FEATURES", ""},
      {"OPENBLAS_CORETYPE", "SkylakeX"},
      {"OPENBLAS_CORETYPE", "Haswell or Prescott"},
      {"MKL_ENABLE_INSTRUCTIONS", "AVX2"},
      {"OPENBLAS_CORETYPE", "NeoverseN1"},
      {"ONEDNN_MAX_CPU_ISA", "ALL"},
      {"PYTHONDEVMODE", ""},
      {"PYTHONMALLOC", "malloc"},
      {"MALLOC_PERTURB_", "0"},
      {"profile.interval", "10ms"},
      {"profile.interval", "1s"}};
  for (const auto& [name, value] : others) {
    CAPTURE(name, value);
    CHECK(found(name, value) == nullptr);
  }
  REQUIRE(found("profile.interval", "1ms") != nullptr);
  CHECK(has(found("profile.interval", "1ms")->evidence, "By default it is 10ms. "));
  small.run.settings["profile.enabled"] = "false";
  CHECK(small.find("slow-setting") == nullptr);
  const auto* finding = found("NUMBA_DISABLE_JIT", "1");
  REQUIRE(finding != nullptr);
  CHECK(finding->title == "NUMBA_DISABLE_JIT is 1 in the workers: numba compiles nothing");
  CHECK(has(finding->evidence, "how much time that took, is unknown."));
  CHECK(has(finding->evidence, "unset it where workers start"));
  CHECK(finding->grounds == diagnose::Grounds::consistent);
  CHECK(is_absent(finding->core_seconds));
  // It may be why the largest part is slow; what is particular to the run comes before.
  using enum diagnose::FindingCause;
  const auto causes = [&] {
    std::vector<diagnose::FindingCause> all;
    for (const diagnose::Finding& one : diagnose::find_findings(small.run, {}))
      all.push_back(one.cause);
    return all;
  };
  CHECK(causes() == std::vector{slow_setting, own_function});
  small.stretch(0, 12);
  REQUIRE(found("NUMBA_DISABLE_JIT", "1") != nullptr);
  CHECK(causes().front() == stragglers);
}

TEST_CASE("A function that Python calls at each step is told before what takes part of the time") {
  SmallRun small;
  small.section("fit", 0.9);
  add(small.run.recording.machine, {{MachineRow::lag, 0}});
  const auto set = [&](std::uint32_t hooked) {
    set_rows(small, [&](std::uint32_t i) {
      Values values{{Task::status, small.id("ok")}};
      if (i < hooked) values.emplace_back(Task::hook, small.id("sys.setprofile: count_calls"));
      return values;
    });
    return small.find("hook");
  };
  CHECK(set(0) == nullptr);
  REQUIRE(set(39) != nullptr);
  CHECK(set(39)->title ==
        "sys.setprofile: count_calls was on while tasks ran: it makes Python code slower");
  CHECK(has(set(39)->evidence, "It was on in 39 chunks."));
  CHECK(diagnose::find_findings(small.run, {}).front().cause == diagnose::FindingCause::hooked);
  // Of a single chunk it takes no more than that has: 1 s, and a straggler 11.
  small.stretch(0, 12);
  REQUIRE(set(1) != nullptr);
  CHECK(diagnose::find_findings(small.run, {}).front().cause == diagnose::FindingCause::stragglers);
}

TEST_CASE(
    "What a thread begins while another of its process imports is held up by no other thing") {
  // Of two workers the second task is outside process() for 6.1 s. The first, which began 1 s
  // before, is so for 6.1 s or 0.1 s.
  const auto set = [](double first) {
    SmallRun small;
    small.activity("P", "executor", "seconds", 60);
    set_rows(small, [&](std::uint32_t i) {
      const double outside = i % 39 > 1 || i >= 78 ? 0.1 : i % 39 == 0 ? first : 6.1;
      return Values{{Task::address, small.id("worker " + std::to_string(i / 39))},
                    {Task::wall, 1 + outside},
                    {Task::process_wall, 1}};
    });
    return small.find("held-up") != nullptr;
  };
  CHECK(set(0.1));
  CHECK_FALSE(set(6.1));
}

TEST_CASE("Few tasks that storage holds up are no cost of each chunk") {
  SmallRun small;
  small.activity("P", "executor", "seconds", 60);
  add(small.run.recording.machine, {{MachineRow::lag, 0}});
  // Two tasks, no first of a worker's, are outside process() for 6.1 s, all others for 0.1 s.
  const auto set = [&](double waited, std::uint32_t other = 45) {
    set_rows(small, [&](std::uint32_t i) {
      const double outside = i == 5 || i == other ? 6.1 : 0.1;
      return Values{{Task::address, small.id("worker " + std::to_string(i / 39))},
                    {Task::wall, 1 + outside},
                    {Task::process_wall, 1},
                    {Task::request_wait, outside > 1 ? waited : 0}};
    });
    return small.find("held-up");
  };
  REQUIRE(set(6) != nullptr);
  CHECK(set(6)->title == "2 chunks spent up to 6.1 s outside process(), others 100 ms");
  CHECK(set(6)->core_seconds == Approx(12));
  CHECK(has(set(6)->evidence,
            "between 5.5 s and 13.6 s. In all, process() included, they waited for requests of "
            "input for 12 s; what else held them up is unknown."));
  CHECK(set(6, 70) == nullptr);  // 25 s later: it was no moment
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

TEST_CASE("A worker's first chunk of each file takes longer: no matter of its start alone") {
  SmallRun small;
  const auto set = [&](bool of_each_file) {
    set_workers(small, [&](std::size_t place) {
      return std::pair(place == 0 || (of_each_file && place % 3 == 0) ? 1.0 : 0.5, 0.5);
    });
    for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i)
      small.run.chunks.file[i] = small.id("f" + std::to_string(i % SmallRun::chunks_each / 3));
    return small.find("first-of-files");
  };
  CHECK(set(false) == nullptr);
  small = SmallRun();
  REQUIRE(set(true) != nullptr);
  CHECK(small.find("first-chunks") == nullptr);
  CHECK(small.find("first-of-files")->title ==
        "A worker's first chunk of each file took 1.5 times as long");
  CHECK(small.find("first-of-files")->core_seconds == Approx(52 * 0.5).epsilon(0.01));
}

TEST_CASE("Entries that two tasks processed are named with events, files and datasets") {
  SmallRun small;
  Chunks& c = small.run.chunks;
  for (std::uint32_t i = 0; i < c.size(); ++i)
    c.entry_start[i] = 10000 * i, c.entry_stop[i] = c.entry_start[i] + 10000;
  const auto as_first = [&](std::uint32_t chunk) {
    c.entry_start[chunk] = 0, c.entry_stop[chunk] = 10000;
  };
  CHECK(small.find("processed-twice") == nullptr);
  as_first(1);
  REQUIRE(small.find("processed-twice") != nullptr);
  CHECK(small.find("processed-twice")->title ==
        "10,000 events of 1 file were processed more than once, in datasets data and ttbar");
  CHECK(small.find("processed-twice")->core_seconds == Approx(1));

  // Two calls of an executor may do different things with the same entries.
  set_rows(small, [](std::uint32_t i) { return Values{{Task::call, i == 1 ? 2 : 1}}; });
  CHECK(small.find("processed-twice") == nullptr);
  c.entry_start[1] = 1e7, c.entry_stop[1] = 1e7 + 10000;

  // Of one dataset: all of 80 tasks that were submitted ended; else Dask ran a lost one again.
  as_first(2);
  set_rows(small, [](std::uint32_t) { return Values{{Task::call, 1}}; });
  CHECK(small.find("processed-twice") == nullptr);
  small.run.recording.index.planned = {{1, small.id("chunk"), small.id("data"), 79, 790000}};
  CHECK(small.find("processed-twice") == nullptr);
  small.run.recording.index.planned[0].tasks = 80;
  REQUIRE(small.find("processed-twice") != nullptr);
  CHECK(small.find("processed-twice")->title ==
        "10,000 events of 1 file were processed more than once, in dataset data");
  CHECK(has(small.find("processed-twice")->evidence, "These events count twice in the result."));
  // One that failed and then ended well was one that was submitted. Of another nothing was kept: a
  // chunk that ran twice made up the number.
  const auto fail = [&](double entry_start) {
    set_rows(small, [&](std::uint32_t i) {
      return Values{{Task::call, 1},
                    {Task::dataset, c.dataset[i]},
                    {Task::file, c.file[i]},
                    {Task::entry_start, c.entry_start[i]},
                    {Task::status, small.id("ok")}};
    });
    add(small.run.recording.tasks, {{Task::kind, small.id("chunk")},
                                    {Task::call, 1},
                                    {Task::dataset, c.dataset[4]},
                                    {Task::file, c.file[4]},
                                    {Task::entry_start, entry_start},
                                    {Task::status, small.id("failed")}});
    return small.find("processed-twice");
  };
  CHECK(fail(c.entry_start[4]) != nullptr);
  CHECK(fail(1e8) == nullptr);
  // Two trees of a file have entries of their own.
  set_rows(small, [&](std::uint32_t i) {
    return Values{{Task::call, 1}, {Task::tree, small.id(i == 2 ? "Runs" : "Events")}};
  });
  CHECK(small.find("processed-twice") == nullptr);
}

TEST_CASE(
    "Files of one name are the same under another path where each chunk reads as many bytes") {
  const auto tell = [](const char* other, double bytes, bool has_more = false) {
    SmallRun small;
    Chunks& c = small.run.chunks;
    for (std::uint32_t i = 0; i < c.size(); ++i) {
      c.entry_start[i] = 10000 * i, c.entry_stop[i] = c.entry_start[i] + 10000;
      c.bytes_read[i] = 50000 + i;
      c.file[i] = small.id("/data/all.root");
    }
    c.file[0] = small.id("/data/x.root");
    c.file[1] = small.id(other);
    if (has_more) c.file[2] = c.file[1];  // a chunk that the first one has not
    c.entry_start[1] = 0, c.entry_stop[1] = 10000;
    c.bytes_read[1] = bytes;
    const auto* finding = small.find("processed-twice");
    return finding == nullptr ? std::string() : finding->evidence;
  };
  CHECK(has(tell("/mirror/x.root", 50000), "under another path: files of the same name"));
  CHECK(tell("/mirror/x.root", 50001).empty());
  CHECK(tell("/mirror/y.root", 50000).empty());
  CHECK(tell("/mirror/x.root", 50000, true).empty());
  CHECK(tell("/mirror/x.root", absent).empty());
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

TEST_CASE("The half of the files that takes longer is told with what it reads") {
  SmallRun small;
  Chunks& c = small.run.chunks;
  std::map<StringId, double> entries;  // so far, by file
  for (std::uint32_t i = 0; i < c.size(); ++i) {
    c.file[i] = small.id("/data/" + std::string(small.run.text(c.dataset[i])) +
                         std::to_string(i / 12) + ".root");
    c.entry_start[i] = entries[c.file[i]];
    c.entry_stop[i] = entries[c.file[i]] += 10000;
  }
  CHECK(small.find("slow-half") == nullptr);
  for (std::uint32_t i = 0; i < c.size(); ++i) {
    if (c.entry_start[i] >= entries[c.file[i]] / 2) small.stretch(i, 3), c.bytes_read[i] = 6e6;
  }
  REQUIRE(small.find("slow-half") != nullptr);
  CHECK(small.find("slow-half")->title ==
        "The second half of files took 3 times as long per event");
  CHECK(has(small.find("slow-half")->evidence, "They read 600 B for each event, others 200 B."));
}

TEST_CASE("Tasks that are neither chunks nor coffea's own are named") {
  SmallRun small;
  small.activity("reduce", "thread-cpu", "seconds", 30);
  CHECK(small.find("other-tasks") == nullptr);
  small.activity("scan_limits", "thread-cpu", "seconds", 32);
  REQUIRE(small.find("other-tasks") != nullptr);
  CHECK(small.find("other-tasks")->title == "20 % of the core-time was other tasks: scan_limits");
  CHECK(small.find("other-tasks")->core_seconds == Approx(32));
  // Chunks of another processor are no other tasks.
  add(small.run.recording.tasks,
      {{Task::kind, small.id("chunk")}, {Task::function, small.id("P")}});
  CHECK(small.find("other-tasks") != nullptr);
  add(small.run.recording.tasks,
      {{Task::kind, small.id("chunk")}, {Task::function, small.id("scan_limits")}});
  CHECK(small.find("other-tasks") == nullptr);
}

TEST_CASE("A file whose requests take a hundred times as long is slow after three chunks") {
  SmallRun small;
  Chunks& c = small.run.chunks;
  for (std::uint32_t i = 0; i < c.size(); ++i)
    c.file[i] = small.id("/data/" + std::string(small.run.text(c.dataset[i])) +
                         std::to_string(i / 12) + ".root");
  const StringId slow = c.file[60];
  const auto is_slow = [&](std::size_t i) { return c.file[i] == slow; };
  std::size_t chunks = 0;
  for (std::uint32_t i = 0; i < c.size(); ++i) {
    if (is_slow(i)) small.stretch(i, 3), ++chunks;
  }
  REQUIRE(chunks == 6);
  set_rows(small, [&](std::size_t i) {
    const double process = c.duration[i];
    return Values{
        {Task::process_wall, process},
        {Task::process_cpu, 0.95},
        {Task::requests, 10},
        {Task::request_wait, is_slow(i) ? 2 : 0.02 + 0.0001 * static_cast<double>(i % 7)}};
  });
  const auto* finding = small.find("slow-file");
  REQUIRE(finding != nullptr);
  CHECK(has(finding->evidence, "The extra time was waiting, not computing"));
  CHECK(has(finding->evidence, "A request for input took 200 ms, otherwise 2.03 ms"));

  // Another thread of the process computed for two of the three seconds.
  set_rows(small, [&](std::size_t i) {
    return Values{{Task::process_wall, c.duration[i]},
                  {Task::process_cpu, 0.95},
                  {Task::cpu, 0.95},
                  {Task::cpu_of_process, is_slow(i) ? 2.95 : 1.0}};
  });
  finding = small.find("slow-file");
  REQUIRE(finding != nullptr);
  CHECK(has(finding->evidence, "It waited while other threads of its process computed"));

  // It computed itself, of which a little more beside it is no other reason; and read, in 100
  // requests for its 10,000 events in place of 10.
  set_rows(small, [&](std::size_t i) {
    return Values{{Task::process_wall, c.duration[i]},
                  {Task::process_cpu, 0.95 * c.duration[i]},
                  {Task::cpu, 0.95 * c.duration[i]},
                  {Task::cpu_of_process, 0.95 * c.duration[i] + (is_slow(i) ? 0.1 : 0.01)},
                  {Task::read_wall, is_slow(i) ? 2.0 : 0.1},
                  {Task::requested_ranges, is_slow(i) ? 100 : 10},
                  {Task::requested_bytes, is_slow(i) ? 31000 : 700000}};
  });
  finding = small.find("slow-file");
  REQUIRE(finding != nullptr);
  CHECK(has(finding->evidence, "The extra time was computing"));
  CHECK(has(finding->evidence,
            "Most of it was reading events: 1,000 events took 10 ranges of 310 B, elsewhere 1 of "
            "70 kB."));
}

TEST_CASE("Four threads of one process that ask for its lock every 5 ms, although CPUs are idle") {
  // Each task of a second computes for `cpu` of it, and wakes up `switches` times.
  const auto tell = [](double cpu, double switches, std::size_t at_once, double faults = 0) {
    SmallRun small;
    small.set_activity("thread-noncpu", 156 * (1 - cpu));
    small.set_activity("thread-cpu", 156 * cpu);
    small.draw_profile("root 100\n  process@analysis.py 100\n");
    set_machine(small, 2, 2);
    for (std::size_t k = 0; k < 40; ++k)
      add(small.run.recording.tasks, {{Task::kind, small.id("chunk")},
                                      {Task::host, small.id("10.0.0.0")},
                                      {Task::address, small.id("tcp://10.0.0.0:1000")},
                                      {Task::begin, static_cast<double>(k / at_once)},
                                      {Task::wall, 1},
                                      {Task::cpu, cpu},
                                      {Task::voluntary_switches, switches},
                                      {Task::major_faults, faults}});
    const auto* found = small.find("interpreter-lock");
    if (found != nullptr)
      CHECK(found->Finding::evidence.as<diagnose::CpuContention>()->workers == 1);
    return found == nullptr
               ? std::string()
               : (found->severity == Severity::high ? "high: " : "low: ") + found->title;
  };
  CHECK(
      has(tell(0.3, 500, 4), "high: 70 % of the task time: threads of a worker waited, possibly"));
  // 60 % on a CPU: so are two threads of Python code meant.
  CHECK(has(tell(0.6, 500, 4), "low: 40 %"));
  CHECK(tell(0.3, 50, 4).empty());  // who sleeps that long waits for something else
  CHECK(tell(0.3, 500, 1).empty());
  CHECK(tell(0.3, 500, 4, 450).empty());  // nor who waits for pages of a file
}

TEST_CASE("Tasks that could run and had no CPU are told from tasks that waited for each other") {
  // Four threads that are off the CPU for 70 of 158 s; how long they had no CPU their rows tell.
  const auto tell = [](double run_delay, double busy, double usable, double client = 0.02,
                       double throttled = 0, double children = 0) {
    SmallRun small;
    let_compute_without_cpu(small);
    set_machine(small, busy, busy);
    auto& by_quota = small.run.recording.machine.of(MachineRow::throttled);
    by_quota.assign(small.run.recording.machine.size(), throttled);
    for (double& cpus : small.run.recording.machine.of(MachineRow::usable)) cpus = usable;
    for (std::size_t second = 0; second < 40; ++second)
      add(small.run.recording.machine, {{MachineRow::host, small.id("10.0.0.0")},
                                        {MachineRow::worker, small.id("client")},
                                        {MachineRow::address, small.id("client")},
                                        {MachineRow::begin, static_cast<double>(second)},
                                        {MachineRow::wall, 1},
                                        {MachineRow::children, children},
                                        {MachineRow::own, second == 7 ? 0.98 : client}});
    for (StringId& host : small.run.workers.host) host = small.id("10.0.0.0");
    set_rows(small, [&](std::size_t) {
      return Values{{Task::host, small.id("10.0.0.0")},
                    {Task::address, small.id("tcp://10.0.0.0:1000")},
                    {Task::cpu, 0.56},
                    {Task::cpu_of_process, 0.56},
                    {Task::voluntary_switches, 10},
                    {Task::run_delay, run_delay}};
    });
    for (const test::WordedFinding& finding : test::worded_findings(small.run)) {
      if (diagnose::fields_of(finding.cause).cost == diagnose::CostIn::waiting)
        return std::string(diagnose::id_of(finding.cause)) + ": " + finding.title + ". " +
               finding.evidence;
    }
    return std::string();
  };
  const std::string delayed = "For 44 % of their time tasks could run and ";
  const std::string two_cpus = tell(0.44, 2, 2);
  CHECK(has(two_cpus, "oversubscribed: 4 threads on 10.0.0.0 got only 2.24 cores"));
  CHECK(has(two_cpus, delayed + "waited for a CPU. There were more threads than CPUs"));
  // As many CPUs as threads, all busy: with what is not known.
  CHECK(has(tell(0.44, 4, 4), "waiting: 44 % of the task time was spent waiting for a CPU"));
  CHECK(has(tell(0.44, 4, 4), delayed + "had no CPU. What had it is unknown."));
  CHECK(has(tell(0.44, 4, 4, 0.98), delayed + "had no CPU. The client's process used 0.98 CPUs"));
  // Its children are the workers, which use 4 CPUs, and others.
  CHECK(has(tell(0.44, 4, 4, 0.02, 0, 4.8),
            "Programs that the client started, workers aside, used 0.8 CPUs"));
  CHECK(has(tell(0.44, 4, 4, 0.02, 0, 5.5),
            "foreign-load: Programs that the client started used 1.5 of 4 CPUs. All CPUs were busy "
            "while tasks ran, 1.5 of them with what the client's process started"));
  CHECK_FALSE(has(tell(0.44, 4, 4, 0.02, 0, 4.2), "Programs that the client started"));
  // Processes that use two CPUs, and may use one each: of their own.
  CHECK(has(tell(0.44, 2, 1), "waiting: 44 % of the task time was spent waiting for a CPU"));
  // Idle CPUs that the tasks may not use.
  CHECK(has(tell(0.44, 1, 4), "cpu-limit: 4 threads on 10.0.0.0 got only 2.24 cores"));
  // A quota held them back for most of the time: neither fewer threads nor other programs.
  const std::string by_quota = tell(0.44, 2, 2, 0.02, 0.8);
  CHECK(has(by_quota, "cpu-limit: 4 threads on 10.0.0.0 got only 2.24 cores by a CPU quota"));
  CHECK(has(by_quota, "held threads back for 80 % of the time"));
  CHECK(has(tell(0.44, 2, 2, 0.02, 0.05), "oversubscribed: "));
  // They had CPUs when they could run, and one at a time got on.
  CHECK(has(tell(0.01, 1, 4), "waiting: 44.3 % of the task time was spent waiting. "));
  CHECK(has(tell(0.01, 1, 4), "want of a CPU explains only 1 % of the tasks' time"));
}

TEST_CASE("Off the CPU neither for want of one nor for input: in calls of a function that wait") {
  // Tasks are off the CPU for 70 of 158 s; 40 of 100 samples are in ask_service, off the CPU.
  const auto tell = [](double run_delay, double at_once) {
    SmallRun small;
    small.set_activity("thread-noncpu", 70);
    small.set_activity("thread-cpu", 88);
    CallTree& tree = small.draw_profile(
        "root 100\n"
        "  process@analysis.py 100\n"
        "    ask_service@analysis.py 40\n");
    tree.on_cpu = {0, 56, 0};
    set_rows(small, [&](std::size_t) {
      return Values{{Task::cpu, 0.56}, {Task::run_delay, run_delay}, {Task::at_once, at_once}};
    });
    for (const test::WordedFinding& finding : test::worded_findings(small.run)) {
      if (finding.id == "waiting" && has(finding.title, "ask_service"))
        return finding.title + ". " + finding.evidence;
    }
    return std::string();
  };
  const std::string waits = tell(0.02, 1);
  CHECK(has(waits, "42 % of the task time was spent waiting, most of it in ask_service"));
  // By the rows, 156 s of which 56 % were on a CPU: Dask counts otherwise.
  CHECK(has(waits, "68.6 core-s off a CPU, 87.4 core-s on a CPU."));
  CHECK(
      has(waits, "off the CPU in ask_service for 40 % of their time, besides 2 % for want of one"));
  // All other code is off the CPU for 4 of 60 samples: no want of a CPU, which would take its part
  // of it, too.
  CHECK(has(tell(absent, 1), "off the CPU in ask_service for 40 % of their time, all other code"));
  CHECK(tell(0.40, 1).empty());  // for a CPU
  CHECK(tell(0.02, 2).empty());  // or for the interpreter's lock
}

TEST_CASE("A section that takes longer in the operating system is no matter of its dataset") {
  const auto is_found = [](double system) {
    SmallRun small;
    for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i) {
      const bool slow = small.run.text(small.run.chunks.dataset[i]) == "ttbar";
      small.run.chunks.file[i] = small.id((slow ? "t" : "d") + std::to_string(i % 4));
      small.run.chunks.sections.push_back(
          {i, small.id("shift"), SectionValue::Kind::seconds, slow ? 0.8 : 0.2});
      small.run.chunks.sections.push_back({i, small.id("fill"), SectionValue::Kind::seconds, 0.8});
      if (slow) small.stretch(i, 1.6);
    }
    set_rows(small, [&](std::uint32_t i) {
      const bool slow = small.run.text(small.run.chunks.dataset[i]) == "ttbar";
      return Values{{Task::system, slow ? system : 0.1}};
    });
    return small.find("slow-cell") != nullptr;
  };
  CHECK(is_found(0.1));
  // Of the 0.6 s that a chunk takes more half is most.
  CHECK(is_found(0.39));
  CHECK(!is_found(0.41));
}

TEST_CASE("Unpacking of the processor, and memory that grows with every chunk") {
  SmallRun small;
  RecordedTables& rows = small.run.recording;
  add(rows.machine, {{MachineRow::lag, 0}});
  const auto set = [&](double unpack, double megabytes) {
    rows.tasks = {};
    for (std::size_t k = 0; k < 10; ++k)
      add(rows.tasks, {{Task::kind, small.id("chunk")},
                       {Task::status, small.id("ok")},
                       {Task::address, small.id("tcp://10.0.0.0:1000")},
                       {Task::begin, static_cast<double>(k)},
                       {Task::wall, 1},
                       {Task::unpack_wall, unpack},
                       {Task::rss_after, 1e6 * (200 + megabytes * static_cast<double>(k))}});
  };
  set(0.01, 3);
  CHECK(small.find("large-processor") == nullptr);
  CHECK(small.find("memory-grows") == nullptr);  // 13 % more
  set(0.01, 3);
  rows.tasks.of(Task::unpack_wall)[0] = 30;  // the first task of the process imports modules
  CHECK(small.find("large-processor") == nullptr);
  set(1, 20);
  CHECK(small.find("large-processor")->core_seconds == Approx(10));
  rows.tasks.of(Task::unpack_wall)[0] = 4;
  CHECK(small.find("large-processor")->core_seconds == Approx(10));
  CHECK(small.find("memory-grows")->title == "Memory of workers grows with every chunk, by 20 MB");
  // What is taken between chunks no chunk keeps.
  for (std::size_t k = 0; k < 10; ++k)
    rows.tasks.of(Task::rss_before)[k] = rows.tasks.of(Task::rss_after)[k] - 1e6;
  CHECK(small.find("memory-grows") == nullptr);
  // Nor does what comes in two steps.
  for (std::size_t k = 0; k < 10; ++k) {
    rows.tasks.of(Task::rss_after)[k] = 1e6 * (200 + 60.0 * static_cast<double>(k / 4));
    rows.tasks.of(Task::rss_before)[k] = k == 0 ? 200e6 : rows.tasks.of(Task::rss_after)[k - 1];
  }
  CHECK(small.find("memory-grows") == nullptr);
}

TEST_CASE("Attempts that failed and that only rows show are told with exception and file") {
  SmallRun small;
  RecordedTables& rows = small.run.recording;
  for (const char* status : {"failed", "skipped", "ok"})
    add(rows.tasks,
        {{Task::kind, small.id("chunk")},
         {Task::function, small.id("P")},
         {Task::status, small.id(status)},
         {Task::error, status == std::string("ok") ? absent : small.id("OSError")},
         {Task::file,
          small.id("/data/" + std::string(status == std::string("ok") ? "good" : "bad") + ".root")},
         {Task::begin, 1},
         {Task::wall, 2}});
  const auto* finding = small.find("failed-tasks");
  REQUIRE(finding != nullptr);
  CHECK(finding->title == "2 of 3 attempts failed, all of bad.root: OSError");
  CHECK(has(finding->evidence, "What 1 attempt read was left out"));
  CHECK(has(finding->evidence, "never succeeded, so their results are missing"));
  rows.index.is_running = true;
  CHECK(has(small.find("failed-tasks")->evidence, "never succeeded in this recording"));
}

TEST_CASE(
    "One chunk that fails in two ways is one, and a merge that fails may have been repeated") {
  SmallRun small;
  const auto fail = [&](const char* error, const char* kind, StringId file) {
    add(small.run.recording.tasks, {{Task::kind, small.id(kind)},
                                    {Task::function, small.id(kind)},
                                    {Task::status, small.id("failed")},
                                    {Task::error, small.id(error)},
                                    {Task::message, small.id("gone")},
                                    {Task::file, file},
                                    {Task::begin, 1},
                                    {Task::wall, 2}});
    return *small.find("failed-tasks");
  };
  const auto merge = fail("MemoryError", "merge", no_string);
  CHECK(has(merge.evidence, "Whether 1 of them was run again is not recorded"));
  CHECK(merge.severity == Severity::medium);
  fail("OSError", "chunk", small.id("bad.root"));
  const auto both = fail("FileNotFoundError", "chunk", small.id("bad.root"));
  CHECK(has(both.title, "3 of 3 attempts failed"));
  CHECK(has(both.title, " and others"));
  CHECK(has(both.evidence, "1 task never succeeded, so their results are missing"));
}

TEST_CASE("One file that fails twice says nothing of the worker") {
  SmallRun small;
  const auto fail = [&](const char* file, double begin) {
    add(small.run.recording.tasks, {{Task::kind, small.id("chunk")},
                                    {Task::function, small.id("P")},
                                    {Task::status, small.id("failed")},
                                    {Task::error, small.id("OSError")},
                                    {Task::address, small.run.workers.address[0]},
                                    {Task::file, small.id(file)},
                                    {Task::begin, begin},
                                    {Task::wall, 2}});
    return small.find("failed-tasks")->title;
  };
  fail("bad.root", 1);
  CHECK(fail("bad.root", 4) == "2 of 2 attempts failed, all of bad.root: OSError");
  CHECK(fail("worse.root", 7) ==
        "3 of 3 attempts failed, all on worker tcp://10.0.0.0:1000: OSError");
}

TEST_CASE("A chunk that kills its workers is told with memory, entries and what was lost") {
  SmallRun small;
  RecordedTables& rows = small.run.recording;
  for (const double begin : {1.0, 5.0})
    add(rows.tasks, {{Task::kind, small.id("chunk")},
                     {Task::function, small.id("P")},
                     {Task::status, small.id("lost")},
                     {Task::error, small.id("WorkerLost")},
                     {Task::message, small.id("memory-limit")},
                     {Task::dataset, small.id("ttbar")},
                     {Task::file, small.id("/data/b.root")},
                     {Task::entry_start, 2000},
                     {Task::entry_stop, 4000},
                     {Task::begin, begin},
                     {Task::wall, 2}});
  const auto* finding = small.find("failed-tasks");
  REQUIRE(finding != nullptr);
  CHECK(finding->title == "2 of 2 attempts failed, all of b.root: WorkerLost");
  CHECK(has(finding->evidence,
            "2 attempts of 1 chunk ended when their worker was killed near its memory limit "
            "(b.root, entries 2,000 to 4,000 of ttbar); none has succeeded."));
  rows.index.is_running = true;  // it may be tried again
  CHECK(small.find("failed-tasks") == nullptr);
  rows.index.is_running = false;
  for (double& message : rows.tasks.of(Task::message)) message = absent;
  CHECK(small.find("failed-tasks") == nullptr);  // the recording may have ended before them
  CHECK(report::failures_headline(runtime::find_failures(small.run, {})) ==
        "2 attempts of 1 chunk had not ended when the recording did, or were lost (b.root, entries "
        "2,000 to 4,000 of ttbar); none has succeeded");
}

TEST_CASE(
    "First chunks of all workers, and a section that grows with every chunk, are no datasets") {
  using Two = std::pair<double, double>;
  SmallRun first;
  set_workers(first, [](std::size_t k) { return Two(k == 0 ? 12.5 : 0.5, 0.5); });
  const auto* warm_up = first.find("first-chunks");
  REQUIRE(warm_up != nullptr);
  CHECK(warm_up->core_seconds == Approx(48));  // 12 s on four workers, of 240 core-s
  CHECK(has(warm_up->evidence, "section fit"));
  CHECK(has(warm_up->evidence, "imports, compilation"));
  CHECK(first.find("stragglers") == nullptr);
  // What was measured as longer comes before what might be faster.
  REQUIRE(first.find("own-function") != nullptr);
  CHECK(diagnose::find_findings(first.run, {}).back().cause ==
        diagnose::FindingCause::own_function);
  // Where they waited for requests for half of the 48 s, these are not why.
  const auto of_requests = [&](double each) {
    set_rows(first, [&](std::uint32_t i) {
      return Values{{Task::request_wait, i % SmallRun::chunks_each == 0 ? each : 0}};
    });
    return first.find("first-chunks");
  };
  REQUIRE(of_requests(7) != nullptr);
  CHECK(has(of_requests(7)->title, "as long, waiting for input"));
  CHECK(has(of_requests(7)->evidence, " for requests of input for 28 core-s, between 500 ms and "));
  CHECK_FALSE(has(of_requests(7)->evidence, "imports"));
  CHECK(has(of_requests(5)->evidence, "imports, compilation"));

  // Less than a tenth of the core-time, 20 of 212 core-s, is what each process does once.
  SmallRun little;
  set_workers(little, [](std::size_t k) { return Two(k == 0 ? 5.5 : 0.5, 0.5); });
  CHECK(little.find("first-chunks") == nullptr);
  CHECK(little.find("stragglers") == nullptr);

  SmallRun growing;
  set_workers(growing, [](std::size_t k) { return Two(0.2 + 0.01 * double(k), 0.5); });
  const auto* longer = growing.find("longer-with-each");
  REQUIRE(longer != nullptr);
  CHECK(has(longer->title, "Section fit takes longer with every chunk"));

  // What grows in the operating system no section keeps.
  set_rows(growing, [](std::uint32_t i) {
    return Values{{Task::system, 0.1 + 0.01 * double(i % SmallRun::chunks_each)}};
  });
  CHECK(growing.find("longer-with-each") == nullptr);

  // A machine that slows down is seen in all sections alike: which it is nobody knows.
  SmallRun slowing;
  set_workers(slowing, [](std::size_t k) {
    const double once = std::exp2(double(k) / 19);  // twice as long 19 chunks later
    return Two(0.2 * once, 0.3 * once);
  });
  longer = slowing.find("longer-with-each");
  REQUIRE(longer != nullptr);
  CHECK(longer->title ==
        "Chunks of a worker take longer with every one it has done, 4 times as long in the end: "
        "their number, or that moment");
  CHECK(has(longer->evidence, "What would tell: whether workers that began later are as slow."));

  // What slows down for half of the run and stays as it is comes not with each chunk.
  SmallRun half;
  set_workers(half, [](std::size_t k) {
    const double once = std::exp2(double(std::min<std::size_t>(k, 20)) / 10);
    return Two(0.2 * once, 0.3 * once + 0.001 * double(7 * k % 5));
  });
  CHECK(half.find("longer-with-each") == nullptr);

  // 13 datasets that follow each other by what they cost, of which as many rise as fall.
  SmallRun datasets;
  set_workers(datasets, [](std::size_t k) {
    const double usual = 0.1 * double(1 + k / 3), more = 0.05 * double(k % 3);
    return Two(usual * (k / 3 % 2 == 0 ? 1 + more : 1 - more), 0.5);
  });
  for (std::uint32_t i = 0; i < datasets.run.chunks.size(); ++i)
    datasets.run.chunks.dataset[i] =
        datasets.id("d" + std::to_string(i % SmallRun::chunks_each / 3));
  CHECK(datasets.find("longer-with-each") == nullptr);

  // It has more of each chunk, because the others take less and less.
  SmallRun shrinking;
  set_workers(shrinking, [](std::size_t k) { return Two(0.5, 1.0 - 0.02 * double(k)); });
  CHECK(shrinking.find("longer-with-each") == nullptr);
}

TEST_CASE("A function that takes longer with every chunk is named by its samples") {
  // remember() takes 0.1 s in a worker's first chunk and twice as long every ten chunks later,
  // fill() half a second; in one chunk of `seldom` no sample is of it.
  const auto growing = [](SmallRun& small, std::size_t seldom) {
    using recorded_columns::Sample;
    const auto seconds_of = [](std::size_t k) { return 0.1 * std::exp2(double(k) / 10); };
    set_workers(small, [&](std::size_t k) { return std::pair(seconds_of(k), 0.5); });
    small.run.chunks.sections.clear();
    small.draw_profile(
        "root 2\n  process@/home/u/a.py 2\n    remember@/home/u/a.py 1\n    fill@/home/u/a.py 1\n");
    RecordedTables& rows = small.run.recording;
    const auto frame = [&](const char* name) {
      return double(small.run.names->frames.intern(small.id(name), small.id("/home/u/a.py"), 0));
    };
    for (const char* name : {"process", "remember", "fill"})
      add(rows.calls, {{Call::called, frame(name)},
                       {Call::caller, std::string(name) == "process" ? absent : 0}});
    set_rows(small, [&](std::uint32_t i) {
      const std::size_t k = i % SmallRun::chunks_each;
      if (seldom == 0 || k % seldom > 0)
        add(rows.samples,
            {{Sample::task, double(i)}, {Sample::call, 1}, {Sample::wall, seconds_of(k)}});
      add(rows.samples, {{Sample::task, double(i)}, {Sample::call, 2}, {Sample::wall, 0.5}});
      return Values{{Task::address, small.run.workers.address[i / SmallRun::chunks_each]}};
    });
  };
  SmallRun small;
  growing(small, 0);
  const auto* longer = small.find("longer-with-each");
  REQUIRE(longer != nullptr);
  // 2 to the power of 38 / 10
  CHECK(longer->title ==
        "remember takes longer with every chunk of a worker: about 13.9 times as long at "
        "the end");
  // Of 4 workers, each chunk's time less 0.1 s: a geometric series.
  const double all = 0.1 * (std::exp2(3.9) - 1) / (std::exp2(0.1) - 1);
  CHECK(longer->core_seconds == Approx(4 * (all - 39 * 0.1)));
  CHECK(!has(longer->evidence, "Memory"));
  CHECK(!has(longer->title, "or that moment"));

  // The memory of the same workers, too.
  auto& tasks = small.run.recording.tasks;
  for (std::size_t row = 0; row < tasks.size(); ++row) {
    tasks.of(Task::rss_before)[row] = 100e6 + 5e6 * double(row % SmallRun::chunks_each);
    tasks.of(Task::rss_after)[row] = tasks.at(Task::rss_before, row) + 5e6;
  }
  CHECK(has(small.find("longer-with-each")->evidence,
            "Memory of the same workers grows by 5 MB a chunk."));

  // Of one worker's four threads each may slow the others; not where one runs all chunks by turns,
  // each within 2 s.
  for (StringId& worker : small.run.tasks.worker) worker = small.run.workers.address[0];
  for (double& worker : tasks.of(Task::address)) worker = small.run.workers.address[0];
  CHECK(small.find("longer-with-each") == nullptr);
  small.run.tasks = {};
  small.run.elapsed = 320;
  for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i) {
    Chunks& c = small.run.chunks;
    c.t_start[i] = 2.0 * double(4 * (i % SmallRun::chunks_each) + i / SmallRun::chunks_each);
    small.stretch(i, c.duration[i]);
    small.add_task("P", i, 0, c.t_start[i], c.t_end[i], 5000);
  }
  longer = small.find("longer-with-each");
  REQUIRE(longer != nullptr);
  CHECK(has(longer->title, "remember takes longer with every chunk of a worker"));

  // Sections tell exactly where it is: in one, or in none of them, also without samples.
  const auto time_section = [](SmallRun& run, const char* name, double fixed) {
    run.run.chunks.sections.clear();
    for (std::uint32_t i = 0; i < run.run.chunks.size(); ++i)
      run.run.chunks.sections.push_back(
          {i, run.id(name), SectionValue::Kind::seconds,
           is_absent(fixed) ? run.run.chunks.duration[i] - 0.5 : fixed});
  };
  SmallRun timed;
  growing(timed, 0);
  time_section(timed, "fit", absent);
  longer = timed.find("longer-with-each");
  REQUIRE(longer != nullptr);
  CHECK(
      longer->title ==
      "Section fit takes longer with every chunk of a worker: about 13.9 times as long at the end");
  CHECK(has(longer->evidence, "remember grew, too."));
  time_section(timed, "fill", 0.5);
  CHECK(has(timed.find("longer-with-each")->title, "remember takes longer"));
  timed.run.recording.samples = {};
  CHECK(has(timed.find("longer-with-each")->title, "Code outside sections takes longer"));

  // Late chunks of one slow file.
  SmallRun late;
  set_workers(late, [](std::size_t k) {
    return std::pair((k < 20 ? 0.1 : 1.0) + 0.001 * double(7 * k % 5), 0.5);
  });
  CHECK(late.find("longer-with-each") != nullptr);
  for (std::uint32_t i = 0; i < late.run.chunks.size(); ++i)
    if (i % SmallRun::chunks_each >= 20) late.run.chunks.file[i] = late.id("root://a//late.root");
  CHECK(late.find("longer-with-each") == nullptr);

  // Samples that miss it at times.
  SmallRun rare;
  growing(rare, 4);
  REQUIRE(rare.find("longer-with-each") != nullptr);
  CHECK(has(rare.find("longer-with-each")->title, "remember takes longer"));

  // On one of two workers alone, of two threads each, it is no matter of chunks.
  SmallRun one;
  growing(one, 0);
  for (StringId& dataset : one.run.chunks.dataset) dataset = one.id("data");
  for (std::size_t i = 0; i < one.run.tasks.size(); ++i) {
    one.run.tasks.worker[i] = one.run.workers.address[2 * i < one.run.tasks.size() ? 0 : 1];
    one.run.recording.tasks.of(Task::address)[i] = one.run.tasks.worker[i];
  }
  CHECK(one.find("longer-with-each") != nullptr);
  auto& walls = one.run.recording.samples.of(recorded_columns::Sample::wall);
  for (std::uint32_t i = 2 * SmallRun::chunks_each; i < one.run.chunks.size(); ++i) {
    walls[2 * i] = 0.1 + 0.001 * double(7 * i % 5);
    one.stretch(i, 0.5 + walls[2 * i]);
    one.run.tasks.t1[i] = one.run.chunks.t_end[i];
  }
  CHECK(one.find("longer-with-each") == nullptr);
}

TEST_CASE("Tasks that were seen to run chunks are the processor's, however long others take") {
  const auto settled = [](bool has_rows) {
    SmallRun small;
    small.stream();
    // Another client's 160 tasks, on the same workers, while no chunk ends.
    for (std::size_t k = 0; k < 160; ++k) small.add_task("theirs", k, 0, 0, 1.2, 0);
    small.activity("theirs", "thread-cpu", "seconds", 192);
    if (has_rows)
      set_rows(small, [&](std::size_t) { return Values{{Task::function, small.id("P")}}; });
    align::settle_worker_clocks(small.run);
    return small;
  };
  const auto processor = [](const SmallRun& small) {
    return small.run.text(runtime::find_processor(small.run, {}).prefix);
  };
  const SmallRun guessed = settled(false), seen = settled(true);
  CHECK(processor(guessed) == "theirs");
  CHECK_FALSE(guessed.run.data_notes.empty());  // chunks are in none of these
  CHECK(processor(seen) == "P");
  CHECK_FALSE(runtime::find_processor(seen.run, {}).guessed);
  CHECK(seen.run.data_notes.empty());
}

TEST_CASE("Chunks smaller than baskets are too small where reading these again costs a fifth") {
  SmallRun small;
  const std::size_t file = small.run.files.intern(small.id("root://a//f.root"));
  small.run.files.bytes_read[file] = 156 * 2e6 / 3;  // of 312 MB that chunks read
  add(small.run.recording.branches,
      {{Branch::baskets, 2}, {Branch::compressed, 312e6}, {Branch::outside, 208e6}});
  const auto reading = [&](double seconds) {
    set_rows(small, [&](std::size_t) { return Values{{Task::read_wall, seconds}}; });
    return small.find("small-chunks");
  };
  // Two of three times 46.8 core-s, and the 2 core-s outside process(), of 158.
  const auto* finding = reading(0.3);
  REQUIRE(finding != nullptr);
  CHECK(finding->title == "21 % of the chunks' time is a fixed cost per chunk: they are too small");
  CHECK(has(finding->evidence, "200 ms for reading baskets that other chunks read as well"));
  CHECK(has(finding->evidence,
            "Chunks as large as a basket, 3 times as large, would save most of it: "));
  CHECK(finding->core_seconds == Approx(33.2 * 2 / 3));
  const auto advice = diagnose::find_advice(small.run, {});
  REQUIRE(advice.size() == 1);
  CHECK(advice[0].now == "10000");
  CHECK(advice[0].code == "runner.chunksize = 30000");
  CHECK(advice[0].finding.cause == diagnose::FindingCause::small_chunks);
  CHECK(small.find("baskets-read-again") == nullptr);
  // 29.1 of 158 are less than a fifth.
  CHECK(reading(0.26) == nullptr);
  REQUIRE(small.find("baskets-read-again") != nullptr);
  CHECK(small.find("baskets-read-again")->core_seconds == Approx(156 * 0.26 * 2 / 3));
  CHECK(
      has(small.find("baskets-read-again")->evidence, "the repeated reading cost about 27 core-s"));
  // Ten branches of 40 MB took 1.2 s each, ten of 80 MB 1.6 s: 0.8 s of each was paid for baskets,
  // and 12 of 28 s for bytes, two of three of which were read again.
  for (int branch = 0; branch < 20; ++branch)
    add(small.run.recording.branches, {{Branch::uncompressed, branch % 2 == 0 ? 40e6 : 80e6},
                                       {Branch::wall, branch % 2 == 0 ? 1.2 : 1.6}});
  reading(0.26);
  REQUIRE(small.find("baskets-read-again") != nullptr);
  CHECK(small.find("baskets-read-again")->core_seconds == Approx(8));
}

TEST_CASE(
    "A dataset whose events hold more takes longer by its nature, not much longer than that") {
  // Events of ttbar hold `times` as much in the branch of which all is read but a twentieth.
  const auto told = [](double times, double seconds, double part = 0.95) {
    SmallRun small;
    set_rows(small, [](std::size_t) { return Values{}; });
    for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i) {
      const bool is_ttbar = small.run.text(small.run.chunks.dataset[i]) == "ttbar";
      if (is_ttbar) small.stretch(i, seconds);
      for (const char* branch : {"Jet_pt", "run"}) {
        const bool is_jets = branch[0] == 'J';
        const double bytes = 1e6 * (is_jets ? part : 1 - part) * (is_jets && is_ttbar ? times : 1);
        add(small.run.recording.branches, {{Branch::task, i},
                                           {Branch::branch, small.id(branch)},
                                           {Branch::compressed, bytes},
                                           {Branch::uncompressed, bytes}});
      }
    }
    const auto* finding = small.find("slow-dataset");
    return finding == nullptr ? std::string() : finding->evidence;
  };
  CHECK_FALSE(told(1, 2.5).empty());
  CHECK(told(2.6, 2.5).empty());
  CHECK(has(told(2.4, 2.5),
            "Its events hold more, too: half of their bytes are in branches with 2.4 times as "
            "many as in any other dataset."));
  CHECK_FALSE(has(told(1, 2.5), "hold more"));
  // A branch with few of the bytes says nothing.
  CHECK_FALSE(told(2.6, 2.5, 0.03).empty());
}

TEST_CASE("A file that is opened again and read as a whole is no matter of large baskets") {
  SmallRun small;
  const std::size_t file = small.run.files.intern(small.id("root://a//f.root"));
  small.run.files.bytes_read[file] = 156 * 2e6 / 4;
  auto& branches = small.run.recording.branches;
  // Two baskets of 156 MB, both partly outside; then ten, of which nine hold none of the events.
  add(branches, {{Branch::baskets, 2}, {Branch::compressed, 312e6}, {Branch::outside, 234e6}});
  CHECK(small.find("baskets-read-again") != nullptr);
  add(branches, {{Branch::baskets, 10}, {Branch::compressed, 1560e6}, {Branch::outside, 1404e6}});
  CHECK(small.find("baskets-read-again") == nullptr);
  // Nor one whose baskets hold the chunk's own events, and are read several times.
  branches = {};
  add(branches, {{Branch::baskets, 20}, {Branch::compressed, 3120e6}, {Branch::outside, 234e6}});
  CHECK(small.find("baskets-read-again") == nullptr);
  // Nor one of a second tree: less than half of what chunks read is in baskets of their branches.
  branches = {};
  add(branches, {{Branch::baskets, 2}, {Branch::compressed, 150e6}, {Branch::outside, 120e6}});
  CHECK(small.find("baskets-read-again") == nullptr);
}

TEST_CASE("What each process imports before its first chunk is no cost of each chunk") {
  SmallRun small;
  small.activity("P", "executor", "seconds", 80);
  add(small.run.recording.machine, {{MachineRow::lag, 0}});
  // 82 of 238 core-s are outside process(): 20 s in the first task of each of four workers, or 0.5
  // in each of all.
  const auto set = [&](bool of_first) {
    set_rows(small, [&](std::uint32_t i) {
      const bool is_first = i % SmallRun::chunks_each == 0;
      const double outside = of_first ? (is_first ? 20 : 0.01) : 0.525;
      return Values{{Task::address, small.run.workers.address[i / SmallRun::chunks_each]},
                    {Task::wall, 1 + outside},
                    {Task::process_wall, 1}};
    });
    return small.find("small-chunks") != nullptr;
  };
  CHECK(set(false));
  CHECK_FALSE(set(true));
}

TEST_CASE("Workers that stood still are told with their time, and no chunk or section is") {
  SmallRun small;
  double own = 0.5;
  const auto worker = [&](std::size_t w) { return small.run.workers.address[w]; };
  // Looks are a second apart, but for one that came after 6.5 s; the client's go on.
  const auto look_at = [&](StringId address, std::initializer_list<double> lengths) {
    double begin = small.run.chunks.t_start[1] - 0.5;
    for (const double length : lengths) {
      add(small.run.recording.machine, {{MachineRow::address, address},
                                        {MachineRow::host, small.id("10.0.0.0")},
                                        {MachineRow::begin, begin},
                                        {MachineRow::wall, length},
                                        {MachineRow::own, length > 1 ? own : 1}});
      begin += length;
    }
  };
  const auto set = [&](std::size_t workers, bool goes_on = true) {
    for (std::size_t w = 0; w < workers; ++w)
      small.stretch(w * SmallRun::chunks_each + 1, 7);  // of 1 s usually
    set_rows(small, [&](std::size_t i) {
      return Values{{Task::address, worker(i / SmallRun::chunks_each)}};
    });
    small.run.recording.machine = {};
    for (std::size_t w = 0; w < workers; ++w) look_at(worker(w), {6.5, 1, 1, 1, 1, 1});
    if (goes_on) look_at(small.id("client"), {1, 1, 1, 1, 1, 1, 1});
    return small.find("stopped");
  };
  REQUIRE(set(1) != nullptr);
  CHECK(has(set(1)->title, " stood still for 6 s"));
  CHECK(set(1)->core_seconds == Approx(6));
  CHECK(has(set(1)->evidence, "it used a CPU for 500 ms at most"));
  CHECK(has(set(1)->evidence, "Another process of the host went on"));
  CHECK(has(set(1, false)->evidence, "Or the machine stood still."));
  // A look of the client's that came late itself shows nothing.
  set(1, false);
  look_at(small.id("client"), {6.2, 1, 1});
  CHECK(has(small.find("stopped")->evidence, "Or the machine stood still."));
  // Of the chunk nothing else is said: it took a second without the stop.
  CHECK(small.find("stragglers") == nullptr);
  CHECK(small.find("large-chunks") == nullptr);
  REQUIRE(set(2) != nullptr);
  CHECK(has(set(2)->title, "2 of 4 workers stood still at one moment, the longest for 6 s"));
  CHECK(set(2)->core_seconds == Approx(12));
  REQUIRE(set(4) != nullptr);
  CHECK(has(set(4)->title, "All 4 workers stood still at one moment"));
  // 24 s are more than a tenth of the tasks' 182: sums over the run tell nothing of its code.
  small.set_activity("thread-noncpu", 70);
  small.set_activity("thread-cpu", 88);
  CHECK(set(4) != nullptr);
  CHECK(small.find("oversubscribed") == nullptr);
  // A process that computed for half of the time without letting others in did not stand still.
  for (std::uint32_t w = 1; w < 4; ++w) small.stretch(w * SmallRun::chunks_each + 1, 1);
  own = 3.2;
  CHECK(set(1) != nullptr);
  own = 3.3;
  CHECK(set(1) == nullptr);
  REQUIRE(small.find("stragglers") != nullptr);
  CHECK(has(small.find("stragglers")->title, " took more than 3 times as long as expected"));
}

TEST_CASE("A stop is in one task of a thread, whole") {
  SmallRun small;
  small.stretch(0, 7);
  set_rows(small, [&](std::size_t i) {
    return Values{{Task::address, small.run.workers.address[i / SmallRun::chunks_each]}};
  });
  auto& machine = small.run.recording.machine;
  const double end = small.run.chunks.t_end[0];
  // The look ends a second after the long chunk: the next chunk ran in that second.
  add(machine, {{MachineRow::address, small.run.workers.address[0]},
                {MachineRow::begin, end - 6},
                {MachineRow::wall, 7},
                {MachineRow::own, 1}});
  for (int second = 1; second < 20; ++second)
    add(machine, {{MachineRow::address, small.run.workers.address[0]},
                  {MachineRow::begin, end + second},
                  {MachineRow::wall, 1},
                  {MachineRow::own, 1}});
  REQUIRE(small.find("stopped") != nullptr);
  CHECK(has(small.find("stopped")->evidence, "6 core-s in 1 chunk, "));
  // Less than the thread was off its CPU.
  small.run.recording.tasks.of(Task::cpu)[0] = 2;
  CHECK(small.find("stopped")->core_seconds == Approx(5));
  // For most of the 6 s it wanted a CPU that others had.
  small.run.recording.tasks.of(Task::run_delay)[0] = 2.5;
  CHECK(small.find("stopped") == nullptr);
}

TEST_CASE("Late looks are few: three, and one in a hundred") {
  const auto is_still = [](std::size_t late, std::size_t looks, double seconds) {
    SmallRun small;
    small.stretch(0, 7);
    set_rows(small, [&](std::size_t i) {
      return Values{{Task::address, small.run.workers.address[i / SmallRun::chunks_each]}};
    });
    auto& machine = small.run.recording.machine;
    for (std::size_t k = 0; k < looks; ++k)
      add(machine, {{MachineRow::address, small.run.workers.address[0]},
                    {MachineRow::begin, 100 + static_cast<double>(k)},
                    {MachineRow::wall, 1},
                    {MachineRow::own, 1}});
    for (std::size_t k = 0; k < late; ++k)
      add(machine, {{MachineRow::address, small.run.workers.address[0]},
                    {MachineRow::begin, k == 0 ? 1 : 200.0},
                    {MachineRow::wall, seconds},
                    {MachineRow::own, 0}});
    return small.find("stopped") != nullptr;
  };
  CHECK(is_still(3, 50, 6));
  CHECK_FALSE(is_still(4, 50, 6));
  CHECK(is_still(4, 100, 6));
  CHECK_FALSE(is_still(5, 100, 6));
  // Three times as long as looks are apart.
  CHECK(is_still(1, 50, 3.1));
  CHECK_FALSE(is_still(1, 50, 2.9));
}

TEST_CASE("Work that was repeated because attempts failed is reported with the failures") {
  SmallRun small;
  small.set_activity("memory-read", 208);  // 52 of 208 again: a quarter of 158 core-s, 39.5
  const auto set = [&](std::size_t failed, std::size_t first = 0) {
    const auto item = [&](std::size_t i) { return small.id("item-" + std::to_string(i)); };
    set_rows(small, [&](std::size_t i) {
      return Values{{Task::item, item(i)}, {Task::status, small.id("ok")}};
    });
    for (std::size_t i = 0; i < failed; ++i)
      add(small.run.recording.tasks, {{Task::kind, small.id("chunk")},
                                      {Task::item, item(first + i)},
                                      {Task::status, small.id("failed")},
                                      {Task::error, small.id("OSError")},
                                      {Task::wall, 0.75}});
    return small.find("lost-work") != nullptr;
  };
  CHECK(set(0));
  CHECK(set(40));  // 30 core-s
  CHECK_FALSE(set(52));
  CHECK(set(52, 1000));  // items of which no attempt succeeded were not tried again
  // Where all 156 that were submitted ran once, more than coffea counts were nobody's second try.
  small.run.recording.index.planned = {{.kind = small.id("chunk"), .tasks = 156}};
  CHECK_FALSE(set(0));
}

TEST_CASE("Memory that tracemalloc notes is no growth of the analysis") {
  SmallRun small;
  const auto set = [&](bool is_traced) {
    set_rows(small, [&](std::size_t i) {
      const double place = static_cast<double>(i % SmallRun::chunks_each);
      return Values{{Task::address, small.run.workers.address[i / SmallRun::chunks_each]},
                    {Task::rss_after, 1e8 * (1 + place / 20)},
                    {Task::hook, is_traced ? small.id("tracemalloc") : no_string}};
    });
    return small.find("memory-grows") != nullptr;
  };
  CHECK(set(false));
  CHECK_FALSE(set(true));
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

TEST_CASE(
    "What the first task of a process imports is none of each task's time outside process()") {
  // Tasks of 1 s, of which 0.3 s are outside process(); the first of each process imports for 3 s.
  const auto tell = [](double usually) {
    SmallRun small;
    small.set_activity("thread-cpu", 158);
    set_rows(small, [&](std::size_t i) {
      const bool is_first = i % SmallRun::chunks_each == 0;
      const double unpack = is_first ? 3 : usually;
      return Values{{Task::address, small.run.workers.address[i / SmallRun::chunks_each]},
                    {Task::wall, 0.7 + unpack},
                    {Task::process_wall, 0.7},
                    {Task::open_wall, 0},
                    {Task::serialise_wall, 0},
                    {Task::unpack_wall, unpack}};
    });
    const diagnose::HeldUp held(small.run);
    CHECK(held.by_first == Approx(SmallRun::workers * (3 - usually)));
    CHECK(held.usual == Approx(usually));
    return std::count(held.is_first.begin(), held.is_first.end(), true);
  };
  CHECK(tell(0) == SmallRun::workers);
  CHECK(tell(0.3) == SmallRun::workers);
}

TEST_CASE(
    "Few openings of a file are slow where all others are far from that; datasets may be two") {
  const auto find = [](double second_opening, double other_dataset) {
    SmallRun small;
    set_rows(small, [&](std::size_t i) {
      const bool is_slow = i == 5 || i == 50;
      const bool is_mc = i % 4 == 1 && !is_slow;
      small.run.chunks.file[i] = small.id(is_slow ? "/slow.root" : is_mc ? "/mc.root" : "/f.root");
      small.run.chunks.dataset[i] = small.id("data");
      return Values{{Task::file, small.run.chunks.file[i]},
                    {Task::open_wall, i == 5    ? 30
                                      : is_slow ? second_opening
                                      : is_mc   ? other_dataset
                                                : 0.02}};
    });
    const auto* finding = small.find("slow-opening");
    return finding == nullptr ? "" : finding->title;
  };
  CHECK(find(30, 0.02) == "slow.root took 30 s to open, others 20 ms");
  CHECK(find(0.02, 0.02).empty());  // one of its two
  CHECK(has(find(30, 1), "slow.root and mc.root took 1 s to open, others 20 ms"));
}

TEST_CASE("Files of one dataset that take far longer to open than others are a cause") {
  SmallRun small;
  // 76 chunks of ttbar open for 0.3 s, those of data for 0.02 s: 76 · 0.28 core-s more.
  const auto set = [&](double of_ttbar, double on_cpu, std::size_t every = 1) {
    std::size_t number = 0;
    set_rows(small, [&](std::size_t i) {
      const bool is_ttbar = small.run.chunks.dataset[i] == small.id("ttbar");
      const bool is_slow = is_ttbar && number++ % every == 0;
      small.run.chunks.file[i] = small.id(is_ttbar ? "root://a//tt.root" : "root://a//data.root");
      return Values{{Task::file, small.run.chunks.file[i]},
                    {Task::process_wall, 0.6},
                    {Task::open_wall, is_slow ? of_ttbar : 0.02},
                    {Task::open_cpu, (is_slow ? of_ttbar : 0.02) * on_cpu}};
    });
    return small.find("slow-opening");
  };
  REQUIRE(set(0.3, 0.9) != nullptr);
  CHECK(small.find("slow-opening")->title == "Files of ttbar took 300 ms to open, others 20 ms");
  CHECK(small.find("slow-opening")->core_seconds == Approx(76 * 0.28));
  CHECK(small.find("slow-opening")->selection.datasets == std::vector<std::string>{"ttbar"});
  CHECK(has(small.find("slow-opening")->evidence, "Tasks computed for 90 % of the time."));
  CHECK(has(set(0.3, 0.1)->evidence, "Tasks waited for 90 % of the time."));
  CHECK(set(0.05, 0.9) == nullptr);    // not three times as long
  CHECK(set(0.3, 0.9, 2) == nullptr);  // half of its chunks only: not the dataset's

  // Three of its four files: 57 of its 76 chunks, each opened once ahead as well.
  std::size_t number = 0;
  set_rows(small, [&](std::size_t i) {
    const bool is_ttbar = small.run.chunks.dataset[i] == small.id("ttbar");
    const std::string file = is_ttbar ? "tt" + std::to_string(number++ % 4) : "data";
    small.run.chunks.file[i] = small.id("/" + file + ".root");
    return Values{{Task::file, small.run.chunks.file[i]},
                  {Task::open_wall, is_ttbar && file != "tt3" ? 0.3 : 0.02}};
  });
  CHECK(small.find("slow-opening")->title ==
        "tt0.root, tt1.root and tt2.root took 300 ms to open, others 20 ms");
  CHECK(small.find("slow-opening")->core_seconds == Approx(57 * 0.28));
}

TEST_CASE(
    "A dataset that ran while its tasks had no CPU is a moment, unless its own threads had it") {
  const auto found = [](double beside) {
    SmallRun small;
    const auto is_then = [](std::uint32_t i) {
      const std::size_t place = i % SmallRun::chunks_each;
      return place >= 15 && place < 22;
    };
    for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i) {
      const bool is_before = i % SmallRun::chunks_each < 15;
      small.run.chunks.dataset[i] = small.id(is_then(i) ? "ttbar" : is_before ? "wjets" : "data");
      if (is_then(i)) small.stretch(i, 3);
    }
    double begin = 0;
    for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i) {
      if (i % SmallRun::chunks_each == 0) begin = 0.5;
      small.run.chunks.t_start[i] = begin;
      begin = small.run.chunks.t_end[i] = begin + small.run.chunks.duration[i];
    }
    small.run.elapsed = 60;
    set_rows(small, [&](std::uint32_t i) {
      const double wall = small.run.chunks.duration[i], cpu = is_then(i) ? 1 : 0.95;
      return Values{{Task::process_wall, wall},
                    {Task::process_cpu, cpu},
                    {Task::cpu, cpu},
                    {Task::run_delay, is_then(i) ? 2 : 0.02},
                    {Task::cpu_of_process, cpu + (is_then(i) ? beside : 0)}};
    });
    std::vector<std::string> titles;
    for (const test::WordedFinding& one : test::worded_findings(small.run)) {
      if (one.id == "slow-moment" || one.id == "slow-dataset") titles.push_back(one.title);
    }
    return titles;
  };
  const std::vector<std::string> of_time = found(0);
  REQUIRE(of_time.size() == 1);
  CHECK(of_time[0] == "From 15.5 s to 36.5 s tasks had no CPU for 66.7 % of their time");
  REQUIRE(found(3).size() == 1);
  CHECK(found(3)[0].find("ttbar") != std::string::npos);
}

TEST_CASE("Small files are those of at most half a chunk, where others have several chunks") {
  SmallRun small;
  Chunks& c = small.run.chunks;
  for (std::size_t i = 0; i < c.size(); ++i) {
    const bool is_small = i < 100;
    c.file[i] =
        small.id(is_small ? "/data/small_" + std::to_string(i) + ".root" : "/data/large.root");
    c.events[i] = is_small ? 400 : 10000;
    small.stretch(i, is_small ? 0.5 : 1);
  }
  set_rows(small, [](std::uint32_t i) { return Values{{Task::open_wall, i < 100 ? 0.2 : 0.02}}; });
  const auto* finding = small.find("small-files");
  REQUIRE(finding != nullptr);
  CHECK(finding->title == "100 files of 400 events each: opening them took 20 core-s");
  // Chunks of one size that each are a file: what others need is not known.
  for (std::size_t i = 100; i < c.size(); ++i)
    c.file[i] = small.id("/data/other_" + std::to_string(i) + ".root");
  for (double& events : c.events) events = 400;
  CHECK(has(small.find("small-files")->title, "156 files of 400 events each"));
  // Half of a chunk is small, more is not.
  for (std::size_t i = 100; i < c.size(); ++i) c.file[i] = small.id("/data/large.root");
  for (std::size_t i = 100; i < c.size(); ++i) c.events[i] = 790;
  CHECK(small.find("small-files") == nullptr);
}

TEST_CASE("Time outside process() is for opening files as far as rows tell") {
  SmallRun small;
  small.set_activity("thread-cpu", 100);
  small.activity("automatic_retries", "thread-cpu", "seconds", 16);
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) small.stretch(i, 0.25);
  set_rows(small, [](std::size_t) { return Values{{Task::open_wall, 0.01}}; });
  // Tasks of 108 core-s with 39 in process(): 15.6 of the rest are usual, 1.56 opened files.
  CHECK(small.find("pre-processing")->core_seconds == Approx(16));
  REQUIRE(small.find("outside-process") != nullptr);
  CHECK(small.find("outside-process")->core_seconds == Approx(108 - 39 - 15.6));
  CHECK(has(small.find("outside-process")->evidence, "files are opened, events built"));
  CHECK(small.find("small-chunks") != nullptr);

  // 442 ms of a task, of which 120 are known; and a fixed cost of which most is not is no matter
  // of the chunks' size.
  set_rows(small, [](std::size_t) {
    return Values{{Task::open_wall, 0.06}, {Task::unpack_wall, 0.02}, {Task::serialise_wall, 0.04}};
  });
  CHECK(
      has(small.find("outside-process")->evidence,
          "Opening the file and building events took 60 ms, unpacking the processor 20 ms, packing "
          "the result 40 ms: none of these was running for 322 ms; counted is what is beyond 0.1 s "
          "a task."));
  CHECK(small.find("small-chunks") == nullptr);
  // Half of it and more is opening files, or packing results, which may grow with the events.
  for (const bool is_opening : {true, false}) {
    set_rows(small, [&](std::size_t) {
      return Values{{Task::open_wall, is_opening ? 0.3 : 0.06},
                    {Task::unpack_wall, 0.02},
                    {Task::serialise_wall, is_opening ? 0.04 : 0.28}};
    });
    CHECK((small.find("small-chunks") != nullptr) == is_opening);
  }

  // The same where each task has a process of its own, of which 100 ms went into its start.
  set_rows(small, [](std::size_t) {
    return Values{{Task::start_wall, 0.1},
                  {Task::open_wall, 0.06},
                  {Task::unpack_wall, 0.02},
                  {Task::serialise_wall, 0.04}};
  });
  CHECK(has(small.find("outside-process")->evidence,
            "Starting Python took 100 ms, opening the file and building events took 60 ms, "
            "unpacking the processor 20 ms, packing the result 40 ms: none of these was running "
            "for 222 ms"));
}

TEST_CASE("What no row names outside process() counts from its first second on") {
  SmallRun small;
  const auto find = [&](double opening) {
    small.set_activity("thread-cpu", 152.7);  // and 8 off it: 20.3 core-s beside 140.4 in process()
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
      small.run.chunks.t_end[i] = small.run.chunks.t_start[i] + 0.9;
      small.run.chunks.duration[i] = 0.9;
    }
    set_rows(small, [&](std::size_t) {
      return Values{{Task::process_wall, 0.9},
                    {Task::open_wall, opening},
                    {Task::unpack_wall, 0},
                    {Task::serialise_wall, 0}};
    });
    return small.find("outside-process");
  };
  REQUIRE(find(0) != nullptr);
  CHECK(find(0)->core_seconds == Approx(20.3 - 156 * 0.02));
  CHECK(has(find(0)->evidence,
            "none of these was running for 130 ms; counted is that beyond 20 ms a task."));
  CHECK(find(0.05) == nullptr);  // less than a tenth
}

TEST_CASE("Chunks that read ahead while they open a file are not told to be small") {
  SmallRun small;
  small.set_activity("thread-cpu", 100);
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) small.stretch(i, 0.25);
  const auto is_found = [&](double ahead) {
    set_rows(small, [](std::size_t) {
      return Values{{Task::open_wall, 0.3}, {Task::unpack_wall, 0}, {Task::serialise_wall, 0.04}};
    });
    RecordedTables& rows = small.run.recording;
    add(rows.tasks, {{Task::kind, small.id("file")}, {Task::wall, ahead}});
    rows.chunk.push_back(no_row);
    return small.find("small-chunks") != nullptr;
  };
  CHECK(is_found(0.09));  // a third of what a chunk takes, which may be the same for all
  add(small.run.recording.branches, {{Branch::branch, small.id("pt")}, {Branch::ahead, 1e6}});
  CHECK(is_found(0.11));
  CHECK_FALSE(is_found(0.09));
}

TEST_CASE("Waiting for input is told of its own part of the tasks' time") {
  const auto title = [](double input) {
    SmallRun small;
    small.set_activity("thread-noncpu", 47.4);  // 30 % of 158
    small.set_activity("thread-cpu", 110.6);
    set_rows(small, [&](std::size_t) {
      return Values{{Task::cpu, 0.7}, {Task::run_delay, 0.0}, {Task::request_wait, input}};
    });
    const auto* finding = small.find("waiting");
    return finding == nullptr ? std::string() : finding->title;
  };
  CHECK(title(0.28) == "28 % of the task time was spent waiting for input");
  CHECK(title(0.2).empty());
  // Half of the waiting is for input from 15 % of the tasks' time on.
  CHECK(title(0.16).empty());
  CHECK(title(0.14) == "30 % of the task time was spent waiting");
}

TEST_CASE("Files of one chunk each that take a tenth of the core-time to open are small") {
  // So many chunks, each in a task that opens its file for `open` s, of so many files.
  const auto found = [](std::size_t chunks, std::size_t files, double open, double ahead = 0) {
    SmallRun small;
    small.run.chunks = Chunks();
    for (std::size_t i = 0; i < chunks; ++i)
      small.add_chunk(0.5 + static_cast<double>(i / 4), 0.5, 10000, "data",
                      "/data/" + std::to_string(i % files) + ".root");
    small.stream();
    if (ahead > 0) small.activity("automatic_retries", "thread-cpu", "seconds", ahead);
    set_rows(small, [&](std::size_t) { return Values{{Task::open_wall, open}}; });
    const auto* finding = small.find("small-files");
    // Half as many files would be opened half as often.
    if (finding != nullptr && chunks == 156)
      CHECK(finding->gain_core_seconds == Approx(finding->core_seconds / 2).epsilon(0.15));
    return finding == nullptr ? absent : finding->core_seconds;
  };
  CHECK(found(156, 156, 0.11) == Approx(156 * 0.11));
  CHECK(is_absent(found(156, 78, 0.11)));  // two chunks of each
  CHECK(is_absent(found(156, 156, 0.1)));  // 15.6 of 160 core-s
  CHECK(found(156, 156, 0.1, 0.5) == Approx(16.1));
  CHECK(found(40, 40, 0.42) == Approx(40 * 0.42));
  CHECK(is_absent(found(19, 19, 0.9)));  // of fewer than twenty files it is no habit
}

TEST_CASE(
    "Waiting for files that are opened is not told as waiting besides, where it is half of it") {
  const auto is_told = [](double open_wall, double ahead) {
    SmallRun small;
    small.set_activity("thread-noncpu", 60);
    small.set_activity("thread-cpu", 98);
    set_rows(small, [&](std::size_t) {
      return Values{{Task::open_wall, open_wall}, {Task::open_cpu, 0.1}};
    });
    for (int file = 0; file < 2; ++file)
      add(small.run.recording.tasks,
          {{Task::kind, small.id("file")}, {Task::wall, 1}, {Task::cpu, 1 - ahead / 2}});
    return small.find("waiting") != nullptr;
  };
  CHECK(is_told(0.29, 0));  // 156 x 0.19 s are 29.6 of 60
  CHECK_FALSE(is_told(0.295, 0));
  CHECK(is_told(0.29, 0.3));
  CHECK_FALSE(is_told(0.29, 0.4));
}

TEST_CASE("Tasks of one file that are held up are no moment, where they are most of the file's") {
  const auto is_found = [](std::uint32_t of_file) {
    SmallRun small;
    small.activity("P", "executor", "seconds", 60);
    set_rows(small, [&](std::uint32_t i) {
      const bool is_held = i == 5 || i == 45;
      const bool is_own = is_held || (i >= 10 && i < 8 + of_file);
      return Values{{Task::address, small.id("worker " + std::to_string(i / 39))},
                    {Task::file, small.id(is_own ? "a.root" : "b.root")},
                    {Task::wall, is_held ? 7.1 : 1.1},
                    {Task::process_wall, 1}};
    });
    return small.find("held-up") != nullptr;
  };
  CHECK_FALSE(is_found(2));
  CHECK_FALSE(is_found(3));
  CHECK(is_found(4));
}

TEST_CASE(
    "Tasks are held up by a second, three times what is usual, and not the first of a process") {
  const auto found = [](double outside, double usual, double later) {
    SmallRun small;
    small.activity("P", "executor", "seconds", 80);
    set_rows(small, [&](std::uint32_t i) {
      const bool is_held = i % 39 >= 10 && i % 39 < 14;
      return Values{
          {Task::address, small.id("worker " + std::to_string(i / 39))},
          {Task::begin, is_held ? 10 + (i == 13 ? later : 0) : small.run.chunks.t_start[i]},
          {Task::wall, 1 + (is_held || i % 39 == 0 ? outside : usual)},
          {Task::process_wall, 1}};
    });
    const auto* finding = small.find("held-up");
    return finding == nullptr ? absent : finding->core_seconds;
  };
  CHECK(found(1.05, 0.01, 0) == Approx(16 * 1.04));
  CHECK(is_absent(found(0.99, 0.01, 0)));
  CHECK(found(1.65, 0.4, 0) == Approx(16 * 1.25));
  CHECK(is_absent(found(1.55, 0.4, 0)));
  // They take 4 s, of which 3 s are outside: all of them within twice that, or not.
  CHECK(found(3, 0.01, 1.9) == Approx(16 * 2.99));
  CHECK(is_absent(found(3, 0.01, 2.1)));
}

TEST_CASE("Memory grows where it does so to the end, in the chunks and with nearly each") {
  // A worker's memory [MB] after each chunk; of what it takes more `within` of it is the chunk's.
  const auto growth = [](const std::vector<double>& more, double within = 1) {
    SmallRun small;
    double memory = 200;
    for (std::size_t k = 0; k <= more.size(); ++k) {
      const double own = k == 0 ? 0 : more[k - 1];
      memory += own;
      add(small.run.recording.tasks, {{Task::kind, small.id("chunk")},
                                      {Task::address, small.id("tcp://10.0.0.0:1000")},
                                      {Task::begin, static_cast<double>(k)},
                                      {Task::rss_before, 1e6 * (memory - within * own)},
                                      {Task::rss_after, 1e6 * memory}});
    }
    return diagnose::rules::memory_growth(small.run);
  };
  const auto grows = [&](const std::vector<double>& more, double within = 1) {
    return !is_absent(growth(more, within).each);
  };
  const auto made = growth(std::vector<double>(9, 10));
  CHECK(made.each == Approx(10e6));
  CHECK(made.first == Approx(200e6));
  CHECK(made.last == Approx(290e6));
  CHECK(made.chunks == 10);
  // A quarter more at the end.
  CHECK(grows(std::vector<double>(9, 5.6)));
  CHECK_FALSE(grows(std::vector<double>(9, 5.5)));
  // Half as much in the four chunks of the second half as in the five of the first.
  CHECK(grows({10, 10, 10, 10, 10, 6.3, 6.3, 6.3, 6.3}));
  CHECK_FALSE(grows({10, 10, 10, 10, 10, 6.2, 6.2, 6.2, 6.2}));
  // With eight of nine chunks, by a quarter of the mean.
  CHECK(grows({10, 10, 0, 10, 10, 10, 10, 10, 10}));
  CHECK_FALSE(grows({10, 10, 0, 10, 10, 10, 0, 10, 10}));
  CHECK(grows({10, 10, 2.5, 10, 10, 10, 2.5, 10, 10}));
  CHECK_FALSE(grows({10, 10, 1.9, 10, 10, 10, 1.9, 10, 10}));
  CHECK(grows({10, 10, 0, 10, 10, 10, 10, 0, 10, 10}));  // four fifths of ten
  // Three quarters of it while chunks ran.
  CHECK(grows(std::vector<double>(9, 10), 0.76));
  CHECK_FALSE(grows(std::vector<double>(9, 10), 0.74));
  // Seven chunks of a worker tell nothing.
  CHECK(grows(std::vector<double>(7, 10)));
  CHECK_FALSE(grows(std::vector<double>(6, 10)));
}

TEST_CASE("Event loops are why threads take turns where they are half of what no task used") {
  const auto found = [](double main) {
    SmallRun small;
    let_compute_without_cpu(small);
    set_machine(small, 4, 4);
    for (double& of_second : small.run.recording.machine.of(MachineRow::main)) of_second = main;
    set_rows(small, [&](std::size_t) {
      return Values{{Task::cpu, 0.5}, {Task::cpu_of_process, 0.8}};
    });
    return small.find("busy-loop") != nullptr;
  };
  CHECK(found(0.62));  // of 1.2 CPUs
  CHECK_FALSE(found(0.58));
}

TEST_CASE("Large baskets are read again: with events of others in the first and the last of them") {
  const auto is_found = [](double baskets, double compressed, double outside) {
    SmallRun small;
    const std::size_t file = small.run.files.intern(small.id("root://a//f.root"));
    small.run.files.bytes_read[file] = 156 * 2e6 / 4;  // of 312 MB that chunks read
    add(small.run.recording.branches,
        {{Branch::baskets, baskets}, {Branch::compressed, compressed}, {Branch::outside, outside}});
    return small.find("baskets-read-again") != nullptr;
  };
  // Of ten baskets of 31.2 MB two may be partly outside.
  CHECK_FALSE(is_found(10, 312e6, 100e6));  // that is more than two
  CHECK(is_found(3, 312e6, 200e6));
  CHECK_FALSE(is_found(6, 312e6, 160e6));  // three of 52 MB
  // Half of what was read is outside.
  CHECK(is_found(2, 312e6, 157e6));
  CHECK_FALSE(is_found(2, 312e6, 155e6));
  CHECK_FALSE(is_found(2, 312e6, 80e6));
  // And half of what chunks read is of these baskets.
  CHECK(is_found(2, 157e6, 100e6));
  CHECK_FALSE(is_found(2, 155e6, 100e6));
  // What is outside of several baskets is half of it at least.
  SmallRun small;
  const std::size_t file = small.run.files.intern(small.id("root://a//f.root"));
  small.run.files.bytes_read[file] = 156 * 2e6 / 4;
  auto& branches = small.run.recording.branches;
  add(branches, {{Branch::baskets, 2}, {Branch::compressed, 200e6}, {Branch::outside, 150e6}});
  add(branches, {{Branch::baskets, 10}, {Branch::compressed, 200e6}, {Branch::outside, 140e6}});
  CHECK(small.find("baskets-read-again") != nullptr);
  branches.of(Branch::outside)[1] = 160e6;
  CHECK(small.find("baskets-read-again") == nullptr);
}

TEST_CASE("How files are compressed is known where most of a dataset's are alike") {
  const auto is_found = [](const std::vector<double>& ratios) {
    SmallRun small;
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
      small.run.chunks.dataset[i] = small.id("data");
      small.run.chunks.file[i] = small.id("f" + std::to_string(i % ratios.size()));
      if (i % ratios.size() == 0) small.stretch(i, 1.3);
    }
    for (std::size_t f = 0; f < ratios.size(); ++f)
      small.run.files.compression_ratio[small.run.files.intern(small.id("f" + std::to_string(f)))] =
          ratios[f];
    return small.find("codec") != nullptr;
  };
  CHECK(is_found({0.2, 0.46, 0.46, 0.46, 0.3}));
  CHECK_FALSE(is_found({0.2, 0.3, 0.46, 0.46, 0.46, 0.6, 0.7}));
  CHECK_FALSE(is_found({0.2, 0.46}));
  CHECK(is_found({0.2, 0.46, 0.46}));
  // Fifteen per cent are another codec, two are the same.
  CHECK(is_found({0.845, 1, 1}));
  CHECK_FALSE(is_found({0.855, 1, 1}));
  CHECK(is_found({0.5, 1, 1.019, 0.2, 1}));
  CHECK_FALSE(is_found({0.5, 1, 1.021, 0.2, 0.979}));
}

TEST_CASE("What was loaded in twice as many chunks as there are workers was loaded once in each") {
  SmallRun small;
  small.draw_profile(
      "root 100\n"
      "  process@analysis.py 100\n"
      "    correct@analysis.py 20\n"
      "      from_file@/opt/lib/site-packages/correctionlib/highlevel.py 20\n");
  small.stream();
  CHECK(small.find("needless-calls") != nullptr);  // by Dask's samples in all
  RecordedTables& rows = small.run.recording;
  const FrameId frame = small.run.names->frames.intern(
      small.id("from_file"), small.id("/opt/lib/site-packages/correctionlib/highlevel.py"), 1);
  const FrameId inner = small.run.names->frames.intern(small.id("parse"), small.id("x.py"), 1);
  add(rows.calls, {{Call::called, frame}});
  add(rows.calls, {{Call::called, inner}, {Call::caller, 0}});
  add(rows.calls, {{Call::called, inner}});
  const auto found = [&](std::size_t chunks, double call) {
    rows.samples = {};
    for (std::size_t i = 0; i < chunks; ++i)
      add(rows.samples, {{recorded_columns::Sample::task, i},
                         {recorded_columns::Sample::call, call},
                         {recorded_columns::Sample::wall, 0.2}});
    return small.find("needless-calls") != nullptr;
  };
  CHECK_FALSE(found(4, 0));  // of four workers
  CHECK_FALSE(found(8, 0));
  CHECK(found(9, 0));
  CHECK(found(40, 0));
  CHECK(found(9, 1));        // what it calls is within it
  CHECK_FALSE(found(9, 2));  // and not what others call
}

TEST_CASE("How long files take to open is told by medians, and by when others were opened") {
  // Of each fourth chunk the file is slow: it takes 0.3 s to open, in one chunk 0.9.
  const auto find = [](double begin_of_others) {
    SmallRun small;
    set_rows(small, [&](std::size_t i) {
      const bool is_slow = i % 4 == 0;
      small.run.chunks.file[i] = small.id(is_slow ? "/slow.root" : "/f" + std::to_string(i % 8));
      small.run.chunks.dataset[i] = small.id("data");
      return Values{{Task::file, small.run.chunks.file[i]},
                    {Task::begin, is_slow ? 5 + 0.01 * static_cast<double>(i) : begin_of_others},
                    {Task::open_wall, is_slow ? (i == 4 ? 1.2 : 0.3) : (i == 5 ? 0.08 : 0.02)},
                    {Task::open_cpu, is_slow ? (i == 4 ? 0.6 : 0.15) : 0}};
    });
    const auto* finding = small.find("slow-opening");
    REQUIRE(finding != nullptr);
    return *finding->Finding::evidence.as<diagnose::SlowOpening>();
  };
  const diagnose::SlowOpening slow = find(20);
  CHECK(slow.names == std::vector<std::string>{"/slow.root"});
  CHECK(slow.each == Approx(0.3));
  CHECK(slow.elsewhere == Approx(0.02));
  CHECK(slow.again == Approx(38 * 0.28 + 1.18));
  CHECK(slow.computing == Approx(0.5));
  CHECK(slow.is_alone_in_time);
  CHECK(find(4.99).is_alone_in_time);
  CHECK_FALSE(find(6).is_alone_in_time);
  // They were opened from 5 s on to 0.3 s after the last one, at 6.52 s.
  CHECK_FALSE(find(6.8).is_alone_in_time);
  CHECK(find(5 + 0.01 * 152.0 + 0.3).is_alone_in_time);
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

TEST_CASE("Other programs make a moment slow where they take a quarter of a CPU more than else") {
  const auto others = [](double then) {
    SmallRun small;
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i)
      small.run.chunks.file[i] =
          small.id("/data/" + std::string(small.run.text(small.run.chunks.dataset[i])) +
                   std::to_string(i / 2 % 4));
    for (std::size_t w = 0; w < SmallRun::workers; ++w)
      for (std::size_t i = 10; i < 17; ++i) small.stretch(w * SmallRun::chunks_each + i, 2.5);
    set_machine(small, 4, 3.5);
    // From 10.5 to 19 s: at the ticks from 11 to 19.
    for (std::size_t second = 11; second < 20; ++second)
      small.run.recording.machine.of(MachineRow::busy)[second] = 3.5 + then;
    small.run.recording.machine.of(MachineRow::busy)[30] = absent;
    const auto* finding = small.find("slow-moment");
    REQUIRE(finding != nullptr);
    const auto& slow = *finding->Finding::evidence.as<diagnose::SlowGroup>();
    CHECK(slow.others_elsewhere == Approx(0.5));
    return slow.others;
  };
  CHECK(others(0.76) == Approx(0.76));
  CHECK(is_absent(others(0.74)));
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

TEST_CASE("Files are opened again for what is half of the time outside process(), or not for it") {
  const auto found = [](double open) {
    SmallRun small;
    small.set_activity("thread-cpu", 100);
    small.activity("automatic_retries", "thread-cpu", "seconds", 16);
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i) small.stretch(i, 0.25);
    set_rows(small, [&](std::size_t) { return Values{{Task::open_wall, open}}; });
    return small.find("pre-processing")->core_seconds;
  };
  // 108 core-s of tasks with 39 in process(): 15.6 are usual, 53.4 are not.
  CHECK(found(0.172) == Approx(16 + 156 * 0.172));
  CHECK(found(0.17) == Approx(16));
  CHECK(found(0.4) == Approx(16 + 53.4));
}

TEST_CASE("Two ways to fail cost what all their attempts took") {
  SmallRun small;
  const auto fail = [&](const char* error, double seconds) {
    add(small.run.recording.tasks, {{Task::kind, small.id("chunk")},
                                    {Task::function, small.id("P")},
                                    {Task::status, small.id("failed")},
                                    {Task::error, small.id(error)},
                                    {Task::item, small.id(error)},
                                    {Task::begin, 1},
                                    {Task::wall, seconds}});
  };
  fail("OSError", 2), fail("OSError", 2.5), fail("ValueError", 3);
  const auto* finding = small.find("failed-tasks");
  REQUIRE(finding != nullptr);
  CHECK(finding->core_seconds == Approx(7.5));
  CHECK(finding->is_failure);
}

TEST_CASE("Time outside process() is one dataset's where half of it is opening its files") {
  const auto is_told = [](double of_ttbar) {
    SmallRun small;
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i) small.stretch(i, 0.7);
    set_rows(small, [&](std::size_t i) {
      const bool is_ttbar = small.run.chunks.dataset[i] == small.id("ttbar");
      small.run.chunks.file[i] = small.id(is_ttbar ? "root://a//tt.root" : "root://a//data.root");
      return Values{{Task::file, small.run.chunks.file[i]},
                    {Task::open_wall, is_ttbar ? of_ttbar : 0.02}};
    });
    CHECK(small.find("slow-opening") != nullptr);
    return small.find("outside-process") != nullptr;
  };
  // 158 - 109.2 core-s, of which 15.6 are usual: 33.2; 76 chunks of ttbar.
  CHECK(is_told(0.02 + 16.4 / 76));
  CHECK_FALSE(is_told(0.02 + 16.8 / 76));
}

TEST_CASE("Requests tell whether latency is the cause, where twenty of them are known") {
  const auto knows = [](std::size_t requests, std::size_t without) {
    SmallRun small;
    small.set_activity("thread-noncpu", 79);
    small.set_activity("thread-cpu", 79);
    set_rows(small, [&](std::size_t) {
      return Values{{Task::cpu, 0.5}, {Task::run_delay, 0.0}, {Task::request_wait, 0.45}};
    });
    // As long for any number of bytes.
    auto& branches = small.run.recording.branches;
    for (std::size_t i = 0; i < requests; ++i)
      add(branches, {{Branch::requests, 2},
                     {Branch::requested, 1000 + 100 * static_cast<double>(i)},
                     {Branch::wait, 0.1 + 0.0001 * static_cast<double>(i % 2)}});
    for (std::size_t i = 0; i < without; ++i)
      add(branches, {{Branch::requests, i % 3 == 0 ? 0 : 2},
                     {Branch::requested, i % 3 == 1 ? 0 : 1000},
                     {Branch::wait, i % 3 == 2 ? 0 : 0.1}});
    const auto* finding = small.find("waiting");
    REQUIRE(finding != nullptr);
    const auto& evidence = *finding->Finding::evidence.as<diagnose::WaitingTasks>();
    CHECK(evidence.what == diagnose::WaitingTasks::For::input);
    return evidence.knows_latency;
  };
  CHECK(knows(20, 0));
  CHECK_FALSE(knows(19, 0));
  CHECK_FALSE(knows(19, 6));
}

TEST_CASE("First chunks are slow where two workers are: of one it may be anything") {
  // The first chunk of each takes four times as long; of each file's first chunk half as long
  // again.
  const auto found = [](std::size_t workers, bool of_files) {
    SmallRun small;
    small.run.chunks = Chunks();
    for (std::size_t w = 0; w < workers; ++w) {
      double begin = 0.5;
      for (std::size_t k = 0; k < SmallRun::chunks_each; ++k) {
        const bool is_first = of_files ? k % 3 == 0 : k == 0;
        // now and then a chunk takes longer by itself
        const double usual = k % 9 == 5 ? 0.7 : k % 9 == 2 ? 0.55 : 0.5;
        const double seconds = is_first ? (of_files ? (k % 9 == 6 ? 1.2 : 0.8) : 2) : usual;
        small.add_chunk(begin, seconds, 10000, "data",
                        of_files ? "f" + std::to_string(k / 3) : "f");
        begin += seconds;
      }
    }
    small.stream();
    align::match_chunks(small.run);
    if (diagnose::anomalies(small.run).empty()) return absent;
    const diagnose::Anomaly& first = diagnose::anomalies(small.run).front();
    using Kind = diagnose::Anomaly::Kind;
    const bool is_it = first.kind == (of_files ? Kind::first_of_files : Kind::first_chunks);
    return is_it ? first.factor : absent;
  };
  CHECK(found(2, false) == Approx(4));
  CHECK(found(3, false) == Approx(4));
  CHECK(is_absent(found(1, false)));
  // A median of 0.8 s against one of 0.5 s.
  CHECK(found(2, true) == Approx(1.6));
  CHECK(found(3, true) == Approx(1.6));
  CHECK(is_absent(found(1, true)));
}

TEST_CASE("A file that all workers warm up with is not slow: their second chunks are no measure") {
  // Chunks of 0.5 s; a worker's second one, of a file of its own, takes so many.
  const auto slow_file = [](std::initializer_list<double> second) {
    SmallRun small;
    small.run.chunks = Chunks();
    for (const double longer : second) {
      double begin = 0.5;
      for (std::size_t k = 0; k < SmallRun::chunks_each; ++k) {
        const double seconds = k == 1 ? longer : k % 5 == 0 ? 0.51 : 0.5;
        small.add_chunk(begin, seconds, 10000, "data",
                        k == 1 ? "second" : "f" + std::to_string(k % 3));
        begin += seconds;
      }
    }
    small.stream();
    std::string name;
    for (const diagnose::Anomaly& one : diagnose::anomalies(small.run))
      if (one.kind == diagnose::Anomaly::Kind::file) name = one.name;
    return name;
  };
  CHECK(slow_file({1.5, 1.5, 1.5, 1.5}).empty());
  CHECK(slow_file({0.62, 1.5, 1.5, 1.5}).empty());      // 1.24 times as long
  CHECK(slow_file({0.55, 1.5, 1.5, 1.5}) == "second");  // one of four had warmed up by then
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

TEST_CASE("Pre-processing that is mostly one file's names it, and whether its task waited") {
  const auto find = [](double slowest, double cpu, int files) {
    SmallRun small;
    small.activity("automatic_retries", "thread-cpu", "seconds", slowest + 0.5 * (files - 1));
    set_rows(small, [&](std::size_t) { return Values{}; });
    for (int file = 0; file < files; ++file)
      add(small.run.recording.tasks,
          {{Task::kind, small.id("file")},
           {Task::file, small.id("/data/f" + std::to_string(file) + ".root")},
           {Task::begin, 0},
           {Task::wall, file == 2 ? slowest : 0.5},
           {Task::cpu, file == 2 ? cpu : 0.5}});
    const auto* finding = small.find("pre-processing");
    return finding == nullptr ? "" : finding->title + ": " + finding->evidence;
  };
  CHECK(has(find(20, 1, 4), ", most of it on f2.root"));
  CHECK(has(find(20, 1, 4), "f2.root alone took 20 core-s; its task waited for most of that"));
  CHECK(has(find(20, 15, 4), "its task computed for most of that"));
  CHECK_FALSE(has(find(20, 1, 3), "f2.root"));   // of three files one takes half by chance
  CHECK_FALSE(has(find(17, 1, 40), "f2.root"));  // less than the 19.5 s of the others
}

TEST_CASE("Chunks that read baskets of other chunks' events are told with how much that is") {
  const auto find = [](double baskets, double outside) {
    SmallRun small;
    add(small.run.recording.branches,
        {{Branch::baskets, baskets}, {Branch::compressed, 300e6}, {Branch::outside, outside}});
    const auto* finding = small.find("other-events");
    return finding == nullptr ? "" : finding->title + ": " + finding->evidence;
  };
  CHECK(has(find(100, 200e6), "Chunks read about 200 MB of other chunks' events"));
  CHECK(has(find(100, 200e6), "That is 66.7 % of the 300 MB that they read"));
  CHECK(has(find(100, 30e6), "That is 10 %"));
  CHECK(find(100, 29e6).empty());
  // The first and the last of three baskets hold events of others, too.
  CHECK(find(3, 200e6).empty());
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

TEST_CASE(
    "Chunks whose process reads far more than they ask for are told, and no stragglers then") {
  SmallRun small;
  const auto find = [&](double bytes, double wait) {
    set_rows(small, [&](std::size_t i) {
      return Values{{Task::at_once, 1},
                    {Task::rchar, i < 4 ? bytes : 4e6},
                    {Task::requested_bytes, 4e6},
                    {Task::request_wait, i < 4 ? wait : 0.1}};
    });
    return small.find("reads-more");
  };
  REQUIRE(find(400e6, 15.1) != nullptr);
  CHECK(find(400e6, 15.1)->title ==
        "4 chunks read 1.6 GB from files, of which 16 MB were asked for");
  CHECK(find(400e6, 15.1)->core_seconds == Approx(4 * 15));
  CHECK(find(400e6, 0.1) == nullptr);  // they did not wait for it
  CHECK(find(31e6, 15.1) == nullptr);  // less than eight times as much
}

TEST_CASE("Branches that are read ahead and never used are told with what that takes") {
  SmallRun small;
  const auto find = [&](double wall) {
    set_rows(small, [](std::size_t) { return Values{{Task::open_wall, 0.35}}; });
    add(small.run.recording.tasks, {{Task::kind, small.id("file")}, {Task::wall, 0.05}});
    small.run.recording.chunk.push_back(no_row);
    small.run.recording.branches = {};
    for (const auto& [name, seconds] : {std::pair("pt", 0.001), {"cov00", wall}, {"cov01", wall}})
      add(small.run.recording.branches, {{Branch::branch, small.id(name)},
                                         {Branch::compressed, 30e6},
                                         {Branch::uncompressed, 60e6},
                                         {Branch::ahead, 30e6},
                                         {Branch::wall, seconds}});
    return small.find("unused-preload");
  };
  REQUIRE(find(0) != nullptr);
  CHECK(find(0)->title == "Chunks read 60 MB ahead of process() that it never used");
  CHECK(has(find(0)->evidence, "Nothing in process() read 2 of the 3 branches"));
  CHECK(find(0)->core_seconds == Approx(156 * 0.3 * 2 / 3));
  CHECK(find(0.001) == nullptr);  // they are used
}

TEST_CASE("Branches that the same task reads twice are told with what that takes") {
  const auto find = [](double again) {
    SmallRun small;
    add(small.run.recording.branches, {{Branch::baskets, 40},
                                       {Branch::compressed, 300e6},
                                       {Branch::again, again},
                                       {Branch::wall, 30}});
    const auto* finding = small.find("read-twice");
    return finding == nullptr ? "" : finding->title + ": " + finding->evidence;
  };
  CHECK(has(find(150e6), "Chunks read 150 MB of branches that they had read before: That is 50 %"));
  CHECK(has(find(150e6), "reading and unpacking them took 15 core-s"));
  CHECK(find(29e6).empty());  // counts of collections, say
  CHECK(find(absent).empty());
}

TEST_CASE("The slower half of files is so by its median, and is none of files in one chunk") {
  SmallRun small;
  Chunks& c = small.run.chunks;
  std::map<StringId, double> entries;
  for (std::uint32_t i = 0; i < c.size(); ++i) {
    c.file[i] = small.id("/data/" + std::string(small.run.text(c.dataset[i])) +
                         std::to_string(i / 12) + ".root");
    c.entry_start[i] = entries[c.file[i]];
    c.entry_stop[i] = entries[c.file[i]] += 10000;
  }
  for (std::uint32_t i = 0; i < c.size(); ++i) {
    const bool is_second = c.entry_start[i] >= entries[c.file[i]] / 2;
    const bool is_last = c.entry_stop[i] == entries[c.file[i]];
    small.stretch(i, is_second ? (is_last ? 6 : 3) : (c.entry_start[i] == 0 ? 1.5 : 1));
  }
  REQUIRE(small.find("slow-half") != nullptr);
  CHECK(small.find("slow-half")->title ==
        "The second half of files took 3 times as long per event");
  SmallRun whole;
  for (std::uint32_t i = 0; i < whole.run.chunks.size(); ++i) {
    whole.run.chunks.file[i] = whole.id("f" + std::to_string(i));
    whole.run.chunks.entry_start[i] = 0, whole.run.chunks.entry_stop[i] = 10000;
  }
  const diagnose::SearchedChunks searched(whole.run);
  CHECK(std::none_of(searched.groups.begin(), searched.groups.end(), [](const auto& group) {
    return group.kind == diagnose::Anomaly::Kind::half;
  }));
}

TEST_CASE("A moment is looked for among chunks that took a quarter longer at least") {
  SmallRun small;
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i)
    small.run.chunks.file[i] = small.id("f" + std::to_string(i % 8));
  for (std::size_t w = 0; w < SmallRun::workers; ++w)
    for (std::size_t k = 10; k < 25; ++k) small.stretch(w * SmallRun::chunks_each + k, 1.4);
  const auto* finding = small.find("slow-moment");
  REQUIRE(finding != nullptr);
  CHECK(finding->core_seconds == Approx(60 * 0.4));
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

TEST_CASE("Failures and workers that went are of a selected time that they reach into") {
  SmallRun small;
  add(small.run.recording.tasks, {{Task::kind, small.id("chunk")},
                                  {Task::status, small.id("failed")},
                                  {Task::error, small.id("OSError")},
                                  {Task::begin, 5},
                                  {Task::wall, 2}});
  using Change = recorded_columns::Change;
  add(small.run.recording.changes, {{Change::begin, 5},
                                    {Change::worker, small.run.workers.address[0]},
                                    {Change::change, small.id("removed")}});
  const auto found = [&](double begin, double end) {
    Selection selection;
    selection.time = Selection::TimeRange{begin, end};
    return std::pair(runtime::find_failures(small.run, selection).size(),
                     runtime::gone_workers(small.run, selection).size());
  };
  CHECK(found(0, 5) == std::pair(std::size_t{0}, std::size_t{0}));
  CHECK(found(0, 5.1) == std::pair(std::size_t{1}, std::size_t{1}));
  CHECK(found(5, 6) == std::pair(std::size_t{1}, std::size_t{1}));
  CHECK(found(6.5, 9) == std::pair(std::size_t{1}, std::size_t{0}));
  CHECK(found(7, 9) == std::pair(std::size_t{0}, std::size_t{0}));
}

TEST_CASE("Counting events ahead is one dataset's where half of it is opening its files") {
  const auto is_told = [](double ahead) {
    SmallRun small;
    small.activity("automatic_retries", "thread-cpu", "seconds", ahead);
    set_rows(small, [&](std::size_t i) {
      const std::string dataset(small.run.text(small.run.chunks.dataset[i]));
      small.run.chunks.file[i] = small.id("/" + dataset + std::to_string(i / 2 % 5));
      return Values{{Task::file, small.run.chunks.file[i]}};
    });
    // Five files of each: 2 s and 0.1 s.
    for (int file = 0; file < 5; ++file)
      for (const bool is_slow : {true, false})
        add(small.run.recording.tasks,
            {{Task::kind, small.id("file")},
             {Task::file, small.id((is_slow ? "/ttbar" : "/data") + std::to_string(file))},
             {Task::begin, 0.1 * file},
             {Task::wall, is_slow ? 2 : 0.1}});
    CHECK(small.find("slow-opening")->core_seconds == Approx(5 * 1.9));
    return small.find("pre-processing") != nullptr;
  };
  CHECK(is_told(19.5));
  CHECK_FALSE(is_told(18.5));
}

namespace {

const diagnose::Candidate* candidate(const std::vector<diagnose::Candidate>& all,
                                     diagnose::Anomaly::Kind kind, std::string_view name,
                                     bool is_tested = false) {
  for (const diagnose::Candidate& one : all)
    if (one.kind == kind && one.name == name && is_absent(one.tested) != is_tested) return &one;
  return nullptr;
}

std::vector<diagnose::Candidate> candidates(SmallRun& small) {
  small.run.facts = {};
  align::match_chunks(small.run);
  const diagnose::SearchedChunks searched(small.run);
  return diagnose::find_candidates(
      searched, {small.run.chunks.duration, std::vector<bool>(small.run.chunks.size(), false)});
}

}  // namespace

TEST_CASE("Two workers are held against each other in blocks of six chunks, by hand") {
  // 26 chunks by turns, of 1 and 2 s: each is h = ln 2 / 2 off the middle.
  SmallRun small;
  small.run.chunks = Chunks();
  for (std::size_t k = 0; k < 26; ++k) {
    small.add_chunk(0.1 * static_cast<double>(k), k % 2 == 0 ? 1 : 2, 10000, "data");
    small.add_task("P", k, k % 2, 0.1 * static_cast<double>(k),
                   0.1 * static_cast<double>(k) + (k % 2 == 0 ? 1 : 2), 1);
    small.run.tasks.thread.back() = static_cast<double>(k);
  }
  const auto all = candidates(small);
  const auto* slow = candidate(all, diagnose::Anomaly::Kind::worker, "tcp://10.0.0.1:1000", true);
  REQUIRE(slow != nullptr);
  CHECK(slow->log_factor == Approx(std::log(2.0)));
  // Four blocks of three each: 3 h, of variance 3 x 3 / 6 x 6 / 5 h^2; and one of one each.
  CHECK(slow->tested == Approx(13 / std::sqrt(4 * 1.8 + 1)));
  CHECK(slow->error == 1);
  CHECK(slow->core_seconds == Approx(13));
}

TEST_CASE("A moment was picked among as many as there are begins and ends; a host alone by all") {
  SmallRun small;
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i)
    small.run.chunks.file[i] = small.id("f" + std::to_string(i % 8));
  for (std::size_t w = 0; w < SmallRun::workers; ++w)
    for (std::size_t k = 10; k < 17; ++k) small.stretch(w * SmallRun::chunks_each + k, 2.5);
  const auto all = candidates(small);
  const auto* moment = candidate(all, diagnose::Anomaly::Kind::moment, "");
  REQUIRE(moment != nullptr);
  CHECK(moment->tries == Approx(2 * 156.0 / 28));
  CHECK(moment->chunks.size() == 28);
  // ttbar is on a host of its own, in chunks of 8 s; all others take 1 to 5 s, 3 in the middle.
  SmallRun hosts;
  std::size_t number = 0;
  for (std::size_t i = 0; i < hosts.run.chunks.size(); ++i) {
    const bool is_far = hosts.run.text(hosts.run.chunks.dataset[i]) == "ttbar";
    hosts.run.chunks.file[i] = hosts.id(is_far ? "root://far//f.root" : "root://near//f.root");
    hosts.stretch(i, is_far ? 8 : 1 + static_cast<double>(number++ % 5));
  }
  const auto of_hosts = candidates(hosts);
  const auto* far = candidate(of_hosts, diagnose::Anomaly::Kind::host, "far");
  REQUIRE(far != nullptr);
  CHECK(far->stands_alone);
  CHECK(far->log_factor == Approx(std::log(8.0 / 3)));
}

TEST_CASE("A moment has eight chunks at least, and half of all at most") {
  const auto moment_of = [](std::size_t slow) {
    SmallRun small;
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i)
      small.run.chunks.file[i] = small.id("f" + std::to_string(i % 8));
    // One after the other by their begins: four at once, one of each worker.
    for (std::size_t i = 0; i < slow; ++i)
      small.stretch(i % 4 * SmallRun::chunks_each + 10 + i / 4, 2.5);
    const auto all = candidates(small);
    const auto* moment = candidate(all, diagnose::Anomaly::Kind::moment, "");
    return moment ? moment->chunks.size() : 0;
  };
  CHECK(moment_of(5) == 0);
  CHECK(moment_of(8) == 8);
  CHECK(moment_of(76) == 76);
  CHECK(moment_of(80) == 0);
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

TEST_CASE("How fast a part grows is the median of its chunks, less what grows in the system") {
  // Section fit takes twice as long every twenty chunks later, now and then 5 % more.
  const auto growing = [](double system) {
    SmallRun small;
    const auto fit = [](std::size_t k) {
      return 0.2 * std::exp2(static_cast<double>(k) / 20) * (k % 13 == 5 ? 1.05 : 1);
    };
    set_workers(small, [&](std::size_t k) { return std::pair(fit(k), 0.5); });
    if (system > 0)
      set_rows(small, [&](std::uint32_t i) {
        return Values{{Task::system, system * fit(i % SmallRun::chunks_each)}};
      });
    small.run.facts = {};
    const auto& found = diagnose::anomalies(small.run);
    return found.empty() || found.front().kind != diagnose::Anomaly::Kind::with_each
               ? absent
               : found.front().factor;
  };
  CHECK(growing(0) == Approx(std::exp2(38.0 / 20)).epsilon(0.02));
  CHECK(growing(0.4) == Approx(std::exp2(38.0 / 20)).epsilon(0.02));
  CHECK(is_absent(growing(0.7)));
}
