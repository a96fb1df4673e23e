#include <algorithm>

#include "core/predict/prediction.hpp"

namespace crema::predict {

namespace {

std::string_view kind_of(const CoreTimeTree& tree, std::uint32_t node) {
  return tree.nodes[node].kind;
}

/// The part's seconds in each chunk, where chunks tell it: of a dataset, of a section or of what
/// sections leave over, of one in the other. Empty where no chunk tells.
std::vector<double> seconds_by_chunk(const Run& run, const CoreTimeTree& tree, std::uint32_t node,
                                     const std::vector<double>& inside) {
  std::optional<std::string_view> dataset;
  std::string_view section_kind, section;
  for (; node != CoreTimeNode::none; node = tree.nodes[node].parent) {
    const CoreTimeNode& part = tree.nodes[node];
    const std::string_view kind = part.kind;
    if (kind == "dataset")
      dataset = part.segment == "(no_dataset)" ? std::string_view() : std::string_view(part.label);
    if (kind == "section" || kind == "no_section" || kind == "overlapping_sections")
      section_kind = kind, section = part.label;
  }
  if (!dataset && section_kind.empty()) return {};
  const Chunks& c = run.chunks;
  std::vector<double> all(c.size(), 0), own(c.size(), 0);  // [s] in all sections, in this one
  for (const SectionValue& value : c.sections) {
    if (value.kind != SectionValue::Kind::seconds) continue;
    all[value.chunk] += value_or(value.value, 0);
    if (run.text(value.name) == section) own[value.chunk] += value_or(value.value, 0);
  }
  std::vector<double> seconds(c.size(), 0);
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (dataset && run.text(c.dataset[i]) != *dataset) continue;
    const bool overlap = sections_exceed(all[i], inside[i]);
    const double of_part = section_kind.empty()           ? inside[i]
                           : section_kind == "section"    ? own[i]
                           : section_kind == "no_section" ? (overlap ? 0 : inside[i] - all[i])
                                                          : (overlap ? inside[i] : 0);
    seconds[i] = std::clamp(of_part, 0.0, inside[i]);
  }
  return seconds;
}

/// A node of the tree; without `by_chunk`, a share of what its phase takes.
WorkPart part_of(const Run& run, const ReplayTrace& trace, const CoreTimeTree& tree,
                 std::uint32_t node) {
  const CoreTimeNode& own = tree.nodes[node];
  std::uint32_t phase = node;
  while (phase != 0 && tree.nodes[phase].parent != 0) phase = tree.nodes[phase].parent;
  const std::string_view of = kind_of(tree, phase);
  const double share =
      std::clamp(value_or(ratio(own.core_seconds, tree.nodes[phase].core_seconds), 0), 0.0, 1.0);
  WorkPart part{.on_cpu = value_or(ratio(own.on_cpu, own.on_cpu + own.waiting), 1),
                .least = value_or(ratio(own.least, own.core_seconds), 0),
                .most = value_or(ratio(own.most, own.core_seconds), 0)};
  part.by_chunk = seconds_by_chunk(run, tree, node, trace.inside);
  if (of == "inside_process" || of == "processor_tasks") {
    if (part.by_chunk.empty()) {
      part.by_chunk = trace.inside;
      for (double& seconds : part.by_chunk) seconds *= share;
    }
    part.outside = of == "processor_tasks" ? share : 0;
  } else if (of == "outside_process") {
    part.outside = share;
  } else if (of == "lost_work") {
    part.repeated = share;
  } else if (of == "other_tasks") {
    part.merging = share;
  } else {
    part.missing.kind = MissingPart::Kind::not_there;
  }
  return part;
}

}  // namespace

