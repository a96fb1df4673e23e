// crema compare and crema check: two bundles, one run each.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>

#include "cli/asked.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "core/base/numbers.hpp"
#include "core/base/visible.hpp"
#include "core/write/comparison_markdown.hpp"
#include "core/write/table_text.hpp"

namespace crema::cli {

namespace {

/// What both commands do: open two runs, answer in one of two forms.
struct Pair {
  Asked asked;
  bool json = false;
  bool markdown = false;

  void add_arguments(CLI::App& command, const std::string& placeholder) {
    asked.add_bundles(command, placeholder, "two bundles, of one run each");
    auto* as_json = command.add_flag("--json", json, "print JSON");
    command.add_flag("--markdown", markdown, "print Markdown (default)")->excludes(as_json);
  }

  std::vector<RunId> open(Session& session) const {
    if (asked.bundles.size() > 2)
      throw Refusal("two bundles are compared, not " + std::to_string(asked.bundles.size()));
    Opened opened = asked.open(session);
    if (opened.runs.size() != 2) {
      const std::string runs =
          std::to_string(opened.runs.size()) + (opened.runs.size() == 1 ? " run" : " runs");
      throw Refusal(
          "two runs are compared; " +
          std::string(asked.bundles.size() < 2 ? "this bundle holds " : "these bundles hold ") +
          runs);
    }
    return std::move(opened.runs);
  }
};

struct Compare : Pair {
  int run() {
    asked.complete();
    Session session;
    const auto runs = open(session);
    const Table answer =
        value_of(session.ask("compare", runs, asked.selection, Options(asked.options)));
    print(json ? table_json(answer) : comparison_markdown(answer));
    return done;
  }
};

struct Check : Pair {
  std::vector<std::string> rules;
  std::string rules_file;

  int run() {
    std::string all;
    for (const std::string& rule : rules) all += rule + "\n";
    if (!rules_file.empty()) {
      std::ifstream in(rules_file);
      if (!in) throw Refusal(visible(rules_file) + ": cannot be read");
      all.append(std::istreambuf_iterator<char>(in), {});
    }
    if (!all.empty()) asked.options["rules"] = all;
    Session session;
    const auto runs = open(session);
    const Table answer = value_of(session.ask("check", runs, {}, Options(asked.options)));
    if (json) {
      print(table_json(answer));
    } else {
      const auto compared = session.ask("compare", runs, {}, {});
      print(verdict_markdown(answer) +
            (compared ? "\n" + comparison_markdown(compared.value()) : ""));
    }
    const std::vector<double>& kept = answer.find("kept")->numbers;
    if (std::find(kept.begin(), kept.end(), 0.0) != kept.end()) return broken;
    return std::any_of(kept.begin(), kept.end(), is_absent) ? refused : done;
  }
};

}  // namespace

Command add_compare(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("compare", "what changed from run A to run B, as Markdown");
  const auto compare = std::make_shared<Compare>();
  compare->add_arguments(*command, "A B");
  compare->asked.add_filters(*command);
  return {command, [compare] { return compare->run(); }};
}

Command add_check(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "check", "a gate: exit 0 when CANDIDATE keeps the rules, 1 when not, 2 when unknown");
  const auto check = std::make_shared<Check>();
  check->add_arguments(*command, "BASELINE CANDIDATE");
  command
      ->add_option("--rule", check->rules,
                   "x = times the baseline, +5% = the baseline and 5 % (repeatable)")
      ->allow_extra_args(false)
      ->type_name("\"ID OP NUMBER[x|%]\"");
  command
      ->add_option("--rules", check->rules_file,
                   "a file of rules, one per line, # begins a comment")
      ->type_name("FILE");
  return {command, [check] { return check->run(); }};
}

}  // namespace crema::cli
