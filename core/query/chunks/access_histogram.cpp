#include "core/query/parts/histogram.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/chunks/missing.hpp"

namespace crema::query::access_histogram {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  std::vector<double> values;
  for (const FileFacts& file : find_file_facts(*runs[0], selection))
    values.push_back(file.bytes_read_fraction);
  return histogram(values, "1", options, missing::file_metadata);
}

}  // namespace

extern constinit const Question question{
    .name = "access_histogram",
    .about = "shares of the files' bytes that were read",
    .options = {&bins_option},
    .narrowed_by = chunk_dimensions,
    .function = answer,
};

}  // namespace crema::query::access_histogram
