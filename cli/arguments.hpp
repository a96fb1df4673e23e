#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace crema::cli {

// The arguments as data, for the manual and the completions: what CLI11 was told, and nothing else.

/// An option of a command.
struct Argument {
  std::string name;         ///< "--to", the long one
  std::string brief;        ///< "-o", or ""
  std::string placeholder;  ///< what stands for its value: "FILE", "mean|min|max"; "" of one that
                            ///< takes none
  std::vector<std::string> values;  ///< all it takes, when the placeholder lists them
  std::string about;
  bool repeatable = false;

  /// Whether its value is the path of a file.
  bool is_path() const { return placeholder == "FILE" || placeholder == "PATH"; }
};

std::vector<Argument> arguments_of(const CLI::App& command);

/// The names of a command's positional arguments: "BUNDLE... QUESTION".
std::string positionals_of(const CLI::App& command);

std::vector<const CLI::App*> commands_of(const CLI::App& program);

}  // namespace crema::cli
