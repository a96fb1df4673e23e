#include "core/profile/profile.hpp"

#include "tests/core/catch.hpp"
#include "tests/core/drawn_tree.hpp"

using namespace crema;
using namespace crema::profile;
using namespace crema::test;

namespace {

struct Row {
  double total, self, unresolved, own;
  bool recursive;
};

struct Counted {
  Names names;
  Functions functions;
  std::vector<FrameId> callers;  // by frame

  explicit Counted(const std::string& drawing,
                   CallTree::Leaves leaves = CallTree::Leaves::counted) {
    const ResolvedTree tree = resolve(drawn_tree(names, drawing, leaves));
    const FrameFacts facts = frame_facts(names);
    functions = functions_of(tree, facts);
    callers = main_callers(tree, facts);
  }
  Row row(const std::string& name) const {
    for (std::size_t i = 0; i < functions.size(); ++i) {
      if (names.strings[names.frames.name[functions.frame[i]]] == name) {
        return {functions.total[i], functions.self[i], functions.unresolved[i], functions.own[i],
                functions.is_recursive[i]};
      }
    }
    throw std::out_of_range(name);
  }
};

}  // namespace

TEST_CASE("a recursive function's total counts each sample once") {
  const Counted table(
      "root 10\n"
      "  f 10\n"
      "    g 8\n"
      "      f 6\n"
      "        f 2\n"
      "    h 1\n");
  CHECK(table.row("f").total == 10);
  CHECK(table.row("f").recursive);
  CHECK(table.row("f").self == 1 + 4 + 2);
  CHECK(table.row("g").total == 8);
  CHECK(!table.row("g").recursive);
  CHECK(table.row("h").self == 1);
}

TEST_CASE("siblings of one name are no recursion") {
  const Counted table(
      "root 5\n"
      "  a 3\n"
      "    f 3\n"
      "  b 2\n"
      "    f 2\n");
  CHECK(table.row("f").total == 5);
  CHECK(!table.row("f").recursive);
}

TEST_CASE("each sample is charged to its innermost function of the analysis") {
  const Counted table(
      "root 20\n"
      "  execute@/v/site-packages/distributed/worker.py 20\n"
      "    process@/home/u/ana.py 18\n"
      "      select@/home/u/ana.py 12\n"
      "        where@/v/site-packages/awkward/ops.py 10\n"
      "          callback@/home/u/ana.py 1\n"
      "      fill@/v/site-packages/hist/basehist.py 4\n");
  CHECK(table.row("process").own == 18 - 12);
  CHECK(table.row("select").own == 12 - 1);
  CHECK(table.row("callback").own == 1);
  CHECK(table.row("where").own == 0);
  CHECK(table.row("execute").own == 0);
}

TEST_CASE("unresolved samples are charged to the analysis function they hang on") {
  const Counted table(
      "root 9\n"
      "  process@/home/u/ana.py 9\n"
      "    a@/v/site-packages/awkward/ops.py 0\n"
      "    b@/v/site-packages/awkward/ops.py 0\n",
      CallTree::Leaves::uncounted);
  CHECK(table.row("process").unresolved == 7);
  CHECK(table.row("process").own == 9);
  CHECK(table.row("a").self == 1);
}

TEST_CASE("Samples that can be of another own function, and who calls a function most") {
  // 4 samples of process were taken in select or in fill themselves; 2 of select in where or count.
  const Counted table(
      "root 20\n"
      "  process@/home/u/ana.py 20\n"
      "    select@/home/u/ana.py 10\n"
      "      where@/v/site-packages/awkward/ops.py 5\n"
      "      count@/v/site-packages/awkward/ops.py 3\n"
      "    fill@/home/u/ana.py 6\n"
      "      select@/home/u/ana.py 5\n",
      CallTree::Leaves::uncounted);
  const auto at = [&](const std::string& name) {
    for (std::size_t i = 0; i < table.functions.size(); ++i) {
      if (table.names.strings[table.names.frames.name[table.functions.frame[i]]] == name) return i;
    }
    throw std::out_of_range(name);
  };
  CHECK(table.functions.unclear[at("process")] == 4);
  CHECK(table.functions.unclear[at("select")] == 0);
  const auto frame = [&](const std::string& name) { return table.functions.frame[at(name)]; };
  CHECK(table.callers[frame("select")] == frame("process"));
  CHECK(table.callers[frame("where")] == frame("where"));
}
