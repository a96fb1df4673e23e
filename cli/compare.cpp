// crema compare: what changed between two runs.
#include <algorithm>
#include <memory>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/pair.hpp"
#include "core/facts/noise/explanation.hpp"
#include "core/write/comparison_markdown.hpp"
#include "core/write/table_text.hpp"

namespace crema::cli {

namespace {

struct Compare : Pair {
  std::string run_spread;

  /// The runs of both sides: of A1 A2 -- B1 B2 those before the -- are A.
  std::vector<RunId> open_sides(Session& session) {
    const auto divider = std::find(asked.bundles.begin(), asked.bundles.end(), side_divider);
    if (divider == asked.bundles.end()) return open(session);
    const std::vector<std::string> of_b(divider + 1, asked.bundles.end());
    asked.bundles.erase(divider, asked.bundles.end());
    if (of_b.empty()) throw Refusal("no bundles stand behind --: A1 A2 -- B1 B2");
    std::vector<RunId> runs = asked.open(session).runs;
    asked.options[std::string(facts::runs_of_a_option.name)] = std::to_string(runs.size());
    asked.bundles = of_b;
    for (const RunId run : asked.open(session).runs) runs.push_back(run);
    return runs;
  }

  int run() {
    asked.complete();
    if (!run_spread.empty()) asked.options[std::string(facts::run_spread_option.name)] = run_spread;
    Session session;
    const auto runs = open_sides(session);
    const Table answer =
        value_of(session.ask("compare", runs, asked.selection, Options(asked.options)));
    print(json ? table_json(answer) : comparison_markdown(answer));
    return done;
  }
};

}  // namespace

Command add_compare(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("compare", "what changed from run A to run B, as Markdown");
  const auto compare = std::make_shared<Compare>();
  compare->add_arguments(*command, "A B");
  command->footer("Replicates of either side stand around a --: crema compare A1 A2 A3 -- B1 B2");
  command
      ->add_option("--run-spread", compare->run_spread, std::string(facts::run_spread_option.about))
      ->type_name("SHARE");
  compare->asked.add_filters(*command);
  return {command, [compare] { return compare->run(); }};
}

}  // namespace crema::cli
