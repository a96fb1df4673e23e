// Question `check`: rules on the comparison of a candidate with a baseline, for gates in continuous
// integration. Before any rule stand conditions: two runs that are not of the same work are not
// held against rules.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "core/base/elementary.hpp"
#include "core/base/error.hpp"
#include "core/base/nearest.hpp"
#include "core/base/number_format.hpp"
#include "core/base/quantity.hpp"
#include "core/base/text.hpp"
#include "core/facts/budget.hpp"
#include "core/facts/comparison.hpp"
#include "core/facts/gate_rule.hpp"
#include "core/facts/headlines.hpp"
#include "core/facts/processor.hpp"
#include "core/facts/report_counts.hpp"
#include "core/model/stored_names.hpp"
#include "core/questions/list.hpp"
#include "core/table/rows.hpp"

namespace crema::questions::check {

namespace {

constexpr Option rules_option{
    .name = "rules",
    .about =
        "rules, with ; or line breaks between: event_rate_core_khz >= 0.9x; "
        "dataset:ttbar.seconds_per_million_events not worse"};
constexpr Option allow_option{
    .name = "allow",
    .about =
        "what is no reason to refuse, with commas between: no-rules, nothing-compared, "
        "missing-datasets, missing-events, another-processor, not-recorded"};

/// What can keep two runs from being held against rules; the names are those of `allow_option`.
constexpr std::string_view no_rules = "no-rules";
constexpr std::string_view nothing_compared = "nothing-compared";
constexpr std::string_view missing_datasets = "missing-datasets";
constexpr std::string_view missing_events = "missing-events";
constexpr std::string_view another_processor = "another-processor";
constexpr std::string_view not_recorded = "not-recorded";
constexpr std::array<std::string_view, 6> reasons = {
    no_rules, nothing_compared, missing_datasets, missing_events, another_processor, not_recorded};

/// How `compare` cuts the core-time.
constexpr std::array<std::string_view, 7> groups = {"budget", "dataset", "section", "activity",
                                                    "host",   "own",     "frame"};

/// What a rule on a group can be about, in the order of Per.
constexpr std::array<std::string_view, 3> measures = {"seconds", "seconds_per_million_events",
                                                      "share"};

/// A line of the answer: a condition, or a rule on one number.
struct Line {
  std::string_view kind;
  std::string rule;
  double line = absent;
  std::string_view state;
  std::string group, id;
  double baseline = absent, candidate = absent, limit = absent, noise = absent;
  std::string unit, verdict, note;
};

constexpr std::string_view kept = "kept";
constexpr std::string_view broken = "broken";
constexpr std::string_view unknown = "unknown";
constexpr std::string_view allowed = "allowed";

std::set<std::string_view> allowed_reasons(const std::string& text) {
  std::set<std::string_view> names;
  for (const std::string_view name : split(text, ",\n")) {
    const auto found = std::find(reasons.begin(), reasons.end(), name);
    if (found == reasons.end())
      throw Failure(ErrorCode::bad_option, "allow: no reason " + not_among(name, reasons));
    names.insert(*found);
  }
  return names;
}

/// The number under its name of today: keys of older and nested schemas of metrics.json are taken.
std::string_view current_id(std::string_view id) {
  const StoredName flat = flat_name(id);
  return flat.old_flat ? flat.id : nested_name(id).id;
}

// --- conditions ---

/// Events of each dataset by its chunks.
std::map<std::string_view, double> dataset_events(const Run& run) {
  std::map<std::string_view, double> events;
  for (std::size_t i = 0; i < run.chunks.size(); ++i) {
    const StringId name = run.chunks.dataset[i];
    events[name == no_string ? "" : run.text(name)] += value_or(run.chunks.events[i], 0);
  }
  return events;
}

std::string shown(std::string_view name) { return name.empty() ? "unnamed" : std::string(name); }

/// "ttbar, wjets and 3 more"
std::string some_of(const std::vector<std::string_view>& names) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    text += (i > 0 ? ", " : "") + shown(names[i]);
  return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more"
                             : text;
}

using Events = std::map<std::string_view, double>;

std::vector<std::string_view> only_in(const Events& one, const Events& other) {
  std::vector<std::string_view> names;
  for (const auto& [name, events] : one) {
    if (!other.contains(name)) names.push_back(name);
  }
  return names;
}

/// One of the runs, and what it is called: "the baseline", or its title where there are several.
struct NamedRun {
  const Run& run;
  std::string name;
  Events events;
};

std::string missing_datasets_in(const NamedRun& a, const NamedRun& b) {
  if (a.events.empty() && b.events.empty()) return {};  // the events tell
  if (a.events.empty() || b.events.empty())
    return (a.events.empty() ? a : b).name +
           " has no chunk list: nobody can tell whether its datasets are the same";
  std::string text;
  const auto add = [&](const std::vector<std::string_view>& names, const NamedRun& where) {
    if (names.empty()) return;
    text += (text.empty() ? "" : "; ") + where.name + " lacks the " +
            (names.size() == 1 ? "dataset " : "datasets ") + some_of(names);
  };
  add(only_in(a.events, b.events), b);
  add(only_in(b.events, a.events), a);
  return text;
}

bool differ(double a, double b) {
  return !(std::fabs(a - b) <= 1e-9 * std::max(std::fabs(a), std::fabs(b)));
}

std::string missing_events_in(const NamedRun& a, const NamedRun& b) {
  const double in_a = total_events(a.run);
  const double in_b = total_events(b.run);
  if (is_absent(in_a) || is_absent(in_b))
    return (is_absent(in_a) ? a : b).name +
           " does not say how many events it was: nobody can tell whether some are missing";
  std::string text;
  // "the candidate lacks 40 % of the events (2,000,000 → 1,200,000)"
  const auto add = [&](double of_a, double of_b, const std::string& what) {
    text += (text.empty() ? "" : "; ") + (of_b < of_a ? b : a).name + " lacks " +
            format_percent(std::fabs(of_a - of_b) / std::max(of_a, of_b)) + " of the events" +
            what + " (" + format_number(of_a) + " → " + format_number(of_b) + ")";
  };
  if (differ(in_a, in_b)) add(in_a, in_b, "");
  // Datasets that only one run has are told of already.
  for (const auto& [name, events] : a.events) {
    const auto other = b.events.find(name);
    if (other != b.events.end() && differ(events, other->second))
      add(events, other->second, " of dataset " + shown(name));
  }
  return text;
}

std::string another_processor_in(const NamedRun& a, const NamedRun& b, const Options& options) {
  const auto name_of = [&](const Run& run) -> std::string_view {
    const StringId prefix = find_processor(run, options).prefix;
    return prefix == no_string ? "" : run.text(prefix);
  };
  const std::string_view in_a = name_of(a.run);
  const std::string_view in_b = name_of(b.run);
  if (in_a == in_b) return {};
  if (in_a.empty() || in_b.empty())
    return "the processor of " + (in_a.empty() ? a : b).name +
           " is not recorded: nobody can tell whether it is the same";
  return "the processor is another: " + std::string(in_a) + " → " + std::string(in_b);
}

// --- rules ---

/// Which row of which comparison a rule is about.
struct Subject {
  std::string group;  ///< "dataset ttbar"; "" of the whole run
  std::string name;   ///< as a rule would have it: "dataset:ttbar.seconds"
  std::string id;     ///< of the row
  Selection selection;
  std::string per;
};

/// Holds rules against comparisons of the two runs, each made once.
class Gate {
 public:
  Gate(std::span<const Run* const> runs, const Selection& selection, const Options& options)
      : runs_(runs), selection_(selection), options_(options) {
    allowed_ = allowed_reasons(options.text(allow_option));
    for (const Run* run : runs) {
      for (Headline& one : headlines(*run, selection, {})) {
        const auto [at, is_new] = headlines_.try_emplace(one.id, one);
        if (!is_new && is_absent(at->second.value)) at->second.value = one.value;
      }
    }
    base_per_ = options.text(per_option);
  }

