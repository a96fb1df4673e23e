#include "catch.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/report/answer_text.hpp"
#include "core/runtime/core_time.hpp"
#include "tests/core/drawn_tree.hpp"
#include "tests/core/small_run.hpp"

using namespace crema;
using namespace crema::runtime;
using namespace crema::diagnose;
using namespace crema::report;
using test::SmallRun;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Gives every chunk a file of its dataset: `files` of each, in turn.
void spread_over_files(SmallRun& small, std::size_t files) {
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
    const std::string dataset(small.run.text(small.run.chunks.dataset[i]));
    small.run.chunks.file[i] =
        small.id("/data/" + dataset + "_" + std::to_string(i / 2 % files) + ".root");
  }
}

}  // namespace

TEST_CASE("What every run has is no finding") {
  SmallRun small;
  // 0.1 s of each second is outside process(): 15.6 of 158 core-s.
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) small.stretch(i, 0.913);
  CHECK(small.find("outside-process") == nullptr);
  // 2.4 s until the first chunk ran: workers connect and open their first files.
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
    small.run.chunks.t_start[i] += 1.9;
    small.run.chunks.t_end[i] += 1.9;
  }
  small.run.elapsed = 42;
  CHECK(small.find("start-up") == nullptr);
}

TEST_CASE("A slow file is found among its dataset's, and its chunks are no stragglers") {
  SmallRun small;
  spread_over_files(small, 4);
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
    if (small.run.text(small.run.chunks.file[i]) == "/data/ttbar_1.root") small.stretch(i, 4);
  }
  const auto* finding = small.find("slow-file");
  REQUIRE(finding != nullptr);
  CHECK(finding->title == "ttbar_1.root took 4 times as long per event as other files");
  CHECK(has(finding->evidence, "ttbar"));
  CHECK(finding->selection.files == std::vector<std::string>{"/data/ttbar_1.root"});
  const auto chunks = anomalies(small.run).front().chunks;
  CHECK(finding->core_seconds == Approx(3.0 * static_cast<double>(chunks)));
  CHECK(small.find("stragglers") == nullptr);
  CHECK(small.find("slow-dataset") == nullptr);
}

TEST_CASE(
    "A file and a worker have the number that a finding says of them, however few are like them") {
  SmallRun small;
  spread_over_files(small, 2);
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
    if (small.run.text(small.run.chunks.file[i]) == "/data/ttbar_1.root") small.stretch(i, 4);
  }
  REQUIRE(small.find("slow-file") != nullptr);
  CHECK(has(small.find("slow-file")->title, "ttbar_1.root took 4 times as long per event"));
  for (const FileFacts& file : find_file_facts(small.run, {})) {
    const std::string_view name = small.run.text(file.name);
    CAPTURE(name);
    // half of ttbar's chunks take 4 s, the others 1 s
    CHECK(file.times_others == Approx(name == "/data/ttbar_1.root"   ? 4
                                      : name == "/data/ttbar_0.root" ? 0.25
                                                                     : 1));
  }
  SmallRun halves;
  for (std::size_t i = 0; i < 2 * SmallRun::chunks_each; ++i) halves.stretch(i, 2);
  halves.stream();
  const auto& work = worker_work(halves.run, halves.id("P"));
  REQUIRE(work.size() == SmallRun::workers);
  // of a slow one's others two are quick, of a quick one's two are slow
  for (std::size_t w = 0; w < work.size(); ++w)
    CHECK(work[w].times_others == Approx(w < 2 ? 2 : 0.5));
}

TEST_CASE("A dataset of which only one file is slow is not slow: the file is, with most chunks") {
  SmallRun small;
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
    const std::string dataset(small.run.text(small.run.chunks.dataset[i]));
    const bool is_first = i % 8 < 6;  // three quarters of the chunks
    small.run.chunks.file[i] = small.id("/data/" + dataset + (is_first ? "_0.root" : "_1.root"));
    if (dataset == "ttbar" && is_first) small.stretch(i, 4 + 0.01 * static_cast<double>(i % 5));
  }
  CHECK(small.find("slow-dataset") == nullptr);
  REQUIRE(small.find("slow-file") != nullptr);
  CHECK(has(small.find("slow-file")->title, "ttbar_0.root took"));
}

TEST_CASE("A file of two chunks is slow where no other chunk is, nor its dataset") {
  const auto found = [](std::size_t slow) {
    SmallRun small;
    Run& run = small.run;
    // Four chunks in the middle of two workers' are rare's, two of each file.
    const std::size_t rare[] = {15, 16, SmallRun::chunks_each + 20, SmallRun::chunks_each + 21};
    for (std::size_t i = 0; i < run.chunks.size(); ++i) {
      run.chunks.file[i] = small.id("/data/" + std::to_string(i / 10));
      small.stretch(i, 1 + 0.02 * static_cast<double>(i % 7));
    }
    for (std::size_t k = 0; k < 4; ++k) {
      run.chunks.dataset[rare[k]] = small.id("rare");
      run.chunks.file[rare[k]] = small.id(k < 2 ? "/data/rare_0.root" : "/data/rare_1.root");
      if (k < slow) small.stretch(rare[k], 6);
    }
    const auto* finding = small.find("slow-file");
    return finding == nullptr ? std::string() : finding->title;
  };
  CHECK(found(0).empty());
  CHECK(found(1).empty());  // one chunk of it is a straggler
  CHECK(has(found(2), "rare_0.root took"));
  CHECK(found(4).empty());  // both files: its dataset is slow
}

TEST_CASE("Three chunks of a file are slow though they are most of how far moments differ") {
  const auto found = [](double seconds) {
    SmallRun small;
    Run& run = small.run;
    // 27 chunks, one after the other; data_1 has the 22nd to the 24th.
    run.chunks.resize(27);
    for (std::size_t i = 0; i < 27; ++i) {
      const bool is_slow = i >= 21 && i < 24;
      run.chunks.dataset[i] = small.id(i < 14 ? "other" : i < 24 ? "data" : "signal");
      run.chunks.file[i] = small.id(i < 8     ? "/data/other_0.root"
                                    : i < 14  ? "/data/other_1.root"
                                    : is_slow ? "/data/data_1.root"
                                    : i < 24  ? "/data/data_0.root"
                                              : "/data/signal.root");
      small.stretch(i, is_slow ? seconds : 1 + 0.2 * static_cast<double>(i / 5 % 3));
    }
    return small.find("slow-file") != nullptr;
  };
  CHECK(found(4));
  CHECK_FALSE(found(1.4));
}

TEST_CASE("Of two files the slower one is slow where it is so beside the whole run") {
  const auto found = [](double quick, double slow) {
    SmallRun small;
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
      const bool is_ttbar = small.run.text(small.run.chunks.dataset[i]) == "ttbar";
      const std::string file = is_ttbar ? (i % 2 == 0 ? "t0" : "t1") : std::to_string(i % 4);
      small.run.chunks.file[i] = small.id("/data/" + file + ".root");
      if (is_ttbar) small.stretch(i, i % 2 == 0 ? slow : quick);
    }
    return small.find("slow-file") != nullptr;
  };
  CHECK(found(1, 2));
  CHECK_FALSE(found(0.5, 1));  // the other one is quick
}

TEST_CASE("The headline of a run is its first cause, and none is named where none is found") {
  SmallRun small;
  spread_over_files(small, 4);
  const auto headline = [&] {
    small.run.facts = {};
    const auto tree = core_time_tree(small.run, {}, {}, CoreTimeSplit::functions);
    return core_time_verdict(small.run, {}, *tree).verdict;
  };
  CHECK(has(headline(), "No fault found: 97.5 % of the core-time was in process()"));
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
    if (small.run.text(small.run.chunks.file[i]) == "/data/ttbar_1.root") small.stretch(i, 4);
  }
  CHECK(headline() == small.find("slow-file")->title + ".");
}

TEST_CASE("Where the number of cores is not known the headline is of what was recorded") {
  SmallRun small;
  spread_over_files(small, 4);
  small.run.workers = {};
  small.run.ticks = {};
  const auto tree = core_time_tree(small.run, {}, {}, CoreTimeSplit::functions);
  CHECK(tree->nodes[0].label == "Recorded core-time");
  CHECK(has(core_time_verdict(small.run, {}, *tree).verdict,
            " % of the recorded core-time was in process()"));
}

TEST_CASE("First chunks of workers are no matter of the file that they are of") {
  const auto kinds = [](bool of_workers) {
    SmallRun small;
    // A file of four chunks that take four times as long: each worker's first, or its tenth.
    for (std::size_t w = 0; w < SmallRun::workers; ++w) {
      const std::size_t i = w * SmallRun::chunks_each + (of_workers ? 0 : 10);
      small.stretch(i, 4);
      small.run.chunks.file[i] = small.id("root://a//first.root");
    }
    small.stream();
    return small.find("slow-file") != nullptr;
  };
  CHECK(kinds(false));
  CHECK_FALSE(kinds(true));
}

TEST_CASE("A worker that takes twice as long for the same work is found") {
  SmallRun small;
  spread_over_files(small, 4);
  for (std::size_t i = SmallRun::chunks_each; i < 2 * SmallRun::chunks_each; ++i) {
    small.run.chunks.t_start[i] = 0.5 + 2.0 * static_cast<double>(i - SmallRun::chunks_each);
    small.stretch(i, 2);
  }
  small.run.elapsed = 80;
  small.stream();
  const auto* finding = small.find("slow-worker");
  REQUIRE(finding != nullptr);
  CHECK(finding->selection.workers == std::vector<std::string>{"tcp://10.0.0.1:1000"});
  CHECK(finding->core_seconds ==
        Approx(38.5));  // 39 chunks, each a second too long, the first as expected
  CHECK(has(finding->title, " took 2 times as long per event"));
  CHECK(small.find("slow-file") == nullptr);

  // Another core would slow down all sections alike.
  for (double& cpu : small.run.workers.of(Series::cpu, 1).values) cpu = 1;
  const auto said = [&](double fit_of_slow) {
    small.run.chunks.sections.clear();
    for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i) {
      const bool is_slow = i / SmallRun::chunks_each == 1;
      const double fit = is_slow ? fit_of_slow : 0.4;
      small.run.chunks.sections.push_back({i, small.id("fit"), SectionValue::Kind::seconds, fit});
    }
    const auto* slow = small.find("slow-worker");
    return slow == nullptr ? std::string() : slow->evidence;
  };
  CHECK(has(said(1.4), "The rest of its chunks took 1 times as long"));
  CHECK(has(said(1.15), "The rest of its chunks took 1.42 times as long."));
  CHECK(!has(said(1.15), "slower core"));
  CHECK(has(said(0.8), "Possible cause: a slower core"));
}

