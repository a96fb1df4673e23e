#include "core/report/diagnosis_text.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/base/number_format.hpp"
#include "core/base/order.hpp"
#include "core/base/text.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/report/fill.hpp"
#include "core/report/findings_text.hpp"
#include "core/report/prediction_text.hpp"

namespace crema::report {

using namespace diagnose;

namespace {

std::string percent_of(const CoreTimeTree& tree, std::string_view kind) {
  double share = 0;
  for (const std::uint32_t child : tree.children[0]) {
    if (tree.nodes[child].kind == kind)
      share = tree.nodes[child].core_seconds / tree.nodes[0].core_seconds;
  }
  return format_percent(share);
}

}  // namespace

CoreTimeVerdict core_time_verdict(const Run& run, const Options& options,
                                  const CoreTimeTree& tree) {
  if (!(tree.nodes[0].core_seconds > 0) || tree.children[0].empty()) return {};
  const std::string inside =
      percent_of(tree, "inside_process") + " of the core-time was in process()";
  const std::string rest = fill("outside process() {}, lost work {}, other tasks {}, idle {}.",
                                {percent_of(tree, "outside_process"), percent_of(tree, "lost_work"),
                                 percent_of(tree, "other_tasks"), percent_of(tree, "idle")});
  const std::vector<Finding>& findings = find_findings(run, options);
  const auto largest = std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.cause == FindingCause::own_function;
  });
  // The analysis's own code is what a run is for, and comes last.
  if (!findings.empty() && findings.begin() != largest)
    return {text_of(findings.front()).title + ".", inside + "; " + rest};
  const std::string part = largest == findings.end() ? "" : "; " + text_of(*largest).title;
  return {fill("Nothing stands out: {}{}.", {inside, part}), "The rest: " + rest};
}

namespace {

/// A value with less of the selected chunks is not what they have in common: one of the thousands
/// of files that were read in a stretch of time.
constexpr double least_share = 0.05;

std::string number_text(ChunkFeature::Unit unit, double value) {
  switch (unit) {
    case ChunkFeature::Unit::seconds: return format_number(value) + " s";
    case ChunkFeature::Unit::bytes: return format_bytes(value);
    case ChunkFeature::Unit::memory: return format_memory(value);
    case ChunkFeature::Unit::number:
    case ChunkFeature::Unit::name: break;
  }
  return format_number(value);
}

}  // namespace

std::string value_text(const FeatureAssociation& association) {
  if (!association.value) return {};
  const ChunkFeature& feature = *association.feature;
  if (feature.unit == ChunkFeature::Unit::name)
    return std::string(feature.names[*association.value]);
  const auto& [low, high] = feature.ranges[*association.value];
  const std::string from = number_text(feature.unit, low), to = number_text(feature.unit, high);
  return from == to ? from : from + " to " + to;
}

std::string verdict_text(const std::vector<FeatureAssociation>& associations, double selected,
                         double others) {
  const std::string these = format_count(selected, "chunk");
  if (std::min(selected, others) < least_selected)
    return sentence(
        {these, " against ", format_number(others), ": too few to be distinguished from chance"});
  if (associations.empty() || !associations[0].is_significant)
    return sentence({"Nothing recorded distinguishes these ", these, " beyond chance"});
  const FeatureAssociation& first = associations[0];
  std::string text =
      first.selected < least_share * selected
          ? sentence({"The ", first.feature->name, " explains ", format_percent(first.explained),
                      " of what separates these ", these, " from the others, no single one much"})
          : sentence({first.feature->name, " ", value_text(first), ": ",
                      format_number(first.selected), " of these ", these, ", ",
                      format_number(first.lift), " times as often as chance"});
  const auto also = std::find_if(associations.begin() + 1, associations.end(),
                                 [](const auto& other) { return other.is_significant_then; });
  return also == associations.end()
             ? text
             : sentence({text, "; at equal times also the ", also->feature->name});
}

std::string_view name_of(diagnose::Certainty certainty) {
  using enum diagnose::Certainty;
  return certainty == very_likely ? "very likely" : certainty == likely ? "likely" : "possible";
}

std::string assumption_of(const Advice& advice) {
  if (const std::string text = assumed_text(advice.expected.basis); !text.empty()) return text;
  return is_absent(advice.expected.low) ? "" : std::string(fields_of(advice.setting).assumption);
}

std::string code_block(const Run& run, const Options& options, const std::vector<Advice>& advice) {
  const Run::Window window = run.window();
  const double cores = std::round(load_of(run, options).cores);
  std::vector<Advice> in_order = advice;
  sort_stably(in_order, [](const Advice& a, const Advice& b) { return a.setting < b.setting; });
  std::string text;
  for (const Advice& one : in_order) {
    const Prediction& expected = one.expected;
    text += fill("{}# {}.\n", {text.empty() ? "" : "\n", text_of(one.finding).title});
    if (!is_absent(expected.low)) {
      const bool is_band = expected.low < expected.high;
      text +=
          fill("# Expected: {}{} instead of {}{}{} ({}).\n",
               {is_band ? format_seconds(expected.low) + " to " : "", format_seconds(expected.high),
                format_seconds(window.end - window.begin),
                is_absent(expected.likely) || !is_band
                    ? ""
                    : ", best guess " + format_seconds(expected.likely),
                one.cores < cores ? fill(", on {} instead of {}",
                                         {format_count(one.cores, "core"), format_number(cores)})
                                  : "",
                name_of(one.certainty)});
    }
    text += one.code + "\n";
  }
  return text;
}

}  // namespace crema::report
