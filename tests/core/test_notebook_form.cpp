#include "core/read/list.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/test_data.hpp"
#include "tests/core/tree_text.hpp"

using namespace crema;
using namespace crema::read;
using namespace crema::test;

namespace {

// As `parse_profiles_by_worker_to_stacks` of the notebook makes it of {root 5: f 5: [g 0, h 3: i
// 0]}.
std::string node(const std::string& func, int line, int count, const std::string& children) {
  const std::string file = func.empty() ? "" : "x.py";
  return R"({"label": ")" + func + "@" + file + ":" + std::to_string(line) + R"(", "func": ")" +
         func + R"(", "file": ")" + file + R"(", "line": )" + std::to_string(line) +
         R"(, "count_incl": )" + std::to_string(count) +
         R"(, "time_ms_incl": 0, "pct_incl": 0, "count_excl": 9, "time_ms_excl": 0, "pct_excl": 0, "children": [)" +
         children + "]}";
}
const std::string profile_text =
    R"({"meta": {"interval_ms": 10.0, "total_count_used": 5, "total_time_ms": 50.0, "empty_tree": false}, "tree": )" +
    node("", 0, 5,
         node("f", 3, 5, node("g", 7, 0, "") + ", " + node("h", 8, 3, node("i", 9, 0, "")))) +
    R"(, "stacks": {"rows": [{"stack": ["@:0", "f@x.py:3"], "depth": 2, "count_excl": 2}], "top": [], "flamegraph_tsv": "@:0;f@x.py:3\t2"}})";
const std::string worker =
    R"({"address": "tcp://a:1", "name": 3, "host": "a", "nthreads": 2, "memory_limit": null})";

std::string form(const std::string& entries, const std::string& interval = "10.0") {
  return R"({"interval_ms": )" + interval + R"(, "workers": [)" + entries + "]}";
}
const std::string text = form(R"({"worker": )" + worker + R"(, "profile": )" + profile_text + "}");

Run read_text(const std::string& content, std::size_t piece = 1U << 16U) {
  return read_as(notebook_form_format, content, piece, "parsed.json");
}

std::string format_of(const std::string& content) {
  Session session;
  const FileId id = session.add_file(0, "unknown", content.size());
  session.push(id, {content.data(), content.size()});
  session.finish_file(id);
  return std::string(session.format_of(id));
}

const std::string drawn =
    "root 5\n  f@x.py 5 open=1\n    g@x.py 1 self=1\n    h@x.py 3\n      i@x.py 3 self=3\n";

}  // namespace

TEST_CASE("the notebook's parsed form: each worker's tree, leaves recovered as of Dask's own") {
  const Run run = read_text(text);
  CHECK(run.data_notes.empty());
  REQUIRE(run.call_trees.size() == 1);
  const CallTree& tree = run.call_trees[0];
  CHECK(tree_text(tree, *run.names) == drawn);
  CHECK(tree.kind == CallTree::Kind::worker);
  CHECK(tree.leaves == CallTree::Leaves::uncounted);
  CHECK(tree.form == CallTree::Form::stacks);
  CHECK(run.text(tree.worker) == "tcp://a:1");
  CHECK(tree.line == std::vector<std::uint32_t>{0, 3, 7, 8, 9});
  CHECK(is_absent(tree.interval));
  REQUIRE(run.workers.size() == 1);
  CHECK(run.text(run.workers.name[0]) == "3");
  CHECK(run.workers.nthreads[0] == 2);
  CHECK(is_absent(run.workers.memory_limit[0]));
}

TEST_CASE(
    "the notebook's parsed form: the profile before its worker, an interval that was chosen, one "
    "profile alone") {
  const Run turned =
      read_text(form(R"({"profile": )" + profile_text + R"(, "worker": )" + worker + "}", "20.0"));
  CHECK(turned.text(turned.call_trees.at(0).worker) == "tcp://a:1");
  CHECK(turned.call_trees[0].interval == 0.02);
  const Run alone = read_text(profile_text);
  CHECK(tree_text(alone.call_trees.at(0), *alone.names) == drawn);
  CHECK(alone.call_trees[0].kind == CallTree::Kind::merged);
}

TEST_CASE(
    "the notebook's parsed form: beside the recorded profiles it is an alternative, and never "
    "added") {
  const std::string recorded =
      R"({"tcp://a:1": {"meta": {}, "profile": {"count": 5, "identifier": "root", "children": {
    "f;x.py;1": {"count": 5, "identifier": "f;x.py;1", "children": {}}}}}})";
  for (const bool first : {true, false}) {
    std::vector<File> files = {{"run/parsed.json", text}, {"run/dask_profiles.json", recorded}};
    if (first) std::swap(files[0], files[1]);
    const Table table = OpenSession(files).ask("profiles");
    REQUIRE(table.rows() == 3);
    CHECK(table.number("total", 0) == 5);
    for (std::size_t row = 1; row < 3; ++row)
      CHECK(table.number("alternative", row) ==
            (table.text("source", row) == "run/parsed.json" ? 1 : 0));
  }
}

TEST_CASE("the notebook's parsed form: wrong, missing, cut off") {
  CHECK(has_note(
      read_text(form(
          R"({"worker": {}, "profile": {"meta": {"empty_tree": true}, "tree": {"count_incl": 0, "children": []}}})")),
      "empty-profile"));
  CHECK(read_text(form("")).call_trees.empty());
  CHECK(read_text(form("5, null, [1]")).call_trees.empty());
  CHECK(has_note(read_text(form(R"({"worker": 7, "profile": "x"})")), "wrong-type"));
  for (std::size_t cut = 1; cut + 1 < text.size(); ++cut) {
    const Run run = read_text(text.substr(0, cut));
    REQUIRE(has_note(run, "cut-off"));
    for (const CallTree& tree : run.call_trees) REQUIRE(run.text(tree.worker) == "tcp://a:1");
  }
  for (std::size_t piece = 1; piece < 9; ++piece) {
    const Run run = read_text(text, piece);
    CHECK(tree_text(run.call_trees.at(0), *run.names) == drawn);
  }
}

TEST_CASE("the notebook's parsed form is recognised by its content") {
  CHECK(format_of(text) == "notebook_form");
  CHECK(format_of(form("")) == "notebook_form");
  CHECK(format_of(profile_text) == "notebook_form");
  CHECK(format_of(R"({"type": "Scheduler", "workers": {}})") != "notebook_form");
  CHECK(format_of(R"({"workers": [1]})").empty());
}
