#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace crema::cli {

constexpr int done = 0;
constexpr int broken = 1;   ///< of `check`: a rule is; of all: the answer could not be written
constexpr int refused = 2;  ///< what was asked could not be read or answered

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
Command add_questions(CLI::App& program);
Command add_completions(CLI::App& program);
Command add_man(CLI::App& program);

}  // namespace crema::cli
