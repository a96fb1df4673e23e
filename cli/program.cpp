#include "cli/program.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <sstream>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/help.hpp"
#include "cli/output.hpp"
#include "cli/question_help.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

#ifndef CREMA_VERSION
#define CREMA_VERSION "0.1.0"
#endif

namespace crema::cli {

namespace {

using NameList = std::vector<std::string_view>;

/// Commands that the Python package adds (python/cremascope/__main__.py).
constexpr std::array of_python = {"open", "report", "record", "convert", "mcp", "serve"};

void refuse_unknown_option(const CLI::App& command, const std::string& given) {
  std::vector<std::string> texts;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) texts.push_back("--" + name);
    for (const std::string& name : option->get_snames()) texts.push_back("-" + name);
  }
  throw Refusal("no option " + not_among(visible(given.substr(0, given.find('='))),
                                         NameList(texts.begin(), texts.end())));
}

/// What CLI11 refuses, where it names a positional argument by what people read in its place, and
/// of an option what it takes.
std::string refusal_of(const CLI::ParseError& error, const std::vector<Command>& commands) {
  // not by its type: as WebAssembly there is none at run time
  const bool is_missing = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError);
  for (const Command& command : commands) {
    if (!is_missing || !*command.arguments) continue;
    for (const CLI::Option* option : command.arguments->get_options()) {
      if (!option->get_required() || option->count() > 0) continue;
      if (option->get_positional()) return option->get_type_name() + " is required";
      return option->get_name() + " is required: " + option->get_type_name();
    }
  }
  return error.what();
}

/// CLI11 takes what it does not know for extra arguments: they say more than the error that may
/// follow from them.
void refuse_unknown(const CLI::App& program, const std::vector<Command>& commands) {
  std::vector<std::string> texts;
  for (const Command& command : commands) texts.push_back(command.arguments->get_name());
  const NameList names(texts.begin(), texts.end());
  if (const auto unknown = program.remaining(); !unknown.empty()) {
    if (unknown.front().starts_with('-')) refuse_unknown_option(program, unknown.front());
    if (std::find(of_python.begin(), of_python.end(), unknown.front()) != of_python.end())
      throw Refusal("crema " + unknown.front() +
                    " is a command of the Python package (docs/python.md)");
    std::error_code ignored;
    if (const std::string name = visible(unknown.front());
        std::filesystem::exists(unknown.front(), ignored))
      throw Refusal("no command " + name + "; crema summary " + name + " is a report of it");
    throw Refusal("no command " + not_among(visible(unknown.front()), names));
  }
  for (const Command& command : commands) {
    if (!*command.arguments) continue;
    const auto unknown = command.arguments->remaining();
    if (!unknown.empty()) refuse_unknown_option(*command.arguments, unknown.front());
    return;
  }
  remark(program.help());
  throw Refusal("no command was given");
}

/// Help helps most where something is missing: wherever it is asked for it is given. After the name
/// of a question, it is about that. False when it is not asked for.
bool print_help(const CLI::App& program, const std::vector<Command>& commands, int argc,
                char** argv) {
  const std::vector<std::string_view> given(argv + 1, argv + argc);
  const auto asks = [](std::string_view argument) {
    return argument == "--help" || argument == "-h";
  };
  if (std::none_of(given.begin(), given.end(), asks)) return false;
  if (const auto rest = program.remaining(); !rest.empty() && !rest.front().starts_with('-'))
    refuse_unknown(program, commands);
  for (const query::Question* question : query::all()) {
    if (!given.empty() && given.front() == "ask" &&
        std::find(given.begin(), given.end(), question->name) != given.end()) {
      print(question_help(*question));
      return true;
    }
  }
  print(program.help());
  return true;
}

int run(int argc, char** argv) {
  CLI::App program{
      "Crema reads recordings of Coffea and Dask runs and says where the core-time went.", "crema"};
  program.formatter(std::make_shared<Help>());
  program.set_version_flag("--version", std::string("crema ") + CREMA_VERSION);
  const std::vector<Command> commands = {
      add_summary(program), add_ask(program),       add_export(program), add_compare(program),
      add_check(program),   add_bisect(program),    add_watch(program),  add_digest(program),
      add_history(program), add_questions(program), add_man(program),    add_completions(program)};
  program.footer("crema help COMMAND says the same as crema COMMAND --help.");
  // a question may be called like a command
  program.require_subcommand(0, 1);
  program.allow_extras();
  for (const Command& command : commands) command.arguments->allow_extras();
  // Between bundles that are compared -- divides the sides. CLI11 would take it for its own.
  std::vector<const char*> arguments(argv, argv + argc);
  const bool has_sides = arguments.size() > 1 && (arguments[1] == std::string_view("compare") ||
                                                  arguments[1] == std::string_view("check"));
  for (std::size_t i = 3; has_sides && i < arguments.size(); ++i) {
    if (arguments[i] == std::string_view("--") && arguments[i - 1][0] != '-') {
      arguments[i] = side_divider;
      break;
    }
  }
  try {
    program.parse(argc, arguments.data());
  } catch (const CLI::Success& asked_for_help) {
    if (print_help(program, commands, argc, argv)) return done;
    std::ostringstream text;
    program.exit(asked_for_help, text, text);
    print(text.str());
    return done;
  } catch (const CLI::ParseError& error) {
    if (print_help(program, commands, argc, argv)) return done;
    refuse_unknown(program, commands);
    throw Refusal(visible(refusal_of(error, commands)));
  }
  refuse_unknown(program, commands);
  for (const Command& command : commands) {
    if (*command.arguments) return command.run();
  }
  return refused;
}

/// A sentence may go on with a list, one entry a line; of names in it a terminal obeys nothing.
std::string shown_lines(std::string_view sentence) {
  std::string text;
  for (std::size_t at = 0; at <= sentence.size();) {
    const std::size_t end = std::min(sentence.find('\n', at), sentence.size());
    text += (at > 0 ? "\n" : "") + visible(sentence.substr(at, end - at));
    at = end + 1;
  }
  return text;
}

}  // namespace

int run_program(int argc, char** argv) {
#ifdef SIGPIPE
  // A reader that has gone is noticed where something is written to it: what was kept meanwhile is
  // then cleared away.
  std::signal(SIGPIPE, SIG_IGN);
#endif
  // crema help COMMAND is crema COMMAND --help
  std::vector<char*> asked(argv, argv + argc);
  std::string help = "--help";
  if (argc > 1 && asked[1] == std::string_view("help")) {
    asked.erase(asked.begin() + 1);
    asked.push_back(help.data());
  }
  try {
    return run(static_cast<int>(asked.size()), asked.data());
  } catch (const PipeClosed&) {
    return 128 + 13;  // as of a program that SIGPIPE ends
  } catch (const OutputFailed& failed) {
    remark("crema: " + shown_lines(failed.what()));
    return broken;
  } catch (const std::exception& problem) {
    remark("crema: " + shown_lines(problem.what()));
    return refused;
  }
}

}  // namespace crema::cli
