#include "core/facts/budget.hpp"

#include <algorithm>
#include <map>

#include "core/facts/chunk_selection.hpp"
#include "core/facts/cores.hpp"
#include "core/facts/lost_work.hpp"
#include "core/facts/processor.hpp"
#include "core/facts/sections.hpp"

namespace crema::facts {

namespace {

/// Σ of the selected chunks' time inside process(); absent without a chunk list.
double inside_process(const Run& run, const ChunkSelection& chosen) {
  if (!run.chunks_recorded) return absent;
  std::vector<double> seconds(run.chunks.size());
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    const double timed = run.chunks.t_end[i] - run.chunks.t_start[i];
    seconds[i] = is_absent(timed) ? run.chunks.duration[i] : timed;
  }
  return value_or(chosen.prorated_sum(seconds), 0);
}

struct TaskPrefix {
  StringId prefix;
  double seconds;
};

// Every prefix with execute seconds, but Dask's own "N/A", in order of first appearance.
std::vector<TaskPrefix> task_prefixes(const Run& run) {
  const Activities& a = run.activities;
  std::vector<TaskPrefix> found;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (run.text(a.context[i]) != "execute" || run.text(a.unit[i]) != "seconds" || run.text(a.prefix[i]) == "N/A") continue;
    const auto known = std::find_if(found.begin(), found.end(), [&](const TaskPrefix& t) { return t.prefix == a.prefix[i]; });
    if (known == found.end()) found.push_back({a.prefix[i], a.value[i]});
    else known->seconds += a.value[i];
  }
  return found;
}

// A part of the budget is never drawn below nothing; what is missing is kept as its shortfall.
BudgetPart part(std::string id, std::string label, std::string split, std::string parent, double core_seconds,
                std::string source) {
  BudgetPart made{std::move(id), std::move(label), std::move(split), std::move(parent), core_seconds, std::move(source), 0};
  if (core_seconds < 0) {
    made.shortfall = -core_seconds;
    made.core_seconds = 0;
  }
  return made;
}

void add_phases(const Run& run, Budget& budget, double inside, StringId processor, const std::vector<TaskPrefix>& prefixes) {
  double processor_seconds = absent;
  for (const TaskPrefix& task : prefixes) {
    if (processor != no_string && task.prefix == processor) processor_seconds = task.seconds;
  }
  const std::string processor_name(run.text(processor));
  if (!is_absent(inside)) {
    budget.parts.push_back(
        part("inside_process", "Inside process()", "phase", "available", inside, "Σ (t_end − t_start) over chunks"));
  }
  if (!is_absent(processor_seconds) && !is_absent(inside)) {
    const LostWork lost = find_lost_work(run, processor, processor_seconds);
    budget.parts.push_back(
        part("outside_process", "Processor tasks, outside process()", "phase", "available",
             processor_seconds - inside - value_or(lost.core_seconds, 0),
             "Σ execute seconds of " + processor_name + " − inside process()" +
                 (processor_name == "automatic_retries" ? ", pre-processing included: it has the same prefix" : "") +
                 (is_absent(lost.core_seconds) ? "; work done twice is in it, " + lost.source : " − lost work")));
    if (!is_absent(lost.core_seconds)) {
      budget.parts.push_back(part("lost_work", "Lost work", "phase", "available", lost.core_seconds, lost.source));
    }
  } else if (!is_absent(processor_seconds)) {
    budget.parts.push_back(part("processor_tasks", "Processor tasks", "phase", "available", processor_seconds,
                                "Σ execute seconds of " + processor_name + "; without a chunk list not split"));
  }
  for (const TaskPrefix& task : prefixes) {
    if (processor != no_string && task.prefix == processor) continue;
    const std::string name = task.prefix == no_string ? "(no task prefix)" : std::string(run.text(task.prefix));
    budget.parts.push_back(part("task:" + name, name, "phase", "available", task.seconds, "Σ execute seconds of " + name));
  }
}

void add_activities(const Run& run, Budget& budget, double idle) {
  const Activities& a = run.activities;
  std::vector<std::pair<StringId, double>> sums;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (run.text(a.context[i]) != "execute" || run.text(a.unit[i]) != "seconds" || run.text(a.prefix[i]) == "N/A") continue;
    const auto known = std::find_if(sums.begin(), sums.end(), [&](const auto& s) { return s.first == a.activity[i]; });
    if (known == sums.end()) sums.emplace_back(a.activity[i], a.value[i]);
    else known->second += a.value[i];
  }
  for (const auto& [activity, seconds] : sums) {
    const std::string name(run.text(activity));
    budget.parts.push_back(
        part("activity:" + name, name, "activity", "available", seconds, "Σ seconds of " + name + " over all task prefixes"));
  }
  if (!is_absent(idle)) {
    budget.parts.push_back(part("activity:idle", "idle", "activity", "available", idle, "available − Σ execute seconds"));
  }
}

