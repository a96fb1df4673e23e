// What Dask does not count, recovered and compared with the truth: call stacks with known leaves
// are counted Dask's way.
#include <cmath>
#include <cstdio>
#include <map>
#include <random>

#include "core/profile/profile.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/drawn_tree.hpp"

using namespace crema;
using namespace crema::profile;
using namespace crema::test;

namespace {

/// A program: functions that call each other, each with a share of time of its own.
struct Program {
  std::vector<NodeId> parent;
  std::vector<FrameId> frame;
  std::vector<double> own;  // how likely a sample is taken in this node itself
};

// Time of its own goes with the function, a little with where it is called: as in real code.
Program program(Names& names, unsigned seed) {
  std::mt19937 random(seed);
  const auto uniform = [&] { return static_cast<double>(random() % 1000003) / 1000003; };
  std::vector<double> heat(60);
  for (double& h : heat) h = std::pow(uniform(), 4);
  Program made;
  for (std::size_t i = 0; i < 400; ++i) {
    const bool is_root = i == 0;
    const NodeId parent = is_root ? no_node : static_cast<NodeId>(i < 8 ? i - 1 : random() % i);
    const std::size_t function = random() % heat.size();
    made.parent.push_back(parent);
    made.frame.push_back(names.frames.intern(names.strings.intern("f" + std::to_string(function)),
                                             names.strings.intern(""), 0));
    made.own.push_back(is_root ? 0 : heat[function] * (0.5 + uniform()));
  }
  return made;
}

/// Both countings of the samples of one worker.
struct Counted {
  CallTree dask;                    // innermost frames are nodes, but not counted
  std::map<FrameId, double> truth;  // samples by innermost function
};

Counted sampled(const Program& made, unsigned seed, std::size_t samples) {
  std::mt19937 random(seed);
  double all = 0;
  for (const double own : made.own) all += own;
  std::vector<double> dask(made.own.size(), 0);
  std::vector<bool> seen(made.own.size(), false);
  Counted counted;
  for (std::size_t s = 0; s < samples; ++s) {
    double at = static_cast<double>(random()) / 4294967296.0 * all;
    NodeId leaf = 0;
    while (leaf + 1 < made.own.size() && at >= made.own[leaf]) at -= made.own[leaf++];
    counted.truth[made.frame[leaf]] += 1;
    seen[leaf] = true;
    for (NodeId node = made.parent[leaf]; node != no_node; node = made.parent[node]) {
      seen[node] = true;
      dask[node] += 1;
    }
  }
  counted.dask.leaves = CallTree::Leaves::uncounted;
  std::vector<NodeId> place(made.own.size(), no_node);
  for (NodeId i = 0; i < made.own.size(); ++i) {
    if (!seen[i]) continue;
    place[i] = static_cast<NodeId>(counted.dask.size());
    counted.dask.parent.push_back(i == 0 ? no_node : place[made.parent[i]]);
    counted.dask.frame.push_back(made.frame[i]);
    counted.dask.count.push_back(dask[i]);
  }
  return counted;
}

struct Errors {
  double certain = 0;    // share of the samples that is settled
  double estimated = 0;  // share of the samples that the estimate puts into the wrong function
  double even = 0;       // the same where the open part is shared out evenly
  double notebook = 0;   // the same of the notebook's "exclusive"
  bool within = true;    // the truth lies within the bounds of every function
};

Errors errors_of(unsigned seed, std::size_t workers, std::size_t samples) {
  Names names;
  const Program made = program(names, seed);
  std::vector<CallTree> trees;
  std::map<FrameId, double> truth;
  for (std::size_t w = 0; w < workers; ++w) {
    Counted one = sampled(made, seed * 1000 + static_cast<unsigned>(w), samples);
    for (const auto& [frame, count] : one.truth) truth[frame] += count;
    trees.push_back(std::move(one.dask));
  }
  std::vector<const CallTree*> pointers;
  for (const CallTree& tree : trees) pointers.push_back(&tree);
  const FrameFacts facts = frame_facts(names);
  const double all = static_cast<double>(workers * samples);

  const auto by_frame = [&](const ResolvedTree& tree, const auto& value) {
    std::map<FrameId, double> sums;
    for (std::size_t i = 0; i < tree.size(); ++i) sums[tree.frame[i]] += value(i);
    return sums;
  };
  const auto self_of = [&](const ResolvedTree& tree) {
    return by_frame(tree, [&](std::size_t i) { return tree.self[i]; });
  };
  // Half the sum of differences: what stands in a wrong place, once.
  const auto wrong = [&](std::map<FrameId, double> found) {
    double sum = 0;
    for (const auto& [frame, count] : truth) found[frame] -= count;
    for (const auto& [frame, off] : found) sum += std::fabs(off);
    return sum / 2 / all;
  };
  Errors errors;
  const ResolvedTree estimated = merged_tree(pointers, LeafChoice::estimated, facts);
  errors.estimated = wrong(self_of(estimated));
  errors.certain = certainty(estimated).certain / all;
  errors.notebook = wrong(self_of(merged_tree(pointers, LeafChoice::notebook, facts)));
  std::map<FrameId, double> even;
  for (const CallTree* tree : pointers) {
    ResolvedTree resolved = resolve(*tree, LeafChoice::forced);
    for (const auto& [frame, count] : self_of(resolved)) even[frame] += count;
    // What is unresolved in the callees of a node falls to all that it can be, alike.
    std::vector<double> able(resolved.size(), 0);
    const auto is_able = [&](std::size_t i) { return resolved.self_max(i) > resolved.self[i]; };
    for (std::size_t i = 1; i < resolved.size(); ++i)
      able[resolved.parent[i]] += is_able(i) ? 1 : 0;
    for (std::size_t i = 1; i < resolved.size(); ++i) {
      const NodeId parent = resolved.parent[i];
      if (is_able(i)) even[resolved.frame[i]] += resolved.unresolved(parent) / able[parent];
    }
  }
  errors.even = wrong(even);
  const auto low = by_frame(estimated, [&](std::size_t i) { return estimated.self_min(i); });
  const auto high = by_frame(estimated, [&](std::size_t i) { return estimated.self_max(i); });
  for (const auto& [frame, count] : truth)
    errors.within = errors.within && low.at(frame) <= count && count <= high.at(frame);
  return errors;
}

}  // namespace

