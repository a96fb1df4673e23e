#include <cmath>

#include "core/base/text.hpp"
#include "core/diagnose/rules.hpp"
#include "core/predict/prediction.hpp"
#include "core/report/answer_text.hpp"
#include "core/runtime/chunks.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"
#include "tests/core/small_run.hpp"
#include "tests/core/test_data.hpp"

using namespace crema;
using namespace crema::runtime;
using namespace crema::predict;
using namespace crema::diagnose;
using namespace crema::test;

namespace {

Options options_of(std::map<std::string, std::string> values) { return Options(std::move(values)); }

OpenSession recorded(const std::vector<std::string>& names) {
  std::vector<File> files;
  for (const std::string& name : names) {
    for (const char* file : {"/metrics.json", "/start_end_time.txt"})
      files.push_back(
          {std::to_string(files.size() / 2) + "-" + name + file, read_test_file(name + file)});
  }
  return OpenSession(files);
}

std::size_t row_of(const Table& table, std::string_view column, std::string_view text) {
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.text(column, row).starts_with(text)) return row;
  }
  throw std::runtime_error("no row " + std::string(text));
}

double cell(const Table& table, std::string_view scenario, std::string_view column) {
  return table.number(column, row_of(table, "scenario", scenario));
}

/// `threads` tasks at once on one host, of 1 s, of which `on_cpu` on a CPU.
Load load_with(double threads, double on_cpu, double hosts = 1) {
  Load load;
  load.threads = load.cores = threads;
  load.hosts = hosts;
  load.task = 1;
  load.on_cpu = on_cpu;
  load.tasks = 100;
  return load;
}

}  // namespace

TEST_CASE("Noise widens a band on both sides, and no time is negative") {
  Prediction at_least_nothing;
  at_least_nothing.low = -1, at_least_nothing.high = 4, at_least_nothing.likely = 2;
  widen(at_least_nothing, 2, 0.1);
  CHECK(at_least_nothing.low == 0);
  CHECK(at_least_nothing.high > 4);
  CHECK(is_absent(at_least_nothing.likely));
  Prediction narrow;
  narrow.low = 9, narrow.high = 11, narrow.likely = 10;
  widen(narrow, 20, 0.1);
  CHECK(narrow.low < 9);
  CHECK(narrow.high > 11);
  CHECK(narrow.likely == 10);
}

TEST_CASE("Tasks at a station: alone, in a queue, and with time of their own") {
  const Station one = {1, 1};
  CHECK(task_seconds(1, 0, {&one, 1}) == Approx(1));
  CHECK(task_seconds(1, 2, {&one, 1}) == Approx(3));
  CHECK(task_seconds(4, 0, {&one, 1}) == Approx(4));  // one at a time
  CHECK(task_seconds(4, 3, {}) == Approx(3));         // nothing is shared
  // Two threads, 1 s apart and 1 s at the station: R = 1 + R / (1 + R), the golden ratio.
  CHECK(task_seconds(2, 1, {&one, 1}) == Approx(1 + (1 + std::sqrt(5.0)) / 2));
  const Station many = {1, 1e9};
  CHECK(task_seconds(50, 0, {&many, 1}) == Approx(1));  // as many servers as anyone wants
}

TEST_CASE("What is shared gives no more than was seen, at worst; at best all of it is free") {
  // Two cores computed all the time: four threads get no more of them, and lose a quarter to each
  // other.
  CHECK(slowdown_at(load_with(2, 1), 2).contended == Approx(2.5).epsilon(0.01));
  CHECK(slowdown_at(load_with(2, 1), 2).ideal == 1);
  // On several hosts, as many more come with their own.
  CHECK(slowdown_at(load_with(2, 1, 2), 2).contended == Approx(1));
  // All waits, for something that may serve one at a time.
  CHECK(slowdown_at(load_with(2, 0), 2).contended == Approx(2).epsilon(0.01));
  // One thread that mostly waits: what waits is served one at a time, and the rest beside it.
  const double mixed = slowdown_at(load_with(1, 0.25), 2).contended;
  CHECK(mixed > 1);
  CHECK(mixed < 1.75);
  CHECK(slowdown_at(load_with(2, 0.5), 1).contended == 1);
}

