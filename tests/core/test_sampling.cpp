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
