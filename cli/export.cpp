// crema export
#include <algorithm>
#include <memory>

#include "cli/asked.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/report.hpp"
#include "cli/trace.hpp"
#include "core/base/text.hpp"
#include "core/export/export.hpp"
#include "core/model/selection.hpp"

namespace crema::cli {

namespace {

constexpr std::string_view html = "html";  // made here: the core knows no page

/// The core's, and what the page does not offer.
std::vector<Writer> all_writers() {
  std::vector<Writer> all = writers();
  all.push_back(trace_writer);
  return all;
}

std::vector<std::string_view> formats() {
  std::vector<std::string_view> ids;
  for (const Writer& writer : all_writers()) ids.push_back(writer.id);
  ids.push_back(html);
  return ids;
}

std::string either(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : "|").append(name);
  return text;
}

/// An option of export formats, and of which.
struct FormatOption {
  const Option* option;
  std::string formats;
};

std::vector<FormatOption> format_options() {
  std::vector<FormatOption> all;
  for (const Writer& writer : all_writers()) {
    for (const Option* option : writer.options) {
      const auto same = std::find_if(all.begin(), all.end(), [&](const FormatOption& o) {
        return o.option->name == option->name;
      });
      if (same == all.end()) all.push_back({option, std::string(writer.id)});
      else same->formats.append(", ").append(writer.id);
    }
  }
  return all;
}

struct Export {
  Asked asked;
  std::string to;
  Target target;
  std::map<std::string, std::string> texts;  // options of the format that were given
  std::map<std::string, bool> flags;
  std::string page;
  std::vector<std::string> hidden_words;

  void add_arguments(CLI::App& command) {
    asked.add_bundles(command, "BUNDLE...", "a folder, an archive, or files");
    command.add_option("--to", to, "the format; html is the page and the runs in one file")
        ->required()
        ->type_name(either(formats()));
    command
        .add_option("-o,--output", target.path,
                    "file or folder to write; standard output when it is one file. json and csv "
                    "need a folder")
        ->type_name("PATH");
    command.add_flag("--force", target.overwrite, "overwrite files that are there already");
    asked.add_filters(command);
    for (const FormatOption& one : format_options())
      add_option_of_formats(command, *one.option, one.formats);
    command.add_option("--hide", hidden_words, "html: a further word to hide (repeatable)")
        ->allow_extra_args(false)
        ->type_name("WORD");
    command
        .add_option("--page", page,
                    "html: the page to fill; default $CREMA_PAGE, or crema.html beside the program")
        ->type_name("FILE");
  }

  void add_option_of_formats(CLI::App& command, const Option& option, const std::string& formats) {
    const std::string name(option.name);
    const std::string flag = "--" + name;
    // --worker narrows, whatever is made.
    if (command.get_option_no_throw(flag) != nullptr) return;
    const bool of_html = option.name == hide_paths_option.name;
    const std::string about = std::string(option.about) +
                              (of_html ? "; html: also the names of users" : " (" + formats + ")");
    if (option.type == Option::Type::flag) {
      command.add_flag(flag, flags[name], about);
    } else {
      const std::string values = either(values_of(option));
      command.add_option(flag, texts[name], about)
          ->type_name(!values.empty()                     ? values
                      : option.type == Option::Type::text ? "TEXT"
                                                          : "NUMBER");
    }
  }

  bool hides_paths() const { return flags.at(std::string(hide_paths_option.name)); }

  int run() {
    asked.complete();
    if (to == html) return save_report();
    const Writer writer = writer_named(to);
    if (writer.several && target.is_standard_output())
      throw Refusal(to + " writes several files: name a folder for them with -o");
    for (const auto& [name, value] : texts) {
      if (!value.empty()) asked.options[name] = value;
    }
    for (const auto& [name, given] : flags) {
      if (given) asked.options[name] = "true";
    }
    check(Options(asked.options), writer.options);
    Session session;
    const Opened opened = asked.open(session);
    if (opened.runs.size() > 1)
      throw Refusal("these are " + std::to_string(opened.runs.size()) + " runs; export takes one");
    const auto files = value_of(
        session.export_run(opened.runs[0], writer, asked.selection, Options(asked.options)));
    if (writer.several) save_into_folder(files, target);
    else save(files[0], target);
    return done;
  }

  static Writer writer_named(std::string_view id) {
    for (const Writer& writer : all_writers()) {
      if (writer.id == id) return writer;
    }
    throw Failure(ErrorCode::unknown_format, not_among(visible(id), formats()));
  }

  /// Any number of runs, with the page around them.
  int save_report() const {
    Session session;
    const Opened opened = asked.open(session);
    Report report = report_of(session, asked.bundles);
    report.selection = session.closed(asked.selection, opened.runs);
    if (hides_paths() || !hidden_words.empty()) report.hide = hidden_words;
    save({.name = "crema.html", .content = report_page(find_page(page), report)}, target);
    return done;
  }
};

}  // namespace

Command add_export(CLI::App& program) {
  CLI::App* command = program.add_subcommand("export", "write a run in another format");
  const auto exporting = std::make_shared<Export>();
  exporting->add_arguments(*command);
  return {command, [exporting] { return exporting->run(); }};
}

}  // namespace crema::cli
