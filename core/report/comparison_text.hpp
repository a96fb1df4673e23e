#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/compare/explanation.hpp"
#include "core/report/answer_text.hpp"

namespace crema::report {

using namespace compare;

/// What happened; what that cannot tell, and what was not like for like.
VerdictText in_words(const Explanation& e, std::span<const Run* const> runs, std::size_t runs_of_a,
                     const Selection& selection, const Options& options);

/// "run-01 and 3 more"
std::string side_text(std::string_view first, std::size_t runs);
inline std::string side_text(std::span<const Run* const> runs) {
  return side_text(runs[0]->title, runs.size());
}

/// What the numbers of a comparison of so many runs are judged against.
std::string_view noise_text(std::size_t runs);

}  // namespace crema::report