TEST_CASE("Fewer threads compute as long, and wait as long as they did or not at all") {
  CHECK(slowdown_at(load_with(2, 1), 0.5).contended == 1);
  CHECK(slowdown_at(load_with(2, 1), 0.5).ideal == 1);
  // Four threads waited for three quarters of their time: for each other, or for what stays.
  CHECK(slowdown_at(load_with(4, 0.25), 0.5).contended == 0.25);
  CHECK(slowdown_at(load_with(4, 0.25), 0.5).ideal == 1);
  // In calls that block they waited for storage or a lock, which serve half of them no faster.
  Load blocked = load_with(4, 0.25);
  blocked.blocked = 0.5;
  CHECK(slowdown_at(blocked, 0.5).contended == 0.5);
  // Two CPUs, both busy: 8 threads waited for them, but for the tenth in calls that block.
  Load load = load_with(8, 0.25);
  load.cpus = load.physical = load.usable = 2;
  load.foreign = 0;
  load.host_busy = 1.9;
  load.blocked = 0.1;
  CHECK(slowdown_at(load, 0.25).contended == 0.25 / 1.25);
  CHECK(slowdown_at(load, 0.25).ideal == Approx(0.35));
  // Four threads still take turns on two CPUs; fewer lose less to each other.
  CHECK(slowdown_at(load, 0.5).contended == Approx(0.5 / 1.25));
  CHECK(slowdown_at(load, 0.5).ideal == Approx(0.6));
  // Where CPUs idled, whatever else was waited for may stay; without a profile, too.
  load.host_busy = 1.4;
  CHECK(slowdown_at(load, 0.25).ideal == 1);
  load.host_busy = 1.9;
  load.cpus = load.physical = load.usable = 2;
  load.blocked = absent;
  CHECK(slowdown_at(load, 0.25).ideal == 1);
}

TEST_CASE(
    "CPUs that were recorded: free ones are no bottleneck, and no more than all of them compute") {
  Load load = load_with(1, 1);
  load.cpus = load.physical = 2;
  load.foreign = 0;
  load.usable = 2;
  CHECK(slowdown_at(load, 2).contended == 1);  // the second CPU is free
  CHECK(slowdown_at(load, 4).ideal == Approx(2));
  CHECK(slowdown_at(load, 4).contended >= slowdown_at(load, 4).ideal);
  // Two hardware threads of one core may be as good as one core.
  load.physical = 1;
  CHECK(slowdown_at(load, 2).ideal == 1);
  CHECK(slowdown_at(load, 2).contended == Approx(2));
  // Another process has one of the two.
  load.physical = 2;
  load.foreign = 1;
  CHECK(slowdown_at(load, 2).ideal == Approx(2));
  // Each worker may use one of many: two of them use two.
  load.cpus = load.physical = 16;
  load.foreign = 0;
  load.usable = 1;
  CHECK(slowdown_at(load, 2).contended == 1);
}

TEST_CASE("While one of two waits for a lock the other has it, and no more cores shorten that") {
  // Of two, each waits for three tenths of its time: one of them does for six tenths.
  Load load = load_with(2, 0.5);
  load.locks = 0.3;
  CHECK(load.lock_taken() == Approx(0.6));
  load.threads = 4;  // three of four wait at most
  CHECK(load.lock_taken() == Approx(0.4));
  load.locks = 0.9;
  CHECK(load.lock_taken() == 1);
  load.per_worker = 4;  // of one process: another may have a lock of its own
  CHECK(load.lock_taken() == 0);
  load = load_with(1, 0.5);
  load.locks = 0.3;
  CHECK(load.lock_taken() == 0);
}

TEST_CASE("Threads of a process take turns at worst, and at best never wait for each other") {
  // Two processes become two threads of one: all that computes is one at a time, or none is.
  Slowdown one = {1, 1};
  share_interpreter(one, load_with(2, 1), 2);
  CHECK(one.ideal == 1);
  CHECK(one.contended == Approx(2).epsilon(0.01));
  // A quarter computes: less than another quarter is waited for.
  Slowdown mixed = {1, 1};
  share_interpreter(mixed, load_with(2, 0.25), 2);
  CHECK(mixed.contended > 1);
  CHECK(mixed.contended < 1.25);
  // Two threads that computed for 0.6 of their time become processes: they waited for the lock, or
  // for what stays.
  Load threads = load_with(2, 0.6);
  threads.per_worker = 2;
  Slowdown apart = {1, 1};
  share_interpreter(apart, threads, 1);
  CHECK(apart.ideal == Approx(0.6));
  CHECK(apart.contended == 1);
}

