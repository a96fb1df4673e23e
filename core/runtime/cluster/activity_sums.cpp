#include "core/runtime/cluster/activity_sums.hpp"

#include "core/base/order.hpp"

#include <algorithm>
#include <span>

namespace crema::runtime {

namespace {

void add(std::vector<ActivitySum>& sums, std::string_view activity, double value) {
  const auto known = std::find_if(sums.begin(), sums.end(),
                                  [&](const ActivitySum& sum) { return sum.activity == activity; });
  if (known == sums.end()) sums.push_back({activity, value});
  else known->value += value;
}

bool has(std::span<const std::string_view> list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

TaskFunction together(std::span<const TaskFunction> functions) {
  TaskFunction rest{.name = std::to_string(functions.size()) + " others",
                    .merged = static_cast<double>(functions.size())};
  for (const TaskFunction& function : functions) {
    rest.total += function.total;
    for (const ActivitySum& part : function.parts) add(rest.parts, part.activity, part.value);
  }
  return rest;
}

}  // namespace

bool is_idle_activity(std::string_view activity) { return activity.starts_with("idle"); }

bool is_selected(const Run& run, const Selection& selection, std::size_t activity) {
  const auto& prefixes = selection.prefixes;
  const std::string_view prefix = run.text(run.activities.prefix[activity]);
  return prefixes.empty() || std::find(prefixes.begin(), prefixes.end(), prefix) != prefixes.end();
}

bool ActivityChoice::wants(const Run& run, std::size_t activity) const {
  const Activities& a = run.activities;
  return run.text(a.unit[activity]) == unit && !has(hidden, run.text(a.activity[activity])) &&
         is_selected(run, selection, activity);
}

std::vector<TaskFunction> task_functions(const Run& run, const ActivityChoice& choice,
                                         std::size_t most) {
  const Activities& a = run.activities;
  std::vector<TaskFunction> functions;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (run.text(a.context[i]) != "execute" || !choice.wants(run, i)) continue;
    const std::string_view activity = run.text(a.activity[i]);
    const bool is_idle = is_idle_activity(activity);
    const std::string_view name = is_idle ? activity : run.text(a.prefix[i]);
    auto function = std::find_if(functions.begin(), functions.end(),
                                 [&](const TaskFunction& known) { return known.name == name; });
    if (function == functions.end())
      function = functions.insert(functions.end(), {.name = std::string(name),
                                                    .prefix = is_idle ? no_string : a.prefix[i],
                                                    .is_idle = is_idle});
    function->total += a.value[i];
    add(function->parts, activity, a.value[i]);
  }
  sort_functions(functions);
  if (most > 0 && functions.size() > most) {
    const TaskFunction rest = together(std::span(functions).subspan(most - 1));
    functions.resize(most - 1);
    functions.push_back(rest);
  }
  return functions;
}

void sort_functions(std::vector<TaskFunction>& functions) {
  sort_stably(functions, [](const TaskFunction& x, const TaskFunction& y) {
    return x.total != y.total ? x.total > y.total : x.name < y.name;
  });
}

std::vector<ContextSums> context_sums(const Run& run, const ActivityChoice& choice) {
  const Activities& a = run.activities;
  std::vector<ContextSums> contexts;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!choice.wants(run, i)) continue;
    const std::string_view name = run.text(a.context[i]);
    auto context = std::find_if(contexts.begin(), contexts.end(),
                                [&](const ContextSums& known) { return known.context == name; });
    if (context == contexts.end()) context = contexts.insert(contexts.end(), {.context = name});
    add(context->activities, run.text(a.activity[i]), a.value[i]);
  }
  for (ContextSums& context : contexts) {
    sort_stably(context.activities, [](const ActivitySum& x, const ActivitySum& y) {
      return x.value != y.value ? x.value > y.value : x.activity < y.activity;
    });
    for (const ActivitySum& sum : context.activities) context.total += sum.value;
  }
  return contexts;
}

}  // namespace crema::runtime
