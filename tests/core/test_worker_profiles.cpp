// How the profiles of workers differ: `worker_frames` by function, `profile_spread` by worker.
#include "core/query/question.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/profile_runs.hpp"

using namespace crema;
using namespace crema::test;

namespace {

// Dask leaves the innermost frame of a sample uncounted, so each function here has one child that
// can only hold them all.
Run two_workers() {
  Run run = empty_run();
  add_worker_tree(run, "tcp://a:1", "root 4\n  f 4\n    g 0\n");
  add_worker_tree(run, "tcp://b:1",
                  "root 4\n"
                  "  f 1\n    g 0\n"
                  "  e 2\n    h 0\n"
                  "  d 1\n    i 0\n");
  return run;
}

}  // namespace

TEST_CASE("Each function's share of each worker's samples: what differs most comes first") {
  const Run run = two_workers();
  const Table table = ask("worker_frames", run);
  const std::size_t g = table.row_of("name", "g");
  REQUIRE(g < table.rows());
  CHECK(table.number("mean", g) == 5. / 8);
  CHECK(table.number("min", g) == 1. / 4);
  CHECK(table.number("max", g) == 1);
  CHECK(table.number("range", g) == 3. / 4);
  CHECK(table.text("lowest", g) == "tcp://b:1");
  CHECK(table.text("highest", g) == "tcp://a:1");
  CHECK(table.columns.back().numbers[2 * g] == 1);
  CHECK(table.columns.back().numbers[2 * g + 1] == 1. / 4);
  // a function that a worker never called has a share of 0 there, which is known
  CHECK(table.number("min", table.row_of("name", "h")) == 0);
  for (std::size_t row = 1; row < table.rows(); ++row)
    CHECK(table.number("range", row) <= table.number("range", row - 1));

  CHECK(ask("worker_frames", run, {{"most", "2"}}).rows() == 2);
  CHECK_THROWS_AS(ask("worker_frames", run, {{"most", "0"}}), Failure);
}

TEST_CASE("A worker's distance from all: half of what its self times are off") {
  const Table table = ask("profile_spread", two_workers());
  REQUIRE(table.rows() == 2);
  // all: g 5/8, h 2/8, i 1/8; a: g 1; b: g 1/4, h 1/2, i 1/4. Off by 3/8 + 2/8 + 1/8 either way
  for (std::size_t worker = 0; worker < 2; ++worker) {
    CAPTURE(worker);
    CHECK(table.number("total", worker) == 4);
    CHECK(table.number("distance", worker) == 3. / 8);
    CHECK(table.text("function", worker) == "g");
    CHECK(table.number("usual", worker) == 5. / 8);
  }
  CHECK(table.number("share", 0) == 1);
  CHECK(table.number("share", 1) == 1. / 4);
}

TEST_CASE("Workers that are alike are at no distance, and no function differs") {
  Run run = empty_run();
  for (const char* worker : {"tcp://a:1", "tcp://b:1"})
    add_worker_tree(run, worker, "root 2\n  f 2\n    g 0\n");
  const Table table = ask("profile_spread", run);
  CHECK(table.number("distance", 0) == 0);
  CHECK(table.text("function", 0).empty());
  CHECK(is_absent(table.number("share", 0)));
}

TEST_CASE("One call tree does not tell workers apart") {
  Run run = empty_run();
  CallTree tree = drawn_tree(*run.names, "root 2\n  f 2\n    g 0\n");
  tree.kind = CallTree::Kind::merged;
  tree.name = "merged";
  run.call_trees.push_back(std::move(tree));
  for (const char* question : {"worker_frames", "profile_spread"}) {
    CHECK(ask(question, run).rows() == 0);
    CHECK(note(ask(question, run), "missing").find("No profile per worker") == 0);
    CHECK_FALSE(note(ask(question, empty_run()), "missing").empty());
  }
}

TEST_CASE("Two call trees on one follow a filter of workers") {
  const Run run = two_workers();
  const Run* const both[] = {&run, &run};
  Selection one;
  one.workers = {"tcp://a:1"};
  const Options absolute({{"per", "absolute"}});
  const query::Question& diff = query::named("flame_diff");
  const double all = diff(both, {}, absolute).number("a", 0);
  CHECK(diff(both, one, absolute).number("a", 0) == all / 2);
}
