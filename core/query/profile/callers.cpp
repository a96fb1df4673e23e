#include "core/profile/flame_tree.hpp"
#include "core/query/parts/sandwich.hpp"
#include "core/query/question.hpp"

namespace crema::query::callers {

namespace {

// Who calls the function that `frame` names, bottom-up, with the function below the root.
Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  return sandwiched(*runs[0], selection, options, "callers:");
}

}  // namespace

extern constinit const Question question{
    .name = "callers",
    .about = "who calls a function, bottom-up",
    .options = {&profile::profile_option, &profile::leaves_option, &profile::transform_option,
                &min_fraction_option, &search_option, &order_option, &begin_option, &end_option,
                &runs_option, &marks_option, &frame_option},
    .narrowed_by = tree_dimensions,
    .function = answer,
};

}  // namespace crema::query::callers
