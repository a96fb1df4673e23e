#include "core/report/comparison_text.hpp"

namespace crema::report {

using namespace compare;

namespace {

using Outcome = GateResult::Outcome;

std::string shown(std::string_view name) { return name.empty() ? "unnamed" : std::string(name); }

/// "ttbar, wjets and 3 more"
std::string some_of(std::vector<std::string> names) {
  for (std::string& name : names) name = shown(name);
  return listed(names, 3);
}

/// "+32.1 % ± 2 %"
std::string change_text(const GateResult& r) {
  const double delta = r.candidate - r.baseline;
  if (is_absent(delta)) return "only in the candidate";
  if (delta == 0) return "no change";
  const double change = ratio(delta, std::fabs(r.baseline));
  if (is_percentage(r.id, r.unit) || is_absent(change))
    return format_difference(r.id, r.unit, delta);
  const std::string text = format_relative(change);
  const double error = ratio(r.noise, std::fabs(r.baseline));
  return error > 0 ? text + " ± " + format_percent(error) : text;
}

std::string missing_text(const GateResult& r) {
  const bool in_both = r.outcome == Outcome::missing_in_both;
  std::string text = in_both ? "known, but not recorded in either run"
                     : r.outcome == Outcome::missing_in_baseline ? "not recorded in the baseline"
                                                                 : "not recorded in the candidate";
  const std::string why = r.note.any() ? note_text(r.note, true) : r.why_missing;
  return why.empty() ? text : fill("{} ({})", {text, why});
}

std::string history_text(const GateResult& r) {
  const std::string of_runs = fill("of {run} since the last change", {r.runs});
  if (r.outcome == Outcome::missing_in_candidate) return "the candidate has no such number";
  if (r.outcome == Outcome::too_few_runs)
    return fill("{}: at least {} are needed", {of_runs, least_level});
  return fill("{} against {} ± {} {}", {format_quantity(r.id, r.unit, r.candidate),
                                        format_quantity(r.id, r.unit, r.baseline),
                                        format_quantity(r.id, r.unit, r.noise), of_runs});
}

/// How many runs would tell, and of what that is known.
std::string runs_needed_text(const GateResult& r) {
  const std::string runs = r.runs_needed > GateResult::most_runs
                               ? "more than " + format_count(GateResult::most_runs, "run")
                               : "about " + format_count(r.runs_needed, "run");
  const std::string spread = format_percent(r.spread);
  if (r.spread_from == SpreadFrom::replicates)
    return fill("{} per side would tell: runs of the same work differ by {}", {runs, spread});
  const bool is_assumed = r.spread_from == SpreadFrom::assumption;
  return fill(
      "{} per side would tell if runs of the same work differ by {}{}; three per side, recorded in "
      "turns, measure it",
      {runs, spread, is_assumed ? ", as is assumed (--run-spread)" : ", partly an assumption"});
}

}  // namespace

std::string headline_text(const Gate& gate) {
  const auto in_state = [](const auto& lines, GateState state) {
    return static_cast<double>(
        count_if(lines, [&](const auto& line) { return line.state == state; }));
  };
  const auto rules = static_cast<double>(gate.results.size());
  const std::string of_rules = " of " + format_count(rules, "rule");
  if (!gate.is_comparable()) return "Rules not checked";
  const std::string all = rules == 1 ? "The rule is" : "All " + format_count(rules, "rule");
  if (const double broken = in_state(gate.results, GateState::broken); broken > 0)
    return (broken == rules ? all : format_number(broken) + of_rules) + " broken";
  if (const double unknown =
          in_state(gate.results, GateState::unknown) + in_state(gate.results, GateState::undecided);
      unknown > 0)
    return (unknown == rules ? all : format_number(unknown) + of_rules) + " undecided";
  const double kept = in_state(gate.results, GateState::kept);
  if (kept == rules && rules > 0) return all + " kept";
  return format_number(kept) + of_rules + " kept, the others allowed to be missing";
}

std::string_view outcome_text(const Gate& gate) {
  const GateState outcome = gate.outcome();
  return outcome == GateState::unknown ? "refused" : name_of(outcome);
}

std::string baseline_text(const Gate& gate) {
  if (gate.runs_of_a == 0) return "the history";
  return side_text(gate.titles.front(), gate.runs_of_a);
}

std::string candidate_text(const Gate& gate) {
  if (gate.runs_of_a == 0) return gate.titles.back();
  return side_text(gate.titles[gate.runs_of_a], gate.titles.size() - gate.runs_of_a);
}

std::string_view condition_text(GateReason reason) {
  switch (reason) {
    case GateReason::no_rules: return "there are rules";
    case GateReason::nothing_compared: return "something was compared";
    case GateReason::same_run: return "no run is compared with itself";
    case GateReason::missing_datasets: return "all runs have the same datasets";
    case GateReason::missing_events: return "all runs have the same events";
    case GateReason::another_processor: return "all runs have the same processor";
    case GateReason::other_work: return "the candidate is the same work as the history";
    case GateReason::not_recorded: break;
  }
  return "";
}

std::string failure_text(const GateCondition& c, std::span<const std::string> titles) {
  if (c.state == GateState::kept) return {};
  const auto name = [&](std::size_t run) {
    return titles.size() != 2 ? titles[run] : run == 0 ? "the baseline" : "the candidate";
  };
  const std::string silent = c.unrecorded ? name(*c.unrecorded) : "";
  std::string text;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  switch (c.reason) {
    case GateReason::no_rules:
      return "no rule was given; one is, for example, event_rate_core_khz not worse";
    case GateReason::nothing_compared: return "no rule is about a number that both runs have";
    case GateReason::same_run:
      return name(c.second) + " is " + name(c.first) +
             " itself: all their times are the same to the last digit";
    case GateReason::missing_datasets: {
      if (c.unrecorded)
        return silent + " has no chunk list: whether its datasets are the same is unknown";
      const auto lacks = [&](std::size_t run, const std::vector<std::string>& names) {
        if (!names.empty())
          add(name(run) + " lacks the " + (names.size() == 1 ? "dataset " : "datasets ") +
              some_of(names));
      };
      lacks(c.second, c.only_in_first);
      lacks(c.first, c.only_in_second);
      return text;
    }
    case GateReason::missing_events:
      if (c.unrecorded)
        return silent +
               " does not record its number of events: whether some are missing is unknown";
      for (const GateCondition::Events& of : c.events)
        add(name(of.second < of.first ? c.second : c.first) + " lacks " +
            format_percent(std::fabs(of.first - of.second) / std::max(of.first, of.second)) +
            " of the events" + (of.dataset ? " of dataset " + shown(*of.dataset) : "") + " (" +
            format_number(of.first) + " → " + format_number(of.second) + ")");
      return text;
    case GateReason::another_processor:
      return c.unrecorded ? "the processor of " + silent +
                                " is not recorded: whether it is the same is unknown"
                          : "the processor differs: " + c.processor_a + " → " + c.processor_b;
    case GateReason::other_work: return c.other_work ? other_work_text(*c.other_work) : "";
    case GateReason::not_recorded: break;
  }
  return text;
}

std::string rule_text(const GateRule& rule, const GateResult& result) {
  return result.subject.empty() ? rule.text : result.subject + rule.text.substr(rule.subject_end);
}

std::string_view verdict_text(const GateResult& result) {
  switch (result.outcome) {
    case Outcome::better: return "better";
    case Outcome::worse:
    case Outcome::worse_within_margin:
    case Outcome::worse_with_all: return "worse";
    default: return "";
  }
}

std::string result_text(const GateResult& r) {
  const bool is_missing = r.outcome == Outcome::missing_in_baseline ||
                          r.outcome == Outcome::missing_in_candidate ||
                          r.outcome == Outcome::missing_in_both;
  if (is_missing && !r.of_history) return missing_text(r);
  if (r.outcome == Outcome::is_text) return "it is a text, not a number";
  const std::string text =
      r.of_history ? history_text(r) : (r.group.empty() ? "" : r.group + ": ") + change_text(r);
  const std::string then = r.of_history ? ": " : ", ";
  // a part that changed as all others did is not told from them
  const bool is_beyond = std::fabs(r.candidate - r.baseline) > 2 * r.noise;
  const std::string of_noise = is_beyond ? "like the rest of the run" : "within the noise";
  switch (r.outcome) {
    case Outcome::better: return text + then + "better";
    case Outcome::worse: return text + then + "worse";
    case Outcome::worse_with_all: return text + then + "worse as the whole run is";
    case Outcome::worse_within_margin: return text + then + "worse by less than the margin";
    case Outcome::worse_than_rest: return text + then + "worse only against the rest of the run";
    case Outcome::within_noise: {
      if (r.of_history) return text + ": within their noise";
      const std::string how = r.candidate == r.baseline ? text : text + then + of_noise;
      return r.detectable > 0 ? how + "; worse by " + format_percent(r.detectable) +
                                    " or more would have broken the rule"
                              : how;
    }
    case Outcome::margin_within_noise: {
      const std::string unknown = text + then + (r.is_worse ? "worse" : of_noise) +
                                  ": whether it is worse by more than the margin is unknown";
      // how the noise of a part shrinks with more runs is not modelled
      return unknown + "; " +
             (is_absent(r.runs_needed) ? "more replicates or a wider margin would tell"
                                       : runs_needed_text(r));
    }
    case Outcome::part_or_moment:
      return text + ": it changed, or the machine did while it ran: replicates would tell";
    case Outcome::noise_unknown:
      return text + ": its noise is unknown; give it a limit, for example " +
             (r.is_better_lower ? "<= +10" : ">= -10") + (is_percentage(r.id, r.unit) ? "pp" : "%");
    default: return text;
  }
}

}  // namespace crema::report
