// Question `check_history`: rules on a candidate, held against the runs since the last change.
#include <algorithm>
#include <cmath>

#include "core/base/elementary.hpp"
#include "core/base/error.hpp"
#include "core/base/nearest.hpp"
#include "core/base/number_format.hpp"
#include "core/base/quantity.hpp"
#include "core/base/sentence.hpp"
#include "core/compare/gate_conditions.hpp"
#include "core/compare/gate_rule.hpp"
#include "core/query/parts/gate_lines.hpp"
#include "core/query/parts/history.hpp"
#include "core/query/question.hpp"
#include "core/stats/discoveries.hpp"
#include "core/stats/p_value.hpp"

namespace crema::query::check_history {

namespace {

constexpr Option rules_option{
    .name = "rules",
    .about =
        "rules, separated by ; or line breaks: all not worse; dataset:ttbar not worse by 3%; "
        "core_seconds_per_million_events <= 1.05x"};

/// Runs since the last change, without outliers, as one number, and what the candidate's is beside.
struct Held {
  const SeasonSeries* series;
  std::size_t runs = 0;
  double level = absent;
  double candidate = absent;
  double error = absent;   ///< of one more run against them, in the unit of the series
  double chance = absent;  ///< that one more run is so far off
};

Held held(const SeasonSeries& series, std::size_t candidate, double chance) {
  Held one{&series};
  one.candidate = series.values[candidate];
  // Runs of other work say nothing of it.
  const auto [begin, end] = series.stretch_of(candidate);
  std::vector<double> before(series.values.begin() + static_cast<std::ptrdiff_t>(begin),
                             series.values.begin() + static_cast<std::ptrdiff_t>(end));
  before[candidate - begin] = absent;
  const Course course = course_of(before, chance);
  if (course.levels.empty()) return one;
  const Level& last = course.levels.back();
  std::vector<double> values;
  for (std::size_t i = last.begin; i < last.end; ++i) {
    const bool is_outlier =
        std::find(course.outliers.begin(), course.outliers.end(), i) != course.outliers.end();
    if (!is_absent(before[i]) && !is_outlier)
      values.push_back(course.relative ? elementary::log(before[i]) : before[i]);
  }
  const Moments of = moments(values);
  one.runs = of.count;
  one.level = course.relative ? elementary::exp(of.mean) : of.mean;
  // A slope says where the next one would be.
  if (of.count < least_level || is_absent(one.candidate)) return one;
  const double count = static_cast<double>(of.count);
  const double least = course.relative ? least_step / 2 : 0;
  const double error = std::max(of.std, least) * std::sqrt(1 + 1 / count);
  const bool is_log = course.relative && one.candidate > 0;
  const double off = (is_log ? elementary::log(one.candidate) : one.candidate) - of.mean;
  one.error = error * (course.relative ? one.level : 1);
  one.chance = stats::p_value(off / error, count - 1);
  return one;
}

bool is_about(const GateRule& rule, const SeasonSeries& series) {
  return rule.subject == "all" || rule.subject == series.id ||
         series.id.starts_with(rule.subject + ".");
}

/// A rule on one number, but for what all of them decide together.
GateLine line_of(const GateRule& rule, const Held& of) {
  GateLine line;
  line.kind = "rule";
  line.rule = sentence({of.series->id, rule.text.substr(rule.subject_end)});
  line.line = static_cast<double>(rule.line);
  line.id = of.series->id;
  line.unit = of.series->unit;
  line.baseline = of.level;
  line.candidate = of.candidate;
  line.noise = of.error;
  line.state = unknown;
  const std::string of_runs = sentence(
      {"of ", format_count(static_cast<double>(of.runs), "run"), " since the last change"});
  if (is_absent(of.candidate)) line.note = "the candidate has no such number";
  else if (of.runs < least_level)
    line.note = sentence({of_runs, ": at least ", std::to_string(least_level), " are needed"});
  else
    line.note = sentence({format_quantity(line.id, line.unit, of.candidate), " against ",
                          format_quantity(line.id, line.unit, of.level), " ± ",
                          format_quantity(line.id, line.unit, of.error), " ", of_runs});
  return line;
}

/// `is_told`: the number differs, of all that were looked at.
void judge(GateLine& line, const GateRule& rule, const Held& of, bool is_told) {
  if (is_absent(of.candidate) || of.runs < least_level) return;
  if (!rule.is_about_verdict()) {
    line.limit = limit_of(rule, line.id, line.unit, line.baseline);
    line.state = holds(rule, line.candidate, line.limit) ? kept : broken;
    return;
  }
  const bool lower_is_better = of.series->better == "lower";
  const double worse_by = (of.candidate - of.level) * (lower_is_better ? 1 : -1);
  const double margin = margin_of(rule, line.id, line.unit, line.baseline);
  if (is_told) line.verdict = worse_by > 0 ? "worse" : "better";
  line.state = is_told && worse_by > margin ? broken : kept;
  line.note += !is_told            ? ": within their noise"
               : worse_by <= 0     ? ": better"
               : worse_by > margin ? ": worse"
                                   : ": worse by less than the margin";
}

Table answer(std::span<const Run* const> runs, const Selection&, const Options& options) {
  const auto season = season_of(runs);
  const std::vector<GateRule> rules = parse_gate_rules(options.text(rules_option));
  const auto candidate = static_cast<std::size_t>(
      std::find(season->runs.begin(), season->runs.end(), runs.back()) - season->runs.begin());
  std::vector<GateLine> lines;
  const auto condition = [&](std::string_view name, const char* what, std::string reason) {
    GateLine line;
    line.kind = "condition";
    line.rule = what;
    line.id = name;
    line.state = reason.empty() ? kept : unknown;
    line.note = std::move(reason);
    lines.push_back(std::move(line));
  };
  condition(no_rules, "there are rules",
            rules.empty() ? "no rule was given, so nothing could be broken" : "");
  condition("other-work", "the candidate is the same work as the history",
            season->left_out[candidate]);
  std::vector<std::pair<const GateRule*, Held>> checked;
  std::vector<double> chances;
  for (const GateRule& rule : rules) {
    std::vector<std::string_view> known = {"all"};
    const std::size_t before = checked.size();
    for (const SeasonSeries& series : season->series) {
      known.push_back(series.id);
      if (!is_about(rule, series)) continue;
      if (rule.is_about_verdict() && series.better.empty()) continue;
      checked.emplace_back(&rule, held(series, candidate, options.number(chance_option)));
      chances.push_back(rule.is_about_verdict() ? checked.back().second.chance : absent);
    }
    if (checked.size() == before)
      throw Failure(ErrorCode::bad_option,
                    "rules: the history has no number " + not_among(rule.subject, known));
  }
  const std::vector<bool> is_told = stats::discoveries(chances);
  for (std::size_t i = 0; i < checked.size(); ++i) {
    const auto& [rule, of] = checked[i];
    GateLine line = line_of(*rule, of);
    judge(line, *rule, of, is_told[i]);
    lines.push_back(std::move(line));
  }
  Table table;
  add_gate_lines(table, lines);
  table.note("a", "the history");
  table.note("b", runs.back()->title);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "check_history",
    .about =
        "rules on the last run given, checked against the level of the others since their last "
        "change",
    .options = {&chance_option, &rules_option},
    .min_runs = 2,
    .max_runs = any_number,
    .of_digests = true,
    .function = answer,
};

}  // namespace crema::query::check_history