  void add_condition(std::string_view name, const char* what, std::string reason) {
    Line line;
    line.kind = "condition";
    line.rule = what;
    line.id = name;
    line.state = reason.empty() ? kept : allowed_.contains(name) ? allowed : unknown;
    line.note = std::move(reason);
    lines_.push_back(std::move(line));
  }

  void add_rule(const GateRule& rule) {
    for (const Subject& subject : subjects_of(rule)) lines_.push_back(line_of(rule, subject));
  }

  bool compared_something() const {
    return std::any_of(lines_.begin(), lines_.end(), [](const Line& line) {
      return line.kind == "rule" && (line.state == kept || line.state == broken);
    });
  }

  const std::vector<Line>& lines() const { return lines_; }
  const Table& base() { return compared({{}, {}, {}, selection_, base_per_}); }

 private:
  const Table& compared(const Subject& subject) {
    const auto [at, is_new] = tables_.try_emplace({subject.per, narrowing(subject)});
    if (is_new) {
      std::map<std::string, std::string> options = options_.all();
      options.erase(std::string(rules_option.name));
      options.erase(std::string(allow_option.name));
      options[std::string(per_option.name)] = subject.per;
      at->second = compare::question(runs_, subject.selection, Options(std::move(options)));
    }
    return at->second;
  }

