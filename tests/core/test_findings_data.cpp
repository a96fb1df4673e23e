// Findings about what chunks read: codecs, baskets, branches and entries.
#include <cstdint>

#include "catch.hpp"
#include "tests/core/recorded_run.hpp"

using namespace crema;
using recorded_columns::Branch;
using test::add;
using test::has;
using test::MachineRow;
using test::set_rows;
using test::SmallRun;
using test::Task;
using test::Values;

namespace {

/// Chunks of A read the column "pt", those of B another one, of 1 MB each: in 0.05 s of CPU, in two
/// baskets and with zstd 2 in B.
void read_columns(SmallRun& small, double slow, const char* column, double baskets,
                  const char* codec) {
  auto& branches = small.run.recording.branches;
  branches = {};
  for (std::uint32_t i = 0; i < 156; ++i)
    add(branches, {{Branch::task, i},
                   {Branch::branch, small.id(i < 78 ? "pt" : column)},
                   {Branch::codec, small.id(i < 78 ? codec : "zstd 2")},
                   {Branch::baskets, i < 78 ? baskets : 2},
                   {Branch::uncompressed, 1e6},
                   {Branch::cpu, i < 78 ? slow : 0.05}});
}

}  // namespace

TEST_CASE("A codec that takes more CPU is told by the same columns with another codec") {
  SmallRun small;
  set_rows(small, [&](std::size_t i) {
    return Values{{Task::dataset, small.id(i < 78 ? "A" : "B")}};
  });
  const auto set = [&](double slow, const char* column, double baskets = 2,
                       const char* codec = "lzma 6") {
    read_columns(small, slow, column, baskets, codec);
    return small.find("codec");
  };
  add(small.run.recording.machine, {{MachineRow::lag, 0}});
  const auto* finding = set(0.2, "pt");
  REQUIRE(finding != nullptr);
  CHECK(finding->title ==
        "Columns packed with lzma 6 took 4 times as much CPU to read as with zstd 2");
  CHECK(finding->core_seconds == Approx(78 * 0.15));
  CHECK(has(finding->evidence, " lzma 6 is that of files of A."));
  CHECK(has(finding->evidence, "78 MB of them are packed with lzma 6, 78 MB with zstd 2."));
  // 78 x 0.1 s are less than a twentieth of the core-time, 160 core-s.
  CHECK(set(0.15, "pt") == nullptr);
  // Other columns may take longer with any codec.
  CHECK(set(0.2, "eta") == nullptr);
  // LZMA is slow of itself, where a tenth of the core-time is in it, and not in calls for each
  // basket.
  REQUIRE(set(0.25, "eta") != nullptr);
  CHECK(set(0.25, "eta")->title ==
        "Reading columns that are packed with LZMA took 19.5 core-s of CPU time");
  CHECK(has(set(0.25, "eta")->evidence, "4 MB of unpacked columns in a second, 78 MB in all."));
  CHECK(set(0.25, "eta", 100) == nullptr);
  // So do smaller baskets, and larger ones are unpacked more often; without a codec nothing is.
  CHECK(set(0.2, "pt", 4) != nullptr);
  CHECK(set(0.2, "pt", 5) == nullptr);
  CHECK(set(0.2, "pt", 1) != nullptr);
  CHECK(set(0.2, "pt", 0.9) == nullptr);
  CHECK(set(0.2, "pt", 2, "none") == nullptr);
}

