// Question `check`: rules on the comparison of a candidate with a baseline, for gates in continuous
// integration.
#include "core/query/list.hpp"
#include "core/query/parts/comparison.hpp"
#include "core/query/parts/gate_table.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::query::check {

namespace {

constexpr Option rules_option{
    .name = "rules",
    .about =
        "rules, separated by ; or line breaks: event_rate_core_khz >= 0.9x; "
        "dataset:ttbar.seconds_per_million_events not worse"};
constexpr Option allow_option{
    .name = "allow",
    .about = "names of conditions that may fail, separated by commas; docs/gate.md lists them"};

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const auto compared = [&](const Selection& narrowed, std::string_view per) {
    std::map<std::string, std::string> of_sides = options.all();
    of_sides.erase(std::string(rules_option.name));
    of_sides.erase(std::string(allow_option.name));
    of_sides[std::string(per_option.name)] = per;
    return compare_sides(runs, narrowed, Options(std::move(of_sides))).rows;
  };
  const Gate gate =
      check_rules(runs, selection, options, options.text(rules_option), options.text(per_option),
                  allowed_reasons(options.text(allow_option)), compared);
  Table table = gate_table(gate, runs);
  const auto of_a = runs_of_a(options, runs.size());
  table.note("a", title_of(runs.first(of_a)));
  table.note("b", title_of(runs.subspan(of_a)));
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "check",
    .about =
        "rules on two runs, or on two groups of replicates, and conditions for comparing them: "
        "kept, broken, unknown or allowed",
    .options = {&runtime::processor_option, &per_option, &runs_of_a_option, &run_spread_option,
                &rules_option, &allow_option},
    .narrowed_by = all_dimensions,
    .min_runs = 2,
    .max_runs = any_number,
    .function = answer,
};

}  // namespace crema::query::check
