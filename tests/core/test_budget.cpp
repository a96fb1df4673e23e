#include "core/runtime/core_time.hpp"

#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::runtime;
using namespace crema::test;

namespace {

/// The parts of one split as "part=core-seconds", in order.
std::string parts(const Table& budget, const std::string& split = "phase") {
  std::string text;
  for (std::size_t row = 0; row < budget.rows(); ++row) {
    if (budget.text("split", row) != split) continue;
    char number[32];
    std::snprintf(number, sizeof number, "%g", budget.number("core_seconds", row));
    text += (text.empty() ? "" : ", ") + std::string(budget.text("part", row)) + "=" + number;
  }
  return text;
}

Table budget_of(const std::string& text, const Selection& selection = {},
                const Options& options = {}) {
  return OpenSession("metrics.json", text).ask("budget", selection, options);
}

const std::string scheduler_info =
    R"({"type": "Scheduler", "workers": {"tcp://10.0.0.1:1001": {"nthreads": 2}, "tcp://10.0.0.2:1002": {"nthreads": 1}}})";

}  // namespace

TEST_CASE(
    "The core-time is split into process(), the rest of the processor's tasks, lost work, other "
    "tasks and idle") {
  const Table budget = budget_of(small_metrics());
  CHECK(parts(budget, "whole") == "available=10");
  CHECK(parts(budget) == "inside_process=5, outside_process=1, lost_work=0, task:lambda=1, idle=3");
  CHECK(budget.number("fraction", budget.row_of("part", "idle")) == Approx(0.3));
  for (std::size_t row = 0; row < budget.rows(); ++row)
    CHECK_FALSE(budget.text("source", row).empty());
}

TEST_CASE("The core-time is split by activity, too, and process() by sections") {
  const Table budget = budget_of(small_metrics());
  CHECK(parts(budget, "activity") ==
        "activity:thread-cpu=5, activity:thread-noncpu=2, activity_idle=3");
  CHECK(parts(budget, "section") == "section:load=1.5, section:fill=2.5, unaccounted=1");
  CHECK(budget.text("parent", budget.row_of("part", "section:load")) == "inside_process");
}

TEST_CASE("Dask's own idle stands beside ours and is no part") {
  const Table budget = budget_of(small_metrics());
  CHECK(!is_absent(number_note(budget, "dask_idle")));
  CHECK(budget.row_of("part", "task:N/A") == budget.rows());
}

TEST_CASE("Executions beyond the submitted chunks are lost work") {
  // Four executions of 1.5 s, two chunks submitted: 3 s were done twice; of the other 3 s, 2 s are
  // inside process().
  std::string text = with(small_metrics(), "'count')\": 2,", "'count')\": 4,");
  text = with(text, "\"t_end\": 1795255204.0", "\"t_end\": 1795255201.0");
  CHECK(parts(budget_of(text)) ==
        "inside_process=2, outside_process=1, lost_work=3, task:lambda=1, idle=3");
}

TEST_CASE("Attempts that failed are lost work, and no time outside process()") {
  // Of 6 s of the processor's tasks 2 s were in process() and 2 s in attempts that failed.
  std::string text = with(small_metrics(), "'thread-noncpu', 'seconds'", "'failed', 'seconds'");
  text = with(text, "\"t_end\": 1795255204.0", "\"t_end\": 1795255201.0");
  CHECK(parts(budget_of(text)) ==
        "inside_process=2, outside_process=2, lost_work=2, task:lambda=1, idle=3");
}

