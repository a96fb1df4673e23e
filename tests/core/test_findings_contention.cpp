// Findings about tasks that are off the CPU: other programs, threads beside tasks, locks, waiting
// for input.
#include <cstdint>

#include "catch.hpp"
#include "tests/core/recorded_run.hpp"

using namespace crema;
using recorded_columns::Branch;
using test::add;
using test::has;
using test::let_compute_without_cpu;
using test::MachineRow;
using test::set_machine;
using test::set_rows;
using test::SmallRun;
using test::Task;
using test::Values;

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
    // Else the innermost function of Dask that most are in, other than what runs any call.
    CallTree& dask = small.run.call_trees.back() = {.kind = CallTree::Kind::server};
    dask.add(no_node, frame("root", ""), 10, 0);
    dask.add(0, frame("get_data", "/lib/site-packages/distributed/worker.py"), 9, 0);
    dask.add(1, frame("wrapper", "/lib/site-packages/distributed/core.py"), 9, 0);
    dask.add(2, frame("maybe_compress", "/lib/site-packages/distributed/protocol/compression.py"),
             8, 0);
    dask.add(3, frame("compress", "/lib/site-packages/distributed/protocol/compression.py"), 4, 0);
    REQUIRE(small.find("busy-loop") != nullptr);
    CHECK(has(small.find("busy-loop")->evidence,
              "80 % of the samples of event loops are in Dask's maybe_compress "
              "(distributed/protocol/compression.py:12). "));
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

TEST_CASE(
    "What workers of one process use is counted once, and they take turns as its threads do") {
  // Two workers of a thread each in the client's process: all three tell that it used 1.2 CPUs,
  // of which two tasks at a time used 1.1.
  SmallRun small;
  const auto own_of = [&](const char* first, const char* second, double tick) {
    small.run.recording = {};
    for (std::size_t w = 0; w < 2; ++w)
      small.run.workers.address[w] = small.id(w == 0 ? first : second);
    for (std::size_t i = 2; i < small.run.workers.size(); ++i)
      small.run.workers.address[i] = small.id("tcp://10.0.0.9:" + std::to_string(i));
    for (std::size_t i = 0; i < 40; ++i) {
      for (const char* who : {first, second, "client"})
        add(small.run.recording.machine, {{MachineRow::host, small.id("10.0.0.0")},
                                          {MachineRow::pid, 7},
                                          {MachineRow::worker, small.id(who)},
                                          {MachineRow::address, small.id(who)},
                                          {MachineRow::begin, static_cast<double>(i)},
                                          {MachineRow::wall, 1},
                                          {MachineRow::busy, 1.2},
                                          {MachineRow::own, 1.2},
                                          {MachineRow::usable, 2}});
      for (const char* who : {first, second})
        add(small.run.recording.tasks, {{Task::kind, small.id("chunk")},
                                        {Task::host, small.id("10.0.0.0")},
                                        {Task::address, small.id(who)},
                                        {Task::begin, static_cast<double>(i)},
                                        {Task::wall, 1},
                                        {Task::cpu, 0.55},
                                        {Task::cpu_of_process, 1.2},
                                        {Task::at_once, 2},
                                        {Task::voluntary_switches, 300}});
    }
    small.run.facts = {};
    return runtime::machine_use(small.run).own[static_cast<std::size_t>(tick)];
  };
  small.set_activity("thread-noncpu", 70);
  small.set_activity("thread-cpu", 88);
  small.draw_profile("root 100\n  process@analysis.py 100\n");
  // Processes of two containers may have the same number.
  CHECK(own_of("tcp://10.0.0.0:1", "tcp://10.0.0.0:2", 20) == Approx(3.6));
  CHECK(own_of("inproc://10.0.0.0/7/4", "inproc://10.0.0.0/7/6", 20) == Approx(1.2));
  // Whoever of them took a second along: the other says nothing of it, and the client tells.
  RecordedTables& told = small.run.recording;
  for (std::size_t row = 0; row < told.machine.size(); ++row)
    if (row % 3 != 2) told.machine.of(MachineRow::begin)[row] += row % 3 == 0 ? 0 : 1000;
  small.run.facts = {};
  CHECK(runtime::machine_use(small.run).own[20] == Approx(1.2));
  for (std::size_t row = 0; row < told.machine.size(); ++row)
    if (row % 3 != 2) told.machine.of(MachineRow::begin)[row] += row % 3 == 0 ? 1000 : -1000;
  small.run.facts = {};
  CHECK(runtime::machine_use(small.run).own[20] == Approx(1.2));
  for (std::size_t row = 0; row < told.machine.size(); ++row)
    if (row % 3 == 0) told.machine.of(MachineRow::begin)[row] -= 1000;
  CHECK(small.find("library-threads") == nullptr);
  const auto* turns = small.find("interpreter-lock");
  REQUIRE(turns != nullptr);
  CHECK(turns->Finding::evidence.as<diagnose::CpuContention>()->workers == 1);
}

TEST_CASE("Tasks that could run and had no CPU are told from tasks that waited for each other") {
  // Four threads that are off the CPU for 70 of 158 s; how long they had no CPU their rows tell.
  const auto tell = [](double run_delay, double busy, double usable, double client = 0.02,
                       double throttled = 0, double children = 0, double there = absent) {
    SmallRun small;
    let_compute_without_cpu(small);
    set_machine(small, busy, busy);
    auto& by_quota = small.run.recording.machine.of(MachineRow::throttled);
    by_quota.assign(small.run.recording.machine.size(), throttled);
    for (double& cpus : small.run.recording.machine.of(MachineRow::usable)) cpus = usable;
    for (double& cpus : small.run.recording.machine.of(MachineRow::cpus)) cpus = there;
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
  const std::string bound = tell(0.44, 2, 2, 0.02, 0, 0, 8);
  CHECK(has(bound, "got only 2.24 cores: each may use 2 of its 8"));
  CHECK(has(bound, "workers that are not bound have all"));
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

TEST_CASE("A thread that a preload started is told by its function, with the CPU time it took") {
  // In two workers a thread of watch() uses a quarter of a CPU for the 39 s of the chunks.
  const auto find = [](double seconds, const char* id, const char* address = "tcp://10.0.0.0:") {
    SmallRun small;
    set_machine(small, 2, 2);
    for (std::size_t second = 0; second < 60; ++second)
      for (std::size_t w = 0; w < 2; ++w)
        add(small.run.recording.machine,
            {{MachineRow::host, small.id("10.0.0.0")},
             {MachineRow::address, small.id(address + std::to_string(1000 + w))},
             {MachineRow::begin, 0.5 + static_cast<double>(second)},
             {MachineRow::wall, 1},
             {MachineRow::beside, seconds},
             {MachineRow::beside_in, small.id("/site/leakwatch.py:12 watch")}});
    const auto* finding = small.find(id);
    return finding == nullptr ? std::string() : finding->title + "|" + finding->evidence;
  };
  CHECK(
      has(find(0.25, "thread-beside"),
          "A thread of watch computed for 19.5 core-s beside the tasks|leakwatch.py:12 is what it "
          "was started for, in 2 workers: 0.5 CPUs in all while chunks ran."));
  CHECK(find(0.01, "thread-beside").empty());
  CHECK(find(0.25, "thread-beside", "client-").empty());
}
