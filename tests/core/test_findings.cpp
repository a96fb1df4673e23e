#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "catch.hpp"
#include "core/diagnose/rules.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"
#include "tests/core/allocations.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_run.hpp"
#include "tests/core/test_data.hpp"

using namespace crema;
using namespace crema::runtime;
using namespace crema::diagnose;
using test::SmallRun;

TEST_CASE("A run with nothing to complain about has no findings") {
  SmallRun small;
  for (const test::WordedFinding& finding : test::worded_findings(small.run))
    FAIL_CHECK(finding.id + ": " + finding.title + " " + finding.evidence);
}

TEST_CASE("Time outside process() is found with what it costs") {
  SmallRun small;
  // Half a second per chunk inside: 78 of 158 s of the tasks.
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
    small.run.chunks.t_end[i] -= 0.5;
    small.run.chunks.duration[i] = 0.5;
  }
  const auto* finding = small.find("outside-process");
  REQUIRE(finding != nullptr);
  // Of 80 core-s outside, 0.1 s for each of 156 executions are usual.
  CHECK(finding->gain_core_seconds == Approx(80 - 15.6));
  CHECK(finding->severity == Severity::high);
  CHECK(finding->evidence.find("Each task took 513 ms outside process() and 500 ms inside") !=
        std::string::npos);
}

TEST_CASE("Lost work is a finding of its own") {
  SmallRun small;
  small.set_activity("memory-read", 208);  // 52 of 208 again: a quarter of 158 core-s
  const auto* finding = small.find("lost-work");
  REQUIRE(finding != nullptr);
  CHECK(finding->gain_core_seconds == Approx(158.0 / 4));
}

TEST_CASE("A late start is found, with the time range it took") {
  SmallRun small;
  small.start_late();
  const auto* finding = small.find("start-up");
  REQUIRE(finding != nullptr);
  // The first task began before its chunk: 2 of 158 core-s are outside process(), 1/78 s of each.
  CHECK(finding->core_seconds == Approx(4 * 10.5));
  CHECK(finding->gain_core_seconds == Approx(4 * (10.5 - 2.0 / 156)));
  REQUIRE(finding->selection.time);
  CHECK(finding->selection.time->end == Approx(10.5));
}

TEST_CASE("Pre-processing that takes a tenth of the cores is found") {
  SmallRun small;
  small.activity("automatic_retries", "thread-cpu", "seconds", 12);
  CHECK(small.find("pre-processing") == nullptr);  // of 160 core-s
  small.activity("automatic_retries", "thread-noncpu", "seconds", 5);
  const auto* finding = small.find("pre-processing");
  REQUIRE(finding != nullptr);
  CHECK(finding->core_seconds == Approx(17));
  CHECK(finding->gain_core_seconds == Approx(4 * 0.5));  // the run waited half a second for it
}

TEST_CASE("A tail on one core is found, and what it wasted") {
  SmallRun small;
  // Nine chunks more, one after the other on one core, from 39.5 s on; the ticks go on as well.
  for (int i = 0; i < 9; ++i) small.add_chunk(39.5 + 2 * i, 2, 10000, "data");
  small.run.elapsed = 57.5;
  const auto* finding = small.find("tail");
  REQUIRE(finding != nullptr);
  // 157 of 165 chunks are 95 %: the first of the nine ends at 41.5 s. From there 16 s with three
  // idle cores.
  CHECK(finding->gain_core_seconds == Approx(3 * 16));
  CHECK(finding->selection.time->begin == Approx(41.5));
}

TEST_CASE("Idle cores that nothing explains are found, and what is known of them") {
  SmallRun small;
  // One of four workers executes nothing; of 160 core-s 108 are tasks'.
  small.set_series(Series::executing, 0, 0);
  small.set_activity("thread-cpu", 100);
  const auto* finding = small.find("idle-unknown");
  REQUIRE(finding != nullptr);
  CHECK(finding->grounds == Grounds::unknown);
  CHECK(finding->title == "32.1 % of the core-time was idle on workers that had tasks");
  // 52 core-s; the half second before the first chunk, of its 40, is a usual start.
  CHECK(finding->core_seconds == Approx(52 * 39.5 / 40));
  CHECK(finding->evidence.find("Held back") != std::string::npos);
  small.set_activity("thread-cpu", 150);  // 2 core-s are left
  CHECK(small.find("idle-unknown") == nullptr);
}

