// Findings about time outside process(): opening files, importing, tasks that are held up.
#include <cstdint>

#include "catch.hpp"
#include "core/report/answer_text.hpp"
#include "tests/core/recorded_run.hpp"

using namespace crema;
using recorded_columns::Branch;
using recorded_columns::Call;
using test::add;
using test::has;
using test::MachineRow;
using test::set_rows;
using test::SmallRun;
using test::Task;
using test::Values;

TEST_CASE("Most of the time outside process() is named where the rows tell it") {
  const auto title = [](const diagnose::OutsideProcess& evidence) {
    return report::text_of(diagnose::Finding{.cause = diagnose::FindingCause::outside_process,
                                             .evidence = evidence})
        .title;
  };
  diagnose::OutsideProcess each{.share = 0.3,
                                .outside = 0.5,
                                .inside = 1,
                                .opening = 0.05,
                                .unpacking = 0,
                                .packing = 0.2,
                                .other = 0.25};
  const std::string plain = "30 % of the processor tasks' time was outside process()";
  CHECK(title(each) == plain);
  each.packing = 0.3;
  CHECK(title(each) == plain + ", most of it packing results");
  each.packing = absent;
  each.opening = 0.3;
  CHECK(title(each) == plain + ", most of it opening files and building events");
  each.opening = 0.05;
  each.unpacking = 0.26;
  CHECK(title(each) == plain + ", most of it unpacking the processor");
}

TEST_CASE(
    "What a thread begins while another of its process imports is held up by no other thing") {
  // Of two workers the second task is outside process() for 6.1 s. The first, which began 1 s
  // before, is so for 6.1 s or 0.1 s.
  const auto set = [](double first) {
    SmallRun small;
    small.activity("P", "executor", "seconds", 60);
    set_rows(small, [&](std::uint32_t i) {
      const double outside = i % 39 > 1 || i >= 78 ? 0.1 : i % 39 == 0 ? first : 6.1;
      return Values{{Task::address, small.id("worker " + std::to_string(i / 39))},
                    {Task::wall, 1 + outside},
                    {Task::process_wall, 1}};
    });
    return small.find("held-up") != nullptr;
  };
  CHECK(set(0.1));
  CHECK_FALSE(set(6.1));
}

TEST_CASE("Few tasks that storage holds up are no cost of each chunk") {
  SmallRun small;
  small.activity("P", "executor", "seconds", 60);
  add(small.run.recording.machine, {{MachineRow::lag, 0}});
  // Two tasks, no first of a worker's, are outside process() for 6.1 s, all others for 0.1 s.
  const auto set = [&](double waited, std::uint32_t other = 45) {
    set_rows(small, [&](std::uint32_t i) {
      const double outside = i == 5 || i == other ? 6.1 : 0.1;
      return Values{{Task::address, small.id("worker " + std::to_string(i / 39))},
                    {Task::wall, 1 + outside},
                    {Task::process_wall, 1},
                    {Task::request_wait, outside > 1 ? waited : 0}};
    });
    return small.find("held-up");
  };
  REQUIRE(set(6) != nullptr);
  CHECK(set(6)->title == "2 chunks spent up to 6.1 s outside process(), others 100 ms");
  CHECK(set(6)->core_seconds == Approx(12));
  CHECK(has(set(6)->evidence,
            "between 5.5 s and 13.6 s. In all, process() included, they waited for requests of "
            "input for 12 s; what else held them up is unknown."));
  CHECK(set(6, 70) == nullptr);  // 25 s later: it was no moment
}

TEST_CASE("What each process imports before its first chunk is no cost of each chunk") {
  SmallRun small;
  small.activity("P", "executor", "seconds", 80);
  add(small.run.recording.machine, {{MachineRow::lag, 0}});
  // 82 of 238 core-s are outside process(): 20 s in the first task of each of four workers, or 0.5
  // in each of all.
  const auto set = [&](bool of_first) {
    set_rows(small, [&](std::uint32_t i) {
      const bool is_first = i % SmallRun::chunks_each == 0;
      const double outside = of_first ? (is_first ? 20 : 0.01) : 0.525;
      return Values{{Task::address, small.run.workers.address[i / SmallRun::chunks_each]},
                    {Task::wall, 1 + outside},
                    {Task::process_wall, 1}};
    });
    return small.find("small-chunks") != nullptr;
  };
  CHECK(set(false));
  CHECK_FALSE(set(true));
}

