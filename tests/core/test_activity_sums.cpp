#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::test;

namespace {

/// The functions of an answer of `fine_functions`, in its order: "P 6, lambda 1".
std::string functions_of(const Table& table) {
  std::string text;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (row > 0 && table.text("function", row) == table.text("function", row - 1)) continue;
    text += (text.empty() ? "" : ", ") + std::string(table.text("function", row)) + " " +
            std::to_string(static_cast<int>(table.number("total", row)));
  }
  return text;
}

}  // namespace

TEST_CASE("Task execution by function: parts, totals and shares") {
  const Table table = OpenSession("metrics.json", small_metrics()).ask("fine_functions");
  CHECK(functions_of(table) == "P 6, idle or other spans 2, lambda 1");
  REQUIRE(table.rows() == 4);
  CHECK(table.text("activity", 0) == "thread-cpu");
  CHECK(table.number("value", 0) == 4);
  CHECK(table.number("share", 0) == Approx(4.0 / 6));
  CHECK(table.number("share_of_available", 0) == Approx(0.4));
  CHECK(table.number("total_of_available", 0) == Approx(0.6));
  CHECK(table.number("is_processor", 0) == 1);
  CHECK(table.number("is_idle", 2) == 1);
  // two inputs were read: two tasks of the processor, and nothing counted the lambdas
  CHECK(table.number("per_task", 0) == 3);
  CHECK(is_absent(table.number("tasks", 3)));
  CHECK(number_note(table, "in_tasks") == 7);
  CHECK(number_note(table, "in_tasks_of_available") == Approx(0.7));
}

TEST_CASE("The verdict of the fine metrics is of the core-time, as everywhere") {
  const Table table = OpenSession("metrics.json", small_metrics()).ask("fine");
  // 10 core-s were there: 2 waited, 4 + 1 on a CPU; process() took 5 of the 6 of its tasks.
  CHECK(table.text_note("verdict") == "20 % of the core-time was waiting in tasks, 50 % on a CPU.");
  CHECK(table.text_note("limits") ==
        "Nothing was spilled to disk; transfers were not recorded. process() took 5 core-s, the "
        "processor's tasks 1 core-s outside it.");
}

TEST_CASE("Idle time is Dask's own, or what the core-time budget leaves: 10 - 7") {
  const Table table = OpenSession("metrics.json", small_metrics())
                          .ask("fine_functions", {}, option("idle", "budget"));
  CHECK(functions_of(table) == "P 6, idle 3, lambda 1");
}

TEST_CASE("Of more functions than are wanted the smallest become one") {
  std::string keys;
  for (int i = 0; i < 30; ++i)
    keys += (i > 0 ? ", " : "") + std::string("\"('execute', 'f") + std::to_string(i) +
            "', 'thread-cpu', 'seconds')\": " + std::to_string(30 - i);
  const Table table =
      OpenSession("span.json", "{" + keys + "}").ask("fine_functions", {}, option("most", "20"));
  REQUIRE(table.rows() == 20);
  CHECK(table.text("function", 19) == "11 others");
  CHECK(table.number("total", 19) == 66);  // 11 + 10 + ... + 1
  CHECK(table.number("functions", 19) == 11);
}

TEST_CASE("Sums per activity never add one context to another, nor one unit") {
  const OpenSession session("span.json", R"j({"('execute', 'P', 'thread-cpu', 'seconds')": 1,
                                     "('execute', 'Q', 'thread-cpu', 'seconds')": 2,
                                     "('execute', 'Q', 'disk-read', 'seconds')": 5,
                                     "('execute', 'P', 'memory-read', 'bytes')": 1000,
                                     "('get-data', 'network', 'seconds')": 8})j");
  const Table seconds = session.ask("fine_activities");
  REQUIRE(seconds.rows() == 3);
  CHECK(seconds.text("activity", 0) == "disk-read");
  CHECK(seconds.number("value", 1) == 3);
  CHECK(seconds.number("share", 1) == Approx(3.0 / 8));
  CHECK(seconds.text("context", 2) == "get-data");
  CHECK(seconds.number("total", 2) == 8);
  CHECK(session.ask("fine_activities", {}, option("unit", "bytes")).number("value", 0) == 1000);
  CHECK(session.ask("fine_activities", {}, option("without", "disk-read,network")).rows() == 1);
}
