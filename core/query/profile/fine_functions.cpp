#include "core/query/parts/activity_options.hpp"
#include "core/query/question.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"
#include "core/table/rows.hpp"

namespace crema::query::fine_functions {

namespace {

constexpr Option most_option{
    .name = "most",
    .type = Option::Type::count,
    .about = "maximum number of functions; the smallest are merged; 0 = all",
    .fallback = "0",
    .least = 0};
constexpr Option idle_option{
    .name = "idle",
    .about = "what idle time is: Dask's own, by subtraction, or what the core-time budget leaves",
    .fallback = "recorded",
    .values = "recorded, budget"};

/// An activity of a function.
struct Part {
  const TaskFunction* function;
  ActivitySum sum;
};

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const std::string without = options.text(without_option);
  const ActivityChoice choice = activity_choice(options, selection, without);
  const StringId processor = find_processor(run, options).prefix;
  const Budget budget = compute_budget(run, {}, options);
  // A share of the cores' time is one of seconds.
  const bool seconds = choice.unit == "seconds";
  const double available = seconds ? budget.available : absent;
  const double idle = seconds ? budget.of(BudgetPart::Kind::idle) : absent;

  std::vector<TaskFunction> functions =
      task_functions(run, choice, static_cast<std::size_t>(options.number(most_option)));
  double in_tasks = 0;
  for (const TaskFunction& function : functions) {
    if (!function.is_idle) in_tasks += function.total;
  }
  if (options.text(idle_option) == "budget" && !is_absent(idle)) {
    std::erase_if(functions, [](const TaskFunction& function) { return function.is_idle; });
    functions.push_back(
        {.name = "idle", .is_idle = true, .total = idle, .parts = {{"idle", idle}}});
    sort_functions(functions);
  }
  std::vector<Part> parts;
  for (const TaskFunction& function : functions) {
    for (const ActivitySum& sum : function.parts) parts.push_back({&function, sum});
  }

  const TaskCounts counts = count_tasks(run, processor);
  const auto tasks = [&](const Part& part) {
    const auto known = counts.executed.find(part.function->prefix);
    return part.function->prefix == no_string || known == counts.executed.end()
               ? absent
               : known->second.tasks;
  };
  const char* as_unit = "as the option unit";
  Table table;
  Rows rows(table, parts);
  rows.text("function", [](const Part& part) -> std::string_view { return part.function->name; });
  rows.text("activity", [](const Part& part) { return part.sum.activity; });
  rows.number("value", as_unit, [](const Part& part) { return part.sum.value; });
  rows.number(
      "share", "1", [](const Part& part) { return ratio(part.sum.value, part.function->total); },
      "value / total");
  rows.number(
      "total", as_unit, [](const Part& part) { return part.function->total; },
      "Σ value of the function");
  rows.number(
      "share_of_available", "1", [&](const Part& part) { return ratio(part.sum.value, available); },
      "value / available core-seconds of the run");
  rows.number(
      "total_of_available", "1",
      [&](const Part& part) { return ratio(part.function->total, available); },
      "total / available core-seconds of the run");
  rows.number("tasks", "count", tasks, "executions, with those done again");
  rows.number(
      "per_task", as_unit,
      [&](const Part& part) { return ratio(part.function->total, tasks(part)); }, "total / tasks");
  rows.number(
      "functions", "count", [](const Part& part) { return part.function->merged; },
      "how many the row stands for");
  rows.flag("is_processor", [&](const Part& part) {
    return part.function->prefix != no_string && part.function->prefix == processor;
  });
  rows.flag("is_idle", [](const Part& part) { return part.function->is_idle; });
  table.note("in_tasks", in_tasks);
  table.note("in_tasks_of_available", ratio(in_tasks, available));
  table.note("available", available);
  note_activity_source(table, run);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "fine_functions",
    .about = "what the tasks of each prefix did, by activity",
    .options = {&unit_option, &without_option, &most_option, &idle_option,
                &runtime::processor_option},
    .narrowed_by = Selection::by_prefix,
    .function = answer,
};

}  // namespace crema::query::fine_functions