TEST_CASE(
    "What the first task of a process imports is none of each task's time outside process()") {
  // Tasks of 1 s, of which 0.3 s are outside process(); the first of each process imports for 3 s.
  const auto tell = [](double usually) {
    SmallRun small;
    small.set_activity("thread-cpu", 158);
    set_rows(small, [&](std::size_t i) {
      const bool is_first = i % SmallRun::chunks_each == 0;
      const double unpack = is_first ? 3 : usually;
      return Values{{Task::address, small.run.workers.address[i / SmallRun::chunks_each]},
                    {Task::wall, 0.7 + unpack},
                    {Task::process_wall, 0.7},
                    {Task::open_wall, 0},
                    {Task::serialise_wall, 0},
                    {Task::unpack_wall, unpack}};
    });
    const diagnose::HeldUp held(small.run);
    CHECK(held.by_first == Approx(SmallRun::workers * (3 - usually)));
    CHECK(held.usual == Approx(usually));
    return std::count(held.is_first.begin(), held.is_first.end(), true);
  };
  CHECK(tell(0) == SmallRun::workers);
  CHECK(tell(0.3) == SmallRun::workers);
}

TEST_CASE(
    "Few openings of a file are slow where all others are far from that; datasets may be two") {
  const auto find = [](double second_opening, double other_dataset) {
    SmallRun small;
    set_rows(small, [&](std::size_t i) {
      const bool is_slow = i == 5 || i == 50;
      const bool is_mc = i % 4 == 1 && !is_slow;
      small.run.chunks.file[i] = small.id(is_slow ? "/slow.root" : is_mc ? "/mc.root" : "/f.root");
      small.run.chunks.dataset[i] = small.id("data");
      return Values{{Task::file, small.run.chunks.file[i]},
                    {Task::open_wall, i == 5    ? 30
                                      : is_slow ? second_opening
                                      : is_mc   ? other_dataset
                                                : 0.02}};
    });
    const auto* finding = small.find("slow-opening");
    return finding == nullptr ? "" : finding->title;
  };
  CHECK(find(30, 0.02) == "slow.root took 30 s to open, others 20 ms");
  CHECK(find(0.02, 0.02).empty());  // one of its two
  CHECK(has(find(30, 1), "slow.root and mc.root took 1 s to open, others 20 ms"));
}

TEST_CASE("Files of one dataset that take far longer to open than others are a cause") {
  SmallRun small;
  // 76 chunks of ttbar open for 0.3 s, those of data for 0.02 s: 76 · 0.28 core-s more.
  const auto set = [&](double of_ttbar, double on_cpu, std::size_t every = 1) {
    std::size_t number = 0;
    set_rows(small, [&](std::size_t i) {
      const bool is_ttbar = small.run.chunks.dataset[i] == small.id("ttbar");
      const bool is_slow = is_ttbar && number++ % every == 0;
      small.run.chunks.file[i] = small.id(is_ttbar ? "root://a//tt.root" : "root://a//data.root");
      return Values{{Task::file, small.run.chunks.file[i]},
                    {Task::process_wall, 0.6},
                    {Task::open_wall, is_slow ? of_ttbar : 0.02},
                    {Task::open_cpu, (is_slow ? of_ttbar : 0.02) * on_cpu}};
    });
    return small.find("slow-opening");
  };
  REQUIRE(set(0.3, 0.9) != nullptr);
  CHECK(small.find("slow-opening")->title == "Files of ttbar took 300 ms to open, others 20 ms");
  CHECK(small.find("slow-opening")->core_seconds == Approx(76 * 0.28));
  CHECK(small.find("slow-opening")->selection.datasets == std::vector<std::string>{"ttbar"});
  CHECK(has(small.find("slow-opening")->evidence, "Tasks computed for 90 % of the time."));
  CHECK(has(set(0.3, 0.1)->evidence, "Tasks waited for 90 % of the time."));
  CHECK(set(0.05, 0.9) == nullptr);    // not three times as long
  CHECK(set(0.3, 0.9, 2) == nullptr);  // half of its chunks only: not the dataset's

  // What process() opens beside, after 0.02 s in which the events' file was, is another file.
  set(0.3, 0.9);
  small.run.recording.tasks.of(Task::open_begin) = std::vector<double>(156, 1);
  small.run.recording.tasks.of(Task::process_begin) = std::vector<double>(156, 1.02);
  CHECK(small.find("slow-opening") == nullptr);

  // Three of its four files: 57 of its 76 chunks, each opened once ahead as well.
  std::size_t number = 0;
  set_rows(small, [&](std::size_t i) {
    const bool is_ttbar = small.run.chunks.dataset[i] == small.id("ttbar");
    const std::string file = is_ttbar ? "tt" + std::to_string(number++ % 4) : "data";
    small.run.chunks.file[i] = small.id("/" + file + ".root");
    return Values{{Task::file, small.run.chunks.file[i]},
                  {Task::open_wall, is_ttbar && file != "tt3" ? 0.3 : 0.02}};
  });
  CHECK(small.find("slow-opening")->title ==
        "tt0.root, tt1.root and tt2.root took 300 ms to open, others 20 ms");
  CHECK(small.find("slow-opening")->core_seconds == Approx(57 * 0.28));
}

