// crema: the command line of questions.md. Exit 0 done, 2 what was asked could not be read or answered; `check` exits 1 when a
// rule is broken.
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/bundle.hpp"
#include "cli/print.hpp"
#include "cli/question_list.hpp"
#include "cli/report.hpp"
#include "core/base/text.hpp"
#include "core/session/session.hpp"
#include "core/write/comparison_markdown.hpp"
#include "core/write/table_text.hpp"

#ifndef CREMA_VERSION
#define CREMA_VERSION "0.1.0"
#endif

namespace {

using namespace crema;

constexpr int ok = 0;
constexpr int refused = 2;

int refuse(const std::string& sentence) {
  std::cerr << "crema: " << sentence << "\n";
  return refused;
}

/// What the commands have in common: which bundles, narrowed how.
struct Given {
  std::vector<std::string> bundles;
  std::string time;
  Selection selection;
  std::map<std::string, std::string> options;
  std::vector<std::string> option_texts;
  std::string processor;
};

void add_filters(CLI::App& command, Given& given) {
  command.add_option("--select", given.time, "time range in seconds since the start, BEGIN:END");
  command.add_option("--worker", given.selection.workers, "address or name of a worker (repeatable)")->allow_extra_args(false);
  command.add_option("--dataset", given.selection.datasets, "dataset (repeatable)")->allow_extra_args(false);
  command.add_option("--file", given.selection.files, "input file (repeatable)")->allow_extra_args(false);
  command.add_option("--host", given.selection.hosts, "storage host (repeatable)")->allow_extra_args(false);
  command.add_option("--prefix", given.selection.prefixes, "task prefix (repeatable)")->allow_extra_args(false);
  command.add_option("--processor", given.processor, "which task prefix is the processor");
}

/// Finishes `given` from its texts; a sentence when one of them is wrong.
std::optional<std::string> complete(Given& given) {
  if (!given.time.empty()) {
    const auto colon = given.time.find(':');
    const std::string_view text = given.time;
    if (colon != std::string::npos)
      given.selection.time = Selection::TimeRange{parse_number(text.substr(0, colon)), parse_number(text.substr(colon + 1))};
    if (!given.selection.time || is_absent(given.selection.time->begin) || is_absent(given.selection.time->end))
      return "--select " + given.time + " is not BEGIN:END in seconds";
    if (!(given.selection.time->begin <= given.selection.time->end)) return "--select " + given.time + " ends before it begins";
  }
  for (const std::string& text : given.option_texts) {
    const auto equals = text.find('=');
    if (equals == std::string::npos) return "--option " + text + " is not KEY=VALUE";
    given.options[text.substr(0, equals)] = text.substr(equals + 1);
  }
  if (!given.processor.empty()) given.options["processor"] = given.processor;
  return std::nullopt;
}

std::size_t terminal_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 100;
}

int print_summary(Given& given, bool explain) {
  Session session;
  const auto opened = cli::open_bundles(session, given.bundles);
  if (!opened) return refuse(opened.error().sentence());
  // https://no-color.org
  const bool terminal = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  bool first = true;
  for (const RunId run : opened.value().runs) {
    std::cout << (first ? "" : "\n\n")
              << cli::summary_text(session, run, std::max<std::size_t>(40, terminal_width()), terminal, explain);
    first = false;
  }
  for (const Doubt& doubt : opened.value().doubts) {
    if (doubt.id != "unreadable") std::cerr << "crema: " << doubt.file << ": " << doubt.message << "\n";
  }
  return ok;
}

int ask(Given& given, const std::string& form, bool explain) {
  if (const auto wrong = complete(given)) return refuse(*wrong);
  const std::string question = given.bundles.back();
  given.bundles.pop_back();
  Session session;
  const auto opened = cli::open_bundles(session, given.bundles);
  if (!opened) return refuse(opened.error().sentence());
  const auto answer = session.ask(question, {}, given.selection, Options(given.options));
  if (!answer) return refuse(answer.error().sentence());
  if (form == "json") std::cout << table_json(answer.value(), explain);
  else if (form == "csv") std::cout << table_csv(answer.value());
  else std::cout << cli::table_text(answer.value(), explain);
  return ok;
}

constexpr int broken = 1;

/// `crema compare` and `crema check`: two bundles, one run each.
std::optional<std::string> open_two(Session& session, const Given& given) {
  const auto opened = cli::open_bundles(session, given.bundles);
  if (!opened) return opened.error().sentence();
  if (opened.value().runs.size() != 2)
    return "these are " + std::to_string(opened.value().runs.size()) + " runs; two are compared";
  return std::nullopt;
}

