#include "core/align/align.hpp"

#include <cmath>
#include <memory>
#include <set>

#include <nlohmann/json.hpp>

#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"
#include "tests/core/test_data.hpp"

using namespace crema;
using namespace crema::test;

namespace {

constexpr double ten_utc = 1795255200;  // 2026-11-21T10:00:00Z

struct Tick {
  std::string local;          // the scheduler's local time
  double last_seen = absent;  // [epoch s]
  double active = absent;     // tasks
};

/// A run of one worker with these ticks, its clock not yet settled.
Run ticking(const std::vector<Tick>& ticks) {
  Run run(std::make_shared<Names>());
  run.tracked = true;
  const std::size_t worker = run.workers.intern(run.names->strings.intern("tcp://1.2.3.4:5"));
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    run.tick_naive.push_back(parse_naive_time(ticks[i].local).value());
    run.worker_counts.push_back(static_cast<double>(i));
    if (!is_absent(ticks[i].last_seen))
      run.workers.of(Series::last_seen, worker).set(i, ticks[i].last_seen);
    if (!is_absent(ticks[i].active))
      run.workers.of(Series::active_tasks, worker).set(i, ticks[i].active);
  }
  return run;
}

void add_chunk(Run& run, double t_start, double t_end) {
  Chunks& c = run.chunks;
  run.chunks_recorded = true;
  c.t_start.push_back(t_start);
  c.t_end.push_back(t_end);
  c.duration.push_back(absent);
}

double offset_for(const std::string& local, double last_seen) {
  Run run = ticking({{local, last_seen}});
  align::settle(run);
  return run.clock.zone_offset;
}

}  // namespace

TEST_CASE("ISO times are read as microseconds since 1970") {
  CHECK(parse_naive_time("1970-01-01T00:00:00") == 0);
  CHECK(parse_naive_time("1970-01-01T00:00:00.000001") == 1);
  CHECK(parse_naive_time("1970-01-02T00:00:01.5") == 86401500000);
  CHECK(parse_naive_time("2026-11-21T10:00:00") == 1795255200000000);
  CHECK(parse_naive_time("2026-11-21 10:00:00.123456") == 1795255200123456);
  CHECK(parse_naive_time("2024-02-29T00:00:00") == 1709164800000000);
  CHECK_FALSE(parse_naive_time("2026-02-31T00:00:00"));  // no such day
  CHECK_FALSE(parse_naive_time("2026-02-29T00:00:00"));
  CHECK(parse_naive_time("2000-03-01T00:00:00") == 951868800000000);
  CHECK(parse_naive_time("1969-12-31T23:59:59") == -1000000);
  CHECK(parse_naive_time("2026-11-21T10:00:00Z") == 1795255200000000);
  CHECK(parse_naive_time("2026-11-21T10:00:00.5+05:30") == 1795255200500000);
  CHECK(parse_naive_time("2026-11-21T10:00:00.1234567") == 1795255200123456);
}

TEST_CASE("What is no ISO time is none") {
  for (const char* text :
       {"", "now", "2026-11-21", "2026-11-21T10:00", "2026-13-01T00:00:00", "2026-00-01T00:00:00",
        "2026-01-32T00:00:00", "2026-01-01T24:00:00", "2026-01-01T00:60:00", "2026-01-01X00:00:00",
        "2026/01/01T00:00:00", "26-01-01T00:00:00", "-026-01-01T00:00:00", "1795255200.5",
        "2026-01-01T00:00:0x"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_naive_time(text));
  }
}

TEST_CASE("The scheduler's zone is the multiple of 15 minutes nearest to tick minus heartbeat") {
  CHECK(offset_for("2026-11-21T10:00:00", ten_utc - 0.4) == 0);
  CHECK(offset_for("2026-11-21T11:00:00", ten_utc - 0.4) == 3600);
  CHECK(offset_for("2026-11-21T05:00:00", ten_utc - 0.4) == -5 * 3600);
  CHECK(offset_for("2026-11-21T15:30:00", ten_utc - 0.4) == 5.5 * 3600);
  CHECK(offset_for("2026-11-21T15:45:00", ten_utc - 0.4) == 5.75 * 3600);
  CHECK(offset_for("2026-11-22T00:00:00", ten_utc - 0.4) == 14 * 3600);
}

