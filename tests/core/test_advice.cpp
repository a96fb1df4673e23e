#include <cmath>

#include "catch.hpp"
#include "core/compare/speed_ratio.hpp"
#include "core/report/answer_text.hpp"
#include "tests/core/drawn_tree.hpp"
#include "tests/core/small_run.hpp"

using namespace crema;
using namespace crema::diagnose;
using namespace crema::compare;
using namespace crema::report;
using test::SmallRun;

namespace {

const Options quiet(std::map<std::string, std::string>{{"run_spread", "0.001"}});

std::vector<Advice> advised(SmallRun& small, const Options& options = {}) {
  small.run.facts = {};  // the test has changed the run since
  return find_advice(small.run, options);
}

}  // namespace

TEST_CASE("A run with nothing to complain about is given no advice") {
  SmallRun small;
  CHECK(advised(small).empty());
  CHECK(advised(small, quiet).empty());
  CHECK(code_block(small.run, {}, {}).empty());
}

TEST_CASE("Four threads that share two cores: half as many may take as long, or wait as they did") {
  SmallRun small;
  small.set_activity("thread-cpu", 79);
  small.set_activity("thread-noncpu", 79);
  small.draw_profile("root 100\n  process@analysis.py 100\n    fill@analysis.py 100\n");
  for (std::size_t w = 0; w < SmallRun::workers; ++w) {
    small.run.workers.host[w] = small.id("node1");
    small.run.workers.nthreads[w] = 1;
    small.set_series(Series::cpu, w, 0.5);
  }
  const std::vector<Advice> advice = advised(small, quiet);
  REQUIRE(advice.size() == 1);
  CHECK(advice[0].setting == Setting::workers);
  CHECK(advice[0].now == "4, 1");
  CHECK(advice[0].code == "client = Client(n_workers=2, threads_per_worker=1)");
  CHECK(advice[0].finding.cause == FindingCause::oversubscribed);
  CHECK(advice[0].cores == 2);
  // Where it was recorded how many CPUs they may use, it is as many.
  SmallRun recorded = small;
  auto& machine = recorded.run.recording.machine;
  machine.resize(40);
  for (std::size_t second = 0; second < 40; ++second) {
    using recorded_columns::Machine;
    machine.of(Machine::begin)[second] = static_cast<double>(second);
    machine.of(Machine::wall)[second] = 1;
    machine.of(Machine::usable)[second] = 3;
    machine.of(Machine::own)[second] = 3;
    machine.of(Machine::busy)[second] = 3;
  }
  REQUIRE(advised(recorded, quiet).size() == 1);
  CHECK(advised(recorded, quiet)[0].cores == 3);
  // Of a host that has more they need the others, and fewer threads gain nothing.
  SmallRun bound = recorded;
  for (std::size_t second = 0; second < 40; ++second) {
    using recorded_columns::Machine;
    bound.run.recording.machine.of(Machine::host)[second] = bound.id("node1");
    bound.run.recording.machine.of(Machine::cpus)[second] = 8;
  }
  CHECK(advised(bound, quiet).empty());
  // A limit on the CPU of each looks the same, and stays: then half as many take twice as long.
  const Run* run = &small.run;
  const Prediction two = predict_cluster({&run, 1}, quiet, {.cores = 2});
  CHECK(two.low < 41);
  CHECK(two.high > 79);
  CHECK(advice[0].expected.low == two.low);
  CHECK(advice[0].expected.high == two.high);
  // 160 core-s less those of two cores for 40 to 80 s, of which the middle of the logarithms
  // is 56.6.
  CHECK(advice[0].gain == Approx(160 - 2 * std::sqrt(40.0 * 80)).epsilon(0.02));
  CHECK(advised(small)[0].certainty == Certainty::possible);
  CHECK(code_block(small.run, {}, advice)
            .find("# 4 threads on node1 got only 2 cores.\n# Expected: ") == 0);
}

TEST_CASE("Where threads share one core or less, one is advised") {
  for (const double share : {0.2, 0.4}) {  // of four cores
    SmallRun small;
    small.set_activity("thread-cpu", 158 * share);
    small.set_activity("thread-noncpu", 158 * (1 - share));
    small.draw_profile("root 100\n  process@analysis.py 100\n    fill@analysis.py 100\n");
    for (std::size_t w = 0; w < SmallRun::workers; ++w) {
      small.run.workers.host[w] = small.id("node1");
      small.run.workers.nthreads[w] = 1;
      small.set_series(Series::cpu, w, share);
    }
    const std::vector<Advice> advice = advised(small, quiet);
    REQUIRE(advice.size() == 1);
    CHECK(advice[0].cores == (share < 0.25 ? 1 : 2));
  }
}

