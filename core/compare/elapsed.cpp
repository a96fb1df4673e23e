#include "core/compare/elapsed.hpp"

#include <cmath>

#include "core/base/elementary.hpp"
#include "core/predict/prediction.hpp"
#include "core/predict/script.hpp"

namespace crema::compare {

using namespace predict;

ElapsedChange elapsed_change(const Run& a, const Run& b, std::span<const double> inside,
                             double speed, const Options& options) {
  ElapsedChange change;
  for (const Run* run : {&a, &b}) {
    if (!(std::fabs(replay_error(*run, options)) <= worst_replay)) return change;
  }
  Script script = script_of(a, options);
  const Script& other = script_of(b, options);
  const auto elapsed = [&] {
    return elapsed_after(
        a, options, on_recorded_cluster(script, tasks_of(script, script.inside, script.outside)));
  };
  double reached = script.elapsed;
  const auto step = [&](const char* label) {
    const double now = elapsed();
    change.steps.push_back({label, now - reached});
    reached = now;
  };
  script.inside.assign(inside.begin(), inside.end());
  step("process()");
  change.with_process = reached;
  const Script with_process = script;
  for (double* beside : {&script.outside, &script.others, &script.gap})
    *beside *= elementary::exp(speed);
  change.with_pace = elapsed();
  script = with_process;

  // What B has per chunk, for as many chunks as A has.
  const double more =
      static_cast<double>(other.order.size()) / static_cast<double>(script.order.size());
  script.outside = other.outside * more;
  step("tasks outside process()");
  script.others = other.others * more;
  step("other tasks");
  script.gap = other.gap * more;
  step("waiting between tasks");
  for (Slot& slot : script.slots) slot.from += other.begin - script.begin;
  step("start-up");
  script.slots = other.slots;
  step("workers");
  if (script.exact == other.exact) {
    script.repeated = other.repeated;
    script.extras = other.extras;
    for (Extra& extra : script.extras)
      extra.before = static_cast<std::size_t>(static_cast<double>(extra.before) / more);
    step("lost work");
  }
  script.after = other.after;
  step("after the last chunk");
  change.steps.push_back({"not replayed", other.elapsed - reached});
  return change;
}

}  // namespace crema::compare
