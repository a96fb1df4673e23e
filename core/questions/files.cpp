#include "core/questions/parts/chunk_group_table.hpp"
#include "core/questions/question.hpp"

namespace crema::questions::files {

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

}  // namespace crema::questions::files