TEST_CASE("A band holds what the model leaves open, and what recordings differ by on top") {
  // Nothing is open: nine of ten are within 1.6449 standard deviations of the logarithm.
  Prediction known{.likely = 10, .low = 10, .high = 10};
  widen(known, 12, 0.1);
  CHECK(known.low == Approx(10 * std::exp(-0.16449)));
  CHECK(known.high == Approx(10 * std::exp(0.16449)));
  CHECK(known.likely == 10);
  // From 5 to 20 s: either end may be true, and one in ten is beyond it by 1.2816.
  Prediction open{.low = 5, .high = 20};
  widen(open, 12, 0.1);
  CHECK(open.low == Approx(5 * std::exp(-0.12816)));
  CHECK(open.high == Approx(20 * std::exp(0.12816)));
  CHECK(is_absent(open.likely));
  // 8 s to 11 s is narrow enough for a middle, but whether it is better than 10 s is open.
  Prediction either{.likely = 9.4, .low = 8, .high = 11};
  widen(either, 10, 0.1);
  CHECK(is_absent(either.likely));
  Prediction better{.likely = 9.4, .low = 8, .high = 11};
  widen(better, 12, 0.1);
  CHECK(better.likely == 9.4);
}

TEST_CASE("Beside other programs another recording may be faster without them, or as much slower") {
  // Four threads on four CPUs of one host, whose processes have `own` CPUs each; all CPUs are busy.
  const auto load = [](double waited, double own, bool is_one_host = true) {
    SmallRun small;
    for (std::size_t w = 0; w < small.run.workers.size(); ++w) {
      if (is_one_host) small.run.workers.host[w] = small.id("node1");
      small.run.workers.machine[w] = {.cpus = 4, .busy = 4, .own = own};
    }
    auto& tasks = small.run.recording.tasks;
    tasks.resize(1);
    tasks.of(recorded_columns::Task::kind)[0] = small.id("chunk");
    tasks.of(recorded_columns::Task::wall)[0] = 2;
    tasks.of(recorded_columns::Task::run_delay)[0] = 2 * waited;
    return std::pair(load_of(small.run, {}), between_recordings(small.run, {}));
  };
  CHECK(load(0, 0.5).first.by_others == 0);
  CHECK(load(0, 0.5).second == Approx(std::sqrt(2) * 0.17));
  // Tasks waited a fifth of their time for CPUs that others had: without them 0.8 of it.
  CHECK(load(0.2, 0.5).first.by_others == Approx(-std::log(0.8)));
  CHECK(load(0.2, 0.5).second ==
        Approx(std::hypot(std::sqrt(2) * 0.17, std::log(0.8) / within_90)));
  // Nobody else had a CPU: the run's own threads wait for each other, or for a quota, again.
  CHECK(load(0.2, 1).first.by_others == 0);
  // On several hosts it is not known what others had.
  CHECK(load(0.2, 0.5, false).first.by_others == 0);
  // Others had 0.4 CPUs: they cost four threads a tenth of their time at most.
  const Load few = load(0.5, 0.9).first;
  CHECK(few.foreign == Approx(0.4));
  CHECK(few.by_others == Approx(-std::log(1 - 0.4 / few.threads)));
  const PredictionBasis basis{.unseen = PredictionBasis::Unseen::between_runs, .load = &few};
  CHECK(report::unseen_text(basis).find(
            "what else uses the CPUs: without it tasks would have taken at most ") !=
        std::string::npos);
}

TEST_CASE("The client that computes on the workers' host is no other program") {
  // Two of the host's four busy CPUs are the workers'; the client has the rest, or half of it.
  for (const double client : {2.0, 1.0}) {
    SmallRun small;
    for (std::size_t w = 0; w < small.run.workers.size(); ++w) {
      small.run.workers.host[w] = small.id("node1");
      small.run.workers.machine[w] = {.cpus = 4, .busy = 4, .own = 0.5};
    }
    using recorded_columns::Machine;
    auto& rows = small.run.recording.machine;
    for (const auto& [who, own] :
         {std::pair("tcp://127.0.0.1:1", 2.0), std::pair("client", client)}) {
      const std::size_t row = rows.size();
      rows.resize(row + 1);
      rows.of(Machine::host)[row] = small.id("node1");
      rows.of(Machine::worker)[row] = small.id(who);
      rows.of(Machine::begin)[row] = 0;
      rows.of(Machine::wall)[row] = 1000;
      rows.of(Machine::busy)[row] = 4000;
      rows.of(Machine::own)[row] = 1000 * own;
    }
    CHECK(load_of(small.run, {}).foreign == Approx(2 - client).margin(1e-9));
  }
}

