#include "core/query/parts/chunk_group_table.hpp"
#include "core/query/question.hpp"

namespace crema::query::datasets {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  return group_chunks(runs, selection, ChunkKey::dataset);
}

}  // namespace

extern constinit const Question question{
    .name = "datasets",
    .about = "chunks by dataset: rates, durations, fixed cost",
    .narrowed_by = chunk_dimensions,
    .function = answer,
};

}  // namespace crema::query::datasets
