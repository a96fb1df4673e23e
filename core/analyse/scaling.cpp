// Questions over several runs of the same work: `scaling` (a row per run) and `scaling_curve` (the fit between and beyond).
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analyse/questions.hpp"
#include "core/analyse/scalability.hpp"
#include "core/analyse/summary.hpp"

namespace crema {

namespace {

struct Study {
  std::vector<double> cores, events, bytes;  // time average; kHz; Gbps
  std::vector<double> rate;                  // what is fitted: events where all runs have them, else bytes
  const char* unit = "kHz";
  double per_core = absent;  // of the smallest run: what ideal scaling would keep
  std::optional<Scalability> law;
};

Study study_of(std::span<const Run* const> runs, const Selection& selection) {
  Study study;
  for (const Run* run : runs) {
    const std::vector<Headline> numbers = headlines(*run, selection, {});
    const auto value = [&](std::string_view id) {
      const auto found = std::find_if(numbers.begin(), numbers.end(), [&](const Headline& h) { return h.id == id; });
      return found == numbers.end() ? absent : found->value;
    };
    study.cores.push_back(value("cores_time_average"));
    study.events.push_back(value("event_rate_elapsed_khz"));
    study.bytes.push_back(value("data_rate_gbps"));
  }
  const bool counted = std::none_of(study.events.begin(), study.events.end(), is_absent);
  study.rate = counted ? study.events : study.bytes;
  if (!counted) study.unit = "Gbps";
  double least = absent;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (study.cores[i] > 0 && study.rate[i] > 0 && !(study.cores[i] >= least)) {
      least = study.cores[i];
      study.per_core = study.rate[i] / study.cores[i];
    }
  }
  study.law = fit_scalability(study.cores, study.rate);
  return study;
}

/// The least number of cores at which the fit reaches `target`, up to a million; absent when it never does.
double cores_for(const Scalability& law, double target) {
  double low = 1;
  double high = 1;
  constexpr double most = 1e6;
  const double peak = law.kappa > 0 ? std::max(1.0, std::sqrt(std::max(0.0, 1 - law.sigma) / law.kappa)) : most;
  if (law.at(peak).rate < target) return absent;
  high = peak;
  for (int i = 0; i < 200 && high - low > 1e-6 * high; ++i) {
    const double middle = (low + high) / 2;
    (law.at(middle).rate < target ? low : high) = middle;
  }
  return high;
}

}  // namespace

Table scaling(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Study study = study_of(runs, selection);
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Unknown sizes last: NaN compares with nothing.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    return is_absent(study.cores[x]) != is_absent(study.cores[y]) ? is_absent(study.cores[y]) : study.cores[x] < study.cores[y];
  });
  Table table;
  const auto run = table.add_text("run");
  const auto number = table.add_number("number", "", "the run's number in this session");
  const auto cores = table.add_number("cores", "count", "time average");
  const auto events = table.add_number("event_rate_khz", "kHz", "events / elapsed");
  const auto bytes = table.add_number("data_rate_gbps", "Gbps", "bytes / elapsed");
  const auto per_core = table.add_number("rate_per_core", study.unit, "rate / cores");
  const auto ideal = table.add_number("ideal", study.unit, "rate per core of the smallest run x cores");
  const auto efficiency = table.add_number("efficiency_vs_ideal", "1", "rate / ideal");
  const auto fit = table.add_number("fit", study.unit, "Universal Scalability Law, least squares");
  const auto low = table.add_number("fit_low", study.unit, "95 % band");
  const auto high = table.add_number("fit_high", study.unit, "95 % band");
  for (const std::size_t i : order) {
    const Scalability::Band band = study.law && study.cores[i] > 0 ? study.law->at(study.cores[i]) : Scalability::Band{};
    table.put(run, runs[i]->title);
    table.put(number, runs[i]->number);
    table.put(cores, study.cores[i]);
    table.put(events, study.events[i]);
    table.put(bytes, study.bytes[i]);
    table.put(per_core, ratio(study.rate[i], study.cores[i]));
    table.put(ideal, study.per_core * study.cores[i]);
    table.put(efficiency, ratio(study.rate[i], study.per_core * study.cores[i]));
    table.put(fit, band.rate);
    table.put(low, band.low);
    table.put(high, band.high);
  }
  table.note("rate", std::string(study.unit));
  table.note("sizes", static_cast<double>(distinct_sizes(study.cores)));
  if (!study.law) {
    table.note("fit", "not fitted: a law of three parameters needs runs with at least four different numbers of cores");
    return table;
  }
  const Scalability& law = *study.law;
  table.note("lambda", law.lambda);
  table.note("sigma", law.sigma);
  table.note("kappa", law.kappa);
  table.note("lambda_error", law.lambda_error);
  table.note("sigma_error", law.sigma_error);
  table.note("kappa_error", law.kappa_error);
  table.note("peak_cores", law.kappa > 0 ? std::sqrt(std::max(0.0, 1 - law.sigma) / law.kappa) : absent);
  if (options.has("target")) {
    const double target = options.number("target", absent);
    table.note("target", target);
    table.note("target_cores", cores_for(law, target));
  }
  return table;
}

Table scaling_curve(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Study study = study_of(runs, selection);
  const double largest = moments(study.cores).max;
  const double to = options.number("to", 2 * largest);
  const double points = options.number("points", 200);
  if (!(points >= 2 && points <= 10000)) throw Failure(ErrorCode::bad_option, "points is not between 2 and 10,000");
  Table table;
  const auto cores = table.add_number("cores", "count");
  const auto ideal = table.add_number("ideal", study.unit, "rate per core of the smallest run x cores");
  const auto fit = table.add_number("fit", study.unit, "Universal Scalability Law, least squares");
  const auto low = table.add_number("fit_low", study.unit, "95 % band");
  const auto high = table.add_number("fit_high", study.unit, "95 % band");
  if (is_absent(to) || !(to > 1)) return table;
  for (int i = 0; i < points; ++i) {
    const double n = 1 + (to - 1) * i / (points - 1);
    const Scalability::Band band = study.law ? study.law->at(n) : Scalability::Band{};
    table.put(cores, n);
    table.put(ideal, study.per_core * n);
    table.put(fit, band.rate);
    table.put(low, band.low);
    table.put(high, band.high);
  }
  table.note("largest", largest);
  return table;
}

}  // namespace crema
