#include "core/read/roastcoffea/metrics.hpp"

#include "core/read/list.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::read;
using namespace crema::test;

namespace {

/// The activities as lines "context|prefix|activity|unit = value", "-" for what a key does not
/// have.
std::string activities_of(const Run& run) {
  const Activities& a = run.activities;
  std::string text;
  const auto word = [&](StringId id) {
    return id == no_string ? std::string("-") : std::string(run.text(id));
  };
  for (std::size_t i = 0; i < a.size(); ++i) {
    text += word(a.context[i]) + "|" + word(a.prefix[i]) + "|" + word(a.activity[i]) + "|" +
            word(a.unit[i]) + " = " + std::to_string(static_cast<long>(a.value[i])) + "\n";
  }
  return text;
}

std::string read_key(const std::string& key) {
  return activities_of(read_as(activities_format, "{\"" + key + "\": 5}"));
}

}  // namespace

TEST_CASE("A span's key has context, prefix, activity and unit") {
  CHECK(read_key("('execute', 'P', 'thread-cpu', 'seconds')") ==
        "execute|P|thread-cpu|seconds = 5\n");
  CHECK(read_key("('p2p', 'background-comms', 'process', 'bytes')") ==
        "p2p|background-comms|process|bytes = 5\n");
  CHECK(read_key("('execute', 'N/A', 'idle or other spans', 'seconds')") ==
        "execute|N/A|idle or other spans|seconds = 5\n");
}

TEST_CASE("A worker's key has the span's id after the context, which is dropped") {
  CHECK(
      read_key("('execute', '3e3a0f1c-7c37-4b3c-9d57-1f9c2c4b6a11', 'P', 'executor', 'seconds')") ==
      "execute|P|executor|seconds = 5\n");
  CHECK(read_key("('execute', None, 'P', 'executor', 'seconds')") ==
        "execute|P|executor|seconds = 5\n");
  const std::string span = "'3e3a0f1c-7c37-4b3c-9d57-1f9c2c4b6a11'";
  CHECK(read_key("('p2p', " + span + ", 'foreground', 'send', 'seconds')") ==
        "p2p|foreground|send|seconds = 5\n");
  CHECK(read_key("('p2p', " + span + ", 'background-comms', 'a', 'b', 'bytes')") ==
        "p2p|background-comms|a, b|bytes = 5\n");
  CHECK(read_key("('p2p', 'background-comms', 'a', 'b', 'bytes')") ==
        "p2p|background-comms|a, b|bytes = 5\n");
}

TEST_CASE("Contexts outside of tasks have no prefix") {
  CHECK(read_key("('get-data', 'network', 'seconds')") == "get-data|-|network|seconds = 5\n");
  CHECK(read_key("('gather-dep', 'deserialize', 'seconds')") ==
        "gather-dep|-|deserialize|seconds = 5\n");
  CHECK(read_key("('memory-monitor', 'disk-write', 'bytes')") ==
        "memory-monitor|-|disk-write|bytes = 5\n");
  CHECK(read_key("('get-data', 'foo', 'bar', 'seconds')") == "get-data|-|foo, bar|seconds = 5\n");
}

TEST_CASE("A key without a unit keeps none") {
  CHECK(read_key("('execute', 'task-123', 'thread-cpu')") == "execute|task-123|thread-cpu|- = 5\n");
}

TEST_CASE("User-defined labels may be anything") {
  CHECK(read_key("('execute', 'P', 'I/O', 'MB')") == "execute|P|I/O|MB = 5\n");
  CHECK(read_key("('execute', 'P', ('foo', 1), 'seconds')") ==
        "execute|P|('foo', 1)|seconds = 5\n");
  CHECK(read_key("('execute', 'P', None, 'seconds')") == "execute|P|None|seconds = 5\n");
}

TEST_CASE("A plain string of a scheduler's dictionary is an activity of its own") {
  const Run run =
      read_as(activities_format, R"j({"latency": 7, "('execute', 'P', 'other', 'seconds')": 1})j");
  CHECK(activities_of(run) == "-|-|latency|- = 7\nexecute|P|other|seconds = 1\n");
  CHECK(run.data_notes.empty());
}

