#include <numeric>

#include "core/diagnose/diagnose.hpp"
#include "core/query/list.hpp"
#include "core/stats/p_value.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/small_run.hpp"

using namespace crema;
using namespace crema::stats;
using namespace crema::test;

namespace {

Table why(const Run& run, const Selection& selection) {
  const Run* const runs[] = {&run};
  return query::why::question(runs, selection, {});
}

/// 160 chunks of 1 s; every eighth file is on host b, and there each chunk takes 3 s.
struct SlowHost : SmallRun {
  SlowHost() {
    for (std::uint32_t i = 0; i < run.chunks.size(); ++i) {
      const bool is_slow = i % 8 == 0;
      run.chunks.file[i] = id(is_slow ? "root://b//g.root" : "root://a//f.root");
      if (is_slow) run.chunks.duration[i] = 3;
    }
  }
};

}  // namespace

TEST_CASE("Why: slow chunks are of one host, and no dataset, worker or moment is told") {
  SlowHost of;
  of.stream();
  Selection slow;
  slow.ranges = {{"duration", 2, 10}};
  const Table table = why(of.run, slow);
  // 156 chunks, every eighth
  REQUIRE(std::get<double>(table.notes[0].value) == 20);
  CHECK(table.text("feature", 0) == "file");
  CHECK(table.text("feature", 1) == "host");
  CHECK(table.text("value", 1) == "b");
  CHECK(table.number("selected", 1) == 20);
  CHECK(table.number("of_all", 1) == 20);
  CHECK(table.number("lift", 1) == Approx(156.0 / 20));
  CHECK(table.number("explained", 1) > 0.9);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    INFO(table.text("feature", row));
    CHECK(table.number("significant", row) == (row < 2 ? 1 : 0));
    CHECK(table.number("significant_then", row) == (row < 2 ? 1 : 0));
  }
  CHECK(table.text_note("verdict").starts_with("file root://b//g.root: 20 of these 20 chunks"));
}

TEST_CASE("Why: at equal times a file that was read at the slow moment sets nothing apart") {
  SmallRun of;
  for (std::uint32_t i = 0; i < of.run.chunks.size(); ++i) {
    const double at = of.run.chunks.t_start[i];
    // what began in these seconds was slow, and half of it, no more, read the other file
    const bool is_slow = at > 10 && at < 17;
    if (is_slow) of.run.chunks.duration[i] = 3;
    if (is_slow && i % 2 == 0) of.run.chunks.file[i] = of.id("root://a//g.root");
  }
  Selection slow;
  slow.ranges = {{"duration", 2, 10}};
  const Table table = why(of.run, slow);
  CHECK(table.text("feature", 0) == "time");
  const std::size_t file = table.row_of("feature", "file");
  CHECK(table.number("significant", file) == 1);
  CHECK(table.number("significant_then", file) == 0);
}

TEST_CASE("Why: of few chunks counts alone, of a worker by its tasks, of nothing a sentence") {
  SlowHost of;
  of.stream();
  Selection few;
  few.ranges = {{"duration", 2, 10}};
  few.time = Selection::TimeRange{0, 8};
  const Table counts = why(of.run, few);
  CHECK(std::isnan(counts.number("explained", 0)));
  CHECK(counts.text_note("verdict").ends_with("too few to be distinguished from chance"));

  Selection worker;
  worker.workers = {"tcp://10.0.0.1:1000"};
  CHECK(std::get<double>(why(of.run, worker).notes[0].value) == SmallRun::chunks_each);
  CHECK(why(of.run, {}).text_note("missing").starts_with("all chunks are selected"));
}

TEST_CASE("Why: where many files share what is selected, none of them is named") {
  SmallRun of;
  for (std::uint32_t i = 0; i < of.run.chunks.size(); ++i) {
    // two chunks a file; of every other file both are slow
    of.run.chunks.file[i] = of.id("root://a//" + std::to_string(i / 2) + ".root");
    if (i / 2 % 2 == 0) of.run.chunks.duration[i] = 3;
  }
  Selection slow;
  slow.ranges = {{"duration", 2, 10}};
  const Table table = why(of.run, slow);
  CHECK(table.text("feature", 0) == "file");
  CHECK(table.number("significant", 0) == 1);
  CHECK(table.text_note("verdict").starts_with("The file explains "));
}