TEST_CASE("A task stream that holds fewer executions than were counted is not exact") {
  // The stream has one execution twice (1 s lost); four executions were counted, so that its
  // beginning is cut off.
  const std::string text = with(small_metrics(), "'count')\": 2,", "'count')\": 4,");
  const auto stream = [](const char* key, int t0) {
    return std::string("{\"key\": \"") + key +
           "-0f3a0f3a0f3a0f3a0f3a0f3a0f3a0f3a\", \"worker\": \"tcp://a:1\", \"thread\": 1, " +
           "\"status\": \"OK\", \"nbytes\": 1, \"startstops\": [{\"action\": \"compute\", "
           "\"start\": " +
           std::to_string(1795255200 + t0) + ", \"stop\": " + std::to_string(1795255201 + t0) +
           "}]}";
  };
  const std::string twice = stream("P", 0) + "," + stream("P", 2);
  const OpenSession cut(
      std::vector<File>{{"run/metrics.json", text}, {"run/task_stream.json", "[" + twice + "]"}});
  const LostWork lost = find_lost_work(cut.run(), cut.run().names->strings.find("P"), 6);
  CHECK_FALSE(lost.exact);
  CHECK(lost.core_seconds == Approx(3));  // as without the stream
  CHECK(notes(cut.ask("quality"), "task-stream-cut"));
  const OpenSession whole(std::vector<File>{{"run/metrics.json", small_metrics()},
                                            {"run/task_stream.json", "[" + twice + "]"}});
  const LostWork exact = find_lost_work(whole.run(), whole.run().names->strings.find("P"), 6);
  CHECK(exact.exact);
  CHECK(exact.core_seconds == Approx(1));
  CHECK_FALSE(notes(whole.ask("quality"), "task-stream-cut"));
}

TEST_CASE("A part that comes out negative is 0, with the amount in a data note") {
  // Three executions of 2 s: 2 s were done twice, so that outside would be 6 − 5 − 2 = −1.
  const std::string text = with(small_metrics(), "'count')\": 2,", "'count')\": 3,");
  const OpenSession session("metrics.json", text);
  const Table budget = session.ask("budget");
  CHECK(parts(budget) == "inside_process=5, outside_process=0, lost_work=2, task:lambda=1, idle=3");
  CHECK(budget.number("shortfall", budget.row_of("part", "outside_process")) == Approx(1));
  CHECK(notes(session.ask("quality"), "negative-part"));
  CHECK_FALSE(notes(OpenSession("metrics.json", small_metrics()).ask("quality"), "negative-part"));
}

TEST_CASE("Tasks beyond the available core-time leave idle at 0, with a data note") {
  const OpenSession session("metrics.json", with(small_metrics(), "\"elapsed_time_seconds\": 4.0",
                                                 "\"elapsed_time_seconds\": 2.0"));
  const Table budget = session.ask("budget");
  CHECK(core_seconds(budget, "available") == Approx(6));
  CHECK(core_seconds(budget, "idle") == 0);
  CHECK(budget.number("shortfall", budget.row_of("part", "idle")) == Approx(1));
  CHECK(notes(session.ask("quality"), "negative-part"));
}

TEST_CASE("Without spans there is process() and everything else") {
  const Table budget = budget_of(without(small_metrics(), "raw_span_metrics"));
  CHECK(parts(budget) == "inside_process=5, not_in_process=5");
  CHECK(parts(budget, "activity").empty());
}

TEST_CASE("Without chunks there are tasks and idle") {
  const Table budget = budget_of(without(small_metrics(), "raw_chunk_metrics"));
  CHECK(parts(budget) == "processor_tasks=6, task:lambda=1, idle=3");
}

TEST_CASE("With tracking alone there is the whole") {
  const Table budget =
      budget_of(without(without(small_metrics(), "raw_chunk_metrics"), "raw_span_metrics"));
  CHECK(parts(budget, "whole") == "available=10");
  CHECK(parts(budget).empty());
}

