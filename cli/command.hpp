#pragma once

#include <array>
#include <functional>
#include <string_view>

#include <CLI/CLI.hpp>

namespace crema::cli {

constexpr int done = 0;
constexpr int broken = 1;
constexpr int refused = 2;
constexpr int undecided = 3;

/// What an exit status means: of all commands, and of `check` besides. docs/gate.md has the same
/// table.
struct ExitStatus {
  int status;
  std::string_view of_all;
  std::string_view of_check;
};
inline constexpr std::array<ExitStatus, 4> exit_statuses = {{
    {done, "done", "all rules are kept"},
    {broken, "the answer could not be written", "a rule is broken"},
    {refused, "what was asked could not be read or answered",
     "the rules could not be checked, or a number that a rule needs is missing"},
    {undecided, "", "no rule is broken, but these runs are too noisy to tell of one whether it is"},
}};

/// What stands for the -- between the two sides of `compare` and `check` once the arguments were
/// read: no file has such a name.
inline constexpr const char* side_divider = "\x1e";

/// The number that is followed where none was named.
inline constexpr const char* usual_number = "event_rate_core_khz";

/// A subcommand: its arguments, and what it does once they were read. Its help, the manual and the
/// completions are made from the arguments alone.
struct Command {
  CLI::App* arguments;
  /// the program's exit status; may throw Refusal, Failure, OutputFailed, PipeClosed
  std::function<int()> run;
};

// Each adds its subcommand to `program`. The program must outlive it.
Command add_summary(CLI::App& program);
Command add_ask(CLI::App& program);
Command add_export(CLI::App& program);
Command add_compare(CLI::App& program);
Command add_check(CLI::App& program);
Command add_bisect(CLI::App& program);
Command add_digest(CLI::App& program);
Command add_history(CLI::App& program);
Command add_watch(CLI::App& program);
Command add_questions(CLI::App& program);
Command add_completions(CLI::App& program);
Command add_man(CLI::App& program);

}  // namespace crema::cli
