// What crema.record measured of tasks and machines, in the questions that use it: against a small
// recording that can be checked by hand, and a real one of two processes (tests/data/rows), which
// waited for files over HTTP and for a lock, beside a program that kept a CPU busy.
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/test_data.hpp"

using namespace crema;
using namespace crema::test;

namespace {

/// One worker of one thread, from 0 to 4 s: a failed attempt (0.5 s), the same entries again (2 s),
/// and 100 more (1.5 s).
const std::string index_file = R"({"format": "crema_task_index_v1", "state": "complete",
  "begin": 1700000000, "until": 1700000004, "rows": 3, "dropped": 0, "notes": [], "cluster": false, "parts": [],
  "workers": [{"host": "node", "pid": 7, "worker": "W-1", "begin": 1700000000,
               "end": 1700000004, "threads": 1}]})";

const std::string part_file = R"({"format": "crema_tasks_v1", "epoch": 1700000000, "rows": 3,
  "strings": ["chunk", "Toy", "node", "W-1", "client", "ok", "failed", "ValueError", "no jets",
              "toy.py:7 process", "signal", "a.root", "pt", "eta", "ZSTD level 3", "outer", "inner",
              "process", "toy.py", "sort", "tcp://w:1", "added", "removed", "retire-workers"],
  "tasks": {"kind": [0, 0, 0], "function": [1, 1, 1], "call": [1, 1, 1], "host": [2, 2, 2],
    "pid": [7, 7, 7], "thread": [7, 7, 7], "worker": [3, 3, 3], "attempt": [1, 2, 1],
    "status": [6, 5, 5], "error": [7, null, null], "message": [8, null, null],
    "frame": [9, null, null], "dataset": [10, 10, 10], "file": [11, 11, 11],
    "entry_start": [0, 0, 100], "entry_stop": [100, 100, 200], "events": [null, 100, 100],
    "begin": [0, 500000, 2500000], "wall": [500000, 2000000, 1500000],
    "cpu": [400000, 800000, 1200000], "process_begin": [null, 500000, 250000],
    "process_wall": [null, 1000000, 1000000], "process_cpu": [null, 400000, 900000],
    "minor_faults": [1, 7, 9], "requested_bytes": [null, 1500, 700],
    "request_wait": [null, 600000, 200000], "quux": [1, 5, 6]},
  "branches": {"task": [1, 1, 2], "branch": [12, 13, 12], "baskets": [2, 1, 1],
    "compressed": [1000, 400, 600], "uncompressed": [2000, 800, 1200], "outside": [250, 0, 100],
    "codec": [14, 14, 14], "requests": [1, 2, 1], "requested": [1000, 400, 600],
    "wait": [300000, null, 100000], "cpu": [50000, 10000, 20000]},
  "sections": {"task": [1, 1, 2], "parent": [null, 0, null], "name": [15, 16, 15],
    "calls": [1, 1, 1], "wall": [900000, 500000, 800000], "cpu": [300000, 100000, 700000]},
  "functions": {"name": [17, 19], "file": [18, 18], "first_line": [10, 20]},
  "calls": {"caller": [null, 0], "called": [0, 1], "line": [12, 21]},
  "samples": {"task": [1, 1, 2, 0], "section": [1, 0, 2, null], "call": [1, 0, 1, 0],
    "looks": [50, 40, 80, 50], "wall": [500000, 400000, 800000, 500000]},
  "machine": {"host": [2, 2, 2, 2, 2, 2], "pid": [7, 7, 7, 7, 9, 9], "worker": [3, 3, 3, 3, 4, 4],
    "begin": [0, 1000000, 2000000, 3000000, 0, 1000000],
    "wall": [1000000, 1000000, 1000000, 1000000, 1000000, 1000000],
    "busy": [2000000, 3000000, 1000000, 1000000, 2000000, 3000000],
    "own": [1000000, 1500000, 1000000, 1000000, 250000, 250000],
    "cpus": [4, 4, 4, 4, 4, 4], "usable": [4, 4, 4, 4, 4, 4],
    "quota": [3000000, 3000000, 3000000, 3000000, 3000000, 3000000],
    "throttled": [100000, 0, 0, 0, 0, 0], "rss": [100, 200, 300, 400, 50, 50],
    "pressure_cpu": [500000, 250000, 0, 0, 500000, 250000]},
  "changes": {"begin": [500000, 3000000], "worker": [20, 20], "change": [21, 22],
    "reason": [null, 23], "workers": [1, 0]},
  "processes": [{"host": "node", "pid": 7, "python": "3.12.1", "absent":
                  {"machine.throttled": "no control group tells its quota"}}]})";