  [[noreturn]] static void refuse_subject(const GateRule& rule, const std::string& why,
                                          const std::string& instead) {
    refuse_rule(rule, rule.subject_at, rule.subject_end, why,
                instead.empty() ? rule.subject : instead);
  }

  std::vector<Subject> subjects_of(const GateRule& rule) {
    const auto colon = rule.subject.find(':');
    if (colon != std::string::npos && rule.subject.find('.') > colon)
      return group_subjects(rule, rule.subject.substr(0, colon), rule.subject.substr(colon + 1));
    Subject subject{{}, rule.subject, std::string(current_id(rule.subject)), selection_, base_per_};
    if (const auto dot = subject.id.find('.'); dot != std::string::npos)
      if (is_group(subject.id.substr(0, dot)))
        subject.group = subject.id.substr(0, dot) + " " + subject.id.substr(dot + 1);
    if (!is_known(subject.id)) refuse_id(rule, subject.id);
    return {std::move(subject)};
  }

  static bool is_group(std::string_view name) {
    return std::find(groups.begin(), groups.end(), name) != groups.end();
  }

  /// Whether there can be a number of that id, recorded or not.
  bool is_known(const std::string& id) {
    if (base().row_of("id", id) < base().rows() || headlines_.contains(id)) return true;
    const std::string group = id.substr(0, id.find('.'));
    // Where a run has nothing of a group, nobody knows the names in it.
    return id.find('.') != std::string::npos && is_group(group) && names_in(group).empty();
  }

  /// The names in a group, as `compare` has them, in its order.
  std::vector<std::string> names_in(const std::string& group) {
    std::vector<std::string> names;
    for (std::size_t row = 0; row < base().rows(); ++row) {
      const std::string_view id = base().text("id", row);
      if (base().text("group", row) != group || id == group + ".total" || id == group + ".rest")
        continue;
      names.emplace_back(id.substr(group.size() + 1));
    }
    return names;
  }

  [[noreturn]] void refuse_id(const GateRule& rule, const std::string& id) {
    std::vector<std::string_view> known;
    for (const auto& [name, headline] : headlines_) known.push_back(name);
    for (std::size_t row = 0; row < base().rows(); ++row) {
      if (base().text("group", row) != "summary") known.push_back(base().text("id", row));
    }
    const std::string meant(nearest(id, known));
    if (meant.empty())
      refuse_subject(rule, "there is no number \"" + id + "\"; crema ask A B compare lists them",
                     "event_rate_core_khz");
    refuse_subject(rule, "there is no number \"" + id + "\"; did you mean " + meant + "?",
                   quoted(meant));
  }

  /// As a rule has a name: in quotes where something in it would end it.
  static std::string quoted(const std::string& name) {
    return name.find_first_of("<>=!;#") == std::string::npos &&
                   name.find(" not ") == std::string::npos
               ? name
               : "\"" + name + "\"";
  }

