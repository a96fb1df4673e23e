// Every recorded bundle gives the numbers that roastcoffea itself computed, except the corrections
// listed here.
#include <cmath>
#include <set>

#include <nlohmann/json.hpp>

#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/test_data.hpp"

using namespace crema;
using namespace crema::test;

namespace {

const std::vector<std::string> bundles = {"ab-after",
                                          "ab-before",
                                          "adaptive",
                                          "local-4x1",
                                          "no-decorator",
                                          "no-tracking",
                                          "preproc-none",
                                          "scale-1",
                                          "scale-2",
                                          "scale-4",
                                          "schema-0.1.0",
                                          "schema-flat-old-528a064",
                                          "schema-improve-api",
                                          "skipbad"};

OpenSession open_bundle(const std::string& bundle) {
  std::vector<File> files;
  for (const char* name : {"metadata.json", "metrics.json", "report.json", "scheduler_info.json",
                           "span_metrics.json", "start_end_time.txt"})
    files.push_back({bundle + "/" + name, read_test_file(bundle + "/" + name)});
  return OpenSession(files);
}

/// Where our number differs from roastcoffea's by intent.
struct Correction {
  std::string_view bundle;
  std::string_view id;
  std::string_view reason;
};

constexpr std::string_view time_averaged =
    "roastcoffea sums the cores of all workers ever seen; ours is the time average";
constexpr std::string_view estimated =
    "roastcoffea has null without tracking; ours is estimated from scheduler_info";
constexpr std::string_view same_prefix =
    "both stages have the prefix automatic_retries, which ours guesses to be the processor";

const std::vector<Correction> corrections = {
    {"adaptive", "total_cores", time_averaged},
    {"adaptive", "core_efficiency", time_averaged},
    {"adaptive", "event_rate_core_khz", time_averaged},
    {"no-tracking", "core_efficiency", estimated},
    {"no-tracking", "event_rate_core_khz", estimated},
    {"preproc-none", "processor_cpu_time_seconds", same_prefix},
    {"preproc-none", "processor_io_wait_time_seconds", same_prefix},
    {"preproc-none", "processor_cpu_percent", same_prefix},
    {"preproc-none", "processor_io_wait_percent", same_prefix},
    {"preproc-none", "overhead_cpu_time_seconds", same_prefix},
    {"preproc-none", "overhead_io_wait_time_seconds", same_prefix},
};

bool is_corrected(std::string_view bundle, std::string_view id) {
  return std::any_of(corrections.begin(), corrections.end(),
                     [&](const Correction& c) { return c.bundle == bundle && c.id == id; });
}

bool agree(double a, double b, double relative) {
  if (is_absent(a) || is_absent(b)) return is_absent(a) && is_absent(b);
  return std::fabs(a - b) <= relative * std::max(std::fabs(a), std::fabs(b));
}

}  // namespace

TEST_CASE(
    "Every number that roastcoffea computed for a recorded bundle is ours, except the listed "
    "corrections") {
  for (const std::string& bundle : bundles) {
    CAPTURE(bundle);
    const OpenSession session = open_bundle(bundle);
    REQUIRE(session.runs() == 1);
    const Table summary = session.ask("summary");
    const auto oracle = nlohmann::json::parse(read_test_file(bundle + "/oracle.json"))["summary"];
    std::set<std::string> corrected;
    std::size_t compared = 0;
    for (const auto& [key, expected] : oracle.items()) {
      CAPTURE(key);
      if (key == "summary.chunks.sections") continue;  // always null: the schema's placeholder
      REQUIRE((expected.is_number() || expected.is_null()));
      const std::size_t row = summary.row_of("stored_key", key);
      REQUIRE(row < summary.rows());
      const double factor =
          key == "event_rate_core_hz" ? 1e-3 : 1;  // Hz in the old schema, kHz in ours
      const double theirs = expected.is_null() ? absent : expected.get<double>() * factor;
      const double ours = summary.number("value", row);
      const std::string id(summary.text("id", row));
      CAPTURE(id, theirs, ours);
      CHECK(agree(summary.number("stored", row), theirs, 1e-15));
      if (is_corrected(bundle, id)) corrected.insert(id);
      else CHECK(agree(ours, theirs, 1e-9));
      if (is_corrected(bundle, id))
        CHECK_FALSE(agree(ours, theirs, 1e-9));  // else the list is out of date
      ++compared;
    }
    CHECK(compared >= 33);
    for (const Correction& c : corrections) {
      if (c.bundle == bundle) CHECK(corrected.count(std::string(c.id)) == 1);
    }
  }
}

