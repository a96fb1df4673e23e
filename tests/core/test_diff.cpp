#include "core/profile/profile.hpp"

#include <algorithm>
#include "tests/core/catch.hpp"
#include "tests/core/drawn_tree.hpp"

using namespace crema;
using namespace crema::profile;
using namespace crema::test;

namespace {

/// A tree whose leaves are counted.
ResolvedTree counted(Names& names, const std::string& drawing) {
  return resolve(drawn_tree(names, drawing, CallTree::Leaves::counted));
}

// "name a->b" of every node, in order.
std::string text_of(const TreeDiff& both, const Names& names) {
  std::string out;
  for (std::size_t i = 1; i < both.tree.size(); ++i) {
    out += std::string(names.strings[names.frames.name[both.tree.frame[i]]]) + " " +
           plain(both.a[i]) + "->" + plain(both.b[i]) + "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("nodes of the same stack are one, what one does not have is 0 there") {
  Names names;
  const ResolvedTree a = counted(names, "root 10\n  main 10\n    old 4\n    both 6\n");
  const ResolvedTree b = counted(names, "root 20\n  main 20\n    both 15\n    new 5\n");
  const FrameFacts facts = frame_facts(names);
  CHECK(text_of(diff(a, 1, b, 1, facts.same_as, DiffWidth::both), names) ==
        "main 10->20\nold 4->0\nboth 6->15\nnew 0->5\n");
  const TreeDiff shares = diff(a, 0.1, b, 0.05, facts.same_as, DiffWidth::b);
  CHECK(text_of(shares, names) == "main 1->1\nold 0.4->0\nboth 0.6->0.75\nnew 0->0.25\n");
  CHECK(shares.tree.total == shares.b);
}

TEST_CASE("a run against itself is zero everywhere, and turned round every sign turns") {
  Names names;
  const ResolvedTree a =
      counted(names, "root 10\n  main 10\n    f 4\n      g 3\n    h 6\n  other 0\n");
  const ResolvedTree b = counted(names, "root 31\n  main 30\n    h 7\n    f 11\n      x 3\n");
  const FrameFacts facts = frame_facts(names);
  for (const auto* tree : {&a, &b}) {
    const TreeDiff same = diff(*tree, 0.7, *tree, 0.7, facts.same_as, DiffWidth::both);
    CHECK(same.a == same.b);
    CHECK(same.a_self == same.b_self);
  }
  const TreeDiff there = diff(a, 0.1, b, 0.3, facts.same_as, DiffWidth::both);
  const TreeDiff back = diff(b, 0.3, a, 0.1, facts.same_as, DiffWidth::both);
  REQUIRE(there.tree.size() == back.tree.size());
  // The order of nodes differs; the number of a stack does not.
  const std::vector<double> left = PathNumbers(there.tree, facts).all();
  const std::vector<double> right = PathNumbers(back.tree, facts).all();
  for (std::size_t i = 0; i < left.size(); ++i) {
    const auto k =
        static_cast<std::size_t>(std::find(right.begin(), right.end(), left[i]) - right.begin());
    REQUIRE(k < right.size());
    CHECK(there.a[i] == back.b[k]);
    CHECK(there.b[i] == back.a[k]);
    CHECK(there.b[i] - there.a[i] == -(back.b[k] - back.a[k]));
    CHECK(there.tree.total[i] == back.tree.total[k]);
  }
}

TEST_CASE("functions of edited code in another folder are the same") {
  Names names;
  const auto frame = [&](const char* name, const char* file, std::uint32_t line) {
    return names.frames.intern(names.strings.intern(name), names.strings.intern(file), line);
  };
  const auto chain = [&](std::initializer_list<FrameId> frames) {
    ResolvedTree tree;
    for (const FrameId f : frames) {
      tree.parent.push_back(tree.parent.empty() ? no_node
                                                : static_cast<NodeId>(tree.parent.size() - 1));
      tree.frame.push_back(f);
    }
    for (auto* column : {&tree.total, &tree.self}) column->assign(tree.parent.size(), 1);
    return tree;
  };
  const FrameId root = frame("root", "", 0);
  const ResolvedTree a = chain({root, frame("process", "/home/ann/ana/zprime.py", 10),
                                frame("__init__", "/x/site-packages/hist/a.py", 5),
                                frame("__init__", "/x/site-packages/hist/a.py", 50)});
  const ResolvedTree b = chain({root, frame("process", "/home/bob/code/zprime.py", 14),
                                frame("__init__", "/y/site-packages/hist/a.py", 7),
                                frame("__init__", "/y/site-packages/hist/a.py", 52)});
  const FrameFacts facts = frame_facts(names);
  const std::vector<FrameId> same = same_in_both(facts, a, b);
  for (std::size_t i = 1; i < 4; ++i) CHECK(same[a.frame[i]] == same[b.frame[i]]);
  CHECK(same[a.frame[2]] != same[a.frame[3]]);
}
