#pragma once

#include <span>
#include <string>

#include "core/compare/explanation.hpp"

namespace crema::report {

using namespace compare;

/// What a reviewer needs first.
struct Words {
  std::string sentence;  ///< what happened
  std::string limits;    ///< what that cannot tell, and what was not like for like
};

/// An explanation for people.
Words in_words(const Explanation& e, std::span<const Run* const> runs, std::size_t runs_of_a,
               const Selection& selection, const Options& options);

}  // namespace crema::report
