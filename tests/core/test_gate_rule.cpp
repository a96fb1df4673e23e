#include <random>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/compare/gate.hpp"
#include "tests/core/catch.hpp"

using namespace crema;
using namespace crema::compare;

namespace {

GateRule rule(const std::string& text) {
  const std::vector<GateRule> rules = parse_gate_rules(text);
  REQUIRE(rules.size() == 1);
  return rules.front();
}

/// What a number of this unit is held against when the baseline has 80 of it.
double limit(const std::string& text, const char* unit, double baseline = 80) {
  return limit_of(rule(text), "n", unit, baseline);
}

/// What is said about a rule that cannot be used for a number of this unit; "" when it can.
std::string refusal(const std::string& text, const char* unit = "s") {
  try {
    for (const GateRule& one : parse_gate_rules(text)) {
      if (one.is_about_verdict()) margin_of(one, "n", unit, 80);
      else limit_of(one, "n", unit, 80);
    }
  } catch (const Failure& failure) {
    return failure.error().detail;
  }
  return "";
}

}  // namespace

TEST_CASE("A rule's limit is in the number's unit, from A or as it stands") {
  CHECK(limit("n >= 0.9x", "kHz") == Approx(72));
  CHECK(limit("n >= 90% of A", "kHz") == Approx(72));
  CHECK(limit("n <= 2.5 GB", "byte") == 2.5e9);
  CHECK(limit("n<=2.5GB", "byte") == 2.5e9);
  CHECK(limit("n <= 512 MiB", "MiB") == 512);
  CHECK(limit("n <= 1.5 min", "s") == 90);
  CHECK(limit("n <= 300 ms", "s/10⁶ events") == Approx(0.3));
  CHECK(limit("n >= 900 Hz", "kHz") == Approx(0.9));
  CHECK(limit("n <= +10%", "byte") == Approx(88));
  CHECK(limit("n >= -10%", "byte") == Approx(72));
  CHECK(limit("n <= 5", "count") == 5);
  CHECK(limit("n == 0", "byte") == 0);
  CHECK(limit("n < 1e-3 s", "s") == 1e-3);
  // A percentage is a fraction (unit "1") or counted in percent.
  CHECK(limit("n <= +5pp", "1", 0.8) == Approx(0.85));
  CHECK(limit("n >= -5pp", "%") == Approx(75));
  CHECK(limit("n >= 92pp", "1", 0.8) == Approx(0.92));
  CHECK(limit("n >= 90% of A", "1", 0.8) == Approx(0.72));
  CHECK(limit_of(rule("speedup_factor >= 3"), "speedup_factor", "1", 4) == 3);
}

TEST_CASE("What needs the baseline is absent without it, what does not is not") {
  CHECK(is_absent(limit("n >= 0.9x", "s", absent)));
  CHECK(is_absent(limit("n <= +10%", "s", absent)));
  CHECK(limit("n <= 3 s", "s", absent) == 3);
}

TEST_CASE("Not worse, and by how much") {
  CHECK(rule("n not worse").is_about_verdict());
  CHECK(margin_of(rule("n not worse"), "n", "s", 80) == 0);
  CHECK(margin_of(rule("n not worse by 3%"), "n", "s", 80) == Approx(2.4));
  CHECK(margin_of(rule("n not worse by 3pp"), "n", "1", 0.8) == Approx(0.03));
  CHECK(margin_of(rule("n not worse by 3% of A"), "n", "1", 0.8) == Approx(0.024));
}

TEST_CASE("Each operator, at its limit and beside it") {
  const auto kept = [](const char* text) {
    const GateRule one = rule(std::string("n ") + text + " 2");
    return std::vector<bool>{one.must(1, 2), one.must(2, 2), one.must(3, 2)};
  };
  CHECK(kept("<") == std::vector<bool>{true, false, false});
  CHECK(kept("<=") == std::vector<bool>{true, true, false});
  CHECK(kept(">") == std::vector<bool>{false, false, true});
  CHECK(kept(">=") == std::vector<bool>{false, true, true});
  CHECK(kept("==") == std::vector<bool>{false, true, false});
}

