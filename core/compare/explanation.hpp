#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/compare/causes.hpp"
#include "core/compare/replicates.hpp"
#include "core/compare/speed_ratio.hpp"
#include "core/model/options.hpp"
#include "core/model/run.hpp"
#include "core/model/selection.hpp"

namespace crema::compare {

/// Why B took another time than A.
struct Explanation {
  SpeedRatio speed;
  Spent a, b;
  ConfigDifference config;
  std::vector<std::string> input_a, input_b;  ///< where files are: hosts and folders
  BetweenRuns between;                        ///< of the natural log of a run's speed
  std::vector<Cause> causes;      ///< `causes_of` the speed; empty without chunks in both runs
  ElapsedChange elapsed;          ///< by replay; of one run a side, all of it chosen
  Outside outside;                ///< what the elapsed time has beside process()
  MeasuredChange measured;        ///< what tasks did more of in process()
  double shown_dataset = absent;  ///< any dataset slower by this share: detected in 9 of 10
  double shown_section = absent;  ///< likewise a section
};

/// A common factor nearer to 1 is not worth a word.
inline constexpr double even = 0.03;

/// B's time in process() beyond A's [core-s].
inline double change_of(const Explanation& e) { return e.b.process - e.a.process; }

/// Whether other chunks leave most of the change open: then the common factor is open, too.
bool is_open(const Explanation& e);

/// Whether parts are told beyond the common factor: it is known, and worth a word.
bool is_paced(const Explanation& e);

Explanation explain(std::span<const Run* const> runs, std::size_t runs_of_a,
                    const Selection& selection, const Options& options);

double more_events_in(const Explanation& e);  ///< B's events / A's; 1 where unknown
bool is_same_work(const Explanation& e);      ///< but for what is too small to matter

}  // namespace crema::compare
