#include "core/export/comparison_markdown.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/elementary.hpp"
#include "core/base/number_format.hpp"
#include "core/base/numbers.hpp"
#include "core/base/quantity.hpp"
#include "core/export/markdown.hpp"

namespace crema::exports {

namespace {

constexpr std::size_t most_rows = 20;  // of a dimension
constexpr std::size_t most_open = 2;   // of a dimension, before the fold

std::string relative(double ratio) {
  if (is_absent(ratio)) return "–";
  return (ratio >= 1 ? "+" : "−") + format_percent(std::fabs(ratio - 1));
}

std::string text_note(const Table& table, const char* name) {
  return markdown_cell(table.text_note(name));
}

class Comparison {
 public:
  explicit Comparison(const Table& table) : table_(table) {}

  std::vector<std::size_t> rows_of(std::string_view group, bool only_noteworthy) const {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      if (table_.text("group", row) != group) continue;
      if (only_noteworthy && table_.number("noteworthy", row) != 1) continue;
      rows.push_back(row);
    }
    return rows;
  }

  std::string value(const char* side, std::size_t row) const {
    const std::string text(table_.text(std::string(side) + "_text", row));
    return text.empty() ? format_quantity(table_.text("id", row), table_.text("unit", row),
                                          table_.number(side, row))
                        : markdown_cell(text);
  }

  std::string line(std::size_t row) const {
    const std::string_view id = table_.text("id", row);
    const std::string_view unit = table_.text("unit", row);
    return "| " + markdown_cell(table_.text("label", row)) + " | " + value("a", row) + " | " +
           value("b", row) + " | " + format_difference(id, unit, table_.number("delta", row)) +
           " | " + (is_percentage(id, unit) ? "" : relative(table_.number("ratio", row))) + " | " +
           std::string(table_.text("verdict", row)) + " |\n";
  }

 private:
  const Table& table_;
};

constexpr const char* head = "| | A | B | change | | |\n|---|--:|--:|--:|--:|---|\n";

struct Dimension {
  const char* group;
  const char* title;
};
constexpr Dimension dimensions[] = {{"summary", "Headline numbers"},
                                    {"budget", "Core-time"},
                                    {"dataset", "By dataset"},
                                    {"section", "By section"},
                                    {"activity", "By activity"},
                                    {"own", "By own function"},
                                    {"host", "By host"}};

/// The rows that say the same: one change seen as several numbers (five rates of one elapsed time).
/// The first stands for them.
std::vector<std::size_t> distinct(const Table& table, const std::vector<std::size_t>& rows) {
  std::vector<std::size_t> kept;
  std::vector<std::string> said;
  for (const std::size_t row : rows) {
    const double ratio = table.number("ratio", row);
    // a rate that halves is a time that doubles
    const std::string change =
        is_absent(ratio) || !(ratio > 0)
            ? std::string(table.text("id", row))
            : format_percent(elementary::exp(std::fabs(elementary::log(ratio))) - 1);
    if (std::find(said.begin(), said.end(), change) != said.end()) continue;
    said.push_back(change);
    kept.push_back(row);
  }
  return kept;
}

}  // namespace

std::string comparison_markdown(const Table& compared) {
  const Comparison c(compared);
  std::string text =
      "## " + text_note(compared, "a") + " (A) → " + text_note(compared, "b") + " (B)\n\n";
  text += "**" + text_note(compared, "sentence") + "**\n\n";
  if (const std::string limits = text_note(compared, "limits"); !limits.empty())
    text += limits + "\n\n";
  std::string verdicts;
  for (const Dimension& dimension : dimensions) {
    std::vector<std::size_t> rows;
    for (const std::size_t row : c.rows_of(dimension.group, true)) {
      // What a dimension adds up to is said by the core-time's parts.
      const std::string_view id = compared.text("id", row);
      const bool repeats = id.ends_with(".total") && !id.starts_with("budget");
      if (!compared.text("verdict", row).empty() && !repeats) rows.push_back(row);
    }
    if (std::string_view(dimension.group) == "summary") rows = distinct(compared, rows);
    if (rows.size() > most_open) rows.resize(most_open);
    for (const std::size_t row : rows) verdicts += c.line(row);
  }
  if (!verdicts.empty()) text += head + verdicts + "\n";
  text += "<details><summary>All numbers</summary>\n\n";
  const auto setup = c.rows_of("setup", true);
  if (!setup.empty()) {
    text += "**Not like for like:**";
    for (const std::size_t row : setup) {
      text += "\n* " + markdown_cell(compared.text("label", row)) + ": " + c.value("a", row) +
              " → " + c.value("b", row);
      if (const std::string_view note = compared.text("note", row); !note.empty())
        text += " (" + markdown_cell(note) + ")";
    }
    text += "\n\n";
  }
  for (const Dimension& dimension : dimensions) {
    const auto rows = c.rows_of(dimension.group, false);
    if (rows.empty()) continue;
    text += std::string("### ") + dimension.title + "\n\n" + head;
    const std::size_t most =
        std::string_view(dimension.group) == "summary" ? rows.size() : most_rows;
    for (std::size_t i = 0; i < std::min(rows.size(), most); ++i) text += c.line(rows[i]);
    if (rows.size() > most)
      text += "\n" + format_count(static_cast<double>(rows.size() - most), "more row") +
              ": `crema compare --json`.\n";
    text += "\n";
  }
  text += "No verdict: within noise, or the noise is not known. Noise: " +
          text_note(compared, "noise") + "\n";
  if (const std::string not_compared = text_note(compared, "not_compared"); !not_compared.empty())
    text += "Not compared: " + not_compared + ".\n";
  return text + "\n</details>\n";
}

}  // namespace crema::exports
