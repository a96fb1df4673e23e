#include "core/export/export.hpp"

#include <cmath>
#include <utility>

namespace crema::exports {

namespace {

void write_number(double value, Column::Type type, TextSink& out) {
  NumberRoom room;
  out << (!std::isfinite(value)        ? "null"
          : type != Column::Type::flag ? number_text(value, room)
          : value != 0                 ? "true"
                                       : "false");
}

/// A spreadsheet runs a cell that begins like this as a formula. A number is none, whatever its
/// sign.
bool is_formula(std::string_view text) {
  constexpr std::string_view beginnings = "=+-@\t\r\n";
  if (text.empty() || !has_part(beginnings, text.front())) return false;
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

/// The values of a column, or of a piece of it; `quoted` holds each of its strings that occurred
/// before: a frame's name stands in many rows.
void write_values(const Column& column, std::size_t rows, const StringPool& strings, bool& is_first,
                  std::vector<std::string>& quoted, TextSink& out) {
  const bool is_text = column.type == Column::Type::text;
  if (is_text) quoted.resize(strings.size());
  for (std::size_t row = 0; row < rows; ++row) {
    if (!std::exchange(is_first, false)) out << ',';
    if (is_text) {
      const StringId id = column.texts[row];
      if (id == no_string) {
        out << "null";
      } else {
        if (quoted[id].empty()) quoted[id] = json_text(strings[id]);
        out << quoted[id];
      }
    } else if (column.is_matrix) {
      out << '[';
      for (std::size_t i = 0; i < column.width; ++i) {
        out << (i > 0 ? "," : "");
        write_number(column.numbers[row * column.width + i], column.type, out);
      }
      out << ']';
    } else {
      write_number(column.numbers[row], column.type, out);
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
        << "\n{\"name\":" << json_text(column.name) << ",\"type\":\"" << name_of(column.type)
        << "\",\"unit\":" << json_text(column.unit);
    if (explain && !column.formula.empty()) out << ",\"formula\":" << json_text(column.formula);
    out << ",\"values\":[";
    bool is_first = true;
    std::vector<std::string> quoted;
    table.each_piece(column, [&](const Column& cells, std::size_t rows, const StringPool& strings) {
      write_values(cells, rows, strings, is_first, quoted, out);
    });
    out << "]}";
  }
  out << "],\n\"notes\":{";
  for (const Note& note : table.notes) {
    out << (&note == &table.notes.front() ? "" : ",") << json_text(note.name) << ':';
    if (const double* number = std::get_if<double>(&note.value))
      write_number(*number, Column::Type::number, out);
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