TEST_CASE("A moment that is slow for all is one cause, and none of its files is to blame") {
  SmallRun small;
  spread_over_files(small, 4);
  for (std::size_t w = 0; w < SmallRun::workers; ++w) {
    for (std::size_t i = 10; i < 17; ++i) small.stretch(w * SmallRun::chunks_each + i, 2.5);
  }
  const auto* finding = small.find("slow-moment");
  REQUIRE(finding != nullptr);
  // From 0.5 + 10 s to 0.5 + 16 + 2.5 s; 4 x 7 chunks, each 1.5 s too long.
  CHECK(has(finding->title, "Chunks of several files took 2.5 times as long from 10.5 s to 19 s"));
  CHECK(finding->core_seconds == Approx(42));
  REQUIRE(finding->selection.time.has_value());
  CHECK(finding->selection.time->begin == Approx(10.5));
  CHECK(finding->selection.time->end == Approx(19));
  CHECK(small.find("slow-file") == nullptr);
  CHECK(small.find("slow-worker") == nullptr);
  CHECK(has(small.find("slow-moment")->evidence, "The extra time was computing"));
  CHECK(has(small.find("slow-moment")->evidence,
            "Whether these files were slow, or something at that time, is unknown."));
  // Of 60 % of it, half as much would be 48, half of it waits: neither is most.
  for (std::size_t w = 0; w < SmallRun::workers; ++w) {
    for (std::size_t tick = 11; tick < 20; ++tick)
      small.run.workers.of(Series::cpu, w).values[tick] = tick % 2 == 0 ? 0.3 : 1;
  }
  CHECK(has(small.find("slow-moment")->evidence, "Whether it waited or computed is unknown (CPU"));
}

TEST_CASE("Files that run one after the other: slow as a whole, or from the middle of one on") {
  SmallRun small;
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
    small.run.chunks.dataset[i] = small.id("data");
    small.run.chunks.file[i] =
        small.id("/data/" + std::to_string(i % SmallRun::chunks_each / 5) + ".root");
  }
  const auto slow_from = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
      const std::size_t step = i % SmallRun::chunks_each;
      small.stretch(i, step >= from && step < to ? 3 : 1);
    }
  };
  slow_from(10, 15);
  CHECK(small.find("slow-moment") == nullptr);
  REQUIRE(small.find("slow-file") != nullptr);
  CHECK(has(small.find("slow-file")->title, "2.root took 3 times as long per event"));
  // Before and after it chunks took as long as expected: it was not the moment.
  CHECK(!has(small.find("slow-file")->title, ": the file, or that moment"));
  // The first file: whether the beginning was slow, nothing before it tells.
  slow_from(0, 5);
  REQUIRE(small.find("slow-file") != nullptr);
  CHECK(has(small.find("slow-file")->title, ": the file, or that moment"));
  CHECK(has(small.find("slow-file")->evidence, "What would tell: chunks of other files"));
  slow_from(12, 17);
  CHECK(small.find("slow-file") == nullptr);
  REQUIRE(small.find("slow-moment") != nullptr);
  CHECK(small.find("slow-moment")->selection.time->begin == Approx(12.5));
}

TEST_CASE("What is slow at a moment for a few chunks only is no moment") {
  SmallRun small;
  spread_over_files(small, 4);
  // One of four workers: a quarter of the moment's chunks.
  for (std::size_t i = 10; i < 17; ++i) small.stretch(i, 2.5);
  CHECK(small.find("slow-moment") == nullptr);
}

TEST_CASE("Workers that differ by less than moments do are not slow") {
  // Each worker is quick and slow in turns of five chunks, and one a fifth slower besides.
  const auto is_found = [](double quick, double slow) {
    SmallRun small;
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
      const std::size_t worker = i / SmallRun::chunks_each, step = i % SmallRun::chunks_each;
      small.stretch(i, ((worker + step / 5) % 2 == 0 ? quick : slow) * (worker == 0 ? 1.2 : 1));
    }
    small.stream();
    return small.find("slow-worker") != nullptr;
  };
  CHECK(is_found(1, 1));
  CHECK(!is_found(0.8, 1.3));
}

TEST_CASE("Two workers are told apart by what each differs from itself in the course of the run") {
  // On two workers chunks differ by up to a tenth, and take a third longer on the second one.
  const auto is_found = [](double longer, double wobble) {
    SmallRun small;
    small.run.chunks = Chunks();
    for (std::size_t i = 0; i < 2 * SmallRun::chunks_each; ++i) {
      const bool is_second = i >= SmallRun::chunks_each;
      const double noise = 1 + wobble * static_cast<double>(i * 7 % 11) / 10;
      small.add_chunk(0.5 + static_cast<double>(i % SmallRun::chunks_each),
                      (is_second ? longer : 1) * 0.7 * noise, 10000, "data",
                      "/data/" + std::to_string(i % 4) + ".root");
    }
    small.stream();
    return small.find("slow-worker") != nullptr;
  };
  CHECK(is_found(1.33, 0.1));
  CHECK(!is_found(1, 0.1));
  CHECK(!is_found(1.1, 1));
}

TEST_CASE("A section that is slow in one dataset is reported with both") {
  SmallRun small;
  spread_over_files(small, 4);
  std::uint32_t quick = 0;
  while (small.run.text(small.run.chunks.dataset[quick]) != "ttbar") ++quick;
  for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i) {
    const bool slow = small.run.text(small.run.chunks.dataset[i]) == "ttbar";
    const auto put = [&](const char* name, double seconds) {
      small.run.chunks.sections.push_back(
          {i, small.id(name), SectionValue::Kind::seconds, seconds});
    };
    put("select", 0.5);
    put("clean", slow ? 0.8 : 0.2);
    put("fill", 0.3);
    if (slow) small.stretch(i, 1.6);
  }
  const auto* finding = small.find("slow-cell");
  REQUIRE(finding != nullptr);
  CHECK(finding->title == "Section clean of ttbar took 4 times as long as of any other dataset");
  CHECK(finding->core_seconds == Approx(76 * 0.6));
  CHECK(small.find("slow-dataset") == nullptr);

  // In one of its files it takes as long as elsewhere.
  for (SectionValue& one : small.run.chunks.sections) {
    if (small.run.text(one.name) != "clean" || one.value != 0.8) continue;
    if (small.run.chunks.file[one.chunk] == small.run.chunks.file[quick]) one.value = 0.2;
  }
  finding = small.find("slow-cell");
  REQUIRE(finding != nullptr);
  CHECK(has(finding->title, "times as long as of any other dataset, in 3 of its files"));
  CHECK(has(finding->evidence, "its other files took no longer than usual."));
}

TEST_CASE("A host that alone serves its dataset is slow only where its chunks wait") {
  SmallRun small;
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
    const bool slow = small.run.text(small.run.chunks.dataset[i]) == "ttbar";
    small.run.chunks.file[i] =
        small.id(slow ? "http://far.example:8080/f.root" : "http://near.example:8080/f.root");
    // Its chunks run after the others.
    small.run.chunks.t_start[i] =
        slow ? 20.5 + static_cast<double>(i % 19) : 0.5 + static_cast<double>(i % 19);
    small.stretch(i, 1);
    if (slow) small.run.chunks.events[i] = 4000;
  }
  CHECK(small.find("slow-host") == nullptr);
  REQUIRE(small.find("slow-dataset") != nullptr);
  for (std::size_t w = 0; w < SmallRun::workers; ++w) {
    for (std::size_t tick = 21; tick < 40; ++tick)
      small.run.workers.of(Series::cpu, w).values[tick] = 0.3;
  }
  const auto* finding = small.find("slow-host");
  REQUIRE(finding != nullptr);
  CHECK(finding->selection.hosts == std::vector<std::string>{"far.example:8080"});
  CHECK(has(finding->evidence, "Only it serves ttbar"));
  CHECK(has(finding->title, ": the host, or its dataset"));
  CHECK(has(finding->evidence, "The extra time was waiting, not computing"));
  // What `input` says of waiting is the same.
  CHECK(waiting_text(find_findings(small.run, {}), 0.2) == finding->title + ".");
  CHECK(small.find("slow-dataset") == nullptr);
  CHECK(has(waiting_text({}, 0.2), "off a CPU for 20 % of their time"));
  // Of two datasets there is nothing to compare with, either.
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
    const bool slow = small.run.text(small.run.chunks.dataset[i]) == "ttbar";
    if (slow && i % 8 < 4) small.run.chunks.dataset[i] = small.id("tW");
  }
  REQUIRE(small.find("slow-host") != nullptr);
  CHECK(has(small.find("slow-host")->title, ": the host, or its dataset"));
  CHECK(has(small.find("slow-host")->evidence, "Only it serves its datasets"));
}

TEST_CASE("A worker that left is reported with the work that was repeated") {
  SmallRun small;
  small.set_activity("memory-read", 208);
  for (auto& series : small.run.workers.series) {
    if (!series[1].empty()) series[1].values.resize(20);
  }
  const auto* finding = small.find("lost-work");
  REQUIRE(finding != nullptr);
  CHECK(has(finding->title, "of the core-time was repeated work; 1 worker left"));
  CHECK(has(finding->evidence, "10.0.0.1:1000 at 19 s"));
  CHECK(small.find("workers-lost") == nullptr);
  // So is what failed and was tried again.
  CHECK(has(small.find("lost-work")->evidence, "Possible cause: failed attempts, or"));
}

