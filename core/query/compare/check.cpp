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
#include "core/compare/comparison.hpp"
#include "core/compare/explanation.hpp"
#include "core/compare/gate_conditions.hpp"
#include "core/compare/gate_rule.hpp"
#include "core/query/list.hpp"
#include "core/query/parts/gate_lines.hpp"
#include "core/query/parts/gate_subjects.hpp"
#include "core/runtime/cluster/processor.hpp"
#include "core/runtime/headlines/headlines.hpp"

namespace crema::query::check {

namespace {

constexpr Option rules_option{
    .name = "rules",
    .about =
        "rules, separated by ; or line breaks: event_rate_core_khz >= 0.9x; "
        "dataset:ttbar.seconds_per_million_events not worse"};
constexpr Option allow_option{
    .name = "allow",
    .about = "names of conditions that may fail, separated by commas; docs/gate.md lists them"};

std::set<std::string_view> allowed_reasons(const std::string& text) {
  std::set<std::string_view> names;
  for (const std::string_view name : split(text, ",\n")) {
    const auto found = std::find(gate_reasons.begin(), gate_reasons.end(), name);
    if (found == gate_reasons.end())
      throw Failure(ErrorCode::bad_option, "allow: no reason " + not_among(name, gate_reasons));
    names.insert(*found);
  }
  return names;
}

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
    GateLine line;
    line.kind = "condition";
    line.rule = what;
    line.id = name;
    line.state = reason.empty() ? kept : allowed_.contains(name) ? allowed : unknown;
    line.note = std::move(reason);
    lines_.push_back(std::move(line));
  }

  void add_rule(const GateRule& rule) {
    const GateSubjects subjects{base(), headlines_, selection_, base_per_};
    for (const GateSubject& subject : subjects.of(rule)) lines_.push_back(line_of(rule, subject));
  }

  bool compared_something() const {
    return std::any_of(lines_.begin(), lines_.end(), [](const GateLine& line) {
      return line.kind == "rule" && (line.state == kept || line.state == broken);
    });
  }

  const std::vector<GateLine>& lines() const { return lines_; }
  const Table& base() { return compared({{}, {}, {}, selection_, base_per_}); }

 private:
  const Table& compared(const GateSubject& subject) {
    const std::pair key{subject.per, narrowing(subject)};
    if (const auto made = tables_.find(key); made != tables_.end()) return made->second;
    std::map<std::string, std::string> options = options_.all();
    options.erase(std::string(rules_option.name));
    options.erase(std::string(allow_option.name));
    options[std::string(per_option.name)] = subject.per;
    Table table = compare::question(runs_, subject.selection, Options(std::move(options)));
    return tables_.emplace(key, std::move(table)).first->second;
  }

  Better better_of(const std::string& id, std::string_view group) const {
    if (const auto found = headlines_.find(id); found != headlines_.end())
      return found->second.better;
    return group == "setup" ? Better::neither : Better::lower;
  }

  GateLine line_of(const GateRule& rule, const GateSubject& subject) {
    GateLine line;
    line.kind = "rule";
    line.rule = subject.name == rule.subject
                    ? rule.text
                    : quoted_subject(subject.name) + rule.text.substr(rule.subject_end);
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
      return could_not_tell("not recorded: " + failure.error().detail, true);
    }
    const std::size_t row = table->row_of("id", subject.id);
    if (row == table->rows()) return could_not_tell(why_no_row(subject), true);
    line.unit = table->text("unit", row);
    line.baseline = table->number("a", row);
    line.candidate = table->number("b", row);
    if (!table->text("a_text", row).empty() || !table->text("b_text", row).empty())
      return could_not_tell("it is a text, not a number", false);
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

  static std::string narrowing(const GateSubject& subject) {
    return subject.selection.datasets.size() == 1 ? "d" + subject.selection.datasets.front()
           : subject.selection.hosts.size() == 1  ? "h" + subject.selection.hosts.front()
                                                  : "";
  }

  std::string why_no_row(const GateSubject& subject) {
    const auto headline = headlines_.find(subject.id);
    if (headline != headlines_.end())
      return "known, but not recorded in either run" +
             (headline->second.note.empty() ? "" : " (" + headline->second.note + ")");
    return "known, but not recorded in both runs";
  }

  /// "+32.1 % (±2 %)"
  static std::string change_text(const GateLine& line) {
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

  /// What was not seen, and what would have been.
  static std::string within_noise(const GateLine& line) {
    const double least = seen * ratio(line.noise, std::fabs(line.baseline));
    return std::string(line.candidate == line.baseline ? "" : ", within the noise") +
           (least > 0 ? "; worse by " + format_percent(least) + " or more would have been detected"
                      : "");
  }

  /// `compare` may judge a part of a run against what all parts have in common. Where the whole run
  /// is worse, a part is when its change is beyond the noise of both.
  static bool is_worse_with_all(double worse_by, const GateLine& line, const Table& table) {
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
  GateLine judged(const GateRule& rule, GateLine line, double margin, const Table& table,
                  std::size_t row) const {
    const Better better = better_of(line.id, table.text("group", row));
    if (better == Better::neither) {
      refuse_rule(rule, rule.subject_end, rule.text.size(),
                  "neither a larger nor a smaller value of it is better", " == 1x");
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
      else line.note += within_noise(line);
    } else {
      line.state = unknown;
      line.note += ": its noise is unknown; give it a limit, for example <= +10%";
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
  std::vector<GateLine> lines_;
};

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const std::vector<GateRule> rules = parse_gate_rules(options.text(rules_option));
  Gate gate(runs, selection, options);
  gate.add_condition(no_rules, "there are rules",
                     rules.empty() ? "no rule was given, so nothing could be broken" : "");
  for (GateCondition& one : gate_conditions(runs, options))
    gate.add_condition(one.name, one.condition, std::move(one.broken_by));
  for (const GateRule& rule : rules) gate.add_rule(rule);
  gate.add_condition(nothing_compared, "something was compared",
                     rules.empty() || gate.compared_something()
                         ? ""
                         : "no rule is about a number that both runs have");

  Table table;
  const std::vector<GateLine>& lines = gate.lines();
  add_gate_lines(table, lines);
  for (const Note& of_runs : gate.base().notes) {
    if (of_runs.name == "a" || of_runs.name == "b") table.notes.push_back(of_runs);
  }
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "check",
    .about =
        "rules on two runs, or on two groups of replicates, and conditions for comparing them: "
        "kept, broken, unknown or allowed",
    .options = {&runtime::processor_option, &per_option, &runs_of_a_option, &run_spread_option,
                &rules_option, &allow_option},
    .narrowed_by = all_dimensions,
    .min_runs = 2,
    .max_runs = any_number,
    .function = answer,
};

}  // namespace crema::query::check
