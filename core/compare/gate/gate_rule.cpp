#include "core/compare/gate.hpp"

namespace crema::compare {

namespace {

struct Operator {
  std::string_view text;
  GateRule::Must must;
};
constexpr Operator operators[] = {{"<", [](double b, double limit) { return b < limit; }},
                                  {"<=", [](double b, double limit) { return b <= limit; }},
                                  {">", [](double b, double limit) { return b > limit; }},
                                  {">=", [](double b, double limit) { return b >= limit; }},
                                  {"==", [](double b, double limit) { return b == limit; }}};

constexpr std::string_view blanks = " \t\r";
constexpr std::string_view signs = "<>=!";  // of operators

constexpr bool is_in(std::string_view characters, char c) { return has_part(characters, c); }

/// Reads one rule from left to right.
class RuleReader {
 public:
  RuleReader(std::string_view text, std::size_t line) {
    rule_.text = text;
    rule_.line = line;
  }

  GateRule read() {
    read_subject();
    skip_blanks();
    const std::size_t begin = at_;
    at_ = behind(signs, at_);
    const std::string_view sign = text().substr(begin, at_ - begin);
    if (const Operator* const known =
            first_where(operators, [&](const Operator& one) { return one.text == sign; })) {
      rule_.must = known->must;
      read_amount();
    } else if (sign.empty() && take_word("not") && take_word("worse")) {
      if (take_word("by")) read_margin();
      else if (!at_end()) expect(at_, "\"by\" and a margin: 3%, 3% of A or 3pp");
    } else {
      expect(begin, "<, <=, >, >=, == or \"not worse\", as in \"event_rate_core_khz >= 0.9x\"");
    }
    skip_blanks();
    if (!at_end()) expect(at_, "the end of the rule");
    return std::move(rule_);
  }

 private:
  std::string_view text() const { return rule_.text; }
  bool at_end() const { return at_ >= text().size(); }

  [[noreturn]] void expect(std::size_t at, const std::string& what) const {
    refuse_rule(rule_, at, "expected " + what);
  }

  /// The first place from `at` on that is none of these characters, or the end.
  std::size_t behind(std::string_view characters, std::size_t at) const {
    return std::min(text().find_first_not_of(characters, at), text().size());
  }

  void skip_blanks() { at_ = behind(blanks, at_); }

  std::string_view word() const {
    return text().substr(at_, text().find_first_of(blanks, at_) - at_);
  }

  bool take_word(std::string_view wanted) {
    skip_blanks();
    if (word() != wanted) return false;
    at_ += wanted.size();
    return true;
  }

  void read_subject() {
    if (text().starts_with('"')) {
      at_ = text().find('"', 1);
      if (at_ == std::string_view::npos) expect(0, "a quote that ends");
      rule_.subject = text().substr(1, at_++ - 1);
    } else {
      while (!at_end() && !is_in(signs, text()[at_]) &&
             !((at_ == 0 || is_in(blanks, text()[at_ - 1])) && word() == "not"))
        ++at_;
      rule_.subject = trimmed(text().substr(0, at_));
    }
    rule_.subject_end = text().starts_with('"') ? at_ : rule_.subject.size();
    if (rule_.subject.empty()) expect(0, "the id of a number first");
  }

  void read_amount() {
    skip_blanks();
    rule_.amount_at = at_;
    const bool is_less = !at_end() && text()[at_] == '-';
    rule_.is_change = is_less || (!at_end() && text()[at_] == '+');
    if (rule_.is_change) ++at_;
    skip_blanks();
    const std::size_t begin = at_;
    at_ = behind("0123456789.", at_);
    // "1e3" is a number, the unit "eV" would not be one.
    if (!at_end() && at_ > begin && (text()[at_] == 'e' || text()[at_] == 'E')) {
      std::size_t end = at_ + 1;
      if (end < text().size() && (text()[end] == '+' || text()[end] == '-')) ++end;
      const std::size_t digits = end;
      end = behind("0123456789", end);
      if (end > digits) at_ = end;
    }
    rule_.number = parse_number(text().substr(begin, at_ - begin));
    if (!std::isfinite(rule_.number)) expect(begin, "a number: 0.9x, 90% of A, +10%, 30 s or 5pp");
    if (is_less) rule_.number = -rule_.number;
    read_unit();
  }

