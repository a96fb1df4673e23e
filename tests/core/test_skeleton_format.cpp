// The skeleton of a format, which newcomers copy, is a format.
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/tree_text.hpp"
#include "tests/skeletons/format.cpp"

using namespace crema;
using namespace crema::test;

namespace {

const std::string functions =
    R"({"function_times": [{"name": "read", "file": "a.py", "line": 3, "seconds": 2}, {"name": "fill", "seconds": 1}]})";

}  // namespace

TEST_CASE("The skeleton of a format recognises its files, and no others") {
  const auto recognises = [](const std::string& text) {
    return read::skeleton_format.recognises(read::Head("file.json", text, true, false));
  };
  CHECK(recognises(functions));
  CHECK_FALSE(recognises(R"({"functions": []})"));
  for (const read::Format& format : read::formats())
    CHECK_FALSE(format.recognises(read::Head("file.json", functions, true, false)));
}

TEST_CASE("The skeleton of a format reads its values, in whatever pieces they come") {
  for (std::size_t piece = 1; piece <= functions.size(); ++piece) {
    const Run run = read_as(read::skeleton_format, functions, piece);
    CHECK(run.data_notes.empty());
    REQUIRE(run.call_trees.size() == 1);
    CHECK(run.call_trees[0].unit == "s");
    CHECK(tree_text(run.call_trees[0], *run.names) ==
          "root 3\n  read@a.py:3 2 self=2\n  fill 1 self=1\n");
  }
}

TEST_CASE("The skeleton of a format says what it could not read") {
  const Run run = read_as(
      read::skeleton_format,
      R"({"function_times": [{"name": "read", "seconds": 2}, {"name": "fill", "seconds": -1}, {"na)");
  REQUIRE(run.call_trees.size() == 1);
  CHECK(run.call_trees[0].count[0] == 2);
  REQUIRE(run.data_notes.size() == 2);
  CHECK(run.data_notes[0].id == "bad-weight");
  CHECK(run.data_notes[1].id == "cut-off");
}