TEST_CASE("what is open goes to the callees as they were certainly the leaf elsewhere, plus one") {
  Names names;
  // Under main: a was certainly the leaf 6 times in the second tree; here 4 samples are open
  // between a and b.
  const CallTree open = drawn_tree(names,
                                   "root 8\n"
                                   "  main 8\n"
                                   "    a 1\n"
                                   "      x 0\n"
                                   "    b 3\n"
                                   "      x 0\n");
  const CallTree elsewhere = drawn_tree(names, "root 6\n  main 6\n    a 0\n");
  const FrameFacts facts = frame_facts(names);
  const ResolvedTree tree = merged_tree({&open, &elsewhere}, LeafChoice::estimated, facts);
  // Weights 7 and 1: a gets 3.5 of the four, b 0.5.
  CHECK(text_of(tree, names) ==
        "root 14\n"
        "  main 14\n"
        "    a 10.5 self=6..10\n"
        "      x 1 self=1\n"
        "    b 3.5 self=0..4\n"
        "      x 3 self=3\n");
  CHECK(tree.self[2] == 9.5);
  CHECK(tree.estimated(2) == 3.5);
}

TEST_CASE("nothing is lost by estimating, and bounds hold it") {
  Names names;
  const Program made = program(names, 5);
  const Counted counted = sampled(made, 1, 3000);
  const ResolvedTree tree = merged_tree({&counted.dask}, LeafChoice::estimated, frame_facts(names));
  double sum = 0;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    sum += tree.self[i] + tree.unresolved(i);
    CHECK(tree.self[i] >= tree.self_min(i));
    CHECK(tree.self[i] <= tree.self_max(i) + 1e-9);
  }
  CHECK(std::fabs(sum - 3000) < 1e-6);
  CHECK(tree.whole() == 3000);
}

TEST_CASE(
    "the recovered self times are near the truth, nearer than an even share or the notebook's") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Errors errors = errors_of(seed, 4, 3500);
    INFO("seed " << seed << ": " << errors.estimated << " " << errors.even << " "
                 << errors.notebook);
    CHECK(errors.within);
    CHECK(errors.estimated < errors.even);
    CHECK(errors.estimated < errors.notebook / 2);
  }
}

// crema_tests "[.recovery]" prints what core/profile/README.md quotes.
TEST_CASE("how good the recovery is", "[.recovery]") {
  std::printf(
      "workers  samples/worker  settled  estimate wrong  even share wrong  notebook wrong\n");
  for (const std::size_t workers : {1, 4}) {
    for (const std::size_t samples : {500, 3500}) {
      Errors mean;
      constexpr unsigned programs = 40;
      for (unsigned seed = 1; seed <= programs; ++seed) {
        const Errors one = errors_of(seed, workers, samples);
        mean.certain += one.certain / programs;
        mean.estimated += one.estimated / programs;
        mean.even += one.even / programs;
        mean.notebook += one.notebook / programs;
      }
      std::printf("%7zu  %14zu  %6.1f %%  %12.1f %%  %14.1f %%  %12.1f %%\n", workers, samples,
                  100 * mean.certain, 100 * mean.estimated, 100 * mean.even, 100 * mean.notebook);
    }
  }
}
