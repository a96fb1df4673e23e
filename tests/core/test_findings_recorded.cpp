// Findings that stand on the rows of `crema.record`: what Python, the system and settings cost.
#include <cstdint>

#include "catch.hpp"
#include "core/align/align.hpp"
#include "core/report/answer_text.hpp"
#include "tests/core/recorded_run.hpp"

using namespace crema;
using test::add;
using test::has;
using test::MachineRow;
using test::set_rows;
using test::SmallRun;
using test::Task;
using test::Values;

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
      has(called(0.2)->evidence, "80 % of it by gc.collect(), most at objects.py:54 free_memory;"));
  CHECK_FALSE(has(called(0.2)->evidence, "gc.freeze"));
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
  CHECK(report::core_time_verdict(small.run, {}, *tree).verdict == found("65536")->title + ".");
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

TEST_CASE("Modules that are compiled as they are imported are told with what that took") {
  // Two of four workers' first tasks are seen compiling for 2 s each, below an import, of 160.
  SmallRun small;
  const auto found = [&](const char* file, double seconds) {
    RecordedTables& rows = small.run.recording;
    rows = {};
    set_rows(small, [&](std::uint32_t i) {
      return Values{{Task::address, small.run.workers.address[i / SmallRun::chunks_each]}};
    });
    const auto call = [&](const char* name, const char* of, double caller) {
      add(rows.calls,
          {{recorded_columns::Call::called,
            static_cast<double>(small.run.names->frames.intern(small.id(name), small.id(of), 1))},
           {recorded_columns::Call::caller, caller}});
    };
    call("_find_and_load", "<frozen importlib._bootstrap>", absent);
    call("source_to_code", file, 0);
    call("_call_with_frames_removed", "<frozen importlib._bootstrap>", 1);
    for (const std::uint32_t task : {0U, 39U})
      for (const double of : {0.0, 2.0})  // 100 s of imports compile nothing
        add(rows.samples, {{recorded_columns::Sample::task, task},
                           {recorded_columns::Sample::call, of},
                           {recorded_columns::Sample::wall, of == 0 ? 100 : seconds}});
    return small.find("no-bytecode");
  };
  const char* importlib = "<frozen importlib._bootstrap_external>";
  small.run.settings["PYTHONDONTWRITEBYTECODE"] = "1";
  const auto* finding = found(importlib, 2);
  REQUIRE(finding != nullptr);
  CHECK(finding->title == "Tasks compiled the modules that they imported for 4 core-s");
  CHECK(has(finding->evidence, "it took 1 s in each of 4 workers"));
  CHECK(has(finding->evidence, "PYTHONDONTWRITEBYTECODE is 1 in the workers."));
  small.run.settings.clear();
  CHECK(!has(found(importlib, 2)->evidence, "PYTHONDONTWRITEBYTECODE is"));
  CHECK(found(importlib, 1) == nullptr);              // 1.3 % of the core-time
  CHECK(found("/home/u/compiler.py", 2) == nullptr);  // a function of that name of somebody's own
}

TEST_CASE("A section that some datasets' chunks enter more often is told with how often") {
  SmallRun small;
  small.section("fit", 0.9);
  const auto found = [&](double of_data, double of_ttbar) {
    set_rows(small, [](std::uint32_t) { return Values{}; });
    auto& sections = small.run.recording.sections;
    sections = {};
    for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i) {
      const bool is_data = small.run.chunks.dataset[i] == small.id("data");
      add(sections, {{recorded_columns::Section::task, i},
                     {recorded_columns::Section::name, small.id("fit")},
                     {recorded_columns::Section::calls, is_data ? of_data : of_ttbar}});
    }
    return small.find("own-function");
  };
  REQUIRE(found(1, 1) != nullptr);
  CHECK(found(1, 1)->title == "90 % of process() is in section fit");
  CHECK(!has(found(1, 1)->evidence, "enters"));
  CHECK(found(1, 3)->title ==
        "90 % of process() is in section fit, which chunks of ttbar enter 3 times");
  CHECK(has(found(1, 3)->evidence,
            "Each chunk of ttbar enters section fit 3 times, of other datasets once."));
  CHECK(found(24, 24)->title == "90 % of process() is in section fit, which chunks enter 24 times");
  CHECK(has(found(24, 24)->evidence, "Each chunk enters section fit 24 times."));
  // 80 of 156 chunks are of data: 23.9 times on average.
  CHECK(has(found(22, 26)->evidence, "Each chunk enters section fit 23.9 times."));
  small.run.recording.sections.of(recorded_columns::Section::calls) = {};
  small.run.facts = {};
  CHECK(!has(small.find("own-function")->evidence, "enters"));  // not recorded
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
  const auto set = [&](std::uint32_t hooked, const char* hook = "sys.setprofile: count_calls") {
    set_rows(small, [&](std::uint32_t i) {
      Values values{{Task::status, small.id("ok")}};
      if (i < hooked) values.emplace_back(Task::hook, small.id(hook));
      return values;
    });
    return small.find("hook");
  };
  CHECK(set(0) == nullptr);
  REQUIRE(set(39) != nullptr);
  CHECK(set(39)->title ==
        "sys.setprofile: count_calls was on while tasks ran: it makes Python code slower");
  CHECK(has(set(39)->evidence, "It was on in 39 chunks. Python calls such a function"));
  CHECK(set(39, "ptrace: strace")->title ==
        "ptrace: strace was on while tasks ran: it can stop their process at each system call");
  CHECK(has(set(39, "ptrace: strace")->evidence, "It was on in 39 chunks. How long"));
  CHECK(diagnose::find_findings(small.run, {}).front().cause == diagnose::FindingCause::hooked);
  // Of a single chunk it takes no more than that has: 1 s, and a straggler 11.
  small.stretch(0, 12);
  REQUIRE(set(1) != nullptr);
  CHECK(diagnose::find_findings(small.run, {}).front().cause == diagnose::FindingCause::stragglers);
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

TEST_CASE(
    "A chunk has its own worker's task where rows tell who ran it, though another's ends nearer") {
  SmallRun small;
  small.stream();
  small.run.chunks.t_end[0] = 1.51;
  small.run.tasks.t1[0] = 1.53;                      // of the first worker
  small.run.tasks.t1[SmallRun::chunks_each] = 1.51;  // of the second
  align::match_chunks(small.run);
  CHECK(small.run.chunks.task[0] == SmallRun::chunks_each);
  set_rows(small, [&](std::uint32_t i) {
    return Values{{Task::address, small.run.workers.address[i / SmallRun::chunks_each]}};
  });
  align::match_chunks(small.run);
  CHECK(small.run.chunks.task[0] == 0);
  CHECK(small.run.chunks.task[SmallRun::chunks_each] == SmallRun::chunks_each);
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