TEST_CASE("The recorder's word on the host's CPUs makes a band of one run narrow") {
  const auto scheduler = [](const std::string& machine) {
    return R"({"type": "Scheduler", "workers": {"tcp://127.0.0.1:1": {"nthreads": 1)" + machine +
           "}}}";
  };
  const auto band = [&](const std::string& machine) {
    std::vector<File> files = {{"r/scheduler_info.json", scheduler(machine)}};
    for (const char* file : {"metrics.json", "start_end_time.txt"})
      files.push_back({std::string("r/") + file, read_test_file(std::string("scale-1/") + file)});
    return OpenSession(files).ask("whatif", {}, option("cores", "2"));
  };
  const Table blind = band("");
  CHECK(is_absent(blind.number("elapsed", 1)));
  const Table told =
      band(R"(, "machine": {"cpus": 2, "cores": 2, "usable": 2, "busy": 1.1, "own": 1})");
  // 14.49 s were measured with two cores
  CHECK(told.number("elapsed", 1) == Approx(14.49).epsilon(0.1));
  CHECK(told.number("elapsed_high", 1) < blind.number("elapsed_high", 1));
  const std::string seen(told.text("seen", 1));
  CAPTURE(seen);
  CHECK(seen.ends_with("the host has 2 CPUs, of which others used 0.1"));
}

TEST_CASE(
    "Tasks that waited may not wait on fewer cores: the band goes from computing to all of it") {
  // 17.4 s on four threads of a machine of two cores; 14.49 and 28.45 s on two and one.
  const OpenSession session = recorded({"scale-4"});
  const Table two = session.ask("whatif", {}, option("cores", "2"));
  CHECK(two.number("elapsed_low", 1) < 14.49);
  CHECK(two.number("elapsed_high", 1) > 2 * 14.49);
  CHECK(is_absent(two.number("elapsed", 1)));
  CHECK(std::string(two.text("unseen", 1)).starts_with("what tasks waited for: "));
  const Table one = session.ask("whatif", {}, option("cores", "1"));
  CHECK(one.number("elapsed_low", 1) < 28.45);
  CHECK(one.number("elapsed_high", 1) > 28.45);
}

TEST_CASE("Nobody can plan with a wide band that holds what happened") {
  const OpenSession session = recorded({"scale-4"});
  const Table table = session.ask("whatif");
  const double happened = table.number("elapsed", 0);
  double vague = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double low = table.number("elapsed_low", row), high = table.number("elapsed_high", row);
    const bool is_wide = 0.7 * high > 1.3 * low;
    CHECK(table.number("vague", row) == (is_wide && low < happened && happened < high));
    vague += table.number("vague", row);
  }
  CHECK(vague < static_cast<double>(table.rows()));
  // 17.4 s were recorded; two cores would take less than 14.5 s, or more than twice that.
  CHECK(table.text("scenario", 1) == "2 cores");
  CHECK(table.number("vague", 0) == 0);
  CHECK(table.number("vague", 1) == 1);
}

TEST_CASE("A growth that was seen is explained by cores or by storage, one beyond chance only") {
  // One core computes 0.5 s of each task: two threads of 1 s tasks get in each other's way.
  const Station one = {0.5, 1};
  std::vector<Observed> seen;
  for (const double threads : {1.0, 2.0, 4.0})
    seen.push_back({threads, task_seconds(threads, 0.5, {&one, 1}), 0.01});
  const Contention fit = fit_contention(seen, 0.5);
  REQUIRE(fit.is_seen());
  CHECK(fit.cores == Approx(1).epsilon(0.05));
  const double eight = task_seconds(8, 0.5, {&one, 1}) / task_seconds(4, 0.5, {&one, 1});
  CHECK(fit.between(4, 8).by_cores == Approx(eight).epsilon(0.02));
  const Contention none = fit_contention({{1, 1, 0.1}, {2, 1.1, 0.1}}, 0.5);
  CHECK_FALSE(none.is_seen());
  CHECK(none.between(2, 4).by_cores == 1);
  // What took no longer, to 1 %, on twice the threads is nearly free of storage's queue.
  const Contention free = fit_contention({{1, 1, 0.005}, {2, 1, 0.005}}, 0);
  CHECK_FALSE(free.is_seen());
  CHECK(free.storage < 0.2);
  CHECK(slowdown_at(load_with(2, 0), 2, free.storage).contended < 1.3);
  CHECK(slowdown_at(load_with(2, 0), 2, 0).contended == Approx(1));
  CHECK(slowdown_at(load_with(2, 0), 2).contended == Approx(2).epsilon(0.01));
  CHECK(is_absent(fit_contention({{2, 1, 0}, {2.1, 2, 0}}, 1).least));  // one size
}

