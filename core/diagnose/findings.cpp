#include <algorithm>

#include "core/base/order.hpp"
#include "core/diagnose/finding.hpp"
#include "core/predict/tail.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::diagnose {

using namespace runtime;
using namespace predict;

Facts::Facts(const Run& of, const Options& options)
    : run(of),
      budget(compute_budget(of, {}, options)),
      phases(find_phases(of)),
      tail(find_tail(of, ChunkSelection(of, {}), options)) {
  filled = std::any_of(phases.begin(), phases.end(), [](const Phase& p) { return p.full; });
  const Run::Window window = of.window();
  const CoreTime time = core_time(of, WorkerSelection(of, {}), window.begin, window.end);
  available = time.core_seconds;
  cores = time.cores;
  elapsed = window.end - window.begin;
  processor = find_processor(of, options).prefix;
  processor_seconds = processor == no_string ? absent : execute_seconds(of, processor);
  inside = budget.of(BudgetPart::Kind::inside_process);
  if (processor != no_string) lost = find_lost_work(of, processor, processor_seconds);
  whole_list = !chunk_list_is_cut(of);
  const Script& made = script_of(of, options);
  if (!whole_list || made.order.empty() || made.slots.empty() || !(cores > 0)) return;
  script = &made;
  replayed = on_recorded_cluster(made, tasks_of(made, made.inside, made.outside));
}

Finding Finding::at_most(double possible) && {
  if (is_absent(core_seconds)) core_seconds = gain_core_seconds;
  gain_core_seconds = is_absent(gain_core_seconds) || is_absent(possible)
                          ? absent
                          : std::min(gain_core_seconds, possible);
  return std::move(*this);
}

double Facts::won(double before, double after) const {
  const double sooner = before - after;
  return is_absent(sooner) ? absent : std::min(std::max(0.0, sooner) * cores, available);
}

double Facts::won_by_saving(const std::vector<double>& saved) const {
  if (script == nullptr) return absent;
  std::vector<double> tasks = tasks_of(*script, script->inside, script->outside);
  for (std::size_t k = 0; k < tasks.size(); ++k)
    tasks[k] = std::max(0.0, tasks[k] - value_or(saved[script->order[k]], 0));
  return won(replayed, on_recorded_cluster(*script, std::move(tasks)));
}

double Facts::won_by_saving(double core_seconds) const {
  const double executions = value_or(lost.executions, static_cast<double>(run.chunks.size()));
  return won_by_saving(std::vector<double>(run.chunks.size(), core_seconds / executions));
}

double Facts::won_by_starting_at_once() const {
  if (script == nullptr) return absent;
  Script sooner = *script;
  for (Slot& slot : sooner.slots) slot.from = 0;
  return won(replayed,
             on_recorded_cluster(sooner, tasks_of(*script, script->inside, script->outside)));
}

double Facts::won_by_losing_nothing() const {
  if (script == nullptr) return absent;
  Script once = *script;
  once.repeated = 0;
  return won(replayed,
             on_recorded_cluster(once, tasks_of(*script, script->inside, script->outside)));
}

std::vector<Rule> all_rules() {
  std::vector<Rule> all;
  for (const auto* rules : {&failure_rules(), &core_time_rules(), &waiting_rules(), &place_rules(),
                            &worker_rules(), &chunk_rules(), &data_rules(), &function_rules()})
    all.insert(all.end(), rules->begin(), rules->end());
  return all;
}

namespace {

std::vector<Finding> compute_findings(const Run& run, const Options& options) {
  const Facts facts(run, options);
  std::vector<Finding> found;
  for (const Rule rule : all_rules()) {
    for (Finding& finding : rule(facts)) {
      if (is_absent(finding.core_seconds)) finding.core_seconds = finding.gain_core_seconds;
      if (is_absent(finding.stake)) finding.stake = finding.gain_core_seconds;
      found.push_back(std::move(finding));
    }
  }
  // What can be won first; a share that nobody can win, however large, is a symptom.
  sort_stably(found, [](const Finding& a, const Finding& b) {
    if (a.is_failure != b.is_failure) return a.is_failure;
    if (value_or(a.stake, -1) != value_or(b.stake, -1))
      return value_or(a.stake, -1) > value_or(b.stake, -1);
    const double x = value_or(a.core_seconds, -1);
    const double y = value_or(b.core_seconds, -1);
    return x != y ? x > y : a.severity > b.severity;
  });
  return found;
}

struct KeptFindings {
  Each<std::string, std::vector<Finding>> by_processor;
};

}  // namespace

const std::vector<Finding>& find_findings(const Run& run, const Options& options) {
  return run.facts.of<KeptFindings>().by_processor.of(
      options.text(processor_option), [&] { return compute_findings(run, options); });
}

}  // namespace crema::diagnose
