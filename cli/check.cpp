// crema check: a gate, rules on two runs.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <utility>

#include "cli/command.hpp"
#include "cli/digest.hpp"
#include "cli/gate_output.hpp"
#include "cli/output.hpp"
#include "cli/pair.hpp"
#include "cli/screen.hpp"
#include "core/base/text.hpp"
#include "core/compare/gate.hpp"
#include "core/export/export.hpp"
#include "core/report/comparison_text.hpp"

namespace crema::cli {

using report::failure_text;
using report::result_text;
using report::rule_text;

namespace {

struct Check : Pair {
  std::vector<std::string> rules;
  std::string rules_file;
  std::vector<std::string> allowed;
  bool github = false;
  std::string junit;
  std::string history;
  Target digests;

  int run() {
    Session session;
    GateReport result;
    std::string comparison;
    try {
      ask(session, result, comparison);
    } catch (const Failure& failure) {
      // a rule that cannot be used says where it is wrong
      const Error& error = failure.error();
      result.error = error.code == ErrorCode::bad_option ? error.detail : failure.what();
    } catch (const Refusal& refusal) {
      result.error = refusal.what();
    }
    if (!result.error.empty()) result.status = refused;
    write(result, comparison);
    // Said in the end and by whoever says it of all commands.
    if (!result.error.empty()) throw Refusal(result.error);
    return result.status;
  }

 private:
  void ask(Session& session, GateReport& result, std::string& comparison) {
    asked.options["rules"] = rules_text(result);
    if (!history.empty()) return ask_history(session, result);
    ask_pair(session, result, comparison);
  }

  void ask_pair(Session& session, GateReport& result, std::string& comparison) {
    for (const std::string& name : allowed) asked.options["allow"] += name + ",";
    const auto runs = open(session);
    std::map<std::string, std::string> of_check = sides;
    of_check.insert(asked.options.begin(), asked.options.end());
    result.gate =
        value_of(session.report("check", runs, {}, Options(of_check), compare::check_rules));
    result.status = status_of(*result.gate);
    keep(session, {&runs.back(), 1});
    if (json) return;
    for (const std::string& sentence : damage) comparison += "\n* " + sentence;
    if (!damage.empty()) comparison += "\n";
    const auto text = compared(session, runs, {}, Options(sides));
    if (text) comparison += "\n" + text.value();
  }

  /// The candidate against all runs of a folder.
  void ask_history(Session& session, GateReport& result) {
    const std::vector<std::string> candidate = std::exchange(asked.bundles, {history});
    std::vector<RunId> runs = asked.open(session).runs;
    asked.bundles = candidate;
    const std::vector<RunId> opened = asked.open(session).runs;
    if (opened.size() != 1)
      throw Refusal("one run is checked against a history, not " + std::to_string(opened.size()));
    runs.push_back(opened.front());
    result.gate = value_of(
        session.report("check_history", runs, {}, Options(asked.options), compare::check_history));
    result.status = status_of(*result.gate);
    keep(session, opened);
  }

  /// The candidate's digest, where one is wanted: whatever the verdict, it is part of the history.
  void keep(Session& session, std::span<const RunId> candidate) const {
    if (!digests.path.empty()) save_digests(session, candidate, {}, digests);
  }

  /// The file's first, so that its rules are on its lines.
  std::string rules_text(GateReport& result) const {
    std::string all;
    if (!rules_file.empty()) {
      std::ifstream in(rules_file);
      if (!in)
        throw Refusal(visible(rules_file) +
                      ": cannot be read: " + std::generic_category().message(errno));
      all.assign(std::istreambuf_iterator<char>(in), {});
      if (!all.ends_with('\n')) all += '\n';
      result.rules_file = rules_file;
      result.rules_lines = static_cast<std::size_t>(std::count(all.begin(), all.end(), '\n'));
    }
    for (const std::string& rule : rules) all += rule + "\n";
    return all;
  }

  static int status_of(const compare::Gate& gate) {
    const compare::GateState outcome = gate.outcome();
    return outcome == compare::GateState::kept        ? done
           : outcome == compare::GateState::broken    ? broken
           : outcome == compare::GateState::undecided ? undecided
                                                      : refused;
  }

