// Findings about the order of a worker's chunks: first ones, those that take longer with each,
// memory.
#include <cmath>
#include <cstdint>

#include "catch.hpp"
#include "core/align/align.hpp"
#include "tests/core/recorded_run.hpp"

using namespace crema;
using recorded_columns::Call;
using test::add;
using test::has;
using test::MachineRow;
using test::set_rows;
using test::set_workers;
using test::SmallRun;
using test::Task;
using test::Values;

TEST_CASE("A worker's first chunk of each file takes longer: no matter of its start alone") {
  SmallRun small;
  const auto set = [&](bool of_each_file) {
    set_workers(small, [&](std::size_t place) {
      return std::pair(place == 0 || (of_each_file && place % 3 == 0) ? 1.0 : 0.5, 0.5);
    });
    for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i)
      small.run.chunks.file[i] = small.id("f" + std::to_string(i % SmallRun::chunks_each / 3));
    return small.find("first-of-files");
  };
  CHECK(set(false) == nullptr);
  small = SmallRun();
  REQUIRE(set(true) != nullptr);
  CHECK(small.find("first-chunks") == nullptr);
  CHECK(small.find("first-of-files")->title ==
        "A worker's first chunk of each file took 1.5 times as long");
  CHECK(small.find("first-of-files")->core_seconds == Approx(52 * 0.5).epsilon(0.01));
}

TEST_CASE("Unpacking of the processor, and memory that grows with every chunk") {
  SmallRun small;
  RecordedTables& rows = small.run.recording;
  add(rows.machine, {{MachineRow::lag, 0}});
  const auto set = [&](double unpack, double megabytes) {
    rows.tasks = {};
    for (std::size_t k = 0; k < 10; ++k)
      add(rows.tasks, {{Task::kind, small.id("chunk")},
                       {Task::status, small.id("ok")},
                       {Task::address, small.id("tcp://10.0.0.0:1000")},
                       {Task::begin, static_cast<double>(k)},
                       {Task::wall, 1},
                       {Task::unpack_wall, unpack},
                       {Task::rss_after, 1e6 * (200 + megabytes * static_cast<double>(k))}});
  };
  set(0.01, 3);
  CHECK(small.find("large-processor") == nullptr);
  CHECK(small.find("memory-grows") == nullptr);  // 13 % more
  set(0.01, 3);
  rows.tasks.of(Task::unpack_wall)[0] = 30;  // the first task of the process imports modules
  CHECK(small.find("large-processor") == nullptr);
  set(1, 20);
  CHECK(small.find("large-processor")->core_seconds == Approx(10));
  rows.tasks.of(Task::unpack_wall)[0] = 4;
  CHECK(small.find("large-processor")->core_seconds == Approx(10));
  CHECK(small.find("memory-grows")->title == "Memory of workers grows with every chunk, by 20 MB");
  // What is taken between chunks no chunk keeps.
  for (std::size_t k = 0; k < 10; ++k)
    rows.tasks.of(Task::rss_before)[k] = rows.tasks.of(Task::rss_after)[k] - 1e6;
  CHECK(small.find("memory-grows") == nullptr);
  // Nor does what comes in two steps.
  for (std::size_t k = 0; k < 10; ++k) {
    rows.tasks.of(Task::rss_after)[k] = 1e6 * (200 + 60.0 * static_cast<double>(k / 4));
    rows.tasks.of(Task::rss_before)[k] = k == 0 ? 200e6 : rows.tasks.of(Task::rss_after)[k - 1];
  }
  CHECK(small.find("memory-grows") == nullptr);
}