TEST_CASE("Small files are those of at most half a chunk, where others have several chunks") {
  SmallRun small;
  Chunks& c = small.run.chunks;
  for (std::size_t i = 0; i < c.size(); ++i) {
    const bool is_small = i < 100;
    c.file[i] =
        small.id(is_small ? "/data/small_" + std::to_string(i) + ".root" : "/data/large.root");
    c.events[i] = is_small ? 400 : 10000;
    small.stretch(i, is_small ? 0.5 : 1);
  }
  set_rows(small, [](std::uint32_t i) { return Values{{Task::open_wall, i < 100 ? 0.2 : 0.02}}; });
  const auto* finding = small.find("small-files");
  REQUIRE(finding != nullptr);
  CHECK(finding->title == "100 files of 400 events each: opening them took 20 core-s");
  // Chunks of one size that each are a file: what others need is not known.
  for (std::size_t i = 100; i < c.size(); ++i)
    c.file[i] = small.id("/data/other_" + std::to_string(i) + ".root");
  for (double& events : c.events) events = 400;
  CHECK(has(small.find("small-files")->title, "156 files of 400 events each"));
  // Half of a chunk is small, more is not.
  for (std::size_t i = 100; i < c.size(); ++i) c.file[i] = small.id("/data/large.root");
  for (std::size_t i = 100; i < c.size(); ++i) c.events[i] = 790;
  CHECK(small.find("small-files") == nullptr);
}

TEST_CASE("Time outside process() is for opening files as far as rows tell") {
  SmallRun small;
  small.set_activity("thread-cpu", 100);
  small.activity("automatic_retries", "thread-cpu", "seconds", 16);
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) small.stretch(i, 0.25);
  set_rows(small, [](std::size_t) { return Values{{Task::open_wall, 0.01}}; });
  // Tasks of 108 core-s with 39 in process(): 15.6 of the rest are usual, 1.56 opened files.
  CHECK(small.find("pre-processing")->core_seconds == Approx(16));
  REQUIRE(small.find("outside-process") != nullptr);
  CHECK(small.find("outside-process")->core_seconds == Approx(108 - 39 - 15.6));
  CHECK(has(small.find("outside-process")->evidence, "files are opened, events built"));
  CHECK(small.find("small-chunks") != nullptr);

  // 442 ms of a task, of which 120 are known; and a fixed cost of which most is not is no matter
  // of the chunks' size.
  set_rows(small, [](std::size_t) {
    return Values{{Task::open_wall, 0.06}, {Task::unpack_wall, 0.02}, {Task::serialise_wall, 0.04}};
  });
  CHECK(
      has(small.find("outside-process")->evidence,
          "Opening the file and building events took 60 ms, unpacking the processor 20 ms, packing "
          "the result 40 ms: none of these was running for 322 ms; counted is what is beyond 0.1 s "
          "a task."));
  CHECK(small.find("small-chunks") == nullptr);
  // Half of it and more is opening files, or packing results, which may grow with the events.
  for (const bool is_opening : {true, false}) {
    set_rows(small, [&](std::size_t) {
      return Values{{Task::open_wall, is_opening ? 0.3 : 0.06},
                    {Task::unpack_wall, 0.02},
                    {Task::serialise_wall, is_opening ? 0.04 : 0.28}};
    });
    CHECK((small.find("small-chunks") != nullptr) == is_opening);
  }

  // Files of one dataset that are slow to open are that, and chunks are not too small for it.
  set_rows(small, [&](std::size_t i) {
    const bool is_slow = small.run.chunks.dataset[i] == small.id("ttbar");
    return Values{{Task::open_wall, is_slow ? 0.85 : 0.02}, {Task::open_cpu, 0.01}};
  });
  CHECK(small.find("slow-opening") != nullptr);
  CHECK(small.find("small-chunks") == nullptr);

  // The same where each task has a process of its own, of which 100 ms went into its start.
  set_rows(small, [](std::size_t) {
    return Values{{Task::start_wall, 0.1},
                  {Task::open_wall, 0.06},
                  {Task::unpack_wall, 0.02},
                  {Task::serialise_wall, 0.04}};
  });
  CHECK(has(small.find("outside-process")->evidence,
            "Starting Python took 100 ms, opening the file and building events took 60 ms, "
            "unpacking the processor 20 ms, packing the result 40 ms: none of these was running "
            "for 222 ms"));
}

