#include "core/analyse/questions.hpp"

#include "core/analyse/budget.hpp"
#include "core/analyse/flame_boxes.hpp"

namespace crema {

namespace {

template <class... More>
std::vector<std::string_view> with(const auto& options, More... more) {
  std::vector<std::string_view> all(std::begin(options), std::end(options));
  (all.emplace_back(more), ...);
  return all;
}

}  // namespace

const std::vector<Question>& questions() {
  constexpr std::size_t any_number = 10000;
  static const std::vector<Question> all = {
      {"runs", runs, 0, any_number, {}},
      {"sources", sources, 1, 1, {}},
      {"summary", summary, 1, 1, {"processor"}},
      {"budget", budget, 1, 1, {"processor"}},
      {"findings", findings, 1, 1, {"processor"}},
      {"quality", quality, 1, 1, {"processor"}},
      {"timeline", timeline, 1, 1, {}},
      {"worker_matrix", worker_matrix, 1, 1, {"series", "bins", "stat", "rows", "rows_stat", "sort"}},
      {"worker_spread", worker_spread, 1, 1, {"series"}},
      {"workers", workers, 1, 1, {}},
      {"throughput", throughput, 1, 1, {"bins", "window"}},
      {"concurrency", concurrency, 1, 1, {"bins", "by"}},
      {"chunks", chunks, 1, 1, {"columns"}},
      {"chunk_columns", chunk_columns, 1, 1, {}},
      {"datasets", datasets, 1, 1, {}},
      {"files", files, 1, 1, {}},
      {"hosts", hosts, 1, 1, {}},
      {"sites", sites, 1, 1, {}},
      {"distribution", distribution, 1, 1, {"column", "by", "bins", "scale"}},
      {"runtime_histogram", runtime_histogram, 1, 1, {"bins"}},
      {"compression_histogram", compression_histogram, 1, 1, {"bins"}},
      {"access_histogram", access_histogram, 1, 1, {"bins"}},
      {"branch_histogram", branch_histogram, 1, 1, {"bins"}},
      {"sections", sections, 1, 1, {"by"}},
      {"custom_metrics", custom_metrics, 1, 1, {"by"}},
      {"access", access, 1, 1, {}},
      {"bytes", bytes, 1, 1, {"processor"}},
      {"branches", branches, 1, 1, {}},
      {"fine", fine, 1, 1, {"processor"}},
      {"task_prefixes", task_prefixes, 1, 1, {"processor"}},
      {"phases", phases, 1, 1, {}},
      {"tail", tail, 1, 1, {}},
      {"system", system_load, 1, 1, {}},
      {"chunk_sizes", chunk_sizes, 1, 1, {"processor"}},
      {"tasks", tasks, 1, 1, {}},
      {"profiles", profiles, 1, 1, {}},
      {"flame", flame, 1, 1, with(box_options, "marks")},
      {"callers", callers, 1, 1, with(box_options, "marks", "frame")},
      {"callees", callees, 1, 1, with(box_options, "marks", "frame")},
      {"stacks", stacks, 1, 1, {"profile", "leaves", "transform", "most"}},
      {"frames", frames, 1, 1, {"profile", "leaves", "transform", "search"}},
      {"worker_frames", worker_frames, 1, 1, {"leaves", "transform", "most"}},
      {"profile_spread", profile_spread, 1, 1, {"leaves", "transform"}},
      {"flame_diff", flame_diff, 2, 2, with(box_options, "per", "width")},
      {"compare", compare, 2, 2, {"processor", "per"}},
      {"check", check, 2, 2, {"processor", "per", "rules"}},
      {"scaling", scaling, 1, any_number, {"target"}},
      {"scaling_curve", scaling_curve, 1, any_number, {"to", "points"}},
      {"whatif", whatif, 1, 1, {"processor", "cores"}},
  };
  return all;
}

}  // namespace crema
