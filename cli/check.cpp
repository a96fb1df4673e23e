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
#include "core/base/visible.hpp"
#include "core/compare/gate.hpp"
#include "core/export/comparison_markdown.hpp"
#include "core/export/gate_markdown.hpp"

namespace crema::cli {

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
    GateResult result;
    std::string comparison;
    try {
      ask(session, result, comparison);
    } catch (const Failure& failure) {
      result.error = failure.what();
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
  void ask(Session& session, GateResult& result, std::string& comparison) {
    asked.options["rules"] = rules_text(result);
    if (!history.empty()) return ask_history(session, result);
    ask_pair(session, result, comparison);
  }

  void ask_pair(Session& session, GateResult& result, std::string& comparison) {
    for (const std::string& name : allowed) asked.options["allow"] += name + ",";
    const auto runs = open(session);
    std::map<std::string, std::string> of_check = sides;
    of_check.insert(asked.options.begin(), asked.options.end());
    result.checked = value_of(session.ask("check", runs, {}, Options(of_check)));
    result.status = status_of(result.checked);
    keep(session, {&runs.back(), 1});
    if (json) return;
    const auto compared = session.ask("compare", runs, {}, Options(sides));
    if (compared) comparison = "\n" + comparison_markdown(compared.value());
  }

  /// The candidate against all runs of a folder.
  void ask_history(Session& session, GateResult& result) {
    const std::vector<std::string> candidate = std::exchange(asked.bundles, {history});
    std::vector<RunId> runs = asked.open(session).runs;
    asked.bundles = candidate;
    const std::vector<RunId> opened = asked.open(session).runs;
    if (opened.size() != 1)
      throw Refusal("one run is checked against a history, not " + std::to_string(opened.size()));
    runs.push_back(opened.front());
    result.checked = value_of(session.ask("check_history", runs, {}, Options(asked.options)));
    result.status = status_of(result.checked);
    keep(session, opened);
  }

  /// The candidate's digest, where one is wanted: whatever the verdict, it is part of the history.
  void keep(Session& session, std::span<const RunId> candidate) const {
    if (!digests.path.empty()) save_digests(session, candidate, {}, digests);
  }

  /// The file's first, so that its rules are on its lines.
  std::string rules_text(GateResult& result) const {
    std::string all;
    if (!rules_file.empty()) {
      std::ifstream in(rules_file);
      if (!in) throw Refusal(visible(rules_file) + ": cannot be read");
      all.assign(std::istreambuf_iterator<char>(in), {});
      if (!all.ends_with('\n')) all += '\n';
      result.rules_file = rules_file;
      result.rules_lines = static_cast<std::size_t>(std::count(all.begin(), all.end(), '\n'));
    }
    for (const std::string& rule : rules) all += rule + "\n";
    return all;
  }

  static int status_of(const Table& checked) {
    const std::string_view outcome = checked.text_note("outcome");
    return outcome == "kept" ? done : outcome == "broken" ? broken : refused;
  }

  void write(const GateResult& result, const std::string& comparison) const {
    const bool is_asked = result.error.empty();
    const std::string text = is_asked ? gate_markdown(result.checked) + comparison : "";
    if (!junit.empty())
      save({"crema-check.xml", gate_junit(result)}, {.path = junit, .overwrite = true});
    if (json) print(gate_json(result));
    else if (github) print(gate_annotations(result));
    else if (junit != "-") print(text);
    if (github)
      summarize(is_asked ? text
                         : "# Rules not checked\n\n```\n" + visible(result.error) + "\n```\n");
    for (std::size_t row = 0; row < result.checked.rows(); ++row) {
      if (result.checked.text("state", row) != "unknown") continue;
      if (result.checked.text("kind", row) == "rule")
        remark("crema: " + visible(result.checked.text("rule", row)) +
               " is undecided: " + visible(result.checked.text("note", row)));
      else
        remark("crema: " + visible(result.checked.text("note", row)) + "; --allow " +
               std::string(result.checked.text("id", row)) + " continues anyway");
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
            (one.status == done ? "" : "; or " + std::string(one.of_all));
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
