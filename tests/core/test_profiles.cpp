#include "core/profile/profile.hpp"

#include "core/query/question.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/profile_runs.hpp"

using namespace crema;
using namespace crema::profile;
using namespace crema::test;

namespace {

CallTree& add_tree(Run& run, CallTree::Kind kind, const std::string& name,
                   const std::string& drawing) {
  CallTree tree = drawn_tree(*run.names, drawing);
  tree.kind = kind;
  tree.name = name;
  tree.source = "folder/" + name;
  if (kind == CallTree::Kind::key) tree.key = run.names->strings.intern(name);
  run.call_trees.push_back(std::move(tree));
  return run.call_trees.back();
}

// Two workers, the same samples by prefix and merged, and an event loop.
Run full_run() {
  Run run = empty_run();
  add_tree(run, CallTree::Kind::merged, "profile_merged.json", "root 7\n  f 7\n    g 0\n");
  add_tree(run, CallTree::Kind::key, "P", "root 6\n  f 6\n    g 0\n");
  add_worker_tree(run, "tcp://a:1", "root 4\n  f 4\n    g 0\n");
  add_worker_tree(run, "tcp://b:1", "root 3\n  f 3\n    g 0\n");
  add_tree(run, CallTree::Kind::server, "profile_server.json", "root 50\n  loop 50\n");
  run.workers.name[0] = run.names->strings.intern("0");
  return run;
}

}  // namespace

TEST_CASE("\"all\" is the sum of the workers; what repeats their samples is an alternative") {
  const Run run = full_run();
  const Table table = ask("profiles", run);
  REQUIRE(table.rows() == 6);
  CHECK(table.text("profile", 0) == "all");
  CHECK(table.text("label", 0) == "all workers");
  CHECK(table.number("total", 0) == 7);
  CHECK(table.number("depth", 0) == 2);
  CHECK(table.number("nodes", 0) == 3);
  const auto alternative = [&](const char* id) {
    return table.number("alternative", table.row_of("profile", id));
  };
  CHECK(alternative("file:profile_merged.json") == 1);
  CHECK(alternative("key:P") == 1);
  CHECK(alternative("tcp://a:1") == 0);
  CHECK(alternative("file:profile_server.json") == 0);
  CHECK(table.text("label", table.row_of("profile", "tcp://a:1")) == "0");
  CHECK(table.text("label", table.row_of("profile", "tcp://b:1")) == "tcp://b:1");
  CHECK(table.text("kind", table.row_of("profile", "key:P")) == "key");
  CHECK(is_absent(table.number("interval", 0)));
}

TEST_CASE("Where some workers have no profile, the sum says of how many it is") {
  Run run = full_run();
  run.workers.intern(run.names->strings.intern("tcp://c:1"));
  CHECK(ask("profiles", run).text("label", 0) == "2 of 3 workers");
}

TEST_CASE(
    "without workers the prefixes count, without those the merged tree, then the event loops") {
  Run run = full_run();
  const auto drop = [&](CallTree::Kind kind) {
    run.call_trees.erase(std::remove_if(run.call_trees.begin(), run.call_trees.end(),
                                        [&](const CallTree& t) { return t.kind == kind; }),
                         run.call_trees.end());
  };
  drop(CallTree::Kind::worker);
  CHECK(ask("profiles", run).number("total", 0) == 6);
  drop(CallTree::Kind::key);
  CHECK(ask("profiles", run).number("total", 0) == 7);
  drop(CallTree::Kind::merged);
  CHECK(ask("profiles", run).number("total", 0) == 50);
}

TEST_CASE("of two profiles of one worker the larger counts, the other is an alternative") {
  Run run = empty_run();
  add_worker_tree(run, "tcp://a:1", "root 4\n  f 4\n    g 0\n");
  add_worker_tree(run, "tcp://b:1", "root 1\n  f 1\n    g 0\n");
  add_worker_tree(run, "tcp://a:1", "root 9\n  f 9\n    g 0\n");
  const Table table = ask("profiles", run);
  CHECK(table.number("total", 0) == 10);
  CHECK(table.number("alternative", table.row_of("profile", "tcp://a:1")) == 1);
  CHECK(table.number("alternative", table.row_of("profile", "tcp://a:1#2")) == 0);
}

TEST_CASE("selected workers narrow the sum; what cannot narrow it says so") {
  const Run run = full_run();
  Selection selection;
  selection.workers = {"0"};
  Table table = ask("flame", run, {}, selection);
  CHECK(note(table, "total") == "4");
  CHECK(note(table, "selection") == "Only the selected workers' profiles are added up.");
  CHECK(note(table, "sums_selected") == "1");

  selection.workers = {"tcp://elsewhere:1"};
  table = ask("flame", run, {}, selection);
  CHECK(table.rows() == 0);
  CHECK(!note(table, "missing").empty());
  CHECK(ask("profiles", run, {}, selection).rows() == 6);

  selection = {};
  selection.time = Selection::TimeRange{0, 1};
  table = ask("flame", run, {}, selection);
  CHECK(note(table, "total") == "7");
  CHECK(note(table, "selection").find("time") != std::string::npos);
}

