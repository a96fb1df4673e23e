#include "core/questions/list.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/small_run.hpp"

using namespace crema;
using namespace crema::test;

namespace {

Table why(const Run& run, const Selection& selection) {
  const Run* const runs[] = {&run};
  return questions::why::question(runs, selection, {});
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
  CHECK(table.text("trait", 0) == "file");
  CHECK(table.text("trait", 1) == "host");
  CHECK(table.text("value", 1) == "b");
  CHECK(table.number("selected", 1) == 20);
  CHECK(table.number("of_all", 1) == 20);
  CHECK(table.number("lift", 1) == Approx(156.0 / 20));
  CHECK(table.number("explained", 1) > 0.9);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    INFO(table.text("trait", row));
    CHECK(table.number("told", row) == (row < 2 ? 1 : 0));
    CHECK(table.number("told_then", row) == (row < 2 ? 1 : 0));
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
  CHECK(table.text("trait", 0) == "time");
  const std::size_t file = table.row_of("trait", "file");
  CHECK(table.number("told", file) == 1);
  CHECK(table.number("told_then", file) == 0);
}

TEST_CASE("Why: of few chunks counts alone, of a worker by its tasks, of nothing a sentence") {
  SlowHost of;
  of.stream();
  Selection few;
  few.ranges = {{"duration", 2, 10}};
  few.time = Selection::TimeRange{0, 8};
  const Table counts = why(of.run, few);
  CHECK(std::isnan(counts.number("explained", 0)));
  CHECK(counts.text_note("verdict").ends_with("too few to tell from chance"));

  Selection worker;
  worker.workers = {"tcp://10.0.0.1:1000"};
  CHECK(std::get<double>(why(of.run, worker).notes[0].value) == SmallRun::chunks_each);
  CHECK(why(of.run, {}).text_note("missing").starts_with("all chunks are selected"));
}
