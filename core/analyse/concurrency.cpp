#include <algorithm>
#include <cmath>
#include <map>

#include "core/analyse/chunk_selection.hpp"
#include "core/analyse/missing.hpp"
#include "core/analyse/questions.hpp"
#include "core/base/error.hpp"

namespace crema {

namespace {

constexpr double most_bins = 10000;

}  // namespace

Table concurrency(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const Chunks& c = run.chunks;
  const double wanted = options.number("bins", 400);
  if (!(wanted >= 1 && wanted <= most_bins)) throw Failure(ErrorCode::bad_option, "bins is not between 1 and 10000");
  const std::string by = options.text("by", "dataset");
  if (by != "dataset" && by != "host") throw Failure(ErrorCode::bad_option, "by is neither dataset nor host");
  const Run::Window window = run.window();
  const double begin = selection.time ? selection.time->begin : window.begin;
  const double end = selection.time ? selection.time->end : window.end;
  const auto bins = static_cast<std::size_t>(wanted);
  const double width = (end - begin) / wanted;

  // The time range is the axis here: it must not also prorate.
  Selection without_time = selection;
  without_time.time.reset();
  const ChunkSelection chosen(run, without_time);
  std::map<std::string_view, std::vector<double>> groups;  // by name, so that rows keep their order under any selection
  for (std::size_t i = 0; i < c.size() && end > begin; ++i) {
    if (!chosen[i] || is_absent(c.t_start[i])) continue;
    const std::string_view name = by == "host" ? host_of(run.text(c.file[i])) : run.text(c.dataset[i]);
    std::vector<double>& row = groups[name];
    if (row.empty()) row.resize(bins, 0);
    const double first = std::max(0.0, std::floor((c.t_start[i] - begin) / width));
    for (double b = first; b < wanted; b += 1) {
      const double left = begin + b * width;
      if (left >= c.t_end[i]) break;
      const double overlap = std::min(c.t_end[i], left + width) - std::max(c.t_start[i], left);
      if (overlap > 0) row[static_cast<std::size_t>(b)] += overlap / width;
    }
  }

  Table table;
  const auto group = table.add_text(by);
  const auto running = table.add_matrix("chunks_running", "count", bins, "chunk-seconds in the bin / its length");
  for (const auto& [name, row] : groups) {
    table.put(group, name);
    for (const double value : row) table.put(running, value);
  }
  table.note("t0", begin);
  table.note("t1", end);
  if (!run.chunks_recorded) table.note("missing", missing::chunks);
  if (const std::string note = chunk_selection_note(selection); !note.empty()) table.note("selection", note);
  return table;
}

}  // namespace crema
