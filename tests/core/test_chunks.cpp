#include "core/runtime/chunks.hpp"

#include <cmath>
#include "core/runtime/core_time.hpp"
#include "core/runtime/headlines.hpp"

#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"
#include "tests/core/small_run.hpp"

using namespace crema;
using namespace crema::runtime;
using namespace crema::test;

TEST_CASE("A row of chunks is a chunk, in recorded order, with what follows from it") {
  const Table table = OpenSession("metrics.json", small_metrics()).ask("chunks");
  REQUIRE(table.rows() == 2);
  CHECK(table.number("chunk", 1) == 1);
  CHECK(table.text("dataset", 0) == "x");
  CHECK(table.text("host", 0) == "eos.example");
  CHECK(table.text("host", 1) == "local");
  CHECK(table.number("t_start", 0) == Approx(0.5));
  CHECK(table.number("t_end", 1) == Approx(4));
  CHECK(table.number("duration", 1) == 3);
  CHECK(table.number("seconds_per_event", 1) == Approx(0.0015));
  CHECK(table.number("memory_delta", 1) == -3 * 1048576.0);
  CHECK(table.number("memory_delta_per_event", 0) == Approx(1048.576));
  CHECK(table.number("bytes_read", 0) == 3e6);
  CHECK(is_absent(table.number("accessed_bytes", 0)));
}

TEST_CASE("Chunks are packed into the lowest lane that is free when they start") {
  // 0 |──────|      |──|
  // 1    |──────|
  // 2      |────|
  const auto chunk = [](double begin, double end) {
    return "{\"t_start\": " + std::to_string(1795255200 + begin) +
           ", \"t_end\": " + std::to_string(1795255200 + end) + "}";
  };
  const std::string list =
      chunk(7, 9) + "," + chunk(0, 4) + "," + chunk(2, 6) + "," + chunk(3, 6) + "," + chunk(4, 5);
  const Table table =
      OpenSession("metrics.json", "{\"raw_chunk_metrics\": [" + list + ", {\"num_events\": 1}]}")
          .ask("chunks");
  const std::vector<double>& lanes = table.find("lane")->numbers;
  CHECK(std::vector<double>(lanes.begin(), lanes.begin() + 5) ==
        std::vector<double>{0, 0, 1, 2, 0});
  CHECK(is_absent(lanes[5]));
}

TEST_CASE("Custom numbers are columns that can be selected, even under a name of ours") {
  const OpenSession session(
      "metrics.json",
      R"({"raw_chunk_metrics": [{"num_events": 10, "n_jets": 1, "events": 7, "host": 5},
                                                                     {"num_events": 20, "n_jets": 2, "events": 8, "host": 6}]})");
  const Table table = session.ask("chunks");
  CHECK(table.number("events", 0) == 10);
  CHECK(table.number("custom.events", 0) == 7);
  CHECK(table.number("custom.host", 1) == 6);
  CHECK(table.number("n_jets", 1) == 2);
  Selection selection;
  selection.ranges = {{"custom.events", 8, 8}, {"n_jets", 0, 9}};
  CHECK(session.ask("chunks", selection).rows() == 1);
}

TEST_CASE("The text of an error is a column where there is one") {
  const Table table =
      OpenSession("metrics.json",
                  R"({"raw_chunk_metrics": [{"error": "OSError"}, {"num_events": 1}]})")
          .ask("chunks");
  CHECK(table.text("error", 0) == "OSError");
  CHECK(table.text("error", 1).empty());
  CHECK(OpenSession("metrics.json", small_metrics()).ask("chunks").find("error") == nullptr);
}

TEST_CASE("Notes give the totals of the selection") {
  Selection selection;
  selection.time = Selection::TimeRange{0, 2};
  const Table table = OpenSession("metrics.json", small_metrics()).ask("chunks", selection);
  for (const Note& one : table.notes) {
    if (one.name == "chunks_total") CHECK(std::get<double>(one.value) == 2);
    if (one.name == "events") CHECK(std::get<double>(one.value) == Approx(750 + 2000.0 / 3));
    if (one.name == "seconds") CHECK(std::get<double>(one.value) == Approx(2.5));
  }
}

