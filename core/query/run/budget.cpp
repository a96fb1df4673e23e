#include <algorithm>

#include "core/query/question.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"
#include "core/table/rows.hpp"

namespace crema::query::budget {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const Budget found = compute_budget(run, selection, options);
  // A picture's axis ends where the longest of its bars does: parts may exceed what was available.
  double phases = 0;
  double activities = 0;
  double processor = 0;
  for (const BudgetPart& part : found.parts) {
    const double seconds = std::max(part.core_seconds, 0.0);
    if (part.split() == "phase") phases += seconds;
    if (part.split() == "activity") activities += seconds;
    using enum BudgetPart::Kind;
    if (part.kind == inside_process || part.kind == outside_process || part.kind == lost_work)
      processor += seconds;
  }
  const double whole = std::max({value_or(found.available, 0), phases, activities});
  // Small task prefixes share one segment of a bar: names on hover, not five lines of labels.
  constexpr double own_segment_from = 0.02;
  const auto is_small = [&](const BudgetPart& part) {
    return part.kind == BudgetPart::Kind::task && part.core_seconds < own_segment_from * whole;
  };
  double small_seconds = 0;
  for (const BudgetPart& part : found.parts)
    small_seconds += is_small(part) ? part.core_seconds : 0;

  Table table;
  Rows rows(table, found.parts);
  rows.text("part", &BudgetPart::id);
  rows.text("parent", &BudgetPart::parent);
  rows.number("core_seconds", "s", &BudgetPart::core_seconds);
  rows.number(
      "fraction", "1", [&](const BudgetPart& p) { return ratio(p.core_seconds, found.available); },
      "core_seconds / available core-seconds");
  rows.text("source", &BudgetPart::source);
  rows.text("label", &BudgetPart::label);
  rows.text("split", &BudgetPart::split);
  rows.number("shortfall", "s", &BudgetPart::shortfall,
              "by how much the part came out below 0, where it is shown as 0");
  rows.number(
      "share", "1", [&](const BudgetPart& p) { return ratio(p.core_seconds, whole); },
      "core_seconds / the available ones, or the sum of the phases or activities where that is "
      "more");
  rows.flag("small", is_small, "a task prefix of less than 2 % of that");
  if (is_absent(found.available))
    table.note("missing",
               "the number of cores was not recorded (no tracking, no scheduler info): the parts "
               "have no whole");
  if (found.estimated)
    table.note("estimated",
               "the available core-time is estimated: threads of all workers that worker or "
               "scheduler info names x length");
  if (!found.processor_basis.empty()) table.note("processor", found.processor_basis);
  if (!found.selection_note.empty()) table.note("selection", found.selection_note);
  if (!found.source.empty()) table.note("placed", found.source);
  table.note("whole", whole);
  table.note("processor_seconds", processor);
  table.note("small_seconds", small_seconds);
  table.note("small_fraction", ratio(small_seconds, found.available));
  table.note("small_share", ratio(small_seconds, whole));
  table.note("processor_share", ratio(processor, whole));
  const Activities& a = run.activities;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (run.text(a.prefix[i]) == "N/A" && run.text(a.unit[i]) == "seconds")
      table.note("dask_idle", a.value[i]);
  }
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "budget",
    .about = "where the available core-time went",
    .options = {&runtime::processor_option},
    .narrowed_by = chunk_dimensions | Selection::by_worker,
    .function = answer,
};

}  // namespace crema::query::budget
