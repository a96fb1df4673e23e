#include <limits>

#include "core/predict/prediction.hpp"
#include "core/predict/replay.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"
#include "tests/core/test_data.hpp"

using namespace crema;
using namespace crema::predict;
using namespace crema::test;

namespace {

OpenSession runs_of(const std::vector<std::string>& names) {
  std::vector<File> files;
  for (const std::string& name : names) {
    for (const char* file : {"/metrics.json", "/start_end_time.txt"})
      files.push_back(
          {std::to_string(files.size() / 2) + "-" + name + file, read_test_file(name + file)});
  }
  return OpenSession(files);
}

}  // namespace

TEST_CASE("The scaling series gives the cores and rates that roastcoffea printed") {
  const OpenSession session = runs_of({"scale-4", "scale-1", "scale-2"});
  const Table table = session.ask_all("scaling");
  // By size, whatever the order in which they were opened; rates are 715,144 events over the
  // elapsed 28.4, 14.5, 17.4 s.
  REQUIRE(table.rows() == 3);
  const double cores[] = {1, 2, 4};
  const double khz[] = {25.560666776177534, 50.1922332914879, 41.786069859021126};
  for (std::size_t row = 0; row < 3; ++row) {
    CHECK(table.number("cores", row) == Approx(cores[row]));
    CHECK(table.number("event_rate_khz", row) == Approx(khz[row]));
    CHECK(table.number("efficiency_vs_ideal", row) == Approx(khz[row] / (khz[0] * cores[row])));
  }
  const Table curve = session.ask_all(
      "scaling_curve", Options(std::map<std::string, std::string>{{"to", "8"}, {"points", "8"}}));
  CHECK(curve.rows() == 8);
  CHECK(curve.number("ideal", 7) == Approx(8 * khz[0]));
}

TEST_CASE("How many cores a target needs, as the runs let expect") {
  // Their rates are 25.6, 50.2 and 41.8 kHz on 1, 2 and 4 cores: one is too few for 40 kHz.
  const OpenSession session = runs_of({"scale-1", "scale-2", "scale-4"});
  const Table table = session.ask_all("scaling", option("target", "40"));
  CHECK(number_note(table, "target_cores") == 2);
  CHECK(number_note(table, "target_factor") == Approx(40 / number_note(table, "best_rate")));
  CHECK(number_note(session.ask_all("scaling", option("target", "20")), "target_cores") == 1);
  // More cores of that machine only wait.
  CHECK(
      is_absent(number_note(session.ask_all("scaling", option("target", "1e6")), "target_cores")));
}

TEST_CASE("List scheduling, by hand") {
  CHECK(replay({3, 2, 2}, {Slot{}, Slot{}}) == 4);  // 3 | 2, 2
  CHECK(replay({2, 2, 3}, {Slot{}, Slot{}}) == 5);
  CHECK(replay({1, 1}, {Slot{5, 100}}) == 7);
  CHECK(replay({4, 4}, {Slot{0, 1}, Slot{}}) == 4);
  CHECK(replay({4, 4, 4}, {Slot{0, 1}, Slot{}}) ==
        8);  // the first slot takes nothing new after 1 s
  CHECK(is_absent(replay({1, 1}, {Slot{0, 0.5}})));
  CHECK(is_absent(replay({}, {Slot{}})));
}

TEST_CASE("The replay of every recorded run reproduces its length within 15 %") {
  for (const char* name : {"ab-before", "ab-after", "adaptive", "local-4x1", "no-tracking",
                           "preproc-none", "scale-1", "scale-2", "scale-4", "schema-0.1.0",
                           "schema-flat-old-528a064", "schema-improve-api", "skipbad"}) {
    CAPTURE(name);
    std::vector<File> files = {
        {"run/metrics.json", read_test_file(std::string(name) + "/metrics.json")},
        {"run/start_end_time.txt", read_test_file(std::string(name) + "/start_end_time.txt")},
        {"run/scheduler_info.json", read_test_file(std::string(name) + "/scheduler_info.json")}};
    const Table table = OpenSession(files).ask("whatif");
    REQUIRE(table.rows() > 5);
    CHECK(std::fabs(table.number("calibration_error", 0)) < 0.15);
    for (std::size_t row = 0; row < table.rows(); ++row) {
      CAPTURE(table.text("scenario", row));
      CHECK(table.number("elapsed_low", row) <= table.number("elapsed_high", row));
      if (is_absent(table.number("elapsed", row))) continue;  // the recording does not tell
      CHECK(table.number("elapsed_low", row) <= table.number("elapsed", row));
      CHECK(table.number("elapsed_high", row) >= table.number("elapsed", row));
    }
  }
}

TEST_CASE("A number of cores that nobody has is not replayed") {
  OpenSession session("metrics.json", small_metrics());
  Run& run = const_cast<Run&>(session.run());  // as a damaged file would make it
  for (std::size_t i = 0; i < run.workers.size(); ++i) {
    for (double& threads : run.workers.of(Series::cores, i).values) threads = 1e300;
  }
  CHECK(session.ask("whatif").rows() == 0);
}

TEST_CASE("Nothing is predicted for a number of cores that no cluster has") {
  const OpenSession session = runs_of({"scale-2"});
  const Run* runs[] = {&session.run()};
  CHECK(predict_cluster(runs, {}, {.cores = 4}).low > 0);
  for (const double cores : {0.0, -1.0, 1e300, std::numeric_limits<double>::infinity(), absent}) {
    const Prediction told = predict_cluster(runs, {}, {.cores = cores});
    CHECK(is_absent(told.likely));
    CHECK(is_absent(told.low));
    CHECK(told.basis.unseen == PredictionBasis::Unseen::cores);
  }
}

TEST_CASE("A replay that is far off is told, and nothing is predicted from it") {
  // Ten times as long as its chunks explain.
  const OpenSession session(std::vector<File>{
      {"run/metrics.json", read_test_file("scale-2/metrics.json")}, {"run/t.txt", "0,300"}});
  const Table table = session.ask("whatif");
  CHECK(std::fabs(table.number("calibration_error", 0)) <
        0.15);  // what came after the chunks is kept as it was
  const OpenSession none("metrics.json", read_test_file("no-decorator/metrics.json"));
  CHECK(none.ask("whatif").rows() == 0);
}