TEST_CASE("The band of one recorded run holds the next size, and says what would settle it") {
  const OpenSession session = recorded({"scale-1", "scale-2", "scale-4"});
  const double measured[] = {28.45, 14.49, 17.40};  // [s] at 1, 2, 4 cores
  for (std::size_t run : {0U, 1U}) {
    CAPTURE(run);
    const std::string next = run == 0 ? "2" : "4";
    const Table table = session.ask("whatif", {}, option("cores", next), run);
    CHECK(table.number("elapsed_low", 1) < measured[run + 1]);
    CHECK(table.number("elapsed_high", 1) > measured[run + 1]);
    CHECK(is_absent(table.number("elapsed", 1)));
    const std::string unseen(table.text("unseen", 1));
    CAPTURE(unseen);
    CHECK(unseen.ends_with("a recording of one minute with " + next + " cores would settle it"));
  }
  // With the recording of that size at hand, nothing is left to guess.
  const Table all = session.ask_all("whatif", option("cores", "4"));
  CHECK(all.number("elapsed", 1) == Approx(17.40).epsilon(0.01));
  CHECK(all.number("measured", 1) == Approx(17.40).epsilon(0.001));
  CHECK(is_absent(session.ask_all("whatif", option("cores", "8")).number("measured", 1)));
}

TEST_CASE("All who are asked the same say the same") {
  for (const char* name : {"ab-before", "adaptive", "local-4x1", "skipbad"}) {
    CAPTURE(name);
    const OpenSession session = recorded({name});
    const Run& run = session.run();
    const Table whatif = session.ask("whatif");
    const double elapsed = replay_trace_of(run, {}).elapsed;

    // The best order: in the tail, too.
    const Table tail = session.ask("tail");
    CHECK(elapsed - cell(whatif, "longest chunks first", "elapsed") ==
          Approx(tail.number("end", 0) - tail.number("ideal_end", 0)).margin(1e-6));

    // A part twice as fast: in the core-time, too.
    const Table part =
        session.ask("core_time_part", {}, options_of({{"under", "available/outside_process"}}));
    CHECK(elapsed - cell(whatif, "half the time outside process()", "elapsed") ==
          Approx(number_note(part, "saves")).margin(1e-6));
    const std::string dataset(session.ask("datasets").text("name", 0));
    const Table faster =
        session.ask("whatif", {}, options_of({{"part", "dataset:" + dataset}, {"times", "2"}}));
    const Table slice = session.ask(
        "core_time_part", {},
        options_of({{"by", "datasets"}, {"under", "available/inside_process/" + dataset}}));
    CHECK(elapsed - cell(faster, "dataset:", "elapsed") ==
          Approx(number_note(slice, "saves")).margin(1e-6));

    // Any part that core-time takes apart and whatif can name.
    for (const char* by : {"sections", "functions"}) {
      const Table tree = session.ask("core_time_tree", {}, option("by", by));
      const std::string kind = std::string(by, std::string_view(by).size() - 1);
      for (std::size_t row = 0; row < tree.rows(); ++row) {
        if (tree.text("kind", row) != kind) continue;
        const std::string id(tree.text("id", row));
        const std::string label(tree.text("label", row));
        CAPTURE(id);
        // One that stands in several places is more than each of them.
        std::size_t places = 0;
        for (std::size_t other = 0; other < tree.rows(); ++other)
          places += tree.text("kind", other) == kind && tree.text("label", other) == label ? 1 : 0;
        if (label == "overlapping sections" || places != 1 ||
            !id.starts_with("available/inside_process/"))
          continue;
        const Table node =
            session.ask("core_time_part", {}, options_of({{"by", by}, {"under", id}}));
        const Table asked =
            session.ask("whatif", {}, options_of({{"part", kind + ":" + label}, {"times", "2"}}));
        const double sooner = elapsed - cell(asked, kind + ":", "elapsed");
        CHECK(sooner == Approx(number_note(node, "saves")).epsilon(0.02).margin(0.01));
        break;
      }
    }

    // The curve of a scaling study.
    const Table curve =
        session.ask("scaling_curve", {}, options_of({{"to", "8"}, {"points", "8"}}));
    const Table eight = session.ask("whatif", {}, option("cores", "8"));
    CHECK(curve.number("high", 7) * eight.number("elapsed_low", 1) ==
          Approx(curve.number("low", 7) * eight.number("elapsed_high", 1)));
    if (!is_absent(eight.number("elapsed", 1)))
      CHECK(curve.number("likely", 7) * eight.number("elapsed", 1) ==
            Approx(curve.number("low", 7) * eight.number("elapsed_high", 1)));

    // What no cluster, and no order, goes below.
    const Table bounds = session.ask("bounds");
    const Table huge = session.ask("whatif", {}, option("cores", "100000"));
    CHECK(bounds.number("elapsed", row_of(bounds, "bound", "infinite")) <=
          huge.number("ideal", 1) * 1.02);
    CHECK(bounds.number("elapsed", row_of(bounds, "bound", "perfect")) <=
          cell(whatif, "longest chunks first", "elapsed") * 1.02);

    // Chunk sizes.
    const Table sizes = session.ask("chunk_sizes");
    for (std::size_t row = 0; row < sizes.rows(); ++row) {
      if (sizes.number("present", row) == 1) continue;
      const Table asked =
          session.ask("whatif", {},
                      option("chunk_events",
                             std::to_string(static_cast<long>(sizes.number("chunk_events", row)))));
      const double told = sizes.number("elapsed", row);  // or neither
      CHECK(is_absent(cell(asked, "chunks of ", "elapsed")) == is_absent(told));
      if (!is_absent(told)) CHECK(cell(asked, "chunks of ", "elapsed") == Approx(told));
      CHECK(cell(asked, "chunks of ", "elapsed_high") == Approx(sizes.number("elapsed_high", row)));
    }

    // Findings.
    const diagnose::RunFacts facts(run, {});
    for (const Finding& finding : find_findings(run, {})) {
      const char* scenario = finding.cause == FindingCause::stragglers  ? "without stragglers"
                             : finding.cause == FindingCause::lost_work ? "no repeated work"
                             : finding.cause == FindingCause::late_workers
                                 ? "all cores and chunks ready"
                                 : nullptr;
      if (scenario == nullptr || is_absent(finding.gain_core_seconds)) continue;
      CAPTURE(id_of(finding.cause));
      CHECK(finding.gain_core_seconds <=
            std::max(0.0, elapsed - cell(whatif, scenario, "elapsed")) * facts.cores + 1e-6);
      // The same replay: a finding and its scenario save the same.
      if (finding.cause != FindingCause::late_workers)
        CHECK(finding.gain_elapsed == Approx(elapsed - cell(whatif, scenario, "elapsed")));
    }
  }
}

