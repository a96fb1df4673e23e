#pragma once

#include "core/query/parts/flame_boxes.hpp"

namespace crema::query {

inline constexpr Option frame_option{
    .name = "frame", .about = "the function, as a pattern such as function=NAME@FILE:LINE"};

/// The boxes of the calls of the function that `frame_option` names, after a step of `verb`:
/// "focus:", "callers:".
Table sandwiched(const Run& run, const Selection& selection, const Options& options,
                 std::string_view verb);

}  // namespace crema::query