TEST_CASE("Workers that come late are reported with the cores that were missing") {
  SmallRun small;
  for (std::size_t w = 2; w < SmallRun::workers; ++w) {
    for (auto& series : small.run.workers.series) {
      if (series[w].empty()) continue;
      series[w].values.erase(series[w].values.begin(), series[w].values.begin() + 10);
      series[w].first_tick = 10;
    }
  }
  const auto* finding = small.find("late-workers");
  REQUIRE(finding != nullptr);
  CHECK(finding->core_seconds == Approx(2 * 10));
  CHECK(has(finding->title, "2 workers joined late, the last one 10 s into the run"));
}

TEST_CASE("A clock that is off is reported, and costs no time") {
  SmallRun small;
  small.run.add_note("worker-clock", Severity::medium,
                     "by its clock chunks of worker 1 ran 40 s after their tasks: put right");
  const auto* finding = small.find("clock-skew");
  REQUIRE(finding != nullptr);
  CHECK(finding->title == "Times of a worker's chunks and of its tasks differ");
  const std::string causes =
      " Possible causes: a clock that is off, or an event loop of the scheduler or a worker that "
      "is "
      "busy and hears of the others' clock late.";
  CHECK(finding->evidence ==
        "No time is lost by it; by its clock chunks of worker 1 ran 40 s after their tasks: put "
        "right." +
            causes);
  small.run.data_notes.clear();
  small.run.add_note("chunks-outside-run", Severity::high, "39 of 156 chunks are stamped after it");
  REQUIRE(small.find("clock-skew") != nullptr);
  CHECK(small.find("clock-skew")->evidence ==
        "No time is lost by it; 39 of 156 chunks are stamped after it." + causes);
}

TEST_CASE("Baskets that several chunks read are found") {
  SmallRun small;
  const std::size_t file = small.run.files.intern(small.id("root://a//f.root"));
  small.run.files.bytes_read[file] = 156 * 2e6 / 4;
  const auto* finding = small.find("baskets-read-again");
  REQUIRE(finding != nullptr);
  CHECK(finding->title == "Chunks read the bytes of their branches 4 times");
  CHECK(is_absent(finding->gain_core_seconds));  // how long that took, nobody knows
  small.run.files.bytes_read[file] = 156 * 2e6 / 1.5;
  CHECK(small.find("baskets-read-again") == nullptr);
}

TEST_CASE("Columns in results are found from 3 % of the core-time on, idle cores among it") {
  for (const double seconds : {3.0, 4.0}) {  // and 1.5 in which three cores are idle, of 160 core-s
    SmallRun small;
    small.activity("reduce", "thread-cpu", "seconds", seconds);
    small.stream(2e6);
    small.add_task("reduce", 0, 0, 39.5, 40, 156 * 2e6);
    CHECK((small.find("heavy-output") != nullptr) == (seconds == 4));
  }
}

TEST_CASE("Reading nearly all branches is reported with the function that reads") {
  SmallRun small;
  small.add_file(0.9, 0.95);
  small.section("checks", 0.3);
  small.section("fill", 0.6);
  small.draw_profile(R"(root 100
  process@analysis.py 100
    check_columns@analysis.py 30
      array@/opt/lib/site-packages/uproot/behaviors/TBranch.py 30
    fill@analysis.py 70)");
  const auto* finding = small.find("unused-branches");
  REQUIRE(finding != nullptr);
  CHECK(has(finding->evidence, "most reading is in check_columns"));
  CHECK(finding->core_seconds == Approx(0.3 * 156));
}

TEST_CASE("Results that merging keeps whole are columns; histograms are merged to one size") {
  SmallRun small;
  small.activity("reduce", "thread-cpu", "seconds", 33);
  small.stream(2e6);
  small.add_task("reduce", 0, 0, 39.5, 40, 4e6);
  CHECK(small.find("heavy-output") == nullptr);
  REQUIRE(small.find("reduction") != nullptr);
  CHECK(has(small.find("reduction")->evidence, "A chunk returns 2 MB"));
  small.run.tasks.nbytes.back() = 156 * 2e6;
  CHECK(small.find("reduction") == nullptr);
  CHECK(has(small.find("heavy-output")->evidence, "312 MB of the 312 MB"));
  CHECK_FALSE(has(small.find("heavy-output")->evidence, "LZ4"));
  // LZ4 is slow from level 3 on.
  const auto packed_at = [&](double level) {
    small.run.recording.index.planned = {{1, small.id("chunk"), no_string, 156, absent, level}};
    return *small.find("heavy-output");
  };
  CHECK_FALSE(has(packed_at(16).evidence, "LZ4"));  // nobody knows how long packing took
  small.run.recording.tasks.resize(1);
  small.run.recording.tasks.of(recorded_columns::Task::kind)[0] = small.id("chunk");
  small.run.recording.tasks.of(recorded_columns::Task::serialise_wall)[0] = 4;
  small.run.recording.chunk = {0};
  CHECK_FALSE(has(packed_at(2).evidence, "LZ4"));
  CHECK(packed_at(16).title ==
        "2 MB of results per chunk, packed at level 16, and merging keeps most of it");
  CHECK(has(packed_at(16).evidence, "packs results at level 16 of LZ4 (compression=, 1 by"));
  CHECK(has(packed_at(16).evidence, "Chunks took 4 core-s to pack theirs."));
  small.run.recording.tasks.of(recorded_columns::Task::serialise_wall)[0] = 3;
  CHECK_FALSE(has(packed_at(16).evidence, "LZ4"));  // less than a tenth of the 33 s
  small.run.recording.tasks = {};
  small.run.recording.chunk.clear();
  small.run.recording.index.planned.clear();
  // Of less than 5 MB in each of the 33 s, what adds them is to blame.
  for (double& bytes : small.run.tasks.nbytes) bytes /= 312e6 / (33 * 4.9e6);
  CHECK(small.find("heavy-output") == nullptr);
  REQUIRE(small.find("reduction") != nullptr);
  for (double& bytes : small.run.tasks.nbytes) bytes *= 5.1 / 4.9;
  CHECK(small.find("heavy-output") != nullptr);
  for (double& bytes : small.run.tasks.nbytes) bytes *= 312e6 / (33 * 5.1e6);
  // Histograms of 78 datasets, two chunks of each, are merged to half of it.
  small.run.tasks.nbytes.back() = 78 * 2e6;
  CHECK(small.find("heavy-output") != nullptr);
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i)
    small.run.chunks.dataset[i] = small.id("signal" + std::to_string(i / 2));
  CHECK(small.find("heavy-output") == nullptr);
  CHECK(small.find("reduction") != nullptr);
  // Four chunks of each of 39 are enough.
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i)
    small.run.chunks.dataset[i] = small.id("signal" + std::to_string(i / 4));
  CHECK(small.find("heavy-output") != nullptr);
}

TEST_CASE("Files that are slow to open are one finding") {
  SmallRun small;
  small.set_activity("thread-cpu", 100);
  small.activity("automatic_retries", "thread-cpu", "seconds", 16);
  // Chunks of 0.25 s in tasks of 108 core-s: 69 of them outside, 15.6 of which are usual.
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) small.stretch(i, 0.25);
  const auto* finding = small.find("pre-processing");
  REQUIRE(finding != nullptr);
  CHECK(finding->core_seconds == Approx(16 + (108 - 39) - 15.6));
  CHECK(has(finding->title, "of the core-time was spent in pre-processing and outside process()"));
  CHECK(finding->gain_core_seconds > 0);
  CHECK(small.find("outside-process") == nullptr);
  // A cache of blocks keeps what is read, one of files copies all when a file is first opened: it
  // would take the same in a chunk.
  small.run.chunks.file[0] = small.id("blockcache::https://host/a.root");
  CHECK(small.find("pre-processing")->gain_core_seconds > 0);
  small.run.chunks.file[0] = small.id("simplecache::https://host/a.root");
  CHECK(is_absent(small.find("pre-processing")->gain_core_seconds));
}

