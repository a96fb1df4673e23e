#include "core/runtime/cluster.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <unordered_map>

#include "core/base/error.hpp"
#include "core/base/order.hpp"
#include "core/model/run.hpp"
#include "core/runtime/facts.hpp"

namespace crema::runtime {

bool is_of_tasks(const Run& run, std::size_t activity) {
  return run.text(run.activities.context[activity]) == "execute" &&
         run.text(run.activities.prefix[activity]) != "N/A";
}

namespace {

/// What Dask does for a task while no thread runs it (distributed.worker, Worker.execute).
bool is_around_thread(std::string_view activity) {
  constexpr std::string_view all[] = {"executor", "other",      "deserialize", "serialize",
                                      "compress", "decompress", "disk-read",   "disk-write"};
  return contains(all, activity);
}

std::vector<TaskTime> compute_task_times(const Run& run) {
  const Activities& a = run.activities;
  std::vector<TaskTime> times;
  std::unordered_map<StringId, std::size_t> places;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!is_of_tasks(run, i) || run.text(a.unit[i]) != "seconds") continue;
    TaskTime& time = one_of(places, a.prefix[i], times, {.prefix = a.prefix[i]});
    const std::string_view activity = run.text(a.activity[i]);
    time.all += a.value[i];
    if (activity == "thread-cpu") time.cpu += a.value[i];
    if (activity == "thread-noncpu") time.waiting += a.value[i];
    if (activity == "failed") time.failed += a.value[i];
    if (is_around_thread(activity)) time.around += a.value[i];
  }
  return times;
}

/// Of the tasks that `is_wanted` accepts by their prefix.
template <class Wanted>
double activity_sum_if(const Run& run, std::string_view activity, std::string_view unit,
                       const Wanted& is_wanted) {
  const Activities& a = run.activities;
  double sum = absent;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (is_of_tasks(run, i) && is_wanted(a.prefix[i]) && run.text(a.activity[i]) == activity &&
        run.text(a.unit[i]) == unit)
      sum = value_or(sum, 0) + a.value[i];
  }
  return sum;
}

}  // namespace

const std::vector<TaskTime>& task_times(const Run& run) {
  return kept_of(run).task_times.of([&] { return compute_task_times(run); });
}

double execute_seconds(const Run& run, StringId prefix) {
  for (const TaskTime& time : task_times(run)) {
    if (time.prefix == prefix) return time.all;
  }
  return absent;
}

double activity_sum(const Run& run, StringId prefix, std::string_view activity,
                    std::string_view unit) {
  if (prefix == no_string) return absent;
  return activity_sum_if(run, activity, unit, [&](StringId of) { return of == prefix; });
}

double activity_sum(const Run& run, std::string_view activity, std::string_view unit) {
  return activity_sum_if(run, activity, unit, [](StringId) { return true; });
}

Processor find_processor(const Run& run, const Options& options) {
  const Activities& a = run.activities;
  if (options.has(processor_option)) {
    const std::string wanted = options.text(processor_option);
    const StringId id = run.names->strings.find(wanted);
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a.prefix[i] == id && id != no_string) return {id, "chosen", false};
    }
    if (a.size() > 0)
      throw Failure(ErrorCode::bad_option,
                    "processor=" + wanted + " is no task prefix of this run");
    return {};
  }
  const double stored = run.stored_value("processor_cpu_time_seconds");
  const StringId recorded = function_of_chunks(run);
  Processor most;
  std::pair<double, double> most_seconds{-1, -1};  // thread time first: other labels may overlap it
  for (const TaskTime& time : task_times(run)) {
    if (time.prefix == no_string) continue;
    if (stored > 0 && std::fabs(time.cpu - stored) <= 1e-9 * stored) {
      return {time.prefix, "recognised: its time equals the processor time that roastcoffea stored",
              false};
    }
    if (time.prefix == recorded)
      return {time.prefix, "recognised: by this name crema.record measured tasks with chunks",
              false};
    const std::pair seconds(time.cpu + time.waiting + time.failed, time.all);
    if (run.recording.of_log()) {
      // Its tasks may be anybody's: nothing is guessed.
      if (run.text(time.prefix) == "processing")
        return {time.prefix, "recognised: coffea's executors give its tasks this category", false};
    } else if (seconds > most_seconds) {
      most_seconds = seconds;
      most = {time.prefix, "guessed: the task prefix with the most time", true};
    }
  }
  return most;
}

namespace {

void add(std::vector<ActivitySum>& sums, std::string_view activity, double value) {
  auto* const known =
      first_where(sums, [&](const ActivitySum& sum) { return sum.activity == activity; });
  if (known == nullptr) sums.push_back({activity, value});
  else known->value += value;
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
  return leaves(selection.prefixes, run.text(run.activities.prefix[activity]));
}

bool ActivityChoice::wants(const Run& run, std::size_t activity) const {
  const Activities& a = run.activities;
  return run.text(a.unit[activity]) == unit && !contains(hidden, run.text(a.activity[activity])) &&
         is_selected(run, selection, activity);
}

std::vector<TaskFunction> task_functions(const Run& run, const ActivityChoice& choice,
                                         std::size_t most) {
  const Activities& a = run.activities;
  std::vector<TaskFunction> functions;
  std::map<std::pair<bool, StringId>, std::size_t> places;  // of idle activities, and of prefixes
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (run.text(a.context[i]) != "execute" || !choice.wants(run, i)) continue;
    const std::string_view activity = run.text(a.activity[i]);
    const bool is_idle = is_idle_activity(activity);
    const StringId name = is_idle ? a.activity[i] : a.prefix[i];
    const auto [place, is_new] = places.try_emplace({is_idle, name}, functions.size());
    if (is_new)
      functions.push_back({.name = std::string(run.text(name)),
                           .prefix = is_idle ? no_string : name,
                           .is_idle = is_idle});
    TaskFunction& function = functions[place->second];
    function.total += a.value[i];
    add(function.parts, activity, a.value[i]);
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
    auto* context =
        first_where(contexts, [&](const ContextSums& known) { return known.context == name; });
    if (context == nullptr) context = &contexts.emplace_back(ContextSums{.context = name});
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

TaskCounts count_tasks(const Run& run, StringId processor) {
  TaskCounts counts;
  const Tasks& tasks = run.tasks;
  for_each_execution(run, [&](std::size_t i) {
    if (tasks.prefix[i] == no_string) return;
    TaskCounts::Executed& of = counts.executed[tasks.prefix[i]];
    of.tasks += 1;
    of.seconds += tasks.t1[i] - tasks.t0[i];
  });
  const double counted = activity_sum(run, processor, "memory-read", "count");
  const auto* const streamed = found_in(counts.executed, processor);
  counts.stream_cut = streamed != nullptr && streamed->tasks < counted;
  // A task of the processor reads one input, so that its tasks are counted without the stream, or
  // when that lacks its beginning.
  if (counts.stream_cut) counts.executed.clear();
  if (counted > 0 && !counts.executed.contains(processor))
    counts.executed[processor] = {counted, absent};
  return counts;
}

}  // namespace crema::runtime