TEST_CASE("Bounds by hand: two chunks of 2 and 3 s, with a second of other time each") {
  const OpenSession session("metrics.json", small_metrics());
  const Table table = session.ask("bounds");
  // Outside process() 6 − 5 = 1 s and 1 s of lambda: half a second of each per chunk. The first
  // begins at 0; nothing comes after the last.
  REQUIRE(table.rows() == 4);
  CHECK(table.number("elapsed", 0) == Approx(4));
  CHECK(table.number("elapsed", 2) == Approx(3.5));  // the longest chunk with what is outside of it
  // No finding's "the longest took 3 s" is denied.
  CHECK(table.text_note("advice").ends_with("the longest chunk and its task take 3.5 s"));
  CHECK(table.number("elapsed", 3) == Approx(7));  // 2 + 3 + 4 x 0.5
  CHECK(table.number("elapsed", 1) <= 4);
  CHECK(table.number("elapsed", 1) >= table.number("elapsed", 2));
}

TEST_CASE("The efficiency of a run is the product of its factors") {
  const char* factors[] = {"load_balance", "start_and_end", "scheduling",
                           "outside",      "lost",          "on_cpu"};
  for (const char* name : {"adaptive", "scale-4", "no-tracking", "skipbad", "no-decorator"}) {
    CAPTURE(name);
    const Table table = recorded({name}).ask("efficiency");
    REQUIRE(table.rows() == 1);
    double product = 1;
    for (const char* factor : factors) {
      CAPTURE(factor);
      const double value = table.number(factor, 0);
      if (is_absent(value)) continue;
      CHECK(value >= 0);
      CHECK(value <= 1);
      product *= value;
    }
    if (is_absent(table.number("useful", 0))) continue;
    CHECK(table.number("useful", 0) == Approx(product));
    CHECK(table.number("useful_seconds", 0) == Approx(product * table.number("available", 0)));
  }
  // 10 core-seconds, 7 of them tasks, 5 in process(), two thirds of the processor's on a CPU.
  const Table small = OpenSession("metrics.json", small_metrics()).ask("efficiency");
  CHECK(small.number("useful_seconds", 0) == Approx(5 * 4.0 / 6));
  CHECK(small.number("outside", 0) == Approx(5.0 / 7));
}