OpenSession small_recording() {
  return OpenSession({{"run/tasks.json", index_file}, {"run/tasks-000000.json", part_file}});
}

OpenSession real_recording() {
  std::vector<File> files;
  for (const char* name : {"tasks.json", "tasks-000008.json.gz", "start_end_time.txt",
                           "metadata.json", "config.json"}) {
    std::string path = "rows/" + std::string(name);
    const std::string content = read_test_file(path);
    if (path.ends_with(".gz")) path.resize(path.size() - 3);
    files.push_back({path, content});
  }
  return OpenSession(files);
}

Options options(std::map<std::string, std::string> values) { return Options(std::move(values)); }

}  // namespace

TEST_CASE("The run axis begins with the recording, so that what came before a chunk is in it") {
  const OpenSession session = small_recording();
  const Run& run = session.run();
  CHECK(run.chunks.t_start == std::vector<double>{1, 2.75});
  CHECK(run.window().end == 4);
  CHECK(run.recording.chunk == std::vector<std::uint32_t>{no_row, 0, 1});
}

TEST_CASE("Machines tell each second who used the CPUs") {
  const Table table = small_recording().ask("machines");
  const Table timeline = small_recording().ask("timeline");
  REQUIRE(table.rows() == 4);
  const auto column = [&](const char* name, const Table& of) {
    std::vector<double> values;
    for (std::size_t tick = 0; tick < 3; ++tick) values.push_back(of.number(name, tick));
    return values;
  };
  CHECK(column("t", table) == std::vector<double>{0, 1, 2});
  CHECK(column("cpus_busy", table) == std::vector<double>{2, 3, 1});
  CHECK(column("cpus_own", table) == std::vector<double>{1.25, 1.75, 1});
  CHECK(column("cpus_others", table) == std::vector<double>{0.75, 1.25, 0});
  CHECK(column("cpus_usable", table) == std::vector<double>{3, 3, 3});
  CHECK(column("pressure_cpu", table) == std::vector<double>{0.5, 0.25, 0});
  CHECK(table.number("throttled", 0) == Approx(0.1));
  CHECK(table.number("client_cpus", 0) == 0.25);
  CHECK(is_absent(table.number("client_cpus", 2)));  // it told no more
  CHECK(is_absent(table.number("loop_lag", 0)));     // there is no scheduler
  CHECK(is_absent(table.number("swap_used", 0)));    // nobody recorded it
  CHECK(column("memory_mean", timeline) == std::vector<double>{100, 200, 300});
  CHECK(column("cpu_mean", timeline) == std::vector<double>{1, 1.5, 1});
  CHECK(column("executing_tasks", timeline) == std::vector<double>{1, 1, 1});
  CHECK(note(timeline, "missing").empty());
}

TEST_CASE("What a system does not tell is a data note with the reason") {
  const OpenSession session = small_recording();
  std::string message;
  for (const DataNote& note : session.run().data_notes) {
    if (note.id == "not-measured") message = note.message;
  }
  CHECK(message == "machine.throttled was not measured: no control group tells its quota");
}

TEST_CASE("Of selected workers the machine has what they used, and their host") {
  Selection worker;
  worker.workers = {"W-1"};
  const Table table = small_recording().ask("machines", worker);
  CHECK(table.number("cpus_own", 0) == 1);
  CHECK(table.number("cpus_others", 0) == 0.75);
}

