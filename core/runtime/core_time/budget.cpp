#include "core/runtime/core_time.hpp"

#include <algorithm>
#include <utility>

#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time/branches.hpp"
#include "core/runtime/facts.hpp"

namespace crema::runtime {

namespace {

using Part = BudgetPart::Kind;

struct PartName {
  const char* id;
  const char* label;  ///< "" of parts that have a name
};
/// In the order of BudgetPart::Kind.
constexpr std::array<PartName, 13> part_names = {{{"available", "Available core-time"},
                                                  {"inside_process", "Inside process()"},
                                                  {"outside_process", "Outside process()"},
                                                  {"lost_work", "Repeated work"},
                                                  {"processor_tasks", "Processor tasks"},
                                                  {"task", ""},
                                                  {"other_tasks", "Other tasks"},
                                                  {"idle", "Idle"},
                                                  {"not_in_process", "Not in process()"},
                                                  {"activity", ""},
                                                  {"activity_idle", "idle"},
                                                  {"section", ""},
                                                  {"unaccounted", "unaccounted"}}};

/// Σ of the selected chunks' time inside process(); absent without a chunk list.
double inside_process(const Run& run, const ChunkSelection& chosen) {
  if (run.chunks.size() == 0) return absent;  // an empty list tells as little as none
  double sum = 0;
  for (std::size_t i = 0; i < run.chunks.size(); ++i) {
    if (chosen[i]) sum += chosen.share[i] * chunk_seconds(run, i);
  }
  return sum;
}

// A part of the budget is never drawn below nothing; what is missing is kept as its shortfall.
BudgetPart& add(Budget& budget, Part kind, double core_seconds, std::string source,
                std::string label) {
  BudgetPart& made =
      budget.parts.emplace_back(BudgetPart{.kind = kind,
                                           .label = std::move(label),
                                           .core_seconds = std::max(core_seconds, 0.0),
                                           .source = std::move(source)});
  made.shortfall = std::max(0.0, -core_seconds);
  return made;
}

BudgetPart& add(Budget& budget, Part kind, double core_seconds, std::string source) {
  return add(budget, kind, core_seconds, std::move(source),
             kind == Part::outside_process ? "Processor tasks, outside process()" : label_of(kind));
}

void add_idle(Budget& budget, double used, const char* source) {
  const double idle = budget.available - used;
  if (!is_absent(idle)) add(budget, Part::idle, idle, source);
  budget.executing = used;
}

/// Of the whole run, by the fine metrics.
void add_tasks(const Run& run, Budget& budget, double inside, StringId processor) {
  const double of_processor = processor == no_string ? absent : execute_seconds(run, processor);
  const std::string name(run.text(processor));
  if (!is_absent(inside))
    add(budget, Part::inside_process, inside, "Σ (t_end − t_start) over chunks");
  if (!is_absent(of_processor) && !is_absent(inside)) {
    const LostWork lost = find_lost_work(run, processor, of_processor);
    const bool is_known = !is_absent(lost.core_seconds);
    const double all_lost = value_or(lost.core_seconds, 0) + lost.failed;
    // How much of the two is which is an estimate: it may be all of one.
    const bool estimated = lost.core_seconds > 0 && !lost.exact;
    add(budget, Part::outside_process, of_processor - inside - all_lost,
        "Σ execute seconds of " + name + " − inside process()" +
            (name == "automatic_retries" ? ", pre-processing included: it has the same prefix"
                                         : "") +
            (is_known ? " − repeated work" : "; repeated work is in it, " + lost.source))
        .estimated = estimated;
    if (is_known || lost.failed > 0)
      add(budget, Part::lost_work, all_lost,
          lost.source + (lost.failed > 0 ? "; attempts that failed, by Dask's fine metrics" : ""))
          .estimated = estimated;
  } else if (!is_absent(of_processor)) {
    add(budget, Part::processor_tasks, of_processor,
        "Σ execute seconds of " + name + "; without a whole chunk list not split");
  }
  double executing = 0;
  for (const TaskTime& task : task_times(run)) {
    executing += task.all;
    if (processor != no_string && task.prefix == processor) continue;
    const std::string of = name_of_prefix(run, task.prefix);
    add(budget, Part::task, task.all, "Σ execute seconds of " + of, of).is_named =
        task.prefix != no_string;
  }
  add_idle(budget, executing, "available − Σ execute seconds of all task prefixes");
  for (const auto& [activity, seconds] : activity_seconds(run)) {
    const std::string of(run.text(activity));
    add(budget, Part::activity, seconds, "Σ seconds of " + of + " over all task prefixes", of);
  }
  if (const double idle = budget.available - executing; !is_absent(idle))
    add(budget, Part::no_activity, idle, "available − Σ execute seconds");
}

void add_sections(const Run& run, Budget& budget, const ChunkSelection& chosen, double inside) {
  const SectionSums sums = sum_sections(run, chosen);
  double accounted = 0;
  for (const auto& [name, seconds] : sums.seconds) {
    accounted += seconds;
    add(budget, Part::section, seconds,
        sums.may_overlap ? "Σ of the section's seconds; sections overlap, so they do not add up"
                         : "Σ of the section's seconds",
        name);
  }
  if (!sums.seconds.empty() && !sums.may_overlap)
    add(budget, Part::no_section, inside - accounted, "inside process() − Σ sections");
}

/// Of some workers, by the task stream.
void add_of_workers(const Run& run, const WorkerSelection& chosen, StringId processor,
                    const Run::Window& time, Budget& budget) {
  const Tasks& tasks = run.tasks;
  double own = 0, others = 0;
  bool any = false;
  for_each_execution(run, [&](std::size_t i) {
    any = true;
    if (!chosen.holds(run, tasks.worker[i])) return;
    const double seconds = std::min(tasks.t1[i], time.end) - std::max(tasks.t0[i], time.begin);
    (tasks.prefix[i] == processor ? own : others) += std::max(0.0, value_or(seconds, 0));
  });
  if (!any) {
    // All chunks over some workers' cores would be a fraction of nothing.
    budget.selection_note =
        "fine metrics are of all workers, and no task stream was recorded: what the selected "
        "workers' cores did is not known";
    return;
  }
  add(budget, Part::processor_tasks, own,
      "compute seconds of these workers, from the task stream; process() is not separated");
  add(budget, Part::other_tasks, others, "compute seconds of these workers, from the task stream");
  add_idle(budget, own + others, "available − tasks of the task stream");
  budget.selection_note =
      "Inside and outside process() are not separated for some workers: repeated work is in "
      "them.";
}

/// Of a range of time, by the series of the whole run, which a brush asks for sixty times a second.
void add_of_time(const Run& run, StringId processor, const Options& options, double inside,
                 const Run::Window& time, Budget& budget) {
  constexpr std::size_t bins = 2000;
  const CoreTimeSeries& over_time = kept_of(run).over_time.of(
      processor, [&] { return core_time_series(run, {}, options, bins); });
  double used = 0;
  for (const CoreTimeSeries::Part& placed : over_time.parts) {
    if (placed.kind == Part::idle || placed.kind == Part::not_in_process) continue;
    // Chunks say when they ran: their time needs no bins.
    const bool is_exact = placed.kind == Part::inside_process && run.chunks.placed;
    double seconds = is_exact ? inside : 0;
    over_time.bins.each_overlap(time.begin, time.end, [&](std::size_t bin, double overlap) {
      if (!is_exact)
        seconds += placed.seconds[bin] * std::min(1.0, overlap / over_time.bins.width());
    });
    add(budget, placed.kind, seconds,
        is_exact ? "Σ (t_end − t_start) over the selected chunks, cut to the selected time"
                 : "in the selected time; " + over_time.source)
        .estimated = !placed.exact;
    used += seconds;
  }
  add_idle(budget, used, "available − the other parts");
  budget.source = over_time.source;
}

}  // namespace

const char* id_of(BudgetPart::Kind kind) { return part_names[static_cast<std::size_t>(kind)].id; }

const char* label_of(BudgetPart::Kind kind) {
  return part_names[static_cast<std::size_t>(kind)].label;
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
  const BudgetPart* const found = first_where(parts, [&](const BudgetPart& part) {
    return part.kind == kind && (label.empty() || part.label == label);
  });
  return found == nullptr ? absent : found->core_seconds;
}

Budget compute_budget(const Run& run, const Selection& selection, const Options& options) {
  Budget budget;
  const bool of_chunks = selects_chunks(run, selection);
  const Run::Window time = selected_window(run, selection);
  const WorkerSelection workers(run, selection);
  const CoreTime cores = core_time(run, workers, time.begin, time.end);
  budget.available = cores.core_seconds;
  budget.estimated = cores.estimated;
  if (!is_absent(cores.core_seconds))
    add(budget, Part::available, cores.core_seconds, cores.source);

  const bool any_tasks = !task_times(run).empty();
  const Processor processor = find_processor(run, options);
  if (any_tasks) {
    budget.processor_guessed = processor.guessed;
    budget.processor_basis = std::string(run.text(processor.prefix)) + ": " + processor.basis;
  }
  if (!workers.all) {
    add_of_workers(run, workers, processor.prefix, time, budget);
    return budget;
  }

  const ChunkSelection chosen(run, selection);
  const bool narrowed = selection.time || of_chunks;
  // Of the whole run, what an incomplete list leaves out would be taken for time outside.
  const double inside = !narrowed && chunk_list_is_cut(run) ? absent : inside_process(run, chosen);
  if (selection.time && !of_chunks && any_tasks) {
    add_of_time(run, processor.prefix, options, inside, time, budget);
  } else if (!narrowed && any_tasks) {
    add_tasks(run, budget, inside, processor.prefix);
  } else if (!is_absent(inside)) {
    add(budget, Part::inside_process, inside,
        narrowed ? "Σ (t_end − t_start) over the selected chunks, cut to the selected time"
                 : "Σ (t_end − t_start) over chunks");
    if (!is_absent(budget.available))
      add(budget, Part::not_in_process, budget.available - inside,
          narrowed ? "available − inside process()"
                   : "available − inside process(); without fine metrics not split",
          of_chunks ? "Not in these chunks' process()" : label_of(Part::not_in_process));
  }
  if (of_chunks)
    budget.selection_note =
        "tasks and fine metrics do not say of which chunks they are: only time in process() is "
        "narrowed";
  if (const std::string note = chunk_selection_note(run, selection); !note.empty())
    budget.selection_note += (budget.selection_note.empty() ? "" : "; ") + note;
  if (!is_absent(inside)) add_sections(run, budget, chosen, inside);
  return budget;
}

}  // namespace crema::runtime
