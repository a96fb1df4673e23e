// Tables that are filled column by column.
#include "core/table/rows.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "core/base/numbers.hpp"

using namespace crema;

TEST_CASE("Rows: a column is its name, its unit and its value of every row") {
  struct Dataset {
    std::string name;
    double events;
    bool is_last;
    double half() const { return events / 2; }
  };
  const std::vector<Dataset> datasets = {{"top", 4, false}, {"", 6, true}};
  Table table;
  Rows rows(table, datasets);
  rows.text("name", &Dataset::name);
  rows.any_text("as given", &Dataset::name);
  rows.number("events", "count", &Dataset::events);
  rows.number("half", "count", &Dataset::half, "events / 2");
  rows.flag("last", &Dataset::is_last);
  rows.number("more", "count",
              [](const Dataset& d) { return d.name.empty() ? absent : d.events + 1; });
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
  CHECK(table.number("more", 0) == 5);
  CHECK(is_absent(table.number("more", 1)));
}

TEST_CASE("Rows: numbers from 0 on, texts by the ids of the Table, and columns without a row") {
  Table table;
  const StringId id = table.strings.intern("same");
  Rows<> rows(table, 3);
  rows.number("square", "", [](std::size_t i) { return i * i; });
  rows.text("text", [&](std::size_t i) { return i == 1 ? no_string : id; });
  CHECK(table.number("square", 2) == 4);
  CHECK(table.text("text", 2) == "same");
  CHECK(table.find("text")->texts[1] == no_string);
  Table none;
  Rows<>(none, 0).number("square", "", [](std::size_t i) { return i * i; });
  CHECK(none.rows() == 0);
  REQUIRE(none.find("square") != nullptr);
}
