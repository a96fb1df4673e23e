#include "core/runtime/core_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/model/run.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/facts.hpp"

namespace crema::runtime {

namespace {

Executions count_executions(const Run& run, StringId processor) {
  Executions found;
  const Tasks& tasks = run.tasks;
  std::vector<std::uint32_t> last(run.names->strings.size(), no_row);  // of each key
  std::uint32_t last_without_key = no_row;
  for_each_execution(run, [&](std::size_t i) {
    if (tasks.prefix[i] != processor) return;
    found.count += 1;
    std::uint32_t& known = tasks.key[i] == no_string ? last_without_key : last[tasks.key[i]];
    // Records need not be in order.
    auto superseded = static_cast<std::uint32_t>(i);
    if (known == no_row || tasks.t0[known] < tasks.t0[i]) std::swap(known, superseded);
    if (superseded != no_row) found.superseded.push_back(superseded);
  });
  return found;
}

const Executions& executions_of(const Run& run, StringId processor) {
  return kept_of(run).executions.of(processor, [&] { return count_executions(run, processor); });
}

LostWork from_task_stream(const Run& run, StringId processor) {
  LostWork lost{
      0, 0,
      0, true,
      0, "exact, from the task stream: compute seconds of each execution of a key before its last"};
  const Executions& executions = executions_of(run, processor);
  lost.executions = executions.count;
  lost.repeated = static_cast<double>(executions.superseded.size());
  for (const std::size_t record : executions.superseded)
    lost.core_seconds += run.tasks.t1[record] - run.tasks.t0[record];
  return lost;
}

}  // namespace

const std::vector<std::size_t>& superseded_executions(const Run& run, StringId processor) {
  return executions_of(run, processor).superseded;
}

double executions_in_stream(const Run& run, StringId processor) {
  return executions_of(run, processor).count;
}

LostWork find_lost_work(const Run& run, StringId processor, double processor_seconds) {
  const double counted = activity_sum(run, processor, "memory-read", "count");
  LostWork streamed = from_task_stream(run, processor);
  const double failed = value_or(activity_sum(run, processor, "failed", "seconds"), 0);
  const StringId error = run.names->strings.find("error");
  streamed.failed = failed;
  for (const std::size_t i : superseded_executions(run, processor)) {
    if (run.tasks.status[i] == error) streamed.failed -= run.tasks.t1[i] - run.tasks.t0[i];
  }
  streamed.failed = std::max(0.0, streamed.failed);
  if (streamed.executions > 0 && !(streamed.executions < counted)) return streamed;
  LostWork lost{.failed = failed};
  lost.executions = counted;
  const double submitted = report_num_chunks(run);
  if (is_absent(lost.executions) || is_absent(submitted) || !(lost.executions > 0)) {
    if (streamed.executions > 0) {
      // Counted, but nothing to compare with: what the cut stream shows is the least.
      streamed.exact = false;
      streamed.source = "at least: the task stream is cut off";
      return streamed;
    }
    lost.source = "not known: the bundle does not count the executions of the processor";
    return lost;
  }
  lost.repeated = std::max(0.0, lost.executions - submitted);
  if (lost.repeated > 0) lost.failed = 0;
  lost.core_seconds = lost.repeated * processor_seconds / lost.executions;
  lost.source =
      "estimated: (executions by the memory-read count − chunks submitted) x mean task time";
  if (streamed.executions > 0) lost.source += "; the task stream is cut off and shows too few";
  return lost;
}

std::string_view exception_class(std::string_view text) {
  return text.substr(0, text.find_first_of("(: "));
}

namespace {

/// Of workers with enough chunks.
std::vector<double> telling(const std::vector<WorkerWork>& work) {
  std::vector<double> known;
  for (const WorkerWork& worker : work) {
    if (worker.chunks >= least_chunks_of_worker && !is_absent(worker.times_others))
      known.push_back(worker.times_others);
  }
  return known;
}

std::vector<WorkerWork> compute_work(const Run& run, StringId processor) {
  const Tasks& tasks = run.tasks;
  std::vector<WorkerWork> work;
  const auto of = [&](StringId address) -> WorkerWork* {
    const std::size_t worker = run.workers.find(address);
    return worker == work.size() ? nullptr : &work[worker];
  };
  for_each_execution(run, [&](std::size_t i) {
    if (tasks.prefix[i] != processor) return;
    work.resize(run.workers.size(), {.executions = 0, .lost = 0});
    if (WorkerWork* const worker = of(tasks.worker[i])) worker->executions += 1;
  });
  if (work.empty()) return work;
  for (const std::size_t i : superseded_executions(run, processor)) {
    if (WorkerWork* const worker = of(tasks.worker[i])) worker->lost += 1;
  }
  const std::vector<StringId>& workers = run.chunks.worker;
  std::vector<std::vector<std::uint32_t>> chunks(work.size());
  for (std::size_t i = 0; i < workers.size(); ++i) {
    if (workers[i] == no_string) continue;
    const std::size_t worker = run.workers.find(workers[i]);
    if (worker != work.size()) chunks[worker].push_back(static_cast<std::uint32_t>(i));
  }
  const Paces paces(run, run.chunks.duration, run.chunks.events);
  for (std::size_t w = 0; w < work.size(); ++w) {
    work[w].chunks = static_cast<double>(chunks[w].size());
    work[w].times_others = paces.times_others(chunks[w]);
  }
  return work;
}

}  // namespace

const std::vector<WorkerWork>& worker_work(const Run& run, StringId processor) {
  return kept_of(run).worker_work.of(processor, [&] { return compute_work(run, processor); });
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