TEST_CASE("Threads that wait for the interpreter's lock become processes, as many") {
  SmallRun small;
  small.set_activity("thread-cpu", 79);
  small.set_activity("thread-noncpu", 79);
  small.draw_profile("root 100\n  process@analysis.py 100\n    isolate@analysis.py 100\n");
  for (std::size_t w = 0; w < SmallRun::workers; ++w) {
    small.set_series(Series::cores, w, 2);
    small.set_series(Series::executing, w, 2);
    small.set_series(Series::cpu, w, 1.1);
  }
  CHECK(advised(small).empty());  // four hosts: a batch system's, which no such line starts
  for (StringId& host : small.run.workers.host) host = small.id("node1");
  const std::vector<Advice> advice = advised(small);
  REQUIRE(advice.size() == 1);
  CHECK(advice[0].code == "client = Client(n_workers=8, threads_per_worker=1)");
  CHECK(advice[0].certainty == Certainty::possible);
  // Eight threads would have been done with these chunks in half the time: nothing is predicted
  // from such a replay.
  CHECK(is_absent(advice[0].expected.low));
  CHECK(is_absent(advice[0].expected.high));
}

TEST_CASE("Merging in a narrower tree is advised where it saves more than recordings differ") {
  SmallRun small;
  // 156 results in groups of 20: 8 merges, then 1; 164 inputs, the last 28 one after the other.
  // Of 8: 20, 3 and 1 merges of 179 inputs, the last 8 + 8 + 3 one after the other.
  small.activity("reduce", "thread-cpu", "seconds", 82);
  small.stream();
  for (std::size_t i = 0; i < 9; ++i) small.add_task("reduce", i, 0, 39, 39.1, 5000);
  CHECK(advised(small).empty());
  const std::vector<Advice> advice = advised(small, quiet);
  REQUIRE(advice.size() == 1);
  CHECK(advice[0].now == "20");
  CHECK(advice[0].code == "runner.executor.treereduction = 8");
  SmallRun futures = small;  // which have no such tree
  auto& tasks = futures.run.recording.tasks;
  tasks.resize(1);
  tasks.of(recorded_columns::Task::executor)[0] = futures.id("FuturesExecutor");
  CHECK(advised(futures, quiet).empty());
  CHECK(advice[0].expected.low == Approx(40 - 82.0 / 164 * (28 - 19 - 15.0 / 4)).epsilon(0.005));
}

TEST_CASE("Branches to preload are those that every chunk of a dataset reads") {
  SmallRun small;
  small.set_activity("thread-cpu", 79);
  small.set_activity("thread-noncpu", 79);
  small.draw_profile(R"(root 100
  process@analysis.py 100
    select@analysis.py 50
      array@/opt/lib/site-packages/uproot/behaviors/TBranch.py 50
        get@/usr/lib/python3.11/queue.py 50
    fill@analysis.py 50)");
  CHECK(advised(small).empty());  // which branches are read was not recorded
  Chunks& chunks = small.run.chunks;
  chunks.branch_sets = {{small.id("pt"), small.id("eta")}, {small.id("pt")}};
  for (std::size_t i = 0; i < chunks.size(); ++i) chunks.branch_set[i] = 0;
  std::vector<Advice> advice = advised(small);
  REQUIRE(advice.size() == 1);
  CHECK(advice[0].code ==
        R"(for name in ["data", "ttbar"]: fileset[name]["preload"] = ["eta", "pt"])");
  CHECK(advice[0].expected.high > 40);  // at worst as long, in another recording
  CHECK(is_absent(advice[0].expected.likely));
  // Who waits for something else is not helped.
  auto& tasks = small.run.recording.tasks;
  tasks.resize(1);
  using recorded_columns::Task;
  tasks.of(Task::kind)[0] = small.id("chunk");
  tasks.of(Task::wall)[0] = 1;
  tasks.of(Task::cpu)[0] = 0.5;
  tasks.of(Task::run_delay)[0] = 0.02;
  tasks.of(Task::request_wait)[0] = 0.01;
  CHECK(advised(small).empty());
  tasks = {};
  chunks.branch_set[0] = 1;  // of data
  advice = advised(small);
  REQUIRE(advice.size() == 1);
  CHECK(advice[0].code ==
        "for name in [\"ttbar\"]: fileset[name][\"preload\"] = [\"eta\", \"pt\"]\n"
        "for name in [\"data\"]: fileset[name][\"preload\"] = [\"pt\"]");
}

