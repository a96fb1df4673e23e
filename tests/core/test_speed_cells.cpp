#include <cmath>
#include <numeric>

#include "core/compare/speed/speed_cells.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/small_run.hpp"

using namespace crema;
using namespace crema::compare;
using namespace crema::test;

namespace {

/// Chunks of one dataset. Each section takes 1 s in both runs; the last column is the whole chunk.
struct MadeRatios {
  ChunkRatios ratios;
  SmallRun small;

  explicit MadeRatios(std::size_t sections, std::size_t files = 1) {
    ratios.datasets = {"d"};
    ratios.files.assign(files, "f");
    ratios.columns = sections + 1;
    for (std::size_t s = 0; s < sections; ++s) ratios.parts.push_back(s);
    small.run.chunks.placed = false;  // when they ran does not matter here
  }

  /// `logs`: natural logarithms of B / A, by section.
  void add(std::vector<double> logs, std::size_t file = 0, bool of_b = true) {
    std::vector<double> seconds(ratios.columns, 1);
    seconds.back() = static_cast<double>(logs.size());
    logs.push_back(0);
    ratios.entries.push_back({.dataset = 0,
                              .file = file,
                              .chunk = ratios.entries.size(),
                              .of_b = of_b,
                              .ratios = std::move(logs),
                              .seconds = seconds,
                              .seconds_a = seconds});
  }

  Cells cells() const { return cells_of(small.run, small.run, ratios); }
};

/// Of sections that moved by `logs` against a factor of 1, each known from one chunk.
double spread_of(const std::vector<double>& logs, double noise_of_part) {
  MadeRatios made(logs.size());
  made.add(logs);
  SpeedRatio speed;
  speed.factor = 0;
  CellNoise noise;
  noise.part.assign(made.ratios.columns, noise_of_part);
  return spread_of_sections(speed, made.cells(), noise, made.ratios.parts);
}

}  // namespace

TEST_CASE("Sections that each follow the pace in their own way: how far most of them are apart") {
  // 1.4826 is a standard deviation in median absolute deviations; the section that changed alone is
  // beyond the median, however far.
  const double own = std::log(1.1);
  CHECK(spread_of({own, -own, own, -own, own, -own, 2}, 0) == Approx(1.4826 * own));
  CHECK(spread_of({own, -own, own, -own, own, -own, 5}, 0) == Approx(1.4826 * own));
  CHECK(spread_of({0, 0, 0, 0, 0, 0, 2}, 0) == 0);
  // Chance is no way of their own: the median of one chunk has pi / 2 of the chunk's variance.
  const double chance = 0.05 * 0.05 * std::acos(-1.0) / 2;
  CHECK(spread_of({own, -own, own, -own, own, -own, 2}, 0.05) ==
        Approx(std::sqrt(std::pow(1.4826 * own, 2) - chance)).epsilon(0.001));
  CHECK(spread_of({own, -own, own, -own, own, -own, 2}, 0.3) == 0);
  // Five do not tell which of them changed.
  CHECK(spread_of({own, -own, own, -own, 2}, 0) == 0);
}

TEST_CASE("Chunks of the same files count as chunks, those of other files as these files do") {
  const auto counted = [](std::size_t first_of_b) {
    MadeRatios made(1, 4);
    for (std::size_t i = 0; i < 8; ++i) {
      made.add({0.1}, i % 2, false);
      made.add({0.3}, first_of_b + i % 2, true);
    }
    const Cell cell = made.cells().cell_of(0, 0);
    CHECK(cell.typical == Approx(0.2));
    CHECK(cell.chunks == 8);
    return cell.count;
  };
  // A difference of two means is known as the mean of 1 / (1/a + 1/b).
  CHECK(counted(0) == Approx(4));  // 8 chunks a side
  CHECK(counted(2) == Approx(1));  // 2 files a side
}

namespace {

using Kind = PartId::Kind;

/// Chunks of 1 s in both runs that are compared as a whole: one column.
struct WholeChunks {
  ChunkRatios ratios;
  SmallRun small;
  SpeedRatio speed;
  CellNoise noise;

