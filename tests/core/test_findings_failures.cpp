// Findings about attempts that failed, and what they cost.
#include "catch.hpp"
#include "core/report/answer_text.hpp"
#include "tests/core/recorded_run.hpp"

using namespace crema;
using test::add;
using test::has;
using test::set_rows;
using test::SmallRun;
using test::Task;
using test::Values;

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

TEST_CASE("Failures whose messages differ in a path or a numbered name alone are one way to fail") {
  SmallRun small;
  const auto fail = [&](const char* error, const char* message) {
    add(small.run.recording.tasks, {{Task::kind, small.id("chunk")},
                                    {Task::function, small.id("P")},
                                    {Task::status, small.id("failed")},
                                    {Task::error, small.id(error)},
                                    {Task::message, small.id(message)},
                                    {Task::file, small.id("a.root")},
                                    {Task::begin, 1},
                                    {Task::wall, 2}});
  };
  fail("OSError", "[Errno 5] Input/output error: '/store/a_212e5368_12000.npy'");
  fail("OSError", "[Errno 5] Input/output error: '/store/a_212e5368_24000.npy'");
  fail("RESOURCE_EXHAUSTION", "memory 2048 MB");
  fail("RESOURCE_EXHAUSTION", "memory 4096 MB");
  fail("KeyError", "'Jet_pt'");
  fail("KeyError", "'Muon_pt'");
  const std::vector<runtime::Failed> found = runtime::find_failures(small.run, {});
  REQUIRE(found.size() == 5);
  CHECK(found[0].attempts == 2);
  CHECK(found[0].message == "[Errno 5] Input/output error: '…'");
  CHECK(found[1].message == "memory 2048 MB");  // a limit is no name
  CHECK(found[3].message == "'Jet_pt'");
}

TEST_CASE("What a failed first task imported its process need not import again") {
  // Tasks of 2 s, a second of each in process(); the first of a process takes 3 s more.
  SmallRun small;
  const auto add_row = [&](const char* worker, const char* status, double begin, double wall) {
    add(small.run.recording.tasks, {{Task::kind, small.id("chunk")},
                                    {Task::function, small.id("P")},
                                    {Task::status, small.id(status)},
                                    {Task::error, small.id("OSError")},
                                    {Task::address, small.id(worker)},
                                    {Task::file, small.id("a.root")},
                                    {Task::begin, begin},
                                    {Task::wall, wall},
                                    {Task::process_wall, 1}});
  };
  for (std::size_t i = 0; i < 10; ++i) add_row("A", "ok", 10.0 + i, i == 0 ? 5 : 2);
  add_row("B", "failed", 1, 5);
  CHECK(small.find("failed-tasks")->core_seconds == Approx(2));
  add_row("B", "failed", 8, 2);
  CHECK(small.find("failed-tasks")->core_seconds == Approx(4));
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