TEST_CASE("Without tracking the cores are the scheduler's threads x elapsed, marked estimated") {
  const OpenSession session(
      std::vector<File>{{"m/metrics.json", without(small_metrics(), "tracking_data")},
                        {"m/scheduler_info.json", scheduler_info}});
  const Table budget = session.ask("budget");
  CHECK(parts(budget, "whole") == "available=12");
  CHECK(parts(budget) == "inside_process=5, outside_process=1, lost_work=0, task:lambda=1, idle=5");
  CHECK_FALSE(note(budget, "estimated").empty());
  CHECK(notes(session.ask("quality"), "cores-estimated"));
}

TEST_CASE("Without tracking and scheduler info there are parts without a whole") {
  const Table budget = budget_of(without(small_metrics(), "tracking_data"));
  CHECK(parts(budget, "whole").empty());
  CHECK(parts(budget) == "inside_process=5, outside_process=1, lost_work=0, task:lambda=1");
  CHECK(is_absent(budget.number("fraction", 0)));
  CHECK_FALSE(note(budget, "missing").empty());
}

TEST_CASE("Without the count of executions lost work is not known, and the part it is in says so") {
  const Table budget =
      budget_of(with(small_metrics(), "\"('execute', 'P', 'memory-read', 'count')\": 2,", ""));
  CHECK(parts(budget) == "inside_process=5, outside_process=1, task:lambda=1, idle=3");
  CHECK(budget.text("source", budget.row_of("part", "outside_process")).find("repeated work") !=
        std::string_view::npos);
}

TEST_CASE("Which prefix is the processor can be chosen") {
  const Table budget = budget_of(small_metrics(), {}, option("processor", "lambda"));
  CHECK(core_seconds(budget, "task:P") == 6);
  CHECK(core_seconds(budget, "outside_process") ==
        0);  // 1 s of lambda is less than 5 s inside process()
}

TEST_CASE(
    "The processor is the prefix whose CPU time roastcoffea stored, else the one with most time, "
    "marked as a guess") {
  const std::string longer = with(small_metrics(), "'lambda', 'thread-cpu', 'seconds')\": 1.0",
                                  "'lambda', 'thread-cpu', 'seconds')\": 7.0");
  CHECK(note(budget_of(longer), "processor").find("P: recognised") == 0);
  const OpenSession session("metrics.json",
                            with(longer, "\"processor_cpu_time_seconds\": 4.0", "\"x\": 4.0"));
  CHECK(note(session.ask("budget"), "processor").find("lambda: guessed") == 0);
  CHECK(notes(session.ask("quality"), "processor-guessed"));

  // Where its tasks raised, Dask counts their time as "failed": P has 4 s of it, lambda 1 s of its
  // thread's.
  std::string failed = with(small_metrics(), "\"processor_cpu_time_seconds\": 4.0", "\"x\": 4.0");
  failed = with(failed, "'P', 'thread-cpu'", "'P', 'failed'");
  failed = with(failed, "'P', 'thread-noncpu', 'seconds')\": 2.0", "'P', 'x', 'seconds')\": 0.0");
  CHECK(note(budget_of(failed), "processor").find("P: guessed") == 0);
}

TEST_CASE("Sections that overlap are not summed up to an unaccounted rest") {
  const std::string text = with(small_metrics(), "\"timing\": {\"load\": 0.5, \"fill\": 1.0}",
                                "\"timing\": {\"load\": 1.9, \"fill\": 1.0}");
  CHECK(parts(budget_of(text), "section") == "section:load=2.9, section:fill=2.5");
}

TEST_CASE("Under a time selection the parts are those of that time, as in the tree") {
  Selection selection;
  selection.time = Selection::TimeRange{0, 2};
  const OpenSession session("metrics.json", small_metrics());
  const Table budget = session.ask("budget", selection);
  const Table tree = session.ask("core_time_tree", selection);
  CHECK(core_seconds(budget, "available") == Approx(6));
  CHECK(core_seconds(budget, "inside_process") == Approx(1.5 + 1));
  double sum = 0;
  for (const std::string part :
       {"inside_process", "outside_process", "lost_work", "other_tasks", "idle"}) {
    CHECK(core_seconds(budget, part) ==
          tree.number("core_seconds", tree.row_of("id", "available/" + part)));
    sum += core_seconds(budget, part);
  }
  CHECK(sum == Approx(6));
  CHECK(budget.row_of("part", "not_in_process") == budget.rows());
}