TEST_CASE(
    "First chunks of all workers, and a section that grows with every chunk, are no datasets") {
  using Two = std::pair<double, double>;
  SmallRun first;
  set_workers(first, [](std::size_t k) { return Two(k == 0 ? 12.5 : 0.5, 0.5); });
  const auto* warm_up = first.find("first-chunks");
  REQUIRE(warm_up != nullptr);
  CHECK(warm_up->severity == Severity::medium);
  CHECK(warm_up->core_seconds == Approx(48));  // 12 s on four workers, of 240 core-s
  CHECK(has(warm_up->evidence, "section fit"));
  CHECK(has(warm_up->evidence, "imports, compilation"));
  CHECK(first.find("stragglers") == nullptr);
  // What was measured as longer comes before what might be faster.
  REQUIRE(first.find("own-function") != nullptr);
  CHECK(diagnose::find_findings(first.run, {}).back().cause ==
        diagnose::FindingCause::own_function);
  // Where they waited for requests for half of the 48 s, these are not why.
  const auto of_requests = [&](double each) {
    set_rows(first, [&](std::uint32_t i) {
      return Values{{Task::request_wait, i % SmallRun::chunks_each == 0 ? each : 0}};
    });
    return first.find("first-chunks");
  };
  REQUIRE(of_requests(7) != nullptr);
  CHECK(has(of_requests(7)->title, "as long, waiting for input"));
  CHECK(has(of_requests(7)->evidence, " for requests of input for 28 core-s, between 500 ms and "));
  CHECK_FALSE(has(of_requests(7)->evidence, "imports"));
  CHECK(has(of_requests(5)->evidence, "imports, compilation"));

  // Up to two seconds a process are usual, and come after all else that costs.
  SmallRun usual;
  set_workers(usual, [](std::size_t k) { return Two(k == 0 ? 2 : 0.1, 0.1); });
  usual.run.elapsed = 6;
  REQUIRE(usual.find("first-chunks") != nullptr);  // 7.6 core-s of 24
  CHECK(usual.find("first-chunks")->severity == Severity::low);
  CHECK(usual.find("first-chunks")->rank == 0);

  // Less than a tenth of the core-time, 20 of 212 core-s, is what each process does once.
  SmallRun little;
  set_workers(little, [](std::size_t k) { return Two(k == 0 ? 5.5 : 0.5, 0.5); });
  CHECK(little.find("first-chunks") == nullptr);
  CHECK(little.find("stragglers") == nullptr);

  SmallRun growing;
  set_workers(growing, [](std::size_t k) { return Two(0.2 + 0.01 * double(k), 0.5); });
  const auto* longer = growing.find("longer-with-each");
  REQUIRE(longer != nullptr);
  CHECK(has(longer->title, "Section fit takes longer with every chunk"));

  // What grows in the operating system no section keeps.
  set_rows(growing, [](std::uint32_t i) {
    return Values{{Task::system, 0.1 + 0.01 * double(i % SmallRun::chunks_each)}};
  });
  CHECK(growing.find("longer-with-each") == nullptr);

  // A machine that slows down is seen in all sections alike: which it is nobody knows.
  SmallRun slowing;
  set_workers(slowing, [](std::size_t k) {
    const double once = std::exp2(double(k) / 19);  // twice as long 19 chunks later
    return Two(0.2 * once, 0.3 * once);
  });
  longer = slowing.find("longer-with-each");
  REQUIRE(longer != nullptr);
  CHECK(longer->title ==
        "Chunks of a worker take longer with every one it has done, 4 times as long in the end: "
        "their number, or that moment");
  CHECK(has(longer->evidence, "What would tell: whether workers that began later are as slow."));

  // What slows down for half of the run and stays as it is comes not with each chunk.
  SmallRun half;
  set_workers(half, [](std::size_t k) {
    const double once = std::exp2(double(std::min<std::size_t>(k, 20)) / 10);
    return Two(0.2 * once, 0.3 * once + 0.001 * double(7 * k % 5));
  });
  CHECK(half.find("longer-with-each") == nullptr);

  // 13 datasets that follow each other by what they cost, of which as many rise as fall.
  SmallRun datasets;
  set_workers(datasets, [](std::size_t k) {
    const double usual = 0.1 * double(1 + k / 3), more = 0.05 * double(k % 3);
    return Two(usual * (k / 3 % 2 == 0 ? 1 + more : 1 - more), 0.5);
  });
  for (std::uint32_t i = 0; i < datasets.run.chunks.size(); ++i)
    datasets.run.chunks.dataset[i] =
        datasets.id("d" + std::to_string(i % SmallRun::chunks_each / 3));
  CHECK(datasets.find("longer-with-each") == nullptr);

  // It has more of each chunk, because the others take less and less.
  SmallRun shrinking;
  set_workers(shrinking, [](std::size_t k) { return Two(0.5, 1.0 - 0.02 * double(k)); });
  CHECK(shrinking.find("longer-with-each") == nullptr);
}