TEST_CASE("A tuple that cannot be taken apart is kept as its text, with a note") {
  const Run run = read_as(activities_format, R"j({"('execute', 'P": 7})j");
  CHECK(activities_of(run) == "-|-|('execute', 'P|- = 7\n");
  CHECK(has_note(run, "unparsed-key"));
}

TEST_CASE("The same key twice counts once: the last one holds, as in Python") {
  const Run run = read_as(
      activities_format,
      R"j({"('execute', 'P', 'other', 'seconds')": 1, "latency": 3, "('execute', 'P', 'other', 'seconds')": 2})j");
  CHECK(activities_of(run) == "execute|P|other|seconds = 2\n-|-|latency|- = 3\n");
}

TEST_CASE("A value that is no number is left out, with a note") {
  const Run run = read_as(activities_format,
                          R"j({"('execute', 'P', 'a', 's')": "x", "('execute', 'P', 'b', 's')": [1],
                                                 "('execute', 'P', 'c', 's')": {"d": 4}, "('execute', 'P', 'e', 's')": NaN})j");
  CHECK(activities_of(run).empty());
  CHECK(has_note(run, "wrong-type"));
  CHECK_FALSE(run.activities_recorded);
}

TEST_CASE("The same activity of two contexts is never added together") {
  // p2p repeats what execute has; get-data is another thread's time.
  OpenSession session("span.json", R"j({"('execute', 'P', 'deserialize', 'seconds')": 1,
                                     "('p2p', 'foreground', 'deserialize', 'seconds')": 10,
                                     "('get-data', 'deserialize', 'seconds')": 100,
                                     "('execute', 'Q', 'deserialize', 'seconds')": 1000,
                                     "('execute', 'P', 'thread-cpu', 'seconds')": 4})j");
  const Table summary = session.ask("summary");
  CHECK(value(summary, "deserialization_time_seconds") == 1001);
  const Table fine = session.ask("fine");
  CHECK(fine.rows() == 5);
  const Table budget = session.ask("budget");
  CHECK(budget.number("core_seconds", budget.row_of("part", "task:Q")) == 1000);
  CHECK(budget.row_of("part", "task:foreground") == budget.rows());
}

TEST_CASE("Seconds, bytes and counts of one activity stay apart") {
  OpenSession session(
      "span.json",
      R"j({"('execute', 'P', 'disk-read', 'seconds')": 1, "('execute', 'P', 'disk-read', 'bytes')": 20,
                                     "('execute', 'P', 'disk-read', 'count')": 300})j");
  CHECK(value(session.ask("summary"), "disk_read_bytes") == 20);
}

TEST_CASE(
    "Tasks are counted in the task stream; the processor's by its inputs where that lacks some") {
  const auto task = [](const char* key, int begin) {
    return "{\"key\": \"" + std::string(key) +
           "\", \"worker\": \"tcp://10.0.0.1:1001\", \"thread\": 1, \"status\": \"OK\", "
           "\"nbytes\": 1, \"startstops\": "
           "[{\"action\": \"compute\", \"start\": " +
           std::to_string(1795255200 + begin) +
           ", \"stop\": " + std::to_string(1795255201 + begin) + "}]}";
  };
  const auto opened = [](const std::string& stream) {
    return OpenSession(std::vector<File>{{"run/metrics.json", small_metrics()},
                                         {"run/task_stream.json", "[" + stream + "]"}})
        .ask("task_prefixes");
  };
  // P: 6 s of fine metrics in three executions; lambda: 1 s in one.
  const Table whole = opened(task("P-1", 0) + "," + task("P-2", 1) + "," + task("P-1", 2) + "," +
                             task("lambda-3", 3));
  REQUIRE(whole.rows() == 2);
  CHECK(whole.text("prefix", 0) == "P");
  CHECK(whole.number("tasks", 0) == 3);
  CHECK(whole.number("seconds_per_task", 0) == 2);
  CHECK(whole.number("tasks", 1) == 1);
  CHECK(whole.number("seconds_per_task", 1) == 1);
  // Two executions were counted, the stream has one: how many lambdas it lacks nobody knows.
  const Table cut = opened(task("P-1", 0) + "," + task("lambda-3", 3));
  REQUIRE(cut.rows() == 1);
  CHECK(cut.number("tasks", 0) == 2);
  CHECK(cut.number("seconds_per_task", 0) == 3);
  CHECK(note(cut, "source").find("cut off") != std::string::npos);
  const Table counted = OpenSession("metrics.json", small_metrics()).ask("task_prefixes");
  CHECK(counted.number("tasks", 0) == 2);
  CHECK(note(OpenSession("metrics.json", without(small_metrics(), "raw_span_metrics"))
                 .ask("task_prefixes"),
             "missing") != "");
}