  explicit WholeChunks(std::vector<std::string> datasets) {
    ratios.datasets = std::move(datasets);
    ratios.files.assign(ratios.datasets.size(), "");
    ratios.columns = 1;
    ratios.parts = {0};
    ratios.paired = speed.paired = true;
    small.run.chunks.placed = false;
    speed.factor = 0;
    speed.seconds_a = speed.seconds_b = 100;
    noise.part = {0.1};
    noise.whole = 0.1;
    noise.whole_dof = noise.dof = noise.part_dof = 50;
  }

  /// `count` chunks that take e^log as long.
  ChunkRatios::Entry& add(double log, std::size_t count = 1, std::size_t dataset = 0,
                          double seconds = 1) {
    for (std::size_t i = 0; i < count; ++i) {
      ratios.entries.push_back({.dataset = dataset,
                                .file = dataset,
                                .chunk = ratios.entries.size(),
                                .ratios = {log},
                                .chunk_a = ratios.entries.size()});
      for (auto* side : {&ratios.entries.back().seconds, &ratios.entries.back().seconds_a})
        *side = {seconds};
    }
    return ratios.entries.back();
  }
  void of_worker(std::size_t worker, std::size_t count) {
    for (std::size_t i = ratios.entries.size() - count; i < ratios.entries.size(); ++i)
      ratios.entries[i].worker = worker;
  }

  /// Chunks ran one after the other.
  void place() {
    small.run.chunks.placed = true;
    std::iota(small.run.chunks.t_start.begin(), small.run.chunks.t_start.end(), 0);
  }

  Cells cells() const { return cells_of(small.run, small.run, ratios); }
  const Effect* dataset(const char* name) {
    add_datasets_and_sections(speed, cells(), noise, {0});
    return speed.find({.kind = Kind::dataset, .dataset = name});
  }
};

}  // namespace

TEST_CASE("A dataset's effect: its chunks against the common factor, with the error of a median") {
  WholeChunks made({"d"});
  made.add(0.3, 10);
  made.speed.factor = 0.1;
  made.noise.autocorrelation = 0.2;
  made.speed.between_place_spread = 0.04;
  const Effect* const part = made.dataset("d");
  REQUIRE(part != nullptr);
  CHECK(part->log_ratio == Approx(0.2));
  CHECK(part->excess() == Approx(10 * (1 - std::exp(-0.2))));
  // the variance of a median of ten, what of it lasts, how places differ, and the least error
  CHECK(part->error == Approx(std::sqrt(0.01 * (1.57 / 10 + 0.2) + 0.04 * 0.04 + 0.002 * 0.002)));
  CHECK(part->seconds_a == 10);
  CHECK(part->seconds_b == 10);
  CHECK(part->chunks == 10);
  CHECK(part->dof == 50);
  CHECK_FALSE(part->is_of_moment);
}

TEST_CASE("A burst that takes in more than the part is the moment's: a chunk in ten, and odds") {
  // In order of time: chunks as usual, some that changed before the part did, then all of the part.
  const auto is_moment = [](std::size_t before, std::size_t of_part, double spread,
                            double log_of_more = 0.5, std::size_t more = 0) {
    WholeChunks made({"usual", "part"});
    made.add(0, 40);
    made.add(log_of_more, more);
    made.add(0.5, before);
    made.add(0.5, of_part, 1);
    made.place();
    made.noise.whole = spread;
    made.noise.dof = 1e9;
    const Effect* const part = made.dataset("part");
    REQUIRE(part->log_ratio == Approx(0.5));
    return part->is_of_moment;
  };
  // A chunk weighs 3 at most: two are more than 3, one is not.
  CHECK(is_moment(2, 10, 0.05));
  CHECK_FALSE(is_moment(1, 9, 0.05));
  // Of 20 chunks more than two.
  CHECK_FALSE(is_moment(2, 20, 0.05));
  CHECK(is_moment(3, 20, 0.05));
  // (0.5 / 0.36)^2 / 2 is a little less than 1: four chunks are more than 3.
  CHECK_FALSE(is_moment(3, 10, 0.36));
  CHECK(is_moment(4, 10, 0.36));
  // A chunk that changed by more than the part has no more than its vote.
  CHECK_FALSE(is_moment(0, 9, 0.05, 0.9, 1));
  // What changed by half votes for neither.
  CHECK_FALSE(is_moment(0, 10, 0.05, 0.25, 8));
  CHECK_FALSE(is_moment(1, 9, 0.05, 0.25, 8));
  CHECK(is_moment(0, 10, 0.05, 0.45, 8));
}

