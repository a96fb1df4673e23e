#include "core/query/parts/run_figures.hpp"

#include <algorithm>

#include "core/diagnose/diagnose.hpp"
#include "core/query/question.hpp"
#include "core/report/findings_text.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/core_time.hpp"
#include "core/runtime/headlines.hpp"

namespace crema::query {

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
  const ChunkSelection all(run, {});
  const SectionSums sections = sum_sections(run, all);
  double accounted = 0;
  for (const auto& [name, seconds] : sections.seconds) {
    figures.sections.push_back({name, seconds});
    accounted += seconds;
  }
  if (!sections.seconds.empty() && !sections.may_overlap)
    figures.sections.push_back({"unaccounted", all.prorated_sum(c.duration) - accounted});
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
    figures.findings.push_back({std::string(id_of(finding.cause)), text_of(finding).title});
  return figures;
}

/// An answer as a digest keeps it: a file of columns, which have the names that they were written
/// with. Without rows where the digest lacks it.
class KeptAnswer {
 public:
  KeptAnswer(const Run& run, std::string_view question) {
    for (const Table& table : run.kept) {
      if (table_ == nullptr && table.question == question) table_ = &table;
    }
  }
  std::size_t rows() const { return table_ == nullptr ? 0 : table_->rows(); }
  double number(const char* name, std::size_t row) const {
    const Column* const column = table_->find(name);
    return column == nullptr || column->numbers.empty() ? absent : column->numbers[row];
  }
  std::string text(const char* name, std::size_t row) const {
    const Column* const column = table_->find(name);
    if (column == nullptr || column->texts.empty()) return {};
    return std::string(table_->strings[column->texts[row]]);
  }

 private:
  const Table* table_ = nullptr;
};

RunFigures of_digest(const Run& run) {
  RunFigures figures;
  const KeptAnswer summary(run, "summary");
  for (std::size_t i = 0; i < summary.rows(); ++i)
    figures.numbers.push_back({summary.text("id", i), summary.text("label", i),
                               summary.text("unit", i), summary.text("better", i),
                               summary.number("value", i)});
  const KeptAnswer datasets(run, "datasets");
  for (std::size_t i = 0; i < datasets.rows(); ++i)
    figures.datasets.push_back(
        {datasets.text("name", i), datasets.number("seconds", i), datasets.number("events", i)});
  const KeptAnswer sections(run, "sections");
  for (std::size_t i = 0; i < sections.rows(); ++i)
    figures.sections.push_back({sections.text("name", i), sections.number("seconds", i)});
  const KeptAnswer tree(run, "core_time_tree");
  for (std::size_t i = 0; i < tree.rows(); ++i) {
    if (tree.text("parent", i) == process && tree.text("kind", i) != "others")
      figures.functions[tree.text("label", i)] += tree.number("core_seconds", i);
  }
  const KeptAnswer findings(run, "findings");
  for (std::size_t i = 0; i < findings.rows(); ++i)
    figures.findings.push_back({findings.text("id", i), findings.text("title", i)});
  return figures;
}

struct KeptFigures {
  Once<RunFigures> figures;
};

}  // namespace

const RunFigures::Number* RunFigures::find(std::string_view id) const {
  const auto found =
      std::find_if(numbers.begin(), numbers.end(), [&](const Number& one) { return one.id == id; });
  return found == numbers.end() ? nullptr : &*found;
}

double RunFigures::number(std::string_view id) const {
  const Number* const one = find(id);
  return one == nullptr ? absent : one->value;
}

const RunFigures& figures_of(const Run& run) {
  return run.facts.of<KeptFigures>().figures.of(
      [&] { return run.is_digest() ? of_digest(run) : of_recording(run); });
}

}  // namespace crema::query