TEST_CASE("Only runs of the same work enter a fit; what keeps the others out is said") {
  const OpenSession session = recorded({"scale-1", "scale-2", "scale-4", "ab-before", "adaptive"});
  const Table table = session.ask_all("scaling");
  CHECK(number_note(table, "sizes") == 3);
  int out = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string run(table.text("run", row));
    const bool is_of_series = run.find("scale") != std::string::npos;
    CHECK(table.text("differs", row).empty() == is_of_series);
    out += is_of_series ? 0 : 1;
  }
  CHECK(out == 2);
  // Nor do they tell anything about another's sizes.
  const Table alone = session.ask("whatif", {}, option("cores", "8"));
  const Table among = session.ask_all("whatif", option("cores", "8"));
  CHECK(among.rows() == alone.rows());
}

TEST_CASE("A run whose workers came and went has a scaling curve of its own") {
  const OpenSession session = recorded({"adaptive"});
  const Table table = session.ask("scaling", {}, option("within", "true"));
  // It had 2 to 5 workers, on a machine of two cores.
  REQUIRE(table.rows() == 4);
  CHECK(table.number("cores", 0) == 2);
  CHECK(table.number("cores", 3) == 5);
  CHECK(number_note(table, "knee") == Approx(2).epsilon(0.25));
  CHECK(recorded({"scale-2"}).ask("scaling", {}, option("within", "true")).rows() == 0);
  // So it is known what more cores would do.
  const Table whatif = session.ask("whatif", {}, option("cores", "8"));
  CHECK_FALSE(is_absent(whatif.number("elapsed", 1)));
  CHECK(whatif.number("elapsed", 1) > whatif.number("ideal", 1));
}

TEST_CASE(
    "Where nothing tells how long tasks computed, a prediction does not say they did not wait") {
  const OpenSession session("metrics.json",
                            without(without(small_metrics(), "raw_span_metrics"), "worker_cpu"));
  const Table table = session.ask("whatif", {}, option("cores", "4"));
  REQUIRE(table.rows() > 1);
  const std::string seen(table.text("seen", 1));
  CAPTURE(seen);
  CHECK(seen.ends_with("how long tasks computed was not recorded"));
}

TEST_CASE("A study says in a sentence whether more cores helped, which factor fell, and the knee") {
  const OpenSession session = recorded({"scale-1", "scale-2", "scale-4"});
  const Table table = session.ask_all("scaling");
  const std::string sentence(note(table, "sentence"));
  CAPTURE(sentence);
  CHECK(sentence == "2 cores were best: 50.2 kHz. 4 cores gave 41.8 kHz, 40.9 % of ideal");
  CHECK(note(table, "limits")
            .starts_with("The share of task time on a CPU fell from 92.5 % to 42.8 %. "));
  // The machine has two cores.
  CHECK(number_note(table, "knee_low") < 2.3);
  CHECK(number_note(table, "knee_high") > 1.7);
  CHECK(number_note(table, "knee") == Approx(2).epsilon(0.3));
  const std::string why(note(session.ask_all("efficiency"), "sentence"));
  CAPTURE(why);
  CHECK(why.ends_with("mostly because the share of task time on a CPU fell from 92.5 % to 42.8 %"));
  // One size alone says nothing of others.
  CHECK(note(session.ask("scaling"), "sentence").empty());
  // From 25.56 kHz to 50.19 kHz the second core gave 24.63 kHz.
  CHECK(
      note(recorded({"scale-1", "scale-2"}).ask_all("scaling"), "sentence") ==
      "2 cores gave 50.2 kHz, 98.2 % of ideal. From 1 to 2 cores each added core gave 96 % of the "
      "first");
}

TEST_CASE("The band of a study holds what was measured") {
  const OpenSession session = recorded({"scale-1", "scale-2", "scale-4"});
  const Table study = session.ask_all("scaling");
  const Table curve = session.ask_all("scaling_curve", options_of({{"to", "7"}, {"points", "7"}}));
  for (std::size_t run = 0; run < 3; ++run) {
    const auto row = static_cast<std::size_t>(std::round(study.number("cores", run))) - 1;
    CAPTURE(run);
    CHECK(curve.number("low", row) <= study.number("rate", run));
    CHECK(curve.number("high", row) >= study.number("rate", run));
    CHECK(curve.number("likely", row) == Approx(study.number("rate", run)).epsilon(0.02));
  }
}

