#include "core/compare/gate.hpp"

#include "core/base/elementary.hpp"
#include "core/compare/sides.hpp"
#include "core/model/stored_names.hpp"
#include "core/predict/prediction.hpp"

namespace crema::compare {

namespace {

/// What a rule on a group can be about, in the order of Per and its names.
constexpr std::array<std::string_view, 3> measures = {"seconds", "seconds_per_million_events",
                                                      "share"};

/// The number that a rule is about.
struct Subject {
  std::string name;  ///< as a rule names it
  RowId id;
  std::string per;
  Selection selection;
};

using Rows = std::vector<ComparedNumber>;

const ComparedNumber* find(const Rows& rows, const RowId& id) {
  return first_where(rows, [&](const ComparedNumber& row) { return row.id == id; });
}

bool is_part(const RowId& id) {
  return id.kind == RowId::Kind::part || id.kind == RowId::Kind::remainder;
}

/// As a rule names it: in quotes where something in it would end it.
std::string quoted(const std::string& name) {
  return name.find_first_of("<>=!;#") == std::string::npos && !has_part(name, " not ")
             ? name
             : "\"" + name + "\"";
}

/// Resolves the subjects of rules among the numbers of a comparison.
struct SubjectsOf {
  const Rows& rows;
  const std::map<std::string, Headline>& headlines;
  const Selection& selection;
  std::string per;

  std::vector<Subject> operator()(const GateRule& rule) const {
    const auto colon = rule.subject.find(':');
    if (colon != std::string::npos && rule.subject.find('.') > colon)
      return of_group(rule, rule.subject.substr(0, colon), rule.subject.substr(colon + 1));
    const StoredName flat = flat_name(rule.subject);
    const std::string wanted(flat.old_flat ? flat.id : nested_name(rule.subject).id);
    for (const ComparedNumber& row : rows) {
      if (row.id.text() == wanted) return {{rule.subject, row.id, per, selection}};
    }
    if (headlines.contains(wanted)) return {{rule.subject, {.name = wanted}, per, selection}};
    const auto dot = wanted.find('.');
    const auto group = group_named(wanted.substr(0, dot));
    // Where a run has nothing of a group, its names are unknown.
    if (dot != std::string::npos && group && parts_of(*group).empty())
      return {{rule.subject, {*group, RowId::Kind::part, wanted.substr(dot + 1)}, per, selection}};
    std::vector<std::string> known;
    for (const auto& [id, headline] : headlines) known.push_back(id);
    for (const ComparedNumber& row : rows) known.push_back(row.id.text());
    refuse_name(rule, "there is no number \"" + wanted + "\"", wanted, known);
  }

 private:
  static std::optional<RowGroup> group_named(std::string_view name) {
    // Facts of the set-up and headline numbers are no groups of parts.
    for (auto group = std::size_t{2}; group < group_names.size(); ++group)
      if (group_names[group] == name) return static_cast<RowGroup>(group);
    return std::nullopt;
  }

  std::vector<RowId> parts_of(RowGroup group) const {
    std::vector<RowId> parts;
    for (const ComparedNumber& row : rows)
      if (row.id.group == group && is_part(row.id)) parts.push_back(row.id);
    return parts;
  }

  [[noreturn]] static void refuse_name(const GateRule& rule, const std::string& why,
                                       const std::string& name,
                                       const std::vector<std::string>& known) {
    const std::vector<std::string_view> views(known.begin(), known.end());
    const std::string meant(nearest(name, views));
    refuse_rule(rule, 0,
                why + (meant.empty() ? "; crema ask A B compare lists them"
                                     : "; did you mean " + quoted(meant) + "?"));
  }