TEST_CASE("Waiting by its cause: a lock, the interpreter's, too few cores, storage") {
  SmallRun small;
  small.set_activity("thread-cpu", 79);
  small.set_activity("thread-noncpu", 79);

  SECTION("a lock that frames name") {
    small.draw_profile(R"(root 100
  process@analysis.py 100
    guarded@analysis.py 40
      acquire@/opt/lib/site-packages/distributed/lock.py 40
        wait@/usr/lib/python3.11/threading.py 40
    fill@analysis.py 60)");
    const auto* finding = small.find("lock");
    REQUIRE(finding != nullptr);
    CHECK(finding->core_seconds == Approx(0.4 * 158));
    CHECK(has(finding->evidence, "Most of it was in guarded."));
    CHECK(small.find("waiting") == nullptr);
  }
  SECTION("a lock that no frame shows: the line that was seen first tells") {
    small.draw_profile(R"(root 100
  process@analysis.py 100
    one_at_a_time@analysis.py 40
    fill@analysis.py 60)");
    CHECK(small.find("lock") == nullptr);
    FrameTable& frames = small.run.names->frames;
    for (FrameId frame = 0; frame < frames.size(); ++frame) {
      if (small.run.text(frames.name[frame]) == "one_at_a_time")
        frames.source_line[frame] = small.id("    fcntl.flock(file, fcntl.LOCK_EX)");
    }
    const auto* finding = small.find("lock");
    REQUIRE(finding != nullptr);
    CHECK(has(finding->evidence, "Most of it was in one_at_a_time."));
    // Who computes all the time waits for no lock.
    small.set_activity("thread-cpu", 157);
    small.set_activity("thread-noncpu", 1);
    CHECK(small.find("lock") == nullptr);
  }
  SECTION("computing code off the CPU: threads share cores") {
    small.draw_profile("root 100\n  process@analysis.py 100\n    fill@analysis.py 100\n");
    for (std::size_t w = 0; w < SmallRun::workers; ++w) {
      small.run.workers.host[w] = small.id("node1");
      small.set_series(Series::cpu, w, 0.5);
    }
    const auto* finding = small.find("oversubscribed");
    REQUIRE(finding != nullptr);
    CHECK(finding->title == "4 threads on node1 got only 2 cores");
    CHECK(finding->core_seconds == Approx(79));
    CHECK(is_absent(finding->gain_core_seconds));
    CHECK(small.find("waiting") == nullptr);
    // A single thread is never too many, also where the CPUs are not known.
    for (std::size_t w = 1; w < SmallRun::workers; ++w) small.run.workers.host[w] = no_string;
    CHECK(small.find("oversubscribed") == nullptr);
    for (std::size_t w = 1; w < SmallRun::workers; ++w)
      small.run.workers.host[w] = small.id("node1");
    // The host has cores that idle: they are not what the threads wait for.
    small.run.workers.machine[0] = {8, 4, 8, 2.1, 0.5};
    CHECK(small.find("oversubscribed") == nullptr);
    // Nor is it a lock, where tasks that merge are off the CPU as well.
    small.activity("reduce", "thread-cpu", "seconds", 1);
    small.activity("reduce", "thread-noncpu", "seconds", 1);
    REQUIRE(small.find("cpu-limit") != nullptr);
    CHECK(small.find("cpu-limit")->title ==
          "4 threads on node1 got only 2 cores, although the host had more");
    CHECK(has(small.find("cpu-limit")->evidence, "busy 26"));  // 2.1 of 8 CPUs
    // It has fewer than threads.
    small.run.workers.machine[0] = {2, 2, 2, 1.9, 0.5};
    CHECK(small.find("oversubscribed") != nullptr);
  }
  SECTION("two workers after two others: as many threads as there were at once") {
    small.draw_profile("root 100\n  process@analysis.py 100\n    fill@analysis.py 100\n");
    for (std::size_t w = 0; w < SmallRun::workers; ++w) {
      small.run.workers.host[w] = small.id("node1");
      small.set_series(Series::cpu, w, 0.5);
      std::vector<double>& executing = small.run.workers.of(Series::executing, w).values;
      const auto half = executing.begin() + static_cast<std::ptrdiff_t>(executing.size() / 2);
      std::fill(w < 2 ? half : executing.begin(), w < 2 ? executing.end() : half, 0.0);
    }
    const auto* finding = small.find("oversubscribed");
    REQUIRE(finding != nullptr);
    CHECK(finding->title == "2 threads on node1 got only 1 core");
    // What wants a CPU is named, too: its time is not the wanting's.
    CHECK(small.find("own-function") != nullptr);
  }
  SECTION("a call of the analysis that sleeps") {
    small.draw_profile(R"(root 100
  process@analysis.py 100
    poll@analysis.py 40
    fill@analysis.py 60)");
    FrameTable& frames = small.run.names->frames;
    for (FrameId frame = 0; frame < frames.size(); ++frame) {
      if (small.run.text(frames.name[frame]) == "poll")
        frames.source_line[frame] = small.id("    time.sleep(0.1)");
    }
    const auto* finding = small.find("waiting");
    REQUIRE(finding != nullptr);
    CHECK(finding->title == "50 % of the task time was spent waiting, most of it in poll");
    CHECK(has(finding->evidence, "40 % of the samples are in calls of the analysis that sleep"));
  }
  SECTION("samples of process() that read are the least that tasks wait for input") {
    small.draw_profile(R"(root 100
  process@analysis.py 100
    select@analysis.py 40
      array@/opt/lib/site-packages/uproot/behaviors/TBranch.py 40
        get@/usr/lib/python3.11/queue.py 40
    fill@analysis.py 60)");
    const auto* finding = small.find("waiting");
    REQUIRE(finding != nullptr);
    CHECK(finding->title == "At least 40 % of the task time was spent waiting for input");
  }
  SECTION("the same where merging computes undisturbed: there are free cores") {
    small.draw_profile("root 100\n  process@analysis.py 100\n    fill@analysis.py 100\n");
    small.activity("reduce", "thread-cpu", "seconds", 1);
    small.activity("reduce", "thread-noncpu", "seconds", 0.1);
    for (std::size_t w = 0; w < SmallRun::workers; ++w) {
      small.run.workers.host[w] = small.id("node1");
      small.set_series(Series::cpu, w, 0.5);
    }
    CHECK(small.find("oversubscribed") == nullptr);
    REQUIRE(small.find("waiting") != nullptr);
    // Unless it was recorded that the CPUs they may use were nearly all busy.
    const auto shares = [&](double busy) {
      SmallRun recorded = small;
      using recorded_columns::Machine;
      auto& machine = recorded.run.recording.machine;
      machine.resize(40);
      for (std::size_t second = 0; second < 40; ++second) {
        machine.of(Machine::begin)[second] = static_cast<double>(second);
        machine.of(Machine::wall)[second] = 1;
        machine.of(Machine::usable)[second] = machine.of(Machine::own)[second] = 2;
        machine.of(Machine::busy)[second] = 2 * busy;
      }
      return recorded.find("oversubscribed") != nullptr;
    };
    CHECK(shares(0.96));
    CHECK_FALSE(shares(0.8));
    // All four threads use one core: one at a time.
    for (std::size_t w = 0; w < SmallRun::workers; ++w) small.set_series(Series::cpu, w, 0.25);
    REQUIRE(small.find("lock") != nullptr);
    CHECK(small.find("lock")->title == "4 threads on node1 used only 1 core");
    // Whose code it is in no sample says.
    CHECK_FALSE(has(small.find("lock")->evidence, "fill"));
  }
  SECTION("the same in workers of two threads that use one core") {
    small.draw_profile("root 100\n  process@analysis.py 100\n    isolate@analysis.py 100\n");
    for (std::size_t w = 0; w < SmallRun::workers; ++w) {
      small.set_series(Series::cores, w, 2);
      small.set_series(Series::executing, w, 2);
      small.set_series(Series::cpu, w, 1.1);
    }
    const auto* finding = small.find("interpreter-lock");
    REQUIRE(finding != nullptr);
    // Whose Python code holds the lock no sample says.
    CHECK_FALSE(has(finding->evidence, "isolate"));
    CHECK(small.find("oversubscribed") == nullptr);
  }
  SECTION("storage, whose time follows the bytes or does not") {
    small.draw_profile(R"(root 100
  process@analysis.py 100
    select@analysis.py 50
      array@/opt/lib/site-packages/uproot/behaviors/TBranch.py 50
        get@/usr/lib/python3.11/queue.py 50
    fill@analysis.py 50)");
    REQUIRE(small.find("waiting") != nullptr);
    CHECK(has(small.find("waiting")->evidence, "Latency or bandwidth: unknown"));
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i)
      small.run.chunks.bytes_read[i] = i % 3 == 0 ? 1.5e6 : 2.5e6;
    CHECK(has(small.find("waiting")->evidence, "possibly the latency of requests"));
    // Half a second to compute, the other half as the bytes have it.
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
      small.run.chunks.bytes_read[i] = i % 2 == 0 ? 1.5e6 : 2.5e6;
      small.stretch(i, 0.5 + small.run.chunks.bytes_read[i] / 4e6);
    }
    const auto* finding = small.find("bandwidth-limited");
    REQUIRE(finding != nullptr);
    CHECK(finding->selection.hosts == std::vector<std::string>{"a"});
    CHECK(small.find("waiting") == nullptr);
  }
}

TEST_CASE("A function is named only where most of the samples are certain") {
  const std::string drawn = R"(root 100
  process@analysis.py 100
    select@analysis.py 70
    fill@analysis.py 20
    sum@analysis.py 10)";
  SmallRun counted;
  counted.section("selection", 0.7);
  counted.draw_profile(drawn);
  const auto* known = counted.find("own-function");
  REQUIRE(known != nullptr);
  CHECK(known->title == "70 % of process() is in section selection");
  CHECK(has(known->evidence, "According to the profile, 70 % of process() is in select."));
  // 60 of 100 samples: which of two innermost functions they saw was not counted.
  SmallRun small;
  small.section("selection", 0.7);
  CallTree tree = test::drawn_tree(*small.run.names, R"(root 100
  process@analysis.py 100
    select@analysis.py 30
      numpy_sum@/lib/site-packages/numpy/core.py 30
    cut@analysis.py 0
    fill@analysis.py 0)");
  tree.kind = CallTree::Kind::worker;
  tree.worker = small.run.workers.address[0];
  small.run.call_trees.push_back(std::move(tree));
  const auto* finding = small.find("own-function");
  REQUIRE(finding != nullptr);
  CHECK(has(finding->evidence, "Which function takes most of the time is unknown."));
}

TEST_CASE("A function with more than any section has is named without the section") {
  const auto title_of = [](const std::string& drawn) {
    SmallRun small;
    small.section("mass", 0.3);
    small.draw_profile("root 100\n  process@analysis.py 100\n" + drawn);
    return small.find("own-function")->title;
  };
  CHECK(title_of("    unique@analysis.py 45") == "45 % of process() is in unique");
  // As much as the section has it may have in it, as far as samples tell.
  CHECK(title_of("    unique@analysis.py 32") == "30 % of process() is in section mass");
}

TEST_CASE("The largest function is reported after all causes, with what it would save") {
  SmallRun small;
  // Half of process() in a section, a fifth of the core-time where it is twice as fast.
  small.section("select", 0.5);
  small.section("fill", 0.3);
  small.draw_profile(R"(root 100
  process@analysis.py 100
    select@analysis.py 50
      cartesian@/opt/lib/site-packages/awkward/operations/ak_cartesian.py 40
    fill@analysis.py 30)");
  const auto* finding = small.find("own-function");
  REQUIRE(finding != nullptr);
  CHECK(finding->severity == Severity::low);
  CHECK(finding->title == "50 % of process() is in section select");
  CHECK(finding->core_seconds == Approx(78));
  CHECK(finding->gain_core_seconds == Approx(39).epsilon(0.05));
  CHECK(has(finding->evidence, "50 % of process() is in select, mostly by awkward's cartesian"));
  CHECK(has(finding->evidence,
            "40 % of the samples in process() are in ak.cartesian, most of it called by select"));
  // A cause that costs less comes before it.
  small.stretch(0, 12);
  REQUIRE(small.find("stragglers") != nullptr);
  CHECK(find_findings(small.run, {}).back().cause == FindingCause::own_function);
}

