#pragma once

#include <vector>

#include "core/compare/compared_rows.hpp"
#include "core/compare/explanation.hpp"

namespace crema::compare {

/// What the profile says of the change: the smallest part of its call tree that certainly changed.
/// Where the innermost frames cannot be distinguished, a function's samples may be those of another
/// that is called beside it; the caller of both is certain. What all of process() is in tells
/// nothing of its own; there the seconds of sections, which are exact, are the bound.
void add_changed_function(const ComparedRows& compared, const std::vector<ComparedNumber>& rows,
                          double factor, double core_time, Explanation& e);

}  // namespace crema::compare
