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
  double sum = 0;
  for (std::size_t i = 0; i < run.chunks.size(); ++i) {
    if (chosen[i]) sum += chosen.share[i] * chunk_seconds(run, i);
  }
  return sum;
}

using Part = BudgetPart::Kind;

/// Σ of the seconds of each of Dask's activities over all tasks, in order of first appearance.
std::vector<std::pair<StringId, double>> activity_seconds(const Run& run) {
  const Activities& a = run.activities;
  std::vector<std::pair<StringId, double>> found;
  std::unordered_map<StringId, std::size_t> places;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!is_of_tasks(run, i) || run.text(a.unit[i]) != "seconds") continue;
    const auto [place, is_new] = places.try_emplace(a.activity[i], found.size());
    if (is_new) found.emplace_back(a.activity[i], a.value[i]);
    else found[place->second].second += a.value[i];
  }
  return found;
}

// A part of the budget is never drawn below nothing; what is missing is kept as its shortfall.
BudgetPart part(Part kind, std::string label, double core_seconds, std::string source) {
  BudgetPart made{.kind = kind,
                  .label = std::move(label),
                  .core_seconds = core_seconds,
                  .source = std::move(source)};
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
                const std::vector<TaskTime>& prefixes) {
  const double processor_seconds =
      processor == no_string ? absent : execute_seconds(run, processor);
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
      // How much of the two is which is an estimate: it may be all of one.
      if (lost.core_seconds > 0 && !lost.exact) {
        for (BudgetPart& made : budget.parts)
          made.estimated = made.kind == Part::outside_process || made.kind == Part::lost_work;
      }
    }
  } else if (!is_absent(processor_seconds)) {
    budget.parts.push_back(
        part(Part::processor_tasks, "Processor tasks", processor_seconds,
             "Σ execute seconds of " + processor_name + "; without a whole chunk list not split"));
  }
  for (const TaskTime& task : prefixes) {
    if (processor != no_string && task.prefix == processor) continue;
    const std::string name =
        task.prefix == no_string ? "(no task prefix)" : std::string(run.text(task.prefix));
    BudgetPart& made =
        budget.parts.emplace_back(part(Part::task, name, task.all, "Σ execute seconds of " + name));
    made.is_named = task.prefix != no_string;
  }
}