TEST_CASE("A function that takes longer with every chunk is named by its samples") {
  // remember() takes 0.1 s in a worker's first chunk and twice as long every ten chunks later,
  // fill() half a second; in one chunk of `seldom` no sample is of it.
  const auto growing = [](SmallRun& small, std::size_t seldom) {
    using recorded_columns::Sample;
    const auto seconds_of = [](std::size_t k) { return 0.1 * std::exp2(double(k) / 10); };
    set_workers(small, [&](std::size_t k) { return std::pair(seconds_of(k), 0.5); });
    small.run.chunks.sections.clear();
    small.draw_profile(
        "root 2\n  process@/home/u/a.py 2\n    remember@/home/u/a.py 1\n    fill@/home/u/a.py 1\n");
    RecordedTables& rows = small.run.recording;
    const auto frame = [&](const char* name) {
      return double(small.run.names->frames.intern(small.id(name), small.id("/home/u/a.py"), 0));
    };
    for (const char* name : {"process", "remember", "fill"})
      add(rows.calls, {{Call::called, frame(name)},
                       {Call::caller, std::string(name) == "process" ? absent : 0}});
    set_rows(small, [&](std::uint32_t i) {
      const std::size_t k = i % SmallRun::chunks_each;
      if (seldom == 0 || k % seldom > 0)
        add(rows.samples,
            {{Sample::task, double(i)}, {Sample::call, 1}, {Sample::wall, seconds_of(k)}});
      add(rows.samples, {{Sample::task, double(i)}, {Sample::call, 2}, {Sample::wall, 0.5}});
      return Values{{Task::address, small.run.workers.address[i / SmallRun::chunks_each]}};
    });
  };
  SmallRun small;
  growing(small, 0);
  const auto* longer = small.find("longer-with-each");
  REQUIRE(longer != nullptr);
  // 2 to the power of 38 / 10
  CHECK(longer->title ==
        "remember takes longer with every chunk of a worker: about 13.9 times as long at "
        "the end");
  // Of 4 workers, each chunk's time less 0.1 s: a geometric series.
  const double all = 0.1 * (std::exp2(3.9) - 1) / (std::exp2(0.1) - 1);
  CHECK(longer->core_seconds == Approx(4 * (all - 39 * 0.1)));
  CHECK(!has(longer->evidence, "Memory"));
  CHECK(!has(longer->title, "or that moment"));

  // The memory of the same workers, too.
  auto& tasks = small.run.recording.tasks;
  for (std::size_t row = 0; row < tasks.size(); ++row) {
    tasks.of(Task::rss_before)[row] = 100e6 + 5e6 * double(row % SmallRun::chunks_each);
    tasks.of(Task::rss_after)[row] = tasks.at(Task::rss_before, row) + 5e6;
  }
  CHECK(has(small.find("longer-with-each")->evidence,
            "Memory of the same workers grows by 5 MB a chunk."));

  // Of one worker's four threads each may slow the others; not where one runs all chunks by turns,
  // each within 2 s.
  for (StringId& worker : small.run.tasks.worker) worker = small.run.workers.address[0];
  for (double& worker : tasks.of(Task::address)) worker = small.run.workers.address[0];
  CHECK(small.find("longer-with-each") == nullptr);
  small.run.tasks = {};
  small.run.elapsed = 320;
  for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i) {
    Chunks& c = small.run.chunks;
    c.t_start[i] = 2.0 * double(4 * (i % SmallRun::chunks_each) + i / SmallRun::chunks_each);
    small.stretch(i, c.duration[i]);
    small.add_task("P", i, 0, c.t_start[i], c.t_end[i], 5000);
  }
  longer = small.find("longer-with-each");
  REQUIRE(longer != nullptr);
  CHECK(has(longer->title, "remember takes longer with every chunk of a worker"));

  // Sections tell exactly where it is: in one, or in none of them, also without samples.
  const auto time_section = [](SmallRun& run, const char* name, double fixed) {
    run.run.chunks.sections.clear();
    for (std::uint32_t i = 0; i < run.run.chunks.size(); ++i)
      run.run.chunks.sections.push_back(
          {i, run.id(name), SectionValue::Kind::seconds,
           is_absent(fixed) ? run.run.chunks.duration[i] - 0.5 : fixed});
  };
  SmallRun timed;
  growing(timed, 0);
  time_section(timed, "fit", absent);
  longer = timed.find("longer-with-each");
  REQUIRE(longer != nullptr);
  CHECK(
      longer->title ==
      "Section fit takes longer with every chunk of a worker: about 13.9 times as long at the end");
  CHECK(has(longer->evidence, "remember grew, too."));
  time_section(timed, "fill", 0.5);
  CHECK(has(timed.find("longer-with-each")->title, "remember takes longer"));
  timed.run.recording.samples = {};
  CHECK(has(timed.find("longer-with-each")->title, "Code outside sections takes longer"));

  // Late chunks of one slow file.
  SmallRun late;
  set_workers(late, [](std::size_t k) {
    return std::pair((k < 20 ? 0.1 : 1.0) + 0.001 * double(7 * k % 5), 0.5);
  });
  CHECK(late.find("longer-with-each") != nullptr);
  for (std::uint32_t i = 0; i < late.run.chunks.size(); ++i)
    if (i % SmallRun::chunks_each >= 20) late.run.chunks.file[i] = late.id("root://a//late.root");
  CHECK(late.find("longer-with-each") == nullptr);

  // Samples that miss it at times.
  SmallRun rare;
  growing(rare, 4);
  REQUIRE(rare.find("longer-with-each") != nullptr);
  CHECK(has(rare.find("longer-with-each")->title, "remember takes longer"));

  // On one of two workers alone, of two threads each, it is no matter of chunks.
  SmallRun one;
  growing(one, 0);
  for (StringId& dataset : one.run.chunks.dataset) dataset = one.id("data");
  for (std::size_t i = 0; i < one.run.tasks.size(); ++i) {
    one.run.tasks.worker[i] = one.run.workers.address[2 * i < one.run.tasks.size() ? 0 : 1];
    one.run.recording.tasks.of(Task::address)[i] = one.run.tasks.worker[i];
  }
  CHECK(one.find("longer-with-each") != nullptr);
  auto& walls = one.run.recording.samples.of(recorded_columns::Sample::wall);
  for (std::uint32_t i = 2 * SmallRun::chunks_each; i < one.run.chunks.size(); ++i) {
    walls[2 * i] = 0.1 + 0.001 * double(7 * i % 5);
    one.stretch(i, 0.5 + walls[2 * i]);
    one.run.tasks.t1[i] = one.run.chunks.t_end[i];
  }
  CHECK(one.find("longer-with-each") == nullptr);
}

