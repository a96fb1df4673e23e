#include "cli/summary_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "cli/asked.hpp"
#include "core/base/numbers.hpp"
#include "core/base/text.hpp"

namespace crema::cli {

namespace {

/// What the bundle says may hold anything; a terminal obeys none of it.
std::string text_at(const Table& table, const char* column, std::size_t row) {
  return visible(table.text(column, row));
}

/// The same of a text in lines.
std::string lines_at(const Table& table, const char* column, std::size_t row) {
  std::string lines;
  for (const std::string_view line : split(table.text(column, row), "\n"))
    lines += (lines.empty() ? "" : "\n") + visible(line);
  return lines;
}

std::string core_time(double core_seconds) { return format_quantity("", "core-s", core_seconds); }

std::string budget_text(const Table& budget, std::size_t width, const Style& style, bool explain) {
  std::string out = style.bold("Where the core-time went") + "\n";
  const std::size_t whole = budget.row_of("part", "available");
  if (whole < budget.rows())
    out += "  available " + core_time(budget.number("core_seconds", whole)) + "\n";
  std::size_t label_width = 12;
  for (std::size_t i = 0; i < budget.rows(); ++i) {
    if (budget.text("split", i) == "phase")
      label_width = std::max(label_width, width_of(text_at(budget, "label", i)));
  }
  label_width = std::min<std::size_t>(label_width, 40);
  for (std::size_t i = 0; i < budget.rows(); ++i) {
    if (budget.text("split", i) != "phase") continue;
    const double fraction = budget.number("fraction", i);
    out += "  " + padded(text_at(budget, "label", i), label_width, false) + " " +
           padded(core_time(budget.number("core_seconds", i)), 14, true) + " ";
    if (!is_absent(fraction)) {
      out += padded(format_quantity("", "1", fraction), 8, true);
      const std::size_t used = 2 + label_width + 1 + 14 + 1 + 8 + 1;
      if (width > used + 10) out += " " + bar(fraction, std::min<std::size_t>(40, width - used));
    }
    out += "\n";
    if (explain) out += wrapped(style.dim(text_at(budget, "source", i)), width, "      ");
  }
  return out;
}

constexpr std::size_t most_findings = 3;
constexpr std::size_t most_functions = 5;

std::string findings_text(const Table& findings, std::size_t width, const Style& style) {
  std::string out = "\n" + style.bold("Findings") + "\n";
  if (findings.rows() == 0) out += "  none\n";
  for (std::size_t i = 0; i < std::min(findings.rows(), most_findings); ++i) {
    // the largest part of a healthy run is a fact: no saving is claimed of it
    const bool is_fact = findings.text("id", i) == "own-function";
    const double gain = is_fact ? absent : findings.number("gain_elapsed", i);
    const double cost = findings.number("core_seconds", i);
    out += wrapped(
        style.bold(text_at(findings, "severity", i) + ": " + text_at(findings, "title", i)) +
            (!is_absent(gain) ? "  (up to " + format_quantity("", "s", gain) + " shorter)"
             : is_fact || is_absent(cost) ? ""
                                          : "  (cost " + core_time(cost) + ")"),
        width, "  ");
    out += wrapped(lines_at(findings, "evidence", i), width, "      ");
  }
  if (findings.rows() > most_findings) {
    out += "  " + std::to_string(findings.rows() - most_findings) +
           " more: crema ask BUNDLE findings\n";
  }
  for (const Note& note : findings.notes) {
    if (note.name == "not_seen" && std::holds_alternative<std::string>(note.value))
      out += wrapped(style.dim(visible(std::get<std::string>(note.value))), width, "  ");
  }
  return out;
}

/// What to set otherwise, as code; "" where nothing is worth it.
std::string advice_text(const Table& advice, const Style& style) {
  for (const Note& note : advice.notes) {
    if (note.name != "code" || !std::holds_alternative<std::string>(note.value)) continue;
    std::string out = "\n" + style.bold("To paste") + "\n";
    for (const std::string_view line : split(std::get<std::string>(note.value), "\n"))
      out += "  " + visible(line) + "\n";
    return out;
  }
  return "";
}

/// Where only a profile is known: the analysis's own functions by their share of it, with those of
/// code that they call; without any, the innermost functions.
template <class Ask>
std::string profile_functions_text(const Ask& ask, std::size_t width, const Style& style) {
  const auto frames = ask("frames", {});
  if (!frames) return "";
  const Table& table = frames.value();
  const auto top_rows = [&](const char* column, bool is_own) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < table.rows(); ++i) {
      if (table.number(column, i) > 0 && (!is_own || table.text("category", i) == "your analysis"))
        rows.push_back(i);
    }
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
      return table.number(column, a) > table.number(column, b);
    });
    rows.resize(std::min(rows.size(), most_functions));
    return rows;
  };
  const std::vector<std::size_t> own = top_rows("own", true);
  const char* column = own.empty() ? "self" : "own";
  const std::string_view unit = table.find("total")->unit;
  const char* of_what = unit == "s"      ? " of the time"
                        : unit == "byte" ? " of the memory"
                                         : " of the samples";
  std::string out;
  for (const std::size_t i : own.empty() ? top_rows("self", false) : own) {
    const double whole = table.number("total", i) / table.number("total_fraction", i);
    out += wrapped(text_at(table, "name", i) + "  " +
                       format_quantity("", "1", table.number(column, i) / whole) + of_what,
                   width, "  ");
  }
  const char* title = own.empty() ? "Innermost functions" : "Own functions";
  return out.empty() ? "" : "\n" + style.bold(title) + "\n" + out;
}

