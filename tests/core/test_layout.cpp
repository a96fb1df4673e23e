#include "core/profile/profile.hpp"

#include <random>

#include "tests/core/catch.hpp"
#include "tests/core/drawn_tree.hpp"

using namespace crema;
using namespace crema::profile;
using namespace crema::test;

namespace {

Layout lay_out(const ResolvedTree& tree, const FrameFacts& facts, SiblingOrder order,
               double min_width = 0) {
  return profile::lay_out(tree, ordered_children(tree, facts, order), {.min_width = min_width});
}

struct Drawn {
  Names names;
  ResolvedTree tree;
  FrameFacts facts;

  explicit Drawn(const std::string& text, CallTree::Leaves leaves = CallTree::Leaves::uncounted) {
    tree = resolve(drawn_tree(names, text, leaves));
    facts = frame_facts(names);
  }
  std::string boxes(SiblingOrder order, double min_width = 0) const {
    const Layout layout = lay_out(tree, facts, order, min_width);
    std::string out;
    for (std::size_t i = 0; i < layout.size(); ++i) {
      const auto name = names.strings[names.frames.name[tree.frame[layout.node[i]]]];
      out += std::to_string(layout.depth[i]) + " " +
             (layout.is_unresolved[i] ? "(open)" : std::string(name)) + " " +
             plain(layout.begin[i]) + "-" + plain(layout.end[i]) + "\n";
    }
    return out;
  }
};

// A tree of n nodes whose parents are drawn by `parent_of(i)`.
template <class ParentOf>
CallTree made_tree(Names& names, std::size_t n, const ParentOf& parent_of) {
  CallTree tree;
  tree.leaves = CallTree::Leaves::counted;
  tree.count.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    tree.parent.push_back(i == 0 ? no_node : parent_of(i));
    tree.frame.push_back(names.frames.intern(names.strings.intern("f" + std::to_string(i % 100)),
                                             names.strings.intern(""), 0));
    tree.count[i] = 1;
  }
  for (std::size_t i = n; i-- > 1;) tree.count[tree.parent[i]] += tree.count[i];
  return tree;
}

}  // namespace

TEST_CASE(
    "heaviest child first, ties by name; the unresolved part after the children, self time is the "
    "gap at the end") {
  const Drawn drawn(
      "root 20\n"
      "  light 3\n"
      "    x 0\n"
      "  heavy 17\n"
      "    b 0\n"
      "    a 0\n"
      "    c 10\n"
      "      d 0\n");
  CHECK(drawn.boxes(SiblingOrder::heavy) ==
        "0 root 0-20\n"
        "1 heavy 0-17\n"
        "2 c 0-10\n"
        "3 d 0-10\n"
        "2 a 10-11\n"
        "2 b 11-12\n"
        "2 (open) 12-17\n"
        "1 light 17-20\n"
        "2 x 17-20\n");
}

TEST_CASE("by name: the same functions stand in the same order in every profile") {
  const Drawn drawn("root 6\n  b 4\n    x 0\n  a 2\n    y 0\n");
  CHECK(drawn.boxes(SiblingOrder::name) ==
        "0 root 0-6\n"
        "1 a 0-2\n"
        "2 y 0-2\n"
        "1 b 2-6\n"
        "2 x 2-6\n");
}

TEST_CASE("boxes without width and boxes below the limit are left out, the others stay in place") {
  const Drawn drawn("root 10\n  a 7\n    p 7\n  b 2\n    q 2\n  c 1\n    r 1\n  d 0\n",
                    CallTree::Leaves::counted);
  CHECK(drawn.boxes(SiblingOrder::heavy, 2) ==
        "0 root 0-10\n"
        "1 a 0-7\n"
        "2 p 0-7\n"
        "1 b 7-9\n"
        "2 q 7-9\n");
  CHECK(drawn.boxes(SiblingOrder::heavy).find("d ") == std::string::npos);
}

TEST_CASE("what is left out leaves its gap") {
  const Drawn drawn("root 10\n  a 1\n    p 1\n  b 9\n    q 9\n", CallTree::Leaves::counted);
  CHECK(drawn.boxes(SiblingOrder::name, 2) ==
        "0 root 0-10\n"
        "1 b 1-10\n"
        "2 q 1-10\n");
}

TEST_CASE("a tree without samples has no boxes") {
  CHECK(Drawn("root 0\n  a 0\n").boxes(SiblingOrder::heavy).empty());
  Names names;
  CHECK(lay_out(ResolvedTree{}, frame_facts(names), SiblingOrder::heavy).size() == 0);
}

TEST_CASE("every box lies within its parent's, siblings do not overlap, widths are the totals") {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    Names names;
    CallTree recorded =
        made_tree(names, 300, [&](std::size_t i) { return static_cast<NodeId>(random() % i); });
    if (round % 2 == 1) {
      // As Dask counts: no sample at its innermost frame.
      const ResolvedTree exact = resolve(recorded);
      for (std::size_t i = 1; i < recorded.size(); ++i) recorded.count[i] -= exact.self[i];
      recorded.leaves = CallTree::Leaves::uncounted;
    }
    const ResolvedTree tree = resolve(recorded);
    const Layout layout = lay_out(tree, frame_facts(names), SiblingOrder::heavy);
    std::vector<double> begin(tree.size(), 0), end(tree.size(), 0), filled(tree.size(), 0);
    for (std::size_t i = 0; i < layout.size(); ++i) {
      const NodeId node = layout.node[i];
      if (!layout.is_unresolved[i]) {
        begin[node] = layout.begin[i];
        end[node] = layout.end[i];
        filled[node] = begin[node];
      }
      REQUIRE(layout.end[i] - layout.begin[i] ==
              (layout.is_unresolved[i] ? tree.unresolved(node) : tree.total[node]));
      const NodeId parent = layout.is_unresolved[i] ? node : tree.parent[node];
      if (parent == no_node) continue;
      REQUIRE(layout.begin[i] == filled[parent]);
      REQUIRE(layout.end[i] <= end[parent]);
      filled[parent] = layout.end[i];
    }
    for (std::size_t i = 0; i < tree.size(); ++i) REQUIRE(end[i] - filled[i] == tree.self[i]);
  }
}

TEST_CASE("50,000 functions deep and 100,000 wide trees are laid out") {
  Names names;
  const ResolvedTree deep =
      resolve(made_tree(names, 50001, [](std::size_t i) { return static_cast<NodeId>(i - 1); }));
  const ResolvedTree wide =
      resolve(made_tree(names, 100001, [](std::size_t) { return NodeId{0}; }));
  const FrameFacts facts = frame_facts(names);
  CHECK(depth_of(deep.parent) == 50000);
  const Layout of_deep = lay_out(deep, facts, SiblingOrder::heavy);
  REQUIRE(of_deep.size() == 50001);
  CHECK(of_deep.depth.back() == 50000);
  CHECK(lay_out(wide, facts, SiblingOrder::name).size() == 100001);
  CHECK(preorder(children_of(wide.parent)).node.size() == 100001);
}