int compare_runs(Given& given, const std::string& form) {
  if (const auto wrong = complete(given)) return refuse(*wrong);
  Session session;
  if (const auto wrong = open_two(session, given)) return refuse(*wrong);
  const auto answer = session.ask("compare", {}, given.selection, Options(given.options));
  if (!answer) return refuse(answer.error().sentence());
  if (form == "json") std::cout << table_json(answer.value(), false);
  else std::cout << comparison_markdown(answer.value());
  return ok;
}

int check_runs(Given& given, const std::vector<std::string>& rules, const std::string& rules_file, const std::string& form) {
  std::string all;
  for (const std::string& rule : rules) all += rule + "\n";
  if (!rules_file.empty()) {
    std::ifstream in(rules_file);
    if (!in) return refuse(rules_file + ": cannot be read");
    all.append(std::istreambuf_iterator<char>(in), {});
  }
  if (!all.empty()) given.options["rules"] = all;
  Session session;
  if (const auto wrong = open_two(session, given)) return refuse(*wrong);
  const auto answer = session.ask("check", {}, {}, Options(given.options));
  if (!answer) return refuse(answer.error().sentence());
  if (form == "json") {
    std::cout << table_json(answer.value(), false);
  } else {
    const auto compared = session.ask("compare", {}, {}, {});
    std::cout << verdict_markdown(answer.value());
    if (compared) std::cout << "\n" << comparison_markdown(compared.value());
  }
  const std::vector<double>& kept = answer.value().find("kept")->numbers;
  if (std::find(kept.begin(), kept.end(), 0.0) != kept.end()) return broken;
  return std::any_of(kept.begin(), kept.end(), is_absent) ? refused : ok;
}

int write_files(const std::vector<Artefact>& artefacts, const std::string& target) {
  namespace fs = std::filesystem;
  if (target.empty() && artefacts.size() == 1) {
    std::cout << artefacts[0].content;
    return ok;
  }
  // Several files go into a folder; one goes into the file named, or into the folder.
  const bool folder = artefacts.size() > 1 || fs::is_directory(target);
  std::error_code error;
  if (folder && !target.empty()) fs::create_directories(target, error);
  if (error) return refuse(target + ": " + error.message());
  for (const Artefact& artefact : artefacts) {
    const fs::path path = folder ? fs::path(target) / artefact.name : fs::path(target);
    std::ofstream out(path, std::ios::binary);
    out << artefact.content;
    if (!out.flush()) return refuse(path.string() + ": cannot be written");
    std::cerr << "wrote " << path.string() << "\n";
  }
  return ok;
}

int export_run(Given& given, const std::string& to, const std::string& target, bool hide_paths) {
  if (const auto wrong = complete(given)) return refuse(*wrong);
  if (hide_paths) given.options["hide-paths"] = "true";
  Session session;
  const auto opened = cli::open_bundles(session, given.bundles);
  if (!opened) return refuse(opened.error().sentence());
  if (opened.value().runs.size() > 1)
    return refuse("these are " + std::to_string(opened.value().runs.size()) + " runs; export takes one");
  const auto artefacts = session.export_run(opened.value().runs[0], to, given.selection, Options(given.options));
  if (!artefacts) return refuse(artefacts.error().sentence());
  return write_files(artefacts.value(), target);
}

