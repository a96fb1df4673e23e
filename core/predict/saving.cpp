#include "core/predict/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/runtime/chunks.hpp"

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

}  // namespace

Saving find_saving(const Run& run, const Options& options, const CoreTimeTree& tree,
                   std::uint32_t node, double factor) {
  Saving saving;
  const ReplayTrace& trace = replay_trace_of(run, options);
  saving.elapsed = trace.elapsed;
  if (trace.order.empty() || trace.slots.empty() || is_absent(trace.elapsed)) {
    saving.basis = Saving::Basis::not_recorded;
    return saving;
  }
  std::uint32_t phase = node;
  while (phase != 0 && tree.nodes[phase].parent != 0) phase = tree.nodes[phase].parent;
  const std::string_view of = kind_of(tree, phase);
  const bool in_process = of == "inside_process";
  const bool in_tasks = of == "processor_tasks";
  const bool is_work =
      in_process || in_tasks || of == "outside_process" || of == "lost_work" || of == "other_tasks";
  if (!is_work) {
    saving.basis = Saving::Basis::no_work;
    return saving;
  }
  const double base = on_recorded_cluster(trace, tasks_of(trace, trace.inside, trace.outside));
  const double error = std::fabs(replay_error(run, options));
  saving.replay_error = error;
  if (!(error <= worst_replay)) {
    saving.basis = Saving::Basis::bad_replay;
    return saving;
  }
  const std::vector<double> by_chunk = seconds_by_chunk(run, tree, node, trace.inside);
  const double phase_seconds = tree.nodes[phase].core_seconds;
  // [s] sooner, were that many core-seconds of the part made shorter.
  const auto saved = [&](double core_seconds) {
    const double gone = (1 - factor) * core_seconds;
    const double share = std::clamp(value_or(ratio(gone, phase_seconds), 0), 0.0, 1.0);
    std::vector<double> inside = trace.inside;
    double outside = trace.outside;
    ReplayTrace changed = trace;
    if (!by_chunk.empty()) {
      const double whole = tree.nodes[node].core_seconds;
      const double of_part = (1 - factor) * value_or(ratio(core_seconds, whole), 0);
      for (std::size_t i = 0; i < inside.size(); ++i) inside[i] -= of_part * by_chunk[i];
    } else if (in_process || in_tasks) {
      for (double& seconds : inside) seconds *= 1 - share;
    }
    if (of == "outside_process" || in_tasks) outside *= 1 - share;
    if (of == "lost_work") changed.repeated *= 1 - share;
    if (of == "other_tasks") changed.others *= 1 - share;
    return std::max(0.0, base - on_recorded_cluster(changed, tasks_of(changed, inside, outside)));
  };
  const CoreTimeNode& part = tree.nodes[node];
  const double computing = value_or(ratio(part.on_cpu, part.on_cpu + part.waiting), 1);
  saving.saved = saved(part.core_seconds);
  saving.low = std::min(saving.saved, saved(part.least * computing)) * (1 - error);
  saving.high = std::max(saving.saved, saved(part.most)) * (1 + error);
  return saving;
}

}  // namespace crema::predict
