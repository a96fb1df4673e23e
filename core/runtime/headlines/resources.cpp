#include "core/runtime/headlines/headline_collector.hpp"

#include <algorithm>

#include "core/runtime/cluster.hpp"

namespace crema::runtime {

// What there was to do it with: workers, cores, memory, and how much of the cores was used.

double HeadlineCollector::trapezoid(const double* times, const std::vector<double>& values) const {
  double area = 0;
  double first = absent, last = absent, last_value = absent;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_absent(values[i]) || times[i] < begin_ ||
        (!is_absent(end_) && selection_.time && times[i] > end_))
      continue;
    if (is_absent(first)) first = times[i];
    else area += (values[i] + last_value) / 2 * (times[i] - last);
    last = times[i];
    last_value = values[i];
  }
  if (is_absent(first)) return absent;
  return last > first ? area / (last - first) : last_value;
}

void HeadlineCollector::add_resources() {
  begin_group("Resources", Source::workers);
  varies(Noise::unknown);  // ticks of one run do not tell
  const Steps count = worker_steps(run_, workers_);
  std::vector<double> ticked;
  for (std::size_t i = 0; i < count.times.size(); ++i) {
    if (!selection_.time || (count.times[i] >= begin_ && count.times[i] <= end_))
      ticked.push_back(count.values[i]);
  }
  const Moments counts = moments(ticked);
  add("avg_workers", "Workers, time average", "count", trapezoid(count.times.data(), count.values),
      "trapezoid over ticks / tracked time", why_ticks());
  add("workers_time_average", "Workers, step average", "count", count.mean(begin_, end_),
      "each tick held until the next", why_ticks());
  add("workers_mean", "Workers, mean of ticks", "count", counts.mean, "mean over ticks",
      why_ticks());
  add("peak_workers", "Peak workers", "count", counts.max, "largest tick", why_ticks());

  const TickRange ticks =
      selection_.time ? ticks_within(run_, begin_, end_) : TickRange{0, run_.ticks.size()};
  std::vector<double> last_threads, memory_means;
  double memory_peak = absent;
  Moments utilization;
  for (std::size_t i = 0; i < run_.workers.size(); ++i) {
    if (!workers_[i]) continue;
    const TickSeries& cores = run_.workers.of(Series::cores, i);
    double threads = absent;  // the last that was seen
    for (std::size_t tick = std::min(ticks.end, cores.end_tick());
         tick-- > ticks.begin && is_absent(threads);)
      threads = cores.at(tick);
    if (!is_absent(threads)) last_threads.push_back(threads);
    const TickSeries& memory = run_.workers.of(Series::memory, i);
    const TickSeries& limits = run_.workers.of(Series::memory_limit, i);
    const double mean = trapezoid(run_.ticks.data() + memory.first_tick, memory.values);
    if (!is_absent(mean)) memory_means.push_back(mean);
    const std::size_t end = std::min(ticks.end, memory.end_tick());
    for (std::size_t tick = std::max<std::size_t>(ticks.begin, memory.first_tick); tick < end;
         ++tick) {
      const double bytes = memory.values[tick - memory.first_tick];
      if (is_absent(bytes)) continue;
      if (!(memory_peak >= bytes)) memory_peak = bytes;
      const double limit = limits.at(tick);
      if (!(limit > 0)) continue;
      const double share = bytes / limit;
      utilization.count += 1;
      utilization.sum += share;
      if (!(utilization.min <= share)) utilization.min = share;
      if (!(utilization.max >= share)) utilization.max = share;
    }
  }
  utilization.mean = ratio(utilization.sum, static_cast<double>(utilization.count));
  add("cores_per_worker", "Cores per worker", "count", moments(last_threads).mean,
      "mean over workers of their last nthreads", why_ticks());
  add("total_cores", "Cores, time average", "count", cores_.cores,
      "available core-seconds / tracked time", why_ticks(),
      cores_remark("roastcoffea sums the cores of all workers ever seen: too high when workers "
                   "come and go"));
  add("cores_time_average", "Cores, step average", "count", cores_.cores,
      "Σ nthreads of the workers present, each tick held until the next", why_ticks());
  from(Source::both);
  add(Better::higher, "core_efficiency", "Core efficiency", "1", ratio(process_, comparable_),
      "process time / available core-seconds", why_cores(),
      cores_remark("roastcoffea divides by the cores of all workers ever seen: too low when "
                   "workers come and go"));
  from(Source::chunks);
  add(Better::higher, "speedup_factor", "Speedup", "1", ratio(process_, elapsed_),
      "process time / elapsed");
  from(Source::workers);
  add(Better::lower, "peak_memory_bytes", "Peak memory, one worker", "byte", memory_peak,
      "largest tick of any worker", why_ticks());
  add("memory_enough_bytes", "Sufficient memory, one worker", "byte", memory_enough(memory_peak),
      "twice the peak, rounded up to 128 MiB, because chunks of another run differ", why_ticks());
  add(Better::lower, "avg_memory_per_worker_bytes", "Mean memory, one worker", "byte",
      moments(memory_means).mean, "mean over workers of the trapezoid over their ticks",
      why_ticks());
  add("memory_utilization_mean", "Memory use, mean", "1", utilization.mean,
      "memory / limit, mean over workers and ticks", "not recorded, or no memory limit");
  add("memory_utilization_min", "Memory use, least", "1", utilization.min,
      "memory / limit, smallest", "not recorded, or no memory limit");
  add("memory_utilization_peak", "Memory use, peak", "1", utilization.max,
      "memory / limit, largest", "not recorded, or no memory limit");
}

void HeadlineCollector::add_core_time() {
  begin_group("Core time", Source::workers);
  const double available = budget_.available;
  const char* unknown = "not recorded: the number of cores is not known";
  add(Better::lower, "core_seconds_available", "Core-time available", "s", available,
      "∫ Σ nthreads dt", unknown, cores_.source);
  from(Source::both);
  varies(Noise::unknown);
  add(Better::higher, "busy_fraction", "Cores executing tasks", "1",
      ratio(budget_.executing, available), "Σ execute seconds / available core-seconds",
      !workers_.all ? why_cores()
      : narrowed_   ? "fine metrics cannot be narrowed by a selection"
                    : "needs tracking and fine metrics");
  add(Better::higher, "cpu_fraction", "Cores on CPU", "1",
      narrowed_ ? absent : ratio(activity_sum(run_, "thread-cpu", "seconds"), comparable_),
      "Σ thread-cpu / available core-seconds",
      !workers_.all ? why_cores()
      : narrowed_   ? "fine metrics cannot be narrowed by a selection"
                    : "needs tracking and fine metrics");
  add(Better::higher, "process_fraction", "Cores inside process()", "1",
      ratio(budget_.of(BudgetPart::Kind::inside_process), available),
      "inside process() / available core-seconds",
      !workers_.all ? why_cores() : "needs tracking and chunks");
}

}  // namespace crema::runtime
