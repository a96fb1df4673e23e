#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "core/base/collect.hpp"
#include "core/base/order.hpp"
#include "core/diagnose/rules.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::diagnose {

namespace {

double seconds_ahead(const Run& run, const Budget& budget) {
  using recorded_columns::Task;
  const auto& rows = run.recording.tasks;
  double failed = 0;
  for (const std::size_t row : rows_of_files(run)) {
    if (rows.text(Task::error, row) != no_string) failed += value_or(rows.at(Task::wall, row), 0);
  }
  const double all = budget.of(BudgetPart::Kind::task, "automatic_retries");
  return all < failed ? 0 : all - failed;
}

}  // namespace

Evidence::Evidence() : any_(std::make_shared<const Any>()) {}

RunFacts::RunFacts(const Run& of, const Options& options)
    : run(of),
      budget(compute_budget(of, {}, options)),
      phases(find_phases(of)),
      tail(find_tail(of, ChunkSelection(of, {}), options)),
      held_up(of),
      slow_opening(find_slow_opening(of)),
      read_ahead(of),
      read_more(of) {
  filled = std::any_of(phases.begin(), phases.end(), [](const Phase& p) { return p.full; });
  const Run::Window window = of.window();
  const CoreTime time = core_time(of, WorkerSelection(of, {}), window.begin, window.end);
  available = time.core_seconds;
  cores = time.cores;
  elapsed = window.end - window.begin;
  processor = find_processor(of, options).prefix;
  processor_seconds = processor == no_string ? absent : execute_seconds(of, processor);
  idle = find_idle(of, WorkerSelection(of, {}), processor, window.begin, window.end);
  inside = budget.of(BudgetPart::Kind::inside_process);
  if (processor != no_string) lost = find_lost_work(of, processor, processor_seconds);
  whole_list = !chunk_list_is_cut(of);
  preprocessing = seconds_ahead(of, budget);
  small_files = SmallFiles(*this);
  read_again = ReadAgain(*this);
  const ReplayTrace& made = replay_trace_of(of, options);
  if (!whole_list || made.order.empty() || made.slots.empty() || !(cores > 0)) return;
  trace = &made;
  replayed = on_recorded_cluster(made, tasks_of(made, made.inside, made.outside));
}

bool RunFacts::has_long_stops() const {
  return stops_of(run).seconds >= notable * processor_seconds;
}

double RunFacts::executions() const {
  return is_absent(lost.executions) ? recorded_num_chunks(run) : lost.executions;
}

double RunFacts::sum_of(recorded_columns::Task part) const {
  return sum_of_rows(run, rows_of_chunks(run), part);
}

double RunFacts::usual_of(recorded_columns::Task part) const {
  std::vector<std::size_t> usual = rows_of_chunks(run);
  std::erase_if(usual, [&](std::size_t row) { return held_up.is_first[row]; });
  return sum_of_rows(run, usual, part) / static_cast<double>(usual.size());
}

double RunFacts::phase(std::string_view name, double Phase::*edge, double fallback) const {
  const auto found =
      std::find_if(phases.begin(), phases.end(), [&](const Phase& p) { return p.name == name; });
  return found == phases.end() ? fallback : (*found).*edge;
}

double RunFacts::saved_between(double before, double after) const {
  const double sooner = before - after;
  return is_absent(sooner) ? absent : std::min(std::max(0.0, sooner) * cores, available);
}

double RunFacts::saved_by(const std::vector<double>& saved) const {
  if (trace == nullptr) return absent;
  std::vector<double> tasks = tasks_of(*trace, trace->inside, trace->outside);
  for (std::size_t k = 0; k < tasks.size(); ++k)
    tasks[k] = std::max(0.0, tasks[k] - value_or(saved[trace->order[k]], 0));
  return saved_between(replayed, on_recorded_cluster(*trace, std::move(tasks)));
}

double RunFacts::saved_by(double core_seconds) const {
  const double executions = value_or(lost.executions, static_cast<double>(run.chunks.size()));
  return saved_by(std::vector<double>(run.chunks.size(), core_seconds / executions));
}

/// By a replay of the trace as `change` leaves it.
template <class Change>
static double saved_with(const RunFacts& f, const Change& change) {
  if (f.trace == nullptr) return absent;
  ReplayTrace other = *f.trace;
  change(other);
  return f.saved_between(f.replayed, on_recorded_cluster(other, tasks_of(*f.trace, f.trace->inside,
                                                                         f.trace->outside)));
}