TEST_CASE("Chunks that took far less or far longer than others of their size are marked") {
  // Eight of 10 s, one of 1.9 s (less than a fifth), one of 31 s (more than three times), all of
  // 100 events; one without.
  std::string list;
  for (const char* duration : {"10", "10", "10", "10", "10", "10", "10", "10", "1.9", "31"})
    list +=
        "{\"duration\": " + std::string(duration) + ", \"num_events\": 100, \"dataset\": \"x\"}, ";
  const OpenSession session("metrics.json", "{\"raw_chunk_metrics\": [" + list +
                                                "{\"duration\": 1, \"dataset\": \"x\"}]}");
  const Table table = session.ask("chunks", {}, option("columns", "early,outlier,times_expected"));
  const std::vector<double>& early = table.find("early")->numbers;
  CHECK(std::vector<double>(early.begin(), early.begin() + 10) ==
        std::vector<double>{0, 0, 0, 0, 0, 0, 0, 0, 1, 0});
  CHECK(is_absent(early[10]));
  CHECK(number_note(table, "early") == 1);
  CHECK(table.number("outlier", 8) == 0);
  CHECK(table.number("outlier", 9) == 1);
  CHECK(table.number("times_expected", 9) == Approx(3.1));  // 31 s where 10 s are usual
  Selection only;
  only.ranges = {{"early", 1, 1}};
  CHECK(session.ask("chunks", only).number("chunk", 0) == 8);
}

TEST_CASE("The numbers of chunks are listed with how many chunks have each") {
  const OpenSession session("metrics.json", small_metrics());
  const Table table = session.ask("chunk_columns");
  const auto known = [&](const char* column) {
    return table.number("known", table.row_of("column", column));
  };
  CHECK(known("duration") == 2);
  CHECK(known("section:load") == 2);
  CHECK(known("accessed_bytes") == 0);
  CHECK(table.text("unit", table.row_of("column", "bytes_per_second")) == "byte/s");
  CHECK(table.row_of("column", "dataset") == table.rows());  // no number
  // in the order of the chunks' columns
  CHECK(table.text("column", 0) == session.ask("chunks").columns[0].name);
  const Table none =
      OpenSession("report.json",
                  R"({"bytesread": 8, "entries": 3, "processtime": 5, "chunks": 2, "columns": []})")
          .ask("chunk_columns");
  CHECK(none.rows() == 0);
  CHECK(note(none, "missing").find("track_metrics") != std::string::npos);
}

TEST_CASE("The chunks that ended last, those with most of a column, and places by it") {
  const OpenSession session("metrics.json", small_metrics());
  const Table last = session.ask("chunks", {}, option("most", "1"));
  REQUIRE(last.rows() == 1);
  CHECK(last.number("chunk", 0) == 1);
  const auto most_of = [&](const char* column) {
    const std::map<std::string, std::string> options = {{"most", "2"}, {"by", column}};
    return session.ask("chunks", {}, Options(options));
  };
  CHECK(most_of("memory_delta").number("chunk", 0) == 0);  // + 1 MiB, before - 3
  CHECK(most_of("memory_delta").number("chunk", 1) == 1);
  CHECK(most_of("accessed_bytes").number("chunk", 0) == 1);  // not known of chunk 0
  const Table ranked = session.ask("chunks", {}, option("rank", "memory_delta"));
  CHECK(ranked.number("rank", 0) == 2);  // + 1 MiB
  CHECK(ranked.number("rank", 1) == 1);  // - 3 MiB
}

TEST_CASE("The tail's length, and where the longest first would have ended it") {
  const Table tail = OpenSession("metrics.json", small_metrics()).ask("tail");
  CHECK(tail.number("length", 0) == 0);     // of two chunks the last is 95 %
  CHECK(tail.number("ideal_end", 0) == 4);  // two chunks on two cores: no order is better
  CHECK(tail.number("outliers", 0) == 0);
}

TEST_CASE("Shares of bytes: 3 MB and 4 MB") {
  const Table datasets = OpenSession("metrics.json", small_metrics()).ask("datasets");
  CHECK(datasets.number("bytes_share", 0) == Approx(3.0 / 7));
}