TEST_CASE("What no row names outside process() counts from its first second on") {
  SmallRun small;
  const auto find = [&](double opening) {
    small.set_activity("thread-cpu", 152.7);  // and 8 off it: 20.3 core-s beside 140.4 in process()
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
      small.run.chunks.t_end[i] = small.run.chunks.t_start[i] + 0.9;
      small.run.chunks.duration[i] = 0.9;
    }
    set_rows(small, [&](std::size_t) {
      return Values{{Task::process_wall, 0.9},
                    {Task::open_wall, opening},
                    {Task::unpack_wall, 0},
                    {Task::serialise_wall, 0}};
    });
    return small.find("outside-process");
  };
  REQUIRE(find(0) != nullptr);
  CHECK(find(0)->core_seconds == Approx(20.3 - 156 * 0.02));
  CHECK(has(find(0)->evidence,
            "none of these was running for 130 ms; counted is that beyond 20 ms a task."));
  CHECK(find(0.05) == nullptr);  // less than a tenth
}

TEST_CASE("Chunks that read ahead while they open a file are not told to be small") {
  SmallRun small;
  small.set_activity("thread-cpu", 100);
  for (std::size_t i = 0; i < small.run.chunks.size(); ++i) small.stretch(i, 0.25);
  const auto is_found = [&](double ahead) {
    set_rows(small, [](std::size_t) {
      return Values{{Task::open_wall, 0.3}, {Task::unpack_wall, 0}, {Task::serialise_wall, 0.04}};
    });
    RecordedTables& rows = small.run.recording;
    add(rows.tasks, {{Task::kind, small.id("file")}, {Task::wall, ahead}});
    rows.chunk.push_back(no_row);
    return small.find("small-chunks") != nullptr;
  };
  CHECK(is_found(0.09));  // a third of what a chunk takes, which may be the same for all
  add(small.run.recording.branches, {{Branch::branch, small.id("pt")}, {Branch::ahead, 1e6}});
  CHECK(is_found(0.11));
  CHECK_FALSE(is_found(0.09));
}

