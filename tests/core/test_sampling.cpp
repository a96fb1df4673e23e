#include "core/align/align.hpp"
#include "core/runtime/cluster.hpp"

#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::test;

namespace {

Selection between(double begin, double end) {
  Selection selection;
  selection.time = {begin, end};
  return selection;
}

}  // namespace

TEST_CASE("A value is held until the next tick, in a silence for one interval only") {
  Run run(std::make_shared<Names>());
  run.ticks = {0, 1, 2, 10};
  const std::vector<double> values{2, 4, 6, 8};
  CHECK(runtime::sampling_interval(run) == 1);
  // 2, 4 and 6 for a second each, then nothing
  CHECK(runtime::time_mean(run, 0, values, 0, 10) == 4);
  CHECK(runtime::time_mean(run, 0, values, 0.5, 1.5) == 3);
  CHECK(is_absent(runtime::time_mean(run, 0, values, 4, 9)));
}

TEST_CASE("Time means of the cluster, over the run and over a selected time") {
  const OpenSession session("metrics.json", small_metrics());
  const Table run = session.ask("timeline");
  CHECK(number_note(run, "interval") == 1);
  CHECK(number_note(run, "mean_cores") == 2.5);             // (3 + 3 + 2 x 2) / 4
  CHECK(number_note(run, "mean_executing_tasks") == 1.75);  // (1 + 2 + 2 x 2) / 4
  CHECK(number_note(run, "mean_cpu") == 0.75);              // (0.25 + 0.75 + 1 x 2) / 4
  const Table part = session.ask("timeline", between(0.5, 1.5));
  CHECK(number_note(part, "mean_cores") == 3);
  CHECK(number_note(part, "mean_executing_tasks") == 1.5);
  CHECK(number_note(part, "mean_cpu") == 0.5);
  // the second worker left before the tick at 2: one core and one task in two of four seconds
  Selection second;
  second.workers = {"tcp://10.0.0.2:1002"};
  const Table left = session.ask("timeline", second);
  CHECK(number_note(left, "mean_cores") == 0.5);
  CHECK(number_note(left, "mean_executing_tasks") == 0.5);
  // the tick at 0 is before the selected time, its value holds into it
  Selection one = between(0.5, 1.5);
  one.workers = {"tcp://10.0.0.1:1001"};
  CHECK(number_note(session.ask("worker_spread", one), "mean_of_mean") == 0.25);
}

TEST_CASE("A tracker that notes 0 running tasks at every tick has not seen them") {
  // Two tasks are assigned at 0, 1 and 2; the stream has one from 0.5 to 2.5.
  Run run(std::make_shared<Names>());
  const auto text = [&](const char* t) { return run.names->strings.intern(t); };
  run.ticks = {0, 1, 2};
  const std::size_t w = run.workers.intern(text("tcp://a:1"));
  for (std::size_t tick = 0; tick < 3; ++tick) {
    run.workers.of(Series::active_tasks, w).set(tick, 2);
    run.workers.of(Series::executing, w).set(tick, 0);
  }
  SECTION("counted where there is a stream") {
    run.tasks.key.push_back(text("P-1"));
    run.tasks.prefix.push_back(text("P"));
    run.tasks.worker.push_back(text("tcp://a:1"));
    run.tasks.thread.push_back(1);
    run.tasks.action.push_back(text("compute"));
    run.tasks.t0.push_back(0.5);
    run.tasks.t1.push_back(2.5);
    run.tasks.nbytes.push_back(absent);
    run.tasks.status.push_back(text("OK"));
    align::correct_executing(run);
    CHECK(run.workers.of(Series::executing, w).values == std::vector<double>{0, 1, 1});
  }
  SECTION("not recorded without one") {
    align::correct_executing(run);
    CHECK(run.workers.of(Series::executing, w).empty());
  }
  SECTION("0 where no task was assigned") {
    run.workers.of(Series::active_tasks, w) = {};
    align::correct_executing(run);
    CHECK(run.workers.of(Series::executing, w).values == std::vector<double>{0, 0, 0});
  }
}

TEST_CASE("A gap of three usual intervals is held, a longer one is not") {
  Run run(std::make_shared<Names>());
  run.ticks = {0, 1, 2, 5, 9, 10};
  run.elapsed = 12;
  const std::vector<double> values{0, 0, 6, 10, 0, 5};
  CHECK(runtime::sampling_interval(run) == 1);
  // 6 from 2 to 5, 10 from 5 to 6
  CHECK(runtime::time_mean(run, 0, values, 2, 9) == Approx(28.0 / 4));
  // the last value holds to the end of the run
  CHECK(runtime::time_mean(run, 0, values, 10, 20) == 5);
  // values of a worker that came at the third tick
  CHECK(runtime::time_mean(run, 2, std::vector<double>{6, 10}, 0, 9) == Approx(28.0 / 4));
  run.ticks = {3};
  CHECK(is_absent(runtime::sampling_interval(run)));
  run.ticks = {3, 5};
  CHECK(runtime::sampling_interval(run) == 2);
  run.ticks = {0, 1, 4, 6};  // the middle one of 1, 3 and 2
  CHECK(runtime::sampling_interval(run) == 2);
}

TEST_CASE("Steps: what holds at a moment, their integral and their mean") {
  const runtime::Steps steps{{1, 3, 6}, {2, absent, 4}, 10};
  CHECK(steps.at(0.5) == 0);
  CHECK(steps.at(1) == 2);
  CHECK(steps.at(2.9) == 2);
  CHECK(steps.at(3) == 0);
  CHECK(steps.at(6) == 4);
  CHECK(steps.integral(0, 10) == 2 * 2 + 4 * 4);
  CHECK(steps.integral(0, 20) == 2 * 2 + 4 * 4);
  CHECK(steps.integral(2, 7) == 2 + 4);
  CHECK(steps.integral(5, 5) == 0);
  CHECK(steps.mean(2, 7) == Approx(6.0 / 5));
  CHECK(steps.mean(0, 20) == Approx(20.0 / 9));
  CHECK(is_absent(steps.mean(10, 12)));
  CHECK(is_absent(steps.mean(0, 1)));
  CHECK(is_absent(runtime::Steps{}.mean(0, 1)));
  // moments between two others at which one of the two changes, with both ends
  const runtime::Steps other{{1, 2, 3, 5, 6}, {1, 1, 1, 1, 1}, 10};
  CHECK(runtime::edges_of(steps, other, 1, 6) == std::vector<double>{1, 2, 3, 3, 5, 6});
}

TEST_CASE("Workers send heartbeats the more seldom the more of them there are, as Dask has it") {
  const auto interval = [](double workers) {
    Run run(std::make_shared<Names>());
    run.ticks = {0, 1};
    run.worker_counts = {1, workers};
    return runtime::heartbeat_interval(run);
  };
  CHECK(interval(10) == 0.5);
  CHECK(interval(11) == 1);
  CHECK(interval(49) == 1);
  CHECK(interval(50) == 2);
  CHECK(interval(199) == 2);
  CHECK(interval(200) == 2);
  CHECK(interval(400) == 3);
}
