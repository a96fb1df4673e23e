#pragma once

#include "core/profile/flame_tree.hpp"
#include "core/query/question.hpp"

namespace crema::query {

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
inline constexpr Option marks_option{
    .name = "marks",
    .type = Option::Type::flag,
    .about = "return only the column `matched`, for the same rows"};

/// The boxes of the chosen tree as a Table: what `flame`, `callers` and `callees` answer. With
/// `marks` only the column `matched`, which is all that another search changes.
Table flame_boxes(const Run& run, const FlameChoice& choice, const Options& options);

}  // namespace crema::query
