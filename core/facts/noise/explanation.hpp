#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/facts/noise/causes.hpp"
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

/// That option of a comparison of so many runs; throws Failure where it leaves none for B.
std::size_t runs_of_a(const Options& options, std::size_t runs);

/// Why B took another time than A: what a reviewer needs first.
struct Explanation {
  Pace pace;
  Spent a, b;
  BetweenRuns between;            ///< of the natural log of a run's pace
  std::vector<Cause> causes;      ///< `causes_of` the pace; empty without chunks in both runs
  Outside outside;                ///< what the elapsed time has beside process()
  double shown_dataset = absent;  ///< a dataset slower by this share would have shown
  double shown_section = absent;  ///< likewise a section
  std::string sentence;           ///< what happened, for people
  std::string limits;             ///< what it cannot tell, and what was not like for like
};

Explanation explain(std::span<const Run* const> runs, std::size_t runs_of_a,
                    const Selection& selection, const Options& options);

}  // namespace crema::facts
