#pragma once

#include "core/facts/chunk_groups.hpp"
#include "core/questions/question.hpp"

namespace crema::questions {

/// A row for each group of the selected chunks, by name: what `datasets`, `files`, `hosts` and
/// `sites` answer.
Table group_chunks(std::span<const Run* const> runs, const Selection& selection, ChunkKey key);

}  // namespace crema::questions