/// `crema export --to html`: any number of runs, with the page around them.
int export_report(Given& given, const std::string& page, const std::string& target, bool hide,
                  const std::vector<std::string>& words) {
  if (const auto wrong = complete(given)) return refuse(*wrong);
  Session session;
  const auto opened = cli::open_bundles(session, given.bundles);
  if (!opened) return refuse(opened.error().sentence());
  cli::Report report = cli::report_of(session, given.bundles);
  report.selection = given.selection;
  if (hide || !words.empty()) report.hide = words;
  try {
    return write_files({{.name = "crema.html", .content = cli::report_page(cli::find_page(page), report)}}, target);
  } catch (const Failure& failure) {
    return refuse(failure.error().sentence());
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Crema reads the performance bundle of a Coffea/Dask run and says where the core-time went."};
  app.set_version_flag("--version", std::string("crema ") + CREMA_VERSION);
  app.require_subcommand(1);
  Given given;

  bool explain = false;
  CLI::App* summary_command = app.add_subcommand("summary", "a report a person reads");
  summary_command->add_option("BUNDLE", given.bundles, "a folder, an archive, or files")->required();
  summary_command->add_flag("--explain", explain, "show how each number is computed");

  bool json = false;
  bool csv = false;
  bool text = false;
  CLI::App* ask_command = app.add_subcommand("ask", "one answer as a table: crema ask BUNDLE... QUESTION");
  ask_command->footer(cli::question_list());
  ask_command->add_option("BUNDLE... QUESTION", given.bundles, "bundles, then the name of a question")
      ->required()
      ->expected(2, 100000);
  add_filters(*ask_command, given);
  ask_command->add_option("--option", given.option_texts, "option of the question, KEY=VALUE (repeatable)")
      ->allow_extra_args(false);
  auto* as_json = ask_command->add_flag("--json", json, "print JSON");
  auto* as_csv = ask_command->add_flag("--csv", csv, "print CSV")->excludes(as_json);
  ask_command->add_flag("--text", text, "print aligned text (default)")->excludes(as_json)->excludes(as_csv);
  ask_command->add_flag("--explain", explain, "show how each column is computed");

  CLI::App* questions_command = app.add_subcommand("questions", "all questions that ask takes, with their options and columns");
  auto* questions_json = questions_command->add_flag("--json", json, "print JSON");
  questions_command->add_flag("--text", text, "print text (default), without columns")->excludes(questions_json);

  std::string to;
  std::string target;
  std::string key;
  std::string leaves;
  std::string profile;
  std::string transform;
  bool hide_paths = false;
  bool merged = false;
  CLI::App* export_command = app.add_subcommand("export", "write a run in another format");
  export_command->add_option("BUNDLE", given.bundles, "a folder, an archive, or files")->required();
  export_command
      ->add_option("--to", to, "speedscope, folded, svg, functions, json, csv or html (the page and the runs in one file)")
      ->required();
  export_command->add_option("-o,--output", target, "file or folder to write; standard output when it is one file");
  add_filters(*export_command, given);
  export_command->add_option("--key", key, "only the profile of this task prefix");
  export_command->add_option("--leaves", leaves, "what becomes of uncounted leaf frames: forced, estimated, counted or notebook");
  export_command->add_option("--profile", profile, "only this profile: \"all\", or an id of the question profiles");
  export_command->add_option("--transform", transform, "steps such as \"fold:numpy;focus:name=process;invert\"");
  export_command->add_flag("--merged", merged, "speedscope: the sum alone, without its parts");
  export_command->add_flag("--hide-paths", hide_paths, "leave the folders of source files out; html: also the names of users");
  std::string page;
  std::vector<std::string> hidden_words;
  export_command->add_option("--hide", hidden_words, "html: a further word to hide (repeatable)")->allow_extra_args(false);
  export_command->add_option("--page", page, "html: the page to fill; default $CREMA_PAGE, or crema.html beside the program");

  bool markdown = false;
  CLI::App* compare_command = app.add_subcommand("compare", "what changed from run A to run B, as Markdown");
  compare_command->add_option("A B", given.bundles, "two bundles")->required()->expected(2);
  add_filters(*compare_command, given);
  auto* compare_json = compare_command->add_flag("--json", json, "print JSON");
  compare_command->add_flag("--markdown", markdown, "print Markdown (default)")->excludes(compare_json);

  std::vector<std::string> rules;
  std::string rules_file;
  CLI::App* check_command =
      app.add_subcommand("check", "a gate: exit 0 when CANDIDATE keeps the rules, 1 when not, 2 when unknown");
  check_command->add_option("BASELINE CANDIDATE", given.bundles, "two bundles")->required()->expected(2);
  check_command->add_option("--rule", rules, "ID OP NUMBER[x|%], x = times the baseline, +5% = the baseline and 5 % (repeatable)")
      ->allow_extra_args(false);
  check_command->add_option("--rules", rules_file, "a file of rules, one per line, # begins a comment");
  auto* check_json = check_command->add_flag("--json", json, "print JSON");
  check_command->add_flag("--markdown", markdown, "print Markdown (default)")->excludes(check_json);

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return refuse(error.what());
  }
  if (!key.empty()) given.options["key"] = key;
  if (!leaves.empty()) given.options["leaves"] = leaves;
  if (!profile.empty()) given.options["profile"] = profile;
  if (!transform.empty()) given.options["transform"] = transform;
  if (merged) given.options["merged"] = "true";
  if (*questions_command) {
    std::cout << (json ? cli::question_list_json() : cli::question_list() + "\n");
    return ok;
  }
  if (*summary_command) return print_summary(given, explain);
  if (*ask_command) return ask(given, json ? "json" : csv ? "csv" : "text", explain);
  if (*compare_command) return compare_runs(given, json ? "json" : "markdown");
  if (*check_command) return check_runs(given, rules, rules_file, json ? "json" : "markdown");
  if (to == "html") return export_report(given, page, target, hide_paths, hidden_words);
  return export_run(given, to, target, hide_paths);
}
