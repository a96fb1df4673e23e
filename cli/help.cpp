#include "cli/help.hpp"

#include <algorithm>
#include <sstream>

#include "cli/arguments.hpp"
#include "cli/layout.hpp"

namespace crema::cli {

namespace {

constexpr std::size_t about_column = 30;

/// What is explained and, from a fixed column on, its explanation; below it where it is too long.
std::string explained(const std::string& what, const std::string& about) {
  const std::string lines = wrapped(about, help_width(), std::string(about_column, ' '));
  std::string begin;
  for (const std::string& line :
       lines_of(what, is_on_terminal() ? help_width() - 4 : what.size(), "|"))
    begin += (begin.empty() ? "  " : "\n    ") + line;
  return width_of(begin) < about_column
             ? padded(begin, about_column, false) + lines.substr(about_column)
             : begin + "\n" + lines;
}

std::string option_entry(const Argument& option) {
  std::string what = option.brief.empty() ? "" : option.brief + ", ";
  what += option.name;
  if (!option.placeholder.empty()) what += " " + option.placeholder;
  return explained(what, option.about + (option.required ? " (required)" : ""));
}

}  // namespace

std::string Help::make_help(const CLI::App* command, std::string name, CLI::AppFormatMode) const {
  const auto positionals = positionals_of(*command);
  const auto options = arguments_of(*command);
  const auto commands = commands_of(*command);

  std::string text = wrapped(command->get_description(), help_width(), "") + "Usage: " + name;
  for (const Argument& positional : positionals) text += " " + positional.placeholder;
  text += commands.empty() ? " [OPTIONS]\n" : " COMMAND [OPTIONS]\n";
  if (!positionals.empty()) text += "\nArguments:\n";
  for (const Argument& positional : positionals)
    text += explained(positional.placeholder, positional.about);
  text += "\nOptions:\n";
  for (const Argument& option : options) text += option_entry(option);
  if (!commands.empty()) text += "\nCommands:\n";
  for (const CLI::App* one : commands) text += explained(one->get_name(), one->get_description());
  const std::string footer = command->get_footer();
  if (footer.empty() || !is_on_terminal())
    return footer.empty() ? text : text + "\n" + footer + "\n";
  text += '\n';
  std::istringstream lines(footer);
  for (std::string line; std::getline(lines, line);) {
    const std::string indent(std::min(line.find_first_not_of(' '), line.size()), ' ');
    text += line.empty() ? "\n" : wrapped(line.substr(indent.size()), help_width(), indent);
  }
  return text;
}

}  // namespace crema::cli