TEST_CASE("CPU time in process() is that of its chunks, and waiting is told apart by what for") {
  const Table by_activity = small_recording().ask(
      "core_time_tree", {}, options({{"by", "activities"}, {"depth", "100"}}));
  const auto seconds = [&](const std::string& id) {
    return by_activity.number("core_seconds",
                              by_activity.row_of("id", "available/processor_tasks/" + id));
  };
  const auto certainty = [&](const std::string& id) {
    return by_activity.text("certainty",
                            by_activity.row_of("id", "available/processor_tasks/" + id));
  };
  CHECK(seconds("thread-cpu") == Approx(0.4 + 0.8 + 1.2));
  CHECK(seconds("thread-noncpu") == Approx(1.6));
  CHECK(seconds("thread-noncpu/For input") == Approx(0.6 + 0.2));
  CHECK(certainty("thread-noncpu/For input") == "measured");
  // pressure while they ran: 0.5 of 0.5 s, (0.25 + 0) / 2 of 2 s, 0 of 1.5 s
  CHECK(seconds("thread-noncpu/For a CPU") == Approx(0.25 + 0.25));
  CHECK(certainty("thread-noncpu/For a CPU") == "estimated");
  CHECK(seconds("thread-noncpu/Not separated") == Approx(1.6 - 0.8 - 0.5));

  std::string with_delay = part_file;
  const std::string before = "\"minor_faults\"";
  with_delay.insert(with_delay.find(before), "\"run_delay\": [50000, 100000, 200000], ");
  OpenSession told({{"run/tasks.json", index_file}, {"run/tasks-000000.json", with_delay}});
  const Table measured =
      told.ask("core_time_tree", {}, options({{"by", "activities"}, {"depth", "100"}}));
  const std::size_t for_cpu =
      measured.row_of("id", "available/processor_tasks/thread-noncpu/For a CPU");
  CHECK(measured.number("core_seconds", for_cpu) == Approx(0.35));
  CHECK(measured.text("certainty", for_cpu) == "measured");

  const Table by_function = small_recording().ask("core_time_tree", {}, options({{"depth", "2"}}));
  const std::size_t inside = by_function.row_of("id", "available/inside_process");
  CHECK(by_function.number("core_seconds", inside) == 2);
  CHECK(by_function.number("on_cpu", inside) == Approx(0.4 + 0.9));
  CHECK(by_function.number("waiting", inside) == Approx(0.7));
  CHECK(by_function.number("split_measured", inside) == 1);
  // The chunks were in process() for 2 s and seen there for 1.7 s, of which 1.3 s in sort(); the
  // attempt that failed for 0.5 s.
  const std::size_t sort = by_function.row_of("label", "sort");
  const double sorting = 2 / 1.7 * 1.3;
  CHECK(by_function.number("core_seconds", sort) == Approx(2 * sorting / 2.5));
  CHECK(by_function.number("samples", sort) == Approx(220 * sorting / 2.5));
}