TEST_CASE("Densities: one of two chunks in half a second") {
  const Table table =
      OpenSession("metrics.json", small_metrics()).ask("distribution", {}, option("bins", "2"));
  CHECK(table.number("density", 0) == Approx(1));
}

TEST_CASE("Files are grouped by how much they are compressed, in tenths") {
  SmallRun small;
  const std::vector<double> ratios = {0.05, 0.1, 0.11, 0.5, 0.91, 0.99, 0.995, 1.2, 0, absent};
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i)
    small.run.chunks.file[i] = small.id("f" + std::to_string(i % 11));
  for (std::size_t f = 0; f < ratios.size(); ++f)
    small.run.files.compression_ratio[small.run.files.intern(small.id("f" + std::to_string(f)))] =
        ratios[f];
  const ChunkGroups& groups = chunk_groups(small.run, ChunkKey::compression);
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < 11; ++i) names.push_back(groups.name[groups.of[i]]);
  CHECK(names == std::vector<std::string_view>{"to 10 %", "to 10 %", "to 20 %", "to 50 %",
                                               "to 99 %", "to 99 %", "uncompressed", "uncompressed",
                                               "", "", ""});
}

TEST_CASE("What a chunk is expected to take is known from eight of its dataset on") {
  SmallRun small;
  for (std::size_t i = 0; i < 8; ++i) small.run.chunks.dataset[2 * i] = small.id("eight");
  for (std::size_t i = 0; i < 7; ++i) small.run.chunks.dataset[60 + 2 * i] = small.id("seven");
  CHECK(expected_durations(small.run)[0] == 1);
  CHECK(is_absent(expected_durations(small.run)[60]));
  // A fifth of that is not early yet, three times that is no outlier yet.
  small.stretch(0, 0.2), small.stretch(2, 0.19), small.stretch(4, 3), small.stretch(6, 3.01);
  small.run.facts = {};
  CHECK(early_ends(small.run)[0] == 0);
  CHECK(early_ends(small.run)[2] == 1);
  CHECK(outliers(small.run)[4] == 0);
  CHECK(outliers(small.run)[6] == 1);
  CHECK(is_absent(outliers(small.run)[60]));
}

TEST_CASE("Sizes differ where the middle four fifths of chunks do by half as much again") {
  std::vector<double> events(20, 1000);
  CHECK_FALSE(sizes_differ(events));
  events[0] = events[1] = 1;  // a tenth at either end is no size
  CHECK_FALSE(sizes_differ(events));
  for (std::size_t i = 0; i < 10; ++i) events[i] = 1499;
  CHECK_FALSE(sizes_differ(events));
  for (std::size_t i = 0; i < 10; ++i) events[i] = 1500;
  CHECK(sizes_differ(events));
  events[15] = absent;
  CHECK(sizes_differ(events));
}

TEST_CASE("A group is held against three other chunks of its dataset, and not against two") {
  SmallRun small;
  for (std::size_t i = 0; i < 5; ++i) {
    small.run.chunks.dataset[i] = small.id("five");
    small.stretch(i, i < 2 ? 4 : 2);
  }
  const Paces paces(small.run, small.run.chunks.duration, small.run.chunks.events);
  const std::vector<std::uint32_t> two = {0, 1}, three = {0, 1, 2};
  CHECK(paces.times_others(two) == Approx(2));
  CHECK(is_absent(paces.times_others(three)));
  // Of 80 chunks eight take 3 s, of the others half 1 s and half 2 s: the middle of these is the
  // square root of 2, that of all is 2.
  SmallRun tenth;
  std::vector<std::uint32_t> eight;
  std::size_t number = 0;
  for (std::uint32_t i = 0; i < tenth.run.chunks.size(); ++i) {
    if (tenth.run.text(tenth.run.chunks.dataset[i]) != "data") continue;
    if (number < 8) eight.push_back(i);
    tenth.stretch(i, number < 8 ? 3 : 1 + static_cast<double>(number % 2));
    ++number;
  }
  REQUIRE(number == 80);
  const Paces of_tenth(tenth.run, tenth.run.chunks.duration, tenth.run.chunks.events);
  CHECK(of_tenth.times_others(eight) == Approx(3 / std::sqrt(2.0)));
  eight.pop_back();
  CHECK(of_tenth.times_others(eight) == Approx(1.5));
  // Less than a tenth of a dataset does not move its median.
  std::vector<std::uint32_t> few;
  for (std::uint32_t i = 6; few.size() < 7; ++i)
    if (small.run.text(small.run.chunks.dataset[i]) == "ttbar") few.push_back(i);
  CHECK(paces.times_others(few) == Approx(1));
}

