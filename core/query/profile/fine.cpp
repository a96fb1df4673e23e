// Dask's fine metrics: `fine`, by function: `fine_functions`, by context: `fine_activities`.
#include "core/query/question.hpp"
#include "core/report/answer_text.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::query::fine {

struct Of {
  const Run& run;
  const Activities& a;
  StringId processor;
};

const Columns<std::size_t, Of> columns = {
    {"context", [](std::size_t i, const Of& of) { return of.run.text(of.a.context[i]); }},
    {"prefix", [](std::size_t i, const Of& of) { return of.run.text(of.a.prefix[i]); }},
    {"activity", [](std::size_t i, const Of& of) { return of.run.text(of.a.activity[i]); }},
    {"unit", [](std::size_t i, const Of& of) { return of.run.text(of.a.unit[i]); }},
    {"value", "as the row's unit", [](std::size_t i, const Of& of) { return of.a.value[i]; }},
    {"is_processor", as_flag,
     [](std::size_t i, const Of& of) {
       return of.a.prefix[i] != no_string && of.a.prefix[i] == of.processor;
     }},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const Activities& a = run.activities;
  const Processor processor = find_processor(run, options);

  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (is_selected(run, selection, i)) chosen.push_back(i);
  }
  Table table = columns.table(chosen, {run, a, processor.prefix});
  if (!run.activities_recorded) {
    say(table, notes::no_fine_metrics);
  } else {
    table.note("processor", std::string(run.text(processor.prefix)));
    table.note("processor_basis", processor.basis);
    table.note("source", a.source);
    const VerdictText text = fine_text(run, compute_budget(run, {}, options));
    table.note("verdict", text.verdict);
    table.note("limits", text.limits);
  }
  if (run.activities_recorded && !activities_are_of_rows(run)) {
    // roastcoffea reads them a fixed half second after the end; a heartbeat carries a worker's
    // share.
    constexpr double read_after = 0.5;
    const double heartbeat = heartbeat_interval(run);
    const double late = std::max(0.0, heartbeat - read_after);
    const Run::Window window = run.window();
    const double share = ratio(late, window.end - window.begin);
    table.note("heartbeat", heartbeat);
    if (!(late > 0)) say(table, notes::half_second_reports);
    else if (is_absent(share)) say(table, notes::late_reports, {heartbeat, late});
    else say(table, notes::late_share, {heartbeat, late, share});
  }
  if (selection.uses(Selection::of_chunks | worker_dimensions))
    say(table, notes::fine_metrics_are_whole);
  return table;
}

extern const Question question("fine", "Dask's activities by task prefix", columns, answer,
                               {.options = {&runtime::processor_option},
                                .narrowed_by = Selection::by_prefix});

constexpr Option unit_option =
    text_option("unit", "which unit, as Dask names it; units are never mixed", "seconds");
constexpr Option without_option =
    text_option("without", "activities to leave out, separated by commas");

/// What the two options and the selected task prefixes leave; `without` is kept by the caller.
static ActivityChoice activity_choice(const Options& options, const Selection& selection,
                                      const std::string& without) {
  return {options.text(unit_option), split(without, ","), selection};
}

/// Where the activities come from, or why there are none.
static void note_activity_source(Table& table, const Run& run) {
  if (!run.activities_recorded) say(table, notes::no_fine_metrics);
  else table.note("source", run.activities.source);
}

}  // namespace crema::query::fine

