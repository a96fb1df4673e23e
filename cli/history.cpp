// crema history: since when runs of one work are slower.
#include <cmath>
#include <memory>

#include "cli/aligned_table.hpp"
#include "cli/asked.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "core/base/quantity.hpp"
#include "core/base/visible.hpp"

namespace crema::cli {

namespace {

struct History {
  Asked asked;

  int run() {
    asked.complete();
    Session session;
    const Opened opened = asked.open(session);
    const auto ask = [&](std::string_view question, const Options& options = {}) {
      return value_of(session.ask(question, opened.runs, {}, options));
    };
    const Table history = ask("history");
    const Table series = ask("history_series");
    const Table levels = ask("history_levels", Options(asked.options));
    print(visible(levels.text_note("verdict")) + "\n" + changes(history, series, levels) +
          left_out(history));
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
  history->asked.add_bundles(*command, "BUNDLE",
                             "folders of recordings or digests, archives, files");
  history->asked.add_options(*command);
  return {command, [history] { return history->run(); }};
}

}  // namespace crema::cli