TEST_CASE("What tasks did more of in the other run: by hand, it sums to the change of process()") {
  const auto recorded = [](std::vector<std::pair<std::string, std::string>> changes) {
    std::string rows = part_file;
    for (const auto& [from, to] : changes) rows.replace(rows.find(from), from.size(), to);
    return rows;
  };
  const std::string no_input = R"("request_wait": [null, 0, 0])";
  const std::pair<std::string, std::string> input = {R"("request_wait": [null, 600000, 200000])",
                                                     no_input};
  // Off the CPU are 0.6 and 0.1 s of A's chunks, 1.6 and 1.1 s of B's.
  const std::string a = recorded({{input.first, no_input + R"(, "run_delay": [null, 100000, 0])"}});
  const std::string b =
      recorded({{input.first, no_input + R"(, "run_delay": [null, 900000, 1000000])"},
                {R"("begin": [0, 500000, 2500000], "wall": [500000, 2000000, 1500000])",
                 R"("begin": [0, 500000, 3500000], "wall": [500000, 3000000, 2500000])"},
                {R"("process_wall": [null, 1000000, 1000000])",
                 R"("process_wall": [null, 2000000, 2000000])"}});
  const OpenSession session({{"a/tasks.json", index_file},
                             {"a/tasks-000000.json", a},
                             {"b/tasks.json", index_file},
                             {"b/tasks-000000.json", b}});
  const Table table = session.ask_all("verdict");
  const auto seconds = [&](const char* label) {
    const std::size_t row = table.row_of("label", label);
    CHECK(table.text("kind", row) == "measured");
    return table.number("seconds", row);
  };
  CHECK(seconds("computing") == Approx(0).margin(1e-9));
  CHECK(seconds("waiting for a CPU") == Approx(1.8));
  CHECK(seconds("waiting for input") == Approx(0).margin(1e-9));
  CHECK(seconds("waiting for what is not recorded") == Approx(0.2));
  // chunks of 0.1 and 0 s, then of 0.9 and 1: two of spread 0.0707 each side
  CHECK(table.number("error", table.row_of("label", "waiting for a CPU")) == Approx(0.141421));

  CHECK(table.text_note("sentence")
            .find("Tasks waited for a CPU +1.8 core-s ± 0.141 core-s (90 %).") !=
        std::string_view::npos);

  // A chunk whose task was not measured did not compute all the time: nothing is known of the
  // whole.
  const OpenSession partly(
      {{"a/tasks.json", index_file},
       {"a/tasks-000000.json", a},
       {"b/tasks.json", index_file},
       {"b/tasks-000000.json", recorded({{R"("process_cpu": [null, 400000, 900000])",
                                          R"("process_cpu": [null, 400000, null])"}})}});
  const Table unknown = partly.ask_all("verdict");
  for (std::size_t row = 0; row < unknown.rows(); ++row)
    CHECK(unknown.text("kind", row) != "measured");
}

TEST_CASE("Of nested sections each has what is in none within it, so that they add up") {
  const Table tree =
      small_recording().ask("core_time_tree", {}, options({{"by", "sections"}, {"depth", "2"}}));
  const std::string inside = "available/inside_process/";
  CHECK(tree.number("core_seconds", tree.row_of("id", inside + "outer")) ==
        Approx(0.9 - 0.5 + 0.8));
  CHECK(tree.number("core_seconds", tree.row_of("id", inside + "inner")) == Approx(0.5));
  CHECK(tree.number("core_seconds", tree.row_of("id", inside + "(no_section)")) == Approx(0.3));
  const Table chunks =
      small_recording().ask("chunks", {}, options({{"columns", "section:outer,section:inner"}}));
  CHECK(chunks.number("section:outer", 0) == Approx(0.4));
  CHECK(chunks.number("section:inner", 0) == 0.5);
  CHECK(is_absent(chunks.number("section:inner", 1)));
}

TEST_CASE("What was measured of a task is a column of its chunk, as is what nobody here knows") {
  const OpenSession session = small_recording();
  const Table chunks = session.ask("chunks");
  CHECK(chunks.number("task:minor_faults", 0) == 7);
  CHECK(chunks.number("task:request_wait", 1) == Approx(0.2));
  CHECK(chunks.number("quux", 1) == 6);
  Selection waiting;
  waiting.ranges = {{"task:request_wait", 0.5, 1}};
  CHECK(session.ask("chunks", waiting).rows() == 1);
}

TEST_CASE("Bytes and requests of branches, and how often what they use of a file was read") {
  const Table branches = small_recording().ask("branches");
  const std::size_t pt = branches.row_of("branch", "pt");
  CHECK(branches.number("bytes", pt) == 1600);
  CHECK(branches.number("requests", pt) == 2);
  CHECK(branches.number("baskets", pt) == 3);
  CHECK(branches.number("uncompressed", pt) == 3200);
  CHECK(branches.number("outside_share", pt) == Approx(350.0 / 1600));
  CHECK(branches.number("wait", pt) == Approx(0.4));
  CHECK(branches.text("codec", pt) == "ZSTD level 3");
  CHECK(is_absent(branches.number("wait", branches.row_of("branch", "eta"))));
  const Table access = small_recording().ask("access");
  CHECK(access.number("bytes_read", 0) == 750 + 400 + 500);
  CHECK(access.number("times_read", 0) == Approx(2000.0 / 1650));
  const Table input = small_recording().ask("input");
  CHECK(note(input, "verdict") == "2 kB were read to get 1.65 kB of branches (1.21 times).");
  const Table summary = small_recording().ask("summary");
  CHECK(summary.number("value", summary.row_of("id", "total_bytes_read")) == 2200);
}