TEST_CASE(
    "Two datasets that changed one after the other: it may be the moment; files that were "
    "exchanged not") {
  const auto is_moment = [](bool is_exchanged) {
    WholeChunks made({"usual", "before", "part"});
    made.add(0, 40);
    made.add(0.5, 10, 1);
    for (std::size_t i = 40; i < 50; ++i) made.ratios.entries[i].is_of_other_file = is_exchanged;
    made.add(0.5, 10, 2);
    made.place();
    return made.dataset("part")->is_of_moment;
  };
  CHECK(is_moment(false));
  CHECK_FALSE(is_moment(true));
}

TEST_CASE("Nothing is a moment's that is no more than two errors, or was not placed in time") {
  const auto is_moment = [](double error, bool is_placed) {
    WholeChunks made({"usual", "part"});
    made.add(0, 40);
    made.add(0.5, 4);
    made.add(0.5, 10, 1);
    if (is_placed) made.place();
    made.speed.between_place_spread = error;
    return made.dataset("part")->is_of_moment;
  };
  CHECK(is_moment(0.24, true));
  CHECK_FALSE(is_moment(0.26, true));
  CHECK_FALSE(is_moment(0.1, false));
}

TEST_CASE("A section's cell is known from its own chunks, and may be slow by threads in its way") {
  // Two sections in three chunks: the first took e^0.4 as long.
  const auto cell = [](std::size_t chunks, double allowance) {
    MadeRatios made(2);
    made.ratios.sections = {SectionId{"p"}, SectionId{"q"}};
    for (std::size_t i = 0; i < chunks; ++i) made.add({0.4, 0});
    SpeedRatio speed;
    speed.factor = 0;
    speed.oversubscription_allowance = allowance;
    CellNoise noise;
    noise.part.assign(3, 0.1);
    noise.part_dof = 50;
    add_datasets_and_sections(speed, made.cells(), noise, {0, 1});
    return *speed.find({.kind = Kind::cell, .dataset = "d", .section = SectionId{"p"}});
  };
  // two degrees of freedom for each chunk but one
  CHECK(cell(1, 0).dof == 2);
  CHECK(cell(2, 0).dof == 2);
  CHECK(cell(4, 0).dof == 6);
  CHECK(cell(40, 0).dof == 50);
  CHECK(cell(4, 0).log_ratio == Approx(0.4));
  CHECK(cell(4, 0).allowed == 0);
  CHECK(cell(4, 0.3).allowed == Approx(0.3));
  CHECK(cell(4, -0.3).allowed == 0);
  CHECK(cell(4, 0).error == Approx(std::sqrt(0.01 * 1.57 / 4 + 0.002 * 0.002)));
}

TEST_CASE("A section that only one run has is told as that, in its dataset and as a whole") {
  const double infinite = std::numeric_limits<double>::infinity();
  const auto told = [&](double seconds_a, double seconds_b) {
    MadeRatios made(2);
    made.ratios.sections = {SectionId{"p"}, SectionId{"q"}};
    for (std::size_t i = 0; i < 5; ++i) {
      made.add({absent, 0});
      made.ratios.entries.back().seconds = {seconds_b, 1.0, 1.0};
      made.ratios.entries.back().seconds_a = {seconds_a, 1.0, 1.0};
    }
    SpeedRatio speed;
    speed.factor = 0;
    CellNoise noise;
    noise.part.assign(3, 0.1);
    add_datasets_and_sections(speed, made.cells(), noise, {0, 1});
    const Effect* const cell =
        speed.find({.kind = Kind::cell, .dataset = "d", .section = SectionId{"p"}});
    const Effect* const all = speed.find({.kind = Kind::section, .section = SectionId{"p"}});
    CHECK((cell == nullptr) == (all == nullptr));
    if (cell == nullptr) return absent;
    CHECK(cell->chunks == 5);
    CHECK(all->seconds_a == Approx(5 * seconds_a));
    CHECK(all->seconds_b == Approx(5 * seconds_b));
    CHECK(all->log_ratio == cell->log_ratio);
    return cell->log_ratio;
  };
  CHECK(told(0, 2) == infinite);
  CHECK(told(2, 0) == -infinite);
  CHECK(is_absent(told(2, 2)));
  CHECK(is_absent(told(0, 0)));
}

