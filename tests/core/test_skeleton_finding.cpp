// The finding that newcomers copy is found, ranked and worded as those of the list are.
#include "tests/core/small_run.hpp"

#include "catch.hpp"
#include "core/diagnose/rules.hpp"

namespace crema::diagnose::rules {
std::vector<Finding> retried(const RunFacts& f);
}

#include "tests/skeletons/finding.cpp"

using namespace crema;
using namespace crema::diagnose;
using test::SmallRun;

TEST_CASE("The skeleton of a finding: a file and a line") {
  constexpr CauseFields line{FindingCause::failed_tasks,
                             "retried",
                             "Timelines",
                             Recording::task_stream,
                             CostIn::lost_work,
                             Grounds::measured,
                             Lasting::passes,
                             "tasks that ran more than once",
                             "{share} of the core-time was spent on {retried} tasks",
                             "{cost} in vain, {slowest} in one attempt."};
  const ListedRule list[] = {{line.cause, rules::retried}};
  SmallRun small;
  small.stream();
  CHECK(apply(list, RunFacts(small.run, {})).empty());
  // The tasks of chunks 0 and 1 ran again: of 160 core-s two were for nothing.
  small.add_task("P", 0, 3, 39.5, 40, 5000);
  small.add_task("P", 1, 3, 39.5, 40, 5000);
  small.run.facts = {};
  const std::vector<Finding> found = apply(list, RunFacts(small.run, {}));
  REQUIRE(found.size() == 1);
  CHECK(found[0].cause == line.cause);
  CHECK(found[0].severity == Severity::low);
  CHECK(found[0].core_seconds == Approx(2));
  CHECK(found[0].share == Approx(2.0 / 160));
  CHECK(found[0].gain_core_seconds <= 2);
  const report::FindingText text = report::text_of(found[0], line);
  CHECK(text.title == "1.3 % of the core-time was spent on 2 tasks");
  CHECK(text.evidence == "2 core-s in vain, 1 s in one attempt.");
}
