// Question `compare`: what changed between two runs, and where.
#include "core/query/list.hpp"
#include "core/query/parts/comparison.hpp"
#include "core/runtime/cluster.hpp"
#include "core/table/rows.hpp"

namespace crema::query::compare {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const auto of_a = runs_of_a(options, runs.size());
  const Comparison made = compare_sides(runs, selection, options);
  Table table;
  Rows compared(table, made.rows);
  compared.text("id", [](const ComparedNumber& row) { return row.id.text(); });
  compared.text("group", [](const ComparedNumber& row) { return name_of(row.id.group); });
  compared.text("label", &ComparedNumber::label);
  compared.number("a", "", [](const ComparedNumber& row) { return row.a.value; });
  compared.number("b", "", [](const ComparedNumber& row) { return row.b.value; });
  compared.text("a_text", [](const ComparedNumber& row) -> std::string_view { return row.a.text; });
  compared.text("b_text", [](const ComparedNumber& row) -> std::string_view { return row.b.text; });
  compared.number("delta", "", &ComparedNumber::delta,
                  "b − a; in groups that add up, a missing part counts as 0");
  compared.number(
      "ratio", "1", [](const ComparedNumber& row) { return ratio(row.b.value, row.a.value); },
      "b / a");
  compared.any_text("unit", &ComparedNumber::unit);
  compared.number("expected", "", &ComparedNumber::expected,
                  "b if it had changed as all work did; missing where a itself is expected");
  compared.number("noise", "", &ComparedNumber::noise,
                  "standard error of b − expected (of b − a); missing where unknown");
  compared.text("noise_from", &ComparedNumber::noise_from);
  compared.flag("noteworthy", &ComparedNumber::noteworthy,
                "beyond noise with at most 5 % of such rows false; parts that are 0.5 % of the "
                "core-time, other changes that are 0.5 % of it or "
                "of the number; set-up: not equal; missing: noise unknown");
  compared.text("verdict", &ComparedNumber::verdict);
  compared.text("note", &ComparedNumber::note);
  table.note("a", title_of(runs.first(of_a)));
  table.note("b", title_of(runs.subspan(of_a)));
  table.note("sentence", made.words.sentence);
  table.note("limits", made.words.limits);
  table.note("noise",
             runs.size() == 2
                 ? "datasets, sections, hosts and functions are judged against what all of them "
                   "have in common, by the spread of their chunks; whole runs by an assumed spread "
                   "of runs. Of all verdicts at most 5 % are false on average."
                 : "datasets, sections, hosts and functions are judged against what all of them "
                   "have in common, by the spread of chunks and of replicates; the rest by "
                   "replicates. Of all verdicts at most 5 % are false on average.");
  if (!made.not_compared.empty()) table.note("not_compared", made.not_compared);
  if (!selection.empty())
    table.note("selection",
               "both runs are narrowed alike; times count from each run's own start. "
               "Budget, activities and "
               "functions follow it as far as their questions do");
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "compare",
    .about = "every number of two runs, or of two groups of replicates, and whether it differs",
    .options = {&runtime::processor_option, &per_option, &runs_of_a_option, &run_spread_option},
    .narrowed_by = all_dimensions,
    .min_runs = 2,
    .max_runs = any_number,
    .function = answer,
};

}  // namespace crema::query::compare
