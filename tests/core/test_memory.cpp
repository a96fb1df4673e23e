// Memory of chunks at their peak: by hand, and how often what is said of it holds.
#include <cmath>
#include <random>

#include "core/predict/memory.hpp"
#include "core/report/answer_text.hpp"
#include "core/runtime/headlines.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/small_run.hpp"

using namespace crema;
using namespace crema::predict;
using recorded_columns::Task;
using test::SmallRun;

namespace {

constexpr double mebi = 1048576;

/// A chunk of so many events in a process that had `before`, and `peak` at its peak [MiB].
void add_chunk(SmallRun& small, const std::string& dataset, double events, double before,
               double peak, double at_once = 1) {
  auto& rows = small.run.recording.tasks;
  const std::size_t row = rows.size();
  rows.resize(row + 1);
  rows.of(Task::kind)[row] = small.id("chunk");
  rows.of(Task::status)[row] = small.id("ok");
  rows.of(Task::dataset)[row] = small.id(dataset);
  rows.of(Task::events)[row] = events;
  rows.of(Task::rss_before)[row] = before * mebi;
  rows.of(Task::rss_peak)[row] = peak * mebi;
  rows.of(Task::at_once)[row] = at_once;
  rows.of(Task::address)[row] = small.id("tcp://10.0.0.0:1000");
}

/// 200 MiB, and 1 MiB for each 100 events: 8 chunks of 1,000 to 8,000 events.
SmallRun straight() {
  SmallRun small;
  for (int k = 1; k <= 8; ++k) add_chunk(small, "data", 1000.0 * k, 200, 200 + 10.0 * k);
  return small;
}

}  // namespace

TEST_CASE("Memory of chunks: what a process has, and what each event adds") {
  const SmallRun small = straight();
  const MemoryModel model = memory_model(small.run);
  REQUIRE(model.parts.size() == 1);  // one dataset: the same as all
  const ChunkMemory& all = model.parts.front();
  CHECK(all.line.line.fixed == Approx(200 * mebi));
  CHECK(all.line.line.slope == Approx(mebi / 100));
  CHECK(all.base == 200 * mebi);
  CHECK(all.at({}).largest == Approx(280 * mebi));
  CHECK(all.at({.events = 16000}).likely == Approx(360 * mebi));
  CHECK(all.at({.times = 2}).largest == Approx(360 * mebi));
  // 512 MiB leave 312 for events, 1 MiB for each 100
  CHECK(all.size_within(512 * mebi) == Approx(31200));
  CHECK(is_absent(all.size_within(100 * mebi)));
}

TEST_CASE("The peak of a run is that of its ticks or of its tasks, whichever is more") {
  const auto headline = [](const SmallRun& small, std::string_view id, const Selection& selection) {
    for (const runtime::Headline& one : runtime::headlines(small.run, selection, {}))
      if (one.id == id) return one.value;
    return absent;
  };
  const auto peak_of = [&](const SmallRun& small, const Selection& selection = {}) {
    return headline(small, "peak_memory_bytes", selection);
  };
  SmallRun small = straight();  // its ticks have 500 MB, its tasks 280 MiB at most
  CHECK(peak_of(small) == 500e6);
  add_chunk(small, "data", 1000, 200, 900);
  CHECK(peak_of(small) == 900 * mebi);
  // A run of a moment has no ticks.
  for (std::size_t w = 0; w < SmallRun::workers; ++w) small.run.workers.of(Series::memory, w) = {};
  CHECK(peak_of(small) == 900 * mebi);
  // The largest ran from 30 to 31 s on the second worker, the others from 1 to 2 s on the first.
  auto& rows = small.run.recording.tasks;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const bool is_largest = row + 1 == rows.size();
    rows.of(Task::begin)[row] = is_largest ? 30 : 1;
    rows.of(Task::wall)[row] = 1;
    rows.of(Task::address)[row] =
        small.id(is_largest ? "tcp://10.0.0.1:1000" : "tcp://10.0.0.0:1000");
  }
  Selection selection;
  CHECK(headline(small, "memory_utilization_peak", {}) == Approx(900 * mebi / 1000e6));
  selection.time = {0, 10};
  CHECK(peak_of(small, selection) == 280 * mebi);
  selection.time = {25, 35};
  CHECK(peak_of(small, selection) == 900 * mebi);
  selection.time.reset();
  selection.workers = {"tcp://10.0.0.0:1000"};
  CHECK(peak_of(small, selection) == 280 * mebi);
}