TEST_CASE("Why: of selections that are chance, one in twenty at most is told of") {
  SlowHost of;
  of.stream();
  for (std::size_t i = 0; i < of.run.chunks.size(); ++i) {
    of.run.chunks.events[i] = 10000 + 100 * static_cast<double>(i % 13);
    of.run.chunks.memory_before[i] = 1e8 + 1e6 * static_cast<double>(i % 29);
  }
  const std::vector<const ChunkFeature*> features = features_beside(of.run, {});
  REQUIRE(features.size() == 9);
  std::vector<std::uint32_t> all(of.run.chunks.size());
  std::iota(all.begin(), all.end(), 0U);
  RandomBits random;
  std::vector<std::uint64_t> choices(all.size());
  int told = 0, told_then = 0, tried = 0;
  std::vector<double> p_values;
  for (const std::size_t count : {10U, 30U, 78U, 140U}) {
    // other bits than those that set_apart begins with
    for (int skipped = 0; skipped < 12345; ++skipped) random.next();
    choose(all, count, random, choices);
    for (std::size_t k = 0; k < choices_at_once; ++k) {
      std::vector<bool> selected;
      for (const std::uint64_t word : choices) selected.push_back((word >> k & 1U) != 0);
      bool is_told = false, is_told_then = false;
      for (const FeatureAssociation& one : associate(of.run, features, selected)) {
        is_told |= one.is_significant;
        is_told_then |= one.is_significant_then;
        if (one.feature->name == "worker") p_values.push_back(one.p_value);
      }
      ++tried;
      told += is_told ? 1 : 0;
      told_then += is_told_then ? 1 : 0;
    }
  }
  // 12.8 of 256 are allowed, with a standard deviation of 3.5
  REQUIRE(tried == 256);
  CHECK(told <= 20);
  CHECK(told_then <= told);
  // a chance is as often below a half as above, and once in ten below a tenth
  const auto below = [&](double limit) {
    return std::count_if(p_values.begin(), p_values.end(), [&](double c) { return c < limit; });
  };
  CHECK(std::abs(below(0.5) - 128) < 32);
  CHECK(std::abs(below(0.1) - 25.6) < 16);
}

TEST_CASE("Why: how many tasks ran at once is the mean over a chunk's time") {
  // Four chunks run at any time; beside two of them, a fifth for half of theirs.
  SmallRun of;
  of.add_chunk(10, 1, 10000, "data");
  const ChunkFeature* at_once = nullptr;
  for (const ChunkFeature* feature : features_beside(of.run, {}))
    at_once = feature->name == "tasks at once" ? feature : at_once;
  REQUIRE(at_once != nullptr);
  REQUIRE(at_once->ranges == std::vector<std::pair<double, double>>{{4, 4}, {4, 5}});
  // two on each of four workers, and the fifth
  CHECK(at_once->members(1).size() == 9);
}

TEST_CASE("Why: a feature of two values by hand, its chance that of a chi square") {
  // 40 of 80 chunks are selected: 25 of the 40 of one dataset, 15 of the 40 of the other.
  SmallRun of;
  of.run.chunks = Chunks();
  std::vector<bool> selected;
  for (std::size_t i = 0; i < 80; ++i) {
    of.add_chunk(static_cast<double>(i / 2), 1, 10000, i % 2 == 0 ? "data" : "ttbar");
    selected.push_back(i / 2 < 15 || (i % 2 == 0 && i / 2 < 25));
  }
  std::vector<const ChunkFeature*> dataset;
  for (const ChunkFeature* feature : features_beside(of.run, {}))
    if (feature->name == "dataset") dataset.push_back(feature);
  REQUIRE(dataset.size() == 1);
  const FeatureAssociation found = associate(of.run, dataset, selected).front();
  CHECK(found.selected == 25);
  CHECK(found.of_all == 40);
  CHECK(found.lift == Approx(1.25));
  // G = 2 Σ seen ln(seen / expected), with 20 expected of each; at most 2 x 80 ln 2.
  const double g = 4 * (25 * std::log(1.25) + 15 * std::log(0.75));
  CHECK(found.explained == Approx((g - 1) / (160 * std::log(2.0))).epsilon(0.05));
  // One degree of freedom: erfc(sqrt(G / 2)).
  CHECK(found.p_value == Approx(std::erfc(std::sqrt(g / 2))).epsilon(0.3));
  CHECK(found.is_significant);
  // As even as they can be: nothing is explained, and chance has it or more nearly always.
  std::vector<bool> even;
  for (std::size_t i = 0; i < 80; ++i) even.push_back(i / 2 < 20);
  const FeatureAssociation none = associate(of.run, dataset, even).front();
  CHECK(none.explained == 0);
  CHECK(none.p_value > 0.8);
  CHECK_FALSE(none.is_significant);
  // Eight chunks on either side are enough, fewer are not.
  for (const std::size_t few : {7, 8}) {
    std::vector<bool> first(80, false), all_but(80, true);
    for (std::size_t i = 0; i < few; ++i) first[i] = true, all_but[i] = false;
    CHECK(is_absent(associate(of.run, dataset, first).front().explained) == (few < 8));
    CHECK(is_absent(associate(of.run, dataset, all_but).front().explained) == (few < 8));
  }
}