TEST_CASE("Calls of one kind are all named, and who makes most of them only where one does") {
  const auto evidence_of = [](const std::string& calls) {
    SmallRun small;
    small.draw_profile("root 100\n  process@analysis.py 100\n" + calls);
    return small.find("own-function")->evidence;
  };
  const std::string of_two = evidence_of(R"(    select@analysis.py 20
      cartesian@/opt/lib/site-packages/awkward/operations/ak_cartesian.py 10
    fill@analysis.py 40
      combinations@/opt/lib/site-packages/awkward/operations/ak_combinations.py 10)");
  CHECK(has(of_two, "20 % of the samples in process() are in ak."));
  CHECK(has(of_two, "ak.cartesian"));
  CHECK(has(of_two, "ak.combinations. Cuts before the pairing"));
  CHECK(!has(of_two, "most of it called by"));  // half each
}

TEST_CASE("What each chunk loads or compiles anew is a finding with what it costs") {
  SmallRun small;
  small.draw_profile(R"(root 100
  process@analysis.py 100
    select_lumis@analysis.py 20
      loads@/usr/lib/python3.12/json/__init__.py 18
        decode@/usr/lib/python3.12/json/decoder.py 18
    fit@analysis.py 30
    fill@analysis.py 50)");
  const auto* finding = small.find("needless-calls");
  REQUIRE(finding != nullptr);
  // 18 of 100 samples, of 156 core-s; where workers are not known nothing is spared.
  CHECK(finding->title == "28.1 core-s in json.loads, most of it called by select_lumis");
  CHECK(has(finding->evidence,
            "18 % of the samples in process() are there. What is the same for each chunk can be "
            "made once in a worker: by a function with functools.cache that gets nothing of the "
            "chunk."));
  // Once in each of four workers, and not in 156 chunks: all of it is told, that alone is saved.
  small.stream();
  finding = small.find("needless-calls");
  CHECK(finding->title == "28.1 core-s in json.loads, most of it called by select_lumis");
  CHECK(finding->core_seconds == Approx(28.08 * 152 / 156));
}

TEST_CASE(
    "Calls of libraries that documents call slow are findings where the analysis calls them") {
  SmallRun small;
  small.draw_profile(R"(root 100
  process@analysis.py 100
    note@analysis.py 20
      stack@/usr/lib/python3.12/inspect.py 20
        getsource@/usr/lib/python3.12/inspect.py 15
    collect@analysis.py 15
      append@/opt/lib/site-packages/numpy/lib/_function_base_impl.py 15
    ask@analysis.py 12
      entry_points@/usr/lib/python3.12/importlib/metadata/__init__.py 12
    draw@analysis.py 11
      savefig@/opt/lib/site-packages/matplotlib/figure.py 11
    fill@analysis.py 42
      append@analysis.py 40)");
  std::vector<std::string> titles;
  for (const auto& finding : test::worded_findings(small.run))
    if (finding.id == "needless-calls") titles.push_back(finding.title);
  REQUIRE(titles.size() == 4);  // a function of one's own is none, whatever its name
  CHECK(titles[0] == "31.2 core-s in inspect.stack, most of it called by note");
  CHECK(titles[1] == "23.4 core-s in np.append, most of it called by collect");
  CHECK(titles[2] == "18.7 core-s in importlib.metadata.entry_points, most of it called by ask");
  CHECK(titles[3] == "17.2 core-s in matplotlib's savefig, most of it called by draw");
}

TEST_CASE("Masked arrays are told whatever of numpy.ma the analysis calls") {
  SmallRun small;
  small.draw_profile(R"(root 100
  process@analysis.py 100
    recoil@analysis.py 60
      __mul__@/opt/lib/site-packages/numpy/ma/core.py 20
      __sub__@/opt/lib/site-packages/numpy/ma/core.py 15
    fill@analysis.py 40)");
  const auto* finding = small.find("own-function");
  REQUIRE(finding != nullptr);
  CHECK(has(finding->evidence,
            "35 % of the samples in process() are in numpy.ma, most of it called by recoil."));
}

TEST_CASE("A call of Python for each row has all that it calls back, lambdas and functions") {
  SmallRun small;
  small.draw_profile(R"(root 100
  process@analysis.py 100
    rank_rows@analysis.py 30
      apply@/opt/lib/site-packages/pandas/core/frame.py 28
        <lambda>@analysis.py 20
          __getitem__@/opt/lib/site-packages/pandas/core/series.py 12
    turn_on@analysis.py 20
      __call__@/opt/lib/site-packages/numpy/lib/_function_base_impl.py 20
        efficiency@analysis.py 15
    fill@analysis.py 50)");
  std::vector<std::string> titles;
  for (const auto& finding : test::worded_findings(small.run))
    if (finding.id == "needless-calls") titles.push_back(finding.title);
  REQUIRE(titles.size() == 2);
  CHECK(titles[0] == "43.7 core-s in pandas' apply, most of it called by rank_rows");
  CHECK(titles[1] == "31.2 core-s in np.vectorize.__call__, most of it called by turn_on");
}

TEST_CASE("What has no name is its function's, and two functions of one name are told apart") {
  SmallRun small;
  small.draw_profile(R"(root 100
  process@analysis.py 100
    run@recoil.py 45
      <genexpr>@recoil.py 30
    run@pairs.py 30
    fill@analysis.py 25)");
  const auto* finding = small.find("own-function");
  REQUIRE(finding != nullptr);
  CHECK(has(finding->title, "45 % of process() is in run (recoil.py:"));
  CHECK(has(finding->title, ", 30 % in run (pairs.py:"));
}

TEST_CASE("Functions of the analysis outside process() and in merging are named") {
  SmallRun small;
  small.activity("P", "executor", "seconds", 60);
  small.activity("reduce", "thread-cpu", "seconds", 40);
  // 100 samples are 152 core-s, so the 40 core-s of merging are some 26
  small.draw_profile(R"(root 170
  process@analysis.py 100
  from_root@/opt/lib/site-packages/coffea/nanoevents/factory.py 40
    parse_titles@schema.py 30
  accumulate@/opt/lib/site-packages/coffea/processor/accumulator.py 30
    merge_cells@tables.py 24)");
  REQUIRE(small.find("outside-process") != nullptr);
  CHECK(has(small.find("outside-process")->evidence,
            "75 % of the samples outside are in parse_titles."));
  REQUIRE(small.find("reduction") != nullptr);
  CHECK(
      has(small.find("reduction")->evidence, "80 % of the samples of merging are in merge_cells."));
  // most of 120 core-s was packing and sending, whose samples do not tell what for
  small.activity("reduce", "thread-cpu", "seconds", 80);
  REQUIRE(small.find("reduction") != nullptr);
  CHECK_FALSE(has(small.find("reduction")->evidence, "merge_cells"));
}

TEST_CASE("What compiles in each chunk is a finding, and in first chunks none") {
  SmallRun small;
  small.draw_profile(R"(root 100
  process@analysis.py 100
    lepton_energy@analysis.py 20
      _compile_for_args@/opt/lib/site-packages/numba/core/dispatcher.py 20
    fit@analysis.py 80)");
  small.stream();
  REQUIRE(small.find("needless-calls") != nullptr);
  CHECK(small.find("needless-calls")->title ==
        "31.2 core-s in numba's _compile_for_args, most of it called by lepton_energy");
  // Four of 156 chunks are the first of their workers.
  CHECK(small.find("needless-calls")->core_seconds == Approx(31.2 * 152 / 156));
  const auto lengthen_first = [&](double by) {
    for (std::uint32_t w = 0; w < SmallRun::workers; ++w) {
      Chunks& c = small.run.chunks;
      for (std::uint32_t i = 1; i < SmallRun::chunks_each; ++i) {
        c.t_start[w * SmallRun::chunks_each + i] += by;
        small.stretch(w * SmallRun::chunks_each + i, 1);
      }
      small.stretch(w * SmallRun::chunks_each,
                    small.run.chunks.duration[w * SmallRun::chunks_each] + by);
    }
    small.run.elapsed += by;
    small.run.tasks = {};
    small.stream();
  };
  // The first chunks take 12 core-s longer, of the fifth of 168 that compiles.
  lengthen_first(3);
  CHECK(small.find("needless-calls")->core_seconds == Approx(168 * 0.2 - 12));
  CHECK(has(small.find("needless-calls")->evidence,
            "If it is the same for each chunk, made once in each worker, it would cost 21.6 core-s "
            "less."));
  // And 44 core-s, more than the fifth of 200.
  lengthen_first(8);
  CHECK(small.find("first-chunks") != nullptr);
  CHECK(small.find("needless-calls") == nullptr);
}

TEST_CASE("A function most of whose time is in calls that are told is told with them alone") {
  const auto titles = [](double called) {
    SmallRun small;
    small.draw_profile(
        "root 100\n  process@analysis.py 100\n    sum_groups@analysis.py 60\n      "
        "apply@/opt/lib/site-packages/pandas/core/groupby/groupby.py " +
        std::to_string(static_cast<int>(called)) + "\n    fill@analysis.py 40");
    std::string all;
    for (const auto& finding : test::worded_findings(small.run)) all += finding.id + " ";
    return all;
  };
  CHECK(has(titles(25), "own-function"));
  CHECK(has(titles(25), "needless-calls"));
  CHECK_FALSE(has(titles(35), "own-function"));
  CHECK(has(titles(35), "needless-calls"));
}

TEST_CASE("A function that is a small part is no finding") {
  SmallRun small;
  small.section("select", 0.09);  // of process(), which has 97.5 % of the core-time
  small.section("fill", 0.09);
  small.draw_profile(R"(root 100
  process@analysis.py 100
    select@analysis.py 9
    fill@analysis.py 9)");
  CHECK(small.find("own-function") == nullptr);
  small.section("fill", 0.11);
  CHECK(small.find("own-function") != nullptr);
  small.stretch(0, 12);  // beside a finding that costs less
  CHECK(small.find("stragglers") != nullptr);
  CHECK(small.find("own-function") != nullptr);
  small.stretch(0, 40);  // and beside one that costs more only where it is a fifth
  CHECK(small.find("own-function") == nullptr);
}

