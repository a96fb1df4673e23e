#pragma once

#include <string>
#include <vector>

#include "core/analyse/question.hpp"

namespace crema {

/// One side of a comparison.
struct Side {
  double value = absent;
  double noise = absent;  ///< standard error of `value`, in its unit; absent where nothing tells it
  std::string text;       ///< where it is no number
};

/// A number, or a fact of the set-up, in two runs.
struct Compared {
  std::string id;  ///< of `summary` as it is; "GROUP.NAME" otherwise; "GROUP.total" for what a group's rows sum to
  std::string group;
  std::string label;
  std::string unit;
  Side a, b;
  int better = 0;  ///< 1: more is better, −1: less is better, 0: neither
  std::string note;

  /// b − a, a missing side counted as 0 where `adds_up`; absent otherwise.
  double delta() const;
  /// Standard error of the difference; absent when a side has none.
  double noise() const;
  bool adds_up = false;  ///< a contribution to a total: not there means 0
};

/// What is not alike before anything ran: schema, workers, inputs, chunk sizes. Rows of equal value are in it, too.
std::vector<Compared> compare_setup(const Run& a, const Run& b, const Selection& selection, const Options& options);

}  // namespace crema
