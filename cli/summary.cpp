// crema summary
#include <algorithm>
#include <memory>

#include "cli/asked.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/summary_text.hpp"

namespace crema::cli {

namespace {

struct Summary {
  Asked asked;
  bool explain = false;

  int run() const {
    Session session;
    const Opened opened = asked.open(session);
    const Style style = style_of_terminal();
    std::string text;
    for (const RunId run : opened.runs) {
      if (!text.empty()) text += "\n\n";
      text +=
          summary_text(session, run, std::max<std::size_t>(40, terminal_width()), style, explain);
    }
    print(text);
    return done;
  }
};

}  // namespace

Command add_summary(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("summary", "a report to read: core-time, findings, all numbers");
  const auto summary = std::make_shared<Summary>();
  summary->asked.add_bundles(*command, "BUNDLE...", "a folder, an archive, or files");
  command->add_flag("--explain", summary->explain, "show how each number is computed");
  return {command, [summary] { return summary->run(); }};
}

}  // namespace crema::cli
