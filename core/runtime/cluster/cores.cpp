#include "core/runtime/cluster.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/base/order.hpp"
#include "core/runtime/facts.hpp"

namespace crema::runtime {

double Steps::integral(double begin, double to) const {
  double sum = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double from = std::max(begin, times[i]);
    const double until = std::min(to, i + 1 < times.size() ? times[i + 1] : end);
    if (until > from && !is_absent(values[i])) sum += values[i] * (until - from);
  }
  return sum;
}

double Steps::mean(double begin, double to) const {
  if (times.empty()) return absent;
  const double from = std::max(begin, times.front());
  const double until = std::min(to, end);
  return until > from ? integral(from, until) / (until - from) : absent;
}

double Steps::at(double t) const {
  const auto next = std::upper_bound(times.begin(), times.end(), t);
  return next == times.begin()
             ? 0
             : value_or(values[static_cast<std::size_t>(next - times.begin()) - 1], 0);
}

std::vector<double> edges_of(const Steps& a, const Steps& b, double begin, double end) {
  const auto within = [&](const Steps& steps) {
    const double* const last = steps.times.data() + steps.times.size();
    const double* const first = std::upper_bound(steps.times.data(), last, begin);
    return std::span<const double>(first, std::lower_bound(first, last, end));
  };
  const auto of_a = within(a);
  const auto of_b = within(b);
  std::vector<double> edges(of_a.size() + of_b.size() + 2);
  edges.front() = begin;
  std::merge(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), edges.begin() + 1);
  edges.back() = end;
  return edges;
}

namespace {

// The last tick's value holds to the end of the window, but at least not shorter than the ticks
// themselves.
double steps_end(const Run& run) {
  return std::max(value_or(run.window().end, 0), run.ticks.empty() ? 0 : run.ticks.back());
}

/// `values` of the ticks.
Steps steps_of(const Run& run, std::vector<double> values) {
  return {run.ticks, std::move(values), steps_end(run)};
}

/// `use(tick, threads)` for each tick at which the worker was there; threads are absent where
/// nothing tells them. The `cores` series alone tells it nearly always; the others are asked only
/// where it does not.
template <class Use>
void each_tick_present(const Run& run, std::size_t worker, const Use& use) {
  const TickSeries& cores = run.workers.of(Series::cores, worker);
  const TickRange range = ticks_of(run.workers, worker);
  for (std::size_t tick = range.begin; tick < range.end; ++tick) {
    const double threads = cores.at(tick);
    if (!is_absent(threads)) use(tick, threads);
    else if (present_at(run.workers, worker, tick)) use(tick, run.workers.nthreads[worker]);
  }
}

Steps compute_core_steps(const Run& run, const WorkerSelection& workers) {
  std::vector<double> cores(run.ticks.size(), 0);
  for (std::size_t worker = 0; worker < run.workers.size(); ++worker) {
    if (!workers[worker]) continue;
    each_tick_present(run, worker, [&](std::size_t tick, double threads) {
      double& sum = cores[tick];  // absent where nothing tells the threads of any worker
      sum = is_absent(threads) && !(sum > 0) ? absent : value_or(sum, 0) + value_or(threads, 0);
    });
  }
  return steps_of(run, std::move(cores));
}

Steps compute_worker_steps(const Run& run, const WorkerSelection& workers) {
  // Stated for every tick, as roastcoffea does, nothing has to be counted.
  const bool stated = workers.all && none_of(run.worker_counts, is_absent);
  std::vector<double> present(run.ticks.size(), 0);
  for (std::size_t worker = 0; worker < run.workers.size() && !stated; ++worker) {
    if (workers[worker])
      each_tick_present(run, worker, [&](std::size_t tick, double) { present[tick] += 1; });
  }
  for (std::size_t tick = 0; tick < present.size() && workers.all; ++tick)
    present[tick] = value_or(run.worker_counts[tick], present[tick]);
  return steps_of(run, std::move(present));
}

}  // namespace

Steps core_steps(const Run& run, const WorkerSelection& workers) {
  if (!workers.all) return compute_core_steps(run, workers);
  return kept_of(run).core_steps.of([&] { return compute_core_steps(run, workers); });
}

Steps worker_steps(const Run& run, const WorkerSelection& workers) {
  if (!workers.all) return compute_worker_steps(run, workers);
  return kept_of(run).worker_steps.of([&] { return compute_worker_steps(run, workers); });
}

