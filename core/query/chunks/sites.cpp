#include "core/query/parts/chunk_group_table.hpp"
#include "core/query/question.hpp"

namespace crema::query::sites {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  return group_chunks(runs, selection, ChunkKey::site);
}

}  // namespace

extern constinit const Question question{
    .name = "sites",
    .about = "chunks by site (the domain of the storage host)",
    .narrowed_by = chunk_dimensions,
    .function = answer,
};

}  // namespace crema::query::sites
