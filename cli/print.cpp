#include "cli/print.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/base/numbers.hpp"
#include "core/base/text.hpp"

namespace crema::cli {

namespace {

// Width on screen, near enough: code points, not bytes.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::size_t own = width_of(text);
  const std::string space(width > own ? width - own : 0, ' ');
  return right ? space + text : text + space;
}

std::string fixed(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string grouped(std::string digits) {
  const auto end = std::min(digits.find('.'), digits.size());
  const std::size_t first = digits.front() == '-' ? 1 : 0;
  for (std::size_t at = end; at > first + 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string significant(double value) {
  if (value == 0) return "0";
  const double size = std::fabs(value);
  const int decimals = size >= 1000  ? 0
                       : size >= 100 ? 1
                       : size >= 10  ? 2
                       : size >= 1   ? 3
                                     : std::min(9, 3 - static_cast<int>(std::floor(std::log10(size))));
  return grouped(fixed(value, decimals));
}

std::string scaled(double value, double step, std::initializer_list<const char*> units) {
  const char* unit = *units.begin();
  for (const char* next : units) {
    unit = next;
    if (std::fabs(value) < step) break;
    if (next != *(units.end() - 1)) value /= step;
  }
  return significant(value) + " " + unit;
}

std::string duration(double seconds) {
  if (seconds < 0) return "-" + duration(-seconds);
  if (seconds < 1) return significant(seconds * 1000) + " ms";
  if (seconds < 60) return significant(seconds) + " s";
  if (!std::isfinite(seconds)) return "infinite";
  // Rounded first, so that no "60.0 s" is left beside the minutes.
  const double tenths = std::round(seconds * 10);
  if (tenths < 36000) return fixed(std::floor(tenths / 600), 0) + " min " + fixed(std::fmod(tenths, 600) / 10, 1) + " s";
  const double minutes = std::round(seconds / 60);
  return fixed(std::floor(minutes / 60), 0) + " h " + fixed(std::fmod(minutes, 60), 0) + " min";
}

std::string cell(const Table& table, const Column& column, std::size_t row) {
  if (column.type == Column::Type::text)
    return column.texts[row] == no_string ? "–" : std::string(table.strings[column.texts[row]]);
  std::string text;
  for (std::size_t i = 0; i < column.width; ++i) {
    const double value = column.numbers[row * column.width + i];
    if (i > 0) text += ' ';
    if (is_absent(value)) text += "–";
    else if (column.type == Column::Type::flag) text += value != 0 ? "yes" : "no";
    else text += number_text(value);
  }
  return text;
}

std::string bar(double fraction, std::size_t width) {
  const auto filled = static_cast<std::size_t>(std::lround(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(width)));
  std::string text;
  for (std::size_t i = 0; i < width; ++i) text += i < filled ? "█" : "·";
  return text;
}

struct Style {
  bool on;
  std::string bold(const std::string& text) const { return on ? "\x1b[1m" + text + "\x1b[0m" : text; }
  std::string dim(const std::string& text) const { return on ? "\x1b[2m" + text + "\x1b[0m" : text; }
};

std::string wrap(const std::string& text, std::size_t width, const std::string& indent) {
  std::string out;
  std::string line;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!line.empty() && width_of(indent) + width_of(line) + 1 + width_of(word) > width) {
      out += indent + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    begin = end + 1;
  }
  return out + indent + line + "\n";
}

std::string budget_text(const Table& budget, std::size_t width, const Style& style, bool explain) {
  std::string out = style.bold("Where the core-time went") + "\n";
  const std::size_t whole = budget.row_of("part", "available");
  if (whole < budget.rows()) out += "  available " + human(budget.number("core_seconds", whole), "core-s") + "\n";
  std::size_t label_width = 12;
  for (std::size_t i = 0; i < budget.rows(); ++i) {
    if (budget.text("split", i) == "phase") label_width = std::max(label_width, width_of(std::string(budget.text("label", i))));
  }
  label_width = std::min<std::size_t>(label_width, 40);
  for (std::size_t i = 0; i < budget.rows(); ++i) {
    if (budget.text("split", i) != "phase") continue;
    const double fraction = budget.number("fraction", i);
    out += "  " + padded(std::string(budget.text("label", i)), label_width, false) + " " +
           padded(human(budget.number("core_seconds", i), "core-s"), 14, true) + " ";
    if (!is_absent(fraction)) {
      out += padded(fixed(100 * fraction, 1) + " %", 8, true);
      const std::size_t used = 2 + label_width + 1 + 14 + 1 + 8 + 1;
      if (width > used + 10) out += " " + bar(fraction, std::min<std::size_t>(40, width - used));
    }
    out += "\n";
    if (explain) out += wrap(style.dim(std::string(budget.text("source", i))), width, "      ");
  }
  return out;
}

constexpr std::size_t most_findings = 6;

std::string findings_text(const Table& findings, std::size_t width, const Style& style) {
  std::string out = "\n" + style.bold("Findings") + "\n";
  if (findings.rows() == 0) return out + "  none\n";
  for (std::size_t i = 0; i < std::min(findings.rows(), most_findings); ++i) {
    const double stake = findings.number("gain_core_seconds", i);
    out += wrap(style.bold(std::string(findings.text("severity", i)) + ": " + std::string(findings.text("title", i))) +
                    (is_absent(stake) ? "" : "  (" + human(stake, "core-s") + " at stake)"),
                width, "  ");
    out += wrap(std::string(findings.text("evidence", i)), width, "      ");
  }
  if (findings.rows() > most_findings) {
    out += "  " + std::to_string(findings.rows() - most_findings) + " more: crema ask BUNDLE findings\n";
  }
  return out;
}

std::string tables_text(const Table& summary, std::size_t width, const Style& style, bool explain) {
  std::string out;
  std::string group;
  for (std::size_t i = 0; i < summary.rows(); ++i) {
    if (summary.text("group", i) != group) {
      group = summary.text("group", i);
      out += "\n" + style.bold(group) + "\n";
    }
    const double value = summary.number("value", i);
    const double stored = summary.number("stored", i);
    // Data volumes are decimal, process memory binary, as everywhere in Crema.
    const bool of_memory = summary.text("unit", i) == "byte" && summary.text("group", i) == "Resources";
    const std::string unit = of_memory ? "byte of memory" : std::string(summary.text("unit", i));
    const bool missing = is_absent(value);
    const std::string note(summary.text("note", i));
    out += "  " + padded(std::string(summary.text("label", i)), 32, false) + " " +
           padded(missing ? "–" : human(value, unit), 16, true);
    const bool differs = !missing && !is_absent(stored) && std::fabs(value - stored) > 1e-9 * std::fabs(stored);
    if (missing) out += "  " + style.dim(note);
    if (differs) out += "  " + style.dim("stored: " + human(stored, unit));
    out += "\n";
    if (explain) {
      out +=
          wrap(style.dim(std::string(summary.text("id", i)) + " = " + std::string(summary.text("formula", i))), width, "      ");
      if (!missing && !note.empty()) out += wrap(style.dim(note), width, "      ");
    } else if (differs && !note.empty()) {
      out += wrap(style.dim(note), width, "      ");
    }
  }
  return out;
}

}  // namespace

std::string human(double value, const std::string& unit) {
  if (is_absent(value)) return "–";
  if (unit == "byte of memory") return scaled(value, 1024, {"B", "KiB", "MiB", "GiB", "TiB"});
  if (unit == "byte") return scaled(value, 1000, {"B", "kB", "MB", "GB", "TB"});
  if (unit == "s") return duration(value);
  if (unit == "1") return significant(value);
  if (unit == "count") return value == std::floor(value) ? grouped(fixed(value, 0)) : significant(value);
  return significant(value) + " " + unit;
}

std::string table_text(const Table& table, bool explain) {
  std::vector<std::vector<std::string>> cells(table.columns.size());
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const Column& column = table.columns[c];
    const bool unitless = column.unit.empty() || column.unit == "count" || column.unit == "as the row's unit";
    cells[c].push_back(column.name + (unitless ? "" : " [" + column.unit + "]"));
    for (std::size_t row = 0; row < table.rows(); ++row) cells[c].push_back(cell(table, column, row));
    std::size_t width = 0;
    for (const std::string& text : cells[c]) width = std::max(width, width_of(text));
    widths.push_back(width);
  }
  std::string out;
  for (std::size_t row = 0; row <= table.rows(); ++row) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      line += (c > 0 ? "  " : "") + padded(cells[c][row], widths[c], table.columns[c].type != Column::Type::text);
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out += line + "\n";
  }
  for (const Note& note : table.notes) {
    const double* number = std::get_if<double>(&note.value);
    out += "# " + note.name + ": " +
           (number != nullptr ? (is_absent(*number) ? "–" : number_text(*number)) : std::get<std::string>(note.value)) + "\n";
  }
  if (explain) {
    for (const Column& column : table.columns) {
      if (!column.formula.empty()) out += "# " + column.name + " = " + column.formula + "\n";
    }
  }
  return out;
}