TEST_CASE("A chunk that took no time is in a selected time as a whole, or not at all") {
  SmallRun small;
  small.stretch(0, 0);
  Selection selection;
  const auto share = [&](double begin, double end) {
    selection.time = Selection::TimeRange{begin, end};
    return ChunkSelection(small.run, selection).share[0];
  };
  CHECK(share(0, 0.5) == 1);  // it ran at 0.5 s
  CHECK(share(0.5, 1) == 1);
  CHECK(share(0.6, 1) == 0);
  // Of the second, from 1.5 to 2.5 s.
  const ChunkSelection half(small.run, [] {
    Selection part;
    part.time = Selection::TimeRange{2, 3};
    return part;
  }());
  CHECK(half.share[1] == Approx(0.5));
}

TEST_CASE("A list lacks chunks where it has less than 99 % of the events") {
  SmallRun small;
  small.run.report.events = 1560000 / 0.9901;
  CHECK_FALSE(chunk_list_is_cut(small.run));
  small.run.report.events = 1560000 / 0.9899;
  CHECK(chunk_list_is_cut(small.run));
  CHECK(is_absent(lost_num_chunks(small.run)));
  small.run.report.events = absent;
  small.run.report.chunks = 150;
  CHECK(lost_num_chunks(small.run) == 0);
}

TEST_CASE(
    "Cores of selected workers are theirs, whoever was asked for before; none after the end") {
  SmallRun small;
  const auto of = [&](std::vector<std::string> names) {
    Selection selection;
    selection.workers = std::move(names);
    return WorkerSelection(small.run, selection);
  };
  CHECK(worker_steps(small.run, of({"tcp://10.0.0.0:1000"})).values.front() == 1);
  CHECK(
      worker_steps(small.run, of({"tcp://10.0.0.0:1000", "tcp://10.0.0.1:1000"})).values.front() ==
      2);
  CHECK(worker_steps(small.run, of({})).values.front() == 4);
  CHECK(core_steps(small.run, of({"tcp://10.0.0.0:1000"})).values.front() == 1);
  CHECK(core_steps(small.run, of({"tcp://10.0.0.0:1000", "tcp://10.0.0.1:1000"})).values.front() ==
        2);
  CHECK(core_time(small.run, of({}), 0, 40).core_seconds == Approx(160));
  CHECK(core_time(small.run, of({}), 30, 60).core_seconds == Approx(40));
  CHECK(core_time(small.run, of({}), 50, 60).core_seconds == 0);
  CHECK(core_time(small.run, of({}), -10, 10).core_seconds == Approx(40));
}

TEST_CASE("Samples of Python's collector are those of the function that had most of them") {
  const auto function = [](int of_fit, int of_fill, double share = 0.2) {
    SmallRun small;
    const std::string gc = "_gc_callback@/opt/lib/site-packages/distributed/gc.py ";
    small.draw_profile("root 100\n  process@analysis.py 100\n    fit@analysis.py 50\n      " + gc +
                       std::to_string(of_fit) + "\n    fill@analysis.py 50\n      " + gc +
                       std::to_string(of_fill) +
                       "\n      sum@/opt/lib/site-packages/numpy/core.py 20\n");
    return collecting_function(small.run, share);
  };
  CHECK(function(10, 6) == "fit");
  CHECK(function(6, 10) == "fill");
  CHECK(function(8, 8).empty());
  CHECK(function(0, 0).empty());
  // Collections took 0.3 of the tasks' time, and samples show 0.16, or 0.14.
  CHECK(function(10, 6, 0.3) == "fit");
  CHECK(function(10, 4, 0.3).empty());
}

