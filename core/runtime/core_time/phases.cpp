#include <algorithm>

#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"
#include "core/runtime/facts.hpp"

namespace crema::runtime {

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

using End = Phase::End;

std::vector<Phase> compute_phases(const Run& run) {
  const Run::Window window = run.window();
  if (is_absent(window.end)) return {};
  const WorkerSelection everyone(run, {});
  const Steps cores = core_steps(run, everyone);
  const CoreSupply supply = core_supply(run, everyone);
  const Steps& running = chunk_steps(run);

  const auto first =
      std::find_if(cores.values.begin(), cores.values.end(), [](double v) { return v > 0; });
  // Absent is not none, and a cluster that is yet to tell may have waited for its first task.
  const bool are_known =
      !run.recording.index.awaits_cluster &&
      (first != cores.values.end() ||
       (!cores.empty() && std::none_of(cores.values.begin(), cores.values.end(), is_absent)));
  double first_core = are_known ? window.end : window.begin;
  if (are_known && first != cores.values.end())
    first_core = cores.times[static_cast<std::size_t>(first - cores.values.begin())];
  std::vector<Phase> phases;
  double at = window.begin;
  bool at_full = false;
  const auto add = [&](const char* name, double until, End end) {
    until = std::clamp(until, at, std::max(at, window.end));
    if (until > at)
      phases.push_back({name, at, until, supply.between(at, until).core_seconds, end, at_full});
    at = until;
  };
  add("waiting for workers", first_core, End::first_core);
  if (running.empty()) {
    add("steady", window.end, End::no_chunks);
    return phases;
  }
  if (!run.chunks.placed) {
    add("steady", window.end, End::clocks_disagree);
    return phases;
  }
  add("pre-processing", running.times.front(), End::first_chunk);
  const Full full = are_known ? when_full(running, cores) : Full{};
  if (is_absent(full.first)) {
    add("steady", running.end, are_known ? End::never_full : End::no_cores);
  } else {
    add("ramp", full.first, End::first_full);
    at_full = true;
    add("steady", full.last, End::last_full);
    add("drain", running.end, End::last_chunk);
  }
  add("after", window.end, run.ticks.empty() ? End::unknown : End::client_done);
  return phases;
}

}  // namespace

const std::vector<Phase>& find_phases(const Run& run) {
  return kept_of(run).phases.of([&] { return compute_phases(run); });
}

}  // namespace crema::runtime