TEST_CASE("Small baskets take more CPU than the same columns of another dataset in larger ones") {
  SmallRun small;
  set_rows(small, [&](std::size_t i) {
    return Values{{Task::dataset, small.id(i < 78 ? "A" : "B")}};
  });
  const auto set = [&](double slow, double baskets, const char* codec = "zstd 2") {
    read_columns(small, slow, "pt", baskets, codec);
    return small.find("small-baskets");
  };
  add(small.run.recording.machine, {{MachineRow::lag, 0}});
  const auto* finding = set(0.2, 20);
  REQUIRE(finding != nullptr);
  CHECK(finding->title ==
        "Baskets of A hold 50 kB, those of B 500 kB: reading took 4 times as much CPU");
  CHECK(finding->core_seconds == Approx(78 * 0.15));
  CHECK(has(finding->evidence, "in 1,560 baskets."));
  CHECK(set(0.09, 20) == nullptr);           // not twice as much
  CHECK(set(0.2, 8) == nullptr);             // not much smaller
  CHECK(set(0.2, 20, "lzma 6") == nullptr);  // another codec takes longer by itself
}

TEST_CASE("Entries that two tasks processed are named with events, files and datasets") {
  SmallRun small;
  Chunks& c = small.run.chunks;
  for (std::uint32_t i = 0; i < c.size(); ++i)
    c.entry_start[i] = 10000 * i, c.entry_stop[i] = c.entry_start[i] + 10000;
  const auto as_first = [&](std::uint32_t chunk) {
    c.entry_start[chunk] = 0, c.entry_stop[chunk] = 10000;
  };
  CHECK(small.find("processed-twice") == nullptr);
  as_first(1);
  REQUIRE(small.find("processed-twice") != nullptr);
  CHECK(small.find("processed-twice")->title ==
        "10,000 events of 1 file were processed more than once, in datasets data and ttbar");
  CHECK(small.find("processed-twice")->core_seconds == Approx(1));

  // Two calls of an executor may do different things with the same entries.
  set_rows(small, [](std::uint32_t i) { return Values{{Task::call, i == 1 ? 2 : 1}}; });
  CHECK(small.find("processed-twice") == nullptr);
  c.entry_start[1] = 1e7, c.entry_stop[1] = 1e7 + 10000;

  // Of one dataset: all of 80 tasks that were submitted ended; else Dask ran a lost one again.
  as_first(2);
  set_rows(small, [](std::uint32_t) { return Values{{Task::call, 1}}; });
  CHECK(small.find("processed-twice") == nullptr);
  small.run.recording.index.planned = {{1, small.id("chunk"), small.id("data"), 79, 790000}};
  CHECK(small.find("processed-twice") == nullptr);
  small.run.recording.index.planned[0].tasks = 80;
  REQUIRE(small.find("processed-twice") != nullptr);
  CHECK(small.find("processed-twice")->title ==
        "10,000 events of 1 file were processed more than once, in dataset data");
  CHECK(has(small.find("processed-twice")->evidence, "These events count twice in the result."));
  // One that failed and then ended well was one that was submitted. Of another nothing was kept: a
  // chunk that ran twice made up the number.
  const auto fail = [&](double entry_start) {
    set_rows(small, [&](std::uint32_t i) {
      return Values{{Task::call, 1},
                    {Task::dataset, c.dataset[i]},
                    {Task::file, c.file[i]},
                    {Task::entry_start, c.entry_start[i]},
                    {Task::status, small.id("ok")}};
    });
    add(small.run.recording.tasks, {{Task::kind, small.id("chunk")},
                                    {Task::call, 1},
                                    {Task::dataset, c.dataset[4]},
                                    {Task::file, c.file[4]},
                                    {Task::entry_start, entry_start},
                                    {Task::status, small.id("failed")}});
    return small.find("processed-twice");
  };
  CHECK(fail(c.entry_start[4]) != nullptr);
  CHECK(fail(1e8) == nullptr);
  // Two trees of a file have entries of their own.
  set_rows(small, [&](std::uint32_t i) {
    return Values{{Task::call, 1}, {Task::tree, small.id(i == 2 ? "Runs" : "Events")}};
  });
  CHECK(small.find("processed-twice") == nullptr);
}