TEST_CASE("Files of one chunk each that take a tenth of the core-time to open are small") {
  // So many chunks, each in a task that opens its file for `open` s, of so many files.
  const auto found = [](std::size_t chunks, std::size_t files, double open, double ahead = 0) {
    SmallRun small;
    small.run.chunks = Chunks();
    for (std::size_t i = 0; i < chunks; ++i)
      small.add_chunk(0.5 + static_cast<double>(i / 4), 0.5, 10000, "data",
                      "/data/" + std::to_string(i % files) + ".root");
    small.stream();
    if (ahead > 0) small.activity("automatic_retries", "thread-cpu", "seconds", ahead);
    set_rows(small, [&](std::size_t) { return Values{{Task::open_wall, open}}; });
    const auto* finding = small.find("small-files");
    // Half as many files would be opened half as often.
    if (finding != nullptr && chunks == 156)
      CHECK(finding->gain_core_seconds == Approx(finding->core_seconds / 2).epsilon(0.15));
    return finding == nullptr ? absent : finding->core_seconds;
  };
  CHECK(found(156, 156, 0.11) == Approx(156 * 0.11));
  CHECK(is_absent(found(156, 78, 0.11)));  // two chunks of each
  CHECK(is_absent(found(156, 156, 0.1)));  // 15.6 of 160 core-s
  CHECK(found(156, 156, 0.1, 0.5) == Approx(16.1));
  CHECK(found(40, 40, 0.42) == Approx(40 * 0.42));
  CHECK(is_absent(found(19, 19, 0.9)));  // of fewer than twenty files it is no habit
}

TEST_CASE("Tasks of one file that are held up are no moment, where they are most of the file's") {
  const auto is_found = [](std::uint32_t of_file) {
    SmallRun small;
    small.activity("P", "executor", "seconds", 60);
    set_rows(small, [&](std::uint32_t i) {
      const bool is_held = i == 5 || i == 45;
      const bool is_own = is_held || (i >= 10 && i < 8 + of_file);
      return Values{{Task::address, small.id("worker " + std::to_string(i / 39))},
                    {Task::file, small.id(is_own ? "a.root" : "b.root")},
                    {Task::wall, is_held ? 7.1 : 1.1},
                    {Task::process_wall, 1}};
    });
    return small.find("held-up") != nullptr;
  };
  CHECK_FALSE(is_found(2));
  CHECK_FALSE(is_found(3));
  CHECK(is_found(4));
}

TEST_CASE(
    "Tasks are held up by a second, three times what is usual, and not the first of a process") {
  const auto found = [](double outside, double usual, double later) {
    SmallRun small;
    small.activity("P", "executor", "seconds", 80);
    set_rows(small, [&](std::uint32_t i) {
      const bool is_held = i % 39 >= 10 && i % 39 < 14;
      return Values{
          {Task::address, small.id("worker " + std::to_string(i / 39))},
          {Task::begin, is_held ? 10 + (i == 13 ? later : 0) : small.run.chunks.t_start[i]},
          {Task::wall, 1 + (is_held || i % 39 == 0 ? outside : usual)},
          {Task::process_wall, 1}};
    });
    const auto* finding = small.find("held-up");
    return finding == nullptr ? absent : finding->core_seconds;
  };
  CHECK(found(1.05, 0.01, 0) == Approx(16 * 1.04));
  CHECK(is_absent(found(0.99, 0.01, 0)));
  CHECK(found(1.65, 0.4, 0) == Approx(16 * 1.25));
  CHECK(is_absent(found(1.55, 0.4, 0)));
  // They take 4 s, of which 3 s are outside: all of them within twice that, or not.
  CHECK(found(3, 0.01, 1.9) == Approx(16 * 2.99));
  CHECK(is_absent(found(3, 0.01, 2.1)));
}

TEST_CASE("Samples at the lines that call what can be done without may be of it: its upper end") {
  SmallRun small;
  small.draw_profile(
      "root 100\n"
      "  process@analysis.py 100\n"
      "    turn_on@analysis.py 40\n"
      "      __call__@/opt/lib/site-packages/numpy/lib/_function_base_impl.py 20\n");
  small.stream();
  RecordedTables& rows = small.run.recording;
  const auto frame = [&](const char* name, const char* file) {
    return small.run.names->frames.intern(small.id(name), small.id(file), 1);
  };
  const FrameId own = frame("turn_on", "analysis.py");
  // turn_on is at line 7, at line 7 in what it calls there, and at line 9.
  add(rows.calls, {{Call::called, own}, {Call::line, 7}});
  add(rows.calls,
      {{Call::called, frame("__call__", "/opt/lib/site-packages/numpy/lib/_function_base_impl.py")},
       {Call::caller, 0}});
  add(rows.calls, {{Call::called, own}, {Call::line, 9}});
  const auto title = [&](std::initializer_list<double> seconds) {
    rows.samples = {};
    for (const double wall : seconds)
      add(rows.samples, {{recorded_columns::Sample::task, 0},
                         {recorded_columns::Sample::call, rows.samples.size()},
                         {recorded_columns::Sample::wall, wall}});
    return small.find("needless-calls")->title;
  };
  // 20 of 100 samples of 156 core-s have its frame, by Dask; by rows 3 of 10 s are at its line.
  CHECK(title({3, 2, 5}) ==
        "31.2 to 78 core-s in np.vectorize.__call__, most of it called by turn_on");
  CHECK(title({0.4, 2, 7.6}) ==
        "31.2 core-s in np.vectorize.__call__, most of it called by turn_on");
}

