#include "core/compare/elapsed.hpp"

#include <cmath>

#include "core/base/elementary.hpp"
#include "core/predict/prediction.hpp"
#include "core/predict/replay.hpp"

namespace crema::compare {

using namespace predict;

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
