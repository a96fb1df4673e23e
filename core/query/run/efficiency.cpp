// Where the available core-time went, as factors: `efficiency`.
#include "core/predict/scaling.hpp"

#include <cmath>

#include "core/base/number_format.hpp"
#include "core/base/order.hpp"
#include "core/query/question.hpp"
#include "core/report/prediction_text.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::query::efficiency {

struct Row {
  const Run* run;
  Efficiency of;
  WorkDifference differs;
};

const Columns<Row> columns = {
    {"run", as_given, [](const Row& row) -> std::string_view { return row.run->title; }},
    {"number", "", [](const Row& row) { return row.run->number; },
     "the run's number in this session"},
    {"cores", "count", [](const Row& row) { return row.of.cores; }, "time average"},
    {"available", "s", [](const Row& row) { return row.of.available; }, "∫ cores dt"},
    {"load_balance", "1", [](const Row& row) { return row.of.load_balance; },
     "(available − idle while the last tasks ran) / available"},
    {"start_and_end", "1", [](const Row& row) { return row.of.start_and_end; },
     "what is left − idle before a worker's first task, / what was left"},
    {"scheduling", "1", [](const Row& row) { return row.of.scheduling; },
     "executing / what was left: gaps between tasks"},
    {"outside", "1", [](const Row& row) { return row.of.outside; },
     "(inside process() + repeated work) / executing"},
    {"lost", "1", [](const Row& row) { return row.of.lost; },
     "inside process() / with repeated work"},
    {"on_cpu", "1", [](const Row& row) { return row.of.on_cpu; },
     "on a CPU / on a CPU and waiting, of the processor's tasks"},
    {"useful", "1", [](const Row& row) { return row.of.useful; }, "the product of the factors"},
    {"useful_seconds", "s", [](const Row& row) { return row.of.useful_seconds; },
     "inside process() x on_cpu"},
    {"differs", [](const Row& row) { return difference_text(row.differs); }},
    {"missing", [](const Row& row) { return missing_text(row.of); }},
};

static Table answer(std::span<const Run* const> runs, const Selection& selection,
                    const Options& options) {
  std::vector<Row> found;
  const std::vector<WorkDifference> differs = differences(runs, options);
  for (std::size_t i = 0; i < runs.size(); ++i)
    found.push_back({runs[i], efficiency_of(*runs[i], options), differs[i]});
  // Unknown sizes last.
  sort_stably(found, [](const Row& a, const Row& b) {
    const bool known = !is_absent(a.of.cores);
    return known != !is_absent(b.of.cores) ? known : a.of.cores < b.of.cores;
  });
  Table table = columns.table(found);
  if (!selection.empty()) say(table, notes::efficiency_is_whole);
  // Of the runs of one work, the smallest against the largest.
  const Row* least = nullptr;
  const Row* most = nullptr;
  for (const Row& row : found) {
    if (row.differs.any() || is_absent(row.of.useful) || is_absent(row.of.cores)) continue;
    if (least == nullptr) least = &row;
    most = &row;
  }
  if (most != nullptr && most != least &&
      std::round(most->of.cores) > std::round(least->of.cores)) {
    const std::string fell = fell_text(what_fell(least->of, most->of));
    const std::string from = format_count(std::round(least->of.cores), "core");
    const std::string to = format_number(std::round(most->of.cores));
    const std::string before = format_percent(least->of.useful);
    const std::string now = format_percent(most->of.useful);
    if (fell.empty()) say(table, notes::no_factor_fell, {from, to, before, now});
    else say(table, notes::factor_fell, {from, to, before, now, fell});
  } else if (most != nullptr) {
    const std::string costs = costs_text(what_costs(most->of));
    const std::string useful = format_percent(most->of.useful);
    if (costs.empty()) say(table, notes::useful_share, {useful});
    else say(table, notes::largest_loss, {useful, costs});
  }
  return table;
}

extern const Question question(
    "efficiency", "each run: the share of its core-time that was useful, as a product of factors",
    columns, answer, {.options = {&runtime::processor_option}, .run_count = {1, any_number}});

}  // namespace crema::query::efficiency