namespace {

/// The intervals of a span in order of time, none over another: Dask lists those of merged spans
/// one span after the other.
std::vector<Span::Threads> intervals_of(const Span& span) {
  std::vector<Span::Threads> sorted = span.nthreads;
  std::erase_if(sorted, [](const Span::Threads& one) { return !(one.end > one.begin); });
  sort_stably(sorted,
              [](const Span::Threads& a, const Span::Threads& b) { return a.begin < b.begin; });
  std::vector<Span::Threads> apart;
  for (Span::Threads one : sorted) {
    if (!apart.empty()) one.begin = std::max(one.begin, apart.back().end);
    if (one.end > one.begin) apart.push_back(one);
  }
  return apart;
}

/// The span's own record of the cluster's threads is exact to the event; ticks are a second apart.
/// It counts while it lasts; ticks count before, between and after its intervals. Where neither
/// tells, the number is absent.
Steps refined_by_span(const Steps& ticks, const std::vector<Span::Threads>& intervals) {
  Steps refined;
  refined.end = ticks.empty() ? intervals.back().end : std::max(ticks.end, intervals.back().end);
  const auto put = [&](double from, double value) {
    refined.times.push_back(from);
    refined.values.push_back(value);
  };
  const auto put_ticks = [&](double from, double until) {
    for (std::size_t i = 0; i < ticks.times.size(); ++i) {
      const double end = i + 1 < ticks.times.size() ? ticks.times[i + 1] : ticks.end;
      if (end > from && ticks.times[i] < until)
        put(std::max(ticks.times[i], from), ticks.values[i]);
    }
  };
  double known = -std::numeric_limits<double>::infinity();  // until when steps are put
  for (const Span::Threads& one : intervals) {
    if (one.begin > known) {
      if (!refined.empty() && (ticks.empty() || ticks.times.front() > known)) put(known, absent);
      put_ticks(known, one.begin);
    }
    put(one.begin, one.nthreads);
    known = one.end;
  }
  put_ticks(known, std::numeric_limits<double>::infinity());
  return refined;
}

/// The first span that has any intervals, by `intervals_of`; of a manager's numbers it knows its
/// events before its samples.
struct Intervals {
  std::vector<Span::Threads> list;
  Teller teller = Teller::own;
};
Intervals span_intervals(const Run& run) {
  Intervals found;
  for (const Span& span : run.spans) {
    if (!found.list.empty() && !(found.teller > span.teller)) continue;
    if (auto list = intervals_of(span); !list.empty()) found = {std::move(list), span.teller};
  }
  return found;
}

CoreSupply compute_core_supply(const Run& run, const WorkerSelection& workers) {
  CoreSupply supply;
  supply.window = run.window();
  Steps steps = core_steps(run, workers);
  const auto [span, teller] = workers.all ? span_intervals(run) : Intervals{};
  const bool of_manager = teller != Teller::own;
  if (any_of(steps.values, [](double v) { return v > 0; })) {
    supply.source =
        span.empty() ? "tracking: nthreads of all workers, each tick held until the next"
        : of_manager ? "cores of the connected workers, by the manager's log"
                     : "the span's nthreads intervals while it lasts, tracking before and after";
    supply.steps = span.empty() ? std::move(steps) : refined_by_span(steps, span);
    return supply;
  }
  if (!span.empty()) {
    // Without ticks the run begins with its first chunk: what the span held last is taken for the
    // rest.
    supply.steps = refined_by_span({}, span);
    supply.steps.end = std::max(supply.steps.end, value_or(supply.window.end, supply.steps.end));
    supply.source = of_manager ? "cores of the connected workers, by the manager's log"
                               : "the span's nthreads intervals, the last one held to the end";
    return supply;
  }
  for (std::size_t worker = 0; worker < run.workers.size(); ++worker) {
    if (workers[worker]) supply.threads += value_or(run.workers.nthreads[worker], 0);
  }
  supply.source =
      "estimated: threads of all workers that worker info, scheduler info or a performance report "
      "names x length";
  return supply;
}

}  // namespace

CoreSupply core_supply(const Run& run, const WorkerSelection& workers) {
  if (!workers.all) return compute_core_supply(run, workers);
  return kept_of(run).core_supply.of([&] { return compute_core_supply(run, workers); });
}

CoreTime CoreSupply::between(double begin, double end) const {
  CoreTime time;
  // There were no cores outside the run.
  begin = std::max(begin, window.begin);
  if (end > window.end) end = std::max(begin, window.end);
  if (!steps.empty()) {
    time.core_seconds = steps.integral(begin, value_or(end, steps.end));
    time.cores = steps.mean(begin, value_or(end, steps.end));
    time.source = source;
  } else if (threads > 0 && !is_absent(end)) {
    time.core_seconds = threads * (end - begin);
    time.cores = threads;
    time.estimated = true;
    time.source = source;
  }
  return time;
}

CoreTime core_time(const Run& run, const WorkerSelection& workers, double begin, double end) {
  return core_supply(run, workers).between(begin, end);
}

namespace {

/// Where sampling stopped for longer than this many usual intervals the value is not held.
constexpr double held_intervals = 3;

}  // namespace

double sampling_interval(const Run& run) {
  if (run.ticks.size() < 2) return absent;
  std::vector<double> gaps(run.ticks.size() - 1);
  for (std::size_t i = 0; i < gaps.size(); ++i) gaps[i] = run.ticks[i + 1] - run.ticks[i];
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  return *middle;
}

double time_mean(const Run& run, std::size_t first, std::span<const double> values, double begin,
                 double end) {
  const double usual = sampling_interval(run);
  double weight = 0;
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t tick = first + i;
    const double from = run.ticks[tick];
    double until = 0;
    if (tick + 1 == run.ticks.size()) until = std::max(value_or(run.window().end, 0), from);
    else if (run.ticks[tick + 1] - from > held_intervals * usual) until = from + usual;
    else until = run.ticks[tick + 1];
    const double seconds = std::min(end, until) - std::max(begin, from);
    if (!(seconds > 0) || is_absent(values[i])) continue;
    weight += seconds;
    sum += seconds * values[i];
  }
  return ratio(sum, weight);
}

double heartbeat_interval(const Run& run) {
  const double workers =
      value_or(moments(worker_steps(run, WorkerSelection(run, {})).values).max, 0);
  if (workers <= 10) return 0.5;
  if (workers < 50) return 1;
  if (workers < 200) return 2;
  return workers / 200 + 1;
}

}  // namespace crema::runtime