TEST_CASE("Rules stand on lines or between semicolons; comments and quotes") {
  const std::vector<GateRule> rules = parse_gate_rules(
      "\xef\xbb\xbf# a gate\r\n\na >= 0.9x; b not worse  # both\r\n"
      "\"own.<lambda> (a;b#c.py)\" <= 2x;;\ndataset:t t.seconds not worse by 3%");
  REQUIRE(rules.size() == 4);
  CHECK(rules[0].subject == "a");
  CHECK(rules[0].line == 3);
  CHECK(rules[1].text == "b not worse");
  CHECK(rules[1].line == 3);
  CHECK(rules[2].subject == "own.<lambda> (a;b#c.py)");
  CHECK(rules[2].line == 4);
  CHECK(rules[3].subject == "dataset:t t.seconds");
  CHECK(rules[3].line == 5);
  CHECK(parse_gate_rules("").empty());
  CHECK(parse_gate_rules(" \n# nothing\n;;").empty());
}

TEST_CASE("What is no rule is refused at the place where something else is expected") {
  struct Wrong {
    const char* rule;
    int character;
    const char* said;
    const char* unit = "s";
  };
  const char* const sign = "expected <, <=, >, >=, == or \"not worse\"";
  const char* const number = "expected a number";
  const char* const margin = "expected a margin: 3%, 3% of A or 3pp";
  for (const Wrong& wrong : std::vector<Wrong>{
           {"event_rate_core_khz >= 90%", 24, "expected what it is a percentage of: 90% of A"},
           {"n =< 5 s", 3, sign},
           {"n = 5 s", 3, sign},
           {"n != 5 s", 3, sign},
           {"n", 2, sign},
           {"n 5 s", 6, sign},
           {"n never worse", 14, sign},
           {"n not wrose by 3%", 3, sign},
           {"n not", 3, sign},
           {"n not worse than 3%", 13, "expected \"by\" and a margin"},
           {"n not worse by", 15, number},
           {"n not worse by 3", 16, margin},
           {"n not worse by 3 s", 16, margin},
           {"n not worse by -3%", 16, margin},
           {"n not worse by 3% or so", 19, "expected the end of the rule"},
           {"n <=", 5, number},
           {"n <= many", 6, number},
           {"n <= 5,000 s", 7, "expected a unit"},
           {"n <= 3y", 7, "expected a unit"},
           {"n <= 3 Gb", 8, "expected a unit", "byte"},
           {"n <= 3 GB", 6, "expected an amount in us, ms, s"},
           {"n <= 3", 6, "expected an amount in"},
           {"n <= 3 s", 6, "it is a plain number and has no unit", "count"},
           {"n <= 90% of B", 13, "expected the end of the rule"},
           {"n <= +5% of A", 6, "expected a change in % or pp"},
           {"n <= +2x", 6, "expected a change in % or pp"},
           {"n <= 2x please", 9, "expected the end of the rule"},
           {"n <= 5pp", 6, "pp are points of a percentage, and this is none"},
           {"n >= 92%", 6, "give points (92pp) or a part of the baseline (92% of A)", "1"},
           {"n >= 0.92", 6, "it is a percentage", "1"},
           {"n not worse by 3%", 16, "give points (3pp)", "%"},
           {"<= 3", 1, "expected the id of a number first"},
           {"not worse", 1, "expected the id of a number first"},
           {"\"n not worse", 1, "expected a quote that ends"},
           {"n <= inf", 6, number},
           {"n <= 1e999 s", 6, number},
       }) {
    CAPTURE(wrong.rule);
    const std::string said = refusal(wrong.rule, wrong.unit);
    CAPTURE(said);
    CHECK(said.find("character " + std::to_string(wrong.character) + ": ") != std::string::npos);
    CHECK(said.find(wrong.said) != std::string::npos);
  }
}