/// The analysis's own functions by what twice as fast ones would save; "" without a profile.
template <class Ask>
std::string functions_text(const Ask& ask, std::size_t width, const Style& style) {
  const auto tree = ask("core_time_tree", {{"under", "available/inside_process"}, {"depth", "1"}});
  const std::size_t rows = tree ? tree.value().rows() : 0;
  std::string out;
  std::size_t functions = 0;
  for (std::size_t i = 0; i < rows && functions < most_functions; ++i) {
    const Table& parts = tree.value();
    if (parts.text("kind", i) != "function") continue;
    ++functions;
    std::string line =
        text_at(parts, "label", i) + "  " + core_time(parts.number("core_seconds", i));
    const auto part = ask("core_time_part", {{"under", std::string(parts.text("id", i))}});
    const double saved = part ? number_note(part.value(), "saves") : absent;
    if (!is_absent(saved)) line += "; twice as fast saves " + format_quantity("", "s", saved);
    out += wrapped(line, width, "  ");
  }
  if (functions == 0) return profile_functions_text(ask, width, style);
  return "\n" + style.bold("Own functions") + "\n" + out;
}

/// One past the rows of the group that begins at `row` if none of them has a value, else `row`.
std::size_t end_of_missing(const Table& summary, std::size_t row) {
  std::size_t end = row;
  for (; end < summary.rows() && summary.text("group", end) == summary.text("group", row); ++end) {
    if (!is_absent(summary.number("value", end)) || !is_absent(summary.number("stored", end)))
      return row;
  }
  return end;
}

std::string tables_text(const Table& summary, std::size_t width, const Style& style, bool explain) {
  std::string out;
  std::string group;
  std::string missing_groups;
  for (std::size_t i = 0; i < summary.rows(); ++i) {
    if (summary.text("group", i) != group) {
      group = summary.text("group", i);
      // Groups of which there is nothing share a line. What is missing says why with --explain.
      const std::size_t next = explain ? i : end_of_missing(summary, i);
      if (next > i) {
        missing_groups += (missing_groups.empty() ? "Not recorded: " : ", ") + visible(group);
        i = next - 1;
        continue;
      }
      out += "\n" + style.bold(visible(group)) + "\n";
    }
    const double value = summary.number("value", i);
    const double stored = summary.number("stored", i);
    const auto said = [&](double number) {
      return format_quantity(summary.text("id", i), summary.text("unit", i), number);
    };
    const bool missing = is_absent(value);
    const std::string note = text_at(summary, "note", i);
    const bool differs =
        !missing && !is_absent(stored) && std::fabs(value - stored) > 1e-9 * std::fabs(stored);
    // The rate once more, in another unit.
    if (summary.text("id", i) == "data_rate_gbps" && !explain && !differs) continue;
    out += "  " + padded(text_at(summary, "label", i), 32, false) + " " +
           padded(said(value), 16, true);
    if (missing) out += "  " + style.dim(note);
    if (differs) out += "  " + style.dim("stored: " + said(stored));
    out += "\n";
    if (explain) {
      out += wrapped(style.dim(text_at(summary, "id", i) + " = " + text_at(summary, "formula", i)),
                     width, "      ");
      if (!missing && !note.empty()) out += wrapped(style.dim(note), width, "      ");
    } else if (differs && !note.empty()) {
      out += wrapped(style.dim(note), width, "      ");
    }
  }
  if (!missing_groups.empty()) out += "\n" + wrapped(style.dim(missing_groups), width, "");
  return out;
}