TEST_CASE("A client that computes between tasks leaves idle cores that are found") {
  SmallRun small;
  // For 8 s after the twentieth chunk of each worker there is no task.
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
    if (i % SmallRun::chunks_each < 20) continue;
    small.run.chunks.t_start[i] += 8;
    small.run.chunks.t_end[i] += 8;
  }
  for (std::size_t tick = 40; tick < 48; ++tick) {
    small.run.tick_naive.push_back(static_cast<std::int64_t>(tick) * 1000000);
    small.run.ticks.push_back(static_cast<double>(tick));
    small.run.worker_counts.push_back(SmallRun::workers);
    for (std::size_t w = 0; w < SmallRun::workers; ++w)
      small.run.workers.of(Series::cores, w).set(tick, 1);
  }
  for (std::size_t tick = 20; tick < 28; ++tick) {
    for (std::size_t w = 0; w < SmallRun::workers; ++w) {
      small.run.workers.of(Series::active_tasks, w).set(tick, 0);
      small.run.workers.of(Series::executing, w).set(tick, 0);
    }
  }
  small.run.elapsed = 48;
  small.stream();
  const auto* finding = small.find("idle-unknown");
  REQUIRE(finding != nullptr);
  // What waited at the scheduler is not known without states of tasks.
  CHECK(finding->title.ends_with("of the core-time was idle: unknown why"));
  CHECK(finding->core_seconds >= 32);
  CHECK(finding->core_seconds <= 34);
  CHECK(finding->evidence.find("a client that computes") != std::string::npos);
}

TEST_CASE("The end of a run is no finding where a straggler explains it") {
  SmallRun small;
  // The last chunk of one worker takes 20 s more: the other three idle for it.
  const std::size_t last = SmallRun::chunks_each - 1;
  small.stretch(last, 21);
  small.run.elapsed = 60;
  small.set_activity("thread-cpu", 170);
  for (std::size_t tick = 40; tick < 60; ++tick) {
    small.run.tick_naive.push_back(static_cast<std::int64_t>(tick) * 1000000);
    small.run.ticks.push_back(static_cast<double>(tick));
    small.run.worker_counts.push_back(SmallRun::workers);
    for (std::size_t w = 0; w < SmallRun::workers; ++w)
      small.run.workers.of(Series::cores, w).set(tick, 1);
  }
  small.stream();
  REQUIRE(small.find("stragglers") != nullptr);
  CHECK(small.find("tail") == nullptr);
  double tail = 0, explained = 0;
  for (const ExcessPart& part : excess_account(small.run, {}, {})) {
    if (part.idle != runtime::IdleCause::tail) continue;
    tail += part.core_seconds;
    explained += part.explained();
  }
  CHECK(tail > 50);
  CHECK(explained == Approx(tail).epsilon(0.1));
}

TEST_CASE("What chunks of one dataset took less makes up for nothing that another's took more") {
  SmallRun small;
  for (std::size_t i = 0; i < 10; ++i)  // of data half a second less each, of ttbar more
    small.stretch(i, i % 2 == 0 ? 0.5 : 1.5);
  small.stream();
  double computing = absent;
  for (const ExcessPart& part : excess_account(small.run, {}, {}))
    if (part.kind == CostIn::computing) computing = part.unknown;
  CHECK(computing == Approx(2.5 * 150 / 158).epsilon(0.01));
}

TEST_CASE("Every cause says what it costs, and which rivals share its symptoms") {
  for (const CauseFields& cause : all_causes) {
    CAPTURE(cause.id);
    std::size_t rivals = 0;
    for (const Rivals& both : all_rivals) {
      if (both.one != cause.cause && both.other != cause.cause) continue;
      ++rivals;
      CHECK(both.one != both.other);
      CHECK(!both.separator.empty());
    }
    CHECK(rivals > 0);
  }
}

TEST_CASE("What each chunk pays goes on to the end; a start, a moment and a lost worker are over") {
  using enum FindingCause;
  for (const CauseFields& cause : all_causes) {
    CAPTURE(cause.id);
    const bool is_lasting = cause.lasting == Lasting::lasts;
    if (cause.cost == CostIn::lost_work) CHECK_FALSE(is_lasting);
    // of a file that is in an archive others may not be
    if (cause.cost == CostIn::waiting)
      CHECK(is_lasting == (cause.cause != stopped && cause.cause != reads_more));
    // workers near their limit stay there; tasks that were held up were so at one moment
    if (cause.cost == CostIn::idle) CHECK(is_lasting == (cause.cause == memory_near_limit));
    // and how many calls are yet to come is not known
    if (cause.cost == CostIn::outside_process)
      CHECK(is_lasting == (cause.cause != held_up && cause.cause != repeated_calls &&
                           cause.cause != no_bytecode));
  }
}

TEST_CASE("Waiting is found, without a claim about its cause") {
  SmallRun small;
  small.set_activity("thread-cpu", 79);
  small.set_activity("thread-noncpu", 79);
  const auto* finding = small.find("waiting");
  REQUIRE(finding != nullptr);
  CHECK(finding->core_seconds == Approx(79));
  CHECK(is_absent(finding->gain_core_seconds));  // reading has to wait: a share, not a gain
  CHECK(finding->evidence.find("ossibl") != std::string::npos);
}

