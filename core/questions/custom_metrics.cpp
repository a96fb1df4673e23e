// Numbers that the user's own code added to the chunks: `custom_metrics`.
#include <map>

#include "core/base/error.hpp"
#include "core/facts/chunk_selection.hpp"
#include "core/facts/missing.hpp"
#include "core/questions/question.hpp"

namespace crema::questions::custom_metrics {

namespace {

constexpr Option by_option{.name = "by", .about = "a row for each dataset instead of one for all", .values = "dataset"};

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const Chunks& c = run.chunks;
  const std::string by = options.text(by_option);
  const ChunkSelection chosen(run, selection);
  std::map<std::string_view, std::vector<std::size_t>> groups;  // by name: the same order whatever the selection
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (chosen[i]) groups[by.empty() ? std::string_view{} : run.text(c.dataset[i])].push_back(i);
  }

  Table table;
  const auto dataset = by.empty() ? std::size_t{0} : table.add_text("dataset");
  const auto name = table.add_text("name");
  const auto chunks = table.add_number("chunks", "count", "chunks that have it");
  const auto sum = table.add_number("sum", "", "over those chunks, each whole");
  const auto mean = table.add_number("mean", "");
  const auto min = table.add_number("min", "");
  const auto p50 = table.add_number("p50", "");
  const auto p95 = table.add_number("p95", "");
  const auto max = table.add_number("max", "");
  for (const auto& [group, members] : groups) {
    for (const auto& [key, values] : c.extra) {
      std::vector<double> picked;
      for (const std::size_t i : members) picked.push_back(i < values.size() ? values[i] : absent);
      const Moments all = moments(picked);
      if (all.count == 0) continue;
      const std::vector<double> sorted = sorted_present(picked);
      if (!by.empty()) table.put_present(dataset, group);
      table.put(name, key);
      table.put(chunks, static_cast<double>(all.count));
      table.put(sum, all.sum);
      table.put(mean, all.mean);
      table.put(min, all.min);
      table.put(p50, quantile(sorted, 0.5));
      table.put(p95, quantile(sorted, 0.95));
      table.put(max, all.max);
    }
  }
  if (!run.chunks_recorded) table.note("missing", missing::chunks);
  else if (c.extra.empty()) table.note("missing", "the chunks carry no numbers beyond those that @track_metrics writes");
  if (const std::string note = chunk_selection_note(selection); !note.empty()) table.note("selection", note);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "custom_metrics",
    .about = "numbers that the analysis itself recorded per chunk",
    .options = {&by_option},
    .narrowed_by = chunk_dimensions,
    .function = answer,
};

}  // namespace crema::questions::custom_metrics
