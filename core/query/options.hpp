#pragma once

#include <string_view>

#include "core/base/text.hpp"
#include "core/query/question.hpp"
#include "core/runtime/cluster.hpp"

// Options that several questions take.

namespace crema::query {

/// Of questions whose rows are bins of time.
constexpr Option time_bins_option(std::string_view fallback = "400", double most = 10000) {
  return count_option("bins", "number of time bins", fallback, {1, most});
}

/// Where rows can be split by dataset.
inline constexpr Option by_dataset_option =
    choice_option("by", "one row per dataset instead of one for all", "dataset");

/// What the core-time is split by: `runtime::CoreTimeSplit`.
inline constexpr Option core_time_by_option = choice_option(
    "by", "what process() is split by", "functions, datasets, sections, activities", "functions");
inline constexpr Option core_time_under_option =
    text_option("under", "id of a part; default: the whole");

// How a tree is drawn.
inline constexpr Option order_option = choice_option(
    "order", "order of siblings: heaviest first, by name, in time", "heavy, name, time", "heavy");
inline constexpr Option begin_option = number_option(
    "begin", "where the picture begins, as a fraction of the whole", "0", {0, 1}, "1");
inline constexpr Option end_option =
    number_option("end", "where the picture ends, as a fraction of the whole", "1", {0, 1}, "1");
inline constexpr Option min_fraction_option = number_option(
    "min_fraction", "leave out boxes narrower than this fraction of the whole", "0", {0, 1}, "1");
inline constexpr Option runs_option =
    flag_option("runs", "merge neighbouring boxes that are too narrow to be shown");
inline constexpr Option search_option = text_option("search", "a pattern; matches are marked");

}  // namespace crema::query
