#include "core/compare/gate_rule.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/nearest.hpp"
#include "core/base/quantity.hpp"
#include "core/base/text.hpp"
#include "core/base/units.hpp"

namespace crema::compare {

namespace {

struct Operator {
  std::string_view text;
  GateRule::Must must;
};
constexpr std::array<Operator, 5> operators = {{{"<", GateRule::Must::be_less},
                                                {"<=", GateRule::Must::be_at_most},
                                                {">", GateRule::Must::be_more},
                                                {">=", GateRule::Must::be_at_least},
                                                {"==", GateRule::Must::be_equal}}};

struct Slip {
  std::string_view written, meant;
};
constexpr std::array<Slip, 10> operator_slips = {{{"=<", "<="},
                                                  {"=>", ">="},
                                                  {"=", "=="},
                                                  {"===", "=="},
                                                  {"<<", "<"},
                                                  {">>", ">"},
                                                  {"<==", "<="},
                                                  {">==", ">="},
                                                  {"≤", "<="},
                                                  {"≥", ">="}}};

constexpr std::array<Slip, 6> unit_slips = {{{"×", "x"},
                                             {"times", "x"},
                                             {"percent", "%"},
                                             {"points", "pp"},
                                             {"sec", "s"},
                                             {"seconds", "s"}}};

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_operator_sign(char c) { return c == '<' || c == '>' || c == '=' || c == '!'; }

[[noreturn]] void refuse(std::string_view rule, std::size_t begin, const std::string& why,
                         std::string_view nearest) {
  throw Failure(ErrorCode::bad_option, "rule \"" + std::string(rule) + "\", character " +
                                           std::to_string(begin + 1) + ": " + why +
                                           (why.ends_with('?') ? "" : ".") +
                                           " The nearest rule is: " + std::string(nearest));
}

constexpr const char* any_rule = "event_rate_core_khz >= 0.9x";
constexpr int most_slips = 4;

std::string nearest_rule(std::string_view text, int slips);

/// Reads one rule from left to right; what it expects next and does not find, it refuses. A rule
/// may have several slips: `slips` more are put right before the nearest rule is any.
class RuleReader {
 public:
  RuleReader(std::string_view text, std::size_t line, int slips = most_slips) : slips_(slips) {
    rule_.text = text;
    rule_.line = line;
  }

  GateRule read() {
    read_subject();
    skip_blanks();
    if (at_verdict()) read_verdict();
    else read_limit();
    skip_blanks();
    if (at_ < text().size()) fail(at_, text().size(), "nothing is expected after the rule", "");
    return std::move(rule_);
  }

  /// What read() named as the nearest rule when it threw.
  const std::string& nearest() const { return nearest_; }

 private:
  std::string_view text() const { return rule_.text; }
  std::string_view rest() const { return text().substr(at_); }
  bool at_end() const { return at_ >= text().size(); }

  [[noreturn]] void fail(std::size_t begin, std::size_t end, const std::string& why,
                         std::string_view instead) {
    std::string right(text().substr(0, begin));
    right.append(instead).append(text().substr(end));
    nearest_ = nearest_rule(trimmed(right), slips_ - 1);
    refuse(rule_.text, begin, why, nearest_);
  }

  void skip_blanks() {
    while (!at_end() && is_blank(text()[at_])) ++at_;
  }

  /// The length of the operator, right or wrong, that begins at `at`; 0 when none does.
  std::size_t operator_length(std::size_t at) const {
    for (const std::string_view sign : {"≤", "≥", "≠"}) {
      if (text().substr(at).starts_with(sign)) return sign.size();
    }
    std::size_t end = at;
    while (end < text().size() && is_operator_sign(text()[end])) ++end;
    return end - at;
  }

  /// The end of the word that begins at `at`: of what has no blank in it.
  std::size_t word_end(std::size_t at) const {
    while (at < text().size() && !is_blank(text()[at])) ++at;
    return at;
  }

  bool is_word(std::size_t at, std::string_view word) const {
    return text().substr(at, word_end(at) - at) == word;
  }

  bool at_verdict() const { return is_word(at_, "not"); }

