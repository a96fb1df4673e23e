#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::test;

TEST_CASE("Any number of the chunks is distributed, by dataset over the same bins") {
  const OpenSession session("metrics.json", small_metrics());
  const Table table = session.ask(
      "distribution", {}, Options({{"column", "events"}, {"by", "dataset"}, {"bins", "2"}}));
  REQUIRE(table.rows() == 4);
  CHECK(table.text("dataset", 0) == "x");
  CHECK(table.number("lo", 0) == 1000);
  CHECK(table.number("hi", 1) == 2000);
  CHECK(table.number("count", 0) == 1);
  CHECK(table.number("count", 1) == 0);
  CHECK(table.number("count", 3) == 1);
  CHECK(session.ask("distribution", {}, option("column", "section:fill")).rows() > 0);
  CHECK_THROWS(session.ask("distribution", {}, option("column", "colour")));
  CHECK_THROWS(session.ask("distribution", {}, option("by", "host")));
}

TEST_CASE("A logarithmic axis has bins of equal ratio, and no place for zero") {
  const std::string text = with(small_metrics(), "\"num_events\": 1000", "\"num_events\": 0");
  const Table table =
      OpenSession("metrics.json", text)
          .ask("distribution", {}, Options({{"column", "events"}, {"scale", "log"}}));
  REQUIRE(table.rows() == 1);
  CHECK(table.number("lo", 0) == 2000);
  CHECK(std::get<double>(table.notes[table.notes.size() - 1].value) == 1);
}

TEST_CASE("Sections are columns of the chunks, in each unit in which they were recorded") {
  const OpenSession session("metrics.json", small_metrics());
  const Table chunks = session.ask("chunks");
  CHECK(chunks.number("section:load", 0) == 0.5);
  CHECK(chunks.number("section_memory:load", 0) == 2097152);
  CHECK(chunks.number("section_bytes:load", 1) == 4e6);
  CHECK(chunks.number("bytes_per_second", 0) == 1.5e6);
  Selection selection;
  selection.ranges = {{"section:load", 0.9, 1.1}};
  CHECK(session.ask("chunks", selection).rows() == 1);
}

TEST_CASE("Sections by dataset: each has its own rest") {
  const Table table =
      OpenSession("metrics.json", small_metrics()).ask("sections", {}, option("by", "dataset"));
  REQUIRE(table.rows() == 6);
  CHECK(table.text("dataset", 2) == "x");
  CHECK(table.text("name", 2) == "unaccounted");
  CHECK(table.number("seconds", 2) == 0.5);
  CHECK(table.number("share_of_process", 2) == 0.25);
  CHECK(table.number("seconds", 5) == 0.5);
}

TEST_CASE("Numbers of the user's own are summed up by name") {
  const std::string text = with(small_metrics(), "\"entry_stop\": 1000,",
                                "\"entry_stop\": 1000, \"selected_muons\": 12,");
  const Table table = OpenSession("metrics.json", text).ask("custom_metrics");
  REQUIRE(table.rows() == 1);
  CHECK(table.text("name", 0) == "selected_muons");
  CHECK(table.number("chunks", 0) == 1);
  CHECK(table.number("sum", 0) == 12);
}

TEST_CASE("Counters of bytes: what the chunks explain of the report, and what is none of it") {
  const OpenSession session("metrics.json", small_metrics());
  const Table table = session.ask("bytes");
  const auto of = [&](std::string_view id) {
    return table.number("bytes", table.row_of("id", id));
  };
  CHECK(of("report") == 8e6);
  CHECK(of("chunks") == 7e6);
  CHECK(of("outside") == 1e6);
  CHECK(of("memory-read") == 500);
  CHECK(is_absent(of("files")));
  Selection selection;
  selection.datasets = {"x"};
  const Table narrowed = session.ask("bytes", selection);
  CHECK(narrowed.number("bytes", narrowed.row_of("id", "chunks")) == 3e6);
  CHECK(is_absent(narrowed.number("bytes", narrowed.row_of("id", "outside"))));
}

TEST_CASE("Branches: share of the chunks, and of which datasets") {
  const Table table = OpenSession("metrics.json", small_metrics()).ask("branches");
  const std::size_t pt = table.row_of("branch", "pt");
  const std::size_t eta = table.row_of("branch", "eta");
  CHECK(table.number("share_of_chunks", pt) == 1);
  CHECK(table.text("dataset_names", pt) == "x, y");
  CHECK(table.number("share_of_chunks", eta) == 0.5);
  CHECK(table.number("datasets", eta) == 1);
}