TEST_CASE("Files and hosts: each against the factor, and a host of one dataset is of that") {
  WholeChunks made({"d", "e"});
  made.ratios.files = {"root://near//a", "root://near//b", "root://far//c", ""};
  made.add(0.2, 6).file = 0;
  for (std::size_t i = 0; i < 6; ++i) made.ratios.entries[i].file = 0;
  made.add(0.4, 6, 1);
  for (std::size_t i = 0; i < 6; ++i)
    made.ratios.entries.back().file = 1, made.add(0.1, 1, 1).file = 2;
  made.ratios.entries.push_back(made.ratios.entries[0]);
  made.ratios.entries.back().file = 3;
  add_files_and_hosts(made.speed, made.cells(), made.noise);
  const Effect* const a = made.speed.find({.kind = Kind::file, .place = "root://near//a"});
  REQUIRE(a != nullptr);
  CHECK(a->log_ratio == Approx(0.2));
  CHECK(a->dataset == "d");
  CHECK(a->error == Approx(std::sqrt(0.01 * 1.57 / 6 + 0.002 * 0.002)));
  const Effect* const near = made.speed.find({.kind = Kind::host, .place = "near"});
  REQUIRE(near != nullptr);
  CHECK(near->dataset == std::nullopt);
  CHECK(made.speed.find({.kind = Kind::host, .place = "far"})->dataset == "e");
  CHECK(made.speed.find({.kind = Kind::file, .place = ""}) == nullptr);
}

TEST_CASE("Workers of four chunks are held against each other, of two against the faster one") {
  // All chunks but those of the second worker took what they took.
  const auto second = [](std::size_t chunks, double log = 0.5) {
    WholeChunks made({"d"});
    made.ratios.workers = {"one", "two"};
    made.add(0, 10);
    made.of_worker(0, 10);
    made.add(log, chunks);
    made.of_worker(1, chunks);
    add_workers(made.speed, made.cells(), made.noise, 0.1);
    const Effect* const part = made.speed.find({.kind = Kind::worker, .place = "two"});
    return part == nullptr ? Effect{} : *part;
  };
  const Effect four = second(4);
  CHECK(four.log_ratio == Approx(0.5));
  CHECK(four.chunks == 4);
  CHECK(four.seconds_b == 4);
  CHECK(four.seconds_a == 4);
  CHECK(four.allowed == 0);
  CHECK(four.dof == 50);
  // a median of four and one of ten, and how much workers differ anyway
  CHECK(four.error ==
        Approx(std::sqrt(0.01 * (1.57 / 4 + 1.57 / 10) + 2 * 0.05 * 0.05 + 0.002 * 0.002)));
  CHECK(is_absent(second(3).log_ratio));
  // The faster one of two is what a worker can do.
  CHECK(second(4, -0.5).log_ratio == Approx(0).margin(1e-9));
  // Chunks that do not pair tell nothing of workers.
  WholeChunks apart({"d"});
  apart.speed.paired = false;
  apart.ratios.workers = {"one", "two"};
  apart.add(0, 8);
  apart.of_worker(0, 4);
  apart.of_worker(1, 4);
  add_workers(apart.speed, apart.cells(), apart.noise, 0.1);
  CHECK(apart.speed.parts.empty());
}