TEST_CASE(
    "Files of one name are the same under another path where each chunk reads as many bytes") {
  const auto tell = [](const char* other, double bytes, bool has_more = false) {
    SmallRun small;
    Chunks& c = small.run.chunks;
    for (std::uint32_t i = 0; i < c.size(); ++i) {
      c.entry_start[i] = 10000 * i, c.entry_stop[i] = c.entry_start[i] + 10000;
      c.bytes_read[i] = 50000 + i;
      c.file[i] = small.id("/data/all.root");
    }
    c.file[0] = small.id("/data/x.root");
    c.file[1] = small.id(other);
    if (has_more) c.file[2] = c.file[1];  // a chunk that the first one has not
    c.entry_start[1] = 0, c.entry_stop[1] = 10000;
    c.bytes_read[1] = bytes;
    const auto* finding = small.find("processed-twice");
    return finding == nullptr ? std::string() : finding->evidence;
  };
  CHECK(has(tell("/mirror/x.root", 50000), "under another path: files of the same name"));
  CHECK(tell("/mirror/x.root", 50001).empty());
  CHECK(tell("/mirror/y.root", 50000).empty());
  CHECK(tell("/mirror/x.root", 50000, true).empty());
  CHECK(tell("/mirror/x.root", absent).empty());
}

TEST_CASE("Chunks smaller than baskets are too small where reading these again costs a fifth") {
  SmallRun small;
  const std::size_t file = small.run.files.intern(small.id("root://a//f.root"));
  small.run.files.bytes_read[file] = 156 * 2e6 / 3;  // of 312 MB that chunks read
  add(small.run.recording.branches,
      {{Branch::baskets, 2}, {Branch::compressed, 312e6}, {Branch::outside, 208e6}});
  const auto reading = [&](double seconds) {
    set_rows(small, [&](std::size_t) { return Values{{Task::read_wall, seconds}}; });
    return small.find("small-chunks");
  };
  // Two of three times 46.8 core-s, and the 2 core-s outside process(), of 158.
  const auto* finding = reading(0.3);
  REQUIRE(finding != nullptr);
  CHECK(finding->title == "21 % of the chunks' time is a fixed cost per chunk: they are too small");
  CHECK(has(finding->evidence, "200 ms for reading baskets that other chunks read as well"));
  CHECK(has(finding->evidence,
            "Chunks as large as a basket, 3 times as large, would save most of it: "));
  CHECK(finding->core_seconds == Approx(33.2 * 2 / 3));
  const auto advice = diagnose::find_advice(small.run, {});
  REQUIRE(advice.size() == 1);
  CHECK(advice[0].now == "10000");
  CHECK(advice[0].code == "runner.chunksize = 30000");
  CHECK(advice[0].finding.cause == diagnose::FindingCause::small_chunks);
  CHECK(small.find("baskets-read-again") == nullptr);
  // 29.1 of 158 are less than a fifth.
  CHECK(reading(0.26) == nullptr);
  REQUIRE(small.find("baskets-read-again") != nullptr);
  CHECK(small.find("baskets-read-again")->core_seconds == Approx(156 * 0.26 * 2 / 3));
  CHECK(
      has(small.find("baskets-read-again")->evidence, "the repeated reading cost about 27 core-s"));
  // Ten branches of 40 MB took 1.2 s each, ten of 80 MB 1.6 s: 0.8 s of each was paid for baskets,
  // and 12 of 28 s for bytes, two of three of which were read again.
  for (int branch = 0; branch < 20; ++branch)
    add(small.run.recording.branches, {{Branch::uncompressed, branch % 2 == 0 ? 40e6 : 80e6},
                                       {Branch::wall, branch % 2 == 0 ? 1.2 : 1.6}});
  reading(0.26);
  REQUIRE(small.find("baskets-read-again") != nullptr);
  CHECK(small.find("baskets-read-again")->core_seconds == Approx(8));
}

