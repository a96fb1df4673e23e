#include "core/profile/profile.hpp"

#include "tests/core/catch.hpp"
#include "tests/core/drawn_tree.hpp"

using namespace crema;
using namespace crema::profile;
using namespace crema::test;

namespace {

std::string recovered(const std::string& drawing, LeafChoice choice = LeafChoice::forced,
                      CallTree::Leaves leaves = CallTree::Leaves::uncounted) {
  Names names;
  return text_of(resolve(drawn_tree(names, drawing, leaves), choice), names);
}

}  // namespace

TEST_CASE("a single child takes the whole deficit") {
  CHECK(recovered("root 5\n"
                  "  main 5\n"
                  "    work 2\n"
                  "      inner 0\n") ==
        "root 5\n"
        "  main 5\n"
        "    work 5 self=3\n"
        "      inner 2 self=2\n");
}

TEST_CASE("a deficit of as many samples as there are zero-count children gives each of them one") {
  CHECK(recovered("root 7\n"
                  "  main 7\n"
                  "    a 0\n"
                  "    b 5\n"
                  "      c 0\n"
                  "    d 0\n") ==
        "root 7\n"
        "  main 7\n"
        "    a 1 self=1\n"
        "    b 5\n"
        "      c 5 self=5\n"
        "    d 1 self=1\n");
}

TEST_CASE("no deficit and no zero-count child: none of the children was ever a leaf") {
  CHECK(recovered("root 5\n"
                  "  main 5\n"
                  "    a 2\n"
                  "      x 0\n"
                  "    b 3\n"
                  "      y 0\n") ==
        "root 5\n"
        "  main 5\n"
        "    a 2\n"
        "      x 2 self=2\n"
        "    b 3\n"
        "      y 3 self=3\n");
}

TEST_CASE("otherwise each zero-count child has at least one sample and the rest is unresolved") {
  // 10 samples of main: 4 went through b, 6 ended in a, b or d; a and d were seen, so each has one
  // of the 6.
  CHECK(recovered("root 10\n"
                  "  main 10\n"
                  "    a 0\n"
                  "    b 4\n"
                  "      c 0\n"
                  "    d 0\n") ==
        "root 10\n"
        "  main 10 open=4\n"
        "    a 1 self=1..5\n"
        "    b 4 self=0..4\n"
        "      c 4 self=4\n"
        "    d 1 self=1..5\n");
}

TEST_CASE("fewer samples than zero-count children, as in thinned-out trees: nothing is certain") {
  CHECK(recovered("root 3\n"
                  "  main 3\n"
                  "    a 0\n"
                  "    b 2\n"
                  "      c 0\n"
                  "    d 0\n") ==
        "root 3\n"
        "  main 3 open=1\n"
        "    a 0 self=0..1\n"
        "    b 2 self=0..1\n"
        "      c 2 self=2\n"
        "    d 0 self=0..1\n");
}

TEST_CASE("a count without any child has no owner") {
  CHECK(recovered("root 4\n  main 4\n") == "root 4\n  main 4 open=4\n");
}

TEST_CASE("a root of 0 and any node that counts too little count as the sum of their children") {
  CHECK(recovered("root 0\n"
                  "  a 3\n"
                  "    x 0\n"
                  "  b 1\n"
                  "    y 2\n"
                  "      z 0\n") ==
        "root 5\n"
        "  a 3\n"
        "    x 3 self=3\n"
        "  b 2\n"
        "    y 2\n"
        "      z 2 self=2\n");
}

TEST_CASE("as counted: all of it stays unresolved, with the same bounds") {
  CHECK(recovered("root 5\n"
                  "  main 5\n"
                  "    work 2\n"
                  "      inner 0\n",
                  LeafChoice::counted) ==
        "root 5\n"
        "  main 5 open=3\n"
        "    work 2 self=3 open=2\n"
        "      inner 0 self=2\n");
}

TEST_CASE("counted leaves: self is what the children leave over") {
  CHECK(recovered("root 9\n"
                  "  main 9\n"
                  "    work 6\n"
                  "      inner 2\n",
                  LeafChoice::forced, CallTree::Leaves::counted) ==
        "root 9\n"
        "  main 9 self=3\n"
        "    work 6 self=4\n"
        "      inner 2 self=2\n");
}

TEST_CASE("nothing is lost: every sample is self or unresolved, and totals add up") {
  Names names;
  const ResolvedTree tree = resolve(drawn_tree(names,
                                               "root 20\n"
                                               "  main 19\n"
                                               "    a 0\n"
                                               "    b 9\n"
                                               "      c 0\n"
                                               "      d 3\n"
                                               "        e 0\n"
                                               "    f 0\n"
                                               "  stray 0\n"));
  const Certainty sum = certainty(tree);
  CHECK(sum.certain + sum.open == 20);
  std::vector<double> parts(tree.size(), 0);
  for (std::size_t i = 0; i < tree.size(); ++i) {
    parts[i] += tree.self[i] + tree.unresolved(i);
    if (i > 0) parts[tree.parent[i]] += tree.total[i];
    CHECK(tree.self_min(i) <= tree.self_max(i));
  }
  CHECK(parts == tree.total);
  CHECK(tree.whole() == 20);
}

TEST_CASE("an empty tree resolves to nothing") {
  CHECK(resolve(CallTree{}).size() == 0);
  CHECK(whole_count(CallTree{}) == 0);
}
