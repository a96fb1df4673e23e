// Profiles in slices of time: what was sampled when.
#include <cmath>
#include "tests/core/catch.hpp"
#include "tests/core/profile_runs.hpp"

using namespace crema;
using namespace crema::test;

namespace {

const char* const frames = R"([["root", 0], ["task;dask.py;1", 2], ["f;ana.py;10", 11],
    ["g;ana.py;20", 21]])";

/// Of seconds 0 to 1 and 1 to 2, workers a and b; f runs first, then g, on b of another prefix.
const std::string two_seconds =
    std::string(R"({"format": "crema_profile_slices_v1", "frames": )") + frames + R"(, "slices": [
    {"start": 0, "stop": 1, "worker": "tcp://a:1", "key": "P", "nodes": [0,0,4, 1,1,4, 2,2,0]},
    {"start": 0, "stop": 1, "worker": "tcp://b:1", "key": "P", "nodes": [0,0,3, 1,1,3, 2,2,0]},
    {"start": 1, "stop": 2, "worker": "tcp://a:1", "key": "P", "nodes": [0,0,2, 1,1,2, 2,3,0]},
    {"start": 1, "stop": 2, "worker": "tcp://b:1", "key": "Q", "nodes": [0,0,1, 1,1,1, 2,3,0]}]})";

Run with_slices(const std::string& slices = two_seconds) {
  Run run = empty_run();
  add_worker_tree(run, "tcp://a:1", "root 6\n  task@dask.py 6\n    f@ana.py 0\n    g@ana.py 0\n");
  add_worker_tree(run, "tcp://b:1", "root 4\n  task@dask.py 4\n    f@ana.py 0\n    g@ana.py 0\n");
  read_into(run, read::profile_slices_format, slices, "profile_slices.json");
  return run;
}

Selection of_time(double begin, double end) {
  Selection selection;
  selection.time = Selection::TimeRange{begin, end};
  return selection;
}

/// Samples of each function: "f 7 task 7".
std::string functions(const Run& run, const Selection& selection,
                      const std::string& profile = "all") {
  const Table table = ask("frames", run, {{"profile", profile}}, selection);
  std::map<std::string, std::string> counts;
  for (std::size_t row = 0; row < table.rows(); ++row)
    counts[std::string(table.text("name", row))] =
        std::to_string(std::lround(table.number("total", row)));
  std::string all;
  for (const auto& [name, count] : counts) all += (all.empty() ? "" : " ") + name + " " + count;
  return all;
}

}  // namespace

TEST_CASE("A profile of a selected time is the sum of the slices that overlap it") {
  const Run run = with_slices();
  CHECK(functions(run, of_time(0, 1)) == "f 7 task 7");
  CHECK(functions(run, of_time(1, 2)) == "g 3 task 3");
  CHECK(functions(run, of_time(0.9, 1.1)) == "f 7 g 3 task 10");
  const Table table = ask("flame", run, {}, of_time(0.2, 0.4));
  CHECK(note(table, "total") == "7");
  CHECK(note(table, "selection") ==
        "Samples of 0 s to 1 s: the recorded slices that overlap the selected time.");
}

TEST_CASE("Slices know their worker and their task prefix") {
  const Run run = with_slices();
  Selection selection = of_time(0, 2);
  selection.workers = {"tcp://b:1"};
  CHECK(functions(run, selection) == "f 3 g 1 task 4");
  selection.prefixes = {"Q"};
  CHECK(functions(run, selection) == "g 1 task 1");
  CHECK(functions(run, of_time(0, 1), "tcp://a:1") == "f 4 task 4");
  const Table table = ask("profiles", run, {}, of_time(1, 2));
  CHECK(table.number("total", table.row_of("profile", "all")) == 3);
  CHECK(table.number("total", table.row_of("profile", "tcp://a:1")) == 2);
  CHECK(table.number("nodes", table.row_of("profile", "tcp://a:1")) == 3);
  CHECK(table.number("depth", table.row_of("profile", "tcp://a:1")) == 2);
  const Table workers = ask("worker_frames", run, {}, of_time(0, 1));
  CHECK(workers.rows() > 0);
}

