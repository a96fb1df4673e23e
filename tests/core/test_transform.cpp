#include "core/profile/transform.hpp"

#include <map>
#include <random>

#include "core/base/error.hpp"
#include "core/profile/profile.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/drawn_tree.hpp"

using namespace crema;
using namespace crema::profile;
using namespace crema::test;

namespace {

/// A drawn tree whose leaves are counted, transformed, as text.
std::string transformed(const std::string& drawing, const std::string& steps,
                        CallTree::Leaves leaves = CallTree::Leaves::counted) {
  Names names;
  FlameTree of;
  of.tree = resolve(drawn_tree(names, drawing, leaves));
  of.facts = std::make_shared<const FrameFacts>(frame_facts(names));
  transform_tree(parse_transform(steps), of);
  // Groups have names of their own.
  Names shown;
  for (std::size_t i = 0; i < of.facts->size(); ++i)
    shown.frames.intern(shown.strings.intern(of.facts->name[i]),
                        shown.strings.intern(std::to_string(i)), 0);
  return text_of(of.tree, shown);
}

const std::string library =
    "root 20\n"
    "  main@/ana/run.py 20\n"
    "    read@/x/site-packages/uproot/read.py 12\n"
    "      numpy_sum@/x/site-packages/numpy/core.py 8\n"
    "      decode@/x/site-packages/uproot/read.py 3\n"
    "    fill@/ana/run.py 6\n"
    "      numpy_sum@/x/site-packages/numpy/core.py 4\n";

// A tree by chance, with counted or uncounted leaves.
CallTree random_tree(Names& names, unsigned seed, CallTree::Leaves leaves) {
  std::mt19937 random(seed);
  CallTree tree;
  tree.leaves = leaves;
  const std::size_t n = 200;
  for (std::size_t i = 0; i < n; ++i) {
    const NodeId parent = i == 0 ? no_node : static_cast<NodeId>(random() % i);
    tree.parent.push_back(parent);
    // Siblings have different names.
    tree.frame.push_back(names.frames.intern(names.strings.intern("f" + std::to_string(i % 37 + 1)),
                                             names.strings.intern(std::to_string(i / 37)), 0));
    tree.count.push_back(0);
  }
  for (std::size_t i = n; i-- > 1;) {
    tree.count[i] += static_cast<double>(random() % 5);
    tree.count[tree.parent[i]] += tree.count[i];
  }
  return tree;
}

// Every stack that has something, as text: equal for trees that say the same.
std::map<std::string, std::vector<double>> stacks_of(const ResolvedTree& tree) {
  std::map<std::string, std::vector<double>> stacks;
  std::vector<std::string> path(tree.size());
  for (std::size_t i = 0; i < tree.size(); ++i) {
    if (i > 0) path[i] = path[tree.parent[i]] + ";" + std::to_string(tree.frame[i]);
    if (tree.total[i] > 0)
      stacks[path[i]] = {tree.total[i],    tree.self[i],      tree.self_min(i),
                         tree.self_max(i), tree.estimated(i), tree.unresolved(i)};
  }
  return stacks;
}

}  // namespace

TEST_CASE("fold: matching frames are taken out, their time is their caller's") {
  CHECK(transformed(library, "fold:file=numpy") ==
        "root 20\n"
        "  main 20 self=2\n"
        "    read 12 self=9\n"
        "      decode 3 self=3\n"
        "    fill 6 self=6\n");
}

TEST_CASE("drop and keep: samples with and without a matching frame") {
  CHECK(transformed(library, "drop:numpy_sum") ==
        "root 8\n"
        "  main 8 self=2\n"
        "    read 4 self=1\n"
        "      decode 3 self=3\n"
        "    fill 2 self=2\n");
  CHECK(transformed(library, "keep:/^numpy/") ==
        "root 12\n"
        "  main 12\n"
        "    read 8\n"
        "      numpy_sum 8 self=8\n"
        "    fill 4\n"
        "      numpy_sum 4 self=4\n");
}

TEST_CASE("focus: stacks begin at the outermost matching frame, all of its calls are one") {
  CHECK(transformed(library, "focus:function=numpy_sum@numpy/core.py") ==
        "root 12\n  numpy_sum 12 self=12\n");
  CHECK(transformed(library, "focus:name=read") ==
        "root 12\n"
        "  read 12 self=1\n"
        "    numpy_sum 8 self=8\n"
        "    decode 3 self=3\n");
}