TEST_CASE("A file that is opened again and read as a whole is no matter of large baskets") {
  SmallRun small;
  const std::size_t file = small.run.files.intern(small.id("root://a//f.root"));
  small.run.files.bytes_read[file] = 156 * 2e6 / 4;
  auto& branches = small.run.recording.branches;
  // Two baskets of 156 MB, both partly outside; then ten, of which nine hold none of the events.
  add(branches, {{Branch::baskets, 2}, {Branch::compressed, 312e6}, {Branch::outside, 234e6}});
  CHECK(small.find("baskets-read-again") != nullptr);
  add(branches, {{Branch::baskets, 10}, {Branch::compressed, 1560e6}, {Branch::outside, 1404e6}});
  CHECK(small.find("baskets-read-again") == nullptr);
  // Nor one whose baskets hold the chunk's own events, and are read several times.
  branches = {};
  add(branches, {{Branch::baskets, 20}, {Branch::compressed, 3120e6}, {Branch::outside, 234e6}});
  CHECK(small.find("baskets-read-again") == nullptr);
  // Nor one of a second tree: less than half of what chunks read is in baskets of their branches.
  branches = {};
  add(branches, {{Branch::baskets, 2}, {Branch::compressed, 150e6}, {Branch::outside, 120e6}});
  CHECK(small.find("baskets-read-again") == nullptr);
}

TEST_CASE("Large baskets are read again: with events of others in the first and the last of them") {
  const auto is_found = [](double baskets, double compressed, double outside) {
    SmallRun small;
    const std::size_t file = small.run.files.intern(small.id("root://a//f.root"));
    small.run.files.bytes_read[file] = 156 * 2e6 / 4;  // of 312 MB that chunks read
    add(small.run.recording.branches,
        {{Branch::baskets, baskets}, {Branch::compressed, compressed}, {Branch::outside, outside}});
    return small.find("baskets-read-again") != nullptr;
  };
  // Of ten baskets of 31.2 MB two may be partly outside.
  CHECK_FALSE(is_found(10, 312e6, 100e6));  // that is more than two
  CHECK(is_found(3, 312e6, 200e6));
  CHECK_FALSE(is_found(6, 312e6, 160e6));  // three of 52 MB
  // Half of what was read is outside.
  CHECK(is_found(2, 312e6, 157e6));
  CHECK_FALSE(is_found(2, 312e6, 155e6));
  CHECK_FALSE(is_found(2, 312e6, 80e6));
  // And half of what chunks read is of these baskets.
  CHECK(is_found(2, 157e6, 100e6));
  CHECK_FALSE(is_found(2, 155e6, 100e6));
  // What is outside of several baskets is half of it at least.
  SmallRun small;
  const std::size_t file = small.run.files.intern(small.id("root://a//f.root"));
  small.run.files.bytes_read[file] = 156 * 2e6 / 4;
  auto& branches = small.run.recording.branches;
  add(branches, {{Branch::baskets, 2}, {Branch::compressed, 200e6}, {Branch::outside, 150e6}});
  add(branches, {{Branch::baskets, 10}, {Branch::compressed, 200e6}, {Branch::outside, 140e6}});
  CHECK(small.find("baskets-read-again") != nullptr);
  branches.of(Branch::outside)[1] = 160e6;
  CHECK(small.find("baskets-read-again") == nullptr);
}

TEST_CASE("How files are compressed is known where most of a dataset's are alike") {
  const auto is_found = [](const std::vector<double>& ratios) {
    SmallRun small;
    for (std::size_t i = 0; i < small.run.chunks.size(); ++i) {
      small.run.chunks.dataset[i] = small.id("data");
      small.run.chunks.file[i] = small.id("f" + std::to_string(i % ratios.size()));
      if (i % ratios.size() == 0) small.stretch(i, 1.3);
    }
    for (std::size_t f = 0; f < ratios.size(); ++f)
      small.run.files.compression_ratio[small.run.files.intern(small.id("f" + std::to_string(f)))] =
          ratios[f];
    return small.find("codec") != nullptr;
  };
  CHECK(is_found({0.2, 0.46, 0.46, 0.46, 0.3}));
  CHECK_FALSE(is_found({0.2, 0.3, 0.46, 0.46, 0.46, 0.6, 0.7}));
  CHECK_FALSE(is_found({0.2, 0.46}));
  CHECK(is_found({0.2, 0.46, 0.46}));
  // Fifteen per cent are another codec, two are the same.
  CHECK(is_found({0.845, 1, 1}));
  CHECK_FALSE(is_found({0.855, 1, 1}));
  CHECK(is_found({0.5, 1, 1.019, 0.2, 1}));
  CHECK_FALSE(is_found({0.5, 1, 1.021, 0.2, 0.979}));
}

