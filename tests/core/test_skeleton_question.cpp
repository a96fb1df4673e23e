// The question that newcomers copy.
#include "catch.hpp"
#include "tests/skeletons/question.cpp"

using namespace crema;

TEST_CASE("The skeleton of a question answers") {
  Run run(std::make_shared<Names>());
  const auto add = [&](const char* key, double seconds) {
    run.tasks.key.push_back(run.names->strings.intern(key));
    run.tasks.t0.push_back(0);
    run.tasks.t1.push_back(seconds);
  };
  add("a", 1);
  add("b", 2);
  add("a", 5);
  const Run* const runs[] = {&run};
  const Table table = query::attempts::question(runs, {}, {});
  REQUIRE(table.rows() == 1);
  CHECK(table.question == "attempts");
  CHECK(table.text("key", 0) == "a");
  CHECK(table.number("executions", 0) == 2);
  CHECK(table.number("seconds", 0) == 6);
  CHECK(table.number("share", 0) == 0.75);
}
