#include "core/runtime/core_time.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::runtime {

namespace {

/// Σ of the selected chunks' time inside process(); absent without a chunk list.
double inside_process(const Run& run, const ChunkSelection& chosen) {
  if (run.chunks.size() == 0) return absent;  // an empty list tells as little as none
  std::vector<double> seconds(run.chunks.size());
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    const double timed = run.chunks.t_end[i] - run.chunks.t_start[i];
    seconds[i] = is_absent(timed) ? run.chunks.duration[i] : timed;
  }
  return value_or(chosen.prorated_sum(seconds), 0);
}

using Part = BudgetPart::Kind;

struct TaskPrefix {
  StringId prefix;
  double seconds;
};

/// Σ of the seconds of Dask's activities by what `key` says of each, but Dask's own "N/A", in order
/// of first appearance.
std::vector<TaskPrefix> sum_by(const Run& run, const std::vector<StringId>& key) {
  const Activities& a = run.activities;
  std::vector<TaskPrefix> found;
  std::unordered_map<StringId, std::size_t> places;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (run.text(a.context[i]) != "execute" || run.text(a.unit[i]) != "seconds" ||
        run.text(a.prefix[i]) == "N/A")
      continue;
    const auto [place, is_new] = places.try_emplace(key[i], found.size());
    if (is_new) found.push_back({key[i], a.value[i]});
    else found[place->second].seconds += a.value[i];
  }
  return found;
}

// A part of the budget is never drawn below nothing; what is missing is kept as its shortfall.
BudgetPart part(Part kind, std::string label, double core_seconds, std::string source) {
  BudgetPart made{kind, std::move(label), core_seconds, std::move(source), 0};
  if (core_seconds < 0) {
    made.shortfall = -core_seconds;
    made.core_seconds = 0;
  }
  return made;
}

BudgetPart inside_part(double inside, const char* source) {
  return part(Part::inside_process, "Inside process()", inside, source);
}

void add_phases(const Run& run, Budget& budget, double inside, StringId processor,
                const std::vector<TaskPrefix>& prefixes) {
  double processor_seconds = absent;
  for (const TaskPrefix& task : prefixes) {
    if (processor != no_string && task.prefix == processor) processor_seconds = task.seconds;
  }
  const std::string processor_name(run.text(processor));
  if (!is_absent(inside)) {
    budget.parts.push_back(inside_part(inside, "Σ (t_end − t_start) over chunks"));
  }
  if (!is_absent(processor_seconds) && !is_absent(inside)) {
    const LostWork lost = find_lost_work(run, processor, processor_seconds);
    budget.parts.push_back(
        part(Part::outside_process, "Processor tasks, outside process()",
             processor_seconds - inside - value_or(lost.core_seconds, 0),
             "Σ execute seconds of " + processor_name + " − inside process()" +
                 (processor_name == "automatic_retries"
                      ? ", pre-processing included: it has the same prefix"
                      : "") +
                 (is_absent(lost.core_seconds) ? "; work done twice is in it, " + lost.source
                                               : " − lost work")));
    if (!is_absent(lost.core_seconds)) {
      budget.parts.push_back(part(Part::lost_work, "Lost work", lost.core_seconds, lost.source));
    }
  } else if (!is_absent(processor_seconds)) {
    budget.parts.push_back(
        part(Part::processor_tasks, "Processor tasks", processor_seconds,
             "Σ execute seconds of " + processor_name + "; without a whole chunk list not split"));
  }
  for (const TaskPrefix& task : prefixes) {
    if (processor != no_string && task.prefix == processor) continue;
    const std::string name =
        task.prefix == no_string ? "(no task prefix)" : std::string(run.text(task.prefix));
    budget.parts.push_back(part(Part::task, name, task.seconds, "Σ execute seconds of " + name));
  }
}

void add_activities(const Run& run, Budget& budget, double idle) {
  for (const auto& [activity, seconds] : sum_by(run, run.activities.activity)) {
    const std::string name(run.text(activity));
    budget.parts.push_back(
        part(Part::activity, name, seconds, "Σ seconds of " + name + " over all task prefixes"));
  }
  if (!is_absent(idle)) {
    budget.parts.push_back(part(Part::no_activity, "idle", idle, "available − Σ execute seconds"));
  }
}