TEST_CASE("Memory that tracemalloc notes is no growth of the analysis") {
  SmallRun small;
  const auto set = [&](bool is_traced) {
    set_rows(small, [&](std::size_t i) {
      const double place = static_cast<double>(i % SmallRun::chunks_each);
      return Values{{Task::address, small.run.workers.address[i / SmallRun::chunks_each]},
                    {Task::rss_after, 1e8 * (1 + place / 20)},
                    {Task::hook, is_traced ? small.id("tracemalloc") : no_string}};
    });
    return small.find("memory-grows") != nullptr;
  };
  CHECK(set(false));
  CHECK_FALSE(set(true));
}

TEST_CASE("Memory grows where it does so to the end, in the chunks and with nearly each") {
  // A worker's memory [MB] after each chunk; of what it takes more `within` of it is the chunk's.
  const auto growth = [](const std::vector<double>& more, double within = 1) {
    SmallRun small;
    double memory = 200;
    for (std::size_t k = 0; k <= more.size(); ++k) {
      const double own = k == 0 ? 0 : more[k - 1];
      memory += own;
      add(small.run.recording.tasks, {{Task::kind, small.id("chunk")},
                                      {Task::address, small.id("tcp://10.0.0.0:1000")},
                                      {Task::begin, static_cast<double>(k)},
                                      {Task::rss_before, 1e6 * (memory - within * own)},
                                      {Task::rss_after, 1e6 * memory}});
    }
    return diagnose::rules::memory_growth(small.run);
  };
  const auto grows = [&](const std::vector<double>& more, double within = 1) {
    return !is_absent(growth(more, within).each);
  };
  const auto made = growth(std::vector<double>(9, 10));
  CHECK(made.each == Approx(10e6));
  CHECK(made.first == Approx(200e6));
  CHECK(made.last == Approx(290e6));
  CHECK(made.chunks == 10);
  // A quarter more at the end.
  CHECK(grows(std::vector<double>(9, 5.6)));
  CHECK_FALSE(grows(std::vector<double>(9, 5.5)));
  // Half as much in the four chunks of the second half as in the five of the first.
  CHECK(grows({10, 10, 10, 10, 10, 6.3, 6.3, 6.3, 6.3}));
  CHECK_FALSE(grows({10, 10, 10, 10, 10, 6.2, 6.2, 6.2, 6.2}));
  // With eight of nine chunks, by a quarter of the mean.
  CHECK(grows({10, 10, 0, 10, 10, 10, 10, 10, 10}));
  CHECK_FALSE(grows({10, 10, 0, 10, 10, 10, 0, 10, 10}));
  CHECK(grows({10, 10, 2.5, 10, 10, 10, 2.5, 10, 10}));
  CHECK_FALSE(grows({10, 10, 1.9, 10, 10, 10, 1.9, 10, 10}));
  CHECK(grows({10, 10, 0, 10, 10, 10, 10, 0, 10, 10}));  // four fifths of ten
  // Three quarters of it while chunks ran.
  CHECK(grows(std::vector<double>(9, 10), 0.76));
  CHECK_FALSE(grows(std::vector<double>(9, 10), 0.74));
  // Seven chunks of a worker tell nothing.
  CHECK(grows(std::vector<double>(7, 10)));
  CHECK_FALSE(grows(std::vector<double>(6, 10)));
}