TEST_CASE("A lag of 26 seconds, as 5000 workers have, does not move the zone") {
  CHECK(offset_for("2026-11-21T11:00:00", ten_utc - 26) == 3600);
  CHECK(offset_for("2026-11-21T05:00:00", ten_utc - 26) == -5 * 3600);
}

TEST_CASE("A heartbeat that is days away from its tick is none") {
  for (const double wrong : {5.0, ten_utc - 2 * 86400, 1e308}) {
    Run run = ticking({{"2026-11-21T11:00:00", wrong},
                       {"2026-11-21T11:00:01", ten_utc + 1},
                       {"2026-11-21T11:00:02", wrong}});
    align::settle(run);
    CHECK(run.clock.zone_offset == 3600);
    CHECK(run.ticks == std::vector<double>{0, 1, 2});
    Run none = ticking({{"2026-11-21T11:00:00", wrong}});
    align::settle(none);
    CHECK(is_absent(none.clock.zone_offset));
  }
}

TEST_CASE("Chunks and ticks share an axis that begins with the first tick") {
  Run run = ticking({{"2026-11-21T15:30:00.5", ten_utc}, {"2026-11-21T15:30:01.5", ten_utc + 1}});
  add_chunk(run, ten_utc + 1, ten_utc + 3.5);
  align::settle(run);
  CHECK(run.ticks == std::vector<double>{0, 1});
  CHECK(run.clock.zero_epoch == ten_utc + 0.5);
  CHECK(run.chunks.t_start[0] == Approx(0.5));
  CHECK(run.chunks.t_end[0] == Approx(3));
  CHECK(run.chunks.duration[0] == Approx(2.5));
  CHECK(run.data_notes.empty());
}

TEST_CASE("A clock that is put forward during the run leaves no gap") {
  const double change = 1774746000;  // 2026-03-29T01:00:00Z, in Central Europe 02:00 becomes 03:00
  Run run = ticking({{"2026-03-29T01:59:58", change - 2.3},
                     {"2026-03-29T01:59:59", change - 1.3},
                     {"2026-03-29T03:00:00", change - 0.3},
                     {"2026-03-29T03:00:01", change + 0.7}});
  align::settle(run);
  CHECK(run.ticks == std::vector<double>{0, 1, 2, 3});
  CHECK(run.clock.zone_offset == 3600);
  CHECK(has_note(run, "clock-change"));
}

TEST_CASE("A clock that is put back during the run does not fold it") {
  const double change = 1792890000;  // 2026-10-25T01:00:00Z, in Central Europe 03:00 becomes 02:00
  Run run = ticking({{"2026-10-25T02:59:58", change - 2.3},
                     {"2026-10-25T02:59:59", change - 1.3},
                     {"2026-10-25T02:00:00", change - 0.3},
                     {"2026-10-25T02:00:01", change + 0.7}});
  add_chunk(run, change - 1, change + 1);
  align::settle(run);
  CHECK(run.ticks == std::vector<double>{0, 1, 2, 3});
  CHECK(run.chunks.t_start[0] == Approx(1));
  CHECK(has_note(run, "clock-change"));
  CHECK_FALSE(has_note(run, "ticks-out-of-order"));
}

TEST_CASE("A worker that is silent for an hour is no clock change") {
  Run run = ticking({{"2026-11-21T10:00:00", ten_utc},
                     {"2026-11-21T10:30:00", ten_utc + 1},
                     {"2026-11-21T11:00:00", ten_utc + 3599}});
  align::settle(run);
  CHECK(run.ticks == std::vector<double>{0, 1800, 3600});
  CHECK_FALSE(has_note(run, "clock-change"));
}

TEST_CASE(
    "Without heartbeats the zone is guessed from the overlap of chunks and active tasks, and a "
    "note says so") {
  Run run = ticking({{"2026-11-21T05:00:00", absent, 0},
                     {"2026-11-21T05:00:01", absent, 2},
                     {"2026-11-21T05:00:02", absent, 2},
                     {"2026-11-21T05:00:03", absent, 0}});
  add_chunk(run, ten_utc + 1, ten_utc + 3);
  align::settle(run);
  CHECK(run.clock.zone_offset == -5 * 3600);
  CHECK(run.chunks.t_start[0] == Approx(1));
  CHECK(has_note(run, "zone-guessed"));
}

