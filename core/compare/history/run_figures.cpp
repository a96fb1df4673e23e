#include "core/compare/compared_rows.hpp"
#include "core/compare/history.hpp"

#include "core/diagnose/diagnose.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/core_time.hpp"
#include "core/runtime/headlines.hpp"

namespace crema::compare {

using namespace runtime;
using namespace diagnose;

namespace {

constexpr std::string_view process = "available/inside_process";

/// Σ of the present values of some chunks; absent where there are none.
double sum_of(const std::vector<double>& values, std::span<const std::uint32_t> chunks) {
  double sum = absent;
  for (const std::uint32_t i : chunks) {
    if (!is_absent(values[i])) sum = value_or(sum, 0) + values[i];
  }
  return sum;
}

void add_parts(const Run& run, RunFigures& figures) {
  const Chunks& c = run.chunks;
  const ChunkGroups& datasets = chunk_groups(run, ChunkKey::dataset);
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    const auto members = datasets.members(i);
    figures.datasets.push_back(
        {std::string(datasets.name[i]), sum_of(c.duration, members), sum_of(c.events, members)});
  }
  for (const SectionSeconds& section : part_seconds(run, ChunkSelection(run, {})).sections)
    figures.sections.push_back(
        {section.id.is_remainder ? "unaccounted" : section.id.name, section.seconds});
}

RunFigures of_recording(const Run& run) {
  RunFigures figures;
  for (const Headline& h : headlines(run, {}, {})) {
    const char* const better = h.better == Better::neither  ? ""
                               : h.better == Better::higher ? "higher"
                                                            : "lower";
    figures.numbers.push_back({h.id, h.label, h.unit, better, h.value});
  }
  add_parts(run, figures);
  const auto tree = core_time_tree(run, {}, {}, CoreTimeSplit::functions);
  if (const std::uint32_t inside = tree->find(process); inside != CoreTimeNode::none) {
    for (const std::uint32_t child : tree->children[inside])
      figures.functions[tree->nodes[child].label] += tree->nodes[child].core_seconds;
  }
  for (const Finding& finding : find_findings(run, {}))
    figures.findings.push_back({std::string(id_of(finding.cause))});
  return figures;
}

}  // namespace

const RunFigures& figures_of(const Run& run) {
  if (run.is_digest()) return run.figures;
  return run.facts.of<Once<RunFigures>>().of([&] { return of_recording(run); });
}

}  // namespace crema::compare
