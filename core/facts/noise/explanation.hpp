#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/facts/noise/pace.hpp"
#include "core/facts/noise/replicates.hpp"
#include "core/model/options.hpp"
#include "core/model/run.hpp"
#include "core/model/selection.hpp"

namespace crema::facts {

/// The first so many runs of a comparison are A, the others B.
inline constexpr Option runs_of_a_option{.name = "runs_of_a",
                                         .type = Option::Type::count,
                                         .about =
                                             "how many of the runs, the first ones, are A; "
                                             "the others are B",
                                         .fallback = "1",
                                         .unit = "count",
                                         .least = 1,
                                         .most = 10000};

/// Below this share of a run's core-time no difference gets a verdict.
inline constexpr double least_share = 0.005;

/// A difference of so many standard errors survives many rows (0.05 / 50, two-sided).
inline constexpr double seen = 3.3;

/// A part of the change.
struct Cause {
  enum class Kind : std::uint8_t {
    evenly,       ///< what the common factor makes of all work
    part,         ///< what changed against it
    unexplained,  ///< what is left of the change
  };
  Kind kind = Kind::part;
  Departure part;         ///< of Kind::part
  std::string label;      ///< "section skim_selection of dataset wjets"
  double seconds = 0;     ///< [core-s] more in B
  double error = absent;  ///< its standard error
};

/// Why B took another time than A: what a reviewer needs first.
struct Explanation {
  Pace pace;
  double elapsed_a = absent, elapsed_b = absent;      ///< [s] mean of the runs
  double process_a = absent, process_b = absent;      ///< [core-s] inside process(), likewise
  double available_a = absent, available_b = absent;  ///< [core-s] of all cores, likewise
  double events_a = absent, events_b = absent;        ///< of the whole runs, likewise
  BetweenRuns between;                                ///< of the natural log of a run's pace
  /// The common factor's part first, then the smallest set of parts that explains 80 %, by size,
  /// then what is left. Empty without chunks in both runs.
  std::vector<Cause> causes;
  double shown_dataset = absent;  ///< a dataset slower by this share would have shown
  double shown_section = absent;  ///< likewise a section
  std::string sentence;           ///< what happened, for people
  std::string limits;             ///< what it cannot tell, and what was not like for like
};

Explanation explain(std::span<const Run* const> runs, std::size_t runs_of_a,
                    const Selection& selection, const Options& options);

}  // namespace crema::facts