  std::vector<Subject> group_subjects(const GateRule& rule, const std::string& group,
                                      const std::string& rest) {
    if (!is_group(group)) {
      const std::string meant(nearest(group, groups));
      refuse_subject(rule, "no group " + not_among(group, groups),
                     quoted((meant.empty() ? "dataset" : meant) + ":" + rest));
    }
    std::size_t measure = 0;
    std::string name = rest;
    for (std::size_t i = 0; i < measures.size(); ++i) {
      const std::string end = "." + std::string(measures[i]);
      if (rest.size() <= end.size() || !rest.ends_with(end)) continue;
      measure = i;
      name = rest.substr(0, rest.size() - end.size());
    }
    const std::vector<std::string> names = names_in(group);
    std::vector<std::string> chosen;
    if (name == "*") {
      chosen = names;
    } else if (names.empty() || std::find(names.begin(), names.end(), name) != names.end()) {
      chosen = {name};
    } else {
      refuse_name(rule, group, rest, names);
    }
    if (chosen.empty()) chosen = {name};
    std::vector<Subject> subjects;
    for (const std::string& one : chosen) {
      Subject subject{group + " " + one, group + ":" + one + "." + std::string(measures[measure]),
                      group + "." + one, selection_, std::string(per_text(measure))};
      // Per event of its own: the run's other events say nothing about a dataset.
      if (static_cast<Per>(measure) == Per::million_events) {
        if (group == "dataset") subject.selection.datasets = {one == "unnamed" ? "" : one};
        if (group == "host") subject.selection.hosts = {one};
      }
      subjects.push_back(std::move(subject));
    }
    return subjects;
  }

  static std::string_view per_text(std::size_t measure) {
    constexpr std::array<std::string_view, 3> texts = {"absolute", "million_events", "share"};
    return texts[measure];
  }

  [[noreturn]] void refuse_name(const GateRule& rule, const std::string& group,
                                const std::string& rest, const std::vector<std::string>& names) {
    std::vector<std::string> forms = names;
    for (const std::string& name : names) {
      for (const std::string_view measure : measures)
        forms.push_back(name + "." + std::string(measure));
    }
    const std::vector<std::string_view> known(forms.begin(), forms.end());
    const std::vector<std::string_view> listed(names.begin(), names.end());
    const std::string meant(nearest(rest, known));
    refuse_subject(rule, "no " + group + " " + not_among(rest, listed),
                   quoted(group + ":" + (meant.empty() ? names.front() : meant)));
  }

  Better better_of(const std::string& id, std::string_view group) const {
    if (const auto found = headlines_.find(id); found != headlines_.end())
      return found->second.better;
    return group == "setup" ? Better::neither : Better::lower;
  }

  Line line_of(const GateRule& rule, const Subject& subject) {
    Line line;
    line.kind = "rule";
    line.rule = subject.name == rule.subject
                    ? rule.text
                    : quoted(subject.name) + rule.text.substr(rule.subject_end);
    line.line = static_cast<double>(rule.line);
    line.group = subject.group;
    line.id = subject.id;
    const auto could_not_tell = [&](std::string why, bool is_missing) {
      line.state = is_missing && allowed_.contains(not_recorded) ? allowed : unknown;
      line.note = std::move(why);
      return line;
    };
    const Table* table = nullptr;
    try {
      table = &compared(subject);
    } catch (const Failure& failure) {
      tables_.erase(tables_.find({subject.per, narrowing(subject)}));
      return could_not_tell("not recorded: " + failure.error().detail, true);
    }
    const std::size_t row = table->row_of("id", subject.id);
    if (row == table->rows()) return could_not_tell(why_no_row(subject), true);
    line.unit = table->text("unit", row);
    line.baseline = table->number("a", row);
    line.candidate = table->number("b", row);
    if (!table->text("a_text", row).empty() || !table->text("b_text", row).empty())
      return could_not_tell("it is a text and no number", false);
    // A dataset alone has nothing that it could be compared with: the verdict is that of all.
    const Table& whole = compared({{}, {}, {}, selection_, subject.per});
    const std::size_t of_whole = whole.row_of("id", subject.id);
    if (of_whole == whole.rows()) return could_not_tell(why_no_row(subject), true);
    line.noise = whole.number("noise", of_whole) *
                 value_or(std::fabs(ratio(line.baseline, whole.number("a", of_whole))), 1);
    line.verdict = whole.text("verdict", of_whole);
    const std::string_view of_compare = table->text("note", row);
    const auto missing = [&](const char* where) {
      return could_not_tell(std::string("not recorded in the ") + where +
                                (of_compare.empty() ? "" : " (" + std::string(of_compare) + ")"),
                            true);
    };
    const bool is_verdict = rule.is_about_verdict();
    const double margin = is_verdict ? margin_of(rule, line.id, line.unit, line.baseline) : absent;
    if (!is_verdict) line.limit = limit_of(rule, line.id, line.unit, line.baseline);
    if (is_absent(line.candidate)) return missing("candidate");
    if (is_absent(line.baseline) && (is_verdict || is_absent(line.limit)))
      return missing("baseline");
    line.note = (subject.group.empty() ? "" : subject.group + ": ") + change_text(line);
    if (is_verdict) return judged(rule, line, margin, whole, of_whole);
    line.state = holds(rule, line.candidate, line.limit) ? kept : broken;
    return line;
  }

