#include "core/query/parts/activity_options.hpp"
#include "core/query/question.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"
#include "core/table/rows.hpp"

namespace crema::query::fine_activities {

namespace {

/// An activity in a context.
struct Part {
  const ContextSums* context;
  ActivitySum sum;
};

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const std::string without = options.text(without_option);
  const ActivityChoice choice = activity_choice(options, selection, without);
  const double available =
      choice.unit == "seconds" ? compute_budget(run, {}, {}).available : absent;
  const std::vector<ContextSums> contexts = context_sums(run, choice);
  std::vector<Part> parts;
  for (const ContextSums& context : contexts) {
    for (const ActivitySum& sum : context.activities) parts.push_back({&context, sum});
  }
  const char* as_unit = "as the option unit";
  Table table;
  Rows rows(table, parts);
  rows.text("context", [](const Part& part) { return part.context->context; });
  rows.text("activity", [](const Part& part) { return part.sum.activity; });
  rows.number(
      "value", as_unit, [](const Part& part) { return part.sum.value; }, "Σ over task prefixes");
  rows.number(
      "total", as_unit, [](const Part& part) { return part.context->total; },
      "Σ value of the context");
  rows.number(
      "share", "1", [](const Part& part) { return ratio(part.sum.value, part.context->total); },
      "value / total");
  rows.number(
      "share_of_available", "1", [&](const Part& part) { return ratio(part.sum.value, available); },
      "value / available core-seconds of the run");
  note_activity_source(table, run);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "fine_activities",
    .about = "Dask's activities, summed within each context",
    .options = {&unit_option, &without_option},
    .narrowed_by = Selection::by_prefix,
    .function = answer,
};

}  // namespace crema::query::fine_activities