void add_activities(const Run& run, Budget& budget, double idle) {
  for (const auto& [activity, seconds] : activity_seconds(run)) {
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

const char* id_of(BudgetPart::Kind kind) {
  using Kind = BudgetPart::Kind;
  switch (kind) {
    case Kind::available: return "available";
    case Kind::inside_process: return "inside_process";
    case Kind::outside_process: return "outside_process";
    case Kind::lost_work: return "lost_work";
    case Kind::processor_tasks: return "processor_tasks";
    case Kind::task: return "task";
    case Kind::other_tasks: return "other_tasks";
    case Kind::idle: return "idle";
    case Kind::not_in_process: return "not_in_process";
    case Kind::activity: return "activity";
    case Kind::no_activity: return "activity_idle";
    case Kind::section: return "section";
    case Kind::no_section: return "unaccounted";
  }
  return "";
}

std::string BudgetPart::id() const {
  const bool has_name = kind == Kind::task || kind == Kind::activity || kind == Kind::section;
  return has_name && is_named ? std::string(id_of(kind)) + ":" + label : id_of(kind);
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

namespace {

/// In how many bins a selected time is looked up in the course of the run.
constexpr std::size_t course_bins = 2000;

void add_idle(Budget& budget, double used, const char* source) {
  const double idle = budget.available - used;
  if (!is_absent(idle)) budget.parts.push_back(part(Part::idle, "Idle", idle, source));
  budget.executing = used;
}

/// Of some workers, by the task stream: chunks carry no worker.
void add_of_workers(const Run& run, const WorkerSelection& chosen, StringId processor, double begin,
                    double end, Budget& budget) {
  const Tasks& tasks = run.tasks;
  const StringId compute = run.names->strings.find("compute");
  double own = 0, others = 0;
  bool any = false;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks.action[i] != compute) continue;
    any = true;
    if (!chosen.holds(run, tasks.worker[i])) continue;
    const double seconds =
        std::max(0.0, value_or(std::min(tasks.t1[i], end) - std::max(tasks.t0[i], begin), 0));
    (tasks.prefix[i] == processor ? own : others) += seconds;
  }
  if (!any) {
    // All chunks over some workers' cores would be a fraction of nothing.
    budget.selection_note =
        "chunks and fine metrics carry no worker, and no task stream was recorded: what the "
        "selected workers' cores did is not known";
    return;
  }
  budget.parts.push_back(
      part(Part::processor_tasks, "Processor tasks", own,
           "compute seconds of these workers, from the task stream; chunks carry no worker, so "
           "process() is not separated"));
  budget.parts.push_back(part(Part::other_tasks, "Other tasks", others,
                              "compute seconds of these workers, from the task stream"));
  add_idle(budget, own + others, "available − tasks of the task stream");
  budget.selection_note =
      "Chunks carry no worker: inside and outside process() are together, repeated work among "
      "them.";
}

/// Of a range of time, by the course of the whole run.
void add_of_time(const Run& run, const Selection& selection, const Options& options,
                 const ChunkSelection& chosen, double begin, double end, Budget& budget) {
  const CoreTimeCourse course = core_time_course(run, selection, options, course_bins);
  const auto within = [&](const std::vector<double>& seconds) {
    double sum = 0;
    course.bins.each_overlap(begin, end, [&](std::size_t bin, double overlap) {
      sum += seconds[bin] * std::min(1.0, overlap / course.bins.width());
    });
    return sum;
  };
  double used = 0;
  for (const CoreTimeCourse::Part& placed : course.parts) {
    if (placed.kind == Part::idle || placed.kind == Part::not_in_process) continue;
    // Chunks say when they ran: their time needs no bins.
    const bool is_exact = placed.kind == Part::inside_process && run.chunks.placed;
    const double seconds = is_exact ? inside_process(run, chosen) : within(placed.seconds);
    BudgetPart& made = budget.parts.emplace_back(part(
        placed.kind,
        placed.kind == Part::outside_process ? "Processor tasks, outside process()" : placed.label,
        seconds,
        is_exact ? "Σ (t_end − t_start) over the selected chunks, cut to the selected time"
                 : "in the selected time; " + course.source));
    made.estimated = !placed.exact;
    used += seconds;
  }
  add_idle(budget, used, "available − the other parts");
  budget.source = course.source;
}

}  // namespace

Budget compute_budget(const Run& run, const Selection& selection, const Options& options) {
  Budget budget;
  const bool of_chunks = selects_chunks(run, selection);
  const auto [begin, end] = selected_window(run, selection);
  const WorkerSelection workers(run, selection);
  const CoreTime cores = core_time(run, workers, begin, end);
  budget.available = cores.core_seconds;
  budget.estimated = cores.estimated;
  if (!is_absent(cores.core_seconds)) {
    budget.parts.push_back(
        part(Part::available, "Available core-time", cores.core_seconds, cores.source));
  }

  const std::vector<TaskTime>& prefixes = task_times(run);
  const Processor processor = find_processor(run, options);
  if (!prefixes.empty()) {
    budget.processor_guessed = processor.guessed;
    budget.processor_basis = std::string(run.text(processor.prefix)) + ": " + processor.basis;
  }
  if (!workers.all) {
    add_of_workers(run, workers, processor.prefix, begin, end, budget);
    return budget;
  }

  const ChunkSelection chosen(run, selection);
  const bool narrowed = selection.time || of_chunks;
  // Of the whole run, what an incomplete list leaves out would be taken for time outside.
  const double inside = !narrowed && chunk_list_is_cut(run) ? absent : inside_process(run, chosen);
  if (selection.time && !of_chunks && !prefixes.empty()) {
    add_of_time(run, selection, options, chosen, begin, end, budget);
  } else if (narrowed || prefixes.empty()) {
    if (!is_absent(inside)) {
      budget.parts.push_back(inside_part(
          inside, narrowed
                      ? "Σ (t_end − t_start) over the selected chunks, cut to the selected time"
                      : "Σ (t_end − t_start) over chunks"));
      if (!is_absent(budget.available)) {
        budget.parts.push_back(part(
            Part::not_in_process, of_chunks ? "Not in these chunks' process()" : "Not in process()",
            budget.available - inside,
            narrowed ? "available − inside process()"
                     : "available − inside process(); without fine metrics not split"));
      }
    }
    if (of_chunks) {
      budget.selection_note =
          "tasks and fine metrics do not say of which chunks they are: only time in process() is "
          "narrowed";
    }
  } else {
    add_phases(run, budget, inside, processor.prefix, prefixes);
    double executing = 0;
    for (const TaskTime& task : prefixes) executing += task.all;
    add_idle(budget, executing, "available − Σ execute seconds of all task prefixes");
    add_activities(run, budget, budget.available - executing);
  }
  if (const std::string note = chunk_selection_note(selection); !note.empty())
    budget.selection_note += (budget.selection_note.empty() ? "" : "; ") + note;
  if (!is_absent(inside)) add_sections(run, budget, chosen, inside);
  return budget;
}

}  // namespace crema::runtime
