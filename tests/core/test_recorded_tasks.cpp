// Rows of tasks of `crema.record`: parts that add up, and what other sources say instead.
#include "core/align/align.hpp"
#include "core/profile/profile.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/profile_runs.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::test;

namespace {

/// Two chunks, the first of which failed once, and a merge on the client; one worker of one thread,
/// busy from 1000 to 1009.
const std::string first_part = R"({"format": "crema_tasks_v1", "epoch": 1000, "rows": 4,
  "strings": ["chunk", "merge", "Toy", "host", "W-1", "client", "ok", "failed", "ValueError", "no",
              "dy", "a.root", "pt", "eta"],
  "tasks": {"kind": [0, 0, 0, 1], "function": [2, 2, 2, 2], "call": [2, 2, 2, 2],
    "host": [3, 3, 3, 3], "pid": [7, 7, 7, 9], "thread": [7, 7, 7, 9], "worker": [4, 4, 4, 5],
    "status": [7, 6, 6, 6], "error": [8, null, null, null], "message": [9, null, null, null],
    "dataset": [10, 10, 10, null], "file": [11, 11, 11, null],
    "entry_start": [102750, 102750, 102751, null], "entry_stop": [102850, 102850, 102901, null],
    "events": [null, 100, 150, null], "out_bytes": [null, 40, 50, null],
    "begin": [0, 1000000, 5000000, 9000000], "wall": [1000000, 4000000, 4000000, 2000000], "cpu": [500000, 3000000, 1000000, 2000000],
    "process_begin": [null, 1000000, 1000000, null], "process_wall": [null, 2500000, 3000000, null],
    "rss_before": [10, 20, 30, null], "rss_after": [20, 30, 25, null]},
  "branches": {"task": [1, 1, 2], "branch": [12, 13, 12], "requested": [1000, 200, 500]},
  "processes": []})";

/// One more chunk, with a file to preprocess before it.
const std::string second_part = R"({"format": "crema_tasks_v1", "epoch": 1010, "rows": 2,
  "strings": ["file", "chunk", "Toy", "host", "W-1", "ok", "b.root", "pt", "eta", "get_metadata"],
  "tasks": {"kind": [0, 1], "function": [9, 2], "call": [1, 2], "host": [3, 3], "pid": [7, 7],
    "worker": [4, 4], "status": [5, 5], "file": [6, 6], "entry_start": [null, 0],
    "begin": [0, 1000000], "wall": [1000000, 2000000], "cpu": [1000000, 2000000], "process_begin": [null, 500000],
    "process_wall": [null, 1000000]},
  "branches": {"task": [1, 1], "branch": [8, 7], "requested": [1, 2]}, "processes": []})";

const std::string index_file = R"({"format": "crema_task_index_v1", "recorded_by": "crema", "state":
  "running", "begin": 1000, "until": 1020, "client": {"host": "host", "pid": 9}, "rows": 6,
  "dropped": 3, "notes": ["2 tasks cannot be written now, and wait: disk full"], "cluster": false,
  "workers": [{"host": "host", "pid": 7, "worker": "W-1", "begin": 1000, "end": 1013, "threads": 1},
              {"host": "host", "pid": 8, "worker": "W-2", "begin": 1005, "end": 1010, "threads": 2}],
  "parts": []})";

/// Reads one more file of the run's bundle.
void add_file(Run& run, const read::Format& format, const std::string& text,
              const std::string& path) {
  Run part(run.names);
  read_into(part, format, text, path);
  align::join(run, std::move(part));
}

Run rows_of(const std::vector<std::string>& parts) {
  Run run = empty_run();
  for (const std::string& part : parts)
    add_file(run, read::recorded_tasks_format, part, "tasks-000000.json");
  align::add_rows(run);
  return run;
}

std::string name_of(const Run& run, StringId id) { return std::string(run.text(id)); }

}  // namespace

