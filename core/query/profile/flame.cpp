#include "core/profile/flame_tree.hpp"
#include "core/query/parts/flame_boxes.hpp"
#include "core/query/question.hpp"

namespace crema::query::flame {

namespace {

// The boxes of one profile's flame graph, root first, from left to right. Options: `box_options`.
Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  return flame_boxes(*runs[0], flame_choice(*runs[0], selection, options), options);
}

}  // namespace

extern constinit const Question question{
    .name = "flame",
    .about = "boxes of a flame graph",
    .options = {&profile::profile_option, &profile::leaves_option, &profile::transform_option,
                &min_fraction_option, &search_option, &order_option, &begin_option, &end_option,
                &runs_option, &marks_option},
    .narrowed_by = tree_dimensions,
    .function = answer,
};

}  // namespace crema::query::flame
