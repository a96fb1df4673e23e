#include "core/runtime/cluster/worker_work.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/base/numbers.hpp"
#include "core/model/worker_clocks.hpp"
#include "core/runtime/chunks/chunk_columns.hpp"
#include "core/runtime/core_time/lost_work.hpp"

namespace crema::runtime {

namespace {

/// Of workers with enough chunks.
std::vector<double> telling(const std::vector<WorkerWork>& work) {
  std::vector<double> known;
  for (const WorkerWork& worker : work) {
    if (worker.chunks >= least_chunks_of_worker && !is_absent(worker.times_median))
      known.push_back(worker.times_median);
  }
  return known;
}

std::vector<WorkerWork> compute_work(const Run& run, StringId processor) {
  const Tasks& tasks = run.tasks;
  const StringId compute = run.names->strings.find("compute");
  const auto is_execution = [&](std::size_t i) {
    return tasks.action[i] == compute && tasks.prefix[i] == processor;
  };
  std::vector<WorkerWork> work;
  const auto of = [&](StringId address) -> WorkerWork* {
    const std::size_t worker = run.workers.find(address);
    return worker == work.size() ? nullptr : &work[worker];
  };
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!is_execution(i)) continue;
    work.resize(run.workers.size(), {.executions = 0, .lost = 0});
    if (WorkerWork* const worker = of(tasks.worker[i])) worker->executions += 1;
  }
  if (work.empty()) return work;
  for (const std::size_t i : executions_in_vain(run, processor)) {
    if (WorkerWork* const worker = of(tasks.worker[i])) worker->lost += 1;
  }
  const std::vector<double>& expected = expected_durations(run);
  const std::vector<StringId> workers = workers_of_chunks(run);
  std::vector<double> took(work.size(), 0), usual(work.size(), 0);
  for (std::size_t i = 0; i < workers.size(); ++i) {
    if (workers[i] == no_string) continue;
    const std::size_t worker = run.workers.find(workers[i]);
    if (worker == work.size()) continue;
    work[worker].chunks += 1;
    if (is_absent(expected[i]) || is_absent(run.chunks.duration[i])) continue;
    took[worker] += run.chunks.duration[i];
    usual[worker] += expected[i];
  }
  for (std::size_t w = 0; w < work.size(); ++w) work[w].times_median = ratio(took[w], usual[w]);
  const double median = median_of(telling(work));
  for (WorkerWork& worker : work) worker.times_median /= median;
  return work;
}

}  // namespace

const std::vector<WorkerWork>& worker_work(const Run& run, StringId processor) {
  return run.memo.index<std::vector<WorkerWork>>("worker work " + std::to_string(processor),
                                                 [&] { return compute_work(run, processor); });
}

double slow_from(const std::vector<WorkerWork>& work) {
  constexpr std::size_t enough = 3;
  const std::vector<double> known = telling(work);
  if (known.size() < enough) return std::numeric_limits<double>::infinity();
  std::vector<double> rests;
  for (const double value : known) rests.push_back(std::fabs(value - 1));
  // 1.4826 x the median deviation is the standard deviation of a normal distribution.
  const double spread = 1.4826 * median_of(rests);
  return 1 + std::max(least_excess, unlike_spreads * spread);
}

}  // namespace crema::runtime