void add_sections(const Run& run, Budget& budget, const ChunkSelection& chosen, double inside) {
  const SectionSums sums = sum_sections(run, chosen);
  for (const auto& [name, seconds] : sums.seconds) {
    budget.parts.push_back(part(
        "section:" + name, name, "section", "inside_process", seconds,
        sums.may_overlap ? "Σ of the section's seconds; sections overlap, so they do not add up" : "Σ of the section's seconds"));
  }
  if (!sums.seconds.empty() && !sums.may_overlap) {
    double accounted = 0;
    for (const auto& [name, seconds] : sums.seconds) accounted += seconds;
    budget.parts.push_back(part("section:unaccounted", "unaccounted", "section", "inside_process", inside - accounted,
                                "inside process() − Σ sections"));
  }
}

}  // namespace

double Budget::of(std::string_view id) const {
  const auto found = std::find_if(parts.begin(), parts.end(), [&](const BudgetPart& p) { return p.id == id; });
  return found == parts.end() ? absent : found->core_seconds;
}

Budget compute_budget(const Run& run, const Selection& selection, const Options& options) {
  Budget budget;
  const Run::Window window = run.window();
  const double begin = selection.time ? selection.time->begin : window.begin;
  const double end = selection.time ? selection.time->end : window.end;
  const CoreTime cores = core_time(run, WorkerSelection(run, selection), begin, end);
  budget.available = cores.core_seconds;
  budget.estimated = cores.estimated;
  if (!is_absent(cores.core_seconds)) {
    budget.parts.push_back(part("available", "Available core-time", "whole", "", cores.core_seconds, cores.source));
  }

  const ChunkSelection chosen(run, selection);
  const double inside = inside_process(run, chosen);
  const bool narrowed = selection.time || !chosen.all || !selection.workers.empty();
  if (!selection.workers.empty()) {
    // All chunks over some workers' cores would be a fraction of nothing.
    budget.selection_note = "chunks and fine metrics carry no worker: what the selected workers' cores did cannot be told";
    return budget;
  }
  if (narrowed) {
    // Tasks and activities are totals of the whole run: under a selection only process() and the rest can be told apart.
    if (!is_absent(inside)) {
      budget.parts.push_back(part("inside_process", "Inside process()", "phase", "available", inside,
                                  "Σ (t_end − t_start) over the selected chunks, cut to the selected time"));
      if (!is_absent(budget.available)) {
        budget.parts.push_back(part("not_in_process", "Not in these chunks' process()", "phase", "available",
                                    budget.available - inside, "available − inside process()"));
      }
      add_sections(run, budget, chosen, inside);
    }
    budget.selection_note = "fine metrics are totals of the whole run: what happened outside process() cannot be narrowed";
    if (const std::string note = chunk_selection_note(selection); !note.empty()) budget.selection_note += "; " + note;
    return budget;
  }

  const std::vector<TaskPrefix> prefixes = task_prefixes(run);
  if (prefixes.empty()) {
    if (!is_absent(inside)) {
      budget.parts.push_back(
          part("inside_process", "Inside process()", "phase", "available", inside, "Σ (t_end − t_start) over chunks"));
      if (!is_absent(budget.available)) {
        budget.parts.push_back(part("not_in_process", "Not in process()", "phase", "available", budget.available - inside,
                                    "available − inside process(); without fine metrics not split"));
      }
      add_sections(run, budget, chosen, inside);
    }
    return budget;
  }

  const Processor processor = find_processor(run, options);
  budget.processor_basis = std::string(run.text(processor.prefix)) + ": " + processor.basis;
  budget.executing = 0;
  for (const TaskPrefix& task : prefixes) budget.executing += task.seconds;
  add_phases(run, budget, inside, processor.prefix, prefixes);
  const double idle = budget.available - budget.executing;
  if (!is_absent(idle)) {
    budget.parts.push_back(
        part("idle", "Idle", "phase", "available", idle, "available − Σ execute seconds of all task prefixes"));
  }
  add_activities(run, budget, idle);
  if (!is_absent(inside)) add_sections(run, budget, chosen, inside);
  return budget;
}

}  // namespace crema::facts