TEST_CASE("Chunks that pass a limit, and the request that suffices") {
  const SmallRun small = straight();
  const MemoryModel model = memory_model(small.run);
  const ChunkMemory& all = model.parts.front();
  CHECK(model.limit == 1000e6);  // of the workers
  // 270 and 280 MiB are above: 2 of 8
  const ShareAbove above = all.above(265 * mebi, {});
  CHECK(above.likely == Approx(0.25));
  CHECK(above.low < 0.25);
  CHECK(above.high > 0.25);
  CHECK(all.above(265 * mebi, {.times = 0.5}).likely == 0);
  CHECK(all.above(265 * mebi, {.events = 8000}).likely == 1);
  CHECK(is_absent(all.above(absent, {}).likely));
  // of 8 chunks the share beyond the largest is below 1 − 0.1^(1/8) in 9 of 10 cases
  CHECK(all.above_largest() == Approx(0.2501).epsilon(0.001));
  CHECK(in_steps(280 * mebi) == 384 * mebi);
  CHECK(report::memory_headline(all, 265 * mebi, {})
            .starts_with("At 4,500 events a chunk, 25 of 100 chunks pass 265 MiB"));
  CHECK(report::memory_headline(all, absent, {}) ==
        "At 4,500 events a chunk, none of 8 chunks takes more than 280 MiB. A request of 384 MiB "
        "holds all 8; of further ones at most 26 of 100 take more (90 % certainty)");
}

TEST_CASE("Chunks of one size: another size has anything between flat and proportional") {
  SmallRun small;
  for (int k = 0; k < 10; ++k) add_chunk(small, "data", 1000, 200, 300);
  const ChunkMemory all = memory_model(small.run).parts.front();
  const MemoryAt twice = all.at({.times = 2});
  CHECK(twice.low == Approx(300 * mebi));
  CHECK(twice.largest == Approx(400 * mebi));
  // no chunk was above 350 MiB, and at twice the size all may be
  CHECK(all.above(350 * mebi, {}).high < 0.35);
  CHECK(all.above(350 * mebi, {.times = 2}).low == 0);
  CHECK(all.above(350 * mebi, {.times = 2}).high == 1);
}

TEST_CASE(
    "Smaller chunks after larger ones: a process keeps memory, and does not show their need") {
  SmallRun small;
  add_chunk(small, "data", 1000, 200, 300);
  for (int k = 0; k < 19; ++k) add_chunk(small, "data", 1000, 300, 300);
  for (int k = 0; k < 5; ++k) add_chunk(small, "data", 100.0 + k, 300, 300);
  const MemoryAt twice = memory_model(small.run).parts.front().at({.times = 2});
  CHECK(twice.low == Approx(300 * mebi));
  CHECK(twice.largest == Approx(400 * mebi));  // all 100 MiB may be of the events
}

TEST_CASE("What a smaller chunk added is not known where its process's memory before was not") {
  SmallRun small;
  for (int k = 0; k < 20; ++k) add_chunk(small, "data", 1000, 300, 300);
  for (int k = 0; k < 5; ++k) add_chunk(small, "data", 100.0 + k, 200, 300);
  auto& before = small.run.recording.tasks.of(Task::rss_before);
  for (std::size_t row = 20; row < 24; ++row) before[row] = absent;
  const ChunkMemory all = memory_model(small.run).parts.front();
  REQUIRE(all.added.size() == 25);
  CHECK(is_absent(all.added[20]));
  CHECK(all.added[24] == 100 * mebi);
  CHECK(all.at({.times = 2}).largest == Approx(300 * mebi));  // all peaks are alike
}

TEST_CASE("Datasets are apart where a process runs one chunk at a time, the largest first") {
  SmallRun small;
  for (int k = 1; k <= 8; ++k) {
    add_chunk(small, "small", 1000.0 * k, 200, 201);
    add_chunk(small, "large", 1000.0 * k, 200, 400);
  }
  add_chunk(small, "few", 1000, 200, 900);
  const MemoryModel apart = memory_model(small.run);
  REQUIRE(apart.parts.size() == 3);
  CHECK(small.run.text(apart.parts[1].name) == "large");
  CHECK(small.run.text(apart.parts[2].name) == "small");
  auto& rows = small.run.recording.tasks;
  for (double& at_once : rows.of(Task::at_once)) at_once = 2;
  const MemoryModel shared = memory_model(small.run);
  REQUIRE(shared.parts.size() == 1);
  CHECK(shared.parts.front().at_once == 2);
  // two chunks share a peak: 17 chunks are known as well as 8.5
  CHECK(shared.parts.front().above_largest() == Approx(1 - std::pow(0.1, 2 / 17.0)));
}