TEST_CASE("Whatever was spilled tells that memory was short") {
  SmallRun small;
  CHECK(small.find("spilling") == nullptr);
  small.activity("P", "disk-write", "bytes", 3e6);
  small.activity("P", "disk-write", "seconds", 0.02);
  REQUIRE(small.find("spilling") != nullptr);
  CHECK(small.find("spilling")->severity == Severity::medium);
  CHECK(small.find("spilling")->title == "3 MB were written to disk: workers ran short of memory");
}

TEST_CASE("Serialization, compression and spilling are each found") {
  SmallRun small;
  small.activity("P", "serialize", "seconds", 2);
  small.activity("P", "decompress", "seconds", 3);
  small.activity("P", "disk-write", "bytes", 4e9);
  small.activity("P", "disk-write", "seconds", 4);
  CHECK(small.find("serialization")->gain_core_seconds == Approx(2));
  CHECK(small.find("compression")->gain_core_seconds == Approx(3));
  CHECK(small.find("spilling")->gain_core_seconds == Approx(4));
}

TEST_CASE("Merging is a finding from a tenth of the core-time on") {
  SmallRun small;  // 160 core-s, of which three cores are idle for the last half second
  small.activity("reduce", "thread-cpu", "seconds", 14);
  CHECK(small.find("reduction") == nullptr);
  small.activity("reduce", "thread-noncpu", "seconds", 1);
  REQUIRE(small.find("reduction") != nullptr);
  CHECK(small.find("reduction")->core_seconds == Approx(15));
}

TEST_CASE("Memory near the limit comes before what costs less than a twentieth") {
  for (const double seconds : {7.0, 9.0}) {  // of 160 core-s
    SmallRun small;
    small.activity("P", "serialize", "seconds", seconds);
    for (double& bytes : small.run.workers.of(Series::memory, 2).values) bytes = 3.5e9;
    CHECK((diagnose::find_findings(small.run, {}).front().cause ==
           diagnose::FindingCause::memory_near_limit) == (seconds == 7));
  }
}

TEST_CASE("Memory near the limit is found, and severe where Dask would kill") {
  SmallRun small;
  small.set_series(Series::memory, 2, 850e6);
  REQUIRE(small.find("memory-near-limit") != nullptr);
  CHECK(small.find("memory-near-limit")->severity == Severity::medium);
  CHECK(small.find("memory-near-limit")->selection.workers ==
        std::vector<std::string>{"tcp://10.0.0.2:1000"});
  small.set_series(Series::memory, 2, 960e6);
  CHECK(small.find("memory-near-limit")->severity == Severity::high);
}

TEST_CASE("A worker whose series end early was lost") {
  SmallRun small;
  for (auto& series : small.run.workers.series) {
    if (!series[1].empty()) series[1].values.resize(20);
  }
  const auto* finding = small.find("workers-lost");
  REQUIRE(finding != nullptr);
  CHECK(finding->title == "1 worker left before the end");
  // Its core is missed until another comes: from 19 to 30 s.
  SmallRun replaced;
  for (auto& series : replaced.run.workers.series) {
    if (!series[1].empty()) series[1].values.resize(20);
  }
  const std::size_t later = replaced.run.workers.intern(replaced.id("tcp://10.0.0.9:1000"));
  for (std::size_t tick = 30; tick < 40; ++tick)
    replaced.run.workers.of(Series::memory, later).set(tick, 5e8);
  const auto* both = replaced.find("workers-lost");
  REQUIRE(both != nullptr);
  CHECK(both->title == "1 worker left before the end, 1 joined later");
  CHECK(both->evidence.find(
            "Later 1 worker joined, at 30 s: until then 11 core-s of cores were fewer.") !=
        std::string::npos);
  // Processes that measure themselves while they run tasks say nothing when they have none.
  SmallRun pool;
  pool.run.workers = small.run.workers;
  pool.run.ticks_of_busy_workers = true;
  CHECK(pool.find("workers-lost") == nullptr);
}

TEST_CASE("Workers that leave when the last chunk has begun were not lost") {
  SmallRun small;
  for (auto& series : small.run.workers.series) {
    for (auto& one : series) {
      if (!one.empty()) one.values.resize(39);
    }
  }
  // The last chunks begin at 38.5 s, the ticks that have no worker at 39 s.
  CHECK(small.find("workers-lost") == nullptr);
  for (auto& series : small.run.workers.series) {
    if (!series[1].empty()) series[1].values.resize(38);
  }
  CHECK(small.find("workers-lost") != nullptr);
}

