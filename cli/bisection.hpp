#pragma once

#include <cstddef>
#include <vector>

#include "core/base/numbers.hpp"

namespace crema::cli {

/// In which of a line of commits a number changed, told from runs of them that are noisy: a
/// probabilistic bisection (M. Horstein, IEEE Trans. Inf. Theory 9, 1963) whose noise and levels
/// are not known but estimated from the same runs, as `compare::between_runs` does for a gate.
///
/// Commits are 0, known to be good, to `commits` − 1, known to be bad. Values are logarithms, and
/// more is worse.
class Bisection {
 public:
  /// `run_spread` is assumed of runs of one commit until runs tell more: it weighs as much as two.
  Bisection(std::size_t commits, double run_spread);

  void add(std::size_t commit, double value);
  /// It cannot be run.
  void skip(std::size_t commit);

  struct Culprit {
    std::size_t first = 0, last = 0;  ///< the first bad commit is one of these
    double probability = absent;
    double before = absent;  ///< mean value of those before it
    double change = absent;  ///< of the mean since
    double error = absent;   ///< standard error of `change`
  };
  /// The likeliest: a single commit, but for those before it that cannot be run.
  Culprit culprit() const;
  /// The fewest neighbours among which it is with 95 %.
  Culprit range() const;
  /// A culprit is known with 95 %, and so is that there is a change at all.
  bool is_done() const;
  /// The commit that to run tells most.
  std::size_t next() const;
  std::size_t runs() const { return values_.size(); }

 private:
  struct Value {
    std::size_t commit;
    double value;
  };
  /// A split of the runs: those before a commit, and those from it on.
  struct Split {
    double before, change;  ///< mean value, and by how much it is more since
    double error, dof;      ///< of `change`
    double count_before, count_after;
    double variance;  ///< of runs of one commit
  };
  Split split_at(std::size_t commit) const;
  static double log_likelihood(const Split& split);
  /// Of each commit, that it is the first bad one.
  std::vector<double> probabilities() const;
  /// The first commit after the last before `commit` that can be run.
  std::size_t first_untold(std::size_t commit) const;
  Culprit between(std::size_t first, std::size_t last, double probability) const;

  double run_spread_;
  std::vector<bool> is_skipped_;
  std::vector<Value> values_;
};

/// How many runs half of the searches take among so many commits where a change is `times` the
/// spread of runs: by simulation, at most `most`.
std::size_t runs_expected(std::size_t commits, double times, std::size_t most);

}  // namespace crema::cli
