// crema history: since when runs of one work are slower.
#include <cmath>
#include <memory>
#include <optional>

#include "cli/aligned_table.hpp"
#include "cli/asked.hpp"
#include "cli/badge.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/report.hpp"
#include "core/base/text.hpp"
#include "core/compare/history.hpp"

namespace crema::cli {

namespace {

constexpr std::string_view as_html = "html";
constexpr std::string_view as_svg = "svg";

struct History {
  Asked asked;
  std::string to;
  Target target;
  std::string page;

  int run() {
    asked.complete();
    Session session;
    const Opened opened = asked.open(session);
    if (to == as_html) {
      Report report = report_of(session, asked.bundles);
      report.view = "history";
      save({"history.html", report_page(find_page(page), report)}, target);
      return done;
    }
    const auto ask = [&](std::string_view question, const Options& options = {}) {
      return value_of(session.ask(question, opened.runs, {}, options));
    };
    const Table history = ask("history");
    const Table series = ask("history_series");
    const Table levels = ask("history_levels", Options(asked.options));
    if (to == as_svg) {
      save({"history.svg", badge(history, series, levels)}, target);
      return done;
    }
    const std::string limits = visible(levels.text_note("limits"));
    print(visible(levels.text_note("verdict")) + "\n" + limits + (limits.empty() ? "" : "\n") +
          changes(history, series, levels) + left_out(history));
    return done;
  }

 private:
  static std::string name_of(const Table& history, double row) {
    const auto at = static_cast<std::size_t>(row);
    const std::string day(history.text("day", at));
    return visible(history.text("title", at)) + (day.empty() ? "" : " (" + day + ")");
  }

  static std::string change(double of) {
    return (of < 0 ? "−" : "+") + format_quantity("", "1", std::fabs(of));
  }

  /// The newest change, or that there is none: for a README.
  static std::string badge(const Table& history, const Table& series, const Table& levels) {
    std::optional<std::size_t> newest;
    std::size_t compared = 0;
    for (std::size_t row = 0; row < history.rows(); ++row)
      compared += history.text("left_out", row).empty() ? 1 : 0;
    for (std::size_t row = 0; row < levels.rows(); ++row) {
      if (is_absent(levels.number("change", row))) continue;
      if (!newest || levels.number("event", row) > levels.number("event", *newest)) newest = row;
    }
    const std::string runs = format_count(static_cast<double>(compared), "run");
    if (compared < compare::least_values(compare::false_alarm_rate))
      return badge_svg("performance", "too few runs: " + runs, Badge::unknown);
    if (!newest) return badge_svg("performance", "steady, " + runs, Badge::good);
    const auto at = static_cast<std::size_t>(levels.number("begin", *newest));
    const std::size_t of = series.row_of("id", levels.text("series", *newest));
    return badge_svg(
        "performance",
        visible(series.text("label", of)) + " " + change(levels.number("change", *newest)) +
            " since " +
            visible(history.text(history.text("day", at).empty() ? "title" : "day", at)),
        levels.number("is_worse", *newest) == 1 ? Badge::bad : Badge::good);
  }

  static std::string changes(const Table& history, const Table& series, const Table& levels) {
    std::string text;
    for (std::size_t row = levels.rows(); row-- > 0;) {
      if (is_absent(levels.number("change", row))) continue;
      const std::string_view id = levels.text("series", row);
      const std::string_view unit = series.text("unit", series.row_of("id", id));
      const auto quantity = [&](const char* column, std::size_t at) {
        return format_quantity(id, unit, levels.number(column, at));
      };
      text += "  " + visible(id) + ": " + quantity("level", row - 1) + " → " +
              quantity("level", row) + ", " + change(levels.number("change", row)) + " [" +
              change(levels.number("change_low", row)) + ", " +
              change(levels.number("change_high", row)) + "]" +
              (levels.number("is_worse", row) == 1 ? ", worse" : ", better") + " since " +
              name_of(history, levels.number("begin", row)) + "\n";
    }
    return text.empty() ? text : "\nChanges\n" + text;
  }

  static std::string left_out(const Table& history) {
    std::string text;
    for (std::size_t row = 0; row < history.rows(); ++row) {
      const std::string why = visible(history.text("left_out", row));
      if (!why.empty())
        text += "  " + name_of(history, static_cast<double>(row)) + ": " + why + "\n";
    }
    return text.empty() ? text : "\nNot compared\n" + text;
  }
};

}  // namespace

Command add_history(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "history",
      "since when runs of one work are slower: change points over recordings and digests");
  const auto history = std::make_shared<History>();
  history->asked.add_bundles(*command, "BUNDLE...",
                             "folders of recordings or digests, archives, files");
  history->asked.add_options(*command);
  command
      ->add_option("--to", history->to,
                   "html: the page and the runs in one file; svg: a badge with the newest change")
      ->type_name("html|svg")
      ->check(CLI::IsMember({std::string(as_html), std::string(as_svg)}));
  command
      ->add_option("-o,--output", history->target.path,
                   "file or folder to write, with --to; default is standard output")
      ->type_name("PATH");
  command->add_flag("--force", history->target.overwrite, "overwrite a file that is there already");
  command
      ->add_option("--page", history->page,
                   "html: the page to fill; default $CREMA_PAGE, or crema.html beside the program")
      ->type_name("FILE");
  return {command, [history] { return history->run(); }};
}

}  // namespace crema::cli