  void write(const GateReport& result, const std::string& comparison) const {
    const bool is_asked = result.gate.has_value();
    const bool on_screen = is_screen() && !github;
    const std::string text = is_asked ? gate_markdown(*result.gate) + comparison : "";
    if (!junit.empty())
      save({"crema-check.xml", gate_junit(result)},
           {.path = junit, .overwrite = digests.overwrite});
    if (json) print(gate_json(result));
    else if (github) print(gate_annotations(result));
    else if (junit != "-" && on_screen && is_asked)
      print(gate_screen(*result.gate, terminal_width(), style_of_terminal()) +
            screen_text(comparison, terminal_width(), style_of_terminal()));
    else if (junit != "-") print(text);
    if (github)
      summarize(is_asked ? text
                         : "# Rules not checked\n\n```\n" + visible(result.error) + "\n```\n");
    if (!is_asked || on_screen) return;  // which says it all
    const compare::Gate& gate = *result.gate;
    for (const compare::GateLine& line : gate.lines()) {
      if (line.state() != compare::GateState::unknown &&
          line.state() != compare::GateState::undecided)
        continue;
      if (line.result != nullptr)
        remark("crema: " + visible(rule_text(gate.rules[line.result->rule], *line.result)) +
               " is undecided: " + visible(result_text(*line.result)));
      else
        remark("crema: " + visible(failure_text(*line.condition, gate.titles)) + "; --allow " +
               std::string(name_of(line.condition->reason)) + " continues anyway");
    }
  }

  /// GitHub shows what stands in this file below the job.
  static void summarize(const std::string& text) {
    const char* const path = std::getenv("GITHUB_STEP_SUMMARY");
    if (path == nullptr || *path == '\0') return;
    std::ofstream out(path, std::ios::app | std::ios::binary);
    if (!(out << text << std::flush)) throw OutputFailed(visible(path) + " cannot be written");
  }
};

/// The table of docs/gate.md, for --help.
std::string exit_statuses_text() {
  std::string text = "Exit status:";
  for (const ExitStatus& one : exit_statuses)
    text += "\n  " + std::to_string(one.status) + "  " + std::string(one.of_check) +
            (one.status == done || one.of_all.empty() ? "" : "; or " + std::string(one.of_all));
  return text;
}

/// "no-rules|missing-events"
std::string allow_names() {
  std::string names;
  for (const std::string_view name : compare::gate_reasons)
    names += (names.empty() ? "" : "|") + std::string(name);
  return names;
}

}  // namespace

Command add_check(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "check", "a gate: whether CANDIDATE keeps the rules, compared with BASELINE");
  const auto check = std::make_shared<Check>();
  check->add_arguments(*command, "BASELINE CANDIDATE");
  command
      ->add_option(
          "--rule", check->rules,
          "\"event_rate_core_khz >= 0.9x\", \"dataset:ttbar not worse by 3%\" (repeatable)")
      ->allow_extra_args(false)
      ->type_name("RULE");
  command
      ->add_option("--rules", check->rules_file,
                   "a file of rules, one per line, # begins a comment")
      ->type_name("FILE");
  command->add_option("--allow", check->allowed, "a condition that may fail (repeatable)")
      ->allow_extra_args(false)
      ->type_name(allow_names());
  command
      ->add_option("--history", check->history,
                   "a folder of recordings or digests: CANDIDATE alone is checked against their "
                   "level since the last change")
      ->type_name("FOLDER");
  command
      ->add_option("--digest", check->digests.path,
                   "also keep the candidate's digest in this folder, whatever the verdict")
      ->type_name("FOLDER");
  command->add_flag("--force", check->digests.overwrite,
                    "overwrite a report and a digest that are there already");
  command->add_option("--junit", check->junit, "also write a JUnit report; - is standard output")
      ->type_name("FILE");
  command
      ->add_flag("--github", check->github,
                 "print annotations of GitHub Actions, and add the Markdown to the job's summary")
      ->excludes(command->get_option("--json"));
  command->footer(
      "Replicates of either side stand around a --: crema check BASELINE1 BASELINE2 -- "
      "CANDIDATE1 CANDIDATE2\n\n" +
      exit_statuses_text());
  return {command, [check] { return check->run(); }};
}

}  // namespace crema::cli