TEST_CASE("a run without profiles says what to record") {
  const Run run = empty_run();
  for (const char* question : {"profiles", "flame", "frames"}) {
    const Table table = ask(question, run);
    CHECK(table.rows() == 0);
    CHECK(!table.columns.empty());
    CHECK(note(table, "missing").find("client.profile") != std::string::npos);
  }
}

TEST_CASE("flame: a box per visible node, with its place, name and what is known of it") {
  Run run = empty_run();
  add_worker_tree(run, "tcp://a:1",
                  "root 10\n"
                  "  process@/home/u/ana.py 10\n"
                  "    mask@/v/site-packages/awkward/ops.py 0\n"
                  "    fill@/v/site-packages/hist/basehist.py 4\n"
                  "      sum@<built-in> 0\n"
                  "    cut@/v/site-packages/awkward/ops.py 0\n");
  const Table table = ask("flame", run, {{"search", "AWKWARD"}});
  REQUIRE(table.rows() == 7);
  CHECK(table.text("frame", 0) == "all workers");
  CHECK(table.number("x0", 0) == 0);
  CHECK(table.number("x1", 0) == 1);
  CHECK(is_absent(table.number("parent", 0)));

  const std::size_t process = table.row_of("frame", "process");
  CHECK(table.text("category", process) == "your analysis");
  CHECK(table.number("unresolved", process) == 4);

  const std::size_t mask = table.row_of("frame", "mask");
  CHECK(table.text("file", mask) == "awkward/ops.py");
  CHECK(table.number("x0", mask) == Approx(0.5));  // after fill and, of equal weight, cut
  CHECK(table.number("x1", mask) == Approx(0.6));
  CHECK(table.number("self", mask) == 1);
  CHECK(table.number("self_min", mask) == 1);
  CHECK(table.number("self_max", mask) == 5);
  CHECK(table.number("matched", mask) == 1);
  CHECK(table.number("matched", process) == 0);
  CHECK(table.number("parent", mask) == table.number("node", process));

  const std::size_t open = table.row_of("frame", "(in callees, unresolved)");
  CHECK(table.number("is_unresolved", open) == 1);
  CHECK(table.number("total", open) == 4);
  CHECK(table.number("x0", open) == Approx(0.6));
  CHECK(table.number("parent", open) == table.number("node", process));
  CHECK(table.text("candidates", open) == "mask, fill, cut");

  CHECK(ask("flame", run, {{"min_fraction", "0.3"}}).rows() == 5);

  CHECK(note(table, "total") == "10");
  CHECK(note(table, "matched_total") == "2");
  CHECK(note(table, "forced_share") == "0.6");
  CHECK(note(table, "seconds_per_sample") == "0.01");
  CHECK(note(table, "seconds_per_sample_source").find("10 ms assumed") == 0);
  CHECK(note(table, "leaves").find("For 60 % it is certain; the rest") != std::string::npos);
  // an estimate that shares out all of it leaves no rest, else one is told of
  const Table estimated = ask("flame", run, {{"leaves", "estimated"}});
  const bool leaves_some = note(estimated, "unresolved_share") != "0";
  CHECK((note(estimated, "leaves").find("the rest is unknown") != std::string::npos) ==
        leaves_some);
}

TEST_CASE("flame: what matches inside a match is counted once") {
  Run run = empty_run();
  add_worker_tree(run, "tcp://a:1", "root 5\n  f 5\n    g 3\n      f 3\n        x 0\n    h 0\n");
  CHECK(note(ask("flame", run, {{"search", "f"}}), "matched_total") == "5");
  CHECK(note(ask("flame", run, {{"search", "x"}}), "matched_total") == "3");
  CHECK(note(ask("flame", run, {{"search", "nowhere"}}), "matched_total") == "0");
}

TEST_CASE("flame: marks alone are those of the boxes, in narrow runs, too") {
  Run run = empty_run();
  add_worker_tree(run, "tcp://a:1",
                  "root 20\n"
                  "  wide 18\n"
                  "    f 10\n"
                  "    g 8\n"
                  "  slim 1\n"
                  "    f 1\n"
                  "  thin 1\n"
                  "    h 1\n");
  std::map<std::string, std::string> options = {
      {"leaves", "counted"}, {"runs", "true"}, {"min_fraction", "0.3"}, {"search", "f"}};
  const Table boxes = ask("flame", run, options);
  options["marks"] = "true";
  const Table marks = ask("flame", run, options);
  CHECK(marks.columns.size() == 1);
  // root, wide, its f and g with what is unresolved in them; slim and thin are one run, with an f
  // below
  REQUIRE(boxes.rows() == 7);
  REQUIRE(marks.rows() == 7);
  for (std::size_t row = 0; row < 7; ++row) {
    const bool is_run = boxes.number("more", row) == 2;
    CHECK(marks.number("matched", row) == (is_run || boxes.text("frame", row) == "f" ? 1 : 0));
    CHECK(marks.number("matched", row) == boxes.number("matched", row));
  }
  CHECK(note(marks, "matched_boxes") == "2");
  CHECK(note(marks, "matched_total") == "11");
  for (const char* which : {"profile_id", "shown_leaves", "order", "begin", "end"})
    CHECK(note(marks, which) == note(boxes, which));
  options["search"] = "h";
  CHECK(note(ask("flame", run, options), "matched_total") == "1");
}