/// Title, when it was recorded to the minute, how long it took, and what wrote it.
std::string header_text(const Table& runs, const Table& sources, const Style& style) {
  std::string out = style.bold(text_at(runs, "title", 0));
  if (std::string when = text_at(runs, "recorded_at", 0); !when.empty()) {
    constexpr std::size_t to_the_minute = 16;  // of 2026-11-21T01:52:55.983208
    if (when.size() > to_the_minute && when[10] == 'T') {
      when.resize(to_the_minute);
      when[10] = ' ';
    }
    out += "  recorded " + when;
  }
  if (!is_absent(runs.number("elapsed", 0)))
    out += "  " + format_quantity("", "s", runs.number("elapsed", 0));
  std::string formats;
  std::set<std::string_view> said = {"config", "metadata", "start_end_time"};
  for (std::size_t i = 0; i < sources.rows(); ++i) {
    const std::string_view format = sources.text("format", i);
    if (said.insert(format).second) formats += (formats.empty() ? "" : ", ") + visible(format);
  }
  std::replace(formats.begin(), formats.end(), '_', ' ');
  const std::string schema = text_at(runs, "schema", 0);
  const std::string written = said.contains("task_index") ? "crema.record"
                              : schema.empty()            ? formats
                                                          : schema;
  return out + (written.empty() ? "" : "  " + written) + "\n";
}

}  // namespace

std::string summary_text(const Session& session, RunId run, std::size_t width, const Style& style,
                         bool explain) {
  const RunId ids[] = {run};
  const auto ask = [&](std::string_view question, std::map<std::string, std::string> options = {}) {
    return session.ask(question, ids, {}, Options(std::move(options)));
  };
  const auto about = ask("runs");
  const auto sources = ask("sources");
  const auto budget = ask("budget");
  const auto findings = ask("findings");
  const auto summary = ask("summary");
  const auto quality = ask("quality");
  std::string out;
  if (about && sources) out += header_text(about.value(), sources.value(), style);
  // a profile alone, without tasks and chunks, is about functions
  const bool is_run = budget && budget.value().rows() > 0;
  if (is_run) out += "\n" + budget_text(budget.value(), width, style, explain);
  if (findings && (is_run || findings.value().rows() > 0))
    out += findings_text(findings.value(), width, style);
  if (const auto advice = ask("advice")) out += advice_text(advice.value(), style);
  out += functions_text(ask, width, style);
  if (summary) out += tables_text(summary.value(), width, style, explain);
  if (quality && quality.value().rows() > 0) {
    const Table& t = quality.value();
    out += "\n" + style.bold("Data notes") + "\n";
    for (std::size_t i = 0; i < t.rows(); ++i) {
      std::string line = text_at(t, "severity", i) + ": " +
                         (t.text("file", i).empty() ? "" : text_at(t, "file", i) + ": ") +
                         text_at(t, "message", i);
      if (!is_absent(t.number("offset", i)))
        line += " (byte " + number_text(t.number("offset", i)) + ")";
      if (!t.text("path", i).empty()) line += " at " + text_at(t, "path", i);
      if (t.number("count", i) > 1) line += ", " + number_text(t.number("count", i)) + " times";
      out += wrapped(line, width, "  ");
    }
  }
  return out;
}

}  // namespace crema::cli
