#include "core/export/export.hpp"

#include <cmath>
#include <vector>

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

void write_values(const Table& table, const Column& column, TextSink& out) {
  const std::size_t rows = table.rows();
  // Each of the Table's strings is quoted at its first use: a frame's name stands in many rows.
  std::vector<std::string> quoted(column.type == Column::Type::text ? table.strings.size() : 0);
  for (std::size_t row = 0; row < rows; ++row) {
    out << (row > 0 ? "," : "");
    if (column.type == Column::Type::text) {
      const StringId id = column.texts[row];
      if (id == no_string) {
        out << "null";
      } else {
        if (quoted[id].empty()) quoted[id] = json_text(table.strings[id]);
        out << quoted[id];
      }
    } else if (column.is_matrix) {
      out << '[';
      for (std::size_t i = 0; i < column.width; ++i)
        out << (i > 0 ? "," : "")
            << json_number(column.numbers[row * column.width + i], column.type);
      out << ']';
    } else {
      out << json_number(column.numbers[row], column.type);
    }
    out.pass();
  }
}

}  // namespace

void write_table_json(const Table& table, bool explain, TextSink& out) {
  out << "{\"question\":" << json_text(table.question)
      << ",\"rows\":" << std::to_string(table.rows()) << ",\"columns\":[";
  for (const Column& column : table.columns) {
    out << (&column == &table.columns.front() ? "" : ",")
        << "\n{\"name\":" << json_text(column.name) << ",\"type\":\"" << type_name(column.type)
        << "\",\"unit\":" << json_text(column.unit);
    if (explain && !column.formula.empty()) out << ",\"formula\":" << json_text(column.formula);
    out << ",\"values\":[";
    write_values(table, column, out);
    out << "]}";
  }
  out << "],\n\"notes\":{";
  for (const Note& note : table.notes) {
    out << (&note == &table.notes.front() ? "" : ",") << json_text(note.name) << ':';
    if (const double* number = std::get_if<double>(&note.value))
      out << json_number(*number, Column::Type::number);
    else out << json_text(std::get<std::string>(note.value));
  }
  out << "}}\n";
}

void write_table_csv(const Table& table, TextSink& out) {
  const char* before = "";
  const auto put = [&](std::string_view cell) {
    out << before << cell;
    before = ",";
  };
  const auto end_line = [&] {
    out << "\r\n";
    out.pass();
    before = "";
  };
  for (const Column& column : table.columns) {
    const std::string unit = column.unit.empty() ? "" : " [" + column.unit + "]";
    if (!column.is_matrix || column.width == 0) put(csv_text(column.name + unit));
    else
      for (std::size_t i = 0; i < column.width; ++i)
        put(csv_text(column.name + '.' + std::to_string(i) + unit));
  }
  end_line();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (const Column& column : table.columns) {
      if (column.type == Column::Type::text) put(csv_text(table.strings[column.texts[row]]));
      else if (column.width == 0) put("");
      else
        for (std::size_t i = 0; i < column.width; ++i)
          put(number_text(column.numbers[row * column.width + i]));
    }
    end_line();
  }
}

std::string table_json(const Table& table, bool explain) {
  return whole_text([&](TextSink& out) { write_table_json(table, explain, out); });
}

std::string table_csv(const Table& table) {
  return whole_text([&](TextSink& out) { write_table_csv(table, out); });
}

}  // namespace crema::exports
