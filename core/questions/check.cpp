// Question `check`: rules on the comparison of a candidate with a baseline, for gates in continuous
// integration.
#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/facts/comparison.hpp"
#include "core/facts/processor.hpp"
#include "core/questions/list.hpp"
#include "core/table/rows.hpp"

namespace crema::questions::check {

namespace {

// What a run must not lose by a change, where nobody said otherwise: a tenth of its rate, and no
// chunk.
constexpr Option rules_option{
    .name = "rules",
    .about = "rules, with ; or line breaks between: ID OP NUMBER[x|%]",
    .fallback = "event_rate_core_khz >= 0.9x; lost_chunks <= 1x; num_failed_chunks <= 0"};

/// `ID OP NUMBER[x|%]`: 0.8x = 0.8 times the baseline; +5% or -5% = the baseline and 5 % more or
/// less; 5% = 0.05.
struct Rule {
  std::string text, id, op;
  double number = absent;
  bool relative = false;  // times the baseline
};

Rule parse_rule(std::string_view text) {
  Rule rule;
  rule.text = text;
  const auto fail = [&](const std::string& why) {
    return Failure(ErrorCode::bad_option,
                   "the rule \"" + rule.text + "\" " + why +
                       "; a rule is ID OP NUMBER[x|%], for example event_rate_core_khz >= 0.9x");
  };
  // The operator is looked for from the end: names may hold anything.
  const auto at = text.find_last_of("<>=");
  if (at == std::string_view::npos) throw fail("has no operator (<, <=, >, >=, ==)");
  const std::size_t begin =
      at > 0 && (text[at - 1] == '<' || text[at - 1] == '>' || text[at - 1] == '=') ? at - 1 : at;
  rule.op = text.substr(begin, at + 1 - begin);
  if (rule.op == "=" || rule.op == "<<" || rule.op == ">>" || rule.op == "<>" || rule.op == "><")
    throw fail("has no operator (<, <=, >, >=, ==)");
  rule.id = trimmed(text.substr(0, begin));
  std::string_view amount = trimmed(text.substr(at + 1));
  if (rule.id.empty() || amount.empty()) throw fail("is not complete");
  const bool is_signed = amount.front() == '+' || amount.front() == '-';
  const char last = amount.back();
  if (last == 'x' || last == '%') amount = trimmed(amount.substr(0, amount.size() - 1));
  const bool plus = !amount.empty() && amount.front() == '+';
  if (plus) amount.remove_prefix(1);
  rule.number = parse_number(amount);
  if (is_absent(rule.number)) throw fail("has no number");
  if (last == 'x') rule.relative = true;
  if (last == '%') {
    rule.number /= 100;
    rule.relative = is_signed;
    if (is_signed) rule.number += 1;
  }
  return rule;
}

std::vector<Rule> parse_rules(const std::string& text) {
  std::vector<Rule> rules;
  for (std::string_view line : split(text, ";\n")) {
    line = trimmed(line.substr(0, line.find('#')));
    if (!line.empty()) rules.push_back(parse_rule(line));
  }
  return rules;
}

bool holds(double value, const std::string& op, double limit) {
  if (op == "<") return value < limit;
  if (op == "<=") return value <= limit;
  if (op == ">") return value > limit;
  if (op == ">=") return value >= limit;
  return value == limit;
}

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  std::map<std::string, std::string> passed_on = options.all();
  passed_on.erase(std::string(rules_option.name));
  const Table compared = compare::question(runs, selection, Options(std::move(passed_on)));
  /// A rule and the row of `compare` that it is about.
  struct Verdict {
    Rule rule;
    std::size_t row;
    double baseline = absent, candidate = absent, limit = absent;
  };
  std::vector<Verdict> verdicts;
  for (Rule& rule : parse_rules(options.text(rules_option))) {
    Verdict verdict{std::move(rule), 0};
    verdict.row = compared.row_of("id", verdict.rule.id);
    if (verdict.row < compared.rows()) {
      verdict.baseline = compared.number("a", verdict.row);
      verdict.candidate = compared.number("b", verdict.row);
    }
    verdict.limit =
        verdict.rule.relative ? verdict.rule.number * verdict.baseline : verdict.rule.number;
    verdicts.push_back(std::move(verdict));
  }
  const auto is_known = [&](const Verdict& v) { return v.row < compared.rows(); };
  Table table;
  Rows rows(table, verdicts);
  rows.text("rule", [](const Verdict& v) -> std::string_view { return v.rule.text; });
  rows.flag(
      "kept",
      [](const Verdict& v) {
        if (is_absent(v.candidate) || is_absent(v.limit)) return absent;
        return holds(v.candidate, v.rule.op, v.limit) ? 1.0 : 0.0;
      },
      "missing: could not tell");
  rows.text("id", [](const Verdict& v) -> std::string_view { return v.rule.id; });
  rows.number("baseline", "", &Verdict::baseline);
  rows.number("candidate", "", &Verdict::candidate);
  rows.number("limit", "", &Verdict::limit);
  rows.text("unit", [&](const Verdict& v) {
    return is_known(v) ? compared.text("unit", v.row) : std::string_view{};
  });
  rows.text("note", [&](const Verdict& v) {
    return !is_known(v)             ? "neither run has a number of this name"
           : is_absent(v.candidate) ? "not recorded in the candidate"
           : is_absent(v.limit)     ? "not recorded in the baseline"
                                    : "";
  });
  for (const Note& of_runs : compared.notes) {
    if (of_runs.name == "a" || of_runs.name == "b") table.notes.push_back(of_runs);
  }
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "check",
    .about = "rules on two runs: kept or broken",
    .options = {&facts::processor_option, &facts::per_option, &rules_option},
    .narrowed_by = all_dimensions,
    .min_runs = 2,
    .max_runs = 2,
    .function = answer,
};

}  // namespace crema::questions::check