double RunFacts::saved_by_starting_at_once(double until) const {
  return saved_with(*this, [until](ReplayTrace& of) {
    for (Slot& slot : of.slots) {
      if (slot.from <= until) slot.from = 0;
    }
  });
}

double RunFacts::saved_without_repeats() const {
  return saved_with(*this, [](ReplayTrace& of) { of.repeated = 0; });
}

namespace {

constexpr double medium_share = 0.10;
constexpr double high_share = 0.25;

constexpr ListedRule all_rules[] = {
#define CREMA_LISTED(cause, id, view, needs, rule, ...) {Cause::cause, rules::rule},
    CREMA_CAUSES(CREMA_LISTED)
#undef CREMA_LISTED
};

// What saves less than a hundredth of the core-time gains nothing that anybody notices.
constexpr double worth_telling = 0.01;

/// Whether it costs time that can be saved, beside what findings before it explain.
bool gains_nothing(const RunFacts& facts, const Finding& finding, double idle) {
  if (finding.is_failure || is_absent(finding.core_seconds)) return false;
  const CostIn cost = fields_of(finding.cause).cost;
  if (cost == CostIn::nothing) return false;
  const bool is_idle = cost == CostIn::idle;
  return facts.share(finding.gain_core_seconds) < worth_telling ||
         (is_idle && facts.share(idle) < worth_telling);
}

void order(std::vector<Finding>& found) {
  sort_stably(found, [](const Finding& a, const Finding& b) {
    if (a.is_failure != b.is_failure) return a.is_failure;
    if (value_or(a.rank, -1) != value_or(b.rank, -1))
      return value_or(a.rank, -1) > value_or(b.rank, -1);
    const double x = value_or(a.core_seconds, -1);
    const double y = value_or(b.core_seconds, -1);
    return x != y ? x > y : a.severity > b.severity;
  });
}

using Times = std::vector<Selection::TimeRange>;

/// A part that ran by itself while other programs had the CPUs was slow by them.
bool ran_beside(const Times& loaded, const Finding& finding) {
  const auto* slow = finding.evidence.as<SlowGroup>();
  if (slow == nullptr || is_absent(slow->alone_from)) return false;
  return 2 * overlap_of(loaded, slow->alone_from, slow->alone_to) >=
         slow->alone_to - slow->alone_from;
}

/// Not for a CPU, nor for the interpreter's lock, which all code of a task lacks alike.
bool waits_in_calls(const Finding& one) {
  if (part_of(one) != CostIn::waiting) return false;
  const auto* tasks = one.evidence.as<WaitingTasks>();
  if (tasks != nullptr) return tasks->what != WaitingTasks::For::cpu;
  constexpr std::array lacks = {Cause::foreign_load,     Cause::oversubscribed,  Cause::cpu_limit,
                                Cause::interpreter_lock, Cause::library_threads, Cause::busy_loop};
  return std::find(lacks.begin(), lacks.end(), one.cause) == lacks.end();
}

/// The analysis's own code, most of which waits.
bool is_waiting(const Finding& own) {
  const auto* part = own.evidence.as<LargestPart>();
  return part != nullptr && part->most.waits;
}

/// What rules find, the largest saving first, each with what is left for it to explain.
std::vector<Finding> compute_findings(const Run& run, const Options& options) {
  RunFacts facts(run, options);
  std::vector<Finding> found = apply(all_rules, facts), kept;
  Times loaded;
  for (const Finding& one : found) {
    if (one.cause == Cause::foreign_load && one.selection.time)
      loaded.push_back(*one.selection.time);
  }
  order(found);
  facts.account =
      excess_parts(run, {}, facts.budget, facts.idle, facts.processor, facts.held_up.importing());
  for (Finding& finding : found) {
    std::vector<ExcessPart> left = facts.account;
    if (ran_beside(loaded, finding) || gains_nothing(facts, finding, explain(left, finding)))
      continue;
    facts.account = std::move(left);
    kept.push_back(std::move(finding));
  }
  const ListedRule last[] = {{Cause::idle_unknown, rules::idle_unknown}};
  for (Finding& finding : apply(last, facts)) kept.push_back(std::move(finding));
  // Of the analysis's own code a tenth is worth a sentence where no cause is known, and none where
  // tasks waited for as long in what it calls: its time would be theirs. Beside causes it is told
  // where it takes a fifth, or more than each of them.
  double waited = 0, most = 0;
  for (const Finding& one : kept) {
    waited += waits_in_calls(one) ? value_or(one.core_seconds, 0) : 0;
    if (one.rank > rank_of_code) most = std::fmax(most, one.core_seconds);
  }
  std::erase_if(kept, [&](const Finding& one) {
    return one.cause == Cause::own_function &&
           ((facts.share(one.core_seconds) < beyond_usual && one.core_seconds < most) ||
            (waited > 0 && (waited >= one.core_seconds || is_waiting(one))));
  });
  // What threads beside the tasks took is told once.
  if (any_of(kept, [](const Finding& one) { return one.cause == Cause::library_threads; }))
    std::erase_if(kept, [](const Finding& one) { return one.cause == Cause::thread_beside; });
  // A setting of which the event loops' finding has the time is none of which that is unknown.
  const auto value_of = [](const Finding& one, std::string_view name) -> std::string {
    const auto* all = one.evidence.as<Measurements>();
    for (std::size_t i = 0; all != nullptr && i < all->size(); ++i) {
      const auto* text = std::get_if<std::string>(&(*all)[i].value);
      if ((*all)[i].name == name && text != nullptr) return *text;
    }
    return {};
  };
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i].cause != Cause::busy_loop) continue;
    const std::string interval = value_of(kept[i], "profile");
    std::erase_if(kept, [&](const Finding& one) {
      return one.cause == Cause::slow_setting && !interval.empty() &&
             value_of(one, "setting") == interval;
    });
    break;
  }
  // How a dataset's files were written explains that the dataset is slow, and comes before that.
  for (Finding& one : kept) {
    if (one.cause != Cause::small_baskets && one.cause != Cause::slow_codec) continue;
    for (const Finding& slow : kept) {
      if (slow.cause == Cause::slow_dataset && !one.selection.datasets.empty() &&
          slow.selection.datasets == one.selection.datasets &&
          2 * one.core_seconds >= slow.core_seconds)
        one.rank = std::max(one.rank, std::nextafter(slow.rank, HUGE_VAL));
    }
  }
  order(kept);
  return kept;
}