TEST_CASE("Rows of tasks are chunks, tasks and activities, in Dask's words") {
  const Run run = rows_of({first_part});
  REQUIRE(run.chunks.size() == 2);
  CHECK(run.chunks.t_start == std::vector<double>{1002, 1006});
  CHECK(run.chunks.duration == std::vector<double>{2.5, 3});
  CHECK(run.chunks.events == std::vector<double>{100, 150});
  CHECK(run.chunks.bytes_read == std::vector<double>{1200, 500});
  CHECK(run.chunks.memory_delta == std::vector<double>{10, -5});
  CHECK(run.chunks.branches_accessed == std::vector<double>{2, 1});
  // the client's merging took no time of a worker
  REQUIRE(run.tasks.size() == 3);
  CHECK(run.tasks.t0 == std::vector<double>{1000, 1001, 1005});
  CHECK(run.tasks.t1 == std::vector<double>{1001, 1005, 1009});
  CHECK(run.tasks.key[0] == run.tasks.key[1]);  // two attempts at one chunk
  CHECK(run.tasks.key[1] != run.tasks.key[2]);
  CHECK(name_of(run, run.tasks.status[0]) == "error");
  CHECK(name_of(run, run.tasks.exception[0]) == "ValueError('no')");
  CHECK(name_of(run, run.tasks.prefix[0]) == "Toy");
  REQUIRE(run.activities.size() == 2);
  CHECK(name_of(run, run.activities.activity[0]) == "thread-cpu");
  CHECK(run.activities.value == std::vector<double>{4.5, 4.5});
  REQUIRE(run.workers.size() == 1);
  CHECK(name_of(run, run.workers.address[0]) == "host/7");
}

TEST_CASE(
    "A chunk whose result was lost is in the list once: what it took before is repeated work") {
  const auto chunks_of = [](const std::string& planned) {
    const std::string part =
        with(with(first_part, "[102750, 102750, 102751, null]", "[102750, 102750, 102750, null]"),
             "[102850, 102850, 102901, null]", "[102850, 102850, 102850, null]");
    Run run = empty_run();
    add_file(run, read::task_index_format,
             with(index_file, R"("cluster")", R"("planned": )" + planned + R"(, "cluster")"),
             "tasks.json");
    add_file(run, read::recorded_tasks_format, part, "tasks-000000.json");
    align::add_rows(run);
    return std::pair(run.chunks.t_start, run.recording.chunk);
  };
  // one was submitted, which ended well at 1005 and at 1009: the later result was taken
  const auto [once, rows] =
      chunks_of(R"([{"call": 2, "kind": "chunk", "dataset": "dy", "tasks": 1, "events": 100}])");
  CHECK(once == std::vector<double>{1006});
  CHECK(rows == std::vector<std::uint32_t>{no_row, no_row, 0, no_row});
  // two were submitted: the same entries were given twice
  const auto twice =
      chunks_of(R"([{"call": 2, "kind": "chunk", "dataset": "dy", "tasks": 2, "events": 200}])");
  CHECK(twice.first == std::vector<double>{1002, 1006});
  // how many were submitted is not known
  CHECK(chunks_of("[]").first == std::vector<double>{1002, 1006});
}

TEST_CASE("Tasks that measured themselves say nothing of spilling, transfers and heartbeats") {
  const Table fine = OpenSession("tasks-000000.json", first_part).ask("fine");
  REQUIRE(fine.rows() > 0);
  CHECK(fine.text_note("limits").find("spilled") == std::string::npos);
  CHECK(fine.text_note("late").empty());
}

TEST_CASE("Parts add up, whatever their epochs, and share sets of branches") {
  const Run run = rows_of({first_part, second_part});
  REQUIRE(run.chunks.size() == 3);
  CHECK(run.chunks.t_start == std::vector<double>{1002, 1006, 1011.5});
  CHECK(run.chunks.branch_set[2] == run.chunks.branch_set[0]);
  REQUIRE(run.tasks.size() == 5);
  CHECK(name_of(run, run.tasks.prefix[3]) == "automatic_retries");
  double cpu = 0;
  for (std::size_t i = 0; i < run.activities.size(); ++i) {
    if (name_of(run, run.activities.activity[i]) == "thread-cpu") cpu += run.activities.value[i];
  }
  CHECK(cpu == 7.5);
}

