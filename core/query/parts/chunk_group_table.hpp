#pragma once

#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"

namespace crema::query {

/// A row for each group of the selected chunks, by name: what `datasets`, `files`, `hosts` and
/// `sites` answer.
Table group_chunks(std::span<const Run* const> runs, const Selection& selection, ChunkKey key);

}  // namespace crema::query