TEST_CASE("Why: files of few chunks, which are counted together, have the chance of others") {
  // Of 240 files of 15 chunks, and of 225 of 16, which are counted one by one, half of the chunks
  // are selected: 11 of each second file and 4 of the others, or 8 and 7.
  for (const std::size_t chunks : {15U, 16U}) {
    SmallRun of;
    of.run.chunks = Chunks();
    std::vector<bool> apart, even;
    for (std::size_t i = 0; i < 3600; ++i) {
      of.add_chunk(static_cast<double>(i), 1, 10000, "data");
      const std::size_t file = i / chunks, place = i % chunks;
      of.run.chunks.file[i] = of.id("root://a//" + std::to_string(file) + ".root");
      apart.push_back(place < (file % 2 == 0 ? 11 : 4));
      even.push_back(place < (file % 2 == 0 ? 8 : 7));
    }
    std::vector<const ChunkFeature*> files;
    for (const ChunkFeature* feature : features_beside(of.run, {}))
      if (feature->name == "file") files.push_back(feature);
    REQUIRE(files.size() == 1);
    INFO(chunks << " chunks a file");
    CHECK(associate(of.run, files, even).front().p_value > 0.999);
    const FeatureAssociation found = associate(of.run, files, apart).front();
    CHECK(found.is_significant);
    // On average chance gives as much as there are files but one, in parts of 3600 ln 4.
    const double n = static_cast<double>(chunks), selected = 7.5 / n;
    const auto information = [&](double seen) {
      return seen * std::log(seen / n / selected) +
             (n - seen) * std::log((n - seen) / n / (1 - selected));
    };
    const double g = 3600 / n * (information(11) + information(4));
    const double most =
        -7200 * (selected * std::log(selected) + (1 - selected) * std::log(1 - selected));
    CHECK(found.explained == Approx((g - (3600 / n - 1)) / most).epsilon(0.05));
  }
}

TEST_CASE("Why: numbers are split into four parts of as many chunks, equal numbers into one") {
  SmallRun of;
  of.run.chunks = Chunks();
  for (std::size_t i = 0; i < 40; ++i)
    of.add_chunk(static_cast<double>(i), 1, static_cast<double>(i + 1), "data");
  const auto events = [&] {
    of.run.facts = {};
    for (const ChunkFeature* feature : features_beside(of.run, {}))
      if (feature->name == "events") return feature;
    return static_cast<const ChunkFeature*>(nullptr);
  };
  REQUIRE(events() != nullptr);
  CHECK(events()->ranges ==
        std::vector<std::pair<double, double>>{{1, 10}, {10, 20}, {20, 30}, {30, 40}});
  for (std::size_t part = 0; part < 4; ++part) {
    const auto members = events()->members(part);
    REQUIRE(members.size() == 10);
    CHECK(members.front() == 10 * part);
  }
  // One that is not known is in none.
  of.run.chunks.events[39] = absent;
  CHECK(events()->members(3).size() == 9);
  // Thirty that are equal are one part of three quarters.
  for (std::size_t i = 0; i < 30; ++i) of.run.chunks.events[i] = 5;
  CHECK(events()->ranges == std::vector<std::pair<double, double>>{{5, 5}, {5, 39}});
  for (double& value : of.run.chunks.events) value = 5;
  CHECK(events() == nullptr);
}