void add_sections(const Run& run, Budget& budget, const ChunkSelection& chosen, double inside) {
  const SectionSums sums = sum_sections(run, chosen);
  for (const auto& [name, seconds] : sums.seconds) {
    budget.parts.push_back(part(
        Part::section, name, seconds,
        sums.may_overlap ? "Σ of the section's seconds; sections overlap, so they do not add up"
                         : "Σ of the section's seconds"));
  }
  if (!sums.seconds.empty() && !sums.may_overlap) {
    double accounted = 0;
    for (const auto& [name, seconds] : sums.seconds) accounted += seconds;
    budget.parts.push_back(
        part(Part::no_section, "unaccounted", inside - accounted, "inside process() − Σ sections"));
  }
}

}  // namespace

std::string BudgetPart::id() const {
  switch (kind) {
    case Kind::available: return "available";
    case Kind::inside_process: return "inside_process";
    case Kind::outside_process: return "outside_process";
    case Kind::lost_work: return "lost_work";
    case Kind::processor_tasks: return "processor_tasks";
    case Kind::task: return "task:" + label;
    case Kind::idle: return "idle";
    case Kind::not_in_process: return "not_in_process";
    case Kind::activity: return "activity:" + label;
    case Kind::no_activity: return "activity_idle";
    case Kind::section: return "section:" + label;
    case Kind::no_section: return "unaccounted";
  }
  return {};
}

std::string_view BudgetPart::split() const {
  switch (kind) {
    case Kind::available: return "whole";
    case Kind::activity:
    case Kind::no_activity: return "activity";
    case Kind::section:
    case Kind::no_section: return "section";
    default: return "phase";
  }
}

std::string_view BudgetPart::parent() const {
  return kind == Kind::available ? "" : split() == "section" ? "inside_process" : "available";
}

double Budget::of(BudgetPart::Kind kind, std::string_view label) const {
  const auto found = std::find_if(parts.begin(), parts.end(), [&](const BudgetPart& p) {
    return p.kind == kind && (label.empty() || p.label == label);
  });
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
    budget.parts.push_back(
        part(Part::available, "Available core-time", cores.core_seconds, cores.source));
  }

  const ChunkSelection chosen(run, selection);
  const bool narrowed = selection.time || !chosen.all || !selection.workers.empty();
  // Of the whole run, what an incomplete list leaves out would be taken for time outside.
  const double inside = !narrowed && chunk_list_is_cut(run) ? absent : inside_process(run, chosen);
  if (!selection.workers.empty()) {
    // All chunks over some workers' cores would be a fraction of nothing.
    budget.selection_note =
        "chunks and fine metrics carry no worker: what the selected workers' cores did cannot be "
        "told";
    return budget;
  }
  if (narrowed) {
    // Tasks and activities are totals of the whole run: under a selection only process() and the
    // rest can be told apart.
    if (!is_absent(inside)) {
      budget.parts.push_back(inside_part(
          inside, "Σ (t_end − t_start) over the selected chunks, cut to the selected time"));
      if (!is_absent(budget.available)) {
        budget.parts.push_back(part(Part::not_in_process, "Not in these chunks' process()",
                                    budget.available - inside, "available − inside process()"));
      }
      add_sections(run, budget, chosen, inside);
    }
    budget.selection_note =
        "fine metrics are totals of the whole run: what happened outside process() cannot be "
        "narrowed";
    if (const std::string note = chunk_selection_note(selection); !note.empty())
      budget.selection_note += "; " + note;
    return budget;
  }

  const std::vector<TaskPrefix> prefixes = sum_by(run, run.activities.prefix);
  if (prefixes.empty()) {
    if (!is_absent(inside)) {
      budget.parts.push_back(inside_part(inside, "Σ (t_end − t_start) over chunks"));
      if (!is_absent(budget.available)) {
        budget.parts.push_back(
            part(Part::not_in_process, "Not in process()", budget.available - inside,
                 "available − inside process(); without fine metrics not split"));
      }
      add_sections(run, budget, chosen, inside);
    }
    return budget;
  }

  const Processor processor = find_processor(run, options);
  budget.processor_guessed = processor.guessed;
  budget.processor_basis = std::string(run.text(processor.prefix)) + ": " + processor.basis;
  budget.executing = 0;
  for (const TaskPrefix& task : prefixes) budget.executing += task.seconds;
  add_phases(run, budget, inside, processor.prefix, prefixes);
  const double idle = budget.available - budget.executing;
  if (!is_absent(idle)) {
    budget.parts.push_back(
        part(Part::idle, "Idle", idle, "available − Σ execute seconds of all task prefixes"));
  }
  add_activities(run, budget, idle);
  if (!is_absent(inside)) add_sections(run, budget, chosen, inside);
  return budget;
}

}  // namespace crema::runtime
