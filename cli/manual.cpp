// crema man: the manual page, in roff. Made from the arguments and from the questions; only what
// neither knows is written here.
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/question_help.hpp"

#ifndef CREMA_VERSION
#define CREMA_VERSION "0.1.0"
#endif

namespace crema::cli {

namespace {

/// Text that roff sets as it stands.
std::string roff(std::string_view text) {
  std::string out;
  bool begins_line = true;
  for (const char c : text) {
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else out += c;
    begins_line = c == '\n';
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

/// An entry of a list: what it is, and about it.
std::string entry(const std::string& what, std::string_view about) {
  return ".TP\n" + what + "\n" + roff(about) + "\n";
}

std::string argument_entry(const Argument& argument) {
  std::string what = argument.brief.empty() ? "" : bold(argument.brief) + ", ";
  what += bold(argument.name);
  if (!argument.placeholder.empty()) what += " " + italic(argument.placeholder);
  return entry(what, argument.about);
}

std::string command_section(const CLI::App& command) {
  std::string text =
      ".SS " + bold("crema " + command.get_name()) + " " + italic(placeholders_of(command)) + "\n";
  text += roff(command.get_description()) + ".\n";
  for (const Argument& argument : arguments_of(command)) text += argument_entry(argument);
  return text;
}

std::string question_entry(const query::Question& question) {
  std::string text = entry(bold(question.name), question.about);
  const std::string flags = narrowing_flags(question);
  if (!flags.empty()) text += ".br\nNarrowed by " + roff(flags) + ".\n";
  if (question.options.size() == 0) return text;
  text += ".RS\n";
  for (const Option* option : question.options) {
    const std::string values = values_help(*option);
    text += entry(bold(option->name) + "=" + italic("VALUE"),
                  std::string(option->about) + (values.empty() ? "" : " (" + values + ")"));
  }
  return text + ".RE\n";
}

std::string manual(const CLI::App& program) {
  std::string text = R"(.\" Written by `crema man`.
.TH CREMA 1 "" "crema )" CREMA_VERSION R"(" "User Commands"
.SH NAME
crema \- where the core\-time of a Coffea or Dask run went
.SH SYNOPSIS
)";
  for (const CLI::App* command : commands_of(program))
    text += bold("crema " + command->get_name()) + " " + italic(placeholders_of(*command)) +
            " [options]\n.br\n";
  text += ".SH DESCRIPTION\n" + roff(program.get_description()) + R"(
.PP
A BUNDLE is a folder, an archive (zip, tar, also packed), or files; \- is a file or an archive from standard input, and a pipe
will do. Several make several runs.
.SH COMMANDS
)";
  for (const CLI::App* command : commands_of(program)) text += command_section(*command);
  text += ".SH QUESTIONS\nWhat " + bold("crema ask") + " answers. Options are given as " +
          bold("--option") + " " + italic("NAME=VALUE") + ".\n";
  for (const query::Question* question : query::all()) text += question_entry(*question);
  text += ".SH EXIT STATUS\n";
  for (const ExitStatus& one : exit_statuses)
    text += entry(std::to_string(one.status), std::string(one.of_all) +
                                                  (one.of_all.empty() ? "" : "; ") +
                                                  "of check: " + std::string(one.of_check));
  text += ".SH ENVIRONMENT\n";
  text += entry(bold("CREMA_PAGE"), "the page that export --to html fills");
  text += entry(bold("NO_COLOR"), "set to anything: no bold or dim text in summary");
  text += R"(.SH EXAMPLES
.nf
crema summary run/
crema ask run/ chunks \-\-select 10:60 \-\-dataset ttbar \-\-csv
crema ask before/ after/ budget
crema export run/ \-\-to html \-o report.html
crema check before/ after/ \-\-rule 'event_rate_core_khz not worse'
curl \-s https://example.org/run.zip | crema summary \-
.fi
)";
  return text;
}

}  // namespace

Command add_man(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("man", "the manual page, as man shows it: crema man | man -l -");
  return {command, [&program] {
            print(manual(program));
            return done;
          }};
}

}  // namespace crema::cli