TEST_CASE("A chunk list and a task stream say more than rows, whichever comes first") {
  const std::string stream = R"([{"key": "Toy-1", "worker": "tcp://a:1", "thread": 1,
    "startstops": [{"action": "compute", "start": 1000, "stop": 1004}], "status": "OK"}])";
  for (const bool rows_first : {true, false}) {
    Run run = empty_run();
    if (rows_first) add_file(run, read::recorded_tasks_format, first_part, "tasks-000000.json");
    add_file(run, read::task_stream_format, stream, "task_stream.json");
    if (!rows_first) add_file(run, read::recorded_tasks_format, first_part, "tasks-000000.json");
    align::add_rows(run);
    CHECK(run.tasks.size() == 1);
    CHECK(run.chunks.size() == 2);
  }
}

TEST_CASE("The index tells the workers, their threads over time, and how the recording ended") {
  Run run = empty_run();
  add_file(run, read::task_index_format, index_file, "tasks.json");
  CHECK(run.elapsed == 20);
  REQUIRE(run.spans.size() == 1);
  const std::vector<Span::Threads>& threads = run.spans[0].nthreads;
  double core_seconds = 0;
  for (const Span::Threads& one : threads) core_seconds += (one.end - one.begin) * one.nthreads;
  CHECK(core_seconds == 13 + 5 * 2);
  CHECK(threads.front().begin == 1000);
  CHECK(threads.back().end == 1020);
  std::vector<std::string> notes;
  for (const DataNote& note : run.data_notes) notes.push_back(note.id);
  CHECK(notes == std::vector<std::string>{"rows-dropped", "incomplete", "recorder"});
  CHECK(run.data_notes.back().message ==
        "the recorder: 2 tasks cannot be written now, and wait: disk full");
  run = empty_run();
  std::string ended = index_file;
  ended.replace(ended.find("running"), 7, "complete");  // then config.json has them
  add_file(run, read::task_index_format, ended, "tasks.json");
  REQUIRE(run.data_notes.size() == 1);
  CHECK(run.data_notes[0].id == "rows-dropped");
}

TEST_CASE("A part that is cut off keeps the columns that are complete") {
  const Run run = rows_of({first_part.substr(0, first_part.find("\"branches\""))});
  CHECK(run.chunks.size() == 2);
  CHECK(run.tasks.size() == 3);
  CHECK(is_absent(run.chunks.bytes_read[0]));
}

TEST_CASE("Sections are the chunk's, and samples of all parts one call tree of the worker") {
  const std::string sampled = R"({"format": "crema_tasks_v1", "epoch": 1000, "rows": 1,
    "strings": ["chunk", "host", "W-1", "ok", "process", "sort", "a.py", "outer", "inner"],
    "tasks": {"kind": [0], "host": [1], "pid": [7], "worker": [2], "status": [3], "begin": [0],
      "wall": [3500000]},
    "sections": {"task": [0, 0, 0], "parent": [null, 0, null], "name": [7, 8, 8],
      "wall": [3000000, 1000000, 500000]},
    "functions": {"name": [4, 5], "file": [6, 6], "first_line": [10, 20]},
    "calls": {"caller": [null, 0], "called": [0, 1], "line": [12, 21]},
    "samples": {"task": [0, 0, 0], "section": [0, 1, null], "call": [0, 1, 1],
      "looks": [100, 200, 50], "wall": [1000000, 2000000, 500000]}})";
  const Run run = rows_of({sampled, sampled});
  REQUIRE(run.chunks.sections.size() == 6);
  CHECK(name_of(run, run.chunks.sections[1].name) == "inner");
  CHECK(run.chunks.sections[1].value == 1);
  CHECK(run.chunks.sections[5].chunk == 1);
  REQUIRE(run.call_trees.size() == 1);
  const CallTree& tree = run.call_trees[0];
  CHECK(name_of(run, tree.worker) == "host/7");
  CHECK(tree.unit == "s");
  CHECK(tree.parent == std::vector<NodeId>{no_node, 0, 1, 0, 3});
  CHECK(tree.count == std::vector<double>{7, 3.5, 2.5, 3.5, 2.5});
  CHECK(tree.line == std::vector<std::uint32_t>{0, 12, 21, 12, 21});
  CHECK(name_of(run, run.names->frames.name[tree.frame[2]]) == "sort");
  CHECK(run.names->frames.first_line[tree.frame[2]] == 20);
}

