// Rules about what went wrong: tasks that raised.
#include <algorithm>
#include <map>
#include <set>

#include "core/base/number_format.hpp"
#include "core/diagnose/finding.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::diagnose {

using namespace runtime;

namespace {

template <typename Key>
std::pair<Key, double> most_of(const std::map<Key, double>& counts) {
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return *most;
}

struct Failures {
  double executions = 0;  ///< of tasks, whether they failed or not
  double failed = 0;
  double seconds = 0;  ///< [core-s] that the failed ones took
  double missing = 0;  ///< tasks that failed and never ended well
  std::map<std::string, double> classes;
  std::map<StringId, double> workers;  ///< failed executions
  std::set<StringId> all_workers;      ///< that ran any task
};

Failures count_failures(const Tasks& t, const Run& run) {
  Failures sum;
  std::set<StringId> failed, done;
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (run.text(t.action[i]) != "compute") continue;
    sum.executions += 1;
    sum.all_workers.insert(t.worker[i]);
    if (run.text(t.status[i]) != "error") {
      done.insert(t.key[i]);
      continue;
    }
    failed.insert(t.key[i]);
    sum.failed += 1;
    sum.seconds += t.t1[i] - t.t0[i];
    sum.workers[t.worker[i]] += 1;
    if (t.exception[i] != no_string)
      sum.classes[std::string(exception_class(run.text(t.exception[i])))] += 1;
  }
  for (const StringId key : failed) sum.missing += done.count(key) == 0 ? 1 : 0;
  return sum;
}

std::vector<Finding> failed_tasks(const Facts& f) {
  const Failures sum = count_failures(f.run.tasks, f.run);
  if (sum.failed == 0) return {};
  const auto [worker, on_worker] = most_of(sum.workers);
  const bool is_one_worker =
      on_worker == sum.failed && sum.failed > 1 && sum.all_workers.size() > 1;
  std::string title =
      format_number(sum.failed) + " of " + format_count(sum.executions, "task") + " failed";
  Selection selection;
  if (is_one_worker) {
    title += " on worker " + std::string(f.run.text(worker));
    selection.workers = {std::string(f.run.text(worker))};
  }
  std::string evidence =
      sum.missing > 0
          ? format_count(sum.missing, "task") + " never succeeded: their results are missing"
          : std::string("All of them succeeded when they were run again");
  evidence += "; " + format_core_seconds(sum.seconds) + " were wasted.";
  if (!sum.classes.empty()) {
    const auto [name, count] = most_of(sum.classes);
    title += ": " + name;
    if (sum.classes.size() > 1)
      evidence += " " + name + " " + format_count(count, "time") + ", other exceptions " +
                  format_count(sum.failed - count, "time") + ".";
  }
  Finding finding{"failed-tasks", sum.missing > 0 ? Severity::high : Severity::medium,
                  title,          evidence,
                  sum.seconds,    "Timelines",
                  selection};
  finding.is_failure = sum.missing > 0;
  return {std::move(finding).as_share()};
}

}  // namespace

const std::vector<Rule>& failure_rules() {
  static const std::vector<Rule> rules = {failed_tasks};
  return rules;
}

}  // namespace crema::diagnose