TEST_CASE("The guess follows the active tasks, not only the length of the run") {
  // A run of an hour that was busy in its second half only: at offset 0 the chunk lies in the idle
  // half.
  Run run = ticking({{"2026-11-21T10:00:00", absent, 0},
                     {"2026-11-21T10:30:00", absent, 4},
                     {"2026-11-21T11:00:00", absent, 0}});
  add_chunk(run, ten_utc, ten_utc + 1800);
  align::settle(run);
  CHECK(run.clock.zone_offset == 1800);
}

TEST_CASE("Without heartbeats and chunks the scheduler's local time is all there is") {
  Run run = ticking({{"2026-11-21T05:00:00"}, {"2026-11-21T05:00:01"}});
  align::settle(run);
  CHECK(run.ticks == std::vector<double>{0, 1});
  CHECK(is_absent(run.clock.zone_offset));
  CHECK(is_absent(run.clock.zero_epoch));
  CHECK(run.clock.zero_naive == ten_utc - 5 * 3600);
}

TEST_CASE(
    "Chunks that no zone puts beside the ticks are drawn from their own beginning, with a note") {
  Run run = ticking({{"2026-11-21T10:00:00", absent, 1}, {"2026-11-21T10:00:09", absent, 1}});
  add_chunk(run, ten_utc - 40 * 86400, ten_utc - 40 * 86400 + 5);
  align::settle(run);
  CHECK(is_absent(run.clock.zone_offset));
  CHECK(run.chunks.t_start[0] == 0);
  CHECK(has_note(run, "clocks-apart"));
}

TEST_CASE("Without tracking, time counts from the first chunk") {
  Run run(std::make_shared<Names>());
  add_chunk(run, ten_utc + 5, ten_utc + 7);
  add_chunk(run, ten_utc + 2, ten_utc + 3);
  align::settle(run);
  CHECK(run.chunks.t_start == std::vector<double>{3, 0});
  CHECK(run.chunks.t_end == std::vector<double>{5, 1});
  CHECK(run.clock.zero_epoch == ten_utc + 2);
  CHECK(run.ticks.empty());
}

TEST_CASE("Ticks that a clock set back stand in order afterwards, with their values") {
  Run run = ticking({{"2026-11-21T10:00:00", ten_utc, 10},
                     {"2026-11-21T10:00:02", ten_utc + 1, 12},
                     {"2026-11-21T10:00:01", ten_utc + 1, 11},
                     {"2026-11-21T10:00:03", ten_utc + 2, 13}});
  align::settle(run);
  CHECK(run.ticks == std::vector<double>{0, 1, 2, 3});
  CHECK(run.workers.of(Series::active_tasks, 0).values == std::vector<double>{10, 11, 12, 13});
  CHECK(run.worker_counts == std::vector<double>{0, 2, 1, 3});
  CHECK(has_note(run, "ticks-out-of-order"));
}

TEST_CASE("Ticks in the reverse order keep short series at their own ticks") {
  Run run = ticking({{"2026-11-21T10:00:03", ten_utc + 3},
                     {"2026-11-21T10:00:02", ten_utc + 2, 5},
                     {"2026-11-21T10:00:00", ten_utc}});
  align::settle(run);
  CHECK(run.ticks == std::vector<double>{0, 2, 3});
  CHECK(run.workers.of(Series::active_tasks, 0).first_tick == 1);
  CHECK(run.workers.of(Series::active_tasks, 0).values == std::vector<double>{5});
}

TEST_CASE("Chunks at epoch 0 have no time, with a note that counts them") {
  Run run = ticking({{"2026-11-21T10:00:00", ten_utc}});
  add_chunk(run, 0, 0);
  add_chunk(run, ten_utc + 1, ten_utc + 2);
  add_chunk(run, 0, 0);
  align::settle(run);
  CHECK(is_absent(run.chunks.t_start[0]));
  CHECK(is_absent(run.chunks.t_end[0]));
  CHECK(run.chunks.t_start[1] == 1);
  CHECK(has_note(run, "chunk-time"));
}

TEST_CASE("Without ticks a majority of chunks at epoch 0 does not outvote the good ones") {
  Run run(std::make_shared<Names>());
  add_chunk(run, 0, 0);
  add_chunk(run, 0, 0);
  add_chunk(run, ten_utc, ten_utc + 2);
  align::settle(run);
  CHECK(is_absent(run.chunks.t_start[0]));
  CHECK(run.chunks.t_start[2] == 0);
  CHECK(run.chunks.t_end[2] == 2);
}

