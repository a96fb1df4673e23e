#include "core/export/table_text.hpp"

#include <cmath>

#include "core/base/text.hpp"

namespace crema::exports {

namespace {

std::string_view type_name(Column::Type type) {
  switch (type) {
    case Column::Type::number: return "number";
    case Column::Type::text: return "text";
    case Column::Type::flag: return "flag";
  }
  return "number";
}

std::string json_number(double value, Column::Type type) {
  if (!std::isfinite(value)) return "null";
  if (type == Column::Type::flag) return value != 0 ? "true" : "false";
  return number_text(value);
}

/// A spreadsheet runs a cell that begins like this as a formula. A number is none, whatever its
/// sign.
bool is_formula(std::string_view text) {
  constexpr std::string_view beginnings = "=+-@\t\r\n";
  if (text.empty() || beginnings.find(text.front()) == std::string_view::npos) return false;
  const bool has_digits = text.find_first_of("0123456789.") == 1;
  return text.front() == '=' || !has_digits || !std::isfinite(parse_number(text.substr(1)));
}

std::string csv_text(std::string_view text) {
  const std::string_view quote = is_formula(text) ? "'" : "";
  if (text.find_first_of(",\"\r\n") == std::string_view::npos)
    return std::string(quote).append(text);
  std::string cell = "\"" + std::string(quote);
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
}

void append_values(std::string& out, const Table& table, const Column& column) {
  out += '[';
  const std::size_t rows = table.rows();
  for (std::size_t row = 0; row < rows; ++row) {
    if (row > 0) out += ',';
    if (column.type == Column::Type::text) {
      const StringId id = column.texts[row];
      out += id == no_string ? "null" : json_text(table.strings[id]);
      continue;
    }
    if (column.width > 1) out += '[';
    for (std::size_t i = 0; i < column.width; ++i) {
      if (i > 0) out += ',';
      out += json_number(column.numbers[row * column.width + i], column.type);
    }
    if (column.width > 1) out += ']';
  }
  out += ']';
}

}  // namespace

std::string table_json(const Table& table, bool explain) {
  std::string out = "{\"question\":" + json_text(table.question) +
                    ",\"rows\":" + std::to_string(table.rows()) + ",\"columns\":[";
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    if (i > 0) out += ',';
    out += "\n{\"name\":" + json_text(column.name) + ",\"type\":\"" +
           std::string(type_name(column.type)) + "\",\"unit\":" + json_text(column.unit);
    if (explain && !column.formula.empty()) out += ",\"formula\":" + json_text(column.formula);
    out += ",\"values\":";
    append_values(out, table, column);
    out += '}';
  }
  out += "],\n\"notes\":{";
  for (std::size_t i = 0; i < table.notes.size(); ++i) {
    const Note& note = table.notes[i];
    if (i > 0) out += ',';
    out += json_text(note.name) + ':';
    if (const double* number = std::get_if<double>(&note.value)) {
      out += json_number(*number, Column::Type::number);
    } else {
      out += json_text(std::get<std::string>(note.value));
    }
  }
  return out + "}}\n";
}

std::string table_csv(const Table& table) {
  std::string out;
  bool first = true;
  for (const Column& column : table.columns) {
    for (std::size_t i = 0; i < column.width; ++i) {
      std::string name = column.name;
      if (column.width > 1) name += '.' + std::to_string(i);
      if (!column.unit.empty()) name += " [" + column.unit + "]";
      out += (first ? "" : ",") + csv_text(name);
      first = false;
    }
  }
  out += "\r\n";
  for (std::size_t row = 0; row < table.rows(); ++row) {
    first = true;
    for (const Column& column : table.columns) {
      for (std::size_t i = 0; i < column.width; ++i) {
        if (!first) out += ',';
        first = false;
        if (column.type == Column::Type::text) {
          out += csv_text(table.strings[column.texts[row]]);
        } else {
          out += number_text(column.numbers[row * column.width + i]);
        }
      }
    }
    out += "\r\n";
  }
  return out;
}

}  // namespace crema::exports