TEST_CASE("The parts of the core-time sum to the whole in every recorded bundle") {
  for (const std::string& bundle : bundles) {
    CAPTURE(bundle);
    const Table budget = open_bundle(bundle).ask("budget");
    for (const char* split : {"phase", "activity"}) {
      CAPTURE(split);
      double sum = 0;
      for (std::size_t row = 0; row < budget.rows(); ++row) {
        if (budget.text("split", row) != split) continue;
        sum += budget.number("core_seconds", row) - budget.number("shortfall", row);
      }
      CHECK(sum == Approx(core_seconds(budget, "available")).epsilon(1e-9));
    }
  }
}

TEST_CASE(
    "adaptive: a third of the processor's time was lost with workers, and the cores were not "
    "idle") {
  const OpenSession session = open_bundle("adaptive");
  const Table budget = session.ask("budget");
  CHECK(core_seconds(budget, "lost_work") == Approx(88.5).margin(1));
  CHECK(budget.text("source", budget.row_of("part", "lost_work")).substr(0, 9) == "estimated");
  const Table summary = session.ask("summary");
  CHECK(value(summary, "core_efficiency") == Approx(0.565).margin(0.0005));
  CHECK(value(summary, "core_efficiency", "stored") == Approx(0.252).margin(0.0005));
  CHECK(notes(session.ask("quality"), "cores-inflated"));
}

TEST_CASE("local-4x1: 214 chunks took 84.3 % of the core-time") {
  const OpenSession session = open_bundle("local-4x1");
  const Table summary = session.ask("summary");
  CHECK(value(summary, "num_chunks") == 214);
  CHECK(value(summary, "report_num_chunks") == 214);
  CHECK(value(summary, "lost_chunks") == 0);
  CHECK(value(summary, "process_fraction") == Approx(0.843).margin(0.0005));
  CHECK(session.ask("workers").rows() == 4);
}

TEST_CASE("skipbad: 4 of 46 chunks left no record, and a data note says so") {
  const OpenSession session = open_bundle("skipbad");
  const Table summary = session.ask("summary");
  CHECK(value(summary, "num_chunks") == 42);
  CHECK(value(summary, "report_num_chunks") == 46);
  CHECK(value(summary, "lost_chunks") == 4);
  CHECK(notes(session.ask("quality"), "lost-chunks"));
}

TEST_CASE("The count of submitted chunks is recovered without the report") {
  const OpenSession session("skipbad/metrics.json", read_test_file("skipbad/metrics.json"));
  CHECK(value(session.ask("summary"), "report_num_chunks") == 46);
}

TEST_CASE("Old bundles say which schema they are") {
  const auto schema = [](const std::string& bundle) {
    return OpenSession("metrics.json", read_test_file(bundle + "/metrics.json")).run().schema;
  };
  CHECK(schema("local-4x1") == "roastcoffea flat 0.1.x");
  CHECK(schema("schema-flat-old-528a064") == "roastcoffea flat, before 2025-12-13");
  CHECK(schema("schema-improve-api") == "roastcoffea nested");
  // Plain Dask, recorded: nothing in it is roastcoffea's.
  CHECK(OpenSession("metrics.json", R"({"tracking_data": {"worker_counts": {}}})").run().schema ==
        "cluster tracking alone");
}

TEST_CASE("schema-0.1.0: bytes that were not collected are no rate of 0") {
  const OpenSession session = open_bundle("schema-0.1.0");
  const Table throughput = session.ask("throughput");
  CHECK(is_absent(throughput.number("bytes_per_second", 0)));
  CHECK(notes(session.ask("quality"), "bytes-not-collected"));
  CHECK(value(session.ask("summary"), "data_rate_gbps") == Approx(0.1228).margin(0.0001));
}

TEST_CASE(
    "Every question answers for every recorded bundle, in columns of equal length, shares from 0 "
    "to "
    "1") {
  for (const std::string& bundle : bundles) {
    CAPTURE(bundle);
    const OpenSession session = open_bundle(bundle);
    for (const query::Question* question : query::all()) {
      if (question->run_count.least > 1) continue;
      CAPTURE(std::string(question->name));
      const Table table = session.ask(question->name);
      for (const Column& column : table.columns) {
        CAPTURE(column.name);
        CHECK((column.type == Column::Type::text ? column.texts.size() : column.numbers.size()) ==
              table.rows() * column.width);
        // a part is neither above its whole nor below nothing
        if (column.name.find("share") == std::string::npos &&
            column.name.find("fraction") == std::string::npos)
          continue;
        for (const double share : column.numbers) CHECK_FALSE((share < -1e-9 || share > 1 + 1e-9));
      }
    }
  }
}
