#include "core/facts/budget.hpp"
#include "core/facts/processor.hpp"
#include "core/questions/question.hpp"
#include "core/table/rows.hpp"

namespace crema::questions::budget {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const Budget found = compute_budget(run, selection, options);
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
    .options = {&facts::processor_option},
    .narrowed_by = chunk_dimensions | Selection::by_worker,
    .function = answer,
};

}  // namespace crema::questions::budget