TEST_CASE("Samples that know their task are the profile, and say what was on a CPU") {
  // A task of 4 s, 3 of them on a CPU: 1 s was seen in process(), of which nobody knows whether it
  // was on one, 3 s in sort(), of which half was said to be. A part of the CPU time, 3 s · 1/4, is
  // process()'s; sort() has the rest. Nobody looked at the task that was lost.
  const std::string sampled = R"({"format": "crema_tasks_v1", "epoch": 1000, "rows": 3,
    "strings": ["chunk", "host", "W-1", "ok", "process", "sort", "/home/me/a.py", "dy", "tt",
      "lost"],
    "tasks": {"kind": [0, 0, 0], "host": [1, 1, 1], "pid": [7, 7, 8], "worker": [2, 2, 2],
      "status": [3, 3, 9], "dataset": [7, 8, 8], "begin": [0, 4000000, 0],
      "wall": [4000000, 2000000, 6000000], "cpu": [3000000, 2000000, null]},
    "functions": {"name": [4, 5], "file": [6, 6], "first_line": [10, 20]},
    "calls": {"caller": [null, 0], "called": [0, 1], "line": [12, 21]},
    "samples": {"task": [0, 0, 1], "call": [0, 1, 0], "looks": [100, 300, 200],
      "wall": [1000000, 3000000, 2000000], "cpu": [null, 3000000, 2000000]}})";
  Run run = rows_of({sampled});
  // Dask saw the same worker, and counts no innermost frame.
  CallTree& dasks = run.call_trees.emplace_back(run.call_trees[0]);
  dasks.by_rows = false;
  dasks.unit = "samples";
  dasks.leaves = CallTree::Leaves::uncounted;
  const profile::Profiles profiles = profile::profiles_of(run);
  REQUIRE(profiles.list.size() == 3);
  CHECK(profiles.list[0].trees == std::vector<const CallTree*>{&run.call_trees[0]});
  CHECK(profiles.list[2].alternative);

  const auto shares = profile::profile_shares(run, {});
  REQUIRE(shares != nullptr);
  const auto samples = [](const profile::ProfileShares& of, const char* name) {
    for (const auto& owner : of.owners) {
      if (of.facts->name[owner.frame] == name) return owner.samples;
    }
    return profile::ProfileShares::Samples{};
  };
  CHECK(shares->inside == Approx(600));  // looks of 10 ms
  CHECK(samples(*shares, "sort").count == Approx(300));
  CHECK(samples(*shares, "sort").least == Approx(300));  // the innermost frame is known
  CHECK(samples(*shares, "sort").on_cpu == Approx(225));
  CHECK(samples(*shares, "process").on_cpu == Approx(75 + 200));

  // Half of the first task (times are as recorded until they are settled), and one dataset.
  const auto early = profile::profile_shares(run, {.time = Selection::TimeRange{1000, 1002}});
  CHECK(samples(*early, "sort").count == Approx(150));
  const auto tt = profile::profile_shares(run, {.datasets = {"tt"}});
  CHECK(tt->inside == Approx(200));
}

TEST_CASE("Samples of merging are counted as those inside process() are: in looks of 10 ms") {
  const std::string sampled = R"({"format": "crema_tasks_v1", "epoch": 1000, "rows": 2,
    "strings": ["chunk", "merge", "W-1", "ok", "process", "accumulate", "/home/me/a.py",
      "/opt/site-packages/coffea/processor/accumulator.py"],
    "tasks": {"kind": [0, 1], "pid": [7, 7], "worker": [2, 2], "status": [3, 3],
      "begin": [0, 3000000], "wall": [3000000, 2000000]},
    "functions": {"name": [4, 5], "file": [6, 7], "first_line": [10, 90]},
    "calls": {"caller": [null, null], "called": [0, 1], "line": [12, 91]},
    "samples": {"task": [0, 1], "call": [0, 1], "looks": [300, 200], "wall": [3000000, 2000000]}})";
  const Run run = rows_of({sampled});
  const auto shares = profile::profile_shares(run, {});
  REQUIRE(shares != nullptr);
  CHECK(shares->inside == Approx(300));
  CHECK(shares->of_merging.of == Approx(200));
  CHECK(shares->of_merging.samples == Approx(200));
}