  void read_subject() {
    rule_.subject_at = 0;
    if (text().front() == '"') {
      at_ = text().find('"', 1) + 1;
      rule_.subject = text().substr(1, at_ - 2);
    } else {
      while (!at_end() && operator_length(at_) == 0 &&
             !((at_ == 0 || is_blank(text()[at_ - 1])) && at_verdict()))
        ++at_;
      rule_.subject = trimmed(text().substr(0, at_));
    }
    rule_.subject_end = text().front() == '"' ? at_ : rule_.subject.size();
    if (rule_.subject.empty())
      fail(0, text().size(), "the number that it is about comes first", any_rule);
    if (at_end()) refuse_without_operator();
    if (is_digit(rule_.subject.front())) refuse_reversed();
  }

  /// "elapsed_time_seconds 30 s", "elapsed_time_seconds never worse", "elapsed_time_seconds".
  [[noreturn]] void refuse_without_operator() {
    const std::size_t begin = text().front() == '"' ? rule_.subject_end : word_end(0);
    std::size_t amount = begin;
    while (amount < text().size() && is_blank(text()[amount])) ++amount;
    const std::string_view more = text().substr(amount);
    const std::string why = "it has neither an operator (<, <=, >, >=, ==) nor \"not worse\"";
    if (more.empty()) fail(begin, begin, why, " not worse");
    if (is_digit(more.front()) || more.front() == '+' || more.front() == '-')
      fail(amount, amount, why, "<= ");
    fail(begin, text().size(), why, " not worse");
  }

  /// "0.9x <= event_rate_core_khz"
  [[noreturn]] void refuse_reversed() {
    const std::size_t length = operator_length(at_);
    const std::string_view sign = text().substr(at_, length);
    const std::string_view id = trimmed(text().substr(at_ + length));
    const std::string turned = sign.find('<') != std::string_view::npos   ? ">="
                               : sign.find('>') != std::string_view::npos ? "<="
                                                                          : "==";
    const bool is_id = !id.empty() && !is_digit(id.front()) && length > 0;
    fail(0, text().size(), "the number that it is about comes first, its limit last",
         is_id ? std::string(id) + " " + turned + " " + rule_.subject
               : "event_rate_core_khz " + turned + " 0.9x");
  }

  void read_verdict() {
    const std::size_t begin = at_;
    at_ = word_end(at_);
    skip_blanks();
    if (!is_word(at_, "worse")) {
      const std::string_view after = trimmed(text().substr(word_end(at_)));
      fail(begin, after.starts_with("by ") ? word_end(at_) : text().size(),
           "\"not\" goes on with \"worse\"", "not worse");
    }
    at_ = word_end(at_);
    rule_.must = GateRule::Must::not_worse;
    skip_blanks();
    if (at_end()) return;
    if (!is_word(at_, "by")) {
      const std::size_t digit = text().find_first_of("0123456789", at_);
      const std::string_view number =
          text().substr(std::min(digit, text().size()),
                        digit == std::string_view::npos ? 0 : number_end(digit) - digit);
      fail(at_, text().size(), "\"not worse\" goes on with \"by\" and a margin",
           "by " + (number.empty() ? "3" : std::string(number)) +
               (text().ends_with("pp") ? "pp" : "%"));
    }
    at_ = word_end(at_);
    skip_blanks();
    read_amount(" 3%");
    if (rule_.is_change) fail(rule_.amount_at, rule_.amount_at + 1, "a margin has no sign", "");
    if (rule_.kind != GateRule::Kind::percent && rule_.kind != GateRule::Kind::percent_of_a &&
        rule_.kind != GateRule::Kind::points) {
      fail(rule_.amount_at, rule_.amount_end, "a margin is so many %, % of A or pp",
           rule_.unit.empty() && rule_.kind == GateRule::Kind::plain
               ? number_text(rule_.number) + "%"
               : "3%");
    }
  }

  void read_limit() {
    const std::size_t length = operator_length(at_);
    const std::string_view sign = text().substr(at_, length);
    const auto known = std::find_if(operators.begin(), operators.end(),
                                    [&](const Operator& one) { return one.text == sign; });
    if (known == operators.end()) {
      const auto slip = std::find_if(operator_slips.begin(), operator_slips.end(),
                                     [&](const Slip& one) { return one.written == sign; });
      if (length == 0) refuse_without_operator();
      fail(at_, at_ + length,
           "\"" + std::string(sign) + "\" is no operator; there are <, <=, >, >=, ==",
           slip == operator_slips.end() ? "<=" : slip->meant);
    }
    rule_.must = known->must;
    at_ += length;
    skip_blanks();
    read_amount(" 1x");
  }

