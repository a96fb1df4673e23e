#include <cmath>

#include "core/base/collect.hpp"
#include "core/base/elementary.hpp"
#include "core/compare/compared_rows.hpp"
#include "core/predict/prediction.hpp"
#include "core/predict/replay.hpp"

namespace crema::compare {

using namespace predict;

namespace {

/// Sums over the chunks of one dataset, or of all.
struct Sums {
  std::vector<std::pair<StringId, double>> sections;
  std::unordered_map<StringId, std::size_t> index;
  double inside = 0;
  bool overlap = false;

  void add(StringId section, double seconds) {
    one_of(index, section, sections, {section, 0}).second += seconds;
  }

  std::vector<SectionSeconds> seconds(const Run& run) const {
    std::vector<SectionSeconds> found;
    double accounted = 0;
    for (const auto& [name, seconds] : sections) {
      accounted += seconds;
      if (!is_absent(seconds))
        found.push_back({.id = {.name = std::string(run.text(name))}, .seconds = seconds});
    }
    if (!sections.empty() && !overlap && !is_absent(accounted))
      found.push_back({.id = {.is_remainder = true}, .seconds = inside - accounted});
    return found;
  }
};

/// Selected seconds of each group; absent where nothing of it is selected.
std::vector<double> seconds_of(const ChunkGroups& groups, const Run& run,
                               const ChunkSelection& chosen) {
  std::vector<double> sums(groups.size(), absent);
  for (std::size_t i = 0; i < run.chunks.size(); ++i) {
    const double seconds = run.chunks.duration[i];
    if (!chosen[i] || is_absent(seconds)) continue;
    double& sum = sums[groups.of[i]];
    sum = value_or(sum, 0) + chosen.share[i] * seconds;
  }
  return sums;
}

}  // namespace

PartSeconds part_seconds(const Run& run, const ChunkSelection& chosen) {
  const Chunks& c = run.chunks;
  const ChunkGroups& datasets = chunk_groups(run, ChunkKey::dataset);
  std::vector<Sums> of_dataset(datasets.size());
  Sums all;
  std::vector<double> accounted(c.size(), 0);
  for (const SectionValue& value : c.sections) {
    if (value.kind != SectionValue::Kind::seconds || !chosen[value.chunk]) continue;
    accounted[value.chunk] += value.value;
    for (Sums* sums : {&all, &of_dataset[datasets.of[value.chunk]]})
      sums->add(value.name, chosen.share[value.chunk] * value.value);
  }
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (!chosen[i]) continue;
    const bool exceeds = sections_exceed(accounted[i], c.duration[i]);
    for (Sums* sums : {&all, &of_dataset[datasets.of[i]]}) {
      sums->inside += chosen.share[i] * value_or(c.duration[i], 0);
      sums->overlap = sums->overlap || exceeds;
    }
  }
  PartSeconds parts;
  parts.sections = all.seconds(run);
  parts.overlap = all.overlap;
  const ChunkGroups& hosts = chunk_groups(run, ChunkKey::host);
  const std::vector<double> by_host = seconds_of(hosts, run, chosen);
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    if (!is_absent(by_host[i])) parts.hosts.emplace_back(hosts.name[i], by_host[i]);
  }
  const std::vector<double> by_dataset = seconds_of(datasets, run, chosen);
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    if (!is_absent(by_dataset[i]))
      parts.datasets.push_back({.name = std::string(datasets.name[i]),
                                .seconds = by_dataset[i],
                                .sections = of_dataset[i].seconds(run)});
  }
  return parts;
}

std::map<std::string_view, double> events_by_dataset(const Run& run) {
  std::map<std::string_view, double> events;
  for (std::size_t i = 0; i < run.chunks.size(); ++i)
    events[run.text(run.chunks.dataset[i])] += value_or(run.chunks.events[i], 0);
  return events;
}

ElapsedChange elapsed_change(const Run& a, const Run& b, std::span<const double> inside,
                             double speed, const Options& options) {
  ElapsedChange change;
  for (const Run* run : {&a, &b}) {
    if (!(std::fabs(replay_error(*run, options)) <= worst_replay)) return change;
  }
  ReplayTrace trace = replay_trace_of(a, options);
  const ReplayTrace& other = replay_trace_of(b, options);
  const auto elapsed = [&] {
    return elapsed_after(a, options,
                         on_recorded_cluster(trace, tasks_of(trace, trace.inside, trace.outside)));
  };
  double reached = trace.elapsed;
  using StepKind = ElapsedChange::Step::Kind;
  const auto step = [&](StepKind kind) {
    const double now = elapsed();
    change.steps.push_back({kind, now - reached});
    reached = now;
  };
  trace.inside.assign(inside.begin(), inside.end());
  step(StepKind::process);
  change.with_process = reached;
  const ReplayTrace with_process = trace;
  for (double* beside : {&trace.outside, &trace.others, &trace.gap})
    *beside *= elementary::exp(speed);
  change.with_pace = elapsed();
  trace = with_process;

  // What B has per chunk, for as many chunks as A has.
  const double more =
      static_cast<double>(other.order.size()) / static_cast<double>(trace.order.size());
  trace.outside = other.outside * more;
  step(StepKind::outside_process);
  trace.others = other.others * more;
  step(StepKind::other_tasks);
  trace.gap = other.gap * more;
  step(StepKind::gaps);
  for (Slot& slot : trace.slots) slot.from += other.begin - trace.begin;
  step(StepKind::start_up);
  trace.slots = other.slots;
  step(StepKind::workers);
  if (trace.exact == other.exact) {
    trace.repeated = other.repeated;
    trace.extras = other.extras;
    for (Extra& extra : trace.extras)
      extra.before = static_cast<std::size_t>(static_cast<double>(extra.before) / more);
    step(StepKind::lost_work);
  }
  trace.after = other.after;
  step(StepKind::after_last_chunk);
  change.steps.push_back({StepKind::not_replayed, other.elapsed - reached});
  return change;
}

}  // namespace crema::compare
