#pragma once

#include <memory>

#include "core/json/router.hpp"
#include "core/model/run.hpp"

namespace crema::read {

/// Node for `raw_chunk_metrics` (flat) and `raw.chunks` (nested): the list of chunk records of
/// `@track_metrics`. `path` is the file, for data notes.
std::unique_ptr<json::Node> make_chunk_list_node(Run& run, const std::string& path);

}  // namespace crema::read