TEST_CASE("Workers that came near their limit need twice their peak") {
  SmallRun small;
  for (StringId& host : small.run.workers.host) host = small.id("node1");
  small.set_series(Series::memory, 1, 900e6);
  const std::vector<Advice> advice = advised(small);
  REQUIRE(advice.size() == 1);
  CHECK(advice[0].setting == Setting::memory_limit);
  CHECK(advice[0].now == "954 MiB");
  CHECK(advice[0].code == "client = Client(memory_limit=\"1.75 GiB\")");  // 14 x 128 MiB
  CHECK(is_absent(advice[0].gain));
}

TEST_CASE("How wide the tree of merges was is told by their number, of results and of files") {
  const auto advice = [](std::size_t merges, std::size_t files) {
    SmallRun small;
    small.activity("reduce", "thread-cpu", "seconds", 40);
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i)
      small.run.chunks.file[i] = small.id("f" + std::to_string(i % files));
    small.stream();
    for (std::size_t i = 0; i < merges; ++i) small.add_task("reduce", i, 0, 39, 39.1, 5000);
    const std::vector<Advice> found = advised(small, quiet);
    return found.empty() ? "" : found[0].now + " " + found[0].code;
  };
  // 156 results by two: 78 + 39 + 20 + 10 + 5 + 3 + 2 + 1 merges.
  CHECK(advice(158, 1) == "2 runner.executor.treereduction = 8");
  CHECK(advice(157, 1).starts_with("3 "));
  CHECK(advice(79, 1).starts_with("3 "));  // 52 + 18 + 6 + 2 + 1
  CHECK(advice(78, 1).starts_with("4 "));
  // The events of two files are merged, too: once.
  CHECK(advice(159, 2).starts_with("2 "));
  CHECK(advice(158, 2).starts_with("3 "));
}

TEST_CASE("Threads on a single CPU become one, where that is what they may use") {
  SmallRun small;
  small.set_activity("thread-cpu", 79);
  small.set_activity("thread-noncpu", 79);
  small.draw_profile("root 100\n  process@analysis.py 100\n    fill@analysis.py 100\n");
  using recorded_columns::Machine;
  auto& machine = small.run.recording.machine;
  machine.resize(40);
  for (std::size_t second = 0; second < 40; ++second) {
    machine.of(Machine::begin)[second] = static_cast<double>(second);
    machine.of(Machine::wall)[second] = 1;
    machine.of(Machine::usable)[second] = 1.2;
    machine.of(Machine::own)[second] = machine.of(Machine::busy)[second] = 1.2;
  }
  for (std::size_t w = 0; w < SmallRun::workers; ++w) {
    small.run.workers.host[w] = small.id("node1");
    small.set_series(Series::cpu, w, 0.3);
  }
  const std::vector<Advice> advice = advised(small, quiet);
  REQUIRE(advice.size() == 1);
  CHECK(advice[0].cores == 1);
}

TEST_CASE("Chunks that are mostly fixed cost are advised to be larger") {
  SmallRun small;
  // 0.8 s for nothing, and 10 µs for each of 10,000 or 30,000 events.
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
    small.run.chunks.events[i] = i % 4 < 2 ? 10000 : 30000;
    small.run.chunks.entry_start[i] = 0;
    small.run.chunks.entry_stop[i] = small.run.chunks.events[i];
    small.stretch(i, 0.8 + 1e-5 * small.run.chunks.events[i]);
  }
  const auto size = [&]() -> double {
    for (const Advice& one : advised(small, quiet)) {
      if (one.setting != Setting::chunk_size) continue;
      CHECK(one.finding.cause == FindingCause::small_chunks);
      return std::stod(one.code.substr(one.code.rfind(' ')));
    }
    return absent;
  };
  CHECK(size() > 30000);
  // Chunks that cost by the event alone are none.
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i)
    small.stretch(i, 1e-4 * small.run.chunks.events[i]);
  CHECK(is_absent(size()));
}