TEST_CASE("callers: from the function outwards, with what it totals") {
  CHECK(transformed(library, "callers:name=numpy_sum") ==
        "root 12\n"
        "  numpy_sum 12\n"
        "    read 8\n"
        "      main 8 self=8\n"
        "    fill 4\n"
        "      main 4 self=4\n");
}

TEST_CASE("recursive calls count once among callers and in focus") {
  const std::string recursive =
      "root 6\n"
      "  a 6\n"
      "    f 5\n"
      "      b 4\n"
      "        f 3\n";
  CHECK(transformed(recursive, "focus:name=f") ==
        "root 5\n  f 5 self=1\n    b 4 self=1\n      f 3 self=3\n");
  CHECK(transformed(recursive, "callers:name=f") == "root 5\n  f 5\n    a 5 self=5\n");
  CHECK(transformed(recursive, "recursion") ==
        "root 6\n  a 6 self=1\n    f 5 self=4\n      b 1 self=1\n");
}

TEST_CASE("groups: a callee of the same group is one with its caller") {
  CHECK(transformed(library, "group:package") ==
        "(no file) 20\n"
        "  /ana/run.py 20 self=4\n"
        "    uproot 12 self=4\n"
        "      numpy 8 self=8\n"
        "    numpy 4 self=4\n");
  CHECK(transformed(library, "group:category") ==
        "other 20\n"
        "  your analysis 20 self=4\n"
        "    uproot 12 self=4\n"
        "      numeric 8 self=8\n"
        "    numeric 4 self=4\n");
}

TEST_CASE("groups by library: runs of library frames are one box, your own frames stay") {
  CHECK(transformed(library, "group:library") ==
        "root 20\n"
        "  main 20 self=2\n"
        "    uproot 12 self=4\n"
        "      numpy 8 self=8\n"
        "    fill 6 self=2\n"
        "      numpy 4 self=4\n");
  CHECK(transformed(library, "group:library,numpy") ==
        "root 20\n"
        "  main 20 self=2\n"
        "    uproot 12 self=4\n"
        "      numpy_sum 8 self=8\n"
        "    fill 6 self=2\n"
        "      numpy_sum 4 self=4\n");
}

TEST_CASE("groups by library: what is all native code is no single box") {
  const std::string native =
      "root 5\n  main@/usr/lib/libpython3.12.so 5\n    pow@/usr/lib/libm.so.6 3\n";
  CHECK(transformed(native, "group:library") == "root 5\n  main 5 self=2\n    pow 3 self=3\n");
}

TEST_CASE("groups: each path of groups is one node, and has what all its stacks had") {
  // Nodes stand in any order below their parents; frames f, f + 3 and f + 6 are one group.
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    ResolvedTree tree;
    const std::size_t size = 1 + random() % 60;
    for (std::size_t i = 0; i < size; ++i) {
      tree.parent.push_back(i == 0 ? no_node : static_cast<NodeId>(random() % i));
      tree.frame.push_back(static_cast<FrameId>(random() % 9));
      tree.self.push_back(static_cast<double>(random() % 3));
    }
    tree.total.assign(size, 0);
    FrameFacts facts;
    for (FrameId frame = 0; frame < 9; ++frame) facts.same_as.push_back(frame % 3);

    using Path = std::vector<FrameId>;  // of groups, without the root
    const auto paths_of = [](const ResolvedTree& of, const auto& group, bool joins) {
      std::vector<Path> paths(of.size());
      for (std::size_t i = 1; i < of.size(); ++i) {
        paths[i] = paths[of.parent[i]];
        if (!joins || paths[i].empty() || paths[i].back() != group(of.frame[i]))
          paths[i].push_back(group(of.frame[i]));
      }
      return paths;
    };
    const std::vector<Path> before = paths_of(
        tree, [&](FrameId frame) { return facts.same_as[frame]; }, true);
    std::map<Path, double> expected;
    for (std::size_t i = 0; i < size; ++i) expected[before[i]] += tree.self[i];

    const Transformed made = regroup(tree, facts);
    const std::vector<Path> after = paths_of(
        made.tree, [](FrameId frame) { return frame; }, false);
    std::map<Path, double> found;
    double sum = 0;
    for (std::size_t i = 0; i < made.tree.size(); ++i) {
      REQUIRE(found.emplace(after[i], made.tree.self[i]).second);
      sum += made.tree.self[i];
      REQUIRE((i == 0 || made.tree.total[i] > 0));
      REQUIRE((i == 0 || made.tree.parent[i] < i));
    }
    CHECK(made.tree.total[0] == sum);
    for (const auto& [path, self] : expected) CHECK((self == 0 || found[path] == self));
    for (std::size_t i = 0; i < size; ++i)
      REQUIRE((made.place[i] == no_node || after[made.place[i]] == before[i]));
  }
}