TEST_CASE("Samples know their section and chunk") {
  const OpenSession session = small_recording();
  const auto seconds = [&](std::map<std::string, std::string> which) {
    return session.ask("flame", {}, options(std::move(which))).number("total", 0);
  };
  // The chunks were in process() for 2 s, and seen there for 1.7 s.
  CHECK(seconds({}) == Approx(0.5 + 2));
  CHECK(seconds({{"section", "inner"}}) == Approx(0.5 * 2 / 1.7));
  CHECK(seconds({{"section", "outer"}}) == Approx(2));
  CHECK(seconds({{"chunk", "0"}}) == Approx(0.9 * 2 / 1.7));
  CHECK(seconds({{"chunk", "1"}, {"section", "outer"}}) == Approx(0.8 * 2 / 1.7));
  const Table none = session.ask("flame", {}, options({{"chunk", "1"}, {"section", "inner"}}));
  CHECK(none.rows() == 0);
}

TEST_CASE("Looks that fell upon a section too often stand for what was measured of it") {
  // Looks found the inner section for 1.5 s, which was measured to take 0.5 s; the outer one for
  // 0.4 and 0.8 s as before.
  std::string biased = part_file;
  const std::string before = "\"wall\": [500000, 400000, 800000, 500000]";
  biased.replace(biased.find(before), before.size(), "\"wall\": [1500000, 400000, 800000, 500000]");
  const OpenSession session({{"run/tasks.json", index_file}, {"run/tasks-000000.json", biased}});
  const auto seconds = [&](const char* section) {
    return session.ask("flame", {}, options({{"section", section}})).number("total", 0);
  };
  CHECK(seconds("inner") == Approx(0.5 * 2 / 1.7));
  CHECK(seconds("outer") == Approx(2));
}

TEST_CASE("What the recorder wraps is its caller's; what the recorder does itself stays its own") {
  // process() calls sort() directly (0.8 s were seen of the 1 s that the chunk took) and through
  // the recorder (0.5 s), which itself takes 0.4 s of the other 1 s.
  std::string part = part_file;
  const auto put = [&](const std::string& old, const std::string& with) {
    REQUIRE(part.find(old) != std::string::npos);
    part.replace(part.find(old), old.size(), with);
  };
  put(R"("removed", "retire-workers"])", R"("removed", "retire-workers", "measured", "<crema>"])");
  put(R"("name": [17, 19], "file": [18, 18], "first_line": [10, 20])",
      R"("name": [17, 19, 24], "file": [18, 18, 25], "first_line": [10, 20, 1])");
  put(R"("caller": [null, 0], "called": [0, 1], "line": [12, 21])",
      R"("caller": [null, 0, 0, 2], "called": [0, 1, 2, 1], "line": [12, 21, 5, 22])");
  put(R"("call": [1, 0, 1, 0])", R"("call": [3, 2, 1, 0])");
  const OpenSession session({{"run/tasks.json", index_file}, {"run/tasks-000000.json", part}});
  const Table frames = session.ask("frames");
  const auto of = [&](const char* column, const char* name) {
    return frames.number(column, frames.row_of("name", name));
  };
  CHECK(of("total", "process") == Approx(2.5));
  CHECK(of("self", "process") == Approx(0.5));
  CHECK(of("total", "sort") == Approx(1.3 * 2 / 1.7));
  CHECK(of("boxes", "sort") == 1);
  CHECK(of("total", "measured") == Approx(0.4 * 2 / 1.7));
}

