#include "core/export/export.hpp"

#include "tests/core/catch.hpp"
#include "tests/core/profile_runs.hpp"

using namespace crema;
using namespace crema::read;
using namespace crema::exports;
using namespace crema::test;

namespace {

std::vector<Artefact> exported(const Run& run, std::map<std::string, std::string> options = {}) {
  return folded_writer.write(run, {}, Options(std::move(options)));
}

Run one_worker() {
  Run run = empty_run();
  run.title = "ab before";
  add_worker_tree(run, "tcp://a:1",
                  "root 10\n"
                  "  process@/home/u/ana.py 10\n"
                  "    mask@/v/site-packages/awkward/ops.py 0\n"
                  "    fill@/v/site-packages/hist/basehist.py 4\n"
                  "      sum@<built-in> 0\n"
                  "    cut@/v/site-packages/awkward/ops.py 0\n");
  return run;
}

// The founding notebook's case: same labels under different identifiers, and ties.
const std::string notebook_profile =
    R"({"tcp://a:1": {"meta": {}, "profile": {"description": {"filename": "", "name": "", "line_number": 0, "line": ""}, "children": {
  "b;x.py;1": {"description": {"filename": "x.py", "name": "b", "line_number": 4, "line": ""}, "children": {
     "c;x.py;9": {"description": {"filename": "x.py", "name": "c", "line_number": 11, "line": ""}, "children": {}, "count": 0, "identifier": "c;x.py;9"}}, "count": 3, "identifier": "b;x.py;1"},
  "b;x.py;2": {"description": {"filename": "x.py", "name": "b", "line_number": 4, "line": ""}, "children": {}, "count": 2, "identifier": "b;x.py;2"},
  "a;x.py;3": {"description": {"filename": "x.py", "name": " a ", "line_number": 0, "line": ""}, "children": {
     "d;x.py;5": {"description": {"filename": "x.py", "name": "d", "line_number": 6, "line": ""}, "children": {}, "count": 5, "identifier": "d;x.py;5"}}, "count": 5, "identifier": "a;x.py;3"}},
  "count": 11, "identifier": "root"}}})";

}  // namespace

TEST_CASE("folded: a line per stack, outermost first") {
  const auto files = exported(one_worker());
  REQUIRE(files.size() == 1);
  CHECK(files[0].name == "ab_before.folded");
  CHECK(files[0].content ==
        "process (/home/u/ana.py);fill (/v/site-packages/hist/basehist.py);sum (<built-in>) 4\n"
        "process (/home/u/ana.py);cut (/v/site-packages/awkward/ops.py) 1\n"
        "process (/home/u/ana.py);mask (/v/site-packages/awkward/ops.py) 1\n"
        "process (/home/u/ana.py);(in callees, unresolved) 4\n");
}

TEST_CASE("folded: paths hidden, and a frame never breaks its line") {
  CHECK(exported(one_worker(), {{"hide-paths", "true"}})[0].content.find(
            "process (ana.py);cut (awkward/ops.py) 1\n") != std::string::npos);
  Run run = empty_run();
  add_worker_tree(run, "tcp://a:1", "root 2\n  f@a;b.py 2\n    g 0\n");
  CHECK(exported(run)[0].content == "f (a:b.py);g 2\n");
}

TEST_CASE("folded: leaves=counted and an unknown choice") {
  CHECK(exported(one_worker(), {{"leaves", "counted"}})[0].content.find("mask") ==
        std::string::npos);
  CHECK_THROWS_AS(exported(one_worker(), {{"leaves", "none"}}), Failure);
  CHECK_THROWS_AS(exported(empty_run()), Failure);
}

TEST_CASE(
    "notebook: exclusive counts, equal labels added up, ties in post-order, a tab before the "
    "count") {
  const Run run = read_run(worker_profiles_format, notebook_profile);
  const auto files = exported(run, {{"leaves", "notebook"}});
  REQUIRE(files.size() == 1);
  CHECK(files[0].name == "tcp___a_1.folded");
  CHECK(files[0].content ==
        "@:0;b@x.py:4\t5\n"
        "@:0;a@x.py:3;d@x.py:6\t5\n"
        "@:0\t1");
}

TEST_CASE("notebook: one file per worker") {
  Run run = one_worker();
  add_worker_tree(run, "tcp://b:1", "root 1\n  f 1\n    g 0\n");
  CHECK(exported(run, {{"leaves", "notebook"}}).size() == 2);
  CHECK(exported(run, {{"leaves", "notebook"}, {"worker", "tcp://b:1"}}).size() == 1);
}