TEST_CASE("What was loaded in twice as many chunks as there are workers was loaded once in each") {
  SmallRun small;
  small.draw_profile(
      "root 100\n"
      "  process@analysis.py 100\n"
      "    correct@analysis.py 20\n"
      "      from_file@/opt/lib/site-packages/correctionlib/highlevel.py 20\n");
  small.stream();
  CHECK(small.find("needless-calls") != nullptr);  // by Dask's samples in all
  RecordedTables& rows = small.run.recording;
  const FrameId frame = small.run.names->frames.intern(
      small.id("from_file"), small.id("/opt/lib/site-packages/correctionlib/highlevel.py"), 1);
  const FrameId inner = small.run.names->frames.intern(small.id("parse"), small.id("x.py"), 1);
  add(rows.calls, {{Call::called, frame}});
  add(rows.calls, {{Call::called, inner}, {Call::caller, 0}});
  add(rows.calls, {{Call::called, inner}});
  const auto found = [&](std::size_t chunks, double call) {
    rows.samples = {};
    for (std::size_t i = 0; i < chunks; ++i)
      add(rows.samples, {{recorded_columns::Sample::task, i},
                         {recorded_columns::Sample::call, call},
                         {recorded_columns::Sample::wall, 0.2}});
    return small.find("needless-calls") != nullptr;
  };
  CHECK_FALSE(found(4, 0));  // of four workers
  CHECK_FALSE(found(8, 0));
  CHECK(found(9, 0));
  CHECK(found(40, 0));
  CHECK(found(9, 1));        // what it calls is within it
  CHECK_FALSE(found(9, 2));  // and not what others call
}

TEST_CASE("How long files take to open is told by medians, and by when others were opened") {
  // Of each fourth chunk the file is slow: it takes 0.3 s to open, in one chunk 0.9.
  const auto find = [](double begin_of_others) {
    SmallRun small;
    set_rows(small, [&](std::size_t i) {
      const bool is_slow = i % 4 == 0;
      small.run.chunks.file[i] = small.id(is_slow ? "/slow.root" : "/f" + std::to_string(i % 8));
      small.run.chunks.dataset[i] = small.id("data");
      return Values{{Task::file, small.run.chunks.file[i]},
                    {Task::begin, is_slow ? 5 + 0.01 * static_cast<double>(i) : begin_of_others},
                    {Task::open_wall, is_slow ? (i == 4 ? 1.2 : 0.3) : (i == 5 ? 0.08 : 0.02)},
                    {Task::open_cpu, is_slow ? (i == 4 ? 0.6 : 0.15) : 0}};
    });
    const auto* finding = small.find("slow-opening");
    REQUIRE(finding != nullptr);
    return *finding->Finding::evidence.as<diagnose::SlowOpening>();
  };
  const diagnose::SlowOpening slow = find(20);
  CHECK(slow.names == std::vector<std::string>{"/slow.root"});
  CHECK(slow.each == Approx(0.3));
  CHECK(slow.elsewhere == Approx(0.02));
  CHECK(slow.again == Approx(38 * 0.28 + 1.18));
  CHECK(slow.computing == Approx(0.5));
  CHECK(slow.is_alone_in_time);
  CHECK(find(4.99).is_alone_in_time);
  CHECK_FALSE(find(6).is_alone_in_time);
  // They were opened from 5 s on to 0.3 s after the last one, at 6.52 s.
  CHECK_FALSE(find(6.8).is_alone_in_time);
  CHECK(find(5 + 0.01 * 152.0 + 0.3).is_alone_in_time);
}

