#include "core/query/parts/chunk_group_table.hpp"
#include "core/query/question.hpp"

namespace crema::query::hosts {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  return group_chunks(runs, selection, ChunkKey::host);
}

}  // namespace

extern constinit const Question question{
    .name = "hosts",
    .about = "chunks by storage host",
    .narrowed_by = chunk_dimensions,
    .function = answer,
};

}  // namespace crema::query::hosts
