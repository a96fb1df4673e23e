#include "core/compare/sides.hpp"

#include <algorithm>
#include <iterator>

#include "core/base/elementary.hpp"
#include "core/base/error.hpp"
#include "core/compare/changed_function.hpp"
#include "core/compare/compared_rows.hpp"
#include "core/compare/judge.hpp"
#include "core/predict/prediction.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::compare {

using namespace runtime;

Options options_for(const Run& run, const Options& options) {
  if (!options.has(processor_option)) return {};
  const StringId id = run.names->strings.find(options.text(processor_option));
  const auto& prefixes = run.activities.prefix;
  return std::find(prefixes.begin(), prefixes.end(), id) == prefixes.end() || id == no_string
             ? Options{}
             : Options(std::map<std::string, std::string>{
                   {std::string(processor_option.name), options.text(processor_option)}});
}

Comparison compare_sides(std::span<const Run* const> runs, const Selection& selection,
                         const Options& options) {
  const Per per = options.choice<Per>(per_option);
  const auto of_a = runs_of_a(options, runs.size());
  // which also says when that leaves none for B
  Comparison made{.explanation = explain(runs, of_a, selection, options),
                  .has_replicates = runs.size() > 2};
  std::vector<ComparedRun> all;
  for (const Run* run : runs) {
    all.emplace_back(*run, selection, options_for(*run, options), per);
    if (is_absent(all.back().scale))
      throw Failure(
          ErrorCode::bad_option,
          "per=" + options.text(per_option) + ": " + (all.size() <= of_a ? "A" : "B") +
              (per == Per::share ? " has no available core-time" : " has no number of events"));
  }
  const ComparedSide a = std::span(all).first(of_a);
  const ComparedSide b = std::span(all).subspan(of_a);
  ComparedRows compared = compared_rows(a, b, per);
  made.rows = compare_setup(a[0].run, b[0].run, selection, options);
  std::move(compared.rows.begin(), compared.rows.end(), std::back_inserter(made.rows));
  made.not_compared = std::move(compared.not_compared);

  const auto mean = [](ComparedSide side, auto&& value) {
    std::vector<double> values;
    for (const ComparedRun& one : side) values.push_back(value(one));
    return moments(values).mean;
  };
  const auto events = [](const ComparedRun& one) { return one.events; };
  const auto scale = [](const ComparedRun& one) { return one.scale; };
  const auto core_time = [](const ComparedRun& one) {
    const double of_process = one.budget.of(BudgetPart::Kind::inside_process);
    return value_or(value_or(one.budget.available, of_process), 0) * one.scale;
  };
  const double more_events = value_or(ratio(mean(b, events), mean(a, events)), 1);
  const double more = more_events * ratio(mean(b, scale), mean(a, scale));
  const Judge judge{.explanation = made.explanation,
                    .factor = elementary::exp(made.explanation.speed.factor) * more,
                    .core_time = mean(b, core_time),
                    .has_replicates = made.has_replicates,
                    .runs = comparability_of(runs.first(of_a), runs.subspan(of_a)),
                    .run_spread = options.number(predict::run_spread_option)};
  judge.judge(made.rows);
  if (per == Per::absolute)
    add_changed_function(compared, made.rows, judge.factor, judge.core_time, made.explanation);
  show_as_in_tree(compared, judge.factor, made.rows);
  return made;
}

}  // namespace crema::compare
