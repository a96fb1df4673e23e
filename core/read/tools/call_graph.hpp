#pragma once

#include <cstdint>
#include <vector>

#include "core/read/tools/stack_profile.hpp"

namespace crema::read {

/// Which function called which, and what that cost: what a profiler knows that keeps no stacks.
class CallGraph {
 public:
  /// A call's cost: in the callee itself, and with all that it called.
  struct Cost {
    double self = 0;
    double total = 0;
  };

  void add_function(FrameId frame, Cost cost);
  void add_call(FrameId caller, FrameId callee, Cost cost);

  /// The tree of stacks that the graph tells best. Each function's own cost is exact; what of it
  /// was spent below which caller is shared out: a function's calls cost the same share of its
  /// total whatever led to it. No function is below itself, so that recursion ends.
  void make_stacks(StackTree& stacks);

 private:
  static constexpr std::uint32_t none = 0xffffffffU;
  struct Call {
    std::uint32_t callee;
    std::uint32_t next;  // of the same caller
    Cost cost;
  };
  struct Function {
    FrameId frame;
    Cost cost;
    Cost called = {};  // by all others
    bool is_placed = false;
    bool is_followed = false;
    double placed = 0;           // of its own cost, before it is made exact
    std::uint32_t calls = none;  // the last of them
    std::uint32_t call_count = 0;
  };
  struct Place {
    NodeId node;
    std::uint32_t function;
    std::uint32_t above;  // place of the caller
    std::uint32_t depth;
    double self;
    double share;  // of the function's total
  };
  std::uint32_t index(FrameId frame);
  void place(StackTree& stacks, std::uint32_t function, std::uint32_t above, double self,
             double share);
  bool is_above(std::uint32_t place, std::uint32_t function) const;
  void follow(StackTree& stacks);

  std::vector<std::uint32_t> index_;  // of `functions_`, by FrameId
  std::vector<Function> functions_;
  std::vector<Call> calls_;
  std::vector<Place> places_;
  std::size_t followed_ = 0;  // places
  std::size_t work_ = 0;
  double least_ = 0;  // what is less is not followed twice
};

}  // namespace crema::read