namespace crema::query::fine_functions {

constexpr Option most_option =
    count_option("most", "maximum number of functions; the smallest are merged; 0 = all", "0", {0});
constexpr Option idle_option = choice_option(
    "idle", "what idle time is: Dask's own, by subtraction, or what the core-time budget leaves",
    "recorded, budget", "recorded");

/// An activity of a function.
struct Part {
  const TaskFunction* function;
  ActivitySum sum;
  double tasks;  ///< of the function
};

struct Of {
  StringId processor;
  double available;  ///< [core-s]
};

const Columns<Part, Of> columns = {
    {"function", [](const Part& part) -> std::string_view { return part.function->name; }},
    {"activity", [](const Part& part) { return part.sum.activity; }},
    {"value", "as the option unit", [](const Part& part) { return part.sum.value; }},
    {"share", "1", [](const Part& part) { return ratio(part.sum.value, part.function->total); },
     "value / total"},
    {"total", "as the option unit", [](const Part& part) { return part.function->total; },
     "Σ value of the function"},
    {"share_of_available", "1",
     [](const Part& part, const Of& of) { return ratio(part.sum.value, of.available); },
     "value / available core-seconds of the run"},
    {"total_of_available", "1",
     [](const Part& part, const Of& of) { return ratio(part.function->total, of.available); },
     "total / available core-seconds of the run"},
    {"tasks", "count", &Part::tasks, "executions, with those done again"},
    {"per_task", "as the option unit",
     [](const Part& part) { return ratio(part.function->total, part.tasks); }, "total / tasks"},
    {"functions", "count", [](const Part& part) { return part.function->merged; },
     "how many the row stands for"},
    {"is_processor", as_flag,
     [](const Part& part, const Of& of) {
       return part.function->prefix != no_string && part.function->prefix == of.processor;
     }},
    {"is_idle", as_flag, [](const Part& part) { return part.function->is_idle; }},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const std::string without = options.text(fine::without_option);
  const ActivityChoice choice = fine::activity_choice(options, selection, without);
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
  const TaskCounts counts = count_tasks(run, processor);
  std::vector<Part> parts;
  for (const TaskFunction& function : functions) {
    const auto* const known = found_in(counts.executed, function.prefix);
    const double tasks = function.prefix == no_string || known == nullptr ? absent : known->tasks;
    for (const ActivitySum& sum : function.parts) parts.push_back({&function, sum, tasks});
  }
  Table table = columns.table(parts, {processor, available});
  table.note("in_tasks", in_tasks);
  table.note("in_tasks_of_available", ratio(in_tasks, available));
  table.note("available", available);
  fine::note_activity_source(table, run);
  return table;
}

extern const Question question("fine_functions", "what the tasks of each prefix did, by activity",
                               columns, answer,
                               {.options = {&fine::unit_option, &fine::without_option, &most_option,
                                            &idle_option, &runtime::processor_option},
                                .narrowed_by = Selection::by_prefix});

}  // namespace crema::query::fine_functions

namespace crema::query::fine_activities {

/// An activity in a context.
struct Part {
  const ContextSums* context;
  ActivitySum sum;
};

/// Of so many available core-seconds.
const Columns<Part, double> columns = {
    {"context", [](const Part& part) { return part.context->context; }},
    {"activity", [](const Part& part) { return part.sum.activity; }},
    {"value", "as the option unit", [](const Part& part) { return part.sum.value; },
     "Σ over task prefixes"},
    {"total", "as the option unit", [](const Part& part) { return part.context->total; },
     "Σ value of the context"},
    {"share", "1", [](const Part& part) { return ratio(part.sum.value, part.context->total); },
     "value / total"},
    {"share_of_available", "1",
     [](const Part& part, double available) { return ratio(part.sum.value, available); },
     "value / available core-seconds of the run"},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const std::string without = options.text(fine::without_option);
  const ActivityChoice choice = fine::activity_choice(options, selection, without);
  const double available =
      choice.unit == "seconds" ? compute_budget(run, {}, {}).available : absent;
  const std::vector<ContextSums> contexts = context_sums(run, choice);
  std::vector<Part> parts;
  for (const ContextSums& context : contexts) {
    for (const ActivitySum& sum : context.activities) parts.push_back({&context, sum});
  }
  Table table = columns.table(parts, available);
  fine::note_activity_source(table, run);
  return table;
}

extern const Question question("fine_activities", "Dask's activities, summed within each context",
                               columns, answer,
                               {.options = {&fine::unit_option, &fine::without_option},
                                .narrowed_by = Selection::by_prefix});

}  // namespace crema::query::fine_activities
