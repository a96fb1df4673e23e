#pragma once

#include <string>
#include <string_view>

#include "core/base/text.hpp"
#include "core/model/options.hpp"
#include "core/runtime/cluster.hpp"

// Options that several questions take.

namespace crema::query {

/// Of questions whose rows are bins of time.
constexpr Option time_bins_option(std::string_view fallback = "400", double most = 10000) {
  return {.name = "bins",
          .type = Option::Type::count,
          .about = "number of time bins",
          .fallback = fallback,
          .least = 1,
          .most = most};
}

/// Where rows can be split by dataset.
inline constexpr Option by_dataset_option{
    .name = "by", .about = "one row per dataset instead of one for all", .values = "dataset"};

/// What the core-time is split by: `runtime::CoreTimeSplit`.
inline constexpr Option core_time_by_option{.name = "by",
                                            .about = "what process() is split by",
                                            .fallback = "functions",
                                            .values = "functions, datasets, sections, activities"};
inline constexpr Option core_time_under_option{.name = "under",
                                               .about = "id of a part; default: the whole"};

// How a tree is drawn.
inline constexpr Option order_option{.name = "order",
                                     .about = "order of siblings: heaviest first, by name, in time",
                                     .fallback = "heavy",
                                     .values = "heavy, name, time"};
inline constexpr Option begin_option{
    .name = "begin",
    .type = Option::Type::number,
    .about = "where the picture begins, as a fraction of the whole",
    .fallback = "0",
    .unit = "1",
    .least = 0,
    .most = 1};
inline constexpr Option end_option{.name = "end",
                                   .type = Option::Type::number,
                                   .about = "where the picture ends, as a fraction of the whole",
                                   .fallback = "1",
                                   .unit = "1",
                                   .least = 0,
                                   .most = 1};
inline constexpr Option min_fraction_option{
    .name = "min_fraction",
    .type = Option::Type::number,
    .about = "leave out boxes narrower than this fraction of the whole",
    .fallback = "0",
    .unit = "1",
    .least = 0,
    .most = 1};
inline constexpr Option runs_option{
    .name = "runs",
    .type = Option::Type::flag,
    .about = "merge neighbouring boxes that are too narrow to be shown"};
inline constexpr Option search_option{.name = "search", .about = "a pattern; matches are marked"};

}  // namespace crema::query
