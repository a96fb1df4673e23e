#include "core/write/comparison_markdown.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/number_format.hpp"
#include "core/base/numbers.hpp"
#include "core/base/quantity.hpp"
#include "core/write/markdown.hpp"

namespace crema {

namespace {

constexpr std::size_t most_rows = 8;  // of a dimension

std::string relative(double ratio) {
  if (is_absent(ratio)) return "–";
  return (ratio >= 1 ? "+" : "−") + format_percent(std::fabs(ratio - 1));
}

std::string title(const Table& table, const char* name) {
  for (const Note& note : table.notes) {
    if (note.name == name) return markdown_cell(std::get<std::string>(note.value));
  }
  return name;
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

}  // namespace

std::string comparison_markdown(const Table& compared) {
  const Comparison c(compared);
  std::string text = "## " + title(compared, "a") + " (A) → " + title(compared, "b") + " (B)\n\n";
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
  const auto headlines = c.rows_of("summary", true);
  text += "### Headline numbers\n\n";
  if (headlines.empty()) text += "No headline number differs by more than its noise.\n\n";
  else text += head;
  for (const std::size_t row : headlines) text += c.line(row);
  if (!headlines.empty()) text += "\n";
  struct Dimension {
    const char* group;
    const char* title;
  };
  for (const Dimension dimension :
       {Dimension{"budget", "Core-time"}, Dimension{"dataset", "By dataset"},
        Dimension{"section", "By section"}, Dimension{"activity", "By activity"},
        Dimension{"own", "By own function"}, Dimension{"host", "By host"}}) {
    const auto rows = c.rows_of(dimension.group, true);
    if (rows.empty()) continue;
    text += std::string("### ") + dimension.title + "\n\n" + head;
    for (std::size_t i = 0; i < std::min(rows.size(), most_rows); ++i) text += c.line(rows[i]);
    if (rows.size() > most_rows)
      text += "\n" + format_count(static_cast<double>(rows.size() - most_rows), "more row") +
              ": `crema compare --json`.\n";
    text += "\n";
  }
  text +=
      "Differences within noise are left out; noise is the spread of chunks (bootstrap). A machine "
      "that was busy with something "
      "else is not in it.\n";
  for (const Note& note : compared.notes) {
    if (note.name == "not_compared")
      text += "Not compared: " + markdown_cell(std::get<std::string>(note.value)) + ".\n";
  }
  return text;
}

}  // namespace crema
