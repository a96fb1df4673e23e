#include "core/questions/parts/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/elementary.hpp"
#include "core/base/error.hpp"
#include "core/base/visible.hpp"
#include "core/facts/noise/judge.hpp"
#include "core/facts/processor.hpp"
#include "core/questions/parts/compared_rows.hpp"

namespace crema::questions {

using namespace facts;

namespace {

/// The own function that changed most against the common factor: callers have what they call in
/// them, so that the largest of the profile's own frames is the smallest that is certain.
void add_function(const std::vector<Compared>& rows, std::vector<Cause>& causes) {
  const Compared* most = nullptr;
  for (const Compared& row : rows) {
    if (row.group != "own" || !row.is_told || row.id == "own.total") continue;
    if (most == nullptr || std::fabs(row.excess()) > std::fabs(most->excess())) most = &row;
  }
  if (most == nullptr) return;
  causes.push_back({.kind = Cause::Kind::function,
                    .label = visible(most->label),
                    .seconds = most->excess(),
                    .error = most->noise});
}

}  // namespace

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
  Comparison made{.explanation = explain(runs, of_a, selection, options)};
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
                    .factor = elementary::exp(made.explanation.pace.factor) * more,
                    .core_time = mean(b, core_time),
                    .has_replicates = runs.size() > 2,
                    .runs = alike(runs.first(of_a), runs.subspan(of_a)),
                    .run_spread = options.number(run_spread_option)};
  judge.judge(made.rows);
  std::vector<Cause> functions;
  if (per == Per::absolute) add_function(made.rows, functions);
  made.words = in_words(made.explanation, functions.empty() ? nullptr : &functions[0], runs, of_a,
                        selection, options);
  std::move(functions.begin(), functions.end(), std::back_inserter(made.explanation.causes));
  return made;
}

}  // namespace crema::questions
