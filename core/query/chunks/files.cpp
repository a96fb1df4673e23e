#include "core/query/parts/chunk_group_table.hpp"
#include "core/query/question.hpp"

namespace crema::query::files {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  return group_chunks(runs, selection, ChunkKey::file);
}

}  // namespace

extern constinit const Question question{
    .name = "files",
    .about = "chunks by input file",
    .narrowed_by = chunk_dimensions,
    .function = answer,
};

}  // namespace crema::query::files
