// What sets selected chunks apart: `why`.
#include <algorithm>

#include "core/base/order.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/query/question.hpp"
#include "core/report/diagnosis_text.hpp"
#include "core/runtime/chunks.hpp"

namespace crema::query::why {

/// One flag per chunk. Unlike elsewhere workers narrow, too: as far as the task stream tells which
/// of them ran a chunk.
static std::vector<bool> selected_chunks(const Run& run, const Selection& selection) {
  const ChunkSelection chosen(run, selection);
  std::vector<bool> selected(run.chunks.size());
  for (std::size_t i = 0; i < selected.size(); ++i) selected[i] = chosen[i];
  if (selection.workers.empty()) return selected;
  const std::vector<StringId>& ran_on = run.chunks.worker;
  for (std::size_t i = 0; i < ran_on.size(); ++i) {
    selected[i] =
        selected[i] && ran_on[i] != no_string && leaves(selection.workers, run.text(ran_on[i]));
  }
  return selected;
}

using Row = FeatureAssociation;
const Columns<Row> columns = {
    {"feature", [](const Row& row) -> std::string_view { return row.feature->name; }},
    {"value", value_text},
    {"selected", "count", &Row::selected, "selected chunks of that value"},
    {"of_all", "count", &Row::of_all, "all chunks of that value"},
    {"lift", "1", &Row::lift, "selected / of_all, by the same of all chunks"},
    {"explained", "1", &Row::explained,
     "mutual information of feature and selection / entropy of the selection, less what "
     "chance gives"},
    {"p_value", "1", &Row::p_value, "how often chance alone separates them as much"},
    {"significant", as_flag, &Row::is_significant,
     "beyond chance; at most 5 % of such rows are false"},
    {"p_value_then", "1", &Row::p_value_then,
     "the same among chunks that began at about the same time"},
    {"significant_then", as_flag, &Row::is_significant_then, "beyond chance at equal times, too"},
};

static Table answer(const Run& run, const Selection& selection, const Options&) {
  const std::vector<bool> selected = selected_chunks(run, selection);
  const bool is_unknown = !selection.workers.empty() && run.chunks.worker.empty();
  const auto count = static_cast<double>(std::count(selected.begin(), selected.end(), true));
  const double others = static_cast<double>(selected.size()) - count;
  std::vector<FeatureAssociation> found;
  if (count > 0 && others > 0) found = associate(run, features_beside(run, selection), selected);
  std::vector<double> ranks;
  for (const FeatureAssociation& of : found)
    ranks.push_back(value_or(of.explained, 0) + (of.is_significant ? 1 : 0));
  std::vector<FeatureAssociation> all;
  for (const std::uint32_t t : most_first(ranks)) all.push_back(found[t]);

  Table table = columns.table(all);
  if (is_unknown) say(table, notes::workers_of_chunks_unknown);
  table.note("selected", count);
  table.note("others", others);
  if (selected.empty()) say(table, notes::no_chunks);
  else if (count == 0) say(table, notes::nothing_selected);
  else if (others == 0) say(table, notes::all_selected);
  else table.note("verdict", verdict_text(all, count, others));
  return table;
}

extern const Question question(
    "why", "what sets the selected chunks apart from the others: each feature, ranked", columns,
    answer, {.narrowed_by = chunk_dimensions | Selection::by_worker});

}  // namespace crema::query::why