TEST_CASE("A chunk that ends before it begins has no time") {
  Run run = ticking({{"2026-11-21T10:00:00", ten_utc}});
  add_chunk(run, ten_utc + 3, ten_utc + 2);
  align::settle(run);
  CHECK(is_absent(run.chunks.t_start[0]));
  CHECK(is_absent(run.chunks.duration[0]));
  CHECK(has_note(run, "chunk-time"));
}

TEST_CASE("A run of four days keeps its first and its last chunk") {
  Run run = ticking({{"2026-11-21T10:00:00", ten_utc}});
  run.elapsed = 4 * 86400;
  add_chunk(run, ten_utc + 1, ten_utc + 2);
  add_chunk(run, ten_utc + 4 * 86400 - 2, ten_utc + 4 * 86400 - 1);
  align::settle(run);
  CHECK(run.chunks.t_start[0] == 1);
  CHECK(run.chunks.t_end[1] == 4 * 86400 - 1);
  CHECK_FALSE(has_note(run, "chunk-time"));
}

TEST_CASE("A run without ticks and chunks settles to nothing") {
  Run run(std::make_shared<Names>());
  align::settle(run);
  CHECK(run.ticks.empty());
  CHECK(is_absent(run.clock.zero_epoch));
}

namespace {

using nlohmann::json;

const std::vector<double> clock_errors = {0.5, 5, -5, 60};

/// A recorded bundle with the chunks of one of its workers stamped `error` seconds late, and those
/// chunks' numbers.
struct Shifted {
  std::vector<File> files;
  std::set<std::size_t> chunks;
};

/// The worker of each chunk: that of the processor's task that contains it and whose end is
/// nearest, nearest ones first and each task once.
std::vector<std::string> workers_of(const json& chunks, const json& tasks) {
  std::vector<std::tuple<double, std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const double begin = chunks[i]["t_start"];
    const double end = chunks[i]["t_end"];
    for (std::size_t task = 0; task < tasks.size(); ++task) {
      if (tasks[task]["key"].get<std::string>().find("Processor") == std::string::npos) continue;
      for (const json& action : tasks[task]["startstops"]) {
        const double after = action["stop"].get<double>() - end;
        if (action["action"] == "compute" && action["start"].get<double>() < begin + 0.1 &&
            std::fabs(after) < 1 && after > -0.1)
          pairs.emplace_back(std::fabs(after), i, task);
      }
    }
  }
  std::sort(pairs.begin(), pairs.end());
  std::vector<std::string> workers(chunks.size());
  std::set<std::size_t> taken;
  for (const auto& [apart, i, task] : pairs) {
    if (workers[i].empty() && taken.insert(task).second) workers[i] = tasks[task]["worker"];
  }
  return workers;
}

/// Without a task stream, of every second chunk: no worker is known, any will do.
Shifted shift_clock(const std::string& bundle, double error, bool with_tasks) {
  json metrics = json::parse(read_test_file(bundle + "/metrics.json"));
  Shifted shifted;
  std::string stream;
  json& chunks = metrics["raw_chunk_metrics"];
  std::vector<std::string> workers;
  std::string worker;
  if (with_tasks) {
    stream = read_test_file(bundle + "/task_stream.json.gz");
    workers = workers_of(chunks, json::parse(stream));
    std::map<std::string, int> count;
    for (const std::string& one : workers) {
      if (!one.empty() && ++count[one] > count[worker]) worker = one;
    }
    shifted.files.push_back({bundle + "/task_stream.json", stream});
  }
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (with_tasks ? workers[i] != worker : i % 2 == 1) continue;
    shifted.chunks.insert(i);
    for (const char* time : {"t_start", "t_end"})
      chunks[i][time] = chunks[i][time].get<double>() + error;
  }
  shifted.files.push_back({bundle + "/metrics.json", metrics.dump()});
  for (const char* name : {"report.json", "scheduler_info.json", "start_end_time.txt"})
    shifted.files.push_back({bundle + "/" + name, read_test_file(bundle + "/" + name)});
  return shifted;
}