TEST_CASE("flame: profile, leaves, order and min_fraction") {
  const Run run = full_run();
  CHECK(note(ask("flame", run, {{"profile", "tcp://b:1"}}), "total") == "3");
  CHECK(note(ask("flame", run, {{"profile", "0"}}), "total") == "4");  // by label
  CHECK(ask("flame", run, {{"profile", "0"}}).text("frame", 0) == "worker 0");
  CHECK(note(ask("flame", run, {{"profile", "key:P"}}), "total") == "6");
  CHECK(note(ask("flame", run, {{"profile", "key:P"}}), "profile") == "task prefix P");
  CHECK(note(ask("flame", run, {{"profile", "file:profile_server.json"}}), "seconds_per_sample") ==
        "1");
  const Table counted = ask("flame", run, {{"leaves", "counted"}});
  CHECK(counted.row_of("frame", "g") == counted.rows());
  CHECK(counted.number("total", counted.row_of("frame", "(in callees, unresolved)")) == 7);
  CHECK(ask("flame", run, {{"min_fraction", "1"}}).rows() == 3);

  CHECK_THROWS_AS(ask("flame", run, {{"profile", "tcp://c:1"}}), Failure);
  CHECK_THROWS_AS(ask("flame", run, {{"leaves", "guessed"}}), Failure);
  CHECK_THROWS_AS(ask("flame", run, {{"order", "random"}}), Failure);
  CHECK_THROWS_AS(ask("flame", run, {{"min_fraction", "2"}}), Failure);
  CHECK_THROWS_AS(ask("flame", run, {{"min_fraction", "x"}}), Failure);
}

TEST_CASE("a chain of 50,000 functions and 100,000 callees pass through every question") {
  Run run = empty_run();
  for (const bool deep : {true, false}) {
    CallTree tree;
    tree.kind = CallTree::Kind::worker;
    tree.worker = run.names->strings.intern(deep ? "tcp://deep:1" : "tcp://wide:1");
    const std::size_t n = deep ? 50001 : 100001;
    for (std::size_t i = 0; i < n; ++i) {
      tree.parent.push_back(i == 0 ? no_node : deep ? static_cast<NodeId>(i - 1) : 0);
      tree.frame.push_back(run.names->frames.intern(run.names->strings.intern("f"),
                                                    run.names->strings.intern("a.py"),
                                                    static_cast<std::uint32_t>(i)));
      tree.count.push_back(deep ? (i + 1 < n ? 1 : 0) : i == 0 ? 100000 : 0);
    }
    run.call_trees.push_back(std::move(tree));
  }
  CHECK(ask("flame", run).rows() == 150000);  // with the root; the first function is in both
  CHECK(ask("frames", run).rows() == 100000);
  CHECK(ask("profiles", run).number("depth", 0) == 50000);
}

TEST_CASE("a recorded interval is used, and only where all trees share it") {
  Run run = empty_run();
  add_worker_tree(run, "tcp://a:1", "root 4\n  f 4\n    g 0\n").interval = 0.02;
  add_worker_tree(run, "tcp://b:1", "root 4\n  f 4\n    g 0\n").interval = 0.02;
  CHECK(note(ask("flame", run), "seconds_per_sample") == "0.02");
  CHECK(note(ask("flame", run), "seconds_per_sample_source") == "recorded");
  CHECK(ask("profiles", run).number("interval", 0) == 0.02);
  run.call_trees[1].interval = 0.05;
  CHECK(note(ask("flame", run), "seconds_per_sample") == "0.01");
}

TEST_CASE("frames: a row per function, the user's own first") {
  Run run = empty_run();
  add_worker_tree(run, "tcp://a:1",
                  "root 10\n"
                  "  execute@/v/site-packages/distributed/worker.py 10\n"
                  "    process@/home/u/ana.py 10\n"
                  "      mask@/v/site-packages/awkward/ops.py 6\n"
                  "        mask@/v/site-packages/awkward/ops.py 0\n"
                  "      cut@/home/u/ana.py 2\n"
                  "        sum@<built-in> 0\n");
  const Table table = ask("frames", run);
  REQUIRE(table.rows() == 5);
  CHECK(table.text("name", 0) == "process");
  CHECK(table.number("own", 0) == 8);
  CHECK(table.number("own", table.row_of("name", "cut")) == 2);
  CHECK(is_absent(table.number("own", table.row_of("name", "mask"))));
  const std::size_t mask = table.row_of("name", "mask");
  CHECK(table.number("total", mask) == 6);
  CHECK(table.number("total_fraction", mask) == Approx(0.6));
  CHECK(table.number("self", mask) == 6);
  CHECK(table.number("recursive", mask) == 1);
  CHECK(table.text("category", table.row_of("name", "sum")) == "native");
  CHECK(ask("frames", run, {{"search", "ana.py"}}).rows() == 2);
}