  std::vector<Subject> of_group(const GateRule& rule, const std::string& group_name,
                                const std::string& rest) const {
    const auto group = group_named(group_name);
    if (!group)
      refuse_rule(rule, 0, "no group " + not_among(group_name, std::span(group_names).subspan(2)));
    const std::vector<RowId> parts = parts_of(*group);
    // A part's own name comes first; "unnamed" and the like stand for those that have none.
    const auto named = [&](const std::string& name) {
      std::vector<RowId> found;
      for (const bool by_label : {false, true}) {
        for (const RowId& id : parts)
          if (found.empty() &&
              (by_label ? id.label() == name : id.kind == RowId::Kind::part && id.name == name))
            found.push_back(id);
      }
      return name == "*" ? parts : found;
    };
    std::size_t measure = 0;
    std::string name = rest;
    std::vector<RowId> chosen = named(rest);
    for (std::size_t i = 0; i < measures.size() && chosen.empty(); ++i) {
      const std::string end = "." + std::string(measures[i]);
      if (rest.size() <= end.size() || !rest.ends_with(end)) continue;
      measure = i;
      name = rest.substr(0, rest.size() - end.size());
      chosen = named(name);
    }
    if (chosen.empty() && parts.empty()) chosen = {{*group, RowId::Kind::part, name}};
    if (chosen.empty()) {
      std::vector<std::string> known, listed;
      for (const RowId& id : parts) {
        listed.push_back(id.label());
        known.push_back(group_name + ":" + id.label());
        for (const std::string_view one : measures)
          known.push_back(group_name + ":" + id.label() + "." + std::string(one));
      }
      const std::vector<std::string_view> views(listed.begin(), listed.end());
      refuse_name(rule, "no " + group_name + " " + rest + not_among("", views), rule.subject,
                  known);
    }
    std::vector<Subject> subjects;
    for (const RowId& id : chosen) {
      const std::string shown = name == "*" ? id.label() : name;
      Subject subject{group_name + ":" + shown + "." + std::string(measures[measure]), id,
                      std::string(split(per_names, ",")[measure]), selection};
      // Per event of its own: the run's other events say nothing about a dataset.
      if (static_cast<Per>(measure) == Per::million_events) {
        if (*group == RowGroup::dataset) subject.selection.datasets = {id.name};
        if (*group == RowGroup::host) subject.selection.hosts = {id.name};
      }
      subjects.push_back(std::move(subject));
    }
    return subjects;
  }
};

/// A number of a rule on its way to a result.
struct Tested {
  GateResult result;
  const ComparedNumber* row =
      nullptr;  ///< where the rule is about a verdict and both sides have it
  double worse_by = 0, margin = 0;
  double p_with_all = absent;  ///< that the part is no slower than before, as the whole run is
};

/// How often chance alone makes a part so much slower than it was, where the whole run is slower:
/// `compare` judges a part against what all of them have in common.
double p_with_all(const Rows& rows, const ComparedNumber& row) {
  const ComparedNumber* const all = find(rows, {row.id.group, RowId::Kind::total});
  if (all == nullptr || all == &row || !all->is_worse()) return absent;
  // Both noises are of ratios: a run three times as slow is as far from 1 as one three times as
  // fast.
  const double error = elementary::hypot(all->relative_noise(), row.relative_noise());
  const double change = elementary::log(ratio(row.b.value, row.a.value));
  const double own = stats::p_value(change / error, all->dof);
  return is_absent(own) || is_absent(all->p_value) ? absent : std::max(all->p_value, own);
}

struct Checks {
  std::span<const Run* const> compared;
  const Selection& selection;
  std::map<std::string, std::string> options;  ///< of a comparison
  const std::map<std::string, Headline>& headlines;
  bool may_be_missing;
  SpreadFrom spread_from;
  /// By `per` and the selected datasets and hosts.
  std::map<std::tuple<std::string, std::vector<std::string>, std::vector<std::string>>, Rows>
      known_rows{};

  const Rows& rows(const Selection& narrowed, const std::string& per) {
    const auto key = std::tuple(per, narrowed.datasets, narrowed.hosts);
    if (const Rows* const known = found_in(known_rows, key)) return *known;
    options[std::string(per_option.name)] = per;
    return known_rows.emplace(key, compare_sides(compared, narrowed, Options(options)).rows)
        .first->second;
  }