/// No share of a run below 0 or above 1, and none in a sentence.
void check_shares(const OpenSession& session) {
  const double end = session.run().window().end;
  const Table phases = session.ask("phases");
  for (std::size_t i = 0; i < phases.rows(); ++i) {
    CHECK(phases.number("t0", i) >= 0);
    CHECK(phases.number("t1", i) <= Approx(end));
    CHECK_FALSE(phases.number("core_seconds", i) < 0);
  }
  for (const char* question : {"phases", "budget", "tail", "summary", "findings", "throughput"}) {
    const Table table = session.ask(question);
    for (const Column& column : table.columns) {
      if (column.unit != "1" || column.name == "coverage") continue;
      for (std::size_t i = 0; i < table.rows(); ++i) {
        CAPTURE(question, column.name, i);
        CHECK_FALSE(table.number(column.name, i) < 0);
        CHECK_FALSE(table.number(column.name, i) > 1 + 1e-9);
      }
    }
  }
  const Table summary = session.ask("summary");
  for (std::size_t i = 0; i < summary.rows(); ++i) {
    CAPTURE(summary.text("id", i));
    if (summary.text("unit", i) == "1") CHECK_FALSE(summary.number("value", i) < 0);
  }
  CHECK_FALSE(value(summary, "time_to_first_chunk") < 0);
  const Table tail = session.ask("tail");
  for (std::size_t i = 0; i < tail.rows(); ++i)
    CHECK_FALSE(tail.number("core_seconds_wasted", i) < 0);
  const Table findings = session.ask("findings");
  for (std::size_t i = 0; i < findings.rows(); ++i) {
    const std::string text =
        std::string(findings.text("title", i)) + " " + std::string(findings.text("evidence", i));
    for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at + 1)) {
      CAPTURE(text);
      CHECK_FALSE((at > 0 && text[at - 1] == ' ' && at + 1 < text.size() && text[at + 1] >= '0' &&
                   text[at + 1] <= '9'));
    }
  }
}

}  // namespace

TEST_CASE("A worker's clock that is off is put right by the task stream, to within 20 ms") {
  for (const char* bundle : {"local-4x1", "adaptive"}) {
    const OpenSession right(shift_clock(bundle, 0, true).files);
    CHECK_FALSE(has_note(right.run(), "worker-clock"));
    for (const double error : clock_errors) {
      CAPTURE(bundle, error);
      const Shifted shifted = shift_clock(bundle, error, true);
      const OpenSession session(shifted.files);
      CHECK(has_note(session.run(), "worker-clock"));
      CHECK(session.run().chunks.placed);
      std::size_t other = 0;
      for (std::size_t i = 0; i < right.run().chunks.size(); ++i) {
        if (std::fabs(session.run().chunks.t_start[i] - right.run().chunks.t_start[i]) > 0.02)
          ++other;
      }
      // By chance a chunk may end with a task of another worker, whose clock it then gets.
      CHECK(static_cast<double>(other) <= 0.06 * static_cast<double>(shifted.chunks.size()) + 1);
      for (const char* number : {"actual_makespan", "ideal_makespan", "t95", "end"}) {
        CAPTURE(number);
        CHECK(std::fabs(session.ask("tail").number(number, 0) -
                        right.ask("tail").number(number, 0)) < 0.6);
      }
      CHECK(core_seconds(session.ask("budget"), "inside_process") ==
            Approx(core_seconds(right.ask("budget"), "inside_process")));
      check_shares(session);
    }
  }
}

TEST_CASE("Where nothing tells how far clocks are off, no phase is told from chunks") {
  for (const char* bundle : {"local-4x1", "ab-before", "ab-after", "adaptive", "scale-1", "scale-2",
                             "scale-4", "skipbad", "no-tracking", "preproc-none"}) {
    for (const double error : clock_errors) {
      CAPTURE(bundle, error);
      const OpenSession session(shift_clock(bundle, error, false).files);
      const Run& run = session.run();
      CHECK_FALSE(has_note(run, "worker-clock"));
      check_shares(session);
      if (!run.ticks.empty()) CHECK(has_note(run, "chunks-outside-run") == !run.chunks.placed);
      // A minute is longer than any of these runs has left.
      if (error == 60) CHECK_FALSE(run.chunks.placed);
      if (run.chunks.placed) continue;
      for (const char* finding : {"start-up", "tail"})
        CHECK(session.ask("findings").row_of("id", finding) == session.ask("findings").rows());
    }
  }
}