Saving find_saving(const Run& run, const Options& options, const CoreTimeTree& tree,
                   std::uint32_t node, double factor) {
  Saving saving;
  const ReplayTrace& trace = replay_trace_of(run, options);
  saving.elapsed = trace.elapsed;
  const auto without = [&](Saving::Basis why) {
    saving.basis = why;
    return saving;
  };
  if (trace.order.empty() || trace.slots.empty() || is_absent(trace.elapsed))
    return without(Saving::Basis::not_recorded);
  const WorkPart part = part_of(run, trace, tree, node);
  if (part.missing.any()) return without(Saving::Basis::no_work);
  const double error = std::fabs(replay_error(run, options));
  saving.replay_error = error;
  if (!(error <= worst_replay)) return without(Saving::Basis::bad_replay);
  const ChangedPart changed = change_part(run, options, part, factor);
  saving.saved = std::max(0.0, trace.elapsed - changed.likely);
  saving.low = std::clamp(trace.elapsed - changed.least, 0.0, saving.saved) * (1 - error);
  saving.high = std::max(saving.saved, trace.elapsed - changed.most) * (1 + error);
  return saving;
}

namespace {

constexpr double most_done = 0.95;

/// ∫ max(0, a − b) dt over [begin, end]: both are steps.
double positive_difference(const Steps& a, const Steps& b, double begin, double end) {
  const std::vector<double> edges = edges_of(a, b, begin, end);
  double sum = 0;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    sum += std::max(0.0, a.at(edges[i]) - b.at(edges[i])) * (edges[i + 1] - edges[i]);
  }
  return sum;
}

}  // namespace

Tail find_tail(const Run& run, const ChunkSelection& chosen, const Options& options) {
  Tail tail;
  const Chunks& c = run.chunks;
  std::vector<double> ends, durations;
  double first = absent;
  const WorkerSelection everyone(run, {});
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (!chosen[i] || is_absent(c.t_end[i])) continue;
    ends.push_back(c.t_end[i]);
    durations.push_back(c.t_end[i] - c.t_start[i]);
    if (is_absent(first) || c.t_start[i] < first) first = c.t_start[i];
    if (!tail.any || c.t_end[i] > c.t_end[tail.critical_chunk]) tail.critical_chunk = i;
    tail.any = true;
  }
  if (!tail.any) return tail;
  if (!run.chunks.placed) {
    // Durations hold, when they were does not.
    tail = {};
    const Run::Window window = run.window();
    tail.cores = std::round(core_time(run, everyone, window.begin, window.end).cores);
    return tail;
  }
  const auto last_of_most =
      ends.begin() +
      static_cast<std::ptrdiff_t>(std::ceil(most_done * static_cast<double>(ends.size()))) - 1;
  std::nth_element(ends.begin(), last_of_most, ends.end());
  tail.t95 = *last_of_most;
  tail.end = c.t_end[tail.critical_chunk];
  tail.actual_makespan = tail.end - first;

  const Steps cores = core_steps(run, everyone);
  if (!cores.empty()) {
    // A core that ran a chunk of another dataset was not wasted.
    tail.core_seconds = cores.integral(tail.t95, tail.end);
    tail.core_seconds_wasted = positive_difference(
        cores, chunk_steps(run), std::min(tail.t95, cores.end), std::min(tail.end, cores.end));
  }
  tail.cores = std::round(core_time(run, everyone, first, tail.end).cores);
  if (tail.cores >= 1) {
    // A core that opens a file or merges results takes no chunk meanwhile. Only what comes before
    // the first chunk is not in the time that is compared.
    const ReplayTrace& trace = replay_trace_of(run, options);
    const double around = trace.outside + trace.others + trace.gap;
    for (double& seconds : durations) seconds += around;
    if (durations.size() == trace.order.size() && !trace.slots.empty()) {
      // Of the whole run: on the cluster as it came and went.
      tail.ideal_makespan = std::min(
          tail.actual_makespan,
          on_recorded_cluster(trace, longest_first(std::move(durations))) - trace.after - first);
      return tail;
    }
    // More cores than chunks change nothing.
    const double useful = std::min(tail.cores, static_cast<double>(durations.size()));
    tail.ideal_makespan =
        std::min(tail.actual_makespan, replay(longest_first(std::move(durations)),
                                              std::vector<Slot>(static_cast<std::size_t>(useful))) -
                                           around);
  }
  return tail;
}

}  // namespace crema::predict