  /// All numbers of a rule, tested together: they are the hypotheses that were asked.
  std::vector<GateResult> results(const GateRule& rule, std::size_t number,
                                  const std::vector<Subject>& subjects) {
    std::vector<Tested> all;
    std::vector<double> p_values;
    for (const Subject& subject : subjects) {
      all.push_back(tested(rule, subject));
      all.back().result.rule = number;
      const Tested& one = all.back();
      // Of the two ways to be worse, the likelier.
      const double p_value = one.row == nullptr ? absent : one.row->p_value;
      p_values.push_back(one.p_with_all < p_value ? one.p_with_all : p_value);
    }
    const std::vector<bool> found = stats::benjamini_hochberg(p_values);
    std::vector<GateResult> results;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].row != nullptr) decide(all[i], p_values[i], found[i], all.size());
      results.push_back(std::move(all[i].result));
    }
    return results;
  }

  using Outcome = GateResult::Outcome;
  Tested tested(const GateRule& rule, const Subject& subject) {
    Tested made;
    GateResult& result = made.result;
    result.subject = subject.name == rule.subject ? "" : quoted(subject.name);
    result.id = subject.id.text();
    if (subject.id.group >= RowGroup::budget)
      result.group = std::string(name_of(subject.id.group)) + " " + subject.id.label();
    const auto missing = [&](Outcome outcome, RowNote note, std::string why = {}) {
      result.state = may_be_missing ? GateState::allowed : GateState::unknown;
      result.outcome = outcome;
      result.note = std::move(note);
      result.why_missing = std::move(why);
      return std::move(made);
    };
    const ComparedNumber* row = nullptr;
    try {
      row = find(rows(subject.selection, subject.per), subject.id);
    } catch (const Failure& failure) {
      return missing(Outcome::missing_in_both, {}, failure.error().detail);
    }
    // The verdict is that of the whole run: a dataset alone has nothing to be compared with.
    const Rows& whole_rows = rows(selection, subject.per);
    const ComparedNumber* const whole = find(whole_rows, subject.id);
    const auto headline = headlines.find(result.id);
    if (row == nullptr || whole == nullptr)
      return missing(Outcome::missing_in_both, {},
                     headline == headlines.end() ? "" : headline->second.note);
    result.unit = row->unit;
    result.baseline = row->a.value;
    result.candidate = row->b.value;
    if (!row->a.text.empty() || !row->b.text.empty()) {
      result.outcome = Outcome::is_text;
      return made;
    }
    const double scale = value_or(std::fabs(ratio(result.baseline, whole->a.value)), 1);
    result.noise = whole->noise * scale;
    const bool is_verdict = rule.is_about_verdict();
    made.margin = is_verdict ? margin_of(rule, result.id, result.unit, result.baseline) : absent;
    if (!is_verdict) result.limit = limit_of(rule, result.id, result.unit, result.baseline);
    if (is_absent(result.candidate)) return missing(Outcome::missing_in_candidate, row->note);
    if (is_absent(result.baseline) && (is_verdict || is_absent(result.limit)))
      return missing(Outcome::missing_in_baseline, row->note);
    if (!is_verdict) {
      result.state =
          rule.must(result.candidate, result.limit) ? GateState::kept : GateState::broken;
      return made;
    }
    const Better better = whole->better;
    if (better == Better::neither)
      refuse_rule(rule, rule.subject_end, "neither a larger nor a smaller value of it is better");
    const double sign = better == Better::lower ? 1 : -1;
    made.worse_by = (result.candidate - result.baseline) * sign;
    if (rule.kind != GateRule::Kind::none) result.limit = result.baseline + made.margin * sign;
    made.row = whole;
    if (made.worse_by > 0) made.p_with_all = p_with_all(whole_rows, *whole);
    return made;
  }

  /// Whether a difference, with no other hypothesis in mind, is more than chance.
  void decide(Tested& one, double p_value, bool is_found, std::size_t tests) const {
    const ComparedNumber& row = *one.row;
    GateResult& result = one.result;
    result.p_value = p_value;
    result.is_better_lower = row.better == Better::lower;
    const bool is_exact = row.source == Noise::none;
    const double size = std::fabs(result.baseline);
    const double least = row.detectable(stats::false_discovery_rate / static_cast<double>(tests));
    const double margin = value_or(ratio(one.margin, size), 0);
    const double noise = value_or(ratio(result.noise, size), 0);
    if (!is_absent(least))
      result.detectable =
          std::max({least, least_share, margin > 0 ? margin + predict::z_90 * noise : 0});
    const bool differs =
        is_exact ? !row.is_same()
                 : is_found && std::fabs(one.worse_by) >=
                                   least_share * std::max(size, std::fabs(result.candidate));
    const bool with_all = one.p_with_all < row.p_value;
    const bool is_worse = with_all || row.is_worse();
    result.state = GateState::kept;
    if (is_absent(row.noise) && !row.is_same()) {
      result.state = GateState::undecided;
      result.outcome = row.note.kind == RowNote::Kind::or_moment ? Outcome::part_or_moment
                                                                 : Outcome::noise_unknown;
    } else if (!differs) {
      result.outcome = Outcome::within_noise;
    } else if (!is_worse) {
      result.outcome = Outcome::better;
    } else if (one.worse_by > one.margin) {
      result.state = GateState::broken;
      result.outcome = with_all ? Outcome::worse_with_all : Outcome::worse;
    } else {
      result.outcome = one.worse_by > 0 ? Outcome::worse_within_margin : Outcome::worse_than_rest;
    }
    // A run against itself has no noise: all of its differences are 0.
    if (result.state != GateState::kept || !(margin > 0) || is_exact || row.is_same() ||
        row.worse_at_most() <= margin)
      return;
    result.state = GateState::undecided;
    result.outcome = Outcome::margin_within_noise;
    result.is_worse = differs && is_worse;
    if (row.source != Noise::run) return;
    const double runs =
        1 / static_cast<double>(row.a.runs.size()) + 1 / static_cast<double>(row.b.runs.size());
    const double spread = row.relative_noise() / std::sqrt(runs);
    result.spread = spread;
    result.spread_from = spread_from;
    result.runs_needed = runs_needed(row, margin, spread);
  }

  /// Runs a side that decide a margin in 9 of 10 comparisons of a change as large as this one;
  /// where one run a side tells nothing of it, of what is the same. At most `most_runs` + 1.
  double runs_needed(const ComparedNumber& row, double margin, double spread) const {
    const double sign = row.better == Better::lower ? 1 : -1;
    const double limit = sign * elementary::log1p(sign * margin);
    const double change = spread_from == SpreadFrom::assumption
                              ? 0
                              : sign * elementary::log(ratio(row.b.value, row.a.value));
    const bool is_beyond = change > limit;  // and has to be certainly worse
    const double distance = is_beyond ? change : limit - std::max(0.0, change);
    const double p = (is_beyond ? 1 : 2) * stats::false_discovery_rate;
    const bool is_known = spread_from == SpreadFrom::assumption;
    double runs = 2;
    for (; runs <= GateResult::most_runs; ++runs) {
      const double dof = is_known ? std::numeric_limits<double>::infinity() : 2 * runs - 2;
      const double errors = stats::errors_of_p_value(p, dof) + predict::z_90;
      if (errors * spread * std::sqrt(2 / runs) <= distance) break;
    }
    return runs;
  }
};