TEST_CASE("Without a selected time the profile is what it is without slices") {
  Run without = with_slices();
  without.profile_slices.clear();
  const Run run = with_slices();
  CHECK(functions(run, {}) == functions(without, {}));
  // and without slices a time narrows nothing
  CHECK(functions(without, of_time(0, 1)) == functions(without, {}));
}

TEST_CASE("Slices of all workers together narrow the sum, and no worker's profile") {
  const Run run = with_slices(
      R"({"format": "crema_profile_slices_v1", "slices": [
      {"start": 0, "stop": 1, "worker": null, "key": null, "nodes": [0,0,4, 1,1,4, 2,2,0]}],
      "frames": )" +
      std::string(frames) + "}");
  CHECK(functions(run, of_time(0, 1)) == "f 4 task 4");
  const Table table = ask("frames", run, {{"profile", "tcp://a:1"}}, of_time(0, 1));
  CHECK(note(table, "total") == "6");
  CHECK(note(table, "selection").find("of all workers together") != std::string::npos);
  CHECK(ask("frames", run, {}, of_time(5, 6)).rows() == 0);
}

TEST_CASE("Samples of a slice stand for what the tasks took of its time") {
  Run run = with_slices();
  Tasks& tasks = run.tasks;
  StringPool& strings = run.names->strings;
  // 4 core-s on a from 0.5 s before the slice; 2 s of it within
  for (const double begin : {-0.5, 0.0}) {
    tasks.key.push_back(strings.intern("P-1"));
    tasks.prefix.push_back(strings.intern("P"));
    tasks.worker.push_back(strings.intern("tcp://a:1"));
    tasks.thread.push_back(1);
    tasks.action.push_back(strings.intern("compute"));
    tasks.t0.push_back(begin);
    tasks.t1.push_back(1.5);
    tasks.nbytes.push_back(0);
    tasks.status.push_back(no_string);
    tasks.exception.push_back(no_string);
  }
  const Table table = ask("frames", run, {{"profile", "tcp://a:1"}}, of_time(0, 1));
  CHECK(note(table, "seconds_per_sample") == "0.5");  // 2 s in 4 samples
}

TEST_CASE("What is no slice is left out, and said") {
  const auto broken = [](const std::string& slice) {
    const Run run = with_slices(std::string(R"({"format": "crema_profile_slices_v1", "frames": )") +
                                frames + ", \"slices\": [" + slice + "]}");
    CHECK(run.profile_slices.empty());
    REQUIRE(run.data_notes.size() >= 1);
    return run.data_notes.back().id;
  };
  const std::string time = R"({"start": 0, "stop": 1, "nodes": )";
  CHECK(broken(time + "[0,0,4, 1,9,4]}") == "profile-slice");   // no frame 9
  CHECK(broken(time + "[0,0,4, 2,1,4]}") == "profile-slice");   // no parent at depth 1
  CHECK(broken(time + "[0,0,4, 0,1,4]}") == "profile-slice");   // two roots
  CHECK(broken(time + "[0,0,4, 1,1,-1]}") == "profile-slice");  // less than nothing
  CHECK(broken(time + "[0,0,4, 1,1]}") == "profile-slice");     // two numbers of a node
  CHECK(broken(R"({"start": 1, "stop": 1, "nodes": [0,0,4]})") == "profile-slice");
  CHECK(broken(R"({"start": 0, "nodes": [0,0,4]})") == "profile-slice");
}

TEST_CASE(
    "Slices read the same in pieces of any size; a file that is cut off keeps its first ones") {
  const Run whole = with_slices();
  for (const std::size_t piece : {1, 7, 64}) {
    Run run = empty_run();
    read_into(run, read::profile_slices_format, two_seconds, "profile_slices.json", piece);
    REQUIRE(run.profile_slices.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(run.profile_slices[i].count == whole.profile_slices[i].count);
      CHECK(run.profile_slices[i].parent == whole.profile_slices[i].parent);
      CHECK(run.profile_slices[i].line == std::vector<std::uint32_t>{0, 2, i < 2 ? 11U : 21U});
    }
  }
  const Run cut = with_slices(two_seconds.substr(0, two_seconds.find("\"Q\"")));
  CHECK(cut.profile_slices.size() == 3);
  CHECK(cut.data_notes.front().id == "cut-off");
}
