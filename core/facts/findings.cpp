#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/facts/budget.hpp"
#include "core/facts/chunk_selection.hpp"
#include "core/facts/cores.hpp"
#include "core/facts/finding.hpp"
#include "core/facts/lost_work.hpp"
#include "core/facts/processor.hpp"
#include "core/facts/tail.hpp"

namespace crema::facts {

Facts::Facts(const Run& of, const Options& options)
    : run(of),
      budget(compute_budget(of, {}, options)),
      phases(find_phases(of)),
      tail(find_tail(of, ChunkSelection(of, {}))) {
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
}

namespace {

std::vector<Finding> made_findings(const Run& run, const Options& options) {
  const Facts facts(run, options);
  std::vector<Finding> found;
  for (const auto* rules : {&core_time_rules(), &worker_rules(), &chunk_rules(), &data_rules()}) {
    for (const Rule rule : *rules) {
      for (Finding& finding : rule(facts)) found.push_back(std::move(finding));
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Finding& a, const Finding& b) {
    const double x = value_or(a.gain_core_seconds, -1);
    const double y = value_or(b.gain_core_seconds, -1);
    return x != y ? x > y : a.severity > b.severity;
  });
  return found;
}

}  // namespace

const std::vector<Finding>& find_findings(const Run& run, const Options& options) {
  return run.memo.index<std::vector<Finding>>("findings|" + options.text(processor_option),
                                              [&] { return made_findings(run, options); });
}

}  // namespace crema::facts
