// Question `compare_matrix`: which section of which dataset changed between two sides.
#include <cmath>

#include "core/base/collect.hpp"
#include "core/base/elementary.hpp"
#include "core/base/order.hpp"
#include "core/compare/compared_rows.hpp"
#include "core/compare/comparison.hpp"
#include "core/compare/sides.hpp"
#include "core/predict/prediction.hpp"
#include "core/query/question.hpp"

namespace crema::query::compare_matrix {

/// A section of a dataset; all of the dataset where it has no section, and the other way round.
static PartId id_of(const std::optional<std::string>& dataset,
                    const std::optional<SectionId>& section) {
  using Kind = PartId::Kind;
  return {.kind = dataset && section ? Kind::cell
                  : section          ? Kind::section
                                     : Kind::dataset,
          .dataset = dataset,
          .section = section};
}

struct Cell {
  PartId id;
  double a = absent, b = absent;  ///< [core-s], means of each side's runs
  const Effect* part = nullptr;
  bool is_significant = false;
  double excess = absent, margin = absent;  ///< [s]
  double of_dataset = 0, of_section = 0;  ///< what all of its dataset and of its section changed by

  double delta() const { return value_or(b, 0) - value_or(a, 0); }
};

/// Cells in the order in which they were met.
class Cells {
 public:
  /// Adds what a run spent, one of `count` of its side.
  void add(const Run& run, const Selection& selection, bool in_b, std::size_t count) {
    const ChunkSelection chosen(run, selection);
    const auto put = [&](const std::optional<std::string>& dataset,
                         const std::optional<SectionId>& section, double seconds) {
      if (is_absent(seconds)) return;
      for (const PartId& id : {id_of(dataset, section), id_of(std::nullopt, section)}) {
        double& sum = in_b ? of(id).b : of(id).a;
        sum = value_or(sum, 0) + seconds / static_cast<double>(count);
      }
    };
    for (const DatasetSeconds& dataset : part_seconds(run, chosen).datasets) {
      put(dataset.name, std::nullopt, dataset.seconds);
      for (const SectionSeconds& section : dataset.sections)
        put(dataset.name, section.id, section.seconds);
    }
  }

  Cell& of(const PartId& id) { return one_of(places_, id, all, {.id = id}); }

  std::vector<Cell> all;

 private:
  std::map<PartId, std::size_t> places_;
};

/// What is known of a cell's change: of all of it by the dataset's or the section's.
static void judge(Cell& cell, const SpeedRatio& speed) {
  cell.part = speed.find(cell.id);
  if (cell.part == nullptr) return;
  // A dataset that moved as a whole has moved in each of its sections.
  const Effect* const evenly =
      cell.id.kind == PartId::Kind::cell
          ? speed.find({.kind = PartId::Kind::evenly, .dataset = cell.id.dataset})
          : nullptr;
  cell.is_significant = cell.part->is_significant || (evenly != nullptr && evenly->is_significant);
  cell.excess = cell.part->excess();
  cell.margin = margin_of(speed, *cell.part);
}

/// Under what all parts have in common, as a factor.
const Columns<Cell, double> columns = {
    {"dataset",
     [](const Cell& c) -> std::string {
       return c.id.dataset ? RowId{RowGroup::dataset, RowId::Kind::part, *c.id.dataset}.label()
                           : "";
     }},
    {"section",
     [](const Cell& c) -> std::string {
       return c.id.section ? row_of(*c.id.section).label() : "";
     }},
    {"a", "s", &Cell::a, "core-seconds, mean of A's runs"},
    {"b", "s", &Cell::b, "core-seconds, mean of B's runs"},
    {"delta", "s", &Cell::delta, "b − a; a missing cell counts as 0"},
    {"ratio", "1", [](const Cell& c) { return ratio(c.b, c.a); }, "b / a"},
    {"beyond_pace", "s",
     [](const Cell& c, double factor) {
       return c.part == nullptr ? absent : value_or(c.b, 0) - factor * value_or(c.a, 0);
     },
     "b − a × common_factor: core-seconds that are not explained by what all parts have in common"},
    {"noise", "s",
     [](const Cell& c) { return c.part == nullptr ? absent : c.part->excess_error(); },
     "standard error of excess"},
    {"excess", "s", &Cell::excess,
     "core-seconds beyond what the part's chunks have in common with all others, and a section's "
     "beyond what all of its dataset did: the seconds of `verdict`"},
    {"margin", "s", &Cell::margin,
     "what excess must be beyond to be told, corrected for the number of parts; missing where it "
     "is beyond and not told: another part or the moment it ran in explains it as well"},
    {"noteworthy", as_flag,
     [](const Cell& c) { return c.part == nullptr  ? absent
                                : c.is_significant ? 1
                                                   : 0; },
     "it, or all of its dataset, differs from the common factor beyond noise, corrected for the "
     "number of parts; missing: noise unknown"},
};

static Table answer(std::span<const Run* const> runs, const Selection& selection,
                    const Options& options) {
  const auto of_a = runs_of_a(options, runs.size());
  const Explanation e = explain(runs, of_a, selection, options);
  Cells cells;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const bool in_b = i >= of_a;
    cells.add(*runs[i], selection, in_b, in_b ? runs.size() - of_a : of_a);
  }
  // What changed most comes first; sums come last, as totals stand.
  const auto size_of = [&](const PartId& id) {
    return !id.dataset && !id.section ? -1 : std::fabs(cells.of(id).delta());
  };
  std::vector<Cell> ordered = cells.all;
  for (Cell& cell : ordered) {
    judge(cell, e.speed);
    cell.of_dataset = size_of(id_of(cell.id.dataset, std::nullopt));
    cell.of_section = size_of(id_of(std::nullopt, cell.id.section));
  }
  sort_stably(ordered, [](const Cell& x, const Cell& y) {
    if (x.of_dataset != y.of_dataset) return x.of_dataset > y.of_dataset;
    if (x.id.dataset != y.id.dataset) return x.id.dataset < y.id.dataset;
    return x.of_section > y.of_section;
  });
  const double factor = value_or(elementary::exp(e.speed.factor), 1);

  Table table = columns.table(ordered, factor);
  table.note("common_factor", factor);
  table.note("paired", e.speed.paired ? 1.0 : 0.0);
  if (ordered.empty()) say(table, notes::no_chunks_in_either);
  return table;
}

extern const Question question(
    "compare_matrix", "which section of which dataset changed between two runs", columns, answer,
    {.options = {&processor_option, &runs_of_a_option, &run_spread_option},
     .narrowed_by = compared_dimensions,
     .run_count = {2, any_number}});

}  // namespace crema::query::compare_matrix
