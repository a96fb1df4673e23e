// What was read of what is there, and how fast hosts gave it.
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"

using namespace crema;
using namespace crema::test;

namespace {

/// x.root holds 10 MB, of which the branches used have 2; y.root 8 MB and 2. Chunk 0 read 3 MB of
/// x.root, chunk 1 4 MB of y.root.
std::string with_file_facts() {
  return with(small_metrics(), R"("raw_chunk_metrics": [)",
              R"("file_read_metrics": {
   "root://eos.example:1094//x.root": {"total_branches": 4, "total_tree_bytes": 10000000,
     "bytes_read": 2000000, "branches_read_percent": 50.0, "bytes_read_percent": 20.0},
   "/data/y.root": {"total_branches": 4, "total_tree_bytes": 8000000,
     "bytes_read": 2000000, "branches_read_percent": 50.0, "bytes_read_percent": 25.0}},
 "raw_chunk_metrics": [)");
}

}  // namespace

TEST_CASE("Bytes that were used, and how often each was read") {
  const OpenSession session("metrics.json", with_file_facts());
  const Table table = session.ask("input");
  REQUIRE(table.rows() == 3);
  CHECK(table.text("name", 0) == "all files");
  CHECK(table.number("tree_bytes", 0) == 18e6);
  CHECK(table.number("used_bytes", 0) == 4e6);
  CHECK(table.number("read_bytes", 0) == 7e6);
  CHECK(table.number("times_read", 0) == Approx(1.75));
  CHECK(table.text("name", 1) == "x");
  CHECK(table.number("times_read", 1) == Approx(1.5));
  CHECK(table.number("used_share", 2) == Approx(0.25));
  CHECK(table.text_note("verdict") == "7 MB were read to get 4 MB of branches (1.75 times).");
  const Table hosts = session.ask("input", {}, option("by", "host"));
  CHECK(hosts.text("name", 1) == "eos.example");
  const Table files = session.ask("access");
  CHECK(files.number("times_read", 0) == Approx(1.5));
  CHECK(files.number("bytes_per_second", 0) == Approx(1.5e6));
}

TEST_CASE("A file of two datasets counts in both, each with its own chunks") {
  const std::string two = with(
      with_file_facts(),
      R"("file": "/data/y.root", "uuid": null, "entry_start": 0, "entry_stop": 2000)",
      R"("file": "root://eos.example:1094//x.root", "uuid": null, "entry_start": 1000, "entry_stop": 3000)");
  const OpenSession session("metrics.json", two);
  const Table table = session.ask("input");
  REQUIRE(table.rows() == 4);  // y.root has facts, and no chunk
  CHECK(table.number("files", 0) == 2);
  CHECK(table.number("chunks", 0) == 2);
  CHECK(table.text("name", 2) == "x");
  CHECK(table.text("name", 3) == "y");
  for (const std::size_t row : {2, 3}) {
    CHECK(table.number("files", row) == 1);
    CHECK(table.number("chunks", row) == 1);
    CHECK(table.number("tree_bytes", row) == 10e6);
  }
  CHECK(table.number("read_bytes", 2) == 3e6);
  CHECK(table.number("read_bytes", 3) == 4e6);
  Selection second;
  second.datasets = {"y"};
  const Table alone = session.ask("input", second);
  REQUIRE(alone.rows() == 2);
  CHECK(alone.text("name", 1) == "y");
  CHECK(alone.number("read_bytes", 1) == 4e6);
}

TEST_CASE("How often a byte was read is not told of a part of a file's chunks") {
  const OpenSession session("metrics.json", with_file_facts());
  Selection half;
  half.time = Selection::TimeRange{0, 1.5};
  const Table table = session.ask("input", half);
  CHECK(table.number("used_bytes", 0) == 4e6);
  CHECK(std::isnan(table.number("read_bytes", 0)));
  CHECK(std::isnan(table.number("times_read", 0)));
  CHECK(table.text_note("verdict") == "The branches read hold 22.2 % of the bytes of their trees.");
}

TEST_CASE("Without facts of files nothing is said of them") {
  const OpenSession session("metrics.json", small_metrics());
  const Table table = session.ask("input");
  CHECK(table.text_note("verdict") == "How much of the files was read is not recorded.");
  CHECK(std::isnan(table.number("tree_bytes", 0)));
}

TEST_CASE("What each dataset reads adds up to its chunks' bytes") {
  const OpenSession session("metrics.json", small_metrics());
  const Table table = session.ask("concurrency", {}, option("bins", "4"));
  // 3 MB from 0.5 to 2.5 s, 4 MB from 1 to 4 s
  const std::vector<double>& rates = table.find("bytes_per_second")->numbers;
  CHECK(rates[0] == Approx(0.75e6));
  CHECK(rates[1] == Approx(1.5e6));
  CHECK(rates[2] == Approx(0.75e6));
  CHECK(rates[5] == Approx(4e6 / 3));
  const Table one = session.ask("concurrency", {}, Options({{"bins", "1"}, {"most", "1"}}));
  REQUIRE(one.rows() == 1);
  CHECK(one.text("dataset", 0) == "others");
  CHECK(one.number("bytes_per_second", 0) == Approx(7e6 / 4));
}

TEST_CASE("The load of a host is the mean number of its chunks over a chunk's time") {
  const OpenSession apart("metrics.json", small_metrics());
  CHECK(apart.ask("chunks").number("host_load", 0) == Approx(1));
  // Both of one host: they run together for 1.5 of 2 s, and of 3 s.
  const OpenSession session("metrics.json",
                            with(small_metrics(), "/data/y.root", "root://eos.example//y.root"));
  const Table chunks = session.ask("chunks");
  CHECK(chunks.number("host_load", 0) == Approx(1.75));
  CHECK(chunks.number("host_load", 1) == Approx(1.5));
  const Table levels = session.ask("host_load");
  REQUIRE(levels.rows() == 1);
  CHECK(levels.number("chunks_open", 0) == 2);
  CHECK(levels.number("chunks", 0) == 2);
  CHECK(levels.number("p50", 0) == Approx((1.5e6 + 4e6 / 3) / 2));
}

TEST_CASE("A branch is to be preloaded where each chunk reads it") {
  const OpenSession session("metrics.json", small_metrics());
  const Table table = session.ask("branches");
  REQUIRE(table.rows() == 3);
  CHECK(table.text("always_in", table.row_of("branch", "pt")) == "x, y");
  CHECK(table.text("always_in", table.row_of("branch", "eta")) == "x");
  CHECK(table.text("always_in", table.row_of("branch", "phi")) == "y");
}
