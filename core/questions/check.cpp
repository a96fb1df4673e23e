// Question `check`: rules on the comparison of a candidate with a baseline, for gates in continuous integration.
#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/facts/comparison.hpp"
#include "core/facts/processor.hpp"
#include "core/questions/list.hpp"

namespace crema::questions::check {

namespace {

// What a run must not lose by a change, where nobody said otherwise: a tenth of its rate, and no chunk.
constexpr Option rules_option{.name = "rules",
                              .about = "rules, with ; or line breaks between: ID OP NUMBER[x|%]",
                              .fallback = "event_rate_core_khz >= 0.9x; lost_chunks <= 1x; num_failed_chunks <= 0"};

/// `ID OP NUMBER[x|%]`: 0.8x = 0.8 times the baseline; +5% or -5% = the baseline and 5 % more or less; 5% = 0.05.
struct Rule {
  std::string text, id, op;
  double number = absent;
  bool relative = false;  // times the baseline
};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const auto begin = text.find_first_not_of(blank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

Rule parse_rule(std::string_view text) {
  Rule rule;
  rule.text = text;
  const auto fail = [&](const std::string& why) {
    return Failure(ErrorCode::bad_option, "the rule \"" + rule.text + "\" " + why +
                                              "; a rule is ID OP NUMBER[x|%], for example event_rate_core_khz >= 0.9x");
  };
  // The operator is looked for from the end: names may hold anything.
  const auto at = text.find_last_of("<>=");
  if (at == std::string_view::npos) throw fail("has no operator (<, <=, >, >=, ==)");
  const std::size_t begin = at > 0 && (text[at - 1] == '<' || text[at - 1] == '>' || text[at - 1] == '=') ? at - 1 : at;
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
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(";\n", at), text.size());
    std::string_view line = std::string_view(text).substr(at, end - at);
    line = trimmed(line.substr(0, line.find('#')));
    if (!line.empty()) rules.push_back(parse_rule(line));
    at = end + 1;
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
  Table table;
  const auto text = table.add_text("rule");
  const auto kept = table.add_flag("kept", "missing: could not tell");
  const auto id = table.add_text("id");
  const auto baseline = table.add_number("baseline", "");
  const auto candidate = table.add_number("candidate", "");
  const auto limit = table.add_number("limit", "");
  const auto unit = table.add_text("unit");
  const auto note = table.add_text("note");
  for (const Rule& rule : parse_rules(options.text(rules_option))) {
    const std::size_t row = compared.row_of("id", rule.id);
    const bool known = row < compared.rows();
    const double a = known ? compared.number("a", row) : absent;
    const double b = known ? compared.number("b", row) : absent;
    const double bound = rule.relative ? rule.number * a : rule.number;
    table.put(text, rule.text);
    table.put(kept, is_absent(b) || is_absent(bound) ? absent : holds(b, rule.op, bound) ? 1 : 0);
    table.put(id, rule.id);
    table.put(baseline, a);
    table.put(candidate, b);
    table.put(limit, bound);
    table.put_present(unit, known ? compared.text("unit", row) : "");
    table.put_present(note, !known             ? "neither run has a number of this name"
                            : is_absent(b)     ? "not recorded in the candidate"
                            : is_absent(bound) ? "not recorded in the baseline"
                                               : "");
  }
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