TEST_CASE("Small chunks are found only where sizes differ enough to tell") {
  SmallRun small;
  // 0.8 s for nothing, and 10 µs for each of 10,000 or 30,000 events.
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
    small.run.chunks.events[i] = i % 4 < 2 ? 10000 : 30000;
    small.run.chunks.duration[i] = 0.8 + 1e-5 * small.run.chunks.events[i];
  }
  REQUIRE(small.find("small-chunks") != nullptr);
  // Equal chunks leave open whether their cost is fixed or per event.
  for (double& events : small.run.chunks.events) events = 10000;
  CHECK(small.find("small-chunks") == nullptr);
}

TEST_CASE("Too few or too long chunks are found") {
  SmallRun small;
  // The last chunk of one worker takes 12 s, as its events have it: three workers idle for it.
  const std::size_t last = SmallRun::chunks_each - 1;
  small.stretch(last, 12);
  small.run.chunks.events[last] = 120000;
  small.run.elapsed = 51;
  CHECK(small.find("large-chunks") != nullptr);
}

TEST_CASE("A dataset that costs twice as much per event is found, with the chunks to look at") {
  SmallRun small;
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
    if (small.run.text(small.run.chunks.dataset[i]) == "ttbar") small.run.chunks.events[i] = 4000;
  }
  const auto* finding = small.find("slow-dataset");
  REQUIRE(finding != nullptr);
  CHECK(finding->selection.datasets == std::vector<std::string>{"ttbar"});
  // 76 chunks of 1 s, which at 100 µs per event would have taken 0.4 s.
  CHECK(finding->gain_core_seconds == Approx(76 * 0.6));
}

TEST_CASE("A dataset is not slow for a section that no other dataset has") {
  // Its chunks of 2,000 events take 1 s: 100 us an event without 0.8 s of it, as others.
  for (const double seconds : {0.8, 0.4}) {
    SmallRun small;
    for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i) {
      const auto put = [&](const char* name, double took) {
        small.run.chunks.sections.push_back({i, small.id(name), SectionValue::Kind::seconds, took});
      };
      put("select", 0.1);
      if (small.run.text(small.run.chunks.dataset[i]) != "ttbar") continue;
      small.run.chunks.events[i] = 2000;
      put("top_weights", seconds);
    }
    CHECK((small.find("slow-dataset") != nullptr) == (seconds == 0.4));
  }
}

TEST_CASE("A dataset of small chunks is not slow for what each takes whatever its events") {
  // 0.1 s and 10 us for each of 10,000 or 1,000 events: 20 and 110 us per event.
  SmallRun small;
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
    const bool is_small = small.run.text(small.run.chunks.dataset[i]) == "ttbar";
    small.run.chunks.events[i] = is_small ? 1000 : 10000;
    small.stretch(i, is_small ? 0.11 : 0.2);
  }
  CHECK(small.find("slow-dataset") == nullptr);
}

TEST_CASE("A dataset is slower than any other, however few chunks the others have") {
  SmallRun small;
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
    if (small.run.text(small.run.chunks.dataset[i]) == "ttbar") small.run.chunks.events[i] = 4000;
  }
  REQUIRE(small.find("slow-dataset") != nullptr);
  // Two chunks of a third dataset cost as much per event.
  for (const std::size_t i : {0, 2}) {
    small.run.chunks.dataset[i] = small.id("wjets");
    small.run.chunks.events[i] = 4000;
  }
  CHECK(small.find("slow-dataset") == nullptr);
}

TEST_CASE("A slow host is found within its datasets") {
  SmallRun small;
  for (std::size_t i = 0; i < 40; ++i) {
    small.run.chunks.file[i] = small.id("root://b.example//f.root");
    small.run.chunks.duration[i] = 1.5;
    small.run.chunks.t_end[i] += 0.5;
  }
  const auto* finding = small.find("slow-host");
  REQUIRE(finding != nullptr);
  CHECK(finding->selection.hosts == std::vector<std::string>{"b.example"});
  CHECK(finding->gain_core_seconds == Approx(40 * 0.5));
}

TEST_CASE("A slow site is found behind one cache") {
  SmallRun small;
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i)
    small.run.chunks.file[i] = small.id("root://cache.example:1094//root://near.example//f.root");
  CHECK(small.find("slow-site") == nullptr);
  for (std::size_t i = 0; i < 40; ++i) {
    small.run.chunks.file[i] = small.id("root://cache.example:1094//root://far.example//f.root");
    small.run.chunks.duration[i] = 1.5;
    small.run.chunks.t_end[i] += 0.5;
  }
  CHECK(small.find("slow-host") == nullptr);
  const auto* finding = small.find("slow-site");
  REQUIRE(finding != nullptr);
  CHECK(finding->selection.hosts == std::vector<std::string>{"far.example"});
  CHECK(finding->gain_core_seconds == Approx(40 * 0.5));
}

