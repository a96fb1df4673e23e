#include "core/facts/budget.hpp"
#include "core/facts/processor.hpp"
#include "core/questions/question.hpp"

namespace crema::questions::budget {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const Budget found = compute_budget(run, selection, options);
  Table table;
  const auto id = table.add_text("part");
  const auto parent = table.add_text("parent");
  const auto core_seconds = table.add_number("core_seconds", "s");
  const auto fraction = table.add_number("fraction", "1", "core_seconds / available core-seconds");
  const auto source = table.add_text("source");
  const auto label = table.add_text("label");
  const auto split = table.add_text("split");
  const auto shortfall = table.add_number("shortfall", "s", "by how much the part came out below 0, where it is shown as 0");
  for (const BudgetPart& p : found.parts) {
    table.put(id, p.id);
    table.put_present(parent, p.parent);
    table.put(core_seconds, p.core_seconds);
    table.put(fraction, ratio(p.core_seconds, found.available));
    table.put(source, p.source);
    table.put(label, p.label);
    table.put(split, p.split);
    table.put(shortfall, p.shortfall);
  }
  if (is_absent(found.available))
    table.note("missing", "the number of cores was not recorded (no tracking, no scheduler info): the parts have no whole");
  if (found.estimated)
    table.note("estimated",
               "the available core-time is estimated: threads of all workers that worker or scheduler info names x length");
  if (!found.processor_basis.empty()) table.note("processor", found.processor_basis);
  if (!found.selection_note.empty()) table.note("selection", found.selection_note);
  const Activities& a = run.activities;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (run.text(a.prefix[i]) == "N/A" && run.text(a.unit[i]) == "seconds") table.note("dask_idle", a.value[i]);
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
