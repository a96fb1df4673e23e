#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/model/options.hpp"
#include "core/model/run.hpp"
#include "core/model/selection.hpp"
#include "core/runtime/headlines/headlines.hpp"

namespace crema::compare {

using namespace runtime;

/// A difference of more standard errors than this is hardly chance (95 %).
constexpr double sure = 2;

/// In what amounts two runs are compared; the values of `per_option` in their order.
enum class Per {
  absolute,        ///< as they are
  million_events,  ///< for the same number of events
  share,           ///< of each run's own total
};

inline constexpr std::string_view per_names = "absolute, million_events, share";
inline constexpr Option per_option{.name = "per",
                                   .about =
                                       "what is compared: absolute amounts, amounts per million "
                                       "events, or shares of each run's total",
                                   .fallback = "absolute",
                                   .values = per_names};

/// One side of a comparison.
struct Side {
  double value = absent;
  double noise = absent;  ///< standard error of counting, of what is counted from samples
  /// part of `value` that can be another's: which part is the same in all runs of the same code
  double unclear = 0;
  std::string text;            ///< where it is no number
  std::vector<double> runs{};  ///< what `value` is the mean of, where a side is several runs
};

/// A number, or a fact of the set-up, in two runs.
struct Compared {
  std::string id;  ///< of `summary` as it is; "GROUP.NAME" otherwise; "GROUP.total" for what a
                   ///< group's rows sum to
  std::string group;
  std::string label;
  std::string unit;
  Side a, b;
  Better better = Better::neither;
  std::string note;
  Noise source = Noise::unknown;  ///< where its noise comes from

  /// What B would be, had it changed as all work did; a where it is not judged against that.
  double expected = absent;
  double noise = absent;   ///< standard error of b − expected; absent where nothing tells it
  double chance = absent;  ///< how often noise alone would make that difference or more
  /// of a function: standard errors beyond what is allowed, its own time with that of what it calls
  double errors_below = absent;
  bool is_told = false;      ///< beyond its noise, with all other rows in mind, and large enough
  std::string noise_from{};  ///< in words

  /// b − a, a missing side counted as 0 where `adds_up`; absent otherwise.
  double delta() const;
  double excess() const {
    return delta() - (is_absent(expected) ? 0 : expected - value_or(a.value, 0));
  }
  bool adds_up = false;  ///< a contribution to a total: not there means 0

  bool is_same() const;  ///< but for rounding
  /// 1, 0, or absent where the noise is not known. Nothing changed is nothing noteworthy, whether
  /// the noise is known or not; nor is what rounding leaves.
  double noteworthy() const;
  std::string_view verdict() const;  ///< "better", "worse" or ""
};

/// Whether two runs are one: runs of the same work never take the same time to the last bit.
bool is_same_run(const Run& a, const Run& b);

/// What is not alike before anything ran: schema, workers, inputs, chunk sizes. Rows of equal value
/// are in it, too.
std::vector<Compared> compare_setup(const Run& a, const Run& b, const Selection& selection,
                                    const Options& options);

}  // namespace crema::compare