TEST_CASE("Workers may be twice as far apart as those of A were, of four chunks each") {
  const auto allowed = [](std::size_t of_slow_a) {
    WholeChunks made({"d"});
    made.ratios.workers = {"one", "two"};
    for (std::size_t worker = 0; worker < 2; ++worker) {
      made.add(worker == 0 ? 0 : 0.5, 12);
      made.of_worker(worker, 12);
      // One of A's workers took e^0.1 as long: B's ratios are less by it.
      for (std::size_t i = 0; i < 12; ++i) {
        auto& entry = made.ratios.entries[made.ratios.entries.size() - 12 + i];
        const bool is_slow = worker == 0 && i < of_slow_a;
        entry.worker_a = is_slow ? 1 : 0;
        if (is_slow) entry.ratios[0] -= 0.1;
      }
    }
    add_workers(made.speed, made.cells(), made.noise, 0.1);
    return made.speed.find({.kind = Kind::worker, .place = "two"})->allowed;
  };
  CHECK(allowed(4) == Approx(0.2));
  CHECK(allowed(3) == 0);
}

TEST_CASE("Of many workers most agree: who is slower than these is slow") {
  WholeChunks made({"d"});
  made.ratios.workers = {"a", "b", "c", "d", "e"};
  for (std::size_t worker = 0; worker < 5; ++worker) {
    made.add(worker == 4 ? 0.6 : 0.02 * static_cast<double>(worker), 8);
    made.of_worker(worker, 8);
  }
  add_workers(made.speed, made.cells(), made.noise, 0.1);
  CHECK(made.speed.find({.kind = Kind::worker, .place = "e"})->log_ratio ==
        Approx(0.57).margin(0.02));
  CHECK(std::fabs(made.speed.find({.kind = Kind::worker, .place = "b"})->log_ratio) < 0.03);
}

TEST_CASE("A chunk of its own: three times its like, six spreads away and a twentieth of the run") {
  const auto is_told = [](double log, double spread, double seconds_b, bool is_section = true) {
    MadeRatios made(2);
    made.ratios.sections = {SectionId{"p"}, SectionId{"q"}};
    for (std::size_t i = 0; i < 20; ++i) made.add({0, 0});
    // Its second section has all of it, or seven tenths.
    const double all = 2 * std::exp(log), more = all - 2;
    made.add({0, log});
    made.ratios.entries.back().ratios = {0, log, log};
    made.ratios.entries.back().seconds = is_section
                                             ? std::vector{1.0, 1 + more, all}
                                             : std::vector{1 + 0.3 * more, 1 + 0.7 * more, all};
    SpeedRatio speed;
    speed.factor = 0;
    speed.seconds_b = seconds_b;
    CellNoise noise;
    noise.whole = spread;
    made.small.run.chunks.entry_start.assign(30, 1000);
    made.small.run.chunks.entry_stop.assign(30, 2000);
    add_stragglers(speed, made.cells(), noise);
    if (speed.parts.empty()) return std::string();
    const Effect& part = speed.parts.begin()->second;
    CHECK(part.chunks == 1);
    CHECK(part.seconds_a == 2);
    CHECK(part.seconds_b == Approx(all));
    CHECK(part.id.place == "f, entries 1000–2000");
    return part.section ? part.section->name : "no section";
  };
  CHECK(is_told(1.11, 0.1, 10) == "q");
  CHECK(is_told(1.09, 0.1, 10).empty());
  CHECK(is_told(1.5, 0.249, 10) == "q");
  CHECK(is_told(1.5, 0.251, 10).empty());
  // e^1.5 as long are 6.96 s more than 2 s: of 140 s a twentieth is 7 s.
  CHECK(is_told(1.5, 0.1, 139) == "q");
  CHECK(is_told(1.5, 0.1, 140).empty());
  CHECK(is_told(1.5, 0.1, 10, false) == "no section");
}

TEST_CASE("The common factor is what most datasets say, of those that are a hundredth of one") {
  const auto factor = [](double seconds, std::size_t of_small) {
    WholeChunks made({"a", "b", "c", "d"});
    made.add(0.2, 10, 0);
    for (std::size_t small = 1; small <= 3; ++small) made.add(0, of_small, small, seconds);
    made.speed.seconds_a = made.speed.seconds_b = 10;
    made.noise.whole = made.noise.part[0] = 0.01;
    find_factor(made.speed, made.cells(), made.noise, {0}, 0.1);
    return made.speed.factor;
  };
  // 20 s of two runs and four datasets: 0.05 s have a vote.
  CHECK(factor(0.026, 1) == Approx(0).margin(0.01));
  CHECK(factor(0.024, 1) == Approx(0.2).margin(0.01));
}