TEST_CASE("What the analysis does outside process() has a name where it is half of it") {
  const auto outside = [](int of_schema) {
    SmallRun small;
    small.draw_profile(
        "root 150\n  process@analysis.py 100\n"
        "  from_root@/opt/lib/site-packages/coffea/nanoevents/factory.py 40\n"
        "    parse_titles@schema.py " +
        std::to_string(of_schema) + "\n");
    return own_outside(small.run);
  };
  CHECK(outside(20).name == "parse_titles");
  CHECK(outside(20).share == Approx(0.5));
  CHECK(outside(19).name.empty());
}

TEST_CASE("Who goes through an awkward array item by item is named from a twentieth on") {
  const auto found = [](int samples) {
    SmallRun small;
    small.draw_profile("root 100\n  process@analysis.py 100\n    loop@analysis.py " +
                       std::to_string(samples) +
                       "\n      __iter__@/opt/lib/site-packages/awkward/highlevel.py 2\n"
                       "    fill@analysis.py 80\n");
    for (const CodePattern& pattern : code_patterns(small.run))
      if (pattern.what == "loop, which goes through an awkward array item by item")
        return pattern.share;
    return absent;
  };
  CHECK(found(5) == Approx(0.05));
  CHECK(is_absent(found(4)));
  // process() does much else: 30 of its 80 samples are in calls of awkward.
  SmallRun small;
  small.draw_profile(R"(root 100
  process@analysis.py 100
    __iter__@/opt/lib/site-packages/awkward/highlevel.py 10
    sum@/opt/lib/site-packages/awkward/operations/ak_sum.py 20
    fill@analysis.py 20)");
  REQUIRE(code_patterns(small.run).size() == 1);
  CHECK(code_patterns(small.run)[0].share == Approx(0.3));
}

TEST_CASE("Who reads most of the files: by the samples in code that reads, inside process()") {
  SmallRun small;
  small.draw_profile(R"(root 150
  process@analysis.py 100
    select@analysis.py 60
      array@/opt/lib/site-packages/uproot/behaviors/TBranch.py 10
    load@analysis.py 40
      array@/opt/lib/site-packages/uproot/behaviors/TBranch.py 30
  from_root@/opt/lib/site-packages/coffea/nanoevents/factory.py 50
    open@/opt/lib/site-packages/uproot/reading.py 50)");
  CHECK(largest_reader(small.run).name == "load");
  CHECK(largest_reader(small.run).share == Approx(0.4));
  CHECK(reading_code_share(small.run) == Approx(0.4));
}

TEST_CASE("Of two functions that read as much none has most of it") {
  SmallRun small;
  small.draw_profile(R"(root 100
  process@analysis.py 100
    select@analysis.py 60
      array@/opt/lib/site-packages/uproot/behaviors/TBranch.py 20
    load@analysis.py 40
      array@/opt/lib/site-packages/uproot/behaviors/TBranch.py 20)");
  CHECK(largest_reader(small.run).name.empty());
}

TEST_CASE("A library is no analysis for a function called process() that the analysis calls") {
  SmallRun small;
  small.draw_profile(R"(root 100
  process@analysis.py 100
    plot@analysis.py 80
      process@/opt/lib/site-packages/matplotlib/cbook.py 30
      get_affine@/opt/lib/site-packages/matplotlib/transforms.py 50)");
  CHECK(largest_own_function(small.run).name == "plot");
  CHECK(largest_own_function(small.run).share == Approx(0.8));
  // Only one that is in no other is a processor's, of an installed package.
  SmallRun installed;
  installed.draw_profile(R"(root 100
  process@/opt/lib/site-packages/higgs/analysis.py 100
    plot@/opt/lib/site-packages/higgs/plots.py 80)");
  CHECK(largest_own_function(installed.run).name == "plot");
}

TEST_CASE("A worker starts until it is first seen to execute a task, where heartbeats alone tell") {
  SmallRun small;
  for (std::size_t tick = 0; tick < 10; ++tick)
    small.run.workers.of(Series::executing, 0).values[tick] = 0;
  const IdleTime idle = find_idle(small.run, WorkerSelection(small.run, {}), small.id("P"), 0, 40);
  CHECK_FALSE(idle.exact);
  CHECK(idle.seconds[static_cast<std::size_t>(IdleCause::starting)] == Approx(10));
  double all = 0;
  for (const double seconds : idle.seconds) all += seconds;
  CHECK(all == Approx(10));
}