TEST_CASE("A file that is compressed otherwise is reported where unpacking it takes time") {
  SmallRun small;
  spread_over_files(small, 4);
  for (const char* name : {"data_0", "data_1", "data_2", "data_3"}) {
    const std::size_t file =
        small.run.files.intern(small.id("/data/" + std::string(name) + ".root"));
    small.run.files.compression_ratio[file] = name == std::string("data_2") ? 0.31 : 0.46;
  }
  CHECK(small.find("codec") == nullptr);  // it takes no longer
  double more = 0;
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
    if (small.run.text(small.run.chunks.file[i]) != "/data/data_2.root") continue;
    small.stretch(i, 1.2);
    more += 0.2;
  }
  const auto* finding = small.find("codec");
  REQUIRE(finding != nullptr);
  CHECK(finding->title ==
        "data_2.root is compressed to 31 % of its size, the others of its dataset to 46 %");
  CHECK(finding->selection.files == std::vector<std::string>{"/data/data_2.root"});
  CHECK(finding->core_seconds == Approx(more));
}

TEST_CASE("What workers warned of is reported once") {
  SmallRun small;
  small.set_series(Series::memory, 2, 850e6);
  small.run.warnings.push_back({"paused", "Worker is at 82% memory usage. Pausing worker.", 3, 2});
  const auto* finding = small.find("memory-near-limit");
  REQUIRE(finding != nullptr);
  CHECK(finding->title == "2 workers paused for lack of memory");
  CHECK(has(finding->evidence, "3 times in the workers' logs"));
  CHECK(std::count_if(
            find_findings(small.run, {}).begin(), find_findings(small.run, {}).end(),
            [](const Finding& f) { return f.cause == FindingCause::memory_near_limit; }) == 1);
}

TEST_CASE("Workers that run different versions are found") {
  SmallRun small;
  CHECK(small.find("versions-differ") == nullptr);
  small.run.add_note("versions-differ", Severity::medium,
                     "workers run different versions: numpy: 2.3.1 on 1 worker, 2.4.6 on 3 workers",
                     "config.json");
  const auto* finding = small.find("versions-differ");
  REQUIRE(finding != nullptr);
  CHECK(has(finding->evidence, "numpy: 2.3.1 on 1 worker"));
}

TEST_CASE("Many small chunks are found from a fifth of fixed cost on") {
  SmallRun few, many;
  // 25 % outside process(): 39 chunks per core are too few to join them lightly.
  for (std::size_t i = 0; i < few.run.chunks.size(); ++i) few.stretch(i, 0.75);
  CHECK(few.find("small-chunks") == nullptr);
  many.run.chunks = Chunks();
  for (std::size_t i = 0; i < 4 * 160; ++i)
    many.add_chunk(0.5 + 0.24 * static_cast<double>(i % 160), 0.18, 2500, "data");
  REQUIRE(many.find("small-chunks") != nullptr);
}

TEST_CASE("CPU of the workers during a host's chunks and during the others, by hand") {
  // On each worker chunk k runs from k + 0.5 to k + 1.5 s: the ticks at k + 1 and k + 2 tell of it.
  // Every fourth one is slow, and workers use 0.2 of a core on average at the first of its ticks.
  SmallRun small;
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
    const bool slow = i % SmallRun::chunks_each % 4 == 0;
    small.run.chunks.file[i] = small.id(slow ? "root://b//f.root" : "root://a//f.root");
    if (slow) small.run.chunks.events[i] = 4000;
  }
  for (std::size_t w = 0; w < SmallRun::workers; ++w) {
    for (std::size_t tick = 0; tick < 40; ++tick)
      small.run.workers.of(Series::cpu, w).values[tick] = tick % 4 != 1 ? 0.9 : w < 2 ? 0.1 : 0.3;
  }
  REQUIRE(anomalies(small.run).size() == 1);
  const Anomaly& host = anomalies(small.run).front();
  CHECK(host.name == "b");
  CHECK(host.cpu == Approx((0.2 + 0.9) / 2));
  // Of 29 others on each worker, 9 end with a slow one's first tick.
  CHECK(host.cpu_elsewhere == Approx((20 * 0.9 + 9 * 0.55) / 29));
}

namespace {

/// The kinds of what is slow in a run, most core-time first.
std::vector<Anomaly::Kind> slow_kinds(SmallRun& small) {
  small.run.facts = {};
  std::vector<Anomaly::Kind> kinds;
  for (const Anomaly& anomaly : anomalies(small.run)) kinds.push_back(anomaly.kind);
  return kinds;
}

using Kinds = std::vector<Anomaly::Kind>;

/// What is slow where `chunks` chunks of one dataset and file take so many times as long.
Kinds slow_kinds(std::size_t chunks, double times, const std::string& dataset,
                 const std::string& file) {
  SmallRun small;
  spread_over_files(small, 4);
  for (std::size_t i = 0; i < chunks; ++i) {
    small.run.chunks.dataset[8 * i] = small.id(dataset);
    small.run.chunks.file[8 * i] = small.id(file);
    small.stretch(8 * i, times);
  }
  return slow_kinds(small);
}

}  // namespace

TEST_CASE("A file is slow from two chunks on, and from a fiftieth of the time in process()") {
  const auto of = [](std::size_t chunks, double times) {
    return slow_kinds(chunks, times, "data", "/data/slow.root");
  };
  CHECK(of(1, 6).empty());
  CHECK(of(2, 6) == Kinds{Anomaly::Kind::file});  // 10 of 166 s
  CHECK(of(3, 6) == Kinds{Anomaly::Kind::file});  // 15 of 171 s
  CHECK(of(3, 2).empty());                        // 3 of 159 s
  CHECK(of(4, 2) == Kinds{Anomaly::Kind::file});  // 4 of 160 s
}

TEST_CASE("A file of two small chunks, which take longer for each event, is not slow") {
  const auto of = [](double seconds, double events) {
    SmallRun small;
    small.run.chunks = {};
    for (std::size_t i = 0; i < 30; ++i)
      small.add_chunk(static_cast<double>(i), 1 + 0.02 * static_cast<double>(i % 7), 10000, "data",
                      "/data/" + std::to_string(i / 10));
    for (const double begin : {10.0, 20.0})
      small.add_chunk(begin, seconds, events, "data", "/data/small.root");
    return slow_kinds(small);
  };
  CHECK(of(6, 10000) == Kinds{Anomaly::Kind::file});
  CHECK(of(0.9, 1500).empty());  // likewise 6 times as long for each event
}

TEST_CASE("A dataset is slow from five chunks on, and from a twentieth of the time") {
  const auto of = [](std::size_t chunks, double times) {
    return slow_kinds(chunks, times, "qcd", "/data/qcd.root");
  };
  CHECK(of(4, 7).empty());
  CHECK(of(5, 7) == Kinds{Anomaly::Kind::dataset});  // 30 of 186 s
  CHECK(of(8, 4) == Kinds{Anomaly::Kind::dataset});  // 24 of 180 s
  CHECK(of(8, 2).empty());                           // 8 of 164 s
  CHECK(of(9, 2) == Kinds{Anomaly::Kind::dataset});  // 9 of 165 s
  // What may be meant to differ is asked about from half as long again on.
  CHECK(of(19, 1.45).empty());
  CHECK(of(19, 1.55) == Kinds{Anomaly::Kind::dataset});
}

TEST_CASE("A moment is slow from a tenth of the time on, and for three quarters of its chunks") {
  const auto of = [](std::size_t seconds, std::size_t workers) {
    SmallRun small;
    spread_over_files(small, 4);
    for (std::size_t w = 0; w < workers; ++w) {
      for (std::size_t i = 10; i < 10 + seconds; ++i)
        small.stretch(w * SmallRun::chunks_each + i, 2.5);
    }
    return slow_kinds(small);
  };
  CHECK(of(2, 4).empty());                          // 12 of 168 s
  CHECK(of(3, 4) == Kinds{Anomaly::Kind::moment});  // 18 of 174 s
  CHECK(of(8, 3) == Kinds{Anomaly::Kind::moment});
  CHECK(of(8, 2).empty());
}

TEST_CASE("The cores of a moment, and those at all other times") {
  SmallRun small;
  spread_over_files(small, 4);
  for (std::size_t w = 0; w < SmallRun::workers; ++w) {
    for (std::size_t i = 10; i < 17; ++i) small.stretch(w * SmallRun::chunks_each + i, 2.5);
    // From 10 s on, while nine ticks last, each worker has two threads.
    for (std::size_t tick = 10; tick < 19; ++tick)
      small.run.workers.of(Series::cores, w).values[tick] = 2;
  }
  REQUIRE(slow_kinds(small) == Kinds{Anomaly::Kind::moment});
  const Anomaly& moment = anomalies(small.run).front();
  CHECK(moment.begin == Approx(10.5));
  CHECK(moment.end == Approx(19));
  CHECK(moment.cores == Approx(8));
  // From the first chunk at 0.5 s to 40 s, but for 8.5 s: half a second of 8, the rest of 4.
  CHECK(moment.cores_elsewhere == Approx((0.5 * 8 + 30.5 * 4) / 31));
  CHECK(moment.has_more_cores());
}

TEST_CASE("At most eight slow groups are told of") {
  SmallRun small;
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
    const std::size_t file = i % 20;
    small.run.chunks.dataset[i] = small.id("data");
    small.run.chunks.file[i] = small.id("/data/" + std::to_string(file) + ".root");
    if (file < 9) small.stretch(i, 5 + static_cast<double>(file));
  }
  CHECK(slow_kinds(small) == Kinds(8, Anomaly::Kind::file));
}

TEST_CASE("A host needs another to be held against; each of its chunks counts in its dataset") {
  const auto of = [](std::size_t chunks) {
    SmallRun small;
    spread_over_files(small, 4);
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i)
      small.run.chunks.file[i] = small.id("root://near//" + std::to_string(i % 5) + ".root");
    for (std::size_t i = 0; i < chunks; ++i) {
      // Two chunks in each of its files, none of which is slower than the others.
      small.run.chunks.file[8 * i] = small.id("root://far//" + std::to_string(i / 2) + ".root");
      small.stretch(8 * i, 4);
    }
    return slow_kinds(small);
  };
  CHECK(of(7).empty());
  CHECK(of(8) == Kinds{Anomaly::Kind::host});
}