TEST_CASE("Chunks that read baskets of other chunks' events are told with how much that is") {
  const auto find = [](double baskets, double outside) {
    SmallRun small;
    add(small.run.recording.branches,
        {{Branch::baskets, baskets}, {Branch::compressed, 300e6}, {Branch::outside, outside}});
    const auto* finding = small.find("other-events");
    return finding == nullptr ? "" : finding->title + ": " + finding->evidence;
  };
  CHECK(has(find(100, 200e6), "Chunks read about 200 MB of other chunks' events"));
  CHECK(has(find(100, 200e6), "That is 66.7 % of the 300 MB that they read"));
  CHECK(has(find(100, 30e6), "That is 10 %"));
  CHECK(find(100, 29e6).empty());
  // The first and the last of three baskets hold events of others, too.
  CHECK(find(3, 200e6).empty());
}

TEST_CASE(
    "Chunks whose process reads far more than they ask for are told, and no stragglers then") {
  SmallRun small;
  const auto find = [&](double bytes, double wait) {
    set_rows(small, [&](std::size_t i) {
      return Values{{Task::at_once, 1},
                    {Task::rchar, i < 4 ? bytes : 4e6},
                    {Task::requested_bytes, 4e6},
                    {Task::request_wait, i < 4 ? wait : 0.1}};
    });
    return small.find("reads-more");
  };
  REQUIRE(find(400e6, 15.1) != nullptr);
  CHECK(find(400e6, 15.1)->title ==
        "4 chunks read 1.6 GB from files, of which 16 MB were asked for");
  CHECK(find(400e6, 15.1)->core_seconds == Approx(4 * 15));
  CHECK(find(400e6, 0.1) == nullptr);  // they did not wait for it
  CHECK(find(31e6, 15.1) == nullptr);  // less than eight times as much
}

TEST_CASE("Branches that are read ahead and never used are told with what that takes") {
  SmallRun small;
  const auto find = [&](double wall) {
    set_rows(small, [](std::size_t) { return Values{{Task::open_wall, 0.35}}; });
    add(small.run.recording.tasks, {{Task::kind, small.id("file")}, {Task::wall, 0.05}});
    small.run.recording.chunk.push_back(no_row);
    small.run.recording.branches = {};
    for (const auto& [name, seconds] : {std::pair("pt", 0.001), {"cov00", wall}, {"cov01", wall}})
      add(small.run.recording.branches, {{Branch::branch, small.id(name)},
                                         {Branch::compressed, 30e6},
                                         {Branch::uncompressed, 60e6},
                                         {Branch::ahead, 30e6},
                                         {Branch::wall, seconds}});
    return small.find("unused-preload");
  };
  REQUIRE(find(0) != nullptr);
  CHECK(find(0)->title == "Chunks read 60 MB ahead of process() that it never used");
  CHECK(has(find(0)->evidence, "Nothing in process() read 2 of the 3 branches"));
  CHECK(find(0)->core_seconds == Approx(156 * 0.3 * 2 / 3));
  CHECK(find(0.001) == nullptr);  // they are used
}

