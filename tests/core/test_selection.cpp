#include "core/export/export.hpp"
#include "core/runtime/chunks.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"
#include "tests/core/small_run.hpp"
#include "tests/core/test_data.hpp"

using namespace crema;
using namespace crema::runtime;
using namespace crema::test;

namespace {

/// The columns of a Table as text, without its notes.
std::string columns_of(Table table) {
  table.notes.clear();
  return table_json(table);
}

Selection time(double begin, double end) {
  Selection selection;
  selection.time = Selection::TimeRange{begin, end};
  return selection;
}

Selection everything(const Run& run) {
  Selection all = time(-1, run.window().end + 1000);
  for (std::size_t i = 0; i < run.workers.size(); ++i)
    all.workers.emplace_back(run.text(run.workers.address[i]));
  for (const StringId id : run.chunks.dataset) all.datasets.emplace_back(run.text(id));
  for (const StringId id : run.chunks.file) all.files.emplace_back(run.text(id));
  return all;
}

}  // namespace

TEST_CASE("The selection of everything gives the answers of no selection") {
  for (const std::string& text : {small_metrics(), read_test_file("adaptive/metrics.json"),
                                  read_test_file("no-tracking/metrics.json")}) {
    const OpenSession session("metrics.json", text);
    Selection all = everything(session.run());
    all.workers.clear();  // a worker selection is told apart below
    for (const char* question : {"summary", "budget", "timeline", "workers", "throughput", "chunks",
                                 "datasets", "files", "hosts", "fine"}) {
      CAPTURE(question);
      CHECK((columns_of(session.ask(question, all)) == columns_of(session.ask(question))));
    }
    const Selection full = everything(session.run());
    for (const char* question : {"timeline", "workers", "chunks", "datasets"}) {
      CAPTURE(question);
      CHECK((columns_of(session.ask(question, full)) == columns_of(session.ask(question))));
    }
  }
}