TEST_CASE("Files are opened again for what is half of the time outside process(), or not for it") {
  const auto found = [](double open) {
    SmallRun small;
    small.set_activity("thread-cpu", 100);
    small.activity("automatic_retries", "thread-cpu", "seconds", 16);
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i) small.stretch(i, 0.25);
    set_rows(small, [&](std::size_t) { return Values{{Task::open_wall, open}}; });
    return small.find("pre-processing")->core_seconds;
  };
  // 108 core-s of tasks with 39 in process(): 15.6 are usual, 53.4 are not.
  CHECK(found(0.172) == Approx(16 + 156 * 0.172));
  CHECK(found(0.17) == Approx(16));
  CHECK(found(0.4) == Approx(16 + 53.4));
}

TEST_CASE("Time outside process() is one dataset's where half of it is opening its files") {
  const auto is_told = [](double of_ttbar) {
    SmallRun small;
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i) small.stretch(i, 0.7);
    set_rows(small, [&](std::size_t i) {
      const bool is_ttbar = small.run.chunks.dataset[i] == small.id("ttbar");
      small.run.chunks.file[i] = small.id(is_ttbar ? "root://a//tt.root" : "root://a//data.root");
      return Values{{Task::file, small.run.chunks.file[i]},
                    {Task::open_wall, is_ttbar ? of_ttbar : 0.02}};
    });
    CHECK(small.find("slow-opening") != nullptr);
    return small.find("outside-process") != nullptr;
  };
  // 158 - 109.2 core-s, of which 15.6 are usual: 33.2; 76 chunks of ttbar.
  CHECK(is_told(0.02 + 16.4 / 76));
  CHECK_FALSE(is_told(0.02 + 16.8 / 76));
}

TEST_CASE("Pre-processing that is mostly one file's names it, and whether its task waited") {
  const auto find = [](double slowest, double cpu, int files) {
    SmallRun small;
    small.activity("automatic_retries", "thread-cpu", "seconds", slowest + 0.5 * (files - 1));
    set_rows(small, [&](std::size_t) { return Values{}; });
    for (int file = 0; file < files; ++file)
      add(small.run.recording.tasks,
          {{Task::kind, small.id("file")},
           {Task::file, small.id("/data/f" + std::to_string(file) + ".root")},
           {Task::begin, 0},
           {Task::wall, file == 2 ? slowest : 0.5},
           {Task::cpu, file == 2 ? cpu : 0.5}});
    const auto* finding = small.find("pre-processing");
    return finding == nullptr ? "" : finding->title + ": " + finding->evidence;
  };
  CHECK(has(find(20, 1, 4), ", most of it on f2.root"));
  CHECK(has(find(20, 1, 4), "f2.root alone took 20 core-s; its task waited for most of that"));
  CHECK(has(find(20, 15, 4), "its task computed for most of that"));
  CHECK_FALSE(has(find(20, 1, 3), "f2.root"));   // of three files one takes half by chance
  CHECK_FALSE(has(find(17, 1, 40), "f2.root"));  // less than the 19.5 s of the others
}

TEST_CASE("Counting events ahead is one dataset's where half of it is opening its files") {
  const auto is_told = [](double ahead) {
    SmallRun small;
    small.activity("automatic_retries", "thread-cpu", "seconds", ahead);
    set_rows(small, [&](std::size_t i) {
      const std::string dataset(small.run.text(small.run.chunks.dataset[i]));
      small.run.chunks.file[i] = small.id("/" + dataset + std::to_string(i / 2 % 5));
      return Values{{Task::file, small.run.chunks.file[i]}};
    });
    // Five files of each: 2 s and 0.1 s.
    for (int file = 0; file < 5; ++file)
      for (const bool is_slow : {true, false})
        add(small.run.recording.tasks,
            {{Task::kind, small.id("file")},
             {Task::file, small.id((is_slow ? "/ttbar" : "/data") + std::to_string(file))},
             {Task::begin, 0.1 * file},
             {Task::wall, is_slow ? 2 : 0.1}});
    CHECK(small.find("slow-opening")->core_seconds == Approx(5 * 1.9));
    return small.find("pre-processing") != nullptr;
  };
  CHECK(is_told(19.5));
  CHECK_FALSE(is_told(18.5));
}