TEST_CASE("A worker is slow from two chunks on after its first: one that is slow has run few") {
  const auto of = [](std::size_t chunks) {
    SmallRun small;
    spread_over_files(small, 4);
    // The fifth worker takes three times as long; the others' chunks are as long as each other.
    const std::size_t worker = small.run.workers.intern(small.id("tcp://10.0.0.9:1000"));
    small.stream();
    for (std::size_t i = 0; i < chunks; ++i) {
      small.stretch(8 * i, 3);
      small.run.tasks.worker[8 * i] = small.run.workers.address[worker];
      small.run.tasks.t1[8 * i] += 2;
    }
    align::match_chunks(small.run);
    return slow_kinds(small);
  };
  CHECK(of(2).empty());
  CHECK(of(3) == Kinds{Anomaly::Kind::worker});
  CHECK(of(5) == Kinds{Anomaly::Kind::worker});
}

namespace {

/// Tasks of 158 core-s of which `waiting` are off the CPU, in code that computes.
void let_wait(SmallRun& small, double waiting) {
  small.set_activity("thread-cpu", 158 - waiting);
  small.set_activity("thread-noncpu", waiting);
}

constexpr const char* computing = "root 100\n  process@analysis.py 100\n    fill@analysis.py 100\n";

/// Half of the time off the CPU, and four threads of one host that each get so much of a core, at
/// even and at odd ticks.
void share_cores(SmallRun& small, double even, double odd) {
  let_wait(small, 79);
  small.draw_profile(computing);
  for (std::size_t w = 0; w < SmallRun::workers; ++w) {
    small.run.workers.host[w] = small.id("node1");
    for (std::size_t tick = 0; tick < 40; ++tick)
      small.run.workers.of(Series::cpu, w).values[tick] = tick % 2 == 0 ? even : odd;
  }
}

}  // namespace

TEST_CASE("Waiting is told from a quarter of the tasks' time on, and is grave from half on") {
  const auto severity = [](double waiting) {
    SmallRun small;
    let_wait(small, waiting);
    const auto* finding = small.find("waiting");
    return finding == nullptr ? std::optional<Severity>() : finding->severity;
  };
  CHECK_FALSE(severity(39).has_value());  // 24.7 %
  CHECK(severity(40) == Severity::medium);
  CHECK(severity(78) == Severity::medium);
  CHECK(severity(79) == Severity::high);
  SmallRun small;
  let_wait(small, 60);
  const auto* finding = small.find("waiting");
  REQUIRE(finding != nullptr);
  CHECK(finding->core_seconds == 60);
  CHECK(finding->rank == Approx(60 - 158.0 / 4));
  const auto& evidence = *finding->Finding::evidence.as<WaitingTasks>();
  CHECK(evidence.what == WaitingTasks::For::unknown);
  CHECK(evidence.share == Approx(60.0 / 158));
  CHECK(evidence.waited == 60);
  CHECK(evidence.on_cpu == 98);
}

TEST_CASE("Threads share cores where each steadily gets three quarters of one or less") {
  const auto is_found = [](double even, double odd) {
    SmallRun small;
    share_cores(small, even, odd);
    return small.find("oversubscribed") != nullptr;
  };
  CHECK(is_found(0.75, 0.75));
  CHECK_FALSE(is_found(0.76, 0.76));
  // The quartiles of what comes and goes lie more than a fifth of the median apart.
  CHECK(is_found(0.46, 0.54));
  CHECK_FALSE(is_found(0.44, 0.56));
}

TEST_CASE("A worker of two threads that uses one core waits for the interpreter's lock") {
  const auto found = [](double cores) -> std::pair<std::string, std::size_t> {
    SmallRun small;
    let_wait(small, 79);
    small.draw_profile(computing);
    for (std::size_t w = 0; w < SmallRun::workers; ++w) {
      small.set_series(Series::cores, w, 2);
      small.set_series(Series::executing, w, 2);
      small.set_series(Series::cpu, w, cores);
    }
    for (const char* cause : {"interpreter-lock", "oversubscribed"}) {
      if (const auto* finding = small.find(cause)) return {cause, finding->open.size()};
    }
    return {"", 0};
  };
  // From three quarters of a core to one and a half; up to about one, it may be all there is.
  CHECK(found(0.74) == std::pair<std::string, std::size_t>{"oversubscribed", 0});
  CHECK(found(0.75) == std::pair<std::string, std::size_t>{"interpreter-lock", 1});
  CHECK(found(1.05) == std::pair<std::string, std::size_t>{"interpreter-lock", 1});
  CHECK(found(1.06) == std::pair<std::string, std::size_t>{"interpreter-lock", 0});
  CHECK(found(1.5) == std::pair<std::string, std::size_t>{"interpreter-lock", 0});
  CHECK(found(1.52).first.empty());
}

TEST_CASE("Tasks that only merge tell whether cores are shared, from 50 ms of them on") {
  const auto found = [](double on_cpu, double off_cpu) -> std::string {
    SmallRun small;
    share_cores(small, 0.25, 0.25);  // four threads use one core: one at a time, or a quarter each
    small.activity("reduce", "thread-cpu", "seconds", on_cpu);
    small.activity("reduce", "thread-noncpu", "seconds", off_cpu);
    for (const char* cause : {"lock", "oversubscribed"}) {
      if (small.find(cause) != nullptr) return cause;
    }
    return "";
  };
  CHECK(found(0.04, 0.005) == "oversubscribed");  // too short to tell
  CHECK(found(0.05, 0.005) == "lock");            // they have cores
  CHECK(found(0.76, 0.24) == "lock");
  CHECK(found(0.75, 0.25) == "oversubscribed");  // off the CPU for a quarter, as the others are
}

TEST_CASE("A lock that frames name is told from a twentieth of the tasks' time on") {
  const auto severity = [](int samples) {
    SmallRun small;
    let_wait(small, 79);
    const std::string locked = std::to_string(samples);
    small.draw_profile("root 100\n  process@analysis.py 100\n    guarded@analysis.py " + locked +
                       "\n      acquire@/opt/lib/site-packages/distributed/lock.py " + locked +
                       "\n        wait@/usr/lib/python3.11/threading.py " + locked +
                       "\n    fill@analysis.py " + std::to_string(100 - samples));
    const auto* finding = small.find("lock");
    return finding == nullptr ? std::optional<Severity>() : finding->severity;
  };
  CHECK_FALSE(severity(4).has_value());
  CHECK(severity(5) == Severity::medium);
  CHECK(severity(24) == Severity::medium);
  CHECK(severity(25) == Severity::high);
}

TEST_CASE("Whether slow chunks wait, compute or lack a CPU: each limit from both sides") {
  // Twice as long: were all of it waiting, a CPU would be busy for 40 % and not 80 %. Half of that
  // is most: 60 %.
  const auto slow = [](double cpu, double error = absent) {
    return Anomaly{.factor = 2, .cpu = cpu, .cpu_elsewhere = 0.8, .cpu_error = error};
  };
  CHECK(slow(0.59).waits());
  CHECK_FALSE(slow(0.61).waits());
  CHECK(slow(0.61).computes());
  CHECK_FALSE(slow(0.59).computes());
  // Beyond two errors of their difference.
  CHECK(slow(0.5, 0.149).waits());
  CHECK_FALSE(slow(0.5, 0.151).waits());
  CHECK(slow(0.7, 0.049).computes());
  CHECK_FALSE(slow(0.7, 0.051).computes());
  CHECK_FALSE(slow(absent).waits());
  CHECK_FALSE(slow(absent).computes());
  // 0.4 less on a CPU: half of it, 0.2, is most.
  const auto with = [&](double beside, double for_cpu) {
    Anomaly one = slow(0.4);
    one.beside = beside, one.beside_elsewhere = 0.1;
    one.for_cpu = for_cpu, one.for_cpu_elsewhere = 0.1;
    return one;
  };
  CHECK(with(0.31, 0).computes_beside());
  CHECK_FALSE(with(0.31, 0).waits());
  CHECK_FALSE(with(0.29, 0).computes_beside());
  CHECK(with(0.29, 0).waits());
  CHECK(with(0.1, 0.31).lacks_cpu());
  CHECK_FALSE(with(0.1, 0.29).lacks_cpu());
  CHECK_FALSE(with(0.31, 0.31).lacks_cpu());
  // A quarter more cores are another size of the cluster.
  CHECK(Anomaly{.cores = 5, .cores_elsewhere = 4}.has_more_cores());
  CHECK_FALSE(Anomaly{.cores = 4.9, .cores_elsewhere = 4}.has_more_cores());
  CHECK(Anomaly{.reading = 0.5}.reads());
  CHECK_FALSE(Anomaly{.reading = 0.49}.reads());
  CHECK(Anomaly{.ranges = 2.1, .ranges_elsewhere = 1}.asks_for_more());
  CHECK_FALSE(Anomaly{.ranges = 2, .ranges_elsewhere = 1}.asks_for_more());
}

TEST_CASE(
    "How grave a slow group is: what may be meant is low, storage is medium, else its share") {
  const auto of_host = [] {
    SmallRun small;
    spread_over_files(small, 4);
    for (std::size_t i = 0; i < 40; ++i) {
      small.run.chunks.file[i] = small.id("root://b.example//f.root");
      small.stretch(i, 3);
    }
    return small.find("slow-host")->severity;
  };
  CHECK(of_host() == Severity::medium);
  const auto of_file = [](double times) {
    SmallRun small;
    spread_over_files(small, 4);
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i)
      if (small.run.text(small.run.chunks.file[i]) == "/data/ttbar_1.root") small.stretch(i, times);
    return small.find("slow-file")->severity;
  };
  CHECK(of_file(1.7) == Severity::low);     // 20 chunks: 14 of 160 core-s
  CHECK(of_file(1.9) == Severity::medium);  // 18
  SmallRun dataset;
  for (std::size_t i = 0; i < dataset.run.chunks.size(); ++i)
    if (dataset.run.text(dataset.run.chunks.dataset[i]) == "ttbar") dataset.stretch(i, 4);
  REQUIRE(dataset.find("slow-dataset") != nullptr);
  CHECK(dataset.find("slow-dataset")->severity == Severity::low);
  // A moment with twice the threads is slow by them.
  const auto of_moment = [](double threads) {
    SmallRun small;
    spread_over_files(small, 4);
    for (std::size_t w = 0; w < SmallRun::workers; ++w) {
      for (std::size_t i = 10; i < 17; ++i) small.stretch(w * SmallRun::chunks_each + i, 2.5);
      for (std::size_t tick = 10; tick < 19; ++tick)
        small.run.workers.of(Series::cores, w).values[tick] = threads;
    }
    return small.find("slow-moment")->severity;
  };
  CHECK(of_moment(2) == Severity::low);
  CHECK(of_moment(1) == Severity::medium);
}

