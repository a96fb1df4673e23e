#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::test;

TEST_CASE("Chunks running at a time, by dataset in the order of names") {
  const OpenSession session("metrics.json", small_metrics());
  const Table table = session.ask("concurrency", {}, option("bins", "4"));
  REQUIRE(table.rows() == 2);
  CHECK(table.text("dataset", 0) == "x");
  CHECK(table.find("chunks_running")->numbers == std::vector<double>{0.5, 1, 0.5, 0, 0, 1, 1, 1});
}

TEST_CASE(
    "The groups together are the chunks running of throughput, also of a range and a dataset") {
  const OpenSession session("metrics.json", small_metrics());
  const Table whole = session.ask("throughput", {}, option("bins", "4"));
  const Table parts = session.ask("concurrency", {}, Options({{"bins", "4"}, {"by", "host"}}));
  REQUIRE(parts.rows() == 2);
  const std::vector<double>& values = parts.find("chunks_running")->numbers;
  for (std::size_t bin = 0; bin < 4; ++bin)
    CHECK(values[bin] + values[4 + bin] == Approx(whole.number("chunks_running", bin)));
  Selection narrow;
  narrow.time = Selection::TimeRange{2, 3};
  narrow.datasets = {"x"};
  const Table one = session.ask("concurrency", narrow, option("bins", "2"));
  REQUIRE(one.rows() == 1);
  CHECK(one.find("chunks_running")->numbers == std::vector<double>{1, 0});
}

TEST_CASE("Only the columns that are asked for are made") {
  const OpenSession session("metrics.json", small_metrics());
  const Table few = session.ask("chunks", {}, option("columns", "chunk,lane,dataset"));
  REQUIRE(few.columns.size() == 3);
  CHECK(few.rows() == 2);
  CHECK(few.number("lane", 1) == 1);
  const Table none = session.ask("chunks", {}, option("columns", ""));
  CHECK(none.columns.empty());
  CHECK_FALSE(none.notes.empty());
  CHECK_THROWS(session.ask("chunks", {}, option("columns", "chunk,colour")));
}

TEST_CASE("A chunk can be selected by its number") {
  const OpenSession session("metrics.json", small_metrics());
  Selection one;
  one.ranges = {{"chunk", 1, 1}};
  const Table table = session.ask("chunks", one);
  REQUIRE(table.rows() == 1);
  CHECK(table.text("dataset", 0) == "y");
}
