// A finding to copy: this file becomes core/diagnose/findings_retried.cpp, and the line goes to the
// list in core/diagnose/causes.hpp, where its place decides between findings of equal rank:
//
//   CAUSE(retried, "retried", "Timelines", task_stream, retried, lost_work, measured, passes,
//         "tasks that ran more than once",
//         "{share} of the core-time was spent on {retried} tasks that ran more than once",
//         "{cost} in attempts whose result was not used, {slowest} of them in one attempt.")
//
// Where sentences need more than names of measurements, the evidence is a struct of its own in
// core/diagnose/diagnose.hpp, and core/report/findings_text.cpp words it.
#include <algorithm>
#include <map>

#include "core/diagnose/rules.hpp"

namespace crema::diagnose::rules {

// A hundredth of the core-time: what one lost connection costs a run of an hour is less.
constexpr double worth_retrying = 0.01;

std::vector<Finding> retried(const RunFacts& f) {
  const Tasks& tasks = f.run.tasks;
  std::map<StringId, double> latest;  // [s] of each key's last attempt so far
  double seconds = 0, slowest = 0, attempts = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto [before, is_first] = latest.try_emplace(tasks.key[i], tasks.t1[i] - tasks.t0[i]);
    if (is_first) continue;
    seconds += before->second;
    slowest = std::max(slowest, before->second);
    attempts += 1;
    before->second = tasks.t1[i] - tasks.t0[i];
  }
  if (!(f.share(seconds) >= worth_retrying)) return {};
  return {{.evidence = Measurements{{"retried", attempts}, {"slowest", slowest, Unit::seconds}},
           .core_seconds = seconds,
           .gain_core_seconds = f.saved_by(seconds)}};
}

}  // namespace crema::diagnose::rules