TEST_CASE("How chunks spread about their file's or their dataset's level, and parts in a chunk") {
  WholeChunks made({"d"});
  // Two files a level apart; their chunks are 0.1 off, one way or the other.
  made.ratios.files = {"f", "g"};
  for (int i = 0; i < 10; ++i) made.add(i % 2 == 0 ? 0.1 : -0.1).file = 0;
  for (int i = 0; i < 10; ++i) made.add(i % 2 == 0 ? 1.1 : 0.9).file = 1;
  const CellNoise noise = noise_of(made.cells());
  CHECK(noise.whole == Approx(0.1 * std::sqrt(20.0 / 19)));
  CHECK(noise.whole_dof == 18);
  CHECK(noise.dof == 8 + 3);  // assumed, and of four blocks of five
  // Of two chunks of a file its dataset tells the level.
  WholeChunks few({"d"});
  few.ratios.files = {"f", "g"};
  for (int i = 0; i < 10; ++i) few.add(0).file = 0;
  for (int i = 0; i < 2; ++i) few.add(1).file = 1;
  const Cells cells = few.cells();
  CHECK(is_absent(cells.file_level[1]));
  CHECK(cells.usual_of(few.ratios.entries[11]) == Approx(0).margin(1e-9));
  CHECK(cells.usual_of(few.ratios.entries[0]) == Approx(0).margin(1e-9));
  few.add(1).file = 1;
  CHECK(few.cells().file_level[1] == Approx(1));
}

namespace {

/// Two runs of 156 chunks of 1 s, one of each range of one file, of one dataset.
struct TwoRuns {
  SmallRun a, b;

  TwoRuns() {
    b.run.names = a.run.names;
    for (SmallRun* run : {&a, &b}) {
      Chunks& c = run->run.chunks;
      for (std::size_t i = 0; i < c.size(); ++i) {
        c.dataset[i] = run->id("d");
        c.file[i] = run->id("root://host/x/f.root");
        c.entry_start[i] = static_cast<double>(i) * 10000;
        c.entry_stop[i] = c.entry_start[i] + 10000;
      }
    }
  }
  /// The first chunks of B are of other ranges.
  void move(std::size_t chunks) {
    for (std::size_t i = 0; i < chunks; ++i) b.run.chunks.entry_start[i] += 1;
  }
  ChunkRatios ratios() {
    for (SmallRun* run : {&a, &b}) run->run.facts = {};
    return chunk_ratios(a.run, ChunkSelection(a.run, {}), b.run, ChunkSelection(b.run, {}));
  }
};

}  // namespace

TEST_CASE("Chunks pair by their ranges, where these are half of the seconds of both runs") {
  TwoRuns half;
  half.move(78);
  CHECK(half.ratios().paired);
  CHECK(half.ratios().entries.size() == 78);
  half.move(79);
  CHECK_FALSE(half.ratios().paired);
  // Of A's seconds, and of B's.
  for (const bool of_b : {false, true}) {
    TwoRuns third;
    third.move(52);
    CHECK(third.ratios().paired);
    for (std::size_t i = 0; i < 52; ++i) (of_b ? third.b : third.a).stretch(i, 2.1);
    CHECK_FALSE(third.ratios().paired);
  }
  // A chunk whose range is not known has no like, nor has one without a file or a duration.
  TwoRuns unknown;
  unknown.b.run.chunks.entry_stop[0] = absent;
  unknown.a.run.chunks.entry_start[1] = absent;
  unknown.b.run.chunks.file[2] = unknown.a.run.chunks.file[2] = no_string;
  unknown.b.stretch(3, 0);
  CHECK(unknown.ratios().entries.size() == 152);
  // Of two chunks with one range each pairs once.
  TwoRuns twice;
  twice.b.run.chunks.entry_start[1] = twice.b.run.chunks.entry_start[0];
  twice.b.run.chunks.entry_stop[1] = twice.b.run.chunks.entry_stop[0];
  CHECK(twice.ratios().entries.size() == 155);
}