std::string summary_text(const Session& session, RunId run, std::size_t width, bool colour, bool explain) {
  const Style style{colour};
  const RunId ids[] = {run};
  const auto ask = [&](std::string_view question) { return session.ask(question, ids, {}, {}); };
  const auto about = ask("runs");
  const auto budget = ask("budget");
  const auto findings = ask("findings");
  const auto summary = ask("summary");
  const auto quality = ask("quality");
  std::string out;
  if (about) {
    const Table& t = about.value();
    out += style.bold(std::string(t.text("title", 0)));
    if (!t.text("recorded_at", 0).empty()) out += "  recorded " + std::string(t.text("recorded_at", 0));
    out += "  " + human(t.number("elapsed", 0), "s") + "  " + std::string(t.text("schema", 0)) + "\n\n";
  }
  if (budget && budget.value().rows() > 0) out += budget_text(budget.value(), width, style, explain);
  if (findings) out += findings_text(findings.value(), width, style);
  if (summary) out += tables_text(summary.value(), width, style, explain);
  if (quality && quality.value().rows() > 0) {
    const Table& t = quality.value();
    out += "\n" + style.bold("Data notes") + "\n";
    for (std::size_t i = 0; i < t.rows(); ++i) {
      std::string line = std::string(t.text("severity", i)) + ": " +
                         (t.text("file", i).empty() ? "" : std::string(t.text("file", i)) + ": ") +
                         std::string(t.text("message", i));
      if (!is_absent(t.number("offset", i))) line += " (byte " + number_text(t.number("offset", i)) + ")";
      if (!t.text("path", i).empty()) line += " at " + std::string(t.text("path", i));
      if (t.number("count", i) > 1) line += ", " + number_text(t.number("count", i)) + " times";
      out += wrap(line, width, "  ");
    }
  }
  return out;
}

}  // namespace crema::cli
