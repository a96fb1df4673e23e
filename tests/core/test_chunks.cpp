#include "core/runtime/chunks.hpp"

#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::runtime;
using namespace crema::test;

TEST_CASE("A row of chunks is a chunk, in recorded order, with what follows from it") {
  const Table table = OpenSession("metrics.json", small_metrics()).ask("chunks");
  REQUIRE(table.rows() == 2);
  CHECK(table.number("chunk", 1) == 1);
  CHECK(table.text("dataset", 0) == "x");
  CHECK(table.text("host", 0) == "eos.example");
  CHECK(table.text("host", 1) == "local");
  CHECK(table.number("t_start", 0) == Approx(0.5));
  CHECK(table.number("t_end", 1) == Approx(4));
  CHECK(table.number("duration", 1) == 3);
  CHECK(table.number("seconds_per_event", 1) == Approx(0.0015));
  CHECK(table.number("memory_delta", 1) == -3 * 1048576.0);
  CHECK(table.number("memory_delta_per_event", 0) == Approx(1048.576));
  CHECK(table.number("bytes_read", 0) == 3e6);
  CHECK(is_absent(table.number("accessed_bytes", 0)));
}

TEST_CASE("Chunks are packed into the lowest lane that is free when they start") {
  // 0 |──────|      |──|
  // 1    |──────|
  // 2      |────|
  const auto chunk = [](double begin, double end) {
    return "{\"t_start\": " + std::to_string(1795255200 + begin) +
           ", \"t_end\": " + std::to_string(1795255200 + end) + "}";
  };
  const std::string list =
      chunk(7, 9) + "," + chunk(0, 4) + "," + chunk(2, 6) + "," + chunk(3, 6) + "," + chunk(4, 5);
  const Table table =
      OpenSession("metrics.json", "{\"raw_chunk_metrics\": [" + list + ", {\"num_events\": 1}]}")
          .ask("chunks");
  const std::vector<double>& lanes = table.find("lane")->numbers;
  CHECK(std::vector<double>(lanes.begin(), lanes.begin() + 5) ==
        std::vector<double>{0, 0, 1, 2, 0});
  CHECK(is_absent(lanes[5]));
}

TEST_CASE("Custom numbers are columns that can be selected, even under a name of ours") {
  const OpenSession session(
      "metrics.json",
      R"({"raw_chunk_metrics": [{"num_events": 10, "n_jets": 1, "events": 7, "host": 5},
                                                                     {"num_events": 20, "n_jets": 2, "events": 8, "host": 6}]})");
  const Table table = session.ask("chunks");
  CHECK(table.number("events", 0) == 10);
  CHECK(table.number("custom.events", 0) == 7);
  CHECK(table.number("custom.host", 1) == 6);
  CHECK(table.number("n_jets", 1) == 2);
  Selection selection;
  selection.ranges = {{"custom.events", 8, 8}, {"n_jets", 0, 9}};
  CHECK(session.ask("chunks", selection).rows() == 1);
}

TEST_CASE("The text of an error is a column where there is one") {
  const Table table =
      OpenSession("metrics.json",
                  R"({"raw_chunk_metrics": [{"error": "OSError"}, {"num_events": 1}]})")
          .ask("chunks");
  CHECK(table.text("error", 0) == "OSError");
  CHECK(table.text("error", 1).empty());
  CHECK(OpenSession("metrics.json", small_metrics()).ask("chunks").find("error") == nullptr);
}

TEST_CASE("Notes give the totals of the selection") {
  Selection selection;
  selection.time = Selection::TimeRange{0, 2};
  const Table table = OpenSession("metrics.json", small_metrics()).ask("chunks", selection);
  for (const Note& one : table.notes) {
    if (one.name == "chunks_total") CHECK(std::get<double>(one.value) == 2);
    if (one.name == "events") CHECK(std::get<double>(one.value) == Approx(750 + 2000.0 / 3));
    if (one.name == "seconds") CHECK(std::get<double>(one.value) == Approx(2.5));
  }
}