TEST_CASE("Stragglers are found against their own dataset") {
  SmallRun small;
  small.run.chunks.duration[5] = 4;
  small.run.chunks.t_end[5] += 3;
  const auto* finding = small.find("stragglers");
  REQUIRE(finding != nullptr);
  CHECK(finding->gain_core_seconds == Approx(3));
}

TEST_CASE("The first chunk of a worker imports and compiles: it is no straggler of its file") {
  // Chunks 0 and 1 are of one worker, one after the other.
  for (const std::size_t late : {0U, 1U}) {
    SmallRun small;
    small.run.chunks.duration[late] = 4;
    small.run.chunks.t_end[late] += 3;
    small.stream();
    CHECK((small.find("stragglers") != nullptr) == (late == 1));
  }
}

TEST_CASE(
    "A first chunk that a section held up is a straggler where other workers began as usual") {
  for (const std::size_t late : {1U, 2U, 3U}) {  // of four workers
    SmallRun small;
    for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i) {
      const bool is_of_late = i / SmallRun::chunks_each < late;
      const bool is_late = is_of_late && i % SmallRun::chunks_each == 0;
      if (is_of_late && !is_late) small.run.chunks.t_start[i] += 3;
      small.stretch(i, is_late ? 4 : 1);
      small.run.chunks.sections.push_back(
          {i, small.id("fit"), SectionValue::Kind::seconds, is_late ? 3.5 : 0.5});
    }
    small.stream();
    CHECK((small.find("stragglers") != nullptr) == (late <= 2));
  }
}

TEST_CASE("A first chunk is no straggler where those of other workers took nearly as much longer") {
  for (const double others : {1.4, 2.6}) {  // 0.4 s and 1.6 s beyond 1 s; the late one 3 s
    SmallRun small;
    for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i) {
      const bool is_first = i % SmallRun::chunks_each == 0;
      if (!is_first) small.run.chunks.t_start[i] += 3;
      const double seconds = i == 0 ? 4 : is_first ? others : 1;
      small.stretch(i, seconds);
      small.run.chunks.sections.push_back(
          {i, small.id("fit"), SectionValue::Kind::seconds, seconds - 0.5});
    }
    small.stream();
    CHECK((small.find("stragglers") != nullptr) == (others == 1.4));
  }
}

TEST_CASE("Chunks that are missing, and those that failed, are found") {
  SmallRun small;
  CHECK(small.find("lost-chunks") == nullptr);
  small.run.report.chunks = 160;
  CHECK(small.find("lost-chunks")->title == "4 chunks are missing from the recording");
  // What was not read is not lost.
  small.run.sources.push_back({"metrics.json", 100, "metrics", ""});
  small.run.add_note("cut-off", Severity::high, "the file is cut off", "metrics.json");
  CHECK(small.find("lost-chunks") == nullptr);
  small.run.chunks.error[0] = small.id("OSError: gone");
  CHECK(small.find("failed-chunks")->title == "1 chunk failed");
}

TEST_CASE("A section that is merely large is named, and is no cause") {
  SmallRun small;
  small.section("select", 0.3);
  small.section("fill", 0.2);
  small.section("systematics", 0.5);
  const auto* finding = small.find("own-function");
  REQUIRE(finding != nullptr);
  CHECK(find_findings(small.run, {}).size() == 1);
  CHECK(finding->title == "50 % of process() is in section systematics");
  CHECK(finding->severity == Severity::low);
}

TEST_CASE("Reading most of the files is found") {
  SmallRun small;
  const std::size_t file = small.add_file(0.4, 0.4);
  CHECK(small.find("reads-much") == nullptr);
  small.run.files.bytes_read_fraction[file] = 0.6;
  CHECK(small.find("reads-much") != nullptr);
}

TEST_CASE("Findings come with the largest saving first, and their selections can be asked with") {
  SmallRun small;
  small.activity("automatic_retries", "thread-cpu", "seconds", 17);
  small.activity("reduce", "thread-cpu", "seconds", 40);
  const Run* const runs[] = {&small.run};
  const Table table = query::named("findings")(std::span<const Run* const>(runs, 1), {}, {});
  REQUIRE(table.rows() == 2);
  CHECK(table.text("id", 0) == "reduction");
  CHECK(table.text("id", 1) == "pre-processing");
  CHECK(table.text("selection", 0) == R"({"prefixes":["reduce"]})");
  // 40 core-s of merging; for 0.5 s of it, after the last chunk, three cores have nothing to do.
  CHECK(table.number("gain_elapsed", 0) == Approx((40 + 3 * 0.5) / 4));
}

