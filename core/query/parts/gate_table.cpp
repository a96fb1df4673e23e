#include "core/query/parts/gate_table.hpp"

#include "core/report/gate_text.hpp"
#include "core/table/rows.hpp"

namespace crema::query {

using namespace crema::compare;

namespace {

/// A row of the answer: a condition, or a rule on one number.
struct Line {
  const GateCondition* condition = nullptr;
  const GateResult* result = nullptr;

  GateState state() const { return condition != nullptr ? condition->state : result->state; }
};

}  // namespace

Table gate_table(const Gate& gate, std::span<const Run* const> runs) {
  std::vector<std::string_view> titles;
  for (const Run* run : runs) titles.push_back(run->title);
  std::vector<Line> lines;
  for (const GateCondition& condition : gate.conditions)
    if (condition.reason != GateReason::nothing_compared) lines.push_back({&condition, nullptr});
  for (const GateResult& result : gate.results) lines.push_back({nullptr, &result});
  for (const GateCondition& condition : gate.conditions)
    if (condition.reason == GateReason::nothing_compared) lines.push_back({&condition, nullptr});

  Table table;
  Rows rows(table, lines);
  const auto number = [](double GateResult::*member) {
    return [member](const Line& line) {
      return line.result == nullptr ? absent : line.result->*member;
    };
  };
  const auto text = [](std::string GateResult::*member) {
    return [member](const Line& line) -> std::string_view {
      return line.result == nullptr ? std::string_view() : line.result->*member;
    };
  };
  rows.text("kind", [](const Line& l) -> std::string_view {
    return l.result == nullptr ? "condition" : "rule";
  });
  rows.text("rule", [&](const Line& l) -> std::string {
    return l.result == nullptr ? std::string(report::condition_text(l.condition->reason))
                               : report::rule_text(gate.rules[l.result->rule], *l.result);
  });
  rows.text("state", [](const Line& l) { return name_of(l.state()); });
  rows.flag(
      "kept",
      [](const Line& l) {
        return l.state() == GateState::kept ? 1.0 : l.state() == GateState::broken ? 0.0 : absent;
      },
      "missing: undecided");
  rows.text("id", [](const Line& l) -> std::string_view {
    return l.result != nullptr ? std::string_view(l.result->id) : name_of(l.condition->reason);
  });
  rows.text("group", text(&GateResult::group));
  rows.number("line", "count", [&](const Line& l) {
    return l.result == nullptr ? absent : static_cast<double>(gate.rules[l.result->rule].line);
  });
  rows.number("baseline", "", number(&GateResult::baseline));
  rows.number("candidate", "", number(&GateResult::candidate));
  rows.number("limit", "", number(&GateResult::limit),
              "the limit that the candidate is checked against");
  rows.any_text("unit", text(&GateResult::unit));
  rows.number("noise", "", number(&GateResult::noise), "standard error of candidate − baseline");
  rows.text("verdict", [](const Line& l) -> std::string_view {
    return l.result == nullptr ? "" : report::verdict_text(*l.result);
  });
  rows.text("note", [&](const Line& l) -> std::string {
    return l.result == nullptr ? report::failure_text(*l.condition, titles)
                               : report::result_text(*l.result);
  });
  const GateState outcome = gate.outcome();
  table.note("outcome", outcome == GateState::unknown ? "refused" : name_of(outcome));
  return table;
}

}  // namespace crema::query