TEST_CASE("Files elsewhere pair by their names without the folder") {
  TwoRuns moved;
  for (std::size_t i = 0; i < moved.b.run.chunks.size(); ++i) {
    moved.b.run.chunks.file[i] = moved.b.id(i % 2 == 0 ? "root://host/y/f.root" : "f.root");
    moved.b.stretch(i, 2);
  }
  const ChunkRatios ratios = moved.ratios();
  CHECK(ratios.paired);
  REQUIRE(ratios.entries.size() == 156);
  CHECK(ratios.entries[0].ratios.back() == Approx(std::log(2.0)));
  CHECK(ratios.entries[0].chunk_a == 0);
  TwoRuns renamed;
  for (StringId& file : renamed.b.run.chunks.file) file = renamed.b.id("root://host/x/g.root");
  CHECK_FALSE(renamed.ratios().paired);
}

TEST_CASE("Sections are columns, what they leave is one, and so is the whole chunk") {
  TwoRuns runs;
  for (SmallRun* run : {&runs.a, &runs.b}) {
    run->section("p", 0.3);
    run->section("q", run == &runs.a ? 0.2 : 0.4);
  }
  const ChunkRatios ratios = runs.ratios();
  CHECK(ratios.columns == 4);
  CHECK(ratios.parts == std::vector<std::size_t>{0, 1, 2});
  CHECK_FALSE(ratios.overlap);
  const ChunkRatios::Entry& entry = ratios.entries.front();
  CHECK(entry.ratios[0] == 0);
  CHECK(entry.ratios[1] == Approx(std::log(2.0)));
  CHECK(entry.ratios[2] == Approx(std::log(0.3 / 0.5)));
  CHECK(entry.ratios[3] == 0);
  CHECK(entry.seconds[2] == Approx(0.3));
  // Sections that come to more than their chunk lie in each other: there is no rest to compare.
  runs.b.section("r", 0.4);
  const ChunkRatios nested = runs.ratios();
  CHECK(nested.overlap);
  CHECK(nested.parts == std::vector<std::size_t>{0, 1, 2});
  CHECK(nested.columns == 5);
  // Where one run has none, process() as a whole is compared.
  runs.a.run.chunks.sections.clear();
  const ChunkRatios whole = runs.ratios();
  CHECK(whole.columns == 2);
  CHECK(whole.parts == std::vector<std::size_t>{1});
  CHECK_FALSE(whole.overlap);
}

TEST_CASE("Chunks of another size are held against what A's line lets expect of their events") {
  TwoRuns runs;
  runs.move(156);
  // A: half a second for nothing, and 50 µs an event, in chunks of 10,000 and of 30,000.
  for (std::size_t i = 0; i < 156; ++i) {
    runs.a.run.chunks.events[i] = i % 2 == 0 ? 10000 : 30000;
    runs.a.stretch(i, 0.5 + runs.a.run.chunks.events[i] * 5e-5);
    runs.b.run.chunks.events[i] = 10000;
    runs.b.stretch(i, 2);  // twice the 1 s that it is to take
  }
  const ChunkRatios ratios = runs.ratios();
  CHECK_FALSE(ratios.paired);
  CHECK(ratios.resized == Approx(std::log(0.5)));  // of the median of 20,000
  REQUIRE(ratios.entries.size() == 312);
  for (const ChunkRatios::Entry& entry : ratios.entries)
    CHECK(entry.ratios[1] == Approx(entry.of_b ? std::log(2.0) : 0).margin(1e-9));
  CHECK(ratios.may(0, 1) == Approx(0).margin(1e-9));
  // Of equal chunks it is open whether they cost by the event or by the chunk.
  for (std::size_t i = 0; i < 156; ++i) {
    runs.a.run.chunks.events[i] = 20000;
    runs.a.stretch(i, 1.5);
    runs.b.stretch(i, 0.75);
  }
  const ChunkRatios open = runs.ratios();
  CHECK(open.may(0, 1) == Approx(std::log(2.0)));
  CHECK(open.entries.back().ratios[1] == Approx(0).margin(1e-9));
  // Each dataset has its own sizes: of every other chunk a quarter of the events.
  for (std::size_t i = 1; i < 156; i += 2) {
    runs.a.run.chunks.dataset[i] = runs.b.run.chunks.dataset[i] = runs.a.id("e");
    runs.b.run.chunks.events[i] = 5000;
  }
  const ChunkRatios two = runs.ratios();
  CHECK(two.may(0, 1) == Approx(std::log(2.0)));
  CHECK(two.may(1, 1) == Approx(std::log(4.0)));
  // Chunks without events are left out.
  runs.b.run.chunks.events[0] = 0;
  CHECK(runs.ratios().entries.size() == 311);
}