namespace {

/// What of that part lies in a second of the run.
double in_second(const CoreTimeSeries& series, BudgetPart::Kind kind, std::size_t second) {
  for (const CoreTimeSeries::Part& part : series.parts)
    if (part.kind == kind) return part.seconds[second];
  return absent;
}

}  // namespace

TEST_CASE("Over time process() is where chunks ran, of selected workers what their tasks did") {
  using Kind = BudgetPart::Kind;
  SmallRun small;
  small.start_late();  // from 10.5 s on, of 50
  small.stream();
  const CoreTimeSeries all = core_time_series(small.run, {}, {}, 50);
  CHECK(in_second(all, Kind::inside_process, 5) == 0);
  CHECK(in_second(all, Kind::inside_process, 10) == Approx(2));
  CHECK(in_second(all, Kind::inside_process, 45) == Approx(4));
  CHECK(in_second(all, Kind::inside_process, 49) == Approx(2));
  Selection one;
  one.workers = {"tcp://10.0.0.1:1000"};
  const CoreTimeSeries of_one = core_time_series(small.run, one, {}, 50);
  CHECK(in_second(of_one, Kind::processor_tasks, 5) == 0);
  CHECK(in_second(of_one, Kind::processor_tasks, 45) == Approx(1));
  CHECK(is_absent(in_second(of_one, Kind::inside_process, 45)));
  // A chunk that ran twice: the first time, on a core that was free, is repeated work.
  small.add_task("P", 0, 0, 5, 6, 5000);
  small.run.facts = {};
  const CoreTimeSeries again = core_time_series(small.run, {}, {}, 50);
  CHECK(in_second(again, Kind::lost_work, 5) == Approx(1));
  CHECK(in_second(again, Kind::lost_work, 20) == 0);
}

TEST_CASE("Over time two hundred datasets have a row each, of more the smallest share one") {
  const auto rows = [](std::size_t datasets) {
    SmallRun small;
    small.run.chunks = Chunks();
    for (std::size_t i = 0; i < 250; ++i)
      small.add_chunk(0.5 + 0.1 * static_cast<double>(i / 4), i == 7 ? 0.2 : 0.4, 1000,
                      "d" + std::to_string(i % datasets));
    const CoreTimeSeries series = core_time_series(small.run, {}, {}, 40, true);
    std::size_t inside = 0, rests = 0;
    std::vector<std::string> names;
    for (const CoreTimeSeries::Part& part : series.parts) {
      if (part.kind == BudgetPart::Kind::inside_process && !part.is_rest)
        names.push_back(part.label);
      inside += part.kind == BudgetPart::Kind::inside_process ? 1 : 0;
      rests += part.is_rest ? 1 : 0;
    }
    CHECK(std::is_sorted(names.begin(), names.end()));
    return std::pair(inside, rests);
  };
  CHECK(rows(199) == std::pair(std::size_t{199}, std::size_t{0}));
  CHECK(rows(200) == std::pair(std::size_t{200}, std::size_t{0}));
  CHECK(rows(201) == std::pair(std::size_t{200}, std::size_t{1}));
  CHECK(rows(250) == std::pair(std::size_t{200}, std::size_t{1}));
}

TEST_CASE("Workers of a selected time are those at its ticks, both ends among them") {
  SmallRun small;
  small.run.worker_counts[10] = 5;
  small.run.worker_counts[20] = 8;
  Selection selection;
  selection.time = Selection::TimeRange{10, 20};
  for (const Headline& one : headlines(small.run, selection, {}))
    if (one.id == "workers_mean") CHECK(one.value == Approx((5 + 9 * 4 + 8) / 11.0));
}

TEST_CASE("Of workers that are as near to their limit the first is told of") {
  SmallRun small;
  small.run.workers.of(Series::memory, 0).set(3, 100e6);
  small.run.workers.of(Series::memory, 1).set(3, 200e6);
  CHECK(tightest_worker(small.run).begin == 100e6);
  CHECK(tightest_worker(small.run).peak == 500e6);
  CHECK(tightest_worker(small.run).limit == 1000e6);
  small.run.workers.of(Series::memory, 1).set(5, 501e6);
  CHECK(tightest_worker(small.run).begin == 200e6);
  // twice the peak, in steps of 128 MiB
  CHECK(memory_enough(64 * 1048576.0) == 128 * 1048576.0);
  CHECK(memory_enough(65 * 1048576.0) == 256 * 1048576.0);
}