TEST_CASE("A way to fail is a row: exception, line, entries, and what it cost") {
  const OpenSession session = small_recording();
  const Table failures = session.ask("failures");
  REQUIRE(failures.rows() == 1);
  CHECK(failures.text("exception", 0) == "ValueError");
  CHECK(failures.text("message", 0) == "no jets");
  CHECK(failures.text("frame", 0) == "toy.py:7 process");
  CHECK(failures.text("file", 0) == "a.root");
  CHECK(failures.number("entry_stop", 0) == 100);
  CHECK(failures.number("attempts", 0) == 1);
  CHECK(failures.number("recovered", 0) == 1);
  CHECK(failures.number("core_seconds", 0) == 0.5);
  CHECK(failures.number("files", 0) == 1);
  CHECK(failures.text("text", 0) ==
        "1 attempt of 1 chunk failed with ValueError: no jets at toy.py:7 process (a.root, entries "
        "0 to 100 of signal); another attempt succeeded");
  CHECK(failures.text_note("headline") == failures.text("text", 0));
  Selection late;
  late.time = Selection::TimeRange{1, 4};
  CHECK(session.ask("failures", late).rows() == 0);
}

TEST_CASE("Without rows, a task stream tells which tasks failed, but not on what") {
  const std::string stream = R"json([
    {"key": "P-1", "worker": "tcp://a:1", "thread": 1, "status": "error",
     "startstops": [{"action": "compute", "start": 10, "stop": 13}],
     "exception": "MemoryError('no room')"},
    {"key": "P-1", "worker": "tcp://a:1", "thread": 1, "status": "OK",
     "startstops": [{"action": "compute", "start": 13, "stop": 15}]}])json";
  const Table failures = OpenSession("task_stream.json", stream).ask("failures");
  CHECK(is_absent(failures.number("files", 0)));
  CHECK(failures.number("core_seconds", 0) == 3);
  CHECK(failures.number("recovered", 0) == 1);
}

TEST_CASE("Workers that come and go have Dask's reason") {
  const Table changes = small_recording().ask("worker_changes");
  REQUIRE(changes.rows() == 2);
  CHECK(changes.number("t", 1) == 3);
  CHECK(changes.text("change", 0) == "added");
  CHECK(changes.text("reason", 1) == "retire-workers");
}

TEST_CASE("A recorded run: its parts sum to wholes, and what it was made to wait for is seen") {
  const OpenSession session = real_recording();
  // 3 files of 8000 events in chunks of 2000; the second chunk of each file of `data` failed once
  const Table summary = session.ask("summary");
  const auto headline = [&](const char* id) {
    return summary.number("value", summary.row_of("id", id));
  };
  CHECK(headline("total_events") == 24000);
  CHECK(headline("num_chunks") == 12);
  CHECK(headline("total_bytes_read") == 474042);  // as coffea's report said of that run
  const Table failures = session.ask("failures");
  REQUIRE(failures.rows() == 1);
  CHECK(failures.text("message", 0) == "no jets in this chunk");
  CHECK(failures.number("attempts", 0) == 2);
  CHECK(failures.number("recovered", 0) == 2);
  CHECK(failures.number("entry_start", 0) == 2000);
  // waiting for bytes of each branch: the server thinks 40 ms before each of 24 answers
  const Table branches = session.ask("branches");
  for (const char* name : {"pt", "eta"}) {
    const std::size_t row = branches.row_of("branch", name);
    CHECK(branches.number("requests", row) == 12);
    CHECK(branches.number("wait", row) > 12 * 0.04);
  }
  const Table tree =
      session.ask("core_time_tree", {}, options({{"by", "activities"}, {"depth", "100"}}));
  const std::string noncpu = "available/processor_tasks/thread-noncpu";
  double parts = 0;
  for (std::size_t row = 0; row < tree.rows(); ++row) {
    if (tree.text("parent", row) == noncpu) parts += tree.number("core_seconds", row);
  }
  const double whole = tree.number("core_seconds", tree.row_of("id", noncpu));
  CHECK(parts == Approx(whole));
  CHECK(tree.number("core_seconds", tree.row_of("id", noncpu + "/For input")) > 24 * 0.04);
  // two processes of one thread beside a program that keeps one of the two CPUs busy
  const Table machines = session.ask("machines");
  double most_others = 0;
  for (std::size_t tick = 0; tick < machines.rows(); ++tick) {
    CHECK(machines.number("cpus_usable", tick) == 2);
    most_others = std::max(most_others, machines.number("cpus_others", tick));
  }
  CHECK(most_others > 0.9);
}
