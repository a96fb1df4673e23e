// crema ask
#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "cli/aligned_table.hpp"
#include "cli/ask_each.hpp"
#include "cli/asked.hpp"
#include "cli/command.hpp"
#include "cli/layout.hpp"
#include "cli/output.hpp"
#include "cli/question_help.hpp"
#include "core/export/export.hpp"
#include "core/model/selection.hpp"

namespace crema::cli {

namespace {

bool is_question(std::string_view name) {
  const auto all = query::all();
  return std::any_of(all.begin(), all.end(),
                     [&](const query::Question* question) { return question->name == name; });
}

struct Ask {
  Asked asked;
  bool json = false;
  bool csv = false;
  bool text = false;
  bool wide = false;
  bool explain = false;

  int run() {
    asked.complete();
    if (asked.bundles.size() < 2)
      throw Refusal(
          "ask what of which run? crema ask BUNDLE... QUESTION; crema ask --help lists the "
          "questions");
    const std::string name = std::exchange(asked.bundles.back(), {});
    asked.bundles.pop_back();
    if (!is_question(name) && is_question(asked.bundles.front()))
      throw Refusal("the question comes last: crema ask BUNDLE... " + asked.bundles.front());
    const query::Question& question = query::named(name);
    check(Options(asked.options), question.options);
    Session session;
    const std::vector<RunId> runs = asked.open(session).runs;
    const Table table =
        value_of(ask_each(session, question, runs, asked.selection, Options(asked.options), json));
    TextSink out(print);
    if (json) write_table_json(table, explain, out);
    else if (csv) write_table_csv(table, out);
    else if (is_on_terminal() && !wide && !explain) write_fitted(table, terminal_width(), out);
    else write_aligned(table, explain, out);
    out.end();
    return done;
  }
};

}  // namespace

Command add_ask(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("ask", "one answer as a table: crema ask BUNDLE... QUESTION");
  command->footer(question_list());
  const auto ask = std::make_shared<Ask>();
  ask->asked.add_bundles(
      *command, "BUNDLE... QUESTION",
      "bundles, then the name of a question; one of a single run is answered for each");
  ask->asked.add_filters(*command);
  ask->asked.add_options(*command);
  auto* as_json = command->add_flag("--json", ask->json, "print JSON");
  auto* as_csv = command->add_flag("--csv", ask->csv, "print CSV")->excludes(as_json);
  command->add_flag("--text", ask->text, "print aligned text (default)")
      ->excludes(as_json)
      ->excludes(as_csv);
  command->add_flag("--wide", ask->wide,
                    "all columns with every digit, on a terminal that is narrower, too");
  command->add_flag("--explain", ask->explain, "show how each column is computed");
  return {command, [ask] { return ask->run(); }};
}

}  // namespace crema::cli
