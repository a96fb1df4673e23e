// Numbers that the user's own code added to the chunks: `custom_metrics`.
#include <map>

#include "core/base/error.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/chunks/missing.hpp"
#include "core/table/rows.hpp"

namespace crema::query::custom_metrics {

namespace {

constexpr Option by_option{
    .name = "by", .about = "one row per dataset instead of one for all", .values = "dataset"};

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const Chunks& c = run.chunks;
  const std::string by = options.text(by_option);
  const ChunkSelection chosen(run, selection);
  std::map<std::string_view, std::vector<std::size_t>>
      groups;  // by name: the same order whatever the selection
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (chosen[i]) groups[by.empty() ? std::string_view{} : run.text(c.dataset[i])].push_back(i);
  }

  /// A number of a group of chunks.
  struct Number {
    std::string_view dataset, name;
    Moments all;
    double p50, p95;
  };
  std::vector<Number> numbers;
  for (const auto& [group, members] : groups) {
    for (const auto& [key, values] : c.extra) {
      std::vector<double> picked;
      for (const std::size_t i : members) picked.push_back(i < values.size() ? values[i] : absent);
      const Moments all = moments(picked);
      if (all.count == 0) continue;
      const std::vector<double> sorted = sorted_present(picked);
      numbers.push_back({group, key, all, quantile(sorted, 0.5), quantile(sorted, 0.95)});
    }
  }

  Table table;
  Rows rows(table, numbers);
  if (!by.empty()) rows.text("dataset", &Number::dataset);
  rows.text("name", &Number::name);
  rows.number(
      "chunks", "count", [](const Number& n) { return n.all.count; }, "chunks that have it");
  rows.number(
      "sum", "", [](const Number& n) { return n.all.sum; }, "over those chunks, each whole");
  rows.number("mean", "", [](const Number& n) { return n.all.mean; });
  rows.number("min", "", [](const Number& n) { return n.all.min; });
  rows.number("p50", "", &Number::p50);
  rows.number("p95", "", &Number::p95);
  rows.number("max", "", [](const Number& n) { return n.all.max; });
  if (!run.chunks_recorded) table.note("missing", missing::chunks);
  else if (c.extra.empty())
    table.note("missing", "the chunks carry no numbers beyond those that @track_metrics writes");
  if (const std::string note = chunk_selection_note(selection); !note.empty())
    table.note("selection", note);
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

}  // namespace crema::query::custom_metrics
