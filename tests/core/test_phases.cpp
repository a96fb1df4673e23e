#include "catch.hpp"
#include "open_run.hpp"
#include "small_bundle.hpp"

using namespace crema;
using namespace crema::test;

TEST_CASE("Phases follow each other from the first tick to the end of the run") {
  // small_metrics(): chunks from 0.5 to 2.5 and from 1 to 4; three threads until 2, then two.
  const OpenSession session("metrics.json", small_metrics());
  const Table phases = session.ask("phases");
  REQUIRE(phases.rows() >= 2);
  CHECK(phases.text("phase", 0) == "pre-processing");
  CHECK(phases.number("t1", 0) == Approx(0.5));
  CHECK(phases.number("t0", 0) == 0);
  for (std::size_t i = 1; i < phases.rows(); ++i)
    CHECK(phases.number("t0", i) == phases.number("t1", i - 1));
  CHECK(phases.number("t1", phases.rows() - 1) == Approx(4));
}

TEST_CASE("The drain begins when chunks last run on 90 % of the cores") {
  // Two of two threads from second 2 to 2.5: full there and never before.
  const OpenSession session("metrics.json", small_metrics());
  const Table phases = session.ask("phases");
  const std::size_t steady = phases.row_of("phase", "steady");
  const std::size_t drain = phases.row_of("phase", "drain");
  REQUIRE(drain < phases.rows());
  REQUIRE(steady < phases.rows());
  CHECK(phases.number("t1", steady) == Approx(2.5));
  CHECK(phases.number("t1", drain) == Approx(4));
  CHECK(phases.number("core_seconds", drain) == Approx(3));
}

TEST_CASE("Chunks that ran again kept a core busy the first time, too") {
  // One ran from second 0.2 to 0.4, before all that are recorded. From second 1 to 1.5 the three
  // threads run two chunks and what a third one lost: full, where the records of chunks alone fill
  // the cores from second 2 on.
  const char* const stream = R"json([
 {"key": "P-1", "worker": "tcp://10.0.0.1:1001", "thread": 7, "nbytes": 10, "status": "OK",
  "startstops": [{"action": "compute", "start": 1795255200.2, "stop": 1795255200.4}]},
 {"key": "P-1", "worker": "tcp://10.0.0.1:1001", "thread": 7, "nbytes": 10, "status": "OK",
  "startstops": [{"action": "compute", "start": 1795255201.0, "stop": 1795255201.5}]},
 {"key": "P-1", "worker": "tcp://10.0.0.2:1002", "thread": 8, "nbytes": 10, "status": "OK",
  "startstops": [{"action": "compute", "start": 1795255203.0, "stop": 1795255204.0}]}])json";
  const auto begin_of = [](const char* phase, const Table& phases) {
    return phases.number("t0", phases.row_of("phase", phase));
  };
  const Table of_chunks = OpenSession("metrics.json", small_metrics()).ask("phases");
  CHECK(begin_of("ramp", of_chunks) == Approx(0.5));
  CHECK(begin_of("steady", of_chunks) == Approx(2));
  const Table of_all =
      OpenSession({{"run/metrics.json", small_metrics()}, {"run/task_stream.json", stream}})
          .ask("phases");
  CHECK(begin_of("ramp", of_all) == Approx(0.2));
  CHECK(begin_of("steady", of_all) == Approx(1));
}

TEST_CASE("Phases are as long as what of them is selected") {
  // From 0 to 0.5 before the first chunk; the drain from 2.5 to 4.
  const OpenSession session("metrics.json", small_metrics());
  const Table whole = session.ask("phases");
  CHECK(whole.number("seconds", 0) == Approx(0.5));
  CHECK(whole.number("share", 0) == Approx(0.5 / 4));
  Selection late;
  late.time = Selection::TimeRange{2, 3};
  const Table phases = session.ask("phases", late);
  const std::size_t drain = phases.row_of("phase", "drain");
  CHECK(phases.number("seconds", drain) == Approx(0.5));
  CHECK(phases.number("share", drain) == Approx(0.5));
  CHECK(phases.number("t1", drain) == Approx(4));
}

TEST_CASE("Phases add up to the available core-time") {
  const OpenSession session("metrics.json", small_metrics());
  const Table phases = session.ask("phases");
  double sum = 0;
  for (std::size_t i = 0; i < phases.rows(); ++i) sum += phases.number("core_seconds", i);
  CHECK(sum == Approx(core_seconds(session.ask("budget"), "available")));
}

