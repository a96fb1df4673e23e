#include "core/export/gate_markdown.hpp"

#include "core/base/number_format.hpp"
#include "core/base/numbers.hpp"
#include "core/base/quantity.hpp"
#include "core/export/markdown.hpp"

namespace crema::exports {

namespace {

/// A cell; what stands in it is absent where no number is.
std::string quantity_cell(const Table& checked, const char* column, std::size_t row) {
  const double value = checked.number(column, row);
  return is_absent(value)
             ? ""
             : format_quantity(checked.text("id", row), checked.text("unit", row), value);
}

/// How many rows of a kind are in a state; of any state where it is "".
double count_of(const Table& checked, std::string_view kind, std::string_view state) {
  double count = 0;
  for (std::size_t row = 0; row < checked.rows(); ++row) {
    if (checked.text("kind", row) == kind && (state.empty() || checked.text("state", row) == state))
      count += 1;
  }
  return count;
}

}  // namespace

std::string gate_headline(const Table& checked) {
  const double rules = count_of(checked, "rule", "");
  const std::string of_rules = " of " + format_count(rules, "rule");
  if (count_of(checked, "condition", "unknown") > 0) return "Rules not checked";
  if (const double broken = count_of(checked, "rule", "broken"); broken > 0)
    return format_number(broken) + of_rules + " broken";
  if (const double unknown = count_of(checked, "rule", "unknown"); unknown > 0)
    return format_number(unknown) + of_rules + " undecided";
  const double kept = count_of(checked, "rule", "kept");
  if (kept == rules && rules > 0) return "All " + format_count(rules, "rule") + " kept";
  return format_number(kept) + of_rules + " kept, the others allowed to be missing";
}

std::string gate_markdown(const Table& checked) {
  std::string reasons;
  std::string lines;
  for (std::size_t row = 0; row < checked.rows(); ++row) {
    const std::string_view state = checked.text("state", row);
    if (checked.text("kind", row) == "condition") {
      if (state == "kept") continue;
      reasons += (state == "allowed" ? "* allowed: " : "* ") +
                 markdown_cell(checked.text("note", row)) + " (`--allow " +
                 std::string(checked.text("id", row)) + "`)\n";
      continue;
    }
    lines += std::string("| ") + (state == "broken" ? "**broken**" : std::string(state)) + " | " +
             markdown_cell(checked.text("rule", row)) + " | " +
             quantity_cell(checked, "baseline", row) + " | " +
             quantity_cell(checked, "candidate", row) + " | " +
             quantity_cell(checked, "limit", row) + " | " +
             markdown_cell(checked.text("note", row)) + " |\n";
  }
  std::string text = "# " + gate_headline(checked) + "\n\n";
  if (!reasons.empty()) text += reasons + "\n";
  if (!lines.empty())
    text += "| | rule | baseline | candidate | limit | |\n|---|---|--:|--:|--:|---|\n" + lines;
  return text;
}

}  // namespace crema::exports
