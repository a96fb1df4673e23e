#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/compare/comparison.hpp"
#include "core/query/question.hpp"
#include "core/report/comparison_text.hpp"

namespace crema::query {

/// All numbers of two sides, judged, and what is said of them: what `compare` lists and `verdict`
/// sums up.
struct Comparison {
  Explanation explanation;
  std::vector<ComparedNumber> rows;  ///< set-up first
  report::Words words;
  std::string not_compared;  ///< groups that only one side has
};

/// What of the options holds for one of the runs: a processor that was named for another need not
/// be there.
Options options_for(const Run& run, const Options& options);

/// The first `runs_of_a_option` of the runs are A. Throws Failure where that leaves none for B.
Comparison compare_sides(std::span<const Run* const> runs, const Selection& selection,
                         const Options& options);

/// "run-01 and 3 more"
std::string title_of(std::span<const Run* const> side);

}  // namespace crema::query
