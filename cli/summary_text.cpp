#include "cli/summary_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>
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
    out += wrapped(
        style.bold(text_at(findings, "severity", i) + ": " + text_at(findings, "title", i)) +
            (is_absent(gain) ? "" : "  (up to " + format_quantity("", "s", gain) + " shorter)"),
        width, "  ");
    out += wrapped(text_at(findings, "evidence", i), width, "      ");
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

/// Where only a profile is known: the analysis's own functions by their samples, with those of code
/// that they call.
template <class Ask>
std::string profile_functions_text(const Ask& ask, std::size_t width) {
  const auto frames = ask("frames", {});
  if (!frames) return "";
  const Table& table = frames.value();
  std::vector<std::size_t> own;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (table.text("category", i) == "your analysis" && table.number("own", i) > 0)
      own.push_back(i);
  }
  std::stable_sort(own.begin(), own.end(), [&](std::size_t a, std::size_t b) {
    return table.number("own", a) > table.number("own", b);
  });
  std::string out;
  for (std::size_t k = 0; k < std::min(own.size(), most_functions); ++k) {
    const std::size_t i = own[k];
    const double whole = table.number("total", i) / table.number("total_fraction", i);
    out += wrapped(text_at(table, "name", i) + "  " +
                       format_quantity("", "1", table.number("own", i) / whole) + " of the samples",
                   width, "  ");
  }
  return out;
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
  if (functions == 0) out = profile_functions_text(ask, width);
  return out.empty() ? "" : "\n" + style.bold("Own functions") + "\n" + out;
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
  for (std::size_t i = 0; i < summary.rows(); ++i) {
    if (summary.text("group", i) != group) {
      group = summary.text("group", i);
      out += "\n" + style.bold(visible(group)) + "\n";
      // Nothing of it: one line, and not one per number. What is missing says why with --explain.
      const std::size_t next = explain ? i : end_of_missing(summary, i);
      if (next > i) {
        out += "  " + style.dim("not recorded") + "\n";
        i = next - 1;
        continue;
      }
    }
    const double value = summary.number("value", i);
    const double stored = summary.number("stored", i);
    const auto said = [&](double number) {
      return format_quantity(summary.text("id", i), summary.text("unit", i), number);
    };
    const bool missing = is_absent(value);
    const std::string note = text_at(summary, "note", i);
    out += "  " + padded(text_at(summary, "label", i), 32, false) + " " +
           padded(said(value), 16, true);
    const bool differs =
        !missing && !is_absent(stored) && std::fabs(value - stored) > 1e-9 * std::fabs(stored);
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
  return out;
}

}  // namespace

std::string summary_text(const Session& session, RunId run, std::size_t width, const Style& style,
                         bool explain) {
  const RunId ids[] = {run};
  const auto ask = [&](std::string_view question, std::map<std::string, std::string> options = {}) {
    return session.ask(question, ids, {}, Options(std::move(options)));
  };
  const auto about = ask("runs");
  const auto budget = ask("budget");
  const auto findings = ask("findings");
  const auto summary = ask("summary");
  const auto quality = ask("quality");
  std::string out;
  if (about) {
    const Table& t = about.value();
    out += style.bold(text_at(t, "title", 0));
    if (!t.text("recorded_at", 0).empty()) out += "  recorded " + text_at(t, "recorded_at", 0);
    if (!is_absent(t.number("elapsed", 0)))
      out += "  " + format_quantity("", "s", t.number("elapsed", 0));
    out += "  " + text_at(t, t.text("schema", 0).empty() ? "source_files" : "schema", 0) + "\n\n";
  }
  if (budget && budget.value().rows() > 0)
    out += budget_text(budget.value(), width, style, explain);
  if (findings) out += findings_text(findings.value(), width, style);
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
