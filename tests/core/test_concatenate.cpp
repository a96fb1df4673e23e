#include "core/table/table.hpp"

#include "core/base/numbers.hpp"
#include "core/export/export.hpp"
#include "core/table/columns.hpp"
#include "tests/core/catch.hpp"

using namespace crema;
using namespace crema::exports;

namespace {

NamedTable answer(const std::string& name,
                  std::initializer_list<std::pair<const char*, double>> rows,
                  const char* unit = "s") {
  using Row = std::pair<const char*, double>;
  const Columns<Row> columns = {{"dataset", &Row::first},
                                {"seconds", unit, &Row::second, "Σ durations"}};
  NamedTable one{name, columns.table(rows)};
  one.table.question = "datasets";
  one.table.note("total", static_cast<double>(rows.size()));
  return one;
}

std::vector<NamedTable> two(NamedTable a, NamedTable b) {
  std::vector<NamedTable> list;
  list.push_back(std::move(a));
  list.push_back(std::move(b));
  return list;
}

}  // namespace

TEST_CASE("Answers stand one below the other, each row with whose it is") {
  const Table all = concatenate(
      "run", two(answer("old", {{"ttbar", 2}, {"data", 3}}), answer("new", {{"ttbar", 1}})));
  CHECK(table_csv(all) ==
        "run,dataset,seconds [s]\r\nold,ttbar,2\r\nold,data,3\r\nnew,ttbar,1\r\n");
  CHECK(all.question == "datasets");
  CHECK(all.find("seconds")->formula == "Σ durations");
}

TEST_CASE("A column of one answer is empty in the others") {
  NamedTable more = answer("new", {{"data", 1}});
  more.table.add(Column::Type::text, "site").texts = {more.table.strings.intern("cern.ch")};
  more.table.add(Column::Type::number, "events", "count").numbers = {7};
  const Table all = concatenate("run", two(answer("old", {{"ttbar", 2}}), std::move(more)));
  CHECK(table_csv(all) ==
        "run,dataset,seconds [s],site,events [count]\r\nold,ttbar,2,,\r\nnew,data,1,cern.ch,7\r\n");
  CHECK(all.find("site")->texts[0] == no_string);
}

TEST_CASE("Columns of one name in two units stay two") {
  const Table all =
      concatenate("run", two(answer("old", {{"a", 2}}), answer("new", {{"a", 5}}, "samples")));
  CHECK(table_csv(all) == "run,dataset,seconds [s],seconds [samples]\r\nold,a,2,\r\nnew,a,,5\r\n");
}

TEST_CASE("Rows of a matrix are as wide as the widest") {
  const auto matrix = [](const std::string& name, std::vector<double> row) {
    const Columns<std::vector<double>> columns = {
        {"load", "1", [](const std::vector<double>& numbers) { return numbers; }}};
    return NamedTable{name, columns.table({row}, {}, {.width = row.size()})};
  };
  const Table all = concatenate("run", two(matrix("old", {1, 2}), matrix("new", {3, 4, 5})));
  CHECK(table_csv(all) == "run,load.0 [1],load.1 [1],load.2 [1]\r\nold,1,2,\r\nnew,3,4,5\r\n");
}

TEST_CASE("Names that occur twice are numbered, and notes say whose they are") {
  const Table all = concatenate("run", two(answer("run", {{"a", 1}}), answer("run", {})));
  CHECK(all.text("run", 0) == "run");
  REQUIRE(all.notes.size() == 2);
  CHECK(all.notes[0].name == "run: total");
  CHECK(all.notes[1].name == "run (2): total");
  CHECK(all.rows() == 1);
}