namespace {

/// The recorded bundles, and those in the folders of CREMA_BUNDLES where that is set: each a list
/// of files.
std::vector<std::vector<test::File>> recorded_bundles() {
  namespace fs = std::filesystem;
  std::vector<fs::path> places{test::test_data_path("")};
  if (const char* more = std::getenv("CREMA_BUNDLES"); more != nullptr) places.emplace_back(more);
  std::vector<std::vector<test::File>> bundles;
  for (const fs::path& place : places) {
    for (const fs::directory_entry& folder : fs::directory_iterator(place)) {
      if (!fs::exists(folder.path() / "metrics.json")) continue;
      std::vector<test::File> files;
      for (const char* name : {"metrics.json", "report.json", "scheduler_info.json",
                               "start_end_time.txt", "task_stream.json"}) {
        std::ifstream file(folder.path() / name, std::ios::binary);
        if (!file) continue;
        const std::string path = folder.path().filename().string() + "/" + name;
        files.push_back({path, std::string(std::istreambuf_iterator<char>(file), {})});
      }
      bundles.push_back(std::move(files));
    }
  }
  return bundles;
}

/// What the replay wins [core-s] when each chunk takes `inside` and each task `around` it.
double won(const RunFacts& facts, const std::vector<double>& inside, double around) {
  std::vector<double> tasks;
  for (const std::uint32_t chunk : facts.trace->order) tasks.push_back(inside[chunk] + around);
  return (facts.replayed - on_recorded_cluster(*facts.trace, tasks)) * facts.cores;
}

}  // namespace

TEST_CASE("Findings are short, and promise no more than the replay without their cause gives") {
  const auto bundles = recorded_bundles();
  REQUIRE(bundles.size() >= 10);
  std::size_t gains = 0;
  for (const std::vector<test::File>& files : bundles) {
    const test::OpenSession session(files);
    const Run& run = session.run();
    const RunFacts facts(run, {});
    const Table tail = session.ask("tail");
    for (const test::WordedFinding& finding : test::worded_findings(run)) {
      CAPTURE(files.front().path, finding.id, finding.gain_core_seconds, facts.available);
      CHECK(finding.title.size() <= 90);
      CHECK((finding.title + finding.evidence).find('{') == std::string::npos);  // names are filled
      CHECK_FALSE(finding.gain_core_seconds < 0);
      CHECK_FALSE(finding.gain_core_seconds > facts.available);
      CHECK_FALSE(finding.gain_core_seconds / facts.cores > facts.elapsed);
      CHECK_FALSE(finding.gain_core_seconds > finding.core_seconds);
      if (finding.id == "waiting") CHECK(is_absent(finding.gain_core_seconds));
      if (is_absent(finding.gain_core_seconds)) continue;
      REQUIRE(facts.trace != nullptr);
      ++gains;
      const ReplayTrace& trace = *facts.trace;
      const double around = trace.outside + trace.others + trace.gap;
      const auto at_most = [&](double possible) {
        CHECK(finding.gain_core_seconds <= std::max(0.0, possible) + 1e-6);
      };
      if (finding.id == "outside-process")
        at_most(won(facts, trace.inside, trace.others + trace.gap));
      if (finding.id == "reduction") at_most(won(facts, trace.inside, trace.outside + trace.gap));
      if (finding.id == "tail" || finding.id == "large-chunks")
        at_most((tail.number("actual_makespan", 0) - tail.number("ideal_makespan", 0)) *
                facts.cores);
      if (finding.id == "unbalanced") at_most((facts.elapsed - facts.replayed) * facts.cores);
      if (finding.id == "stragglers") {
        std::vector<double> tamed = trace.inside;
        for (std::size_t i = 0; i < tamed.size(); ++i) {
          if (outliers(run)[i] == 1)
            tamed[i] -= run.chunks.duration[i] - expected_durations(run)[i];
        }
        at_most(won(facts, tamed, around));
      }
    }
  }
  CHECK(gains >= 7);
}

namespace {

/// Bytes that the rules ask for, of a run that `fill` makes `size` large.
template <class Fill>
double bytes_of_findings(std::size_t size, const Fill& fill) {
  SmallRun small;
  fill(small, size);
  const test::AllocationCount count;
  find_findings(small.run, {});
  return static_cast<double>(count.bytes());
}

/// By which factor the work grows where the input is doubled: 2 where it is proportional to it, 4
/// where each is compared with each.
template <class Fill>
double growth(std::size_t size, const Fill& fill) {
  return bytes_of_findings(2 * size, fill) / bytes_of_findings(size, fill);
}

std::string file_name(std::size_t i) { return "/data/" + std::to_string(i) + ".root"; }

}  // namespace

