#include "core/report/core_time_verdict.hpp"

#include <algorithm>
#include <string_view>

#include "core/base/number_format.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/report/fill.hpp"
#include "core/report/findings_text.hpp"

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

}  // namespace crema::report
