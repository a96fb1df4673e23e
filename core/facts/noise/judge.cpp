#include "core/facts/noise/judge.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/elementary.hpp"
#include "core/facts/noise/discoveries.hpp"
#include "core/facts/noise/replicates.hpp"

namespace crema::facts {

namespace {

/// Judges one row at a time.
struct Judging {
  const Judge& by;

  void judge(Compared& row) const {
    if (is_absent(row.a.value) || is_absent(row.b.value)) return;
    switch (row.source) {
      case Noise::none:
        row.noise = 0;
        row.noise_from = "none: it is a fact";
        break;
      case Noise::run: judge_run(row); break;
      case Noise::chunks: judge_part(row); break;
      case Noise::samples: judge_samples(row); break;
      case Noise::unknown: judge_replicates(row); break;
    }
    if (is_absent(row.noise) && row.note.empty())
      row.note =
          by.has_replicates ? "noise unknown" : "noise unknown: one run a side does not tell it";
  }

  void judge_run(Compared& row) const {
    if (!by.same_events && row.unit == "s") {
      row.note = "not judged: the runs have other numbers of events";
      return;
    }
    std::vector<double> a, b;
    for (const double x : row.a.runs) a.push_back(x > 0 ? elementary::log(x) : absent);
    for (const double x : row.b.runs) b.push_back(x > 0 ? elementary::log(x) : absent);
    const BetweenRuns between = between_runs(a, b, by.run_spread);
    row.noise = std::fabs(row.b.value) * between.error;
    row.chance =
        chance_of(elementary::log(row.b.value / row.a.value) / between.error, between.freedom);
    row.noise_from = by.has_replicates ? "replicates, and the assumed spread of runs"
                                       : "the assumed spread of runs";
  }

  void judge_part(Compared& row) const {
    const std::string id =
        row.label == "unnamed" ? row.group + "." : row.id;  // as whoever measured it calls it
    const Departure* const part = by.explanation.pace.find(id);
    if (part == nullptr || !std::isfinite(part->log_ratio)) return;
    row.expected = row.b.value * elementary::exp(-part->log_ratio);
    row.noise = row.expected * part->error;
    row.chance = chance_of(part->errors(), part->freedom);
    row.noise_from = std::string("chunks against the common factor") +
                     (by.has_replicates ? ", and replicates" : "");
  }

  void judge_samples(Compared& row) const {
    const Pace& pace = by.explanation.pace;
    if (!pace.known() || is_absent(row.a.noise) || is_absent(row.b.noise)) return;
    row.expected = row.a.value * by.factor;
    const double relative =
        elementary::hypot(elementary::hypot(pace.error, lasting_share * pace.section_noise),
                          unevenness * pace.factor);
    const double error = elementary::hypot(elementary::hypot(row.b.noise, by.factor * row.a.noise),
                                           row.expected * relative);
    std::vector<double> a = row.a.runs;
    for (double& x : a) x *= by.factor;
    const BetweenRuns between = between_runs(a, row.b.runs, error / std::sqrt(2.0));
    // another chunk size explains so much
    const double allowed = row.expected * elementary::expm1(std::fabs(pace.resized));
    row.noise = by.has_replicates ? between.error : error;
    row.chance =
        chance_of(std::max(0.0, std::fabs(row.excess()) - allowed) / row.noise, between.freedom);
    row.noise_from = "samples, and chunks against the common factor";
  }

  void judge_replicates(Compared& row) const {
    const BetweenRuns between = between_runs(row.a.runs, row.b.runs, absent);
    if (is_absent(between.error)) return;
    row.noise = between.error;
    row.chance = chance_of(ratio(row.delta(), between.error), between.freedom);
    row.noise_from = "replicates";
  }

  /// What is too small to matter, whatever its noise.
  double floor(const Compared& row) const {
    return least_share * (row.group == "summary"
                              ? std::max(std::fabs(row.a.value), std::fabs(row.b.value))
                              : by.core_time);
  }
};

}  // namespace

void Judge::judge(std::vector<Compared>& rows) const {
  const Judging judging{*this};
  std::vector<double> chances;
  for (Compared& row : rows) {
    if (row.group != "setup") judging.judge(row);
    chances.push_back(row.chance);
  }
  const std::vector<bool> found = discoveries(chances);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Compared& row = rows[i];
    rows[i].is_told =
        row.group != "setup" &&
        (row.source == Noise::none ? row.noise == 0 && !row.is_same()
                                   : found[i] && std::fabs(row.excess()) >= judging.floor(row));
  }
}

}  // namespace crema::facts
