#include <map>
#include <random>
#include <utility>
#include <vector>

#include "core/profile/profile.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/drawn_tree.hpp"

using namespace crema;
using namespace crema::profile;
using namespace crema::test;

namespace {

/// The trees merged in their order, as a question merges those of a profile.
ResolvedTree merged(const Names& names, const std::vector<CallTree>& trees) {
  std::vector<const CallTree*> all;
  for (const CallTree& tree : trees) all.push_back(&tree);
  return merged_tree(all, LeafChoice::forced, frame_facts(names));
}

/// The totals and self times of every path of frames; siblings have no order here.
std::map<std::vector<FrameId>, std::pair<double, double>> by_path(const ResolvedTree& tree) {
  std::map<std::vector<FrameId>, std::pair<double, double>> numbers;
  std::vector<std::vector<FrameId>> paths;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    paths.push_back(i == 0 ? std::vector<FrameId>{} : paths[tree.parent[i]]);
    paths.back().push_back(tree.frame[i]);
    auto& [total, self] = numbers[paths.back()];
    total += tree.total[i];
    self += tree.self[i];
  }
  return numbers;
}

}  // namespace

TEST_CASE("the same path in two trees becomes one node, in order of first sight") {
  Names names;
  const CallTree one = drawn_tree(names, "root 3\n  b 3\n    x 0\n");
  const CallTree two = drawn_tree(names, "root 6\n  a 2\n    x 0\n  b 4\n    x 0\n");
  CHECK(text_of(merged(names, {one, two}), names) ==
        "root 9\n"
        "  b 7\n"
        "    x 7 self=7\n"
        "  a 2\n"
        "    x 2 self=2\n");
}

TEST_CASE("leaves are recovered before merging, where more is certain") {
  Names names;
  const CallTree one = drawn_tree(names, "root 4\n  main 4\n    a 0\n");
  const CallTree two = drawn_tree(names, "root 3\n  main 3\n    b 0\n");
  CHECK(text_of(merged(names, {one, two}), names) ==
        "root 7\n"
        "  main 7\n"
        "    a 4 self=4\n"
        "    b 3 self=3\n");
  // Merged first, nobody could tell.
  const CallTree sum = drawn_tree(names, "root 7\n  main 7\n    a 0\n    b 0\n");
  CHECK(certainty(resolve(sum)).open == 5);
}

TEST_CASE("one function on two hosts is one function") {
  Names names;
  const CallTree here = drawn_tree(
      names,
      "root 2\n  load@/home/a/env/lib/python3.11/site-packages/uproot/reading.py 2\n    x 0\n");
  const CallTree there = drawn_tree(
      names, "root 3\n  load@/cvmfs/b/lib/python3.11/site-packages/uproot/reading.py 3\n    x 0\n");
  CHECK(text_of(merged(names, {here, there}), names) == "root 5\n  load 5\n    x 5 self=5\n");
}

namespace {

// Counts stacks (outermost first, as frame ids) the exact way: the leaf too.
CallTree counted_tree(const std::vector<std::vector<FrameId>>& stacks, FrameId root) {
  CallTree tree;
  tree.leaves = CallTree::Leaves::counted;
  tree.parent = {no_node};
  tree.frame = {root};
  tree.count = {0};
  for (const auto& stack : stacks) {
    NodeId node = 0;
    ++tree.count[0];
    for (const FrameId frame : stack) {
      NodeId child = no_node;
      for (std::size_t i = 1; i < tree.size(); ++i) {
        if (tree.parent[i] == node && tree.frame[i] == frame) child = static_cast<NodeId>(i);
      }
      if (child == no_node) {
        child = static_cast<NodeId>(tree.size());
        tree.parent.push_back(node);
        tree.frame.push_back(frame);
        tree.count.push_back(0);
      }
      node = child;
      ++tree.count[node];
    }
  }
  return tree;
}

}  // namespace

TEST_CASE("merging then counting equals counting then merging") {
  Names names;
  std::vector<FrameId> frames;
  for (const char* name : {"root", "a", "b", "c", "d", "e"})
    frames.push_back(names.frames.intern(names.strings.intern(name), names.strings.intern(""), 0));
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::vector<std::vector<FrameId>>> workers(3);
    std::vector<std::vector<FrameId>> together;
    for (auto& stacks : workers) {
      for (int i = 0; i < 40; ++i) {
        std::vector<FrameId> stack(1 + random() % 4);
        for (FrameId& frame : stack) frame = frames[1 + random() % 5];
        stacks.push_back(stack);
        together.push_back(stack);
      }
    }
    std::vector<CallTree> trees;
    for (const auto& stacks : workers) trees.push_back(counted_tree(stacks, frames[0]));
    CHECK(by_path(merged(names, trees)) == by_path(resolve(counted_tree(together, frames[0]))));
  }
}

TEST_CASE("many trees merge into a tree that outgrows the first table") {
  Names names;
  std::vector<CallTree> trees(3);
  const FrameId root =
      names.frames.intern(names.strings.intern("root"), names.strings.intern(""), 0);
  for (CallTree& tree : trees) {
    tree.leaves = CallTree::Leaves::counted;
    tree.parent.push_back(no_node);
    tree.frame.push_back(root);
    tree.count.push_back(5000);
    for (std::uint32_t i = 0; i < 5000; ++i) {
      tree.parent.push_back(0);
      tree.frame.push_back(
          names.frames.intern(names.strings.intern("f"), names.strings.intern(""), i + 1));
      tree.count.push_back(1);
    }
  }
  const ResolvedTree sum = merged(names, trees);
  REQUIRE(sum.size() == 5001);
  CHECK(sum.whole() == 15000);
  for (std::size_t i = 1; i < sum.size(); ++i) REQUIRE(sum.self[i] == 3);
}

TEST_CASE("more trees than are walked together, of many lengths, add up path by path") {
  Names names;
  std::vector<FrameId> frames;
  for (const char* name : {"root", "a", "b", "c"})
    frames.push_back(names.frames.intern(names.strings.intern(name), names.strings.intern(""), 0));
  std::mt19937 random(11);
  std::vector<CallTree> trees;
  std::map<std::vector<FrameId>, std::pair<double, double>> numbers;
  for (int t = 0; t < 21; ++t) {
    CallTree tree;
    tree.leaves = CallTree::Leaves::counted;
    tree.count.assign(1 + random() % 60, 1);
    for (std::size_t i = 0; i < tree.count.size(); ++i) {
      tree.parent.push_back(i == 0 ? no_node : static_cast<NodeId>(random() % i));
      tree.frame.push_back(i == 0 ? frames[0] : frames[1 + random() % 3]);
    }
    for (std::size_t i = tree.size(); i-- > 1;) tree.count[tree.parent[i]] += tree.count[i];
    for (const auto& [path, of_tree] : by_path(resolve(tree))) {
      numbers[path].first += of_tree.first;
      numbers[path].second += of_tree.second;
    }
    trees.push_back(std::move(tree));
  }
  const ResolvedTree sum = merged(names, trees);
  CHECK(sum.size() == numbers.size());
  CHECK(by_path(sum) == numbers);
}

TEST_CASE("nothing merged is an empty tree") {
  CHECK(merged(Names(), {}).size() == 0);
  CHECK(merged(Names(), {CallTree(), CallTree()}).size() == 0);
}