  void read_unit() {
    skip_blanks();
    rule_.kind = GateRule::Kind::plain;
    if (at_end()) return;
    const std::size_t begin = at_;
    if (text()[at_] == '%') {
      ++at_;
      rule_.kind = take_word("of") && take_word("A") ? GateRule::Kind::percent_of_a
                                                     : GateRule::Kind::percent;
    } else if (take_word("x")) {
      rule_.kind = GateRule::Kind::times;
    } else if (take_word("pp")) {
      rule_.kind = GateRule::Kind::points;
    } else if (find_unit(word()) != nullptr) {
      rule_.unit = word();
      at_ += rule_.unit.size();
    } else {
      expect(begin, "a unit: x (times A), % of A, pp, s, MB, GiB or kHz");
    }
    if (rule_.is_change && rule_.kind != GateRule::Kind::percent &&
        rule_.kind != GateRule::Kind::points)
      expect(rule_.amount_at, "a change in % or pp after its sign");
  }

  void read_margin() {
    read_amount();
    const bool is_margin = rule_.kind == GateRule::Kind::percent ||
                           rule_.kind == GateRule::Kind::percent_of_a ||
                           rule_.kind == GateRule::Kind::points;
    if (rule_.is_change || !is_margin) expect(rule_.amount_at, "a margin: 3%, 3% of A or 3pp");
  }

  GateRule rule_;
  std::size_t at_ = 0;
};

double plain_limit(const GateRule& rule, std::string_view unit) {
  // 0 is 0 in every unit.
  if (rule.number == 0 && rule.unit.empty()) return 0;
  const std::vector<std::string_view> like = units_like(unit);
  const std::vector<std::string> units(like.begin(), like.end());
  if (units.empty() && rule.unit.empty()) return rule.number;
  if (units.empty()) refuse_rule(rule, rule.amount_at, "it is a plain number and has no unit");
  const double times = rule.unit.empty() ? absent : unit_ratio(rule.unit, unit);
  if (is_absent(times))
    refuse_rule(
        rule, rule.amount_at,
        "expected an amount in " + listed(units, units.size(), ", ") + ", or x for times A");
  return rule.number * times;
}

/// Percent of a percentage are ambiguous, and points of what is none do not exist.
void require_fitting(const GateRule& rule, std::string_view id, std::string_view unit) {
  const bool is_percent = is_percentage(id, unit);
  const std::string number = number_text(std::fabs(rule.number));
  if (is_percent && (rule.kind == GateRule::Kind::percent ||
                     (rule.kind == GateRule::Kind::plain && rule.number != 0)))
    refuse_rule(rule, rule.amount_at,
                "it is a percentage: give points (" + number + "pp) or a part of the baseline (" +
                    number + "% of A)");
  if (!is_percent && rule.kind == GateRule::Kind::points)
    refuse_rule(rule, rule.amount_at, "pp are points of a percentage, and this is none");
}

}  // namespace

void refuse_rule(const GateRule& rule, std::size_t at, const std::string& why) {
  throw Failure(ErrorCode::bad_option,
                "rule \"" + rule.text + "\", character " + std::to_string(at + 1) + ": " + why);
}

std::vector<GateRule> parse_gate_rules(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // as some editors begin a file
  std::vector<GateRule> rules;
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    bool quoted = false;
    while (at < text.size() && text[at] != '\n' && (quoted || (text[at] != ';' && text[at] != '#')))
      quoted ^= text[at++] == '"';
    const std::string_view rule = trimmed(text.substr(begin, at - begin));
    if (!rule.empty()) rules.push_back(RuleReader(rule, line).read());
    if (at < text.size() && text[at] == '#') at = std::min(text.find('\n', at), text.size());
    if (at < text.size() && text[at++] == '\n') ++line;
  }
  return rules;
}

double limit_of(const GateRule& rule, std::string_view id, std::string_view unit, double baseline) {
  require_fitting(rule, id, unit);
  const double points = unit == "1" ? rule.number / 100 : rule.number;
  switch (rule.kind) {
    case GateRule::Kind::none: return absent;
    case GateRule::Kind::plain: return plain_limit(rule, unit);
    case GateRule::Kind::times: return rule.number * baseline;
    case GateRule::Kind::percent_of_a: return rule.number / 100 * baseline;
    case GateRule::Kind::percent:
      if (!rule.is_change)
        refuse_rule(rule, rule.amount_at,
                    "expected what it is a percentage of: " + number_text(rule.number) + "% of A");
      return baseline + rule.number / 100 * std::fabs(baseline);
    case GateRule::Kind::points: return rule.is_change ? baseline + points : points;
  }
  return absent;
}

double margin_of(const GateRule& rule, std::string_view id, std::string_view unit,
                 double baseline) {
  if (rule.kind == GateRule::Kind::none) return 0;
  require_fitting(rule, id, unit);
  if (rule.kind == GateRule::Kind::points) return unit == "1" ? rule.number / 100 : rule.number;
  return rule.number / 100 * std::fabs(baseline);
}

}  // namespace crema::compare