TEST_CASE("Attempts that ran out of memory have no peak, and may have been above any limit") {
  SmallRun small = straight();
  auto& rows = small.run.recording.tasks;
  for (const char* error : {"MemoryError", "KilledWorker", "OSError"}) {
    add_chunk(small, "data", 9000, 200, 100);
    rows.of(Task::status)[rows.size() - 1] = small.id("failed");
    rows.of(Task::error)[rows.size() - 1] = small.id(error);
  }
  const ChunkMemory all = memory_model(small.run).parts.front();
  CHECK(all.count() == 8);
  CHECK(all.lost == 2);
  const SmallRun without = straight();
  CHECK(all.above(1000 * mebi, {}).high >
        memory_model(without.run).parts.front().above(1000 * mebi, {}).high);
}

namespace {

/// An analysis: what a process has [MiB], what each event adds [kiB], how chunks of one size
/// differ.
struct Analysis {
  double base, per_event, spread;
  bool heavy_tail;  ///< one of some chunks takes far more
  bool one_size;    ///< as coffea cuts large files; else sizes differ by up to a factor of three
};

/// Its chunks, or one of them, by a generator of the test's own: bits are the same everywhere.
double peak_of(const Analysis& a, double events, std::mt19937& random) {
  const auto uniform = [&] { return (static_cast<double>(random()) + 0.5) / 4294967296.0; };
  const double normal =
      std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform());
  // half of what chunks differ by is of their events, half of the process
  double factor = std::exp(a.spread * normal);
  if (a.heavy_tail) factor *= 1 + 0.05 * (std::pow(uniform(), -1 / 3.0) - 1);  // Pareto, α = 3
  return a.base * (1 + 0.02 * uniform()) + a.per_event / 1024 * events * factor;
}

}  // namespace

TEST_CASE("What is said of chunks of 1, 2 and 4 times the size holds as often as it says") {
  const Analysis analyses[] = {{180, 20, 0.05, false, false}, {180, 20, 0.05, false, true},
                               {300, 60, 0.15, true, false},  {300, 60, 0.15, true, true},
                               {500, 5, 0.3, true, false},    {150, 200, 0.1, false, false}};
  std::mt19937 random(20261125);
  double band = 0, bands = 0, suffices = 0, requests = 0, right = 0, decisions = 0, shares = 0,
         share_holds = 0;
  for (int trial = 0; trial < 40; ++trial) {
    for (const Analysis& a : analyses) {
      SmallRun small;
      const int chunks = trial % 2 == 0 ? 12 : 60;
      for (int k = 0; k < chunks; ++k) {
        const double events =
            a.one_size ? 10000 : 5000 + 10000 * static_cast<double>(random() % 1000) / 1000;
        add_chunk(small, "d", events, a.base, peak_of(a, events, random));
      }
      const ChunkMemory fitted = memory_model(small.run).parts.front();
      for (const double times : {1.0, 2.0, 4.0}) {
        const ChunkSizes sizes{.events = 10000 * times};
        const MemoryAt at = fitted.at(sizes);
        const double limit = 0.95 * (a.base + a.per_event / 1024 * 22000);
        const ShareAbove above = fitted.above(limit * mebi, sizes);
        constexpr int many = 400;
        double inside = 0, passing = 0, beyond = 0;
        for (int k = 0; k < many; ++k) {
          const double peak = mebi * peak_of(a, 10000 * times, random);
          inside += peak >= at.low && peak <= at.high;
          passing += peak > limit * mebi;
          beyond += peak > at.largest;
        }
        // the band: of chunks, as often as they are inside; sampling alone puts 85 at 90
        band += inside / many;
        bands += 1;
        shares += 1;
        share_holds += passing / many >= above.low - 0.02 && passing / many <= above.high + 0.02;
        requests += 1;
        suffices += beyond / many <= fitted.above_largest() + 0.01;
        // killed or not, of a typical chunk, where the answer claims to know
        if (above.low > 0.5 || above.high < 0.5) {
          decisions += 1;
          right += (above.low > 0.5) == (passing / many > 0.5);
        }
      }
    }
  }
  CAPTURE(band / bands, share_holds / shares, suffices / requests, right / decisions,
          decisions / bands);
  CHECK(band / bands >= 0.85);
  CHECK(share_holds / shares >= 0.9);
  CHECK(suffices / requests >= 0.85);
  CHECK(right / decisions >= 0.95);
  CHECK(decisions / bands >= 0.5);  // and it does not say so by never knowing
}