TEST_CASE("The tail: what ended last, and what an ideal order would have given") {
  const OpenSession session("metrics.json", small_metrics());
  const Table tail = session.ask("tail");
  REQUIRE(tail.rows() == 1);
  CHECK(tail.number("critical_chunk", 0) == 1);
  CHECK(tail.number("end", 0) == Approx(4));
  CHECK(tail.number("t95", 0) == Approx(4));  // of two chunks, 95 % are both
  CHECK(tail.number("core_seconds_wasted", 0) == 0);
  CHECK(tail.number("actual_makespan", 0) == Approx(3.5));
  // Two chunks on two cores: no order of them ends sooner.
  CHECK(tail.number("ideal_makespan", 0) == Approx(3.5));
}

TEST_CASE("Without chunks there is one phase, and no tail") {
  const OpenSession session("metrics.json", without(small_metrics(), "raw_chunk_metrics"));
  const Table phases = session.ask("phases");
  REQUIRE(phases.rows() == 1);
  CHECK(phases.text("phase", 0) == "steady");
  CHECK(session.ask("tail").rows() == 0);
  CHECK(!note(session.ask("tail"), "missing").empty());
}

TEST_CASE("The worker matrix holds each tick until the next, in the bins asked for") {
  const OpenSession session("metrics.json", small_metrics());
  const Table matrix =
      session.ask("worker_matrix", {}, Options({{"series", "memory"}, {"bins", "4"}}));
  REQUIRE(matrix.rows() == 2);
  const Column& block = *matrix.find("memory");
  REQUIRE(block.width == 4);
  CHECK(std::vector<double>(block.numbers.begin(), block.numbers.begin() + 4) ==
        std::vector<double>{100, 200, 300, 300});
  CHECK(block.numbers[4] == 400);
  CHECK(block.numbers[5] == 400);
  CHECK(is_absent(block.numbers[6]));  // it left
  const Table half =
      session.ask("worker_matrix", {}, Options({{"series", "memory"}, {"bins", "2"}}));
  CHECK(half.find("memory")->numbers[0] == Approx(150));
  const Table largest = session.ask(
      "worker_matrix", {}, Options({{"series", "memory"}, {"bins", "2"}, {"stat", "max"}}));
  CHECK(largest.find("memory")->numbers[0] == 200);
}

TEST_CASE("Sections: sums, shares, and the rest that none covers") {
  const OpenSession session("metrics.json", small_metrics());
  const Table sections = session.ask("sections");
  REQUIRE(sections.rows() == 3);
  CHECK(sections.text("name", 0) == "load");
  CHECK(sections.number("seconds", 0) == Approx(1.5));
  CHECK(sections.number("share_of_process", 0) == Approx(0.3));
  CHECK(sections.number("bytes", 0) == Approx(7e6));
  CHECK(sections.number("memory_delta", 0) == Approx(2 * 1048576));
  CHECK(sections.text("name", 2) == "unaccounted");
  CHECK(sections.number("seconds", 2) == Approx(5 - 1.5 - 2.5));
  CHECK(sections.number("may_overlap", 0) == 0);
}

TEST_CASE(
    "Sections that exceed a chunk's duration may overlap, and then nothing is called unaccounted") {
  const OpenSession session("metrics.json", with(small_metrics(), R"({"load": 0.5, "fill": 1.0})",
                                                 R"({"load": 1.5, "fill": 1.0})"));
  const Table sections = session.ask("sections");
  REQUIRE(sections.rows() == 2);
  CHECK(sections.number("may_overlap", 0) == 1);
  CHECK(!note(sections, "overlap").empty());
}

TEST_CASE("Distributions count every value once") {
  const OpenSession session("metrics.json", small_metrics());
  const Table runtimes = session.ask("runtime_histogram", {}, option("bins", "2"));
  REQUIRE(runtimes.rows() == 2);
  CHECK(runtimes.number("lo", 0) == Approx(2));
  CHECK(runtimes.number("hi", 1) == Approx(3));
  CHECK(runtimes.number("count", 0) == 1);
  CHECK(runtimes.number("count", 1) == 1);
}

TEST_CASE("Branches: in how many files and chunks each was read") {
  const OpenSession session("metrics.json", small_metrics());
  const Table branches = session.ask("branches");
  REQUIRE(branches.rows() == 3);
  const std::size_t pt = branches.row_of("branch", "pt");
  CHECK(branches.number("files", pt) == 2);
  CHECK(branches.number("chunks", pt) == 2);
  CHECK(branches.number("chunks", branches.row_of("branch", "phi")) == 1);
}