  /// The end of the number at `at`: digits, one point, an exponent; `at` when there is none.
  std::size_t number_end(std::size_t at) const {
    const auto digits = [&](std::size_t from) {
      while (from < text().size() && is_digit(text()[from])) ++from;
      return from;
    };
    std::size_t end = digits(at);
    std::size_t count = end - at;
    if (end < text().size() && text()[end] == '.') {
      const std::size_t fraction = digits(end + 1);
      count += fraction - end - 1;
      end = fraction;
    }
    if (count == 0) return at;
    if (end < text().size() && (text()[end] == 'e' || text()[end] == 'E')) {
      std::size_t power = end + 1;
      if (power < text().size() && (text()[power] == '+' || text()[power] == '-')) ++power;
      if (digits(power) > power) end = digits(power);
    }
    return end;
  }

  void read_amount(const char* example) {
    if (at_end()) fail(text().size(), text().size(), "an amount is missing", example);
    rule_.amount_at = at_;
    const bool minus = text()[at_] == '-';
    rule_.is_change = minus || text()[at_] == '+';
    if (rule_.is_change) {
      ++at_;
      skip_blanks();
    }
    const std::size_t begin = at_;
    at_ = number_end(at_);
    const std::size_t word = word_end(begin);
    if (at_ == begin) {
      fail(begin, word, "\"" + std::string(text().substr(begin, word - begin)) + "\" is no number",
           rule_.is_change ? "5%" : trimmed(example));
    }
    // "5,000" and "0,9": the one is grouped, the other has another point.
    if (!at_end() && (text()[at_] == ',' || text()[at_] == '_' || text()[at_] == '\'')) {
      std::string whole(text().substr(begin, word - begin));
      const bool grouped = word - at_ > 3 && is_digit(text()[at_ + 3]);
      if (grouped) std::erase_if(whole, [](char c) { return c == ',' || c == '_' || c == '\''; });
      else std::replace(whole.begin(), whole.end(), ',', '.');
      const bool reads = grouped || text()[at_] == ',';
      fail(begin, word, "a number has digits and one point", reads ? whole : trimmed(example));
    }
    rule_.number = parse_number(text().substr(begin, at_ - begin));
    if (!std::isfinite(rule_.number)) fail(begin, at_, "the number is too large", "1");
    if (minus) rule_.number = -rule_.number;
    rule_.amount_end = at_;
    skip_blanks();
    read_unit();
  }

  void read_unit() {
    rule_.kind = GateRule::Kind::plain;
    if (at_end()) return;
    const std::size_t begin = at_;
    const std::size_t end = text()[begin] == '%' ? begin + 1 : word_end(begin);
    const std::string_view unit = text().substr(begin, end - begin);
    at_ = rule_.amount_end = end;
    if (unit == "x") {
      rule_.kind = GateRule::Kind::times;
      if (rule_.is_change)
        fail(rule_.amount_at, rule_.amount_at + 1, "so many times A has no sign", "");
    } else if (unit == "pp") {
      rule_.kind = GateRule::Kind::points;
    } else if (unit == "%") {
      rule_.kind = GateRule::Kind::percent;
      read_of_a();
    } else if (find_unit(unit) != nullptr) {
      rule_.unit = unit;
    } else {
      refuse_unit(begin, end);
    }
  }

  void read_of_a() {
    std::size_t at = at_;
    while (at < text().size() && is_blank(text()[at])) ++at;
    if (at == text().size()) return;
    const std::size_t begin = at;
    const std::size_t of = word_end(at);
    while (at < of || (at < text().size() && is_blank(text()[at]))) ++at;
    if (!is_word(begin, "of") || !is_word(at, "A")) {
      const bool is_of = is_word(begin, "of");
      fail(
          begin, is_of ? word_end(at) : text().size(),
          is_of ? "percent are of A, the baseline" : "nothing is expected after \"%\" but \"of A\"",
          "of A");
    }
    if (rule_.is_change)
      fail(rule_.amount_at, word_end(at), "a change has no \"of A\"",
           number_text(100 + rule_.number) + "% of A");
    rule_.kind = GateRule::Kind::percent_of_a;
    at_ = rule_.amount_end = word_end(at);
  }