TEST_CASE("Rules take twice as long for twice as many files of a dataset") {
  CHECK(growth(2000, [](SmallRun& small, std::size_t files) {
          for (std::size_t i = 0; i < files; ++i) {
            const StringId name = small.id(file_name(i));
            small.add_chunk(0.01 * static_cast<double>(i), 1, 10000, "data", file_name(i));
            small.run.files.compression_ratio[small.run.files.intern(name)] = 0.3;
          }
        }) < 2.5);
}

TEST_CASE("Rules take twice as long for twice as many stragglers") {
  CHECK(growth(4000, [](SmallRun& small, std::size_t chunks) {
          for (std::size_t i = 0; i < chunks; ++i)
            small.add_chunk(0.01 * static_cast<double>(i), i % 50 == 0 ? 5 : 1, 10000, "data");
          small.section("select", 0.4);
          small.section("fill", 0.5);
        }) < 2.5);
}
TEST_CASE("Rules take twice as long for twice as many datasets") {
  CHECK(growth(400, [](SmallRun& small, std::size_t datasets) {
          for (std::size_t i = 0; i < 8 * datasets; ++i)
            small.add_chunk(0.01 * static_cast<double>(i), 1, 10000,
                            "set " + std::to_string(i % datasets));
          small.section("select", 0.4);
          small.section("fill", 0.5);
        }) < 2.5);
}

TEST_CASE("Rules take twice as long for twice as many workers, each with as many chunks") {
  CHECK(growth(4000, [](SmallRun& small, std::size_t workers) {
          small.run.chunks = Chunks();
          for (std::size_t w = SmallRun::workers; w < workers; ++w)
            small.run.workers.intern(small.id("tcp://10.1.0.0:" + std::to_string(w)));
          for (std::size_t i = 0; i < 2 * workers; ++i) {
            const double begin = 0.5 + static_cast<double>(i / workers);
            small.add_chunk(begin, 1, 10000, "data", file_name(i % 7));
            small.add_task("P", i, i % workers, begin, begin + 1, 5000);
          }
        }) < 2.5);
}

TEST_CASE("Memory: Dask pauses a worker at 80 % of its limit and kills it at 95 %") {
  SmallRun small;
  small.set_series(Series::memory, 2, 799e6);
  CHECK(small.find("memory-near-limit") == nullptr);
  small.set_series(Series::memory, 2, 800e6);
  CHECK(small.find("memory-near-limit")->severity == Severity::medium);
  small.set_series(Series::memory, 1, 949e6);
  const auto* finding = small.find("memory-near-limit");
  CHECK(finding->severity == Severity::medium);
  const auto& evidence = *finding->Finding::evidence.as<NearMemoryLimit>();
  CHECK(evidence.workers == 2);
  CHECK(evidence.worker == "10.0.0.1:1000");
  CHECK(evidence.bytes == 949e6);
  CHECK(evidence.share == Approx(0.949));
  small.set_series(Series::memory, 1, 950e6);
  CHECK(small.find("memory-near-limit")->severity == Severity::high);
  // A worker without a limit has nothing to come near to.
  small.set_series(Series::memory_limit, 1, 0);
  CHECK(small.find("memory-near-limit")->severity == Severity::medium);
}

TEST_CASE(
    "Workers that come more than three seconds after the first are late, from a twentieth on") {
  const auto late = [](std::size_t workers, std::size_t ticks) {
    SmallRun small;
    for (std::size_t w = 0; w < workers; ++w) {
      for (auto& series : small.run.workers.series) {
        if (series[w].empty()) continue;
        series[w].first_tick = ticks;
        series[w].values.resize(40 - ticks);
      }
    }
    const auto* finding = small.find("late-workers");
    return finding == nullptr ? Finding() : Finding(*finding);
  };
  // 3 x 3 of 151 core-s, each within what is usual; 3 x 4 of 148; 4 of 156 are too little.
  CHECK(is_absent(late(3, 3).core_seconds));
  CHECK(is_absent(late(1, 4).core_seconds));
  const Finding found = late(3, 4);
  CHECK(found.core_seconds == Approx(12));
  const auto& evidence = *found.evidence.as<LateWorkers>();
  CHECK(evidence.workers == 3);
  CHECK(evidence.threads == 3);
  CHECK(evidence.first == 0);
  CHECK(evidence.last == 4);
}

