#pragma once

#include "core/analyse/flame_tree.hpp"

namespace crema {

/// How a tree is drawn: options `order` (heavy, name, time), `begin`, `end` (of the whole, 0 to 1), `min_fraction` (narrower boxes are
/// left out), `runs` (but stand together in runs), `search` (a pattern; what matches is marked).
inline constexpr std::string_view box_options[] = {"profile", "leaves", "transform", "min_fraction", "search",
                                                   "order",   "begin",  "end",       "runs"};

/// An option that is a part of a whole, 0 to 1; throws bad_option beyond that.
double fraction_option(const Options& options, std::string_view name, double fallback);

/// The boxes of the chosen tree as a Table: what `flame`, `callers` and `callees` answer. Option `marks`: of the same rows only
/// the column `matched`, which is all that another search changes.
Table flame_boxes(const Run& run, const FlameChoice& choice, const Options& options);

}  // namespace crema