TEST_CASE("Anomalies are looked for in twenty chunks") {
  const auto of = [](std::size_t chunks) {
    SmallRun small;
    small.run.chunks = Chunks();
    for (std::size_t i = 0; i < chunks; ++i)
      small.add_chunk(0.5 + static_cast<double>(i), i % 4 == 0 ? 8 : 1, 10000, "data",
                      "/data/" + std::to_string(i % 4) + ".root");
    return slow_kinds(small);
  };
  CHECK(of(20) == Kinds{Anomaly::Kind::file});
  CHECK(of(19).empty());
}

TEST_CASE("Workers that left: five of them are named, and a tenth of all is more than a few") {
  const auto found = [](std::size_t all, std::size_t gone) {
    SmallRun small;
    while (small.run.workers.size() < all) {
      const std::size_t worker = small.run.workers.intern(
          small.id("tcp://10.0.1." + std::to_string(small.run.workers.size())));
      for (std::size_t tick = 0; tick < 40; ++tick)
        small.run.workers.of(Series::memory, worker).set(tick, 5e8);
    }
    for (auto& series : small.run.workers.series)
      for (std::size_t w = 0; w < gone; ++w)
        if (!series[w].empty()) series[w].values.resize(20);
    const auto* finding = small.find("workers-lost");
    REQUIRE(finding != nullptr);
    const auto& left = *finding->Finding::evidence.as<WorkersThatLeft>();
    CHECK(left.count == static_cast<double>(gone));
    CHECK(left.seen == static_cast<double>(all));
    CHECK(left.named.front().last_seen == 19);
    return std::pair(*finding->severity, left.named.size());
  };
  CHECK(found(10, 1) == std::pair(Severity::medium, std::size_t{1}));
  CHECK(found(11, 1) == std::pair(Severity::low, std::size_t{1}));
  CHECK(found(11, 5).second == 5);
  CHECK(found(11, 6).second == 5);
}

TEST_CASE("A worker's memory is held against its limit of the same moment") {
  // A worker that came at 10 s, whose limit then was 1 GB, and 2 GB at the end.
  const auto share = [](std::size_t tick) {
    SmallRun small;
    for (const Series which : {Series::memory, Series::memory_limit}) {
      TickSeries& series = small.run.workers.of(which, 2);
      series.values.erase(series.values.begin(), series.values.begin() + 10);
      series.first_tick = 10;
    }
    small.run.workers.of(Series::memory_limit, 2).set(39, 2000e6);
    small.run.workers.of(Series::memory, 2).set(tick, 900e6);
    const auto* finding = small.find("memory-near-limit");
    return finding == nullptr ? absent : finding->Finding::evidence.as<NearMemoryLimit>()->share;
  };
  CHECK(share(38) == Approx(0.9));
  CHECK(share(10) == Approx(0.9));
  CHECK(is_absent(share(39)));  // 45 %
  // From 80 % on Dask pauses a worker, from 95 % on its nanny ends it.
  const auto severity = [](double bytes) {
    SmallRun small;
    small.run.workers.of(Series::memory, 1).set(5, bytes);
    const auto* finding = small.find("memory-near-limit");
    return finding == nullptr ? std::optional<Severity>() : finding->severity;
  };
  CHECK_FALSE(severity(799e6).has_value());
  CHECK(severity(800e6) == Severity::medium);
  CHECK(severity(949e6) == Severity::medium);
  CHECK(severity(950e6) == Severity::high);
}

TEST_CASE(
    "Workers that come late: more than 3 s after the first, and a twentieth of the core-time") {
  const auto found = [](std::size_t tick, std::size_t workers) {
    SmallRun small;
    for (std::size_t w = 0; w < workers; ++w) {
      for (auto& series : small.run.workers.series) {
        if (series[w].empty()) continue;
        series[w].values.erase(series[w].values.begin(),
                               series[w].values.begin() + static_cast<std::ptrdiff_t>(tick));
        series[w].first_tick = static_cast<std::uint32_t>(tick);
      }
    }
    const auto* finding = small.find("late-workers");
    return finding == nullptr ? absent : finding->core_seconds;
  };
  CHECK(is_absent(found(3, 3)));
  CHECK(found(4, 3) == Approx(12));  // of 160 - 12 core-s
  CHECK(is_absent(found(7, 1)));     // 7 of 153 are 4.6 %
  CHECK(found(8, 1) == Approx(8));   // 8 of 152 are 5.3 %
  CHECK(is_absent(found(10, 4)));    // all came then: the first of them late for none
}

TEST_CASE("A second host: the one whose threads get least of a core is told of") {
  const auto told = [](double first, double second) {
    SmallRun small;
    let_wait(small, 79);
    small.draw_profile(computing);
    for (std::size_t w = 0; w < SmallRun::workers; ++w) {
      small.run.workers.host[w] = small.id(w < 2 ? "node1" : "node2");
      small.set_series(Series::cpu, w, w < 2 ? first : second);
    }
    const auto* finding = small.find("oversubscribed");
    return finding == nullptr ? "" : finding->Finding::evidence.as<CpuContention>()->host;
  };
  CHECK(told(0.5, 0.6) == "node1");
  CHECK(told(0.6, 0.5) == "node2");
}

TEST_CASE("Which workers have several threads is told by most: by more than half of them") {
  const auto found = [](std::size_t with_two) -> std::string {
    SmallRun small;
    let_wait(small, 79);
    small.draw_profile(computing);
    for (std::size_t w = 0; w < SmallRun::workers; ++w) {
      small.run.workers.host[w] = small.id("node1");
      const double threads = w < with_two ? 2 : 1;
      small.set_series(Series::cores, w, threads);
      small.set_series(Series::executing, w, threads);
      small.set_series(Series::cpu, w, 0.8);
    }
    for (const char* cause : {"interpreter-lock", "oversubscribed"})
      if (small.find(cause) != nullptr) return cause;
    return "";
  };
  CHECK(found(3) == "interpreter-lock");
  CHECK(found(2) == "oversubscribed");
}

TEST_CASE("Whether a host has CPUs to give: three quarters busy, or all but a twentieth") {
  const auto found = [](double busy, double usable) -> std::string {
    SmallRun small;
    share_cores(small, 0.5, 0.5);
    small.run.workers.machine[0] = {8, 4, usable, busy, 0.5};
    for (const char* cause : {"oversubscribed", "waiting", "lock"})
      if (small.find(cause) != nullptr) return cause;
    return "";
  };
  CHECK(found(5.9, 8) == "waiting");         // CPUs idle: they are not what the threads wait for
  CHECK(found(6, 8) == "oversubscribed");    // whether they have what they want is not known
  CHECK(found(6.1, 3) == "oversubscribed");  // four threads on three
}

TEST_CASE("How much of a core threads get is known from three ticks on at which all ran tasks") {
  const auto is_found = [](std::size_t ticks) {
    SmallRun small;
    share_cores(small, 0.5, 0.5);
    for (std::size_t w = 0; w < SmallRun::workers; ++w)
      for (std::size_t tick = ticks; tick < 40; ++tick)
        small.run.workers.of(Series::executing, w).values[tick] = 0;
    return small.find("oversubscribed") != nullptr;
  };
  CHECK(is_found(3));
  CHECK_FALSE(is_found(2));
}

TEST_CASE("A section is slow in a dataset of six chunks that agree, and of two that is chance") {
  const auto of = [](std::size_t chunks) {
    SmallRun small;
    spread_over_files(small, 4);
    for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i) {
      const bool is_slow = i % 8 == 0 && i / 8 < chunks;
      if (is_slow) {
        small.run.chunks.dataset[i] = small.id("qcd");
        small.run.chunks.file[i] = small.id("/data/qcd" + std::to_string(i / 8 % 2) + ".root");
        small.stretch(i, 4);
      }
      for (const auto& [name, seconds] :
           {std::pair("clean", is_slow ? 3.2 : 0.2), std::pair("fill", 0.8)})
        small.run.chunks.sections.push_back(
            {i, small.id(name), SectionValue::Kind::seconds, seconds});
    }
    return slow_kinds(small);
  };
  CHECK(of(8) == Kinds{Anomaly::Kind::section});
  CHECK(of(6) == Kinds{Anomaly::Kind::section});
  CHECK(of(2) == Kinds{});
}

TEST_CASE("A lock that no frame shows is told of two threads that use one core, not of one") {
  const auto is_found = [](std::size_t threads) {
    SmallRun small;
    share_cores(small, 1.0 / static_cast<double>(threads), 1.0 / static_cast<double>(threads));
    small.activity("reduce", "thread-cpu", "seconds", 1);  // there are cores
    for (std::size_t w = threads; w < SmallRun::workers; ++w)
      small.set_series(Series::executing, w, 0);
    return small.find("lock") != nullptr;
  };
  CHECK(is_found(2));
  CHECK(is_found(3));
  CHECK_FALSE(is_found(1));
}

TEST_CASE("A late start is as grave as its cores, or as half of its part of the elapsed time") {
  const auto severity = [](std::size_t without_cores) {
    SmallRun small;
    small.start_late();  // the first chunk begins after 10.5 s, of 50
    for (std::size_t worker = 0; worker < SmallRun::workers; ++worker)
      for (std::size_t tick = 0; tick < without_cores; ++tick)
        small.run.workers.of(Series::cores, worker).set(tick, 0);
    const auto* finding = small.find("start-up");
    return finding == nullptr ? std::optional<Severity>() : finding->severity;
  };
  CHECK(severity(0) == Severity::medium);  // 42 of 200 core-s
  CHECK(severity(9) == Severity::medium);  // 6 of 164, and 10.5 of 50 s
}
