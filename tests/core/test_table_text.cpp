#include "core/export/export.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/numbers.hpp"
#include "core/base/text.hpp"
#include "core/table/columns.hpp"
#include "tests/core/catch.hpp"

using namespace crema;
using namespace crema::exports;

namespace {

/// Two rows: a text (missing in the second), a number (missing in the first), a flag, a matrix of
/// width 2.
Table small_table() {
  struct Row {
    std::string name;
    double t, odd;
    std::vector<double> bins;
  };
  const Columns<Row> columns = {{"name", &Row::name},
                                {"t", "s", &Row::t, "the formula"},
                                {"odd", as_flag, &Row::odd},
                                {"bins", "byte", &Row::bins}};
  Table table =
      columns.table({{"one, \"two\"\n", absent, 1, {1.0, 2.5}}, {"", 0.1, absent, {absent, 4.0}}},
                    {}, {.width = 2});
  table.question = "example";
  table.note("total", 7.5);
  table.note("nothing", absent);
  table.note("remark", std::string("a \"quoted\" remark"));
  return table;
}

}  // namespace

TEST_CASE("A Table as JSON has its columns, null for what is missing, and rows of a matrix") {
  const auto json = nlohmann::json::parse(table_json(small_table()));
  CHECK(json["question"] == "example");
  CHECK(json["rows"] == 2);
  CHECK(json["columns"][0] ==
        nlohmann::json::parse(
            R"({"name": "name", "type": "text", "unit": "", "values": ["one, \"two\"\n", null]})"));
  CHECK(json["columns"][1] ==
        nlohmann::json::parse(
            R"({"name": "t", "type": "number", "unit": "s", "values": [null, 0.1]})"));
  CHECK(json["columns"][2] ==
        nlohmann::json::parse(
            R"({"name": "odd", "type": "flag", "unit": "", "values": [true, null]})"));
  CHECK(
      json["columns"][3] ==
      nlohmann::json::parse(
          R"({"name": "bins", "type": "number", "unit": "byte", "values": [[1, 2.5], [null, 4]]})"));
  CHECK(
      json["notes"] ==
      nlohmann::json::parse(R"({"total": 7.5, "nothing": null, "remark": "a \"quoted\" remark"})"));
}

TEST_CASE("Formulas are in the JSON when asked for") {
  CHECK_FALSE(nlohmann::json::parse(table_json(small_table()))["columns"][1].contains("formula"));
  CHECK(nlohmann::json::parse(table_json(small_table(), true))["columns"][1]["formula"] ==
        "the formula");
}

TEST_CASE(
    "A Table as CSV has units in its header, quotes where needed, and a column per entry of a "
    "matrix") {
  CHECK(table_csv(small_table()) ==
        "name,t [s],odd,bins.0 [byte],bins.1 [byte]\r\n"
        "\"one, \"\"two\"\"\n\",,1,1,2.5\r\n"
        ",0.1,,,4\r\n");
}

TEST_CASE("A spreadsheet that opens the CSV runs no cell as a formula, and numbers stay numbers") {
  // The same list as in tests/web/tableCsv.test.ts.
  const std::vector<std::string> cells = {"=HYPERLINK(\"http://x\")",
                                          "+1+cmd|' /C calc'!A0",
                                          "-2+3",
                                          "@SUM(A1)",
                                          "\tx",
                                          "-",
                                          "--x",
                                          "+-5",
                                          "-inf",
                                          "-5",
                                          "-.5",
                                          "+1.5e-3",
                                          "-1e999",
                                          "x=1",
                                          "5",
                                          ""};
  const Columns<std::string> columns = {{"a", [](const std::string& cell) { return cell; }}};
  const Table table = columns.table(cells);
  CHECK(table_csv(table) ==
        "a\r\n"
        "\"'=HYPERLINK(\"\"http://x\"\")\"\r\n"
        "'+1+cmd|' /C calc'!A0\r\n'-2+3\r\n'@SUM(A1)\r\n'\tx\r\n'-\r\n'--x\r\n"
        "'+-5\r\n'-inf\r\n-5\r\n-.5\r\n+1.5e-3\r\n'-1e999\r\nx=1\r\n5\r\n\r\n");
}

