#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/elementary.hpp"
#include "core/base/numbers.hpp"
#include "core/base/text.hpp"
#include "core/compare/gate.hpp"
#include "core/compare/sides.hpp"
#include "core/export/export.hpp"
#include "core/report/comparison_text.hpp"

namespace crema::exports {

using namespace compare;

namespace {

/// A text as the cell of a Markdown table shows it; a name may hold anything, bars and markup
/// included.
std::string markdown_cell(std::string_view text) {
  std::string out;
  for (const char c : visible(text)) {
    if (std::string_view("|\\`*_<[#").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string reason_line(const Gate& gate, const GateCondition& condition) {
  return (condition.state == GateState::allowed ? "* allowed: " : "* ") +
         markdown_cell(report::failure_text(condition, gate.titles)) + " (`--allow " +
         std::string(name_of(condition.reason)) + "`)\n";
}

std::string rule_line(const Gate& gate, const GateResult& result) {
  const auto quantity = [&](double value) {
    return is_absent(value) ? "" : format_quantity(result.id, result.unit, value);
  };
  const std::string state(name_of(result.state));
  return "| " + (result.state == GateState::broken ? "**" + state + "**" : state) + " | " +
         markdown_cell(report::rule_text(gate.rules[result.rule], result)) + " | " +
         quantity(result.baseline) + " | " + quantity(result.candidate) + " | " +
         quantity(result.limit) + " | " + markdown_cell(report::result_text(result)) + " |\n";
}

using Rows = std::vector<const ComparedNumber*>;

constexpr std::size_t most_rows = 20;  // of a dimension
constexpr std::size_t most_open = 2;   // of a dimension, before the fold
constexpr std::size_t most_brief = 5;  // of all of them together

double times(const ComparedNumber& row) { return ratio(row.b.value, row.a.value); }

/// One quantity in two units: of one name, and both changed by the same factor. An amount and its
/// share are two quantities.
bool is_again(const ComparedNumber& row, const ComparedNumber& earlier) {
  constexpr double rounding = 1e-12;
  return row.label == earlier.label && std::fabs(times(row) - times(earlier)) <= rounding &&
         is_percentage(row.id.text(), row.unit) == is_percentage(earlier.id.text(), earlier.unit);
}

/// The rows of a group; of headline numbers each quantity once.
Rows rows_of(const Comparison& compared, RowGroup group, bool only_noteworthy) {
  Rows rows;
  for (const ComparedNumber& row : compared.rows) {
    if (row.id.group != group || (only_noteworthy && row.noteworthy() != 1)) continue;
    const bool is_listed =
        any_of(rows, [&](const ComparedNumber* other) { return is_again(row, *other); });
    if (group != RowGroup::summary || !is_listed) rows.push_back(&row);
  }
  return rows;
}

std::string value_cell(const ComparedNumber& row, const Side& side) {
  return side.text.empty() ? format_quantity(row.id.text(), row.unit, side.value)
                           : markdown_cell(side.text);
}

std::string line_of(const ComparedNumber& row) {
  const std::string id = row.id.text();
  return "| " + markdown_cell(report::label_of(row)) + " | " + value_cell(row, row.a) + " | " +
         value_cell(row, row.b) + " | " + format_difference(id, row.unit, row.delta()) + " | " +
         (is_percentage(id, row.unit) ? "" : format_relative(times(row) - 1)) + " | " +
         std::string(row.verdict()) + " |\n";
}

constexpr const char* head = "| | A | B | change | | |\n|---|--:|--:|--:|--:|---|\n";

struct Dimension {
  RowGroup group;
  const char* title;
};
constexpr Dimension dimensions[] = {{RowGroup::summary, "Headline numbers"},
                                    {RowGroup::budget, "Core-time"},
                                    {RowGroup::dataset, "By dataset"},
                                    {RowGroup::section, "By section"},
                                    {RowGroup::activity, "By activity"},
                                    {RowGroup::own, "By own function"},
                                    {RowGroup::host, "By host"}};

/// The rows that say the same: one change seen as several numbers (five rates of one elapsed time).
/// The first stands for them.
Rows distinct(const Rows& rows) {
  Rows kept;
  std::vector<std::string> said;
  for (const ComparedNumber* row : rows) {
    // a rate that halves is a time that doubles
    const std::string change =
        times(*row) > 0
            ? format_percent(elementary::exp(std::fabs(elementary::log(times(*row)))) - 1)
            : row->id.text();
    if (contains(said, change)) continue;
    said.push_back(change);
    kept.push_back(row);
  }
  return kept;
}

/// Of each dimension what changed most.
Rows changed_most(const Comparison& compared, std::size_t of_each) {
  Rows most;
  for (const Dimension& dimension : dimensions) {
    Rows rows = rows_of(compared, dimension.group, true);
    std::erase_if(rows, [](const ComparedNumber* row) {
      // What a dimension adds up to is said by the core-time's parts.
      const bool repeats = row->id.kind == RowId::Kind::total && row->id.group != RowGroup::budget;
      return row->verdict().empty() || repeats;
    });
    if (dimension.group == RowGroup::summary) rows = distinct(rows);
    if (rows.size() > of_each) rows.resize(of_each);
    most.insert(most.end(), rows.begin(), rows.end());
  }
  return most;
}

/// What stands before the fold.
std::string opening_of(const Comparison& compared, std::span<const Run* const> runs,
                       const Selection& selection, const Options& options, const Rows& rows) {
  const auto of_a = runs_of_a(options, runs.size());
  const report::VerdictText words =
      report::in_words(compared.explanation, runs, of_a, selection, options);
  std::string text = "## " + markdown_cell(report::side_text(runs.first(of_a))) + " (A) → " +
                     markdown_cell(report::side_text(runs.subspan(of_a))) + " (B)\n\n";
  text += "**" + markdown_cell(words.verdict) + "**\n\n";
  if (!words.limits.empty()) text += markdown_cell(words.limits) + "\n\n";
  if (rows.empty()) return text;
  text += head;
  for (const ComparedNumber* row : rows) text += line_of(*row);
  return text + "\n";
}

std::string setup_list(const Comparison& compared) {
  std::string text;
  for (const ComparedNumber* row : rows_of(compared, RowGroup::setup, true)) {
    text += "\n* " + markdown_cell(report::label_of(*row)) + ": " + value_cell(*row, row->a) +
            " → " + value_cell(*row, row->b);
    if (row->note.any())
      text += " (" + markdown_cell(report::note_text(row->note, compared.has_replicates)) + ")";
  }
  return text.empty() ? text : "**Not like for like:**" + text + "\n\n";
}

std::string table_of(const Comparison& compared, const Dimension& dimension) {
  const Rows rows = rows_of(compared, dimension.group, false);
  if (rows.empty()) return {};
  std::string text = std::string("### ") + dimension.title + "\n\n" + head;
  const std::size_t most = dimension.group == RowGroup::summary ? rows.size() : most_rows;
  for (std::size_t i = 0; i < std::min(rows.size(), most); ++i) text += line_of(*rows[i]);
  if (rows.size() > most)
    text += "\n" + format_count(static_cast<double>(rows.size() - most), "more row") +
            ": `crema compare --json`.\n";
  return text + "\n";
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
  }
  return out;
}

std::string gate_markdown(const Gate& gate) {
  std::string reasons;
  std::string lines;
  for (const GateCondition& condition : gate.conditions)
    if (condition.state != GateState::kept) reasons += reason_line(gate, condition);
  for (const GateResult& result : gate.results)
    if (gate.is_comparable()) lines += rule_line(gate, result);
  std::string text = "# " + report::headline_text(gate) + "\n\n";
  if (!reasons.empty()) text += reasons + "\n";
  if (!lines.empty())
    text += "| | rule | baseline | candidate | limit | |\n|---|---|--:|--:|--:|---|\n" + lines;
  return text;
}

std::string comparison_markdown(std::span<const Run* const> runs, const Selection& selection,
                                const Options& options) {
  const Comparison compared = compare_sides(runs, selection, options);
  std::string text =
      opening_of(compared, runs, selection, options, changed_most(compared, most_open));
  text += "<details><summary>All numbers</summary>\n\n" + setup_list(compared);
  for (const Dimension& dimension : dimensions) text += table_of(compared, dimension);
  text += "No verdict: within noise, or the noise is not known. Noise: " +
          markdown_cell(report::noise_text(runs.size())) + "\n";
  if (!compared.not_compared.empty())
    text +=
        "Not compared: " + markdown_cell(report::not_compared_text(compared.not_compared)) + ".\n";
  return text + "\n</details>\n";
}

std::string comparison_brief(std::span<const Run* const> runs, const Selection& selection,
                             const Options& options) {
  const Comparison compared = compare_sides(runs, selection, options);
  Rows rows = changed_most(compared, most_open);
  for (std::size_t i = 1; i < rows.size() && rows.size() > most_brief;) {
    if (rows[i]->id.group == rows[i - 1]->id.group) rows.erase(rows.begin() + static_cast<int>(i));
    else ++i;
  }
  if (rows.size() > most_brief) rows.resize(most_brief);
  return opening_of(compared, runs, selection, options, rows);
}

}  // namespace crema::exports