  static std::string narrowing(const Subject& subject) {
    return subject.selection.datasets.size() == 1 ? "d" + subject.selection.datasets.front()
           : subject.selection.hosts.size() == 1  ? "h" + subject.selection.hosts.front()
                                                  : "";
  }

  std::string why_no_row(const Subject& subject) {
    const auto headline = headlines_.find(subject.id);
    if (headline != headlines_.end())
      return "known, but not recorded in either run" +
             (headline->second.note.empty() ? "" : " (" + headline->second.note + ")");
    return "known, but not recorded in both runs";
  }

  /// "+32.1 % (±2 %)"
  static std::string change_text(const Line& line) {
    const double delta = line.candidate - line.baseline;
    if (is_absent(delta)) return "only in the candidate";
    if (delta == 0) return "no change";
    if (is_percentage(line.id, line.unit)) return format_difference(line.id, line.unit, delta);
    const double change = ratio(delta, std::fabs(line.baseline));
    if (is_absent(change)) return format_difference(line.id, line.unit, delta);
    std::string text = (change < 0 ? "−" : "+") + format_percent(std::fabs(change));
    const double error = ratio(line.noise, std::fabs(line.baseline));
    if (!is_absent(error) && error > 0) text += " ± " + format_percent(error);
    return text;
  }

  /// `compare` may judge a part of a run against what all parts have in common. Where the whole run
  /// is worse, a part is when its change is beyond the noise of both.
  static bool is_worse_with_all(double worse_by, const Line& line, const Table& table) {
    const std::string group = line.id.substr(0, line.id.find('.'));
    const std::size_t all = table.row_of("id", group + ".total");
    if (line.verdict == "worse" || all == table.rows() || table.text("verdict", all) != "worse")
      return false;
    const double of_all = ratio(table.number("noise", all), table.number("b", all));
    const double own = ratio(line.noise, line.candidate);
    // Both noises are of ratios: a run three times as slow is as far from 1 as one three times as
    // fast.
    const double change = std::fabs(elementary::log(ratio(line.candidate, line.baseline)));
    return worse_by > 0 && change > sure * elementary::hypot(of_all, own);
  }

  /// `not worse`: what `compare` says of the number, which knows the noise of all of them.
  Line judged(const GateRule& rule, Line line, double margin, const Table& table,
              std::size_t row) const {
    const Better better = better_of(line.id, table.text("group", row));
    if (better == Better::neither) {
      refuse_rule(rule, rule.subject_end, rule.text.size(),
                  "more or less of it is neither better nor worse", " == 1x");
    }
    const double worse_by = (line.candidate - line.baseline) * (better == Better::lower ? 1 : -1);
    if (rule.kind != GateRule::Kind::none)
      line.limit = line.baseline + margin * (better == Better::lower ? 1 : -1);
    const bool with_all = is_worse_with_all(worse_by, line, table);
    if (line.verdict == "worse" || with_all) {
      line.state = worse_by > margin ? broken : kept;
      line.note += line.state == broken ? (with_all ? ", worse as the whole run is" : ", worse")
                   : worse_by > 0       ? ", worse by less than the margin"
                                        : ", worse only against the rest of the run";
    } else if (line.verdict == "better" || table.number("noteworthy", row) == 0) {
      line.state = kept;
      if (line.verdict == "better") line.note += ", better";
      else if (line.candidate != line.baseline) line.note += ", within the noise";
    } else {
      line.state = unknown;
      line.note +=
          ": nothing in the runs tells by how much it varies; give it a limit, for "
          "example <= +10%";
    }
    return line;
  }

