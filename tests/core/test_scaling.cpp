#include <limits>

#include "core/predict/prediction.hpp"
#include "core/predict/replay.hpp"
#include "core/predict/scalability.hpp"
#include "core/stats/least_squares.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/small_bundle.hpp"
#include "tests/core/test_data.hpp"

using namespace crema;
using namespace crema::stats;
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

TEST_CASE("Least squares through points of a line, and its errors") {
  const std::vector<FitPoint<2>> points = {{{1, 0}, 1, 1}, {{1, 1}, 3, 1}, {{1, 2}, 5, 1}};
  const auto fit = least_squares<2>(points);
  REQUIRE(fit.has_value());
  CHECK(fit->theta[0] == Approx(1));
  CHECK(fit->theta[1] == Approx(2));
  CHECK(fit->covariance[1][1] == Approx(0).margin(1e-12));
  // Residuals 1/6, −1/3, 1/6 with one degree of freedom: s² = 1/6, of the slope s²/2.
  const std::vector<FitPoint<2>> off = {{{1, 0}, 1, 1}, {{1, 1}, 2.5, 1}, {{1, 2}, 5, 1}};
  CHECK(least_squares<2>(off)->covariance[1][1] == Approx(1.0 / 12));
  const std::vector<FitPoint<2>> same = {{{1, 2}, 1, 1}, {{1, 2}, 3, 1}};
  CHECK_FALSE(least_squares<2>(same).has_value());
}

TEST_CASE("The Universal Scalability Law is recovered from its own numbers") {
  Scalability law;
  law.lambda = 10;
  law.sigma = 0.05;
  law.kappa = 0.001;
  std::vector<double> cores, rates;
  for (const double n : {1.0, 2.0, 4.0, 8.0, 16.0, 32.0}) {
    cores.push_back(n);
    rates.push_back(law.at(n).rate);
  }
  CHECK(rates[0] == Approx(10));
  CHECK(rates[1] == Approx(20 / (1 + 0.05 + 0.002)));
  const auto fit = fit_scalability(cores, rates);
  REQUIRE(fit.has_value());
  CHECK(fit->lambda == Approx(10));
  CHECK(fit->sigma == Approx(0.05));
  CHECK(fit->kappa == Approx(0.001));
  CHECK(fit->at(8).low <= fit->at(8).rate);
  CHECK(fit->at(8).high >= fit->at(8).rate);
}

TEST_CASE("Contention and coherence are never below 0, and fewer than four sizes are not fitted") {
  // Faster than in proportion: there is no such contention.
  const auto fit = fit_scalability({1, 2, 4, 8}, {10, 21, 43, 90});
  REQUIRE(fit.has_value());
  CHECK(fit->sigma == 0);
  CHECK(fit->kappa == 0);
  CHECK(is_absent(fit->sigma_error));  // at its bound, not exact
  CHECK(is_absent(fit->kappa_error));
  CHECK(fit->lambda_error > 0);
  CHECK_FALSE(fit_scalability({1, 2, 4, 4}, {10, 19, 30, 31}).has_value());
  CHECK_FALSE(fit_scalability({1, 2, 3, absent}, {10, 19, 30, 31}).has_value());
}

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
    CHECK(is_absent(table.number("fit", row)));  // three sizes
  }
  const Table curve = session.ask_all(
      "scaling_curve", Options(std::map<std::string, std::string>{{"to", "8"}, {"points", "8"}}));
  CHECK(curve.rows() == 8);
  CHECK(curve.number("ideal", 7) == Approx(8 * khz[0]));
}

TEST_CASE("How many cores a target needs, where the law reaches it") {
  // 3,000 events each, on 1 to 8 threads: σ = 0.05, κ = 0.01.
  std::vector<File> files;
  for (const int n : {1, 2, 4, 8}) {
    const double rate = n / (1 + 0.05 * (n - 1) + 0.01 * n * (n - 1));  // [kHz]
    const std::string folder = std::to_string(n) + "-cores/";
    const std::string threads = std::to_string(n);
    files.push_back({folder + "metrics.json", R"({"elapsed_time_seconds": )" +
                                                  std::to_string(3 / rate) +
                                                  R"(, "total_events": 3000, "tracking_data": {
                               "worker_counts": {"2026-11-21T10:00:00": 1},
                               "worker_cores": {"tcp://10.0.0.1:1": [["2026-11-21T10:00:00", )" +
                                                  threads + "]]}}}"});
  }
  const OpenSession session(files);
  const Table table = session.ask_all("scaling", option("target", "2"));
  CHECK(number_note(table, "sizes") == 4);
  CHECK(number_note(table, "sigma") == Approx(0.05).epsilon(0.01));
  const double kappa = number_note(table, "kappa");
  CHECK(kappa == Approx(0.01).epsilon(0.01));
  CHECK(number_note(table, "peak_cores") ==
        Approx(std::sqrt((1 - number_note(table, "sigma")) / kappa)));
  // n = 2 (1 + 0.05 (n − 1) + 0.01 n (n − 1)): 0.02 n² − 0.92 n + 1.9 = 0.
  CHECK(number_note(table, "target_cores") ==
        Approx((0.92 - std::sqrt(0.92 * 0.92 - 4 * 0.02 * 1.9)) / 0.04).epsilon(0.01));
  CHECK(number_note(table, "target_factor") == Approx(2 / number_note(table, "best_rate")));
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
  CHECK(predict_cores(runs, {}, 4).low > 0);
  for (const double cores : {0.0, -1.0, 1e300, std::numeric_limits<double>::infinity(), absent}) {
    const Prediction told = predict_cores(runs, {}, cores);
    CHECK(is_absent(told.likely));
    CHECK(is_absent(told.low));
    CHECK(told.unseen == "the number of cores is not realistic");
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