TEST_CASE("What the CPU time of a look cannot be, as it is longer than the look, the others are") {
  // 1.8 of 2 s on a CPU: looks say all of 1 s in sort(), and 0.4 of 1 s in process()
  const std::string sampled = R"({"format": "crema_tasks_v1", "epoch": 1000, "rows": 1,
    "strings": ["chunk", "host", "W-1", "ok", "process", "sort", "/home/me/a.py"],
    "tasks": {"kind": [0], "host": [1], "pid": [7], "worker": [2], "status": [3], "begin": [0],
      "wall": [2000000], "cpu": [1800000]},
    "functions": {"name": [4, 5], "file": [6, 6], "first_line": [10, 20]},
    "calls": {"caller": [null, 0], "called": [0, 1], "line": [12, 21]},
    "samples": {"task": [0, 0], "call": [0, 1], "looks": [25, 25], "wall": [1000000, 1000000],
      "cpu": [400000, 1000000]}})";
  const Run run = rows_of({sampled});
  REQUIRE(run.call_trees.size() == 1);
  REQUIRE(run.call_trees[0].on_cpu.size() == 3);
  CHECK(run.call_trees[0].on_cpu[1] == Approx(0.8));
  CHECK(run.call_trees[0].on_cpu[2] == 1);
}

TEST_CASE("Numbers of rows that are beyond any integer are kept as numbers, and name no row") {
  std::string part = first_part;
  const auto replace = [&](const std::string& from, const std::string& to) {
    REQUIRE(part.find(from) != std::string::npos);
    part.replace(part.find(from), from.size(), to);
  };
  replace(R"("call": [2, 2, 2, 2])", R"("call": [2, 2, 1e300, 2])");
  replace(R"("task": [1, 1, 2])", R"("task": [1, 1e300, -1e300])");
  const Run run = rows_of({part});
  CHECK(name_of(run, run.tasks.key[2]) == "Toy-1e+300-a.root:102751-102901");
  CHECK(run.chunks.bytes_read[0] == 1000);
  CHECK(is_absent(run.chunks.bytes_read[1]));
}

TEST_CASE("What a task did that went with its worker is not known, which is a data note") {
  const auto quality_of = [](const std::string& part) {
    return OpenSession({{"run/tasks.json", index_file}, {"run/tasks-000000.json", part}})
        .ask("quality");
  };
  CHECK_FALSE(notes(quality_of(first_part), "lost-tasks"));
  CHECK_FALSE(notes(quality_of(first_part), "no-metrics"));  // rows are as good
  const Table quality =
      quality_of(with(first_part, R"("failed", "ValueError")", R"("lost", "WorkerLost")"));
  const std::size_t row = quality.row_of("id", "lost-tasks");
  REQUIRE(row < quality.rows());
  CHECK(quality.text("message", row).substr(0, 6) == "1 task");
}

TEST_CASE("A row says where its chunk ran, whatever the clocks and Dask's task stream say") {
  // Of a run with a task stream that holds none of the three chunks.
  Run run = empty_run();
  run.elapsed = 12;
  run.tasks.add(run.names->strings.intern("other"), run.names->strings.intern("other"),
                run.names->strings.intern("elsewhere"), 1, run.names->strings.intern("compute"),
                1000, 1000.5, 0, run.names->strings.intern("OK"), no_string);
  for (const std::string& part : {first_part, second_part})
    add_file(run, read::recorded_tasks_format, part, "tasks-000000.json");
  align::settle(run);
  REQUIRE(run.chunks.size() == 3);
  REQUIRE(run.chunks.worker.size() == 3);
  // the third names no last entry: it is no chunk of a file
  CHECK(run.text(run.chunks.worker[0]) ==
        run.text(run.recording.tasks.text(recorded_columns::Task::address, 1)));
  CHECK(run.text(run.chunks.worker[1]) ==
        run.text(run.recording.tasks.text(recorded_columns::Task::address, 2)));
  CHECK(!run.text(run.chunks.worker[0]).empty());
}