TEST_CASE("Chunks that took far less or far longer than others of their size are marked") {
  // Eight of 10 s, one of 1.9 s (less than a fifth), one of 31 s (more than three times), all of
  // 100 events; one without.
  std::string list;
  for (const char* duration : {"10", "10", "10", "10", "10", "10", "10", "10", "1.9", "31"})
    list +=
        "{\"duration\": " + std::string(duration) + ", \"num_events\": 100, \"dataset\": \"x\"}, ";
  const OpenSession session("metrics.json", "{\"raw_chunk_metrics\": [" + list +
                                                "{\"duration\": 1, \"dataset\": \"x\"}]}");
  const Table table = session.ask("chunks", {}, option("columns", "early,outlier,times_expected"));
  const std::vector<double>& early = table.find("early")->numbers;
  CHECK(std::vector<double>(early.begin(), early.begin() + 10) ==
        std::vector<double>{0, 0, 0, 0, 0, 0, 0, 0, 1, 0});
  CHECK(is_absent(early[10]));
  CHECK(number_note(table, "early") == 1);
  CHECK(table.number("outlier", 8) == 0);
  CHECK(table.number("outlier", 9) == 1);
  CHECK(table.number("times_expected", 9) == Approx(3.1));  // 31 s where 10 s are usual
  Selection only;
  only.ranges = {{"early", 1, 1}};
  CHECK(session.ask("chunks", only).number("chunk", 0) == 8);
}

TEST_CASE("The numbers of chunks are listed with how many chunks have each") {
  const OpenSession session("metrics.json", small_metrics());
  const Table table = session.ask("chunk_columns");
  const auto known = [&](const char* column) {
    return table.number("known", table.row_of("column", column));
  };
  CHECK(known("duration") == 2);
  CHECK(known("section:load") == 2);
  CHECK(known("accessed_bytes") == 0);
  CHECK(table.text("unit", table.row_of("column", "bytes_per_second")) == "byte/s");
  CHECK(table.row_of("column", "dataset") == table.rows());  // no number
  // in the order of the chunks' columns
  CHECK(table.text("column", 0) == session.ask("chunks").columns[0].name);
  const Table none =
      OpenSession("report.json",
                  R"({"bytesread": 8, "entries": 3, "processtime": 5, "chunks": 2, "columns": []})")
          .ask("chunk_columns");
  CHECK(none.rows() == 0);
  CHECK(note(none, "missing").find("track_metrics") != std::string::npos);
}

TEST_CASE("The chunks that ended last, those with most of a column, and places by it") {
  const OpenSession session("metrics.json", small_metrics());
  const Table last = session.ask("chunks", {}, option("most", "1"));
  REQUIRE(last.rows() == 1);
  CHECK(last.number("chunk", 0) == 1);
  const auto most_of = [&](const char* column) {
    const std::map<std::string, std::string> options = {{"most", "2"}, {"by", column}};
    return session.ask("chunks", {}, Options(options));
  };
  CHECK(most_of("memory_delta").number("chunk", 0) == 0);  // + 1 MiB, before - 3
  CHECK(most_of("memory_delta").number("chunk", 1) == 1);
  CHECK(most_of("accessed_bytes").number("chunk", 0) == 1);  // not known of chunk 0
  const Table ranked = session.ask("chunks", {}, option("rank", "memory_delta"));
  CHECK(ranked.number("rank", 0) == 2);  // + 1 MiB
  CHECK(ranked.number("rank", 1) == 1);  // - 3 MiB
}

TEST_CASE("The tail's length, and where the longest first would have ended it") {
  const Table tail = OpenSession("metrics.json", small_metrics()).ask("tail");
  CHECK(tail.number("length", 0) == 0);     // of two chunks the last is 95 %
  CHECK(tail.number("ideal_end", 0) == 4);  // two chunks on two cores: no order is better
  CHECK(tail.number("outliers", 0) == 0);
}

TEST_CASE("Shares of bytes: 3 MB and 4 MB") {
  const Table datasets = OpenSession("metrics.json", small_metrics()).ask("datasets");
  CHECK(datasets.number("bytes_share", 0) == Approx(3.0 / 7));
}

TEST_CASE("Densities: one of two chunks in half a second") {
  const Table table =
      OpenSession("metrics.json", small_metrics()).ask("distribution", {}, option("bins", "2"));
  CHECK(table.number("density", 0) == Approx(1));
}