TEST_CASE("First chunks are slow where two workers are: of one it may be anything") {
  // The first chunk of each takes four times as long; of each file's first chunk half as long
  // again.
  const auto found = [](std::size_t workers, bool of_files) {
    SmallRun small;
    small.run.chunks = Chunks();
    for (std::size_t w = 0; w < workers; ++w) {
      double begin = 0.5;
      for (std::size_t k = 0; k < SmallRun::chunks_each; ++k) {
        const bool is_first = of_files ? k % 3 == 0 : k == 0;
        // now and then a chunk takes longer by itself
        const double usual = k % 9 == 5 ? 0.7 : k % 9 == 2 ? 0.55 : 0.5;
        const double seconds = is_first ? (of_files ? (k % 9 == 6 ? 1.2 : 0.8) : 2) : usual;
        small.add_chunk(begin, seconds, 10000, "data",
                        of_files ? "f" + std::to_string(k / 3) : "f");
        begin += seconds;
      }
    }
    small.stream();
    align::match_chunks(small.run);
    if (diagnose::anomalies(small.run).empty()) return absent;
    const diagnose::Anomaly& first = diagnose::anomalies(small.run).front();
    using Kind = diagnose::Anomaly::Kind;
    const bool is_it = first.kind == (of_files ? Kind::first_of_files : Kind::first_chunks);
    return is_it ? first.factor : absent;
  };
  CHECK(found(2, false) == Approx(4));
  CHECK(found(3, false) == Approx(4));
  CHECK(is_absent(found(1, false)));
  // A median of 0.8 s against one of 0.5 s.
  CHECK(found(2, true) == Approx(1.6));
  CHECK(found(3, true) == Approx(1.6));
  CHECK(is_absent(found(1, true)));
}

TEST_CASE("A file that all workers warm up with is not slow: their second chunks are no measure") {
  // Chunks of 0.5 s; a worker's second one, of a file of its own, takes so many.
  const auto slow_file = [](std::initializer_list<double> second) {
    SmallRun small;
    small.run.chunks = Chunks();
    for (const double longer : second) {
      double begin = 0.5;
      for (std::size_t k = 0; k < SmallRun::chunks_each; ++k) {
        const double seconds = k == 1 ? longer : k % 5 == 0 ? 0.51 : 0.5;
        small.add_chunk(begin, seconds, 10000, "data",
                        k == 1 ? "second" : "f" + std::to_string(k % 3));
        begin += seconds;
      }
    }
    small.stream();
    std::string name;
    for (const diagnose::Anomaly& one : diagnose::anomalies(small.run))
      if (one.kind == diagnose::Anomaly::Kind::file) name = one.name;
    return name;
  };
  CHECK(slow_file({1.5, 1.5, 1.5, 1.5}).empty());
  CHECK(slow_file({0.62, 1.5, 1.5, 1.5}).empty());      // 1.24 times as long
  CHECK(slow_file({0.55, 1.5, 1.5, 1.5}) == "second");  // one of four had warmed up by then
}

TEST_CASE("How fast a part grows is the median of its chunks, less what grows in the system") {
  // Section fit takes twice as long every twenty chunks later, now and then 5 % more.
  const auto growing = [](double system) {
    SmallRun small;
    const auto fit = [](std::size_t k) {
      return 0.2 * std::exp2(static_cast<double>(k) / 20) * (k % 13 == 5 ? 1.05 : 1);
    };
    set_workers(small, [&](std::size_t k) { return std::pair(fit(k), 0.5); });
    if (system > 0)
      set_rows(small, [&](std::uint32_t i) {
        return Values{{Task::system, system * fit(i % SmallRun::chunks_each)}};
      });
    small.run.facts = {};
    const auto& found = diagnose::anomalies(small.run);
    return found.empty() || found.front().kind != diagnose::Anomaly::Kind::with_each
               ? absent
               : found.front().factor;
  };
  CHECK(growing(0) == Approx(std::exp2(38.0 / 20)).epsilon(0.02));
  CHECK(growing(0.4) == Approx(std::exp2(38.0 / 20)).epsilon(0.02));
  CHECK(is_absent(growing(0.7)));
}
