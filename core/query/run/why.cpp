#include <algorithm>

#include "core/base/most_first.hpp"
#include "core/base/number_format.hpp"
#include "core/base/sentence.hpp"
#include "core/diagnose/apart.hpp"
#include "core/model/run.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/chunks/missing.hpp"
#include "core/table/rows.hpp"

namespace crema::query::why {

namespace {

/// One flag per chunk. Unlike elsewhere workers narrow, too: as far as the task stream tells which
/// of them ran a chunk.
std::vector<bool> selected_chunks(const Run& run, const Selection& selection, Table& table) {
  const ChunkSelection chosen(run, selection);
  std::vector<bool> selected(run.chunks.size());
  for (std::size_t i = 0; i < selected.size(); ++i) selected[i] = chosen[i];
  if (selection.workers.empty()) return selected;
  const std::vector<StringId>& ran_on = run.chunks.worker;
  if (ran_on.empty())
    table.note("selection", "which worker ran which chunk is unknown without a task stream");
  const auto& names = selection.workers;
  for (std::size_t i = 0; i < ran_on.size(); ++i) {
    const bool is_chosen = ran_on[i] != no_string && std::find(names.begin(), names.end(),
                                                               run.text(ran_on[i])) != names.end();
    selected[i] = selected[i] && is_chosen;
  }
  return selected;
}

/// A value with less of the selected chunks is not what they have in common: one of the thousands
/// of files that were read in a stretch of time.
constexpr double least_share = 0.05;

/// What a reader is to know first.
std::string verdict_of(const std::vector<Apart>& rows, double selected, double others) {
  const std::string these = format_count(selected, "chunk");
  if (std::min(selected, others) < least_selected)
    return sentence(
        {these, " against ", format_number(others), ": too few to be distinguished from chance"});
  if (rows.empty() || !rows[0].is_told)
    return sentence({"Nothing recorded distinguishes these ", these, " beyond chance"});
  const Apart& first = rows[0];
  std::string text =
      first.selected < least_share * selected
          ? sentence({"The ", first.trait->name, " explains ", format_percent(first.explained),
                      " of what separates these ", these, " from the others, no single one much"})
          : sentence({first.trait->name, " ", first.value, ": ", format_number(first.selected),
                      " of these ", these, ", ", format_number(first.lift),
                      " times as often as chance"});
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].is_told_then)
      return text += sentence({"; at equal times also the ", rows[i].trait->name});
  }
  return text;
}

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  const Run& run = *runs[0];
  Table table;
  const std::vector<bool> selected = selected_chunks(run, selection, table);
  const auto count = static_cast<double>(std::count(selected.begin(), selected.end(), true));
  const double others = static_cast<double>(selected.size()) - count;
  std::vector<Apart> apart;
  if (count > 0 && others > 0) apart = set_apart(run, traits_beside(run, selection), selected);
  std::vector<double> ranks;
  for (const Apart& of : apart) ranks.push_back(value_or(of.explained, 0) + (of.is_told ? 1 : 0));
  std::vector<Apart> all;
  for (const std::uint32_t t : most_first(ranks)) all.push_back(apart[t]);

  Rows rows(table, all);
  rows.text("trait", [](const Apart& row) -> std::string_view { return row.trait->name; });
  rows.text("value", &Apart::value);
  rows.number("selected", "count", &Apart::selected, "selected chunks of that value");
  rows.number("of_all", "count", &Apart::of_all, "all chunks of that value");
  rows.number("lift", "1", &Apart::lift, "selected / of_all, by the same of all chunks");
  rows.number("explained", "1", &Apart::explained,
              "mutual information of trait and selection / entropy of the selection, less what "
              "chance gives");
  rows.number("chance", "1", &Apart::chance, "how often chance alone separates them as much");
  rows.flag("told", &Apart::is_told, "beyond chance; at most 5 % of such rows are false");
  rows.number("chance_then", "1", &Apart::chance_then,
              "the same among chunks that began at about the same time");
  rows.flag("told_then", &Apart::is_told_then, "beyond chance at equal times, too");
  table.note("selected", count);
  table.note("others", others);
  if (selected.empty()) table.note("missing", missing::chunks);
  else if (count == 0 || others == 0)
    table.note("missing", count == 0 ? "no chunk is selected"
                                     : "all chunks are selected: select some to compare them with "
                                       "the others");
  else table.note("verdict", verdict_of(all, count, others));
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "why",
    .about = "what sets the selected chunks apart from the others: each trait, ranked",
    .narrowed_by = chunk_dimensions | Selection::by_worker,
    .function = answer,
};

}  // namespace crema::query::why