  std::span<const Run* const> runs_;
  Selection selection_;
  const Options& options_;
  std::string base_per_;
  std::set<std::string_view> allowed_;
  std::map<std::string, Headline> headlines_;
  std::map<std::pair<std::string, std::string>, Table> tables_;
  std::vector<Line> lines_;
};

/// "refused" when the runs could not be held against the rules, or against one of them; "broken"
/// when a rule is.
std::string_view outcome_of(const std::vector<Line>& lines) {
  const auto any = [&](std::string_view kind, std::string_view state) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const Line& line) { return line.kind == kind && line.state == state; });
  };
  if (any("condition", unknown)) return "refused";
  if (any("rule", broken)) return broken;
  return any("rule", unknown) ? "refused" : kept;
}

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const std::vector<GateRule> rules = parse_gate_rules(options.text(rules_option));
  Gate gate(runs, selection, options);
  gate.add_condition(no_rules, "there are rules",
                     rules.empty() ? "no rule was given, so nothing could be broken" : "");
  std::vector<NamedRun> named;
  for (const Run* run : runs) named.push_back({*run, run->title, dataset_events(*run)});
  if (runs.size() == 2) {
    named[0].name = "the baseline";
    named[1].name = "the candidate";
  }
  // All are held against the first: replicates of a side are of the same work, too.
  const auto in_any = [&](auto&& reason) {
    std::string text;
    for (std::size_t i = 1; i < named.size() && text.empty(); ++i)
      text = reason(named[0], named[i]);
    return text;
  };
  gate.add_condition(missing_datasets, "all runs have the same datasets",
                     in_any(missing_datasets_in));
  gate.add_condition(missing_events, "all runs have the same events", in_any(missing_events_in));
  gate.add_condition(another_processor, "all runs have the same processor",
                     in_any([&](const NamedRun& a, const NamedRun& b) {
                       return another_processor_in(a, b, options);
                     }));
  for (const GateRule& rule : rules) gate.add_rule(rule);
  gate.add_condition(nothing_compared, "something was compared",
                     rules.empty() || gate.compared_something()
                         ? ""
                         : "no number that a rule is about is recorded in both runs");

  Table table;
  const std::vector<Line>& lines = gate.lines();
  Rows rows(table, lines);
  rows.text("kind", &Line::kind);
  rows.text("rule", &Line::rule);
  rows.text("state", &Line::state);
  rows.flag(
      "kept",
      [](const Line& line) {
        return line.state == kept ? 1.0 : line.state == broken ? 0.0 : absent;
      },
      "missing: could not tell");
  rows.text("id", &Line::id);
  rows.text("group", &Line::group);
  rows.number("line", "count", &Line::line);
  rows.number("baseline", "", &Line::baseline);
  rows.number("candidate", "", &Line::candidate);
  rows.number("limit", "", &Line::limit, "what the candidate is held against");
  rows.any_text("unit", &Line::unit);
  rows.number("noise", "", &Line::noise, "standard error of candidate − baseline");
  rows.text("verdict", &Line::verdict);
  rows.text("note", &Line::note);
  table.note("outcome", outcome_of(lines));
  for (const Note& of_runs : gate.base().notes) {
    if (of_runs.name == "a" || of_runs.name == "b") table.notes.push_back(of_runs);
  }
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "check",
    .about =
        "rules on two runs, and what keeps the runs from being held against them: kept, "
        "broken, unknown or allowed",
    .options = {&facts::processor_option, &facts::per_option, &rules_option, &allow_option},
    .narrowed_by = all_dimensions,
    .min_runs = 2,
    .max_runs = 2,
    .function = answer,
};

}  // namespace crema::questions::check
