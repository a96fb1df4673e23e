// Question `compare_matrix`: which section of which dataset changed between two sides.
#include <cmath>
#include <map>

#include "core/base/order.hpp"
#include "core/compare/explanation.hpp"
#include "core/query/list.hpp"
#include "core/runtime/cluster/processor.hpp"
#include "core/table/rows.hpp"

namespace crema::query::compare_matrix {

namespace {

/// A section of a dataset; all of the dataset where it names no section, and the other way round.
struct Cell {
  std::string dataset, section;
  double a = absent, b = absent;  ///< [core-s], means of each side's runs
  const Departure* part = nullptr;
  bool is_told = false;
  double of_dataset = 0, of_section = 0;  ///< what all of its dataset and of its section changed by

  double delta() const { return value_or(b, 0) - value_or(a, 0); }
};

/// Cells in the order in which they were met, found by their names; "" is all of them.
class Cells {
 public:
  /// Adds what `table` says of a run: one of `count` of its side.
  void add(const Table& table, bool of_datasets, bool in_b, std::size_t count) {
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const double seconds = table.number("seconds", row) / static_cast<double>(count);
      if (is_absent(seconds)) continue;
      std::string dataset(table.text(of_datasets ? "name" : "dataset", row));
      if (dataset.empty()) dataset = "unnamed";
      const std::string section(of_datasets ? "" : table.text("name", row));
      put(of(dataset, section), in_b, seconds);
      put(of("", section), in_b, seconds);
    }
  }

  Cell& of(const std::string& dataset, const std::string& section) {
    const auto [place, is_new] = places_.try_emplace(dataset + "\n" + section, all.size());
    if (is_new) all.push_back(Cell{.dataset = dataset, .section = section});
    return all[place->second];
  }

  std::vector<Cell> all;

 private:
  static void put(Cell& cell, bool in_b, double seconds) {
    double& sum = in_b ? cell.b : cell.a;
    sum = value_or(sum, 0) + seconds;
  }

  std::map<std::string, std::size_t> places_;
};

/// What is known of a cell's change: of all of it by the dataset's or the section's.
void judge(Cell& cell, const Pace& pace) {
  const auto is_told = [&](const std::string& id) {
    const Departure* const part = pace.find(id);
    return part != nullptr && part->is_told;
  };
  const bool is_whole = cell.dataset.empty() || cell.section.empty();
  const std::string id = cell.section.empty()   ? "dataset." + cell.dataset
                         : cell.dataset.empty() ? "section." + cell.section
                                                : "cell." + cell.dataset + "\n" + cell.section;
  cell.part = pace.find(id);
  // A dataset that moved as a whole has moved in each of its sections.
  cell.is_told = is_told(id) || (!is_whole && is_told("evenly." + cell.dataset));
}

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const auto of_a = runs_of_a(options, runs.size());
  const Explanation e = explain(runs, of_a, selection, options);
  const Options by_dataset(std::map<std::string, std::string>{{"by", "dataset"}});
  Cells cells;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const bool in_b = i >= of_a;
    const std::size_t count = in_b ? runs.size() - of_a : of_a;
    const auto run = runs.subspan(i, 1);
    cells.add(datasets::question(run, selection, {}), true, in_b, count);
    cells.add(sections::question(run, selection, by_dataset), false, in_b, count);
  }
  // What changed most comes first; sums come last, as totals stand.
  const auto size_of = [&](const std::string& dataset, const std::string& section) {
    const bool is_sum = dataset.empty() && section.empty();
    return is_sum ? -1 : std::fabs(cells.of(dataset, section).delta());
  };
  for (Cell& cell : cells.all) {
    judge(cell, e.pace);
    cell.of_dataset = size_of(cell.dataset, "");
    cell.of_section = size_of("", cell.section);
  }
  std::vector<Cell>& ordered = cells.all;
  sort_stably(ordered, [](const Cell& x, const Cell& y) {
    if (x.of_dataset != y.of_dataset) return x.of_dataset > y.of_dataset;
    if (x.dataset != y.dataset) return x.dataset < y.dataset;
    return x.of_section > y.of_section;
  });

  Table table;
  Rows rows(table, ordered);
  rows.text("dataset", [](const Cell& c) -> std::string_view { return c.dataset; });
  rows.text("section", [](const Cell& c) -> std::string_view { return c.section; });
  rows.number("a", "s", &Cell::a, "core-seconds, mean of A's runs");
  rows.number("b", "s", &Cell::b, "core-seconds, mean of B's runs");
  rows.number(
      "delta", "s", [](const Cell& c) { return c.delta(); }, "b − a; a missing cell counts as 0");
  rows.number(
      "ratio", "1", [](const Cell& c) { return ratio(c.b, c.a); }, "b / a");
  rows.number(
      "beyond_pace", "s",
      [](const Cell& c) { return c.part == nullptr ? absent : c.part->excess(); },
      "core-seconds more in B than the common factor of all parts explains");
  rows.number(
      "noise", "s",
      [](const Cell& c) { return c.part == nullptr ? absent : c.part->excess_error(); },
      "standard error of beyond_pace");
  rows.flag(
      "noteworthy", [](const Cell& c) { return c.part == nullptr ? absent
                                               : c.is_told       ? 1
                                                                 : 0; },
      "it, or all of its dataset, differs from the common factor beyond noise, corrected for the "
      "number of parts; missing: noise unknown");
  table.note("paired", e.pace.paired ? 1.0 : 0.0);
  if (ordered.empty())
    table.note("missing", "no chunks in either run: @track_metrics on process() records them");
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "compare_matrix",
    .about = "which section of which dataset changed between two runs",
    .options = {&processor_option, &runs_of_a_option, &run_spread_option},
    .narrowed_by = chunk_dimensions,
    .min_runs = 2,
    .max_runs = any_number,
    .function = answer,
};

}  // namespace crema::query::compare_matrix
