#pragma once

#include <string>

#include "core/base/error.hpp"
#include "core/model/options.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::query {

/// What the core-time is told apart by: `runtime::CoreTimeSplit`.
inline constexpr Option core_time_by_option{.name = "by",
                                            .about = "what process() is split by",
                                            .fallback = "functions",
                                            .values = "functions, datasets, sections, activities"};
inline constexpr Option core_time_under_option{.name = "under",
                                               .about = "id of a part; default: the whole"};

/// The part of that id; Failure bad_option where there is none.
inline std::uint32_t node_under(const runtime::CoreTimeTree& tree, const std::string& id) {
  const std::uint32_t node = tree.find(id);
  if (node == runtime::CoreTimeNode::none)
    throw Failure(ErrorCode::bad_option, "under is no part of this core-time: " + id);
  return node;
}

}  // namespace crema::query