TEST_CASE("The recorded bundles' clocks agree") {
  for (const char* bundle : {"local-4x1", "ab-before", "ab-after", "adaptive", "scale-1", "scale-2",
                             "scale-4", "skipbad", "no-tracking", "preproc-none"}) {
    CAPTURE(bundle);
    const OpenSession session(shift_clock(bundle, 0, false).files);
    for (const char* note :
         {"worker-clock", "chunks-outside-run", "chunks-outside-tasks", "duplicate-chunks"})
      CHECK_FALSE(has_note(session.run(), note));
    CHECK_FALSE(notes(session.ask("quality"), "chunk-list-cut"));
    CHECK(session.run().chunks.placed);
    check_shares(session);
  }
}

TEST_CASE("Chunks that a checkpointer kept of an earlier run are none of this one") {
  // 5 core-s of chunks an hour before, of a run whose tasks took 7 core-s, 5 of them its own
  // chunks.
  const std::string own = small_metrics();
  const auto begin = own.find("  {\"t_start\"");
  std::string earlier = own.substr(begin, own.find("}],\n", begin) + 1 - begin) + ",\n";
  for (const auto& [of, instead] : std::vector<std::pair<std::string, std::string>>{
           {"17952552", "17952516"}, {"x.root", "x0.root"}, {"y.root", "y0.root"}}) {
    for (auto at = earlier.find(of); at != std::string::npos; at = earlier.find(of, at + 8))
      earlier.replace(at, of.size(), instead);
  }
  std::string both = own;
  both.insert(begin, earlier);
  // what coffea and roastcoffea sum up is of all chunks
  both =
      with(both, "\"total_events\": 3000, \"total_bytes_read\": 8000000, \"total_cpu_time\": 5.0",
           "\"total_events\": 6000, \"total_bytes_read\": 15000000, \"total_cpu_time\": 10.0");
  const OpenSession session("metrics.json", both);
  CHECK(session.run().chunks.size() == 2);
  CHECK(session.run().chunks.placed);
  CHECK(has_note(session.run(), "chunks-of-earlier-run"));
  CHECK_FALSE(has_note(session.run(), "chunks-outside-run"));
  CHECK_FALSE(notes(session.ask("quality"), "chunk-list-cut"));
  CHECK_FALSE(notes(session.ask("quality"), "negative-part"));
  const Table budget = session.ask("budget");
  CHECK(core_seconds(budget, "inside_process") == Approx(5));
  CHECK(core_seconds(budget, "outside_process") == Approx(1));
  const Table summary = session.ask("summary");
  CHECK(value(summary, "total_events") == 3000);
  CHECK(value(summary, "total_cpu_time") == 5);
  // coffea tells neither bytes nor submitted chunks of this run alone
  CHECK(is_absent(value(summary, "total_bytes_read")));
  CHECK(is_absent(value(summary, "lost_chunks")));

  // Where tasks took long enough for all of them, the clocks of workers may be off as well.
  const OpenSession unclear("metrics.json", with(both, "'thread-cpu', 'seconds')\": 1.0",
                                                 "'thread-cpu', 'seconds')\": 5.0"));
  CHECK(unclear.run().chunks.size() == 4);
  CHECK(has_note(unclear.run(), "chunks-outside-run"));
}

TEST_CASE("A chunk that is recorded twice is counted once") {
  const std::string text = small_metrics();
  const auto begin = text.find("  {\"t_start\"");
  const auto end = text.find("},\n  {\"t_start\"", begin) + 2;
  const std::string twice =
      text.substr(0, end) + text.substr(begin, end - begin) + text.substr(end);
  const OpenSession session("metrics.json", twice);
  CHECK(has_note(session.run(), "duplicate-chunks"));
  CHECK(session.run().chunks.size() == 2);
  CHECK(session.ask("sections").rows() == OpenSession("metrics.json", text).ask("sections").rows());
  CHECK(core_seconds(session.ask("budget"), "inside_process") == Approx(5));
  // The same entries at another time were done again: that is another record.
  const OpenSession again(
      "metrics.json",
      with(twice.substr(0, end) +
               with(with(text.substr(begin, end - begin), "1795255200.5", "1795255200.25"),
                    "\"t_end\": 1795255202.5", "\"t_end\": 1795255202.25") +
               text.substr(end),
           "\"elapsed_time_seconds\": 4.0", "\"elapsed_time_seconds\": 4.5"));
  CHECK(again.run().chunks.size() == 3);
}