  [[noreturn]] void refuse_unit(std::size_t begin, std::size_t end) {
    std::vector<std::string_view> known = {"x", "%", "pp"};
    for (const std::string_view base : {"s", "byte", "Hz", "bps", "B/s"}) {
      for (const std::string_view name : units_like(base)) known.push_back(name);
    }
    const std::string_view unit = text().substr(begin, end - begin);
    const auto slip = std::find_if(unit_slips.begin(), unit_slips.end(),
                                   [&](const Slip& one) { return one.written == unit; });
    std::string meant(slip != unit_slips.end() ? slip->meant : crema::nearest(unit, known));
    if (meant == "%" && !rule_.is_change && !rule_.is_about_verdict()) meant = "% of A";
    fail(begin, meant.empty() ? text().size() : end,
         "\"" + std::string(unit) +
             "\" is no unit; there are x (times A), % of A, pp, and s, MB, GiB, kHz and the like",
         meant.empty() ? "x" : meant);
  }

  GateRule rule_;
  std::size_t at_ = 0;
  int slips_;
  std::string nearest_;
};

/// `text` where it is a rule; else that with its slips put right.
std::string nearest_rule(std::string_view text, int slips) {
  const auto quotes = std::count(text.begin(), text.end(), '"');
  if (quotes == 0) text = trimmed(text.substr(0, text.find_first_of("#;")));
  if (text.empty() || slips < 0 || quotes % 2 != 0) return any_rule;
  RuleReader reader(text, 1, slips);
  try {
    const GateRule rule = reader.read();
    const bool of_a =
        rule.kind == GateRule::Kind::percent && !rule.is_change && !rule.is_about_verdict();
    return std::string(text) + (of_a ? " of A" : "");
  } catch (const Failure&) {
    return reader.nearest();
  }
}

/// A rule's text and where it stands.
struct Piece {
  std::string_view text;
  std::size_t line;
};

/// Cuts at ";" and line breaks and drops comments, but not within quotes.
std::vector<Piece> pieces_of(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // as some editors begin a file
  std::vector<Piece> pieces;
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    bool quoted = false;
    while (at < text.size() && text[at] != '\n' && (quoted || (text[at] != ';' && text[at] != '#')))
      quoted ^= text[at++] == '"';
    const std::string_view piece = trimmed(text.substr(begin, at - begin));
    if (!piece.empty()) pieces.push_back({piece, line});
    if (quoted) {
      const std::size_t quote = piece.rfind('"');
      refuse(piece, quote, "the quote does not end",
             nearest_rule(std::string(piece.substr(0, quote)).append(piece.substr(quote + 1)),
                          most_slips));
    }
    if (at < text.size() && text[at] == '#') at = std::min(text.find('\n', at), text.size());
    if (at < text.size() && text[at++] == '\n') ++line;
  }
  return pieces;
}

std::string_view sign_of(const GateRule& rule) {
  return !rule.is_change ? "" : rule.number < 0 ? "-" : "+";
}

/// The number as it was written, without its unit.
std::string amount_text(const GateRule& rule) {
  return std::string(sign_of(rule)) + number_text(std::fabs(rule.number));
}

[[noreturn]] void refuse_amount(const GateRule& rule, const std::string& why,
                                const std::string& instead) {
  refuse_rule(rule, rule.amount_at, rule.amount_end, why, instead);
}

/// "s, ms, min"; what a number of this unit can be told in.
std::string list_of(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

double plain_limit(const GateRule& rule, std::string_view id, std::string_view unit) {
  const std::string number = amount_text(rule);
  if (is_percentage(id, unit)) {
    // 0 is 0 in every unit.
    if (rule.number == 0 && rule.unit.empty()) return 0;
    const bool fraction = unit == "1" && rule.unit.empty() && std::fabs(rule.number) <= 1;
    refuse_amount(rule, "it is a percentage: its limit is so many pp, or % of A",
                  (rule.number > 0 ? std::string(sign_of(rule)) : "") +
                      number_text(rule.number * (fraction ? 100 : 1)) + "pp");
  }
  if (rule.is_change)
    refuse_amount(rule, "a change against A is so many %", std::string(sign_of(rule)) + "5%");
  const std::vector<std::string_view> units = units_like(unit);
  const std::string_view own = find_unit(unit) != nullptr ? unit : unit.substr(0, unit.find('/'));
  if (rule.unit.empty()) {
    if (units.empty() || rule.number == 0) return rule.number;
    refuse_amount(rule, "it has no unit; there are " + list_of(units) + ", or x for times A",
                  number + " " + std::string(own));
  }
  if (units.empty()) refuse_amount(rule, "it is a plain number and has no unit", number);
  const double times = unit_ratio(rule.unit, unit);
  if (!is_absent(times)) return rule.number * times;
  const std::string_view meant = nearest(rule.unit, units);
  refuse_amount(rule, "\"" + rule.unit + "\" does not fit it; there are " + list_of(units),
                number + " " + std::string(meant.empty() ? own : meant));
}

/// So many percent of a percentage are refused: nobody can tell which are meant.
[[noreturn]] void refuse_percent(const GateRule& rule, bool is_change) {
  const std::string number = amount_text(rule);
  const std::string of_a =
      is_change ? number_text(100 + rule.number) + "% of A" : number + "% of A";
  refuse_amount(rule,
                "it is a percentage: percent of it can be points (" + number +
                    "pp) or a part of the baseline (" + of_a + ")",
                number + "pp");
}

[[noreturn]] void refuse_points(const GateRule& rule) {
  refuse_amount(rule, "pp are points of a percentage, and this is none",
                amount_text(rule) + (rule.is_change || rule.is_about_verdict() ? "%" : "% of A"));
}

}  // namespace

void refuse_rule(const GateRule& rule, std::size_t begin, std::size_t end, const std::string& why,
                 std::string_view instead) {
  std::string right = rule.text.substr(0, begin);
  right.append(instead).append(rule.text.substr(std::min(end, rule.text.size())));
  refuse(rule.text, begin, why, trimmed(right));
}

std::vector<GateRule> parse_gate_rules(std::string_view text) {
  std::vector<GateRule> rules;
  for (const Piece& piece : pieces_of(text))
    rules.push_back(RuleReader(piece.text, piece.line).read());
  return rules;
}

double limit_of(const GateRule& rule, std::string_view id, std::string_view unit, double baseline) {
  const double points = unit == "1" ? rule.number / 100 : rule.number;
  switch (rule.kind) {
    case GateRule::Kind::none: return absent;
    case GateRule::Kind::plain: return plain_limit(rule, id, unit);
    case GateRule::Kind::times: return rule.number * baseline;
    case GateRule::Kind::percent_of_a: return rule.number / 100 * baseline;
    case GateRule::Kind::percent:
      if (is_percentage(id, unit)) refuse_percent(rule, rule.is_change);
      if (!rule.is_change)
        refuse_amount(rule, "of what it is so many percent, is missing",
                      amount_text(rule) + "% of A");
      return baseline + rule.number / 100 * std::fabs(baseline);
    case GateRule::Kind::points:
      if (!is_percentage(id, unit)) refuse_points(rule);
      return rule.is_change ? baseline + points : points;
  }
  return absent;
}

double margin_of(const GateRule& rule, std::string_view id, std::string_view unit,
                 double baseline) {
  switch (rule.kind) {
    case GateRule::Kind::percent:
      if (is_percentage(id, unit)) refuse_percent(rule, false);
      [[fallthrough]];
    case GateRule::Kind::percent_of_a: return rule.number / 100 * std::fabs(baseline);
    case GateRule::Kind::points:
      if (!is_percentage(id, unit)) refuse_points(rule);
      return unit == "1" ? rule.number / 100 : rule.number;
    default: return 0;
  }
}

bool holds(const GateRule& rule, double value, double limit) {
  switch (rule.must) {
    case GateRule::Must::be_less: return value < limit;
    case GateRule::Must::be_at_most: return value <= limit;
    case GateRule::Must::be_more: return value > limit;
    case GateRule::Must::be_at_least: return value >= limit;
    case GateRule::Must::be_equal: return value == limit;
    case GateRule::Must::not_worse: break;
  }
  return false;
}

}  // namespace crema::compare