TEST_CASE("Conversions are found from a hundredth of the core-time on") {
  const auto is_found = [](const char* prefix, const char* activity, double seconds,
                           const char* finding) {
    SmallRun small;
    small.activity(prefix, activity, "seconds", seconds);
    return small.find(finding) != nullptr;
  };
  // Of 160 core-s.
  for (const char* activity : {"serialize", "deserialize"}) {
    CHECK_FALSE(is_found("P", activity, 1.5, "serialization"));
    CHECK(is_found("P", activity, 1.7, "serialization"));
  }
  for (const char* activity : {"compress", "decompress"}) {
    CHECK_FALSE(is_found("P", activity, 1.5, "compression"));
    CHECK(is_found("P", activity, 1.7, "compression"));
  }
}

TEST_CASE("Half of the bytes is much to read, four fifths of the branches are nearly all") {
  SmallRun small;
  const std::size_t file = small.add_file(0.79, 0.5);
  REQUIRE(small.find("reads-much") != nullptr);
  const auto& evidence = *small.find("reads-much")->Finding::evidence.as<BytesOfFiles>();
  CHECK(evidence.share == 0.5);
  CHECK(evidence.branches == Approx(0.79));
  CHECK(evidence.read == 5e8);
  CHECK(evidence.all == 1e9);
  CHECK(small.find("unused-branches") == nullptr);
  small.run.files.branches_read_fraction[file] = 0.8;
  CHECK(small.find("unused-branches") != nullptr);
  small.run.files.bytes_read_fraction[file] = 0.49;
  CHECK(small.find("unused-branches") == nullptr);
  // Two files count by their bytes: 0.49 of 1 GB and 0.6 of as much.
  const std::size_t second = small.run.files.intern(small.id("root://a//g.root"));
  small.run.files.tree_bytes[second] = 1e9;
  small.run.files.branches_total[second] = 100;
  small.run.files.branches_read_fraction[second] = 0.9;
  small.run.files.bytes_read_fraction[second] = 0.6;
  REQUIRE(small.find("unused-branches") != nullptr);
  const auto& both = *small.find("unused-branches")->Finding::evidence.as<BytesOfFiles>();
  CHECK(both.share == Approx(0.545));
  CHECK(both.branches == Approx(0.85));
}

TEST_CASE("One chunk that can hold up the other cores for a tenth of the core-time is too long") {
  const auto is_found = [](double seconds) {
    SmallRun small;
    small.stretch(3, seconds);
    small.run.chunks.events[3] = 10000 * seconds;
    return small.find("large-chunks") != nullptr;
  };
  CHECK_FALSE(is_found(5.3));  // three of four cores, of 40 s
  CHECK_FALSE(is_found(7));    // at the beginning of the run it holds up nobody
  // Its worker runs until 45.5 s in the place of 40.
  SmallRun small;
  const std::size_t last = SmallRun::chunks_each - 1;
  small.stretch(last, 7);
  small.run.chunks.events[last] = 70000;
  small.run.chunks.file[last] = small.id("/data/giant.root");
  small.run.elapsed = 46;
  const auto* finding = small.find("large-chunks");
  REQUIRE(finding != nullptr);
  const auto& evidence = *finding->Finding::evidence.as<LargeChunks>();
  CHECK(finding->title == "One chunk of giant.root ran for 15.2 % of the run");
  CHECK(evidence.longest == 7);
  CHECK(evidence.chunks == 156);
  CHECK_FALSE(evidence.are_few());
  CHECK(LargeChunks{.chunks = 15.9, .cores = 4}.are_few());
  CHECK_FALSE(LargeChunks{.chunks = 16, .cores = 4}.are_few());
}

TEST_CASE("Chunks twice as large save half of what each costs whatever its size") {
  SmallRun small;
  // 0.5 s for nothing and 50 µs for each of 6,000 or 14,000 events: 1 s in the mean, as before.
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
    small.run.chunks.events[i] = i % 4 < 2 ? 6000 : 14000;
    small.stretch(i, 0.5 + 5e-5 * small.run.chunks.events[i]);
  }
  const auto* finding = small.find("small-chunks");
  REQUIRE(finding != nullptr);
  // 156 x 0.5 s in process() and the 2 core-s of the tasks outside it: 80 of 158.
  CHECK(finding->core_seconds == Approx(40));
  CHECK(finding->gain_core_seconds == Approx(40).epsilon(0.1));
  const auto& evidence = *finding->Finding::evidence.as<SmallChunks>();
  CHECK(evidence.share == Approx(80.0 / 158));
  CHECK(evidence.fixed == Approx(80.0 / 156));
  CHECK(evidence.all == Approx(158.0 / 156));
  // No chunk is larger than its file: with less than two chunks in each there is nothing to join.
  const auto in_files = [&](std::size_t files) {
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i)
      small.run.chunks.file[i] = small.id("root://a//" + std::to_string(i % files) + ".root");
    return small.find("small-chunks") != nullptr;
  };
  CHECK(in_files(78));
  CHECK_FALSE(in_files(79));
}