TEST_CASE("Branches that the same task reads twice are told with what that takes") {
  const auto find = [](double again) {
    SmallRun small;
    add(small.run.recording.branches, {{Branch::baskets, 40},
                                       {Branch::compressed, 300e6},
                                       {Branch::again, again},
                                       {Branch::wall, 30}});
    const auto* finding = small.find("read-twice");
    return finding == nullptr ? "" : finding->title + ": " + finding->evidence;
  };
  CHECK(has(find(150e6), "Chunks read 150 MB of branches that they had read before: That is 50 %"));
  CHECK(has(find(150e6), "reading and unpacking them took 15 core-s"));
  CHECK(find(29e6).empty());  // counts of collections, say
  CHECK(find(absent).empty());
}

TEST_CASE("Chunks of files without events are told with what they took") {
  SmallRun small;
  CHECK(small.find("empty-chunks") == nullptr);
  for (std::uint32_t i = 1; i < 39; i += 2) {  // of ttbar
    small.run.chunks.events[i] = 0;
    small.run.chunks.file[i] = small.id("/data/empty" + std::to_string(i) + ".root");
    small.stretch(i, 0.5);
  }
  const auto* finding = small.find("empty-chunks");
  REQUIRE(finding != nullptr);
  CHECK(finding->title == "19 chunks of 156 have no events: 9.5 core-s");
  CHECK(finding->evidence.find("They are of 19 files, all of ttbar. A chunk without events took "
                               "500 ms on average:") == 0);
  REQUIRE(finding->selection.ranges.size() == 1);  // these chunks, and not all of ttbar
  CHECK(finding->selection.ranges[0].column == "events");
  CHECK(finding->selection.ranges[0].hi == 0);
  // What the task took besides process(), where rows tell.
  set_rows(small, [](std::uint32_t) { return Values{}; });
  small.run.recording.tasks.of(Task::wall) = std::vector<double>(156, 2);
  CHECK(small.find("empty-chunks")->core_seconds == Approx(38));
  // Less than a twentieth of the core-time is no word worth.
  for (std::uint32_t i = 5; i < 39; i += 2) small.run.chunks.events[i] = 10000;
  CHECK(small.find("empty-chunks") == nullptr);
}

TEST_CASE("A dataset that took longer in one section alone was not slowed by its moment") {
  // Each worker's last ten chunks are ttbar's, which nothing else ran beside.
  const auto title = [](double fit, double fill) {
    SmallRun small;
    for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i)
      small.run.chunks.dataset[i] = small.id(i % SmallRun::chunks_each < 29 ? "data" : "ttbar");
    test::set_workers(small, [&](std::size_t place) {
      return place < 29 ? std::pair(0.2, 0.8) : std::pair(fit, fill);
    });
    const auto* finding = small.find("slow-dataset");
    return finding == nullptr ? std::string() : finding->title + "|" + finding->evidence;
  };
  CHECK(has(title(1.2, 0.8), "Dataset ttbar took 2 times as long per event as any other|"));
  CHECK(has(title(1.2, 0.8), "in section fit. All other sections took hardly longer."));
  CHECK(has(title(0.4, 1.6), "as any other: the dataset, or that moment|"));
}

TEST_CASE("A dataset in files that are much smaller than a chunk says so") {
  const auto title = [](double events) {
    SmallRun small;
    for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i) {
      const bool is_own = i % SmallRun::chunks_each < 10;
      small.run.chunks.dataset[i] = small.id(is_own ? "ttbar" : "data");
      small.run.chunks.file[i] = small.id((is_own ? "t" + std::to_string(i) : "d") + ".root");
      if (is_own) small.run.chunks.events[i] = events;
    }
    const auto* finding = small.find("slow-dataset");
    return finding == nullptr ? std::string() : finding->title + "|" + finding->evidence;
  };
  // Chunks of the same time, with a quarter of the events.
  CHECK(has(title(2500), "as any other, in 40 files of 2,500 events|"));
  CHECK(has(title(2500), "is paid for 2,500 events, elsewhere for 10,000"));
  CHECK(has(title(5000), "Dataset ttbar took 2 times as long per event as any other"));
  CHECK_FALSE(has(title(5000), "files of"));
}
