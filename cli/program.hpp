#pragma once

namespace crema::cli {

/// The command line: reads the arguments, does what they ask, and turns what goes wrong into a
/// sentence and a status (command.hpp). `argv` has `argc` entries and a null pointer behind them.
int run_program(int argc, char** argv);

}  // namespace crema::cli