TEST_CASE("Of paired chunks B's time is known by chunk of A; of others it is not") {
  TwoRuns runs;
  runs.move(3);
  for (std::size_t i = 0; i < runs.b.run.chunks.size(); ++i) runs.b.stretch(i, 1.5);
  const auto inside = [&] {
    for (SmallRun* run : {&runs.a, &runs.b}) run->run.facts = {};
    return compare_speed(runs.a.run, ChunkSelection(runs.a.run, {}), runs.b.run,
                         ChunkSelection(runs.b.run, {}), 0.1)
        .inside;
  };
  CHECK(is_absent(inside()[2]));
  CHECK(inside()[3] == 1.5);
  runs.move(156);
  CHECK(is_absent(inside()[3]));
  // The logarithmic mean of what is not above 0 is the larger one.
  CHECK(log_mean(0, 5) == 5);
  CHECK(log_mean(5, 0) == 5);
  CHECK(log_mean(5, 5) == 5);
  CHECK(log_mean(1, std::exp(1.0)) == Approx(std::exp(1.0) - 1));
  // Two chunks leave one degree of freedom.
  WholeChunks two({"d"});
  two.add(0.1, 2);
  CHECK(noise_of(two.cells()).whole_dof == 1);
}

TEST_CASE("What chunks waited longer for a CPU: as rows say, else where other programs ran") {
  using recorded_columns::Task;
  const auto change = [](double delay_a, double delay_b, double others) {
    TwoRuns runs;
    const auto measure = [&](SmallRun& small, double delay, double busy) {
      RecordedTables& rows = small.run.recording;
      rows.tasks.resize(small.run.chunks.size());
      rows.tasks.of(Task::process_cpu).assign(small.run.chunks.size(), 0.5);
      if (!is_absent(delay)) rows.tasks.of(Task::run_delay).assign(small.run.chunks.size(), delay);
      for (std::uint32_t i = 0; i < small.run.chunks.size(); ++i) rows.chunk.push_back(i);
      using recorded_columns::Machine;
      rows.machine.resize(40);
      for (std::size_t second = 0; second < 40; ++second) {
        rows.machine.of(Machine::begin)[second] = static_cast<double>(second);
        rows.machine.of(Machine::wall)[second] = 1;
        rows.machine.of(Machine::busy)[second] = 2 + busy;
        rows.machine.of(Machine::own)[second] = 2;
      }
    };
    measure(runs.a, delay_a, 0);
    measure(runs.b, delay_b, others);
    for (std::size_t i = 0; i < 156; ++i) runs.b.stretch(i, 1.2);
    const Run* const a[] = {&runs.a.run};
    const Run* const b[] = {&runs.b.run};
    const std::vector<ChunkSelection> chosen = {ChunkSelection(runs.a.run, {}),
                                                ChunkSelection(runs.b.run, {})};
    const MeasuredChange made = measured_change(a, b, chosen);
    CHECK(made.others == Approx(others).margin(1e-9));
    double sum = 0;
    for (const MeasuredTime& time : made.times) sum += time.seconds;
    CHECK(sum == Approx(156 * 0.2));
    const auto found = made.for_cpu.find({.kind = Kind::dataset, .dataset = "d"});
    return found == made.for_cpu.end() ? absent : found->second;
  };
  CHECK(change(0.1, 0.3, 0) == Approx(156 * 0.2));
  CHECK(is_absent(change(absent, absent, 0.24)));
  CHECK(change(absent, absent, 0.26) == Approx(156 * 0.2));
}
