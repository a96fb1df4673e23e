// Anomalies as findings: hosts, sites, workers, datasets, their sections, files and moments that
// are slow.
#include "core/diagnose/rules.hpp"
#include "core/predict/contention.hpp"
#include "core/profile/profiles.hpp"
#include "core/runtime/chunks.hpp"

namespace crema::diagnose::rules {

using namespace runtime;
using namespace predict;

namespace {

using Kind = Anomaly::Kind;

Cause cause_of(Kind kind) {
  switch (kind) {
    case Kind::host: return Cause::slow_host;
    case Kind::site: return Cause::slow_site;
    case Kind::worker: return Cause::slow_worker;
    case Kind::dataset: return Cause::slow_dataset;
    case Kind::section: return Cause::slow_cell;
    case Kind::file: return Cause::slow_file;
    case Kind::moment: break;
  }
  return Cause::slow_moment;
}

// Of the chunks that began while a dataset's ran: from here on its own are nearly all of them.
constexpr double alone_in_time = 0.75;

/// When a dataset that waits had the cluster to itself: it may have been the moment.
void put_time_alone(const Run& run, SlowGroup& slow) {
  const Chunks& c = run.chunks;
  const ChunkGroups& datasets = chunk_groups(run, ChunkKey::dataset);
  const auto is_own = [&](std::size_t i) {
    return datasets.name[datasets.of[i]] == slow.anomaly.name;
  };
  double begin = absent, end = absent, own = 0, all = 0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (!is_own(i)) continue;
    if (!(begin <= c.t_start[i])) begin = c.t_start[i];
    if (!(end >= c.t_start[i])) end = c.t_start[i];
  }
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (!(c.t_start[i] >= begin && c.t_start[i] <= end)) continue;
    own += is_own(i) ? 1 : 0;
    all += 1;
  }
  if (slow.anomaly.waits() && own >= alone_in_time * all)
    slow.alone_from = begin, slow.alone_to = end;
}

Severity severity_of_group(const RunFacts& f, const Anomaly& anomaly) {
  switch (anomaly.kind) {
    case Kind::host:
    case Kind::site: return Severity::medium;
    case Kind::dataset:
    case Kind::section: return Severity::low;  // it may be intended
    case Kind::moment:
      // The number of threads is the cause.
      if (anomaly.has_more_cores()) return Severity::low;
      break;
    case Kind::worker:
    case Kind::file: break;
  }
  return at_most_medium(f.share(anomaly.core_seconds));
}

Selection selection_of(const Anomaly& anomaly) {
  Selection selection;
  switch (anomaly.kind) {
    case Kind::host:
    case Kind::site: selection.hosts = {anomaly.name}; break;
    case Kind::worker: selection.workers = {anomaly.name}; break;
    case Kind::dataset: selection.datasets = {anomaly.name}; break;
    case Kind::section: selection.datasets = {anomaly.dataset}; break;
    case Kind::file: selection.files = {anomaly.name}; break;
    case Kind::moment: selection.time = {anomaly.begin, anomaly.end}; break;
  }
  return selection;
}

}  // namespace

std::vector<Finding> slow_groups(const RunFacts& f) {
  std::vector<Finding> found;
  for (const Anomaly& anomaly : anomalies(f.run)) {
    SlowGroup slow{.anomaly = anomaly};
    slow.anomaly.saved.clear();
    if (anomaly.kind == Kind::worker)
      slow.worker = profile::worker_label(f.run, f.run.names->strings.find(anomaly.name));
    if (anomaly.kind == Kind::dataset) put_time_alone(f.run, slow);
    if (anomaly.kind == Kind::moment) {
      // Where chunks wait, the samples of the whole run show for what.
      const Load& load = load_of(f.run, {});
      const bool computes = !is_absent(anomaly.cpu) && !anomaly.waits();
      const bool blocks = load.blocked * load.task >= load.waiting() / 2;
      slow.may_be_storage = !computes && (blocks || is_absent(load.blocked));
      slow.may_be_programs = computes || !blocks;
    }
    found.push_back({.cause = cause_of(anomaly.kind),
                     .severity = severity_of_group(f, anomaly),
                     .evidence = std::move(slow),
                     .selection = selection_of(anomaly),
                     .core_seconds = anomaly.core_seconds,
                     .gain_core_seconds = f.saved_by(anomaly.saved)});
  }
  return found;
}

}  // namespace crema::diagnose::rules
