#pragma once

#include <string>

#include "core/model/run.hpp"

namespace crema::exports {

/// The founding notebook's `flamegraph_tsv` of one recorded tree: "@:0;func@file:line;...\tcount"
/// per stack with exclusive samples, most frequent first, ties in post-order of first sight; no
/// line break at the end.
std::string notebook_stacks(const Run& run, const CallTree& tree, bool hide_paths);

}  // namespace crema::exports
