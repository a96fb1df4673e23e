#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/analyse/question.hpp"

namespace crema {

/// A difference of more standard errors than this is hardly chance (95 %).
constexpr double sure = 2;

/// In what amounts of two runs are compared.
enum class Per {
  absolute,        ///< as they are
  million_events,  ///< for the same number of events
  share,           ///< of each run's own total
};

/// The option `per`; `fallback` where it is not given. Throws Failure(bad_option) for any other text.
Per per_of(const Options& options, std::string_view fallback);

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
