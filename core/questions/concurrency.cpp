#include <map>

#include "core/base/error.hpp"
#include "core/facts/chunk_selection.hpp"
#include "core/facts/missing.hpp"
#include "core/facts/time_bins.hpp"
#include "core/questions/parts/time_bins_option.hpp"
#include "core/questions/question.hpp"
#include "core/table/rows.hpp"

namespace crema::questions::concurrency {

namespace {

constexpr Option bins_option = time_bins_option();
constexpr Option by_option{.name = "by",
                           .about = "what the chunks are told apart by",
                           .fallback = "dataset",
                           .values = "dataset, host"};

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const Chunks& c = run.chunks;
  const std::string by = options.text(by_option);
  const Run::Window window = run.window();
  const TimeBins bins{selection.time ? selection.time->begin : window.begin,
                      selection.time ? selection.time->end : window.end,
                      static_cast<std::size_t>(options.number(bins_option))};

  // The time range is the axis here: it must not also prorate.
  Selection without_time = selection;
  without_time.time.reset();
  const ChunkSelection chosen(run, without_time);
  std::map<std::string_view, std::vector<double>>
      groups;  // by name, so that rows keep their order under any selection
  for (std::size_t i = 0; i < c.size() && bins.end > bins.begin; ++i) {
    if (!chosen[i] || is_absent(c.t_start[i])) continue;
    const std::string_view name =
        by == "host" ? host_of(run.text(c.file[i])) : run.text(c.dataset[i]);
    std::vector<double>& row = groups[name];
    if (row.empty()) row.resize(bins.count, 0);
    bins.each_overlap(c.t_start[i], c.t_end[i],
                      [&](std::size_t bin, double seconds) { row[bin] += seconds / bins.width(); });
  }

  Table table;
  std::vector<std::string_view> names;
  std::vector<double> running;
  for (const auto& [name, row] : groups) {
    names.push_back(name);
    running.insert(running.end(), row.begin(), row.end());
  }
  Rows rows(table, names);
  rows.any_text(by.c_str(), [](std::string_view name) { return name; });
  rows.matrix("chunks_running", "count", bins.count, std::move(running),
              "chunk-seconds in the bin / its length");
  table.note("t0", bins.begin);
  table.note("t1", bins.end);
  if (!run.chunks_recorded) table.note("missing", missing::chunks);
  if (const std::string note = chunk_selection_note(selection); !note.empty())
    table.note("selection", note);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "concurrency",
    .about = "chunks inside process() over time, by dataset",
    .options = {&bins_option, &by_option},
    .narrowed_by = chunk_dimensions,
    .function = answer,
};

}  // namespace crema::questions::concurrency
