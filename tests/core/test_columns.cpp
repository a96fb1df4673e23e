// Tables that are made from the declaration of their columns.
#include "core/table/columns.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "core/base/numbers.hpp"

using namespace crema;

namespace {

struct Dataset {
  std::string name;
  double events;
  bool is_last;
  double half() const { return events / 2; }
};

const Columns<Dataset, double> columns = {
    {"name", &Dataset::name},
    {"as given", as_given, &Dataset::name},
    {"events", "count", &Dataset::events},
    {"half", "count", &Dataset::half, "events / 2"},
    {"last", as_flag, &Dataset::is_last},
    {"share", "1", [](const Dataset& d, double all) { return d.events / all; }},
    {"more", "count", [](const Dataset& d) { return d.name.empty() ? absent : d.events + 1; }},
};

}  // namespace

TEST_CASE("Columns: one is its name, its unit and its value of every row") {
  const Table table = columns.table({{"top", 4, false}, {"", 6, true}}, 10);
  REQUIRE(table.rows() == 2);
  CHECK(table.text("name", 0) == "top");
  CHECK(table.find("name")->texts[1] == no_string);  // an empty text is missing
  CHECK(table.text("as given", 1).empty());
  CHECK(table.find("as given")->texts[1] != no_string);
  CHECK(table.number("half", 1) == 3);
  CHECK(table.find("half")->formula == "events / 2");
  CHECK(table.find("half")->unit == "count");
  CHECK(table.number("last", 1) == 1);
  CHECK(table.find("last")->type == Column::Type::flag);
  CHECK(table.number("share", 1) == 0.6);
  CHECK(table.number("more", 0) == 5);
  CHECK(is_absent(table.number("more", 1)));
}

TEST_CASE("Columns: what is declared is there without a row") {
  REQUIRE(columns.columns().size() == 7);
  CHECK(columns.columns()[3].name == "half");
  CHECK(columns.columns()[3].type == Column::Type::number);
  const Table none = columns.table(std::vector<Dataset>{}, 0);
  CHECK(none.rows() == 0);
  REQUIRE(none.find("half") != nullptr);
}

TEST_CASE("Columns: rows can be numbers from 0 on, and cells of columns that exist") {
  struct Series {
    std::vector<double> values;
    std::vector<std::string> names;
  };
  const Columns<std::size_t, Series> of = {
      {"value", "s", &Series::values},
      {"square", "", [](std::size_t i) { return i * i; }},
      {"name",
       [](std::size_t i, const Series& s) {
         return Shared{i == 1 ? no_string : 0, [&s] { return s.names[0]; }};
       }},
  };
  const Series series{{1, 2, 3}, {"same"}};
  const Table table = of.table(3, series);
  CHECK(table.number("value", 2) == 3);
  CHECK(table.number("square", 2) == 4);
  CHECK(table.text("name", 2) == "same");
  CHECK(table.find("name")->texts[1] == no_string);
  const Table some = of.table({2, 0}, series);
  CHECK(some.number("value", 0) == 3);
  CHECK(some.number("value", 1) == 1);
}

TEST_CASE("Columns: a name, a unit and a formula can be what was asked for") {
  struct Row {
    std::string name;
    std::vector<double> bins;
  };
  const Columns<Row> of = {
      {OneOf{"dataset, host"}, &Row::name},
      {"load", "1/$", &Row::bins, "$ in the bin"},
  };
  const Table table =
      of.table({{"top", {1, 2}}}, {}, {.name = "host", .unit = "s", .formula = "mean", .width = 2});
  CHECK(table.text("host", 0) == "top");
  CHECK(table.find("load")->unit == "1/s");
  CHECK(table.find("load")->formula == "mean in the bin");
  CHECK(table.find("load")->is_matrix);
  CHECK(table.find("load")->numbers == std::vector<double>{1, 2});
  CHECK(of.table(std::vector<Row>{}).columns.size() == 1);  // no name: no such column
}
