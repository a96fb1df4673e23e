// A question to copy: this file goes to the folder of its subject in core/query, as `attempts.cpp`,
// and the line `each(attempts)` to the list in core/query/list.hpp. It is then on the command line
// and in its help, in the exports, in the types of the page and of Python (scripts/contract.mjs)
// and in the docs (`npm run metrics`).
#include <map>

#include "core/query/question.hpp"

namespace crema::query::attempts {

// An option says what it takes; nothing else is ever given to the function.
constexpr Option least_option =
    count_option("least", "least number of executions of a task", "2", {1});

/// A row: whatever struct a subject hands out, or one that the question makes.
struct Task {
  std::string_view key;
  double executions = 0, seconds = 0;
};

/// What the columns are made from beside the row: here Σ seconds of all tasks.
const Columns<Task, double> columns = {
    {"key", &Task::key},
    {"executions", "count", &Task::executions},
    {"seconds", "s", &Task::seconds, "Σ duration of its executions"},
    {"share", "1", [](const Task& task, double all) { return ratio(task.seconds, all); },
     "seconds / Σ seconds of all tasks"},
};

static Table answer(const Run& run, const Selection&, const Options& options) {
  std::map<std::string_view, Task> tasks;
  double all = 0;
  for (std::size_t i = 0; i < run.tasks.size(); ++i) {
    const std::string_view key = run.text(run.tasks.key[i]);
    Task& task = tasks.try_emplace(key, Task{key}).first->second;
    task.executions += 1;
    task.seconds += run.tasks.t1[i] - run.tasks.t0[i];
    all += run.tasks.t1[i] - run.tasks.t0[i];
  }
  std::vector<Task> shown;
  for (const auto& [key, task] : tasks) {
    if (task.executions >= options.number(least_option)) shown.push_back(task);
  }
  Table table = columns.table(shown, all);
  if (run.tasks.size() == 0) say(table, notes::no_task_stream);
  return table;
}

extern const Question question("attempts", "each task that was executed several times", columns,
                               answer, {.options = {&least_option}});

}  // namespace crema::query::attempts
