#include "core/runtime/core_time.hpp"

#include <algorithm>
#include <numeric>

#include "core/base/order.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::runtime {

namespace {

using PartKind = BudgetPart::Kind;
using Bins = std::vector<double>;

double total(const Bins& bins) { return std::accumulate(bins.begin(), bins.end(), 0.0); }

void add(const TimeBins& bins, double from, double to, double cores, Bins& into) {
  if (!(to > from)) return;
  bins.each_overlap(from, to, [&](std::size_t bin, double s) { into[bin] += cores * s; });
}

Bins integral_of(const Steps& steps, const TimeBins& bins) {
  Bins seconds(bins.count, 0);
  for (std::size_t i = 0; i < steps.times.size(); ++i) {
    const double until = i + 1 < steps.times.size() ? steps.times[i + 1] : steps.end;
    if (!is_absent(steps.values[i])) add(bins, steps.times[i], until, steps.values[i], seconds);
  }
  return seconds;
}

/// Makes `series` sum to `target`, and to no more than there is room: what is too much is taken
/// from it everywhere alike, what is missing goes where cores are free, first among those that were
/// `busy` at the time.
void fit(Bins& series, double target, Bins& room, const Bins& available, const Bins& busy,
         bool exact) {
  const double sum = total(series);
  const double scale = target < sum ? target / sum : 1;
  for (std::size_t b = 0; b < series.size(); ++b) {
    series[b] *= scale;
    if (!exact) series[b] = std::min(series[b], std::max(0.0, room[b]));
  }
  double missing = target - total(series);
  Bins free(series.size());
  for (const bool anywhere : {false, true}) {
    for (std::size_t b = 0; b < series.size(); ++b)
      free[b] = anywhere || busy[b] > 0 ? std::max(0.0, room[b] - series[b]) : 0;
    const double most = total(free);
    if (!(missing > 0) || !(most > 0)) continue;
    const double taken = std::min(missing, most);
    for (std::size_t b = 0; b < series.size(); ++b) series[b] += taken * free[b] / most;
    missing -= taken;
  }
  // More than fits: the parts exceed what was available, and are drawn so.
  const double whole = total(available);
  for (std::size_t b = 0; missing > 0 && b < series.size(); ++b) {
    series[b] +=
        whole > 0 ? missing * available[b] / whole : missing / static_cast<double>(series.size());
  }
  for (std::size_t b = 0; b < series.size(); ++b) room[b] -= series[b];
}

/// Where the tasks ran, by the task stream.
struct Streamed {
  Bins processor, lost, others;
  bool any = false;
};

Streamed by_stream(const Run& run, const WorkerSelection& workers, StringId processor,
                   const TimeBins& bins) {
  Streamed streamed{Bins(bins.count, 0), Bins(bins.count, 0), Bins(bins.count, 0)};
  const Tasks& tasks = run.tasks;
  const auto put = [&](std::size_t i, Bins& into) { add(bins, tasks.t0[i], tasks.t1[i], 1, into); };
  for_each_execution(run, [&](std::size_t i) {
    if (is_absent(tasks.t0[i]) || is_absent(tasks.t1[i])) return;
    if (!workers.all && !workers.holds(run, tasks.worker[i])) return;
    streamed.any = true;
    put(i, tasks.prefix[i] == processor ? streamed.processor : streamed.others);
  });
  if (!workers.all) return streamed;  // which of it was lost is not known
  for (const std::size_t record : superseded_executions(run, processor)) put(record, streamed.lost);
  return streamed;
}

/// Cores that executed something, by the heartbeats.
Bins executing(const Run& run, const WorkerSelection& workers, const TimeBins& bins) {
  Steps steps;
  steps.times = run.ticks;
  steps.values.assign(run.ticks.size(), 0);
  steps.end = run.window().end;
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    if (!workers[w]) continue;
    const TickSeries& series = run.workers.of(Series::executing, w);
    for (std::size_t tick = series.first_tick; tick < series.end_tick(); ++tick)
      steps.values[tick] += value_or(series.at(tick), 0);
  }
  return integral_of(steps, bins);
}