TEST_CASE("invert: innermost frames first, unknown callees among them") {
  CHECK(transformed("root 10\n  main 10\n    a 0\n    b 4\n      c 0\n    d 0\n", "invert",
                    CallTree::Leaves::uncounted) ==
        "root 10\n"
        "  (in callees, unresolved) 4\n"
        "    main 4\n"
        "  a 1\n"
        "    main 1 self=1..5\n"
        "  b 0\n"
        "    main 0 self=0..4\n"
        "  c 4\n"
        "    b 4\n"
        "      main 4 self=4\n"
        "  d 1\n"
        "    main 1 self=1..5\n");
}

TEST_CASE("steps are applied from left to right, and a semicolon can be part of a pattern") {
  CHECK(transformed(library, "fold:file=numpy;focus:read") ==
        "root 12\n  read 12 self=9\n    decode 3 self=3\n");
  CHECK(parse_transform("drop:a\\;b;invert").front().pattern == "a;b");
  CHECK(parse_transform("").empty());
}

TEST_CASE("what is no step is refused with what would be one") {
  for (const char* wrong : {"hide:x", "fold", "fold:", "fold:/(/", "group:colour", "group:file,x",
                            "invert:x", "range:1", "range:2~1", "subtree:x", "invert;range:0~1"}) {
    INFO(wrong);
    CHECK_THROWS_AS(parse_transform(wrong), Failure);
  }
}

TEST_CASE("turned round twice, a tree is what it was") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Names names;
    const auto leaves = seed % 2 == 0 ? CallTree::Leaves::counted : CallTree::Leaves::uncounted;
    const ResolvedTree tree = resolve(random_tree(names, seed, leaves));
    const FrameFacts facts = frame_facts(names);
    const ResolvedTree once = invert(tree, facts).tree;
    CHECK(once.whole() == tree.whole());
    CHECK(stacks_of(invert(once, facts).tree) == stacks_of(tree));
  }
}

TEST_CASE("a subtree is found by its path, in any profile") {
  Names names;
  const ResolvedTree tree = resolve(drawn_tree(names, library, CallTree::Leaves::counted));
  const FrameFacts facts = frame_facts(names);
  const std::vector<double> paths = PathNumbers(tree, facts).all();
  const Transformed fill = subtree(tree, facts, paths[5]);
  CHECK(text_of(fill.tree, names) == "root 6\n  fill 6 self=2\n    numpy_sum 4 self=4\n");
  CHECK(fill.place[6] == 2);
  CHECK(fill.place[2] == no_node);
}

TEST_CASE("deep and wide trees are transformed without recursion and without squares") {
  Names names;
  for (const bool deep : {true, false}) {
    CallTree tree;
    tree.leaves = CallTree::Leaves::counted;
    const std::size_t n = deep ? 50001 : 100001;
    for (std::size_t i = 0; i < n; ++i) {
      tree.parent.push_back(i == 0 ? no_node : deep ? static_cast<NodeId>(i - 1) : 0);
      tree.frame.push_back(names.frames.intern(
          names.strings.intern("g" + std::to_string(i % 50000)), names.strings.intern(""), 0));
      tree.count.push_back(deep     ? static_cast<double>(n - i)
                           : i == 0 ? static_cast<double>(n - 1)
                                    : 1.0);
    }
    const ResolvedTree resolved = resolve(tree);
    const FrameFacts facts = frame_facts(names);
    for (const char* steps : {"fold:g1", "drop:g49999", "recursion", "group:category", "focus:g3",
                              "callers:name=g7", "invert"}) {
      INFO(steps);
      FlameTree of;
      of.tree = resolved;
      of.facts = std::make_shared<const FrameFacts>(facts);
      transform_tree(parse_transform(steps), of);
      CHECK(of.tree.size() > 0);
    }
    const Transformed turned = invert(resolved, facts);
    CHECK(turned.tree.whole() == resolved.whole());
    CHECK((turned.callers > 0) == deep);
  }
}
