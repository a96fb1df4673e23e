#include "cli/arguments.hpp"

#include <algorithm>

namespace crema::cli {

namespace {

/// "mean|min|max" lists all values; any other placeholder stands for one.
std::vector<std::string> listed(const std::string& placeholder) {
  if (placeholder.find('|') == std::string::npos) return {};
  return CLI::detail::split(placeholder, '|');
}

Argument argument_of(const CLI::Option& option) {
  Argument argument;
  if (!option.get_lnames().empty()) argument.name = "--" + option.get_lnames().front();
  if (!option.get_snames().empty()) argument.brief = "-" + option.get_snames().front();
  if (option.get_items_expected_max() > 0) argument.placeholder = option.get_type_name();
  argument.values = listed(argument.placeholder);
  argument.about = option.get_description();
  argument.repeatable = option.get_items_expected_max() > 1;
  argument.required = option.get_required();
  return argument;
}

std::vector<Argument> arguments_where(const CLI::App& command, bool positional) {
  std::vector<Argument> arguments;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional() == positional) arguments.push_back(argument_of(*option));
  }
  return arguments;
}

}  // namespace

std::vector<Argument> arguments_of(const CLI::App& command) {
  return arguments_where(command, false);
}

std::vector<Argument> positionals_of(const CLI::App& command) {
  return arguments_where(command, true);
}

std::string placeholders_of(const CLI::App& command) {
  std::string text;
  for (const Argument& positional : positionals_of(command))
    text += (text.empty() ? "" : " ") + positional.placeholder;
  return text;
}

std::vector<const CLI::App*> commands_of(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App*) { return true; });
}

}  // namespace crema::cli