TEST_CASE("Without fine metrics a selected time is process() and the rest") {
  Selection selection;
  selection.time = Selection::TimeRange{0, 2};
  const Table budget = budget_of(without(small_metrics(), "raw_span_metrics"), selection);
  CHECK(parts(budget) == "inside_process=2.5, not_in_process=3.5");
}

TEST_CASE("Of selected workers the task stream tells what their cores did") {
  // Worker b has one thread for two of four seconds; P took 1.5 s on it, of which 0.5 s are in the
  // first second.
  const std::string stream =
      R"([{"key": "P-0f3a0f3a0f3a0f3a0f3a0f3a0f3a0f3a", "worker": "tcp://10.0.0.2:1002", "thread": 1,
        "status": "OK", "startstops": [{"action": "compute", "start": 1795255200.5, "stop": 1795255202}]}])";
  const OpenSession session(
      std::vector<File>{{"run/metrics.json", small_metrics()}, {"run/task_stream.json", stream}});
  Selection selection;
  selection.workers = {"tcp://10.0.0.2:1002"};
  CHECK(parts(session.ask("budget", selection)) == "processor_tasks=1.5, other_tasks=0, idle=0.5");
  const Table bins = session.ask("core_time_bins", selection, option("bins", "4"));
  REQUIRE(bins.row_of("part", "processor_tasks") < bins.rows());
  CHECK(note(bins, "selection").find("cannot") == std::string::npos);
  selection.time = Selection::TimeRange{0, 1};
  CHECK(parts(session.ask("budget", selection)) == "processor_tasks=0.5, other_tasks=0, idle=0.5");
}

TEST_CASE("Budget: eighty thousand task prefixes are summed in one walk") {
  std::string spans;
  constexpr int prefixes = 80000;
  for (int i = 0; i < prefixes; ++i)
    spans += (i == 0 ? "" : ", ") +
             ("\"('execute', 'p" + std::to_string(i) + "', 'thread-cpu', 'seconds')\": 0.5");
  const Table budget = budget_of("{\"raw_span_metrics\": {" + spans + "}}");
  std::size_t tasks = 0;
  for (std::size_t row = 0; row < budget.rows(); ++row)
    tasks += budget.text("part", row).substr(0, 5) == "task:" ? 1 : 0;
  CHECK(tasks == prefixes - 1);  // one is taken for the processor
  CHECK(core_seconds(budget, "activity:thread-cpu") == prefixes * 0.5);
}

TEST_CASE("What the bars of the budget end at: 10 core-s, 6 of them the processor's tasks") {
  const Table budget = OpenSession("metrics.json", small_metrics()).ask("budget");
  CHECK(number_note(budget, "whole") == 10);
  CHECK(number_note(budget, "processor_seconds") == 6);
  CHECK(number_note(budget, "processor_share") == Approx(0.6));
  CHECK(budget.number("small", budget.row_of("part", "task:lambda")) == 0);
}

TEST_CASE("A chunk list that is empty tells nothing of process(): it is not 0 %") {
  std::string text = small_metrics();
  const auto begin = text.find("\"raw_chunk_metrics\": [") + 22;
  text.erase(begin, text.find("],\n \"raw_span_metrics\"") - begin);
  const OpenSession session("metrics.json", text);
  REQUIRE(session.run().chunks.size() == 0);
  const Table budget = session.ask("budget");
  CHECK(budget.row_of("part", "inside_process") == budget.rows());
  CHECK(budget.row_of("part", "not_in_process") == budget.rows());
  CHECK(budget.number("core_seconds", budget.row_of("part", "processor_tasks")) == 6);
}
