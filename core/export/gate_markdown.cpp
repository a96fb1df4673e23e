#include "core/export/gate_markdown.hpp"

#include "core/base/numbers.hpp"
#include "core/base/quantity.hpp"
#include "core/export/markdown.hpp"
#include "core/report/gate_text.hpp"

namespace crema::exports {

using namespace compare;

namespace {

std::string reason_line(const Gate& gate, const GateCondition& condition) {
  return (condition.state == GateState::allowed ? "* allowed: " : "* ") +
         markdown_cell(report::failure_text(condition, gate.titles)) + " (`--allow " +
         std::string(name_of(condition.reason)) + "`)\n";
}

std::string rule_line(const Gate& gate, const GateResult& result) {
  const auto quantity = [&](double value) {
    return is_absent(value) ? "" : format_quantity(result.id, result.unit, value);
  };
  const std::string state(name_of(result.state));
  return "| " + (result.state == GateState::broken ? "**" + state + "**" : state) + " | " +
         markdown_cell(report::rule_text(gate.rules[result.rule], result)) + " | " +
         quantity(result.baseline) + " | " + quantity(result.candidate) + " | " +
         quantity(result.limit) + " | " + markdown_cell(report::result_text(result)) + " |\n";
}

}  // namespace

std::string gate_markdown(const Gate& gate) {
  std::string reasons;
  std::string lines;
  for (const GateCondition& condition : gate.conditions)
    if (condition.state != GateState::kept) reasons += reason_line(gate, condition);
  for (const GateResult& result : gate.results) lines += rule_line(gate, result);
  std::string text = "# " + report::headline_text(gate) + "\n\n";
  if (!reasons.empty()) text += reasons + "\n";
  if (!lines.empty())
    text += "| | rule | baseline | candidate | limit | |\n|---|---|--:|--:|--:|---|\n" + lines;
  return text;
}

}  // namespace crema::exports
