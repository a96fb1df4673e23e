// What holds for any run, tried on runs made by chance.
#include "catch.hpp"
#include "core/export/export.hpp"
#include "open_run.hpp"
#include "random_bundle.hpp"

using namespace crema;
using namespace crema::exports;
using namespace crema::test;

namespace {

constexpr unsigned runs = 60;

double sum(const Table& table, std::string_view column) {
  double total = 0;
  for (const double v : table.find(column)->numbers) total += value_or(v, 0);
  return total;
}

double integral(const Table& throughput, std::string_view column) {
  double total = 0;
  for (std::size_t i = 0; i < throughput.rows(); ++i) {
    total += value_or(throughput.number(column, i), 0) *
             (throughput.number("t1", i) - throughput.number("t0", i));
  }
  return total;
}

/// Every question about the whole run, as text.
std::string everything(const OpenSession& session, const Selection& selection = {}) {
  std::string text;
  for (const query::Question* question : query::all()) {
    if (question->name == "sources" || question->run_count.most > 1) continue;
    Table table = session.ask(question->name, selection);
    table.notes.clear();
    text += table_json(table);
  }
  return text;
}

}  // namespace

TEST_CASE("The zone is recovered and the core-time exact, whoever comes and goes") {
  for (unsigned seed = 0; seed < runs; ++seed) {
    CAPTURE(seed);
    const RandomBundle bundle(seed);
    const OpenSession session("metrics.json", bundle.metrics);
    CHECK(session.run().clock.zone_offset == bundle.zone_offset);
    CHECK(core_seconds(session.ask("budget"), "available") ==
          Approx(bundle.core_seconds).epsilon(1e-9));
    CHECK(session.ask("timeline").rows() == bundle.ticks);
  }
}

TEST_CASE("Chunks are counted once: by dataset, by file, and over time") {
  for (unsigned seed = 0; seed < runs; ++seed) {
    CAPTURE(seed);
    const RandomBundle bundle(seed);
    const OpenSession session("metrics.json", bundle.metrics);
    for (const char* question : {"datasets", "files", "hosts"}) {
      const Table groups = session.ask(question);
      CHECK(sum(groups, "chunks") == static_cast<double>(bundle.chunks));
      CHECK(sum(groups, "events") == bundle.chunk_events);
      CHECK(sum(groups, "seconds") == Approx(bundle.chunk_seconds).epsilon(1e-9));
      CHECK(sum(groups, "bytes") == bundle.chunk_bytes);
    }
    CHECK(sum(session.ask("runtime_histogram"), "count") == static_cast<double>(bundle.chunks));
    // Chunks may end after the run's last moment: what is inside the window is what bins of any
    // width hold.
    const Table few = session.ask("throughput", {}, option("bins", "7"));
    const Table many = session.ask("throughput", {}, option("bins", "1001"));
    for (const char* column : {"bytes_per_second", "events_per_second", "chunks_running"}) {
      CHECK(integral(few, column) == Approx(integral(many, column)).epsilon(1e-9).margin(1e-9));
    }
    CHECK(integral(few, "bytes_per_second") <= bundle.chunk_bytes * (1 + 1e-9));
  }
}

TEST_CASE("Lanes never hold two chunks at once") {
  for (unsigned seed = 0; seed < runs; ++seed) {
    CAPTURE(seed);
    const OpenSession session("metrics.json", RandomBundle(seed).metrics);
    const Table chunks = session.ask("chunks");
    for (std::size_t a = 0; a < chunks.rows(); ++a) {
      for (std::size_t b = a + 1; b < chunks.rows(); ++b) {
        if (chunks.number("lane", a) != chunks.number("lane", b)) continue;
        CHECK((chunks.number("t_end", a) <= chunks.number("t_start", b) ||
               chunks.number("t_end", b) <= chunks.number("t_start", a)));
      }
    }
  }
}

TEST_CASE("Selecting everything is selecting nothing") {
  for (unsigned seed = 0; seed < runs; seed += 5) {
    CAPTURE(seed);
    const OpenSession session("metrics.json", RandomBundle(seed).metrics);
    Selection all;
    const Table datasets = session.ask("datasets");
    for (std::size_t i = 0; i < datasets.rows(); ++i)
      all.datasets.emplace_back(datasets.text("name", i));
    if (all.datasets.empty()) continue;
    for (const char* question :
         {"chunks", "datasets", "files", "throughput", "tail", "sections", "access"}) {
      Table with = session.ask(question, all);
      Table without = session.ask(question);
      with.notes.clear();
      without.notes.clear();
      CHECK(table_json(with) == table_json(without));
    }
  }
}

TEST_CASE("Two halves of a run add up to the whole") {
  for (unsigned seed = 0; seed < runs; ++seed) {
    CAPTURE(seed);
    const RandomBundle bundle(seed);
    const OpenSession session("metrics.json", bundle.metrics);
    const double middle = bundle.elapsed * 0.37;
    Selection first, second;
    first.time = Selection::TimeRange{0, middle};
    second.time = Selection::TimeRange{middle, 1e6};
    for (const char* column : {"events", "seconds", "bytes"}) {
      const double whole = sum(session.ask("datasets"), column);
      const double halves = sum(session.ask("datasets", first), column) +
                            sum(session.ask("datasets", second), column);
      CHECK(halves == Approx(whole).epsilon(1e-9).margin(1e-9));
    }
    second.time->end = bundle.elapsed;
    CHECK(core_seconds(session.ask("budget", first), "available") +
              core_seconds(session.ask("budget", second), "available") ==
          Approx(bundle.core_seconds).epsilon(1e-9));
  }
}

TEST_CASE("Where a file is cut into pieces does not matter") {
  for (unsigned seed = 0; seed < runs; seed += 6) {
    CAPTURE(seed);
    const RandomBundle bundle(seed);
    const std::vector<File> files = {{"metrics.json", bundle.metrics}};
    const std::string whole = everything(OpenSession(files));
    const HeadSize head = least_head(files);
    REQUIRE(head.most < bundle.metrics.size() / 10);
    for (const std::size_t piece : {1U, 7U, 64U, 1000U})
      CHECK(everything(OpenSession(files, piece, head)) == whole);
  }
}

TEST_CASE("Other runs in the session change no answer") {
  for (unsigned seed = 1; seed < runs; seed += 6) {
    CAPTURE(seed);
    const RandomBundle bundle(seed);
    const RandomBundle other(seed + 1000);
    const OpenSession alone({{"a/metrics.json", bundle.metrics}});
    const OpenSession together(
        {{"b/metrics.json", other.metrics}, {"a/metrics.json", bundle.metrics}});
    REQUIRE(together.runs() == 2);
    for (const query::Question* question : query::all()) {
      if (question->run_count.most > 1 || question->name == "sources") continue;
      CHECK(table_json(alone.ask(question->name)) ==
            table_json(together.ask(question->name, {}, {}, 1)));
    }
  }
}
