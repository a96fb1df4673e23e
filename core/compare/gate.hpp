#pragma once

#include "core/compare/comparison.hpp"
#include "core/compare/history.hpp"

namespace crema::compare {

// A gate checks rules on a candidate (B) against a baseline (A):
//
//     rule     = subject ( operator amount | "not worse" [ "by" margin ] )
//     subject  = id | group ":" name [ "." measure ] | '"' any of these '"'
//     operator = "<" | "<=" | ">" | ">=" | "=="
//     amount   = NUMBER               a count, and 0 of anything
//              | NUMBER UNIT          2.5 GB, 30 s, 5 kHz
//              | NUMBER "x"           times A
//              | NUMBER "% of A"
//              | ("+"|"-") NUMBER "%" A and so much of it more or less; not for percentages
//              | NUMBER "pp"          a percentage itself, in points of 100
//              | ("+"|"-") NUMBER "pp" A and so many points more or less
//     margin   = NUMBER "%" | NUMBER "% of A" | NUMBER "pp"
//
// Rules end at ";" and at line breaks, and "#" begins a comment, except within quotes.

/// A rule as it was written. Its meaning depends on the unit of its number: see limit_of().
struct GateRule {
  /// Whether B keeps the rule.
  using Must = bool (*)(double b, double limit);
  enum class Kind : std::uint8_t { none, plain, times, percent, percent_of_a, points };

  std::string text;
  std::size_t line = 0;  ///< of the rules' text, from 1
  std::string subject;
  std::size_t subject_end = 0;  ///< where it ends in `text`, quotes included
  Must must = nullptr;          ///< none of a rule that is about a verdict
  Kind kind = Kind::none;
  double number = absent;
  bool is_change = false;  ///< it has a sign: so much more or less than A
  std::string unit;        ///< of a plain number; empty when none was written
  std::size_t amount_at = 0;

  bool is_about_verdict() const { return must == nullptr; }
};

/// Reads all rules of a text. Throws Failure bad_option at the first error, with its place and what
/// is expected there.
std::vector<GateRule> parse_gate_rules(std::string_view text);

/// Throws Failure bad_option: the rule cannot be used because of what stands at `at`.
[[noreturn]] void refuse_rule(const GateRule& rule, std::size_t at, const std::string& why);

/// The limit for B in the number's unit; `id` and `unit` are the number's, `baseline` is A's value.
/// Absent when it needs A and A is absent. Throws Failure bad_option when the amount does not fit
/// the number: another unit, or percent of a percentage.
double limit_of(const GateRule& rule, std::string_view id, std::string_view unit, double baseline);

/// By how much B may be worse, in the number's unit, at least 0. Absent and throws likewise.
double margin_of(const GateRule& rule, std::string_view id, std::string_view unit, double baseline);

/// What can keep runs from being checked. Each can be allowed by its name.
enum class GateReason : std::uint8_t {
  no_rules,
  nothing_compared,
  same_run,
  missing_datasets,
  missing_events,
  another_processor,
  not_recorded,
  other_work,  ///< of a history: the candidate is not the work that its runs are
};
inline constexpr std::array<std::string_view, 7> gate_reasons = {
    "no-rules",       "nothing-compared",  "same-run",    "missing-datasets",
    "missing-events", "another-processor", "not-recorded"};
constexpr std::string_view name_of(GateReason reason) {
  return reason == GateReason::other_work ? "other-work"
                                          : gate_reasons[static_cast<std::size_t>(reason)];
}

/// Undecided: these runs cannot tell. Unknown: a number is missing, or the runs are not alike.
enum class GateState : std::uint8_t { kept, broken, undecided, unknown, allowed };
inline constexpr std::array<std::string_view, 5> gate_states = {"kept", "broken", "undecided",
                                                                "unknown", "allowed"};
constexpr std::string_view name_of(GateState state) {
  return gate_states[static_cast<std::size_t>(state)];
}

constexpr GateState met(bool is_so) { return is_so ? GateState::kept : GateState::unknown; }

/// What must be so before runs are checked. All are compared with the first, because replicates of
/// a side are of the same work, too.
struct GateCondition {
  struct Events {
    std::optional<std::string> dataset{};  ///< absent: of the whole run
    double first = 0, second = 0;
  };
  GateReason reason = GateReason::no_rules;
  GateState state = GateState::kept;
  std::size_t first = 0, second = 0;         ///< the runs that it fails for
  std::optional<std::size_t> unrecorded{};   ///< the run that does not tell whether it is so
  std::vector<std::string> only_in_first{};  ///< datasets
  std::vector<std::string> only_in_second{};
  std::vector<Events> events{};              ///< numbers of events that differ
  std::string processor_a{}, processor_b{};  ///< where they differ
  std::optional<OtherWork> other_work{};     ///< of a history: in what the candidate is
};

/// What tells how far runs of one work differ.
enum class SpreadFrom : std::uint8_t {
  assumption,  ///< one run a side
  both,        ///< the assumption, and replicates that are few or were not recorded in turns
  replicates,
};

/// What became of a rule on one number.
struct GateResult {
  enum class Outcome : std::uint8_t {
    limit,                ///< checked against a limit
    better,               ///< significantly
    worse,                ///< significantly, and by more than the margin
    worse_within_margin,  ///< significantly
    worse_with_all,       ///< as the whole run is
    worse_than_rest,      ///< only against the common factor of all parts
    within_noise,
    noise_unknown,
    margin_within_noise,  ///< whether it is worse by more than the margin is not certain
    part_or_moment,       ///< it changed, or the machine did while it ran
    is_text,
    missing_in_baseline,
    missing_in_candidate,
    missing_in_both,
    too_few_runs,  ///< of a history
  };
  std::size_t rule = 0;
  std::string subject;  ///< as a rule names it: "dataset:ttbar.seconds"
  std::string id;       ///< of the number: "dataset.ttbar"
  std::string group;    ///< "dataset ttbar"; empty for a number of the whole run
  GateState state = GateState::unknown;
  Outcome outcome = Outcome::limit;
  double baseline = absent, candidate = absent, limit = absent;
  double noise = absent;  ///< standard error of candidate − baseline
  double p_value = absent;
  double detectable = absent;  ///< what share of A it would have had to be worse by, for 9 of 10
  static constexpr double most_runs = 50;
  double runs_needed = absent;  ///< a side, at this spread, for a margin that is within noise
  double spread = absent;       ///< of one run, as a share: what `runs_needed` is of
  SpreadFrom spread_from = SpreadFrom::assumption;
  bool is_better_lower = true;
  bool is_worse = false;  ///< certainly, though not whether by more than the margin
  std::string unit;
  RowNote note{};           ///< why a number is missing: of its row,
  std::string why_missing;  ///< or what the runs say where there is none
  std::size_t runs = 0;     ///< of a history: since the last change
  bool of_history = false;
};

/// A condition, or a rule on one number.
struct GateLine {
  const GateCondition* condition = nullptr;
  const GateResult* result = nullptr;

