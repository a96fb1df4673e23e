#include "core/read/list.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/profile_runs.hpp"
#include "tests/core/tree_text.hpp"

using namespace crema;
using namespace crema::read;
using namespace crema::test;

namespace {

Run read_text(const std::string& text, std::size_t piece = 1U << 16U) {
  return read_as(nested_tree_format, text, piece, "p/tree.json");
}

bool recognised(const std::string& text) {
  return nested_tree_format.recognises({"x.json", text, true, false});
}

const std::string whole = R"json({"name": "root", "value": 10, "children": [
  {"name": "process (ana.py:3)", "value": 7, "children": [{"name": "mask (ops.py:9)", "value": 2, "children": []}]},
  {"name": "idle", "value": 1}]})json";

const char* const drawn =
    "root 10 self=2\n"
    "  process@ana.py:3 7 self=5\n"
    "    mask@ops.py:9 2 self=2\n"
    "  idle 1 self=1\n";

}  // namespace

TEST_CASE("A d3-flame-graph tree: a node's value holds its children's, what is more is its own") {
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, whole.size()}) {
    const Run run = read_text(whole, piece);
    REQUIRE(run.call_trees.size() == 1);
    CHECK(tree_text(run.call_trees[0], *run.names) == drawn);
    CHECK(run.call_trees[0].kind == CallTree::Kind::import);
    CHECK(run.call_trees[0].leaves == CallTree::Leaves::counted);
    CHECK(run.call_trees[0].name == "tree.json");
    CHECK(run.data_notes.empty());
  }
}

TEST_CASE("Its keys may be written in short, and stand in any order") {
  const Run run = read_text(
      R"json({"c": [{"v": 7, "c": [{"n": "mask (ops.py:9)", "v": 2}], "n": "process (ana.py:3)"},
                                 {"n": "idle", "v": 1}], "v": 10, "n": "all"})json");
  REQUIRE(run.call_trees.size() == 1);
  CHECK(tree_text(run.call_trees[0], *run.names) == drawn);
}

TEST_CASE("An outermost function stays a function: the whole stands above it") {
  const Run run = read_text(
      R"json({"name": "main", "value": 3, "children": [{"name": "main", "value": 1}]})json");
  CHECK(tree_text(run.call_trees[0], *run.names) == "root 3\n  main 3 self=2\n    main 1 self=1\n");
}

TEST_CASE(
    "Values that are missing, or less than the children's, are the children's, and it is said") {
  const Run run = read_text(
      R"json({"name": "root", "children": [{"name": "a", "value": 1, "children": [{"name": "b", "value": 4}]}]})json");
  CHECK(tree_text(run.call_trees[0], *run.names) == "root 4\n  a 4\n    b 4 self=4\n");
  REQUIRE(run.data_notes.size() == 2);
  CHECK(run.data_notes[0].id == "missing-count");
  CHECK(run.data_notes[1].id == "count-below-children");
}

TEST_CASE("A tree that the file cuts off is kept as far as it is there") {
  const Run run = read_text(whole.substr(0, whole.find("{\"name\": \"idle")));
  REQUIRE(run.call_trees.size() == 1);
  CHECK(tree_text(run.call_trees[0], *run.names) ==
        "root 7\n  process@ana.py:3 7 self=5\n    mask@ops.py:9 2 self=2\n");
}

TEST_CASE("Nested nodes are recognised by a list of children beside a name or a value") {
  CHECK(recognised(whole));
  CHECK(recognised(R"json({"n": "all", "c": []})json"));
  CHECK_FALSE(recognised(R"json({"name": "a run", "value": 3})json"));
  CHECK_FALSE(recognised(R"json({"name": "a run", "children": ["a", "b"]})json"));
  CHECK_FALSE(recognised(R"json({"name": "a run", "children": {}})json"));
}
