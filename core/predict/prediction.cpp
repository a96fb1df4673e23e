#include "core/predict/prediction.hpp"

#include "core/base/collect.hpp"
#include "core/base/elementary.hpp"

namespace crema::predict {

using namespace runtime;

namespace {

struct KeptReplays {
  Each<std::string, double> by_processor;
};

/// [s] The recorded cluster's replay of the run as it was.
double replayed_as_it_was(const Run& run, const Options& options) {
  return run.facts.of<KeptReplays>().by_processor.of(options.text(processor_option), [&] {
    const ReplayTrace& trace = replay_trace_of(run, options);
    return trace.order.empty() || trace.slots.empty()
               ? absent
               : on_recorded_cluster(trace, tasks_of(trace, trace.inside, trace.outside));
  });
}

/// As many slots as wanted, which come in the rhythm of the recorded ones and stay.
std::vector<Slot> slots_for(const ReplayTrace& trace, std::size_t count) {
  const std::vector<double> starts = sorted_present(numbers_of(trace.slots, &Slot::from));
  std::vector<Slot> slots(count);
  for (std::size_t i = 0; i < count; ++i) slots[i].from = starts[i * starts.size() / count];
  return slots;
}

/// [s] Elapsed on `cores` with tasks `slowdown` times as long.
double on_cores(const Run& run, const Options& options, double cores, double slowdown) {
  const ReplayTrace& trace = replay_trace_of(run, options);
  std::vector<double> tasks = tasks_of(trace, trace.inside, trace.outside);
  for (double& seconds : tasks) seconds = (seconds - trace.gap) * slowdown + trace.gap;
  const double replayed =
      predicted(trace, tasks, slots_for(trace, static_cast<std::size_t>(std::round(cores))));
  return elapsed_after(run, options, replayed);
}

/// Nearest below in size, else nearest.
const Run* base_for(const std::vector<const Run*>& runs, const Options& options, double cores) {
  const auto rank = [&](const Run* run) {
    const double by = elementary::log(cores / std::round(load_of(*run, options).cores));
    return by >= 0 ? by : 1e3 - by;
  };
  return *std::min_element(runs.begin(), runs.end(),
                           [&](const Run* a, const Run* b) { return rank(a) < rank(b); });
}

}  // namespace

double replay_error(const Run& run, const Options& options) {
  return ratio(replayed_as_it_was(run, options), replay_trace_of(run, options).elapsed) - 1;
}

double elapsed_after(const Run& run, const Options& options, double replayed) {
  const ReplayTrace& trace = replay_trace_of(run, options);
  return std::max(0.0, trace.elapsed + replayed - replayed_as_it_was(run, options));
}

double between_recordings(const Run& run, const Options& options) {
  return elementary::hypot(std::sqrt(2.0) * options.number(run_spread_option),
                           load_of(run, options).by_others / within_90);
}

void widen(Prediction& prediction, double recorded, double noise) {
  double& low = prediction.low;
  double& high = prediction.high;
  if (low < 0) low = 0;
  const double middle = value_or(prediction.likely, std::sqrt(low * high));
  if (!(middle > 0)) return;
  const bool is_either = low < recorded && recorded < high && elementary::log(high / low) > noise;
  if (is_either || !is_narrow(low, high)) prediction.likely = absent;
  const auto half = [&](double of_model) {
    return elementary::exp(std::max(within_90 * noise, of_model + z_90 * noise));
  };
  if (low > 0) low = middle / half(elementary::log(middle / low));
  high = middle * half(elementary::log(high / middle));
}

WorkDifference what_differs(const Run& a, const Run& b, const Options& options) {
  using Kind = WorkDifference::Kind;
  constexpr double same_events = 0.01;
  constexpr double same_chunks = 0.1;
  const auto name = [&](const Run& run) {
    return std::string(run.text(find_processor(run, options).prefix));
  };
  const auto differ = [](double x, double y, double by) {
    return std::fabs(x - y) > by * std::max(std::fabs(x), std::fabs(y));
  };
  if (name(a) != name(b)) return {Kind::processor, name(a), name(b)};
  if (a.chunks.size() > 0 && b.chunks.size() > 0 &&
      chunk_groups(a, ChunkKey::dataset).name != chunk_groups(b, ChunkKey::dataset).name)
    return {Kind::datasets};
  const double events_a = total_events(a);
  const double events_b = total_events(b);
  if (differ(events_a, events_b, same_events))
    return {.kind = Kind::events, .a = events_a, .b = events_b};
  const double chunk_a = median_of(a.chunks.events);
  const double chunk_b = median_of(b.chunks.events);
  if (differ(chunk_a, chunk_b, same_chunks))
    return {.kind = Kind::chunk_events, .a = chunk_a, .b = chunk_b};
  return {};
}

Contention contention_of(std::span<const Run* const> comparable, const Options& options) {
  std::vector<Observed> sizes;
  const Load* least = &load_of(*comparable[0], options);
  for (const Run* run : comparable) {
    const Load& of = load_of(*run, options);
    sizes.push_back({of.threads, of.task * of.tasks, of.error});
    if (of.threads < least->threads) least = &of;
  }
  if (comparable.size() == 1) sizes = sizes_within(*comparable[0], options);
  return fit_contention(sizes, least->on_cpu);
}

Prediction predict_cluster(std::span<const Run* const> runs, const Options& options,
                           const Cluster& cluster) {
  using Assumed = PredictionBasis::Assumed;
  using Unseen = PredictionBasis::Unseen;
  const double cores = cluster.cores;
  Prediction found;
  PredictionBasis& basis = found.basis;
  basis.cores = cores;
  // A broken recording may name any number.
  if (!(std::round(cores) >= 1 && cores <= most_cores)) {
    basis.unseen = Unseen::cores;
    return found;
  }
  std::vector<const Run*> comparable;
  for (const Run* run : runs) {
    const bool is_other = run != runs[0] && what_differs(*runs[0], *run, options).any();
    if (is_absent(replay_error(*run, options))) continue;
    if (std::fabs(replay_error(*run, options)) > worst_replay) continue;
    if (!is_other) comparable.push_back(run);
  }
  if (comparable.empty()) {
    basis.unseen = Unseen::replay;
    basis.replay_error = replay_error(*runs[0], options);
    return found;
  }
  const Run& run = *base_for(comparable, options, cores);
  const Load& load = load_of(run, options);
  const double factor = ratio(cores, std::round(load.cores));
  const double per_worker = value_or(cluster.per_worker, load.per_worker);
  const Contention fit = contention_of(comparable, options);
  // Where tasks took no longer on more cores, storage is no narrower than that.
  const bool is_free = !fit.is_seen() && !is_absent(fit.storage);
  Slowdown slowdown =
      slowdown_at(load, factor, is_free ? fit.storage / fit.task * load.task : absent);
  // Nor do they wait less on fewer, but for what chance may have hidden.
  if (is_free && factor < 1) {
    const double hidden = std::max(0.0, fit.growth) + 2 * fit.error;
    slowdown.contended = std::max(slowdown.contended, std::min(slowdown.ideal, 1 / (1 + hidden)));
  }
  share_interpreter(slowdown, load, per_worker);
  const double elapsed = replay_trace_of(run, options).elapsed;
  const double locked = load.lock_taken() * elapsed;  // however many wait
  found.ideal = std::max(locked, on_cores(run, options, cores, slowdown.ideal));
  found.contended = std::max(locked, on_cores(run, options, cores, slowdown.contended));
  found.low = std::min(found.ideal, found.contended);
  found.high = std::max(found.ideal, found.contended);

  const bool same_threads = per_worker == load.per_worker;
  basis.assumed = factor < 1                    ? Assumed::fewer_threads
                  : factor == 1 && same_threads ? Assumed::same_cluster
                  : factor == 1                 ? Assumed::other_workers
                  : load.hosts == 1             ? Assumed::more_threads
                                                : Assumed::more_hosts;
  basis.load = &load;
  basis.contention = fit;
  basis.is_within_run = comparable.size() == 1;
  if (factor == 1 && same_threads) {
    found.likely = found.ideal;
  } else if (fit.is_seen() && same_threads) {
    const Contention::Growth growth = fit.between(load.threads, load.threads * factor);
    basis.by_cores = on_cores(run, options, cores, growth.by_cores);
    basis.by_storage = on_cores(run, options, cores, growth.by_storage);
    found.likely = std::clamp(std::sqrt(basis.by_cores * basis.by_storage), found.low, found.high);
    found.low = std::max(found.low, std::min({basis.by_cores, basis.by_storage, found.likely}));
    found.high = std::min(found.high, std::max({basis.by_cores, basis.by_storage, found.likely}));
    basis.unseen = Unseen::growth;
  } else {
    found.likely = std::sqrt(found.low * found.high);
    basis.unseen = !same_threads                      ? Unseen::interpreter
                   : is_narrow(found.low, found.high) ? Unseen::other_use
                   : factor < 1                       ? Unseen::waiting
                                                      : Unseen::slowdown;
  }
  widen(found, elapsed, between_recordings(run, options));
  // Faster or slower, by how tasks share what was not seen: nothing between them is likelier.
  if (basis.assumed != Assumed::same_cluster && !fit.is_seen() && found.ideal != found.contended &&
      found.low < elapsed && elapsed < found.high)
    found.likely = absent;
  basis.is_wide = is_absent(found.likely);
  return found;
}

WorkPart part_named(const Run& run, const Options& options, std::string_view text) {
  WorkPart part{.on_cpu = value_or(load_of(run, options).on_cpu, 1)};
  const std::size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  const std::string_view name = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  const ReplayTrace& trace = replay_trace_of(run, options);
  const Chunks& c = run.chunks;
  if (kind == "outside" || kind == "merging" || kind == "waiting") {
    const double share = kind == "waiting" ? 1 - load_of(run, options).on_cpu : 1;
    if (is_absent(share)) part.missing.kind = MissingPart::Kind::fine_metrics;
    (kind == "outside" ? part.outside : kind == "merging" ? part.merging : part.waiting) = share;
    if (kind == "waiting") part.on_cpu = 1;
    return part;
  }
  part.by_chunk.assign(c.size(), 0);
  bool any = false;
  if (kind == "section") {
    for (const SectionValue& value : c.sections) {
      if (value.kind != SectionValue::Kind::seconds || run.text(value.name) != name) continue;
      part.by_chunk[value.chunk] += value_or(value.value, 0);
      any = true;
    }
  } else if (kind == "dataset" || kind == "file" || kind == "host" || kind == "throughput") {
    const ChunkGroups& groups = chunk_groups(run, kind == "dataset" ? ChunkKey::dataset
                                                  : kind == "file"  ? ChunkKey::file
                                                                    : ChunkKey::host);
    for (std::size_t group = 0; group < groups.size(); ++group) {
      const std::string_view known = groups.name[group];
      const bool is_end = kind == "file" && known.size() > name.size() && known.ends_with(name) &&
                          known[known.size() - name.size() - 1] == '/';
      if (known != name && !is_end) continue;
      for (const std::uint32_t i : groups.members(group)) part.by_chunk[i] = trace.inside[i];
      any = true;
    }
    if (kind == "throughput") {
      const double share = 1 - load_of(run, options).on_cpu;
      if (is_absent(share)) part.missing.kind = MissingPart::Kind::fine_metrics;
      for (double& seconds : part.by_chunk) seconds *= value_or(share, 0);
      part.least = 0;
    }
  } else if (kind == "function") {
    const auto tree = core_time_tree(run, {}, options, CoreTimeSplit::functions);
    const std::uint32_t inside = tree->find("available/inside_process");
    double seconds = 0;
    double least = 0;
    double most = 0;
    for (std::size_t i = 0; i < tree->nodes.size(); ++i) {
      const CoreTimeNode& node = tree->nodes[i];
      if (node.label != name || std::string_view(node.kind) != "function") continue;
      // The outermost of that name holds the others.
      bool within = false;
      bool nested = false;
      for (std::uint32_t at = node.parent; at != CoreTimeNode::none; at = tree->nodes[at].parent) {
        within |= at == inside;
        nested |= tree->nodes[at].label == name;
      }
      if (!within || nested) continue;
      seconds += node.core_seconds;
      least += node.least;
      most += node.most;
    }
    any = seconds > 0;
    if (any) part.least = least / seconds, part.most = most / seconds;
    const double whole = inside == CoreTimeNode::none ? 0 : tree->nodes[inside].core_seconds;
    for (std::size_t i = 0; i < c.size(); ++i)
      part.by_chunk[i] = trace.inside[i] * value_or(ratio(seconds, whole), 0);
  } else {
    throw Failure(
        ErrorCode::bad_option,
        "part is section:, dataset:, file:, host:, throughput: or function: and a name, or "
        "outside, merging, waiting; not " +
            std::string(text));
  }
  if (!any && !part.missing.any())
    part.missing = {MissingPart::Kind::not_there, std::string(kind) + " " + std::string(name)};
  for (std::size_t i = 0; i < c.size(); ++i)
    part.by_chunk[i] = std::min(part.by_chunk[i], trace.inside[i]);
  return part;
}

ChangedPart change_part(const Run& run, const Options& options, const WorkPart& part,
                        double factor) {
  const ReplayTrace& trace = replay_trace_of(run, options);
  // [s] Were that share of the part changed.
  const auto with = [&](double share) {
    const double less = (1 - factor) * share;
    const auto left = [&](double of) { return std::max(0.0, 1 - less * of); };
    std::vector<double> inside = trace.inside;
    for (std::size_t i = 0; i < part.by_chunk.size(); ++i)
      inside[i] -= std::min(less * part.by_chunk[i], inside[i]);
    for (double& seconds : inside) seconds *= left(part.waiting);
    ReplayTrace changed = trace;
    changed.others *= left(part.merging);
    changed.repeated *= left(part.repeated);
    const double outside = trace.outside * left(part.outside + part.waiting);
    return elapsed_after(run, options,
                         on_recorded_cluster(changed, tasks_of(changed, inside, outside)));
  };
  return {with(1), with(part.on_cpu * part.least), with(part.most)};
}

Prediction predict_part(const Run& run, const Options& options, const WorkPart& part,
                        double factor) {
  using Unseen = PredictionBasis::Unseen;
  const double error = replay_error(run, options);
  if (part.missing.any() || !(std::fabs(error) <= worst_replay)) {
    Prediction unknown;
    unknown.basis.missing = part.missing;
    unknown.basis.replay_error = error;
    unknown.basis.unseen = part.missing.any() ? Unseen::part : Unseen::replay;
    return unknown;
  }
  const ChangedPart changed = change_part(run, options, part, factor);
  return predict_replayed(run, options, changed.likely, {changed.least, changed.most});
}

Prediction predict_replayed(const Run& run, const Options& options, double likely,
                            std::vector<double> ends) {
  const double recorded = replay_trace_of(run, options).elapsed;
  if (!is_absent(likely)) ends.push_back(likely);
  Prediction found{.likely = likely};
  found.low = found.ideal = *std::min_element(ends.begin(), ends.end());
  found.high = found.contended = *std::max_element(ends.begin(), ends.end());
  // By what the replay is off, of what it changes.
  const double off = std::fabs(replay_error(run, options));
  found.low -= off * std::fabs(found.low - recorded);
  found.high += off * std::fabs(found.high - recorded);
  widen(found, recorded, between_recordings(run, options));
  found.basis.load = &load_of(run, options);
  found.basis.replay_error = off;
  found.basis.assumed = PredictionBasis::Assumed::rest_as_recorded;
  found.basis.unseen = PredictionBasis::Unseen::between_runs;
  return found;
}

}  // namespace crema::predict