TEST_CASE("Of two executions that began at once the first that was noted is the one that counts") {
  SmallRun small;
  small.set_activity("memory-read", 3);
  small.add_task("P", 0, 0, 5, 6, 1);
  small.add_task("P", 0, 1, 5, 8, 1);
  small.add_task("P", 0, 2, 4, 4.5, 1);
  const LostWork lost = find_lost_work(small.run, small.id("P"), 158);
  CHECK(lost.repeated == 2);
  CHECK(lost.core_seconds == Approx(3 + 0.5));
}

TEST_CASE("One chunk is held against its dataset and others, the slowest where none is asked") {
  // Chunk 5 took 4 s in place of 1 s, 3.5 s of it in fit, where others took 0.5 s.
  SmallRun small;
  for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i)
    small.run.chunks.sections.push_back(
        {i, small.id("fit"), SectionValue::Kind::seconds, i == 5 ? 3.5 : 0.5});
  small.stretch(5, 4);
  const Run* const runs[] = {&small.run};
  const auto ask = [&](const char* chunk) {
    return query::named("chunk")(runs, {},
                                 chunk == nullptr ? Options() : Options({{"chunk", chunk}}));
  };
  const Table slowest = ask(nullptr);
  const auto times = [](const Table& table, const char* kind) {
    return table.number("times", table.row_of("kind", kind));
  };
  CHECK(times(slowest, "process") == Approx(4));
  CHECK(times(slowest, "section") == Approx(7));
  CHECK(times(slowest, "unaccounted") == Approx(1));
  CHECK(times(slowest, "moment") == Approx(1));
  CHECK(times(ask("6"), "section") == Approx(1));
  CHECK(ask("1000000").rows() == 0);
}

TEST_CASE("Samples inside and outside process() are of all samples of the tasks") {
  SmallRun small;
  small.draw_profile(R"(root 150
  process@analysis.py 100
    select@analysis.py 60
      array@/opt/lib/site-packages/uproot/behaviors/TBranch.py 60
        get@/usr/lib/python3.11/queue.py 60
  from_root@/opt/lib/site-packages/coffea/nanoevents/factory.py 50)");
  const BlockedShares shares = blocked_shares(small.run);
  CHECK(shares.inside == Approx(100.0 / 150));
  CHECK(shares.reading_inside == Approx(60.0 / 150));
  CHECK(shares.all == Approx(60.0 / 150));
  CHECK(shares.locks == 0);
}

TEST_CASE("What the standard library waits for is input where code that reads files called it") {
  // In a queue select() waits for uproot 60 times, and 20 times for a thread of its own.
  SmallRun small;
  small.draw_profile(R"(root 80
  process@analysis.py 80
    select@analysis.py 80
      array@/opt/lib/site-packages/uproot/behaviors/TBranch.py 60
        get@/usr/lib/python3.11/queue.py 60
      get@/usr/lib/python3.11/queue.py 20)");
  const auto shares = profile::profile_shares(small.run, {});
  REQUIRE(shares != nullptr);
  std::map<profile::Category, double> samples;
  for (const profile::ProfileShares::Library& library : shares->libraries)
    samples[library.category] += library.samples.count;
  CHECK(samples[profile::Category::io] == Approx(60));
  CHECK(samples[profile::Category::stdlib] == Approx(20));
}

TEST_CASE(
    "What roastcoffea counts of cores differs where workers came and went, and is said then") {
  SmallRun small;
  const auto note_of = [&](const char* id) {
    small.run.facts = {};
    for (const Headline& one : headlines(small.run, {}, {}))
      if (one.id == id) return one.note;
    return std::string("none");
  };
  CHECK(note_of("total_cores").empty());
  small.run.stored.push_back({"total_cores", 4, "total_cores"});
  CHECK(note_of("total_cores").empty());
  small.run.stored.back().value = 4.1;
  CHECK(note_of("total_cores").starts_with("roastcoffea sums the cores of all workers ever seen"));
}