TEST_CASE("Whatever was written, it is read or refused within its text") {
  const std::vector<std::string> words = {"n",     "dataset:t.seconds",
                                          " ",     "<",
                                          "<=",    "=<",
                                          "=",     "!",
                                          "≤",     "-",
                                          "0.9",   "90",
                                          "5,000", "1e3",
                                          "x",     "%",
                                          "pp",    " of A",
                                          "GB",    " s",
                                          "not",   "worse",
                                          " by ",  " not worse",
                                          "\"",    ";",
                                          "#",     ".",
                                          "than",  "\t",
                                          "+",     "−",
                                          "µs",    "\"\"",
                                          "e",     "\n"};
  std::mt19937 random(1);
  std::size_t refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::size_t left = 1 + random() % 7; left > 0; --left)
      text += words[random() % words.size()];
    CAPTURE(text);
    try {
      for (const GateRule& one : parse_gate_rules(text)) REQUIRE_FALSE(one.subject.empty());
    } catch (const Failure& failure) {
      ++refused;
      REQUIRE(failure.error().detail.starts_with("rule \""));
    }
  }
  CHECK(refused > 10000);
}

TEST_CASE("The rule that passed at 76 %: 90 percent are of A, or no rule") {
  const GateRule right = rule("event_rate_core_khz >= 90% of A");
  CHECK_FALSE(right.must(0.76, limit_of(right, "event_rate_core_khz", "kHz", 1)));
  CHECK(right.must(0.91, limit_of(right, "event_rate_core_khz", "kHz", 1)));
}

TEST_CASE("Units of one kind are told in each other, others are not") {
  CHECK(unit_ratio("GB", "byte") == 1e9);
  CHECK(unit_ratio("MiB", "MB") == Approx(1.048576));
  CHECK(unit_ratio("min", "s") == 60);
  CHECK(unit_ratio("Gbps", "Mbps") == 1000);
  CHECK(unit_ratio("s", "s/10⁶ events") == 1);
  CHECK(is_absent(unit_ratio("GB", "s")));
  CHECK(is_absent(unit_ratio("MB/s", "byte")));
  CHECK(is_absent(unit_ratio("MB/x", "byte")));
  CHECK(units_like("count").empty());
}

TEST_CASE("Numbers may have an exponent, an e without digits is a unit that there is not") {
  CHECK(limit("n <= 1e2", "count") == 100);
  CHECK(limit("n <= 1E2", "count") == 100);
  CHECK(limit("n <= 1e+2", "count") == 100);
  CHECK(limit("n <= 25e-1", "count") == 2.5);
  CHECK(limit("n <= 1e10", "count") == 1e10);
  CHECK(limit("n <= 1e3ms", "s") == 1);
  CHECK(limit("n <= 1e3 ms", "s") == 1);
  CHECK(refusal("n <= 1e s").find("expected a unit") != std::string::npos);
  CHECK(refusal("n <= 1e+ s").find("expected a unit") != std::string::npos);
  CHECK(limit("n <= .5 s", "s") == 0.5);
  CHECK(limit("n <= + 10 %", "s") == Approx(88));
}

TEST_CASE("A change of a negative number is of its size") {
  CHECK(limit("n <= +10%", "s", -80) == Approx(-72));
  CHECK(limit("n >= -10%", "s", -80) == Approx(-88));
  CHECK(margin_of(rule("n not worse by 10%"), "n", "s", -80) == Approx(8));
}

TEST_CASE("A gate is as bad as the worst of its conditions, then of its rules") {
  const auto outcome = [](std::initializer_list<GateState> conditions,
                          std::initializer_list<GateState> results) {
    Gate gate;
    for (const GateState state : conditions) {
      gate.conditions.emplace_back();
      gate.conditions.back().state = state;
    }
    for (const GateState state : results) {
      gate.results.emplace_back();
      gate.results.back().state = state;
    }
    return gate.outcome();
  };
  const GateState kept = GateState::kept, broken = GateState::broken, unknown = GateState::unknown,
                  allowed = GateState::allowed;
  CHECK(outcome({kept}, {kept, kept}) == kept);
  CHECK(outcome({kept, allowed}, {kept, allowed}) == kept);
  CHECK(outcome({kept}, {kept, broken}) == broken);
  CHECK(outcome({kept}, {unknown, broken}) == broken);
  CHECK(outcome({kept}, {GateState::undecided, kept}) == GateState::undecided);
  CHECK(outcome({kept}, {GateState::undecided, unknown}) == unknown);
  CHECK(outcome({kept}, {kept, unknown}) == unknown);
  CHECK(outcome({unknown}, {broken}) == unknown);
}
