#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace crema::cli {

// The arguments as data, as CLI11 knows them: help, manual and completions are made from them.

/// An option of a command, or a positional argument.
struct Argument {
  std::string name;   ///< "--to", the long one; "" of a positional argument
  std::string brief;  ///< "-o", or ""
  std::string
      placeholder;  ///< what stands for its value: "FILE", "mean|min|max"; "" if it takes none
  std::vector<std::string> values;  ///< all it takes, when the placeholder lists them
  std::string about;
  bool repeatable = false;
  bool required = false;

  /// Whether its value is the path of a file.
  bool is_path() const { return placeholder == "FILE" || placeholder == "PATH"; }
};

/// The options of a command.
std::vector<Argument> arguments_of(const CLI::App& command);

/// Adds a positional argument. CLI11 allows a single word as its name; the placeholder is what
/// people read: "BUNDLE... QUESTION".
template <typename Value>
CLI::Option* add_positional(CLI::App& command, const std::string& placeholder, Value& value,
                            const std::string& about) {
  return command.add_option("positional", value, about)->type_name(placeholder)->required();
}

/// The positional arguments of a command.
std::vector<Argument> positionals_of(const CLI::App& command);

/// Their placeholders: "BUNDLE... QUESTION".
std::string placeholders_of(const CLI::App& command);

std::vector<const CLI::App*> commands_of(const CLI::App& program);

}  // namespace crema::cli
