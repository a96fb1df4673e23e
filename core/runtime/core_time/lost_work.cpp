#include "core/runtime/core_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>

#include "core/base/numbers.hpp"
#include "core/model/run.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/facts.hpp"

namespace crema::runtime {

namespace {

struct Executions {
  double count = 0;
  std::vector<std::size_t> in_vain;  // records: the one that began last of a key counts
};

Executions executions_of(const Run& run, StringId processor) {
  Executions found;
  const Tasks& tasks = run.tasks;
  const StringId compute = run.names->strings.find("compute");
  std::unordered_map<StringId, std::size_t> last;  // of each key
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks.prefix[i] != processor || tasks.action[i] != compute) continue;
    found.count += 1;
    const auto [entry, is_first] = last.try_emplace(tasks.key[i], i);
    if (is_first) continue;
    // Records need not be in order.
    std::size_t in_vain = i;
    if (tasks.t0[entry->second] < tasks.t0[i]) std::swap(entry->second, in_vain);
    found.in_vain.push_back(in_vain);
  }
  return found;
}

LostWork from_task_stream(const Run& run, StringId processor) {
  LostWork lost{
      0, 0, 0, true,
      "exact, from the task stream: compute seconds of each execution of a key before its last"};
  const Executions executions = executions_of(run, processor);
  lost.executions = executions.count;
  lost.repeated = static_cast<double>(executions.in_vain.size());
  for (const std::size_t record : executions.in_vain)
    lost.core_seconds += run.tasks.t1[record] - run.tasks.t0[record];
  return lost;
}

}  // namespace

std::vector<std::size_t> executions_in_vain(const Run& run, StringId processor) {
  return executions_of(run, processor).in_vain;
}

double executions_in_stream(const Run& run, StringId processor) {
  return from_task_stream(run, processor).executions;
}

LostWork find_lost_work(const Run& run, StringId processor, double processor_seconds) {
  const double counted = activity_sum(run, processor, "memory-read", "count");
  LostWork streamed = from_task_stream(run, processor);
  if (streamed.executions > 0 && !(streamed.executions < counted)) return streamed;
  LostWork lost;
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
  const std::vector<StringId>& workers = run.chunks.worker;
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

namespace {

/// First and last moment at which `running` is at least `full_share` of `cores`.
struct Full {
  double first = absent;
  double last = absent;
};

Full when_full(const Steps& running, const Steps& cores) {
  Full full;
  const std::vector<double> edges = edges_of(running, cores, running.times.front(), running.end);
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const double available = cores.at(edges[i]);
    if (!(available > 0) || running.at(edges[i]) < full_share * available) continue;
    if (is_absent(full.first)) full.first = edges[i];
    full.last = edges[i + 1];
  }
  return full;
}

std::vector<Phase> compute_phases(const Run& run) {
  const Run::Window window = run.window();
  if (is_absent(window.end)) return {};
  const WorkerSelection everyone(run, {});
  const Steps cores = core_steps(run, everyone);
  const CoreSupply supply = core_supply(run, everyone);
  const Steps& running = chunk_steps(run);

  double first_core = window.begin;
  if (!cores.empty()) {
    const auto found =
        std::find_if(cores.values.begin(), cores.values.end(), [](double v) { return v > 0; });
    first_core = found == cores.values.end()
                     ? window.end
                     : cores.times[static_cast<std::size_t>(found - cores.values.begin())];
  }
  std::vector<Phase> phases;
  double at = window.begin;
  bool at_full = false;
  const auto add = [&](const char* name, double until, std::string note) {
    until = std::clamp(until, at, std::max(at, window.end));
    if (until > at)
      phases.push_back(
          {name, at, until, supply.between(at, until).core_seconds, std::move(note), at_full});
    at = until;
  };
  add("waiting for workers", first_core, "until the first core was available");
  if (running.empty()) {
    add("steady", window.end, "no chunks were recorded: not divided further");
    return phases;
  }
  if (!run.chunks.placed) {
    add("steady", window.end, "the clocks of workers disagree: not divided further");
    return phases;
  }
  add("pre-processing", running.times.front(),
      "until the first chunk began; also building the graph and sending the processor");
  const Full full = cores.empty() ? Full{} : when_full(running, cores);
  if (is_absent(full.first)) {
    add("steady", running.end,
        cores.empty()
            ? "cores over time are not known (no tracking): ramp and drain cannot be told apart"
            : "chunks never ran on 90 % of the cores");
  } else {
    add("ramp", full.first, "until chunks ran on 90 % of the cores for the first time");
    at_full = true;
    add("steady", full.last, "until chunks ran on 90 % of the cores for the last time");
    add("drain", running.end, "until the last chunk ended");
  }
  add("after", window.end,
      run.ticks.empty() ? "what is left of the run's length: before the first chunk or after the "
                          "last, which nothing tells apart"
                        : "merging results, until the client was done");
  return phases;
}

}  // namespace

const std::vector<Phase>& find_phases(const Run& run) {
  return kept_of(run).phases.of([&] { return compute_phases(run); });
}

}  // namespace crema::runtime
