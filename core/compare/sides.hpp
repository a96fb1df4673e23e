#pragma once

#include <span>
#include <vector>

#include "core/compare/comparison.hpp"
#include "core/compare/explanation.hpp"

namespace crema::compare {

/// All numbers of two sides, judged, and why they differ.
struct Comparison {
  Explanation explanation;
  std::vector<ComparedNumber> rows{};  ///< set-up first
  std::vector<OnlyOneSide> not_compared{};
  bool has_replicates = false;
};

/// What of the options holds for one of the runs: a processor that was named for another need not
/// be there.
Options options_for(const Run& run, const Options& options);

/// The first `runs_of_a_option` of the runs are A. Throws Failure where that leaves none for B.
Comparison compare_sides(std::span<const Run* const> runs, const Selection& selection,
                         const Options& options);

}  // namespace crema::compare