TEST_CASE("The halves of a time range add up") {
  for (const std::string& text : {small_metrics(), read_test_file("ab-before/metrics.json")}) {
    const OpenSession session("metrics.json", text);
    const double end = session.run().window().end;
    for (const double cut : {end * 0.3, end * 0.5, end * 0.77}) {
      // Neither half nor the whole is all of the run, which would be no selection.
      const Table first = session.ask("summary", time(0.01, cut));
      const Table second = session.ask("summary", time(cut, end - 0.01));
      const Table whole = session.ask("summary", time(0.01, end - 0.01));
      for (const char* id : {"total_events", "total_bytes_read", "total_cpu_time",
                             "core_seconds_available", "elapsed_time_seconds"}) {
        CAPTURE(id, cut);
        CHECK(value(first, id) + value(second, id) == Approx(value(whole, id)).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("A time range counts the chunks that overlap it") {
  const OpenSession session("metrics.json", small_metrics());
  CHECK(session.ask("chunks", time(0, 0.9)).rows() == 1);
  CHECK(session.ask("chunks", time(1.5, 1.6)).rows() == 2);
  CHECK(session.ask("chunks", time(3, 3.5)).rows() == 1);
  CHECK(session.ask("chunks", time(0, 0.5)).rows() == 0);  // touching is no overlap
  CHECK(value(session.ask("summary", time(0, 2)), "total_events") == Approx(750 + 2000.0 / 3));
}

TEST_CASE("A time range without length holds nothing and divides by nothing") {
  const Table summary = OpenSession("metrics.json", small_metrics()).ask("summary", time(2, 2));
  for (std::size_t row = 0; row < summary.rows(); ++row)
    CHECK_FALSE(std::isinf(summary.number("value", row)));
  CHECK(is_absent(value(summary, "data_rate_gbps")));
}

TEST_CASE("Worker counts follow the selected time") {
  const OpenSession session("metrics.json", small_metrics());
  CHECK(value(session.ask("summary", time(1.5, 3)), "peak_workers") == 1);
  CHECK(value(session.ask("summary", time(0, 1.5)), "workers_mean") == 2);
}

TEST_CASE("Datasets, files and hosts select their chunks; together they must all hold") {
  const OpenSession session("metrics.json", small_metrics());
  Selection x;
  x.datasets = {"x"};
  CHECK(value(session.ask("summary", x), "total_events") == 1000);
  Selection host;
  host.hosts = {"eos.example"};
  CHECK(value(session.ask("summary", host), "num_chunks") == 1);
  Selection file;
  file.files = {"/data/y.root"};
  CHECK(value(session.ask("summary", file), "total_bytes_read") == 4e6);
  Selection both = file;
  both.datasets = {"x"};
  CHECK(session.ask("chunks", both).rows() == 0);
  Selection two;
  two.datasets = {"x", "y"};
  CHECK(session.ask("chunks", two).rows() == 2);
}

TEST_CASE("Hosts serve files; sites are where they lie behind caches") {
  const std::string nested =
      "root://user@cache.example:1094//root://origin.example:1094//store/f.root";
  CHECK(host_of(nested) == "cache.example");
  CHECK(site_of(nested) == "origin.example");
  CHECK(site_of("https://cache.example/xcache/davs://origin.example:443/f.root") ==
        "origin.example");
  CHECK(site_of("root://host.example//store/f.root") == "host.example");
  // Two servers of one machine are two; the usual port is nobody's name.
  CHECK(host_of("https://host.example:8443/f.root") == "host.example:8443");
  CHECK(host_of("https://host.example:443/f.root") == "host.example");
  CHECK(host_of("root://[2001:db8::1]:1095//f.root") == "[2001:db8::1]:1095");
  CHECK(host_of("root://[2001:db8::1]:1094//f.root") == "[2001:db8::1]");
  for (const char* local : {"/pnfs/example/f.root", "file:///data/f.root", "f.root", ""}) {
    CHECK(host_of(local) == "local");
    CHECK(site_of(local) == "local");
  }
  CHECK(host_of("dcap://dcache.example:22125//pnfs/f.root") == "dcache.example");
}

TEST_CASE("Ranges on chunk columns include their ends and leave out chunks without a value") {
  const OpenSession session("metrics.json", small_metrics());
  const auto rows = [&](const std::string& column, double lo, double hi) {
    Selection s;
    s.ranges = {{column, lo, hi}};
    return session.ask("chunks", s).rows();
  };
  CHECK(rows("events", 1000, 1000) == 1);
  CHECK(rows("events", 0, 999) == 0);
  CHECK(rows("duration", 2, 3) == 2);
  CHECK(rows("memory_delta", -1e9, 0) == 1);
  CHECK(rows("seconds_per_event", 0.0019, 0.0021) == 1);
  CHECK(rows("outlier", 0, 1) == 0);  // too few chunks to tell outliers
}

TEST_CASE("Names that do not occur select nothing") {
  const OpenSession session("metrics.json", small_metrics());
  Selection unknown;
  unknown.datasets = {"z"};
  CHECK(session.ask("chunks", unknown).rows() == 0);
  CHECK(session.ask("datasets", unknown).rows() == 0);
  CHECK(value(session.ask("summary", unknown), "num_chunks") == 0);
  CHECK(is_absent(value(session.ask("summary", unknown), "total_events")));
  Selection worker;
  worker.workers = {"tcp://nobody:1"};
  CHECK(session.ask("workers", worker).rows() == 0);
  Selection prefix;
  prefix.prefixes = {"Q"};
  CHECK(session.ask("fine", prefix).rows() == 0);
}

TEST_CASE("Workers select the chunks that they ran, where the task stream tells") {
  SmallRun small;
  Selection second;
  second.workers = {"tcp://10.0.0.1:1000"};
  CHECK(ChunkSelection(small.run, second).all);
  CHECK(chunk_selection_note(small.run, second) ==
        "filter of workers not applied: not recorded for chunks");
  CHECK(are_of_all_workers(small.run, second));
  small.stream();
  const ChunkSelection chosen(small.run, second);
  CHECK(chosen.count == small.chunks_each);
  CHECK_FALSE(chosen[0]);
  CHECK(chosen[small.chunks_each]);
  CHECK(chunk_selection_note(small.run, second).empty());
  CHECK_FALSE(are_of_all_workers(small.run, second));
  second.workers = {"tcp://nobody:1"};
  CHECK(ChunkSelection(small.run, second).count == 0);
  // All of them are no selection, also where the worker of one chunk is not known.
  small.run.chunks.worker[0] = no_string;
  second.workers.clear();
  for (const StringId address : small.run.workers.address)
    second.workers.emplace_back(small.run.text(address));
  CHECK(ChunkSelection(small.run, second).all);
}

TEST_CASE("Notes say what a selection cannot narrow") {
  const OpenSession session("metrics.json", small_metrics());
  Selection worker;
  worker.workers = {"tcp://10.0.0.1:1001"};
  Selection dataset;
  dataset.datasets = {"x"};
  for (const char* question : {"chunks", "datasets", "throughput", "summary", "budget", "fine"}) {
    CAPTURE(question);
    CHECK_FALSE(note(session.ask(question, worker), "selection").empty());
  }
  CHECK_FALSE(note(session.ask("fine", dataset), "selection").empty());
  CHECK_FALSE(note(session.ask("timeline", dataset), "selection").empty());
  CHECK(note(session.ask("chunks", dataset), "selection").empty());
  CHECK(note(session.ask("timeline", worker), "selection").empty());
}

TEST_CASE("Prefixes narrow the fine metrics") {
  Selection prefix;
  prefix.prefixes = {"P"};
  const Table fine = OpenSession("metrics.json", small_metrics()).ask("fine", prefix);
  CHECK(fine.rows() == 4);
}