TEST_CASE("A Table without rows or columns is written, too") {
  Table empty;
  empty.question = "none";
  CHECK(nlohmann::json::parse(table_json(empty))["rows"] == 0);
  CHECK(table_csv(empty) == "\r\n");
  empty.add(Column::Type::number, "a");
  CHECK(table_csv(empty) == "a\r\n");
}

TEST_CASE("Numbers read back exactly") {
  for (const double value :
       {0.1, 1.0 / 3, 1e308, 4.9e-324, -2.5, 1795225368.2341964, 9007199254740991.0,
        9007199254740994.0, 1e22, 123456789012345.0, 3.147200000000461e-05,
        std::numeric_limits<double>::max(), std::numeric_limits<double>::min()}) {
    CAPTURE(value);
    CHECK(std::strtod(number_text(value).c_str(), nullptr) == value);
  }
}

TEST_CASE("Integers are written without a fraction, missing and infinite numbers as nothing") {
  CHECK(number_text(0) == "0");
  CHECK(number_text(-3) == "-3");
  CHECK(number_text(2139123) == "2139123");
  CHECK(number_text(9007199254740991) == "9007199254740991");
  CHECK(number_text(absent).empty());
  CHECK(number_text(std::numeric_limits<double>::infinity()).empty());
}

TEST_CASE("Bytes that are no UTF-8 do not break the JSON") {
  const Columns<std::string> columns = {{"name", [](const std::string& name) { return name; }}};
  const Table table = columns.table({"a\xff"});
  CHECK(nlohmann::json::parse(table_json(table))["columns"][0]["values"][0] == "a\xef\xbf\xbd");
}

TEST_CASE("A list of one number, and one of none, stays a list") {
  struct Worker {
    const char* name;
    std::vector<double> cpu;
  };
  const Columns<Worker> columns = {{"worker", &Worker::name},
                                   {"cpu", "1", &Worker::cpu},
                                   {"more", "", [](const Worker&) { return 1; }}};
  const Table one = columns.table({{"a", {0.5}}, {"b", {absent}}}, {}, {.width = 1});
  CHECK(nlohmann::json::parse(table_json(one))["columns"][1]["values"] ==
        nlohmann::json::parse("[[0.5], [null]]"));
  CHECK(table_csv(one) == "worker,cpu.0 [1],more\r\na,0.5,1\r\nb,,1\r\n");
  const Table none = columns.table({{"a", {}}, {"b", {}}}, {}, {.width = 0});
  CHECK(nlohmann::json::parse(table_json(none))["columns"][1]["values"] ==
        nlohmann::json::parse("[[], []]"));
  CHECK(table_csv(none) == "worker,cpu [1],more\r\na,,1\r\nb,,1\r\n");
}

TEST_CASE("A large Table comes in pieces, which make the whole") {
  const Columns<std::size_t> columns = {
      {"n", "", [](std::size_t row) { return static_cast<double>(row) / 7; }}};
  const Table table = columns.table(100000, {});
  std::string text;
  std::size_t longest = 0;
  TextSink out([&](std::string_view piece) {
    longest = std::max(longest, piece.size());
    text += piece;
  });
  write_table_csv(table, out);
  out.end();
  CHECK(text == table_csv(table));
  CHECK(longest < 100000);
}

TEST_CASE("A Table whose cells are made while it is written reads as one that has them") {
  using Numbers = std::vector<double>;
  const Columns<std::size_t, Numbers> columns = {
      {"half", "s", [](std::size_t i, const Numbers& of) { return of[i] / 2; }},
      {"parity",
       [](std::size_t i, const Numbers&) { return std::string_view(i % 2 == 0 ? "even" : "odd"); }},
  };
  Numbers counted;  // more than a piece of them
  for (int i = 0; i < 40'000; ++i) counted.push_back(i);
  const auto numbers = std::make_shared<const Numbers>(counted);
  const Table whole = columns.table(numbers->size(), *numbers);
  Table unmade = columns.table(numbers->size(), numbers);
  CHECK(unmade.rows() == 40'000);
  CHECK(unmade.columns[0].numbers.empty());
  CHECK(table_json(unmade) == table_json(whole));
  unmade.make();
  CHECK(unmade.columns[0].numbers == whole.columns[0].numbers);
  CHECK(unmade.number("half", 39'999) == 19'999.5);
  CHECK(unmade.text("parity", 39'999) == "odd");
  CHECK(table_csv(unmade) == table_csv(whole));
}
