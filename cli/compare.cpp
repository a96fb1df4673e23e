// crema compare: what changed between two runs.
#include <memory>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/pair.hpp"
#include "cli/screen.hpp"
#include "core/export/export.hpp"

namespace crema::cli {

namespace {

struct Compare : Pair {
  int run() {
    asked.complete();
    Session session;
    const auto runs = open(session);
    asked.options.insert(sides.begin(), sides.end());
    const Options options(asked.options);
    const auto text = [&] { return value_of(compared(session, runs, asked.selection, options)); };
    if (json) print(table_json(value_of(session.ask("compare", runs, asked.selection, options))));
    else print(is_screen() ? screen_text(text(), terminal_width(), style_of_terminal()) : text());
    return done;
  }
};

}  // namespace

Command add_compare(CLI::App& program) {
  CLI::App* command = program.add_subcommand("compare", "what changed from run A to run B");
  const auto compare = std::make_shared<Compare>();
  compare->add_arguments(*command, "A B");
  command->footer("Replicates of either side stand around a --: crema compare A1 A2 A3 -- B1 B2");
  compare->asked.add_filters(*command);
  return {command, [compare] { return compare->run(); }};
}

}  // namespace crema::cli