/// The reasons in a list of names.
std::vector<GateReason> allowed_reasons(std::string_view names) {
  std::vector<GateReason> reasons;
  for (const std::string_view name : split(names, ",\n")) {
    const auto found = std::find(gate_reasons.begin(), gate_reasons.end(), name);
    if (found == gate_reasons.end())
      throw Failure(ErrorCode::bad_option, "allow: no reason " + not_among(name, gate_reasons));
    reasons.push_back(static_cast<GateReason>(found - gate_reasons.begin()));
  }
  return reasons;
}

template <class Lines>
bool any(const Lines& lines, GateState state) {
  return any_of(lines, [&](const auto& line) { return line.state == state; });
}

}  // namespace

bool Gate::is_comparable() const { return !any(conditions, GateState::unknown); }

GateState Gate::outcome() const {
  if (!is_comparable()) return GateState::unknown;
  for (const GateState state : {GateState::broken, GateState::unknown, GateState::undecided})
    if (any(results, state)) return state;
  return GateState::kept;
}

std::vector<GateLine> Gate::lines() const {
  std::vector<GateLine> all;
  const auto add_conditions = [&](bool is_last) {
    for (const GateCondition& one : conditions)
      if ((one.reason == GateReason::nothing_compared) == is_last) all.push_back({&one, nullptr});
  };
  add_conditions(false);
  for (const GateResult& one : results) all.push_back({nullptr, &one});
  add_conditions(true);
  return all;
}

Gate check_rules(std::span<const Run* const> runs, const Selection& selection,
                 const Options& options) {
  const std::vector<GateReason> allowed = allowed_reasons(options.text(allow_option));
  const auto is_allowed = [&](GateReason reason) { return contains(allowed, reason); };
  std::map<std::string, Headline> known;
  for (const Run* run : runs) {
    for (Headline& one : headlines(*run, selection, {})) known.try_emplace(one.id, std::move(one));
  }
  Gate gate{.rules = parse_gate_rules(options.text(rules_option))};
  for (const Run* run : runs) gate.titles.push_back(run->title);
  gate.runs_of_a = runs_of_a(options, runs.size());
  std::map<std::string, std::string> of_comparison = options.all();
  for (const Option& own : {rules_option, allow_option}) of_comparison.erase(std::string(own.name));
  Checks checks{runs,
                selection,
                std::move(of_comparison),
                known,
                is_allowed(GateReason::not_recorded),
                runs.size() == 2                    ? SpreadFrom::assumption
                : tell_spread(runs, gate.runs_of_a) ? SpreadFrom::replicates
                                                    : SpreadFrom::both};
  const std::string per(options.text(per_option));
  for (std::size_t i = 0; i < gate.rules.size(); ++i) {
    const SubjectsOf subjects{checks.rows(selection, per), known, selection, per};
    for (GateResult& result : checks.results(gate.rules[i], i, subjects(gate.rules[i])))
      gate.results.push_back(std::move(result));
  }
  gate.conditions = gate_conditions(runs, options);
  gate.conditions.insert(gate.conditions.begin(),
                         {.reason = GateReason::no_rules, .state = met(!gate.rules.empty())});
  const bool is_any = any_of(gate.results, [](const GateResult& result) {
    return result.state != GateState::unknown && result.state != GateState::allowed;
  });
  gate.conditions.push_back(
      {.reason = GateReason::nothing_compared, .state = met(gate.rules.empty() || is_any)});
  for (GateCondition& one : gate.conditions)
    if (one.state == GateState::unknown && is_allowed(one.reason)) one.state = GateState::allowed;
  return gate;
}

}  // namespace crema::compare
