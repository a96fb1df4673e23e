#include "core/query/parts/histogram.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/chunks/missing.hpp"

namespace crema::query::compression_histogram {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  std::vector<double> values;
  for (const FileFacts& file : find_file_facts(*runs[0], selection)) {
    if (file.compression_ratio > 0) values.push_back(file.compression_ratio);
  }
  return histogram(values, "1", options, missing::file_metadata);
}

}  // namespace

extern constinit const Question question{
    .name = "compression_histogram",
    .about = "compression ratios of the files",
    .options = {&bins_option},
    .narrowed_by = chunk_dimensions,
    .function = answer,
};

}  // namespace crema::query::compression_histogram