/// The row of each dataset: the `most_datasets` largest have their own, by name, and all others
/// share the last, so that memory does not grow with datasets times bins.
std::vector<std::uint32_t> dataset_rows(const Run& run, const ChunkSelection& chosen,
                                        const ChunkGroups& datasets) {
  constexpr std::size_t most_datasets = 200;
  std::vector<std::uint32_t> row(datasets.size());
  std::iota(row.begin(), row.end(), 0U);
  if (row.size() <= most_datasets) return row;
  std::vector<double> seconds(datasets.size(), 0);
  for (std::size_t i = 0; i < run.chunks.size(); ++i) {
    if (chosen[i]) seconds[datasets.of[i]] += chunk_seconds(run, i);
  }
  std::vector<std::uint32_t> largest = most_first(seconds);
  largest.resize(most_datasets - 1);
  std::sort(largest.begin(), largest.end());
  std::fill(row.begin(), row.end(), static_cast<std::uint32_t>(most_datasets - 1));
  for (std::size_t k = 0; k < largest.size(); ++k) row[largest[k]] = static_cast<std::uint32_t>(k);
  return row;
}

}  // namespace

CoreTimeSeries core_time_series(const Run& run, const Selection& selection, const Options& options,
                                std::size_t count, bool by_dataset) {
  CoreTimeSeries over_time;
  const Selection untimed = selection.without_time();
  const Budget budget = compute_budget(run, untimed, options);
  over_time.selection_note = budget.selection_note;
  const Run::Window window = run.window();
  over_time.bins = {window.begin, window.end, count};
  if (!(window.end > window.begin)) return over_time;
  const TimeBins& bins = over_time.bins;

  const WorkerSelection workers(run, untimed);
  const CoreSupply supply = core_supply(run, workers);
  if (!supply.steps.empty()) {
    over_time.available = integral_of(supply.steps, bins);
  } else if (supply.threads > 0) {
    over_time.available.assign(count, supply.threads * bins.width());
  }
  Bins room = over_time.available.empty() ? Bins(count, 0) : over_time.available;
  const Bins whole = room;

  // What is in process(), by dataset where that is wanted.
  const ChunkSelection chosen(run, untimed);
  const ChunkGroups& datasets = chunk_groups(run, ChunkKey::dataset);
  const std::vector<std::uint32_t> row = dataset_rows(run, chosen, datasets);
  const std::size_t rows =
      by_dataset && !row.empty() ? *std::max_element(row.begin(), row.end()) + 1 : 1;
  std::vector<Bins> inside(rows, Bins(count, 0));
  std::vector<double> inside_seconds(rows, 0);
  std::vector<std::string_view> names(rows);
  for (std::size_t dataset = 0; dataset < row.size() && by_dataset; ++dataset)
    names[row[dataset]] = datasets.name[dataset];
  const bool merged = by_dataset && rows < datasets.size();
  std::vector<std::pair<double, double>> chunks;  // when they ran
  for (std::size_t i = 0; i < run.chunks.size(); ++i) {
    if (!chosen[i] || !workers.all) continue;  // of some workers, all of tasks is together
    const std::size_t group = by_dataset ? row[datasets.of[i]] : 0;
    const double begin = run.chunks.t_start[i];
    const double end = run.chunks.t_end[i];
    inside_seconds[group] += chunk_seconds(run, i);
    if (is_absent(begin) || is_absent(end) || !run.chunks.placed) continue;
    add(bins, begin, end, 1, inside[group]);
    chunks.emplace_back(begin, end);
  }

  const StringId processor = find_processor(run, options).prefix;
  Streamed streamed = by_stream(run, workers, processor, bins);
  double outside_each = absent;  // [s] per execution
  if (const double outside = budget.of(PartKind::outside_process); outside > 0) {
    const LostWork lost = find_lost_work(run, processor, execute_seconds(run, processor));
    const double executions = value_or(lost.executions, static_cast<double>(chunks.size()));
    outside_each = ratio(outside, executions);
  }
  Bins outside(count, 0);
  Bins left = executing(run, workers, bins);  // executed, and in no part yet
  for (const Bins& series : inside) {
    for (std::size_t b = 0; b < count; ++b) left[b] -= series[b];
  }
  if (streamed.any) {
    Bins within = streamed.lost;
    for (const Bins& series : inside) {
      for (std::size_t b = 0; b < count; ++b) within[b] += series[b];
    }
    for (std::size_t b = 0; b < count; ++b)
      outside[b] = std::max(0.0, streamed.processor[b] - within[b]);
    over_time.source =
        "exact: process() by the chunks' times, tasks by the task stream; time that is not in it "
        "is spread over the free cores";
  } else {
    // Opening the file and building events come before the chunk.
    for (const auto& [begin, end] : chunks) {
      if (!is_absent(outside_each)) add(bins, begin - outside_each, begin, 1, outside);
    }
    for (std::size_t b = 0; b < count; ++b) left[b] = std::max(0.0, left[b] - outside[b]);
    over_time.source =
        "process() by the chunks' times; the rest is estimated: the time outside before each "
        "chunk, other tasks where workers reported that they execute. A task stream "
        "(client.get_task_stream()) makes it exact";
  }

  Bins busy = left;
  for (std::size_t b = 0; b < count; ++b) {
    busy[b] = streamed.processor[b] + streamed.others[b] + std::max(0.0, left[b]);
    for (const Bins& series : inside) busy[b] += series[b];
  }
  const auto put = [&](PartKind kind, const char* label, Bins series, double target, bool exact) {
    fit(series, target, room, whole, busy, kind == PartKind::inside_process);
    over_time.parts.push_back({kind, label, std::move(series), exact});
  };
  double others = absent;
  for (const BudgetPart& part : budget.parts) {
    if (part.kind == PartKind::task || part.kind == PartKind::other_tasks)
      others = value_or(others, 0) + part.core_seconds;
  }
  for (const BudgetPart& part : budget.parts) {
    switch (part.kind) {
      case PartKind::inside_process:
        for (std::size_t group = 0; group < inside.size(); ++group) {
          if (by_dataset && inside_seconds[group] == 0) continue;
          put(part.kind, "Inside process()", std::move(inside[group]),
              by_dataset ? inside_seconds[group] : part.core_seconds, run.chunks.placed);
          if (by_dataset) over_time.parts.back().label = names[group];
          if (merged && group + 1 == rows) {
            over_time.parts.back().label = "others";
            over_time.parts.back().is_rest = true;
          }
        }
        break;
      case PartKind::outside_process:
        put(part.kind, "Outside process()", std::move(outside), part.core_seconds, streamed.any);
        break;
      case PartKind::lost_work:
        put(part.kind, "Repeated work", streamed.any ? streamed.lost : left, part.core_seconds,
            streamed.any);
        break;
      case PartKind::processor_tasks:
        put(part.kind, "Processor tasks", streamed.any ? streamed.processor : left,
            part.core_seconds, streamed.any);
        break;
      default: break;
    }
  }
  if (!is_absent(others)) {
    for (std::size_t b = 0; b < count; ++b) left[b] = std::max(0.0, left[b]);
    put(PartKind::other_tasks, "Other tasks", streamed.any ? streamed.others : left, others,
        streamed.any);
  }
  for (const PartKind kind : {PartKind::idle, PartKind::not_in_process}) {
    const double rest = budget.of(kind);
    if (is_absent(rest)) continue;
    Bins series(count);
    for (std::size_t b = 0; b < count; ++b) series[b] = std::max(0.0, room[b]);
    put(kind, kind == PartKind::idle ? "Idle" : "Not in process()", std::move(series), rest,
        streamed.any);
  }
  return over_time;
}

}  // namespace crema::runtime
