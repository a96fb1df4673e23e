#include "cli/arguments.hpp"

#include <algorithm>

namespace crema::cli {

namespace {

/// "mean|min|max" lists all values; any other placeholder stands for one.
std::vector<std::string> listed(const std::string& placeholder) {
  if (placeholder.find('|') == std::string::npos) return {};
  return CLI::detail::split(placeholder, '|');
}

}  // namespace

std::vector<Argument> arguments_of(const CLI::App& command) {
  std::vector<Argument> arguments;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_lnames().empty()) continue;
    Argument argument;
    argument.name = "--" + option->get_lnames().front();
    if (!option->get_snames().empty()) argument.brief = "-" + option->get_snames().front();
    if (option->get_items_expected_max() > 0) argument.placeholder = option->get_type_name();
    argument.values = listed(argument.placeholder);
    argument.about = option->get_description();
    argument.repeatable = option->get_items_expected_max() > 1;
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

std::string positionals_of(const CLI::App& command) {
  std::string names;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_lnames().empty() && option->get_snames().empty())
      names += (names.empty() ? "" : " ") + option->get_name(true);
  }
  return names;
}

std::vector<const CLI::App*> commands_of(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App*) { return true; });
}

}  // namespace crema::cli