  GateState state() const { return condition != nullptr ? condition->state : result->state; }
};

struct Gate {
  std::vector<GateRule> rules;
  std::vector<GateCondition> conditions{};
  std::vector<GateResult> results{};
  std::vector<std::string> titles{};  ///< of the runs
  std::size_t runs_of_a = 1;          ///< of a history: 0, it is all but the last run

  /// Unknown when the runs could not be checked; else broken when a rule is; else unknown when a
  /// number of a rule is; else undecided when a rule is; else kept.
  GateState outcome() const;
  /// Whether no condition failed: else what holds of the rules means nothing.
  bool is_comparable() const;
  /// In the order of reports: whether anything was compared is said last.
  std::vector<GateLine> lines() const;
};

inline constexpr Option rules_option =
    text_option("rules",
                "rules, separated by ; or line breaks: event_rate_core_khz >= 0.9x; "
                "dataset:ttbar.seconds_per_million_events not worse");
inline constexpr Option history_rules_option =
    text_option("rules",
                "rules, separated by ; or line breaks: all not worse; dataset:ttbar not worse by "
                "3%; core_seconds_per_million_events <= 1.05x");
inline constexpr Option allow_option = text_option(
    "allow", "names of conditions that may fail, separated by commas; docs/gate.md lists them");

/// Checks rules on two sides. A rule is one hypothesis and is tested alone; one on all parts of a
/// group is as many, of which at most 5 % are broken by chance. Throws Failure bad_option for a
/// rule that cannot be used.
Gate check_rules(std::span<const Run* const> runs, const Selection& selection,
                 const Options& options);

/// Checks rules on the last of the runs, against the level of the others since their last change.
/// Throws likewise.
Gate check_history(std::span<const Run* const> runs, const Selection& selection,
                   const Options& options);

/// The conditions of two sides, each kept or unknown.
std::vector<GateCondition> gate_conditions(std::span<const Run* const> runs,
                                           const Options& options);

}  // namespace crema::compare
