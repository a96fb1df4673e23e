// Chunks in process() over time: `concurrency`.
#include <algorithm>

#include "core/base/order.hpp"
#include "core/model/worker_selection.hpp"
#include "core/query/notes.hpp"
#include "core/query/options.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::query::concurrency {

constexpr Option bins_option = time_bins_option();
constexpr Option by_option = choice_option("by", "what the chunks are grouped by",
                                           "dataset, file, host, site, compression", "dataset");
constexpr Option most_option =
    count_option("most", "maximum number of groups; the others are merged; 0 = all", "200", {0});

/// What the chunks of a row come to in each bin.
struct Row {
  std::string_view name;
  const char* kind = "group";  ///< or "others": the smallest together, which no name stands for
  std::vector<double> running, bytes;
};

const Columns<Row> columns = {
    {OneOf{by_option.values}, as_given, &Row::name},
    {"kind", &Row::kind},
    {"chunks_running", "count", &Row::running, "chunk-seconds in the bin / its length"},
    {"bytes_per_second", "byte/s", &Row::bytes,
     "chunk bytes_read spread evenly over the chunk's time, integrated over the bin"},
};

/// The row of each group: the `most` largest have their own, all others share one. Groups
/// without time in the bins have none.
static std::vector<std::uint32_t> rows_of(const std::vector<double>& seconds, std::size_t most,
                                          std::vector<Row>& rows, const ChunkGroups& groups) {
  constexpr std::uint32_t none = 0xffffffffU;
  std::vector<std::uint32_t> order = most_first(seconds);
  std::erase_if(order, [&](std::uint32_t group) { return seconds[group] < 0; });
  const std::size_t own = most == 0 || order.size() <= most ? order.size() : most - 1;
  std::vector<std::uint32_t> row(groups.size(), none);
  for (std::size_t k = own; k < order.size(); ++k) row[order[k]] = static_cast<std::uint32_t>(own);
  // By name, so that rows keep their order under any selection.
  std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(own));
  for (std::size_t k = 0; k < own; ++k) {
    row[order[k]] = static_cast<std::uint32_t>(k);
    rows.push_back({groups.name[order[k]], "group", {}, {}});
  }
  if (own < order.size()) rows.push_back({"others", "others", {}, {}});
  return row;
}

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const Chunks& c = run.chunks;
  const bool collected = chunk_bytes_collected(run);
  const Run::Window window = selected_window(run, selection);
  const TimeBins bins{window.begin, window.end,
                      static_cast<std::size_t>(options.number(bins_option))};

  // The time range is the axis here: it must not also prorate.
  const ChunkSelection chosen(run, selection.without_time());
  const ChunkGroups& groups = chunk_groups(run, options.choice<ChunkKey>(by_option));
  // Seconds of each group first: only rows that are shown have bins, however many groups there are.
  std::vector<double> seconds(groups.size(), -1);  // of groups that have none
  for (std::size_t i = 0; i < c.size() && bins.end > bins.begin; ++i) {
    if (!chosen[i] || is_absent(c.t_start[i])) continue;
    const double within = std::min(c.t_end[i], bins.end) - std::max(c.t_start[i], bins.begin);
    double& sum = seconds[groups.of[i]];
    sum = std::max(0.0, sum) + std::max(0.0, value_or(within, 0));
  }
  std::vector<Row> rows;
  const std::vector<std::uint32_t> row =
      rows_of(seconds, static_cast<std::size_t>(options.number(most_option)), rows, groups);
  for (Row& one : rows) {
    one.running.assign(bins.count, 0);
    one.bytes.assign(bins.count, collected ? 0 : absent);
  }
  for (const std::uint32_t i : groups.chunk) {
    if (seconds[groups.of[i]] < 0 || !chosen[i] || is_absent(c.t_start[i])) continue;
    Row& one = rows[row[groups.of[i]]];
    const double rate = value_or(c.bytes_read[i] / (c.t_end[i] - c.t_start[i]), 0);
    bins.each_overlap(c.t_start[i], c.t_end[i], [&](std::size_t bin, double overlap) {
      one.running[bin] += overlap / bins.width();
      one.bytes[bin] += rate * overlap / bins.width();
    });
  }

  Table table = columns.table(rows, {}, {.name = options.text(by_option), .width = bins.count});
  table.note("t0", bins.begin);
  table.note("t1", bins.end);
  note_chunks(table, run, selection);
  return table;
}

extern const Question question(
    "concurrency", "chunks inside process() and what they read over time, by dataset, host or file",
    columns, answer,
    {.options = {&bins_option, &by_option, &most_option}, .narrowed_by = chunk_dimensions});

}  // namespace crema::query::concurrency