TEST_CASE("A host of twice the throughput: between nothing and all of its chunks' waiting") {
  const OpenSession session = recorded({"ab-before"});
  const std::string host(session.ask("hosts").text("name", 0));
  const Table twice =
      session.ask("whatif", {}, options_of({{"part", "throughput:" + host}, {"times", "2"}}));
  const std::size_t row = row_of(twice, "scenario", "throughput:");
  const double elapsed = replay_trace_of(session.run(), {}).elapsed;
  CHECK(twice.number("elapsed", row) < elapsed);
  CHECK(twice.number("elapsed_high", row) > elapsed);  // by what recordings differ
  const Table all =
      session.ask("whatif", {}, options_of({{"part", "host:" + host}, {"times", "2"}}));
  CHECK(twice.number("elapsed", row) > all.number("elapsed", row_of(all, "scenario", "host:")));
}

TEST_CASE("No lost workers: their cores stay, and nothing is done twice") {
  const Table table = recorded({"adaptive"}).ask("whatif");
  CHECK(cell(table, "no lost workers", "elapsed") <= cell(table, "no repeated work", "elapsed"));
  const Table none = recorded({"scale-2"}).ask("whatif");
  CHECK_THROWS(cell(none, "no lost workers", "elapsed"));
}

TEST_CASE("Workers that were there when the last task began take more tasks, if there are more") {
  const OpenSession session(recorded_files("tutorial-after"));
  const double recorded = cell(session.ask("whatif"), "as recorded", "elapsed");
  // 0.35 core-s of it, 100 times as slow: 35 core-s on two cores
  const Table slower =
      session.ask("whatif", {}, options_of({{"part", "function:best_mass"}, {"times", "0.01"}}));
  CHECK(cell(slower, "function:best_mass", "elapsed_low") > recorded);
  CHECK(cell(slower, "function:best_mass", "elapsed_high") > recorded + 35.0 / 2);
}

TEST_CASE("The run as recorded took what it took, and a change of nothing saves nothing") {
  for (const char* name : {"ab-before", "adaptive", "scale-2", "skipbad"}) {
    CAPTURE(name);
    const OpenSession session = recorded({name});
    const Table table = session.ask("whatif");
    CHECK(cell(table, "as recorded", "elapsed") == Approx(session.run().elapsed));
    // No outside time is waited for in vain: nothing ends later than the run did.
    const Table bounds = session.ask("bounds");
    CHECK(bounds.number("elapsed", 0) == cell(table, "as recorded", "elapsed"));
  }
}

TEST_CASE("No prediction for any number of cores is below the bound that a sentence states") {
  for (const char* name : {"scale-1", "scale-2", "skipbad", "no-tracking"}) {
    CAPTURE(name);
    const OpenSession session = recorded({name});
    const Table bounds = session.ask("bounds");
    const double least = bounds.number("elapsed_low", 2);
    const std::string said = note(bounds, "advice");
    CHECK((said.find(format_seconds(least)) != std::string::npos) == (least > 0));
    const Table table =
        session.ask("whatif", {}, options_of({{"cores", "1,2,4,8,16,64,256,1000,100000"}}));
    for (std::size_t row = 0; row < table.rows(); ++row) {
      CAPTURE(table.text("scenario", row));
      if (table.text("scenario", row).ends_with(" cores"))
        CHECK(table.number("elapsed_low", row) >= least * (1 - 1e-9));
    }
  }
}

TEST_CASE("The option processor tells the tail whose tasks are replayed, as it tells whatif") {
  const OpenSession session = recorded({"local-4x1"});
  std::vector<double> ideals;
  for (const char* processor : {"", "ZprimeProcessor", "reduce"}) {
    const Options options = *processor == 0 ? Options() : options_of({{"processor", processor}});
    const Table tail = session.ask("tail", {}, options);
    const Table whatif = session.ask("whatif", {}, options);
    ideals.push_back(tail.number("ideal_makespan", 0));
    // With a wrong processor the replay is so far off that whatif withholds the number.
    const double first = cell(whatif, "longest chunks first", "elapsed");
    if (is_absent(first)) continue;
    CHECK(cell(whatif, "as recorded", "elapsed") - first ==
          Approx(tail.number("actual_makespan", 0) - ideals.back()));
  }
  CHECK(ideals[0] == ideals[1]);
  CHECK(ideals[0] != ideals[2]);
}