struct KeptFindings {
  Each<std::string, std::vector<Finding>> by_processor;
};

}  // namespace

std::vector<Finding> apply(std::span<const ListedRule> list, const RunFacts& facts) {
  std::vector<Finding> found;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto is_same = [&](const ListedRule& other) { return other.rule == list[i].rule; };
    const auto before = list.first(i);
    if (std::any_of(before.begin(), before.end(), is_same)) continue;
    const bool is_only_cause = std::count_if(list.begin(), list.end(), is_same) == 1;
    for (Finding& finding : list[i].rule(facts)) {
      if (is_only_cause) finding.cause = list[i].cause;
      finding.share = facts.share(finding.core_seconds);
      const CauseFields& fields = fields_of(finding.cause);
      finding.grounds = std::max(finding.grounds, fields.grounds);
      if (!finding.severity) finding.severity = severity_of(finding.share);
      if (fields.cost != CostIn::idle && fields.cost != CostIn::nothing)
        finding.idle_core_seconds =
            std::max(finding.idle_core_seconds,
                     value_or(finding.gain_core_seconds - finding.core_seconds, 0));
      // Nothing is claimed to be saved of a cost that is not known.
      if (is_absent(finding.core_seconds)) finding.gain_core_seconds = absent;
      finding.gain_elapsed = ratio(finding.gain_core_seconds, facts.cores);
      if (finding.gain_core_seconds > finding.core_seconds)
        finding.gain_core_seconds = finding.core_seconds;
      if (is_absent(finding.rank))
        finding.rank = finding.gain_core_seconds + finding.idle_core_seconds;
      found.push_back(std::move(finding));
    }
  }
  return found;
}

Severity severity_of(double share) {
  return share >= high_share ? Severity::high : at_most_medium(share);
}

Severity at_most_medium(double share) {
  return share >= medium_share ? Severity::medium : Severity::low;
}

bool is_recorded(const Run& run, Recording recording) {
  switch (recording) {
    case Recording::chunks: return run.chunks.size() > 0;
    case Recording::sections: return !run.chunks.sections.empty();
    case Recording::tracking: return !run.ticks.empty();
    case Recording::task_stream: return run.tasks.size() > 0;
    case Recording::profile: return !run.call_trees.empty();
    case Recording::activities: return run.activities_recorded;
    case Recording::files: return run.files.size() > 0;
    case Recording::rows: return run.recording.machine.size() > 0;
    case Recording::warnings: return run.warnings_recorded;
    case Recording::notes: break;
  }
  return true;
}

const std::vector<Finding>& find_findings(const Run& run, const Options& options) {
  return run.facts.of<KeptFindings>().by_processor.of(
      options.text(processor_option), [&] { return compute_findings(run, options); });
}

}  // namespace crema::diagnose
