#include "core/analyse/cores.hpp"

#include <algorithm>

namespace crema {

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
  return next == times.begin() ? 0 : value_or(values[static_cast<std::size_t>(next - times.begin()) - 1], 0);
}

std::vector<double> edges_of(const Steps& a, const Steps& b, double begin, double end) {
  std::vector<double> edges{begin, end};
  for (const Steps* steps : {&a, &b}) {
    std::copy_if(steps->times.begin(), steps->times.end(), std::back_inserter(edges),
                 [&](double t) { return t > begin && t < end; });
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

namespace {

// The last tick's value holds to the end of the window, but at least not shorter than the ticks themselves.
double steps_end(const Run& run) { return std::max(value_or(run.window().end, 0), run.ticks.empty() ? 0 : run.ticks.back()); }

template <class ValueAt>
Steps steps_of(const Run& run, ValueAt value_at) {
  Steps steps;
  steps.times = run.ticks;
  steps.values.resize(run.ticks.size());
  for (std::size_t tick = 0; tick < run.ticks.size(); ++tick) steps.values[tick] = value_at(tick);
  steps.end = steps_end(run);
  return steps;
}

}  // namespace

Steps core_steps(const Run& run, const WorkerSelection& workers) {
  std::vector<double> cores(run.ticks.size(), 0);
  for (std::size_t worker = 0; worker < run.workers.size(); ++worker) {
    if (!workers[worker]) continue;
    const TickRange range = ticks_of(run.workers, worker);
    for (std::size_t tick = range.begin; tick < range.end; ++tick) {
      if (present_at(run.workers, worker, tick)) cores[tick] += value_or(nthreads_at(run, worker, tick), 0);
    }
  }
  return steps_of(run, [&](std::size_t tick) { return cores[tick]; });
}

Steps worker_steps(const Run& run, const WorkerSelection& workers) {
  std::vector<double> present(run.ticks.size(), 0);
  for (std::size_t worker = 0; worker < run.workers.size(); ++worker) {
    if (!workers[worker]) continue;
    const TickRange range = ticks_of(run.workers, worker);
    for (std::size_t tick = range.begin; tick < range.end; ++tick) present[tick] += present_at(run.workers, worker, tick) ? 1 : 0;
  }
  return steps_of(
      run, [&](std::size_t tick) { return workers.all ? value_or(run.worker_counts[tick], present[tick]) : present[tick]; });
}

namespace {

// The span's own record of the cluster's threads is exact to the event; ticks are a second apart. It counts while it lasts,
// the ticks before and after it.
Steps refined_by_span(const Steps& ticks, const Span& span) {
  const double from = span.nthreads.front().begin;
  const double until = span.nthreads.back().end;
  Steps refined;
  refined.end = std::max(ticks.end, until);
  for (std::size_t i = 0; i < ticks.times.size() && ticks.times[i] < from; ++i) {
    refined.times.push_back(ticks.times[i]);
    refined.values.push_back(ticks.values[i]);
  }
  for (const Span::Threads& threads : span.nthreads) {
    refined.times.push_back(threads.begin);
    refined.values.push_back(threads.nthreads);
  }
  for (std::size_t i = 0; i < ticks.times.size(); ++i) {
    const double end = i + 1 < ticks.times.size() ? ticks.times[i + 1] : ticks.end;
    if (end <= until) continue;
    refined.times.push_back(std::max(ticks.times[i], until));
    refined.values.push_back(ticks.values[i]);
  }
  return refined;
}

const Span* span_with_threads(const Run& run) {
  const auto found = std::find_if(run.spans.begin(), run.spans.end(), [](const Span& s) { return !s.nthreads.empty(); });
  return found == run.spans.end() ? nullptr : &*found;
}

}  // namespace

CoreTime core_time(const Run& run, const WorkerSelection& workers, double begin, double end) {
  CoreTime time;
  // There were no cores outside the run.
  const Run::Window window = run.window();
  begin = std::max(begin, window.begin);
  if (end > window.end) end = std::max(begin, window.end);
  const Steps steps = core_steps(run, workers);
  if (!steps.empty() && std::any_of(steps.values.begin(), steps.values.end(), [](double v) { return v > 0; })) {
    const Span* span = workers.all ? span_with_threads(run) : nullptr;
    const Steps exact = span == nullptr ? steps : refined_by_span(steps, *span);
    time.core_seconds = exact.integral(begin, end);
    time.cores = exact.mean(begin, end);
    time.source = span == nullptr ? "tracking: nthreads of all workers, each tick held until the next"
                                  : "the span's nthreads intervals while it lasts, tracking before and after";
    return time;
  }
  if (const Span* span = workers.all ? span_with_threads(run) : nullptr; span != nullptr) {
    // Without ticks the run begins with its first chunk: what the span held last is taken for the rest.
    Steps exact = refined_by_span({}, *span);
    exact.end = std::max(exact.end, value_or(window.end, exact.end));
    time.core_seconds = exact.integral(begin, value_or(end, exact.end));
    time.cores = exact.mean(begin, value_or(end, exact.end));
    time.source = "the span's nthreads intervals, the last one held to the end";
    return time;
  }
  double threads = 0;
  for (std::size_t worker = 0; worker < run.workers.size(); ++worker) {
    if (workers[worker]) threads += value_or(run.workers.nthreads[worker], 0);
  }
  if (threads > 0 && !is_absent(end)) {
    time.core_seconds = threads * (end - begin);
    time.cores = threads;
    time.estimated = true;
    time.source = "estimated: threads of all workers that worker or scheduler info names x length";
  }
  return time;
}

}  // namespace crema
