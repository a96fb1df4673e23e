#pragma once

#include <algorithm>

#include "core/diagnose/rules.hpp"

namespace crema::diagnose::rules {

// A quarter of the tasks' time: below it they count as busy with computing.
inline constexpr double worth_waiting = 0.25;
// Contention is the cause where it is most of the waiting: what blocks in native code looks alike.
inline constexpr double most_of_waiting = 0.5;

// Want of a CPU, or of the interpreter's lock, takes its part of all code alike: a function that is
// off the CPU for more of its time by so much than all other code waits for something of its own.
inline constexpr double off_by_more = 0.25;

/// Whether each process ran one task at a time, so that none waited for the interpreter's lock.
bool one_at_a_time(const Run& run);

/// Whether a function that is off the CPU for that part of its time, other code for that part of
/// its, waits for something of its own.
inline bool waits_for_its_own(const Run& run, double off_cpu, double off_cpu_of_others) {
  return off_cpu >= off_cpu_of_others + off_by_more && one_at_a_time(run);
}

inline Severity waiting_severity(double part) {
  return part >= 0.5 ? Severity::high : Severity::medium;
}

/// What the processor's tasks did with their threads.
struct ThreadTime {
  double on_cpu = absent, off_cpu = absent;  ///< [core-s]
  BlockedShares blocked;
  MeasuredWaiting measured;

  explicit ThreadTime(const RunFacts& f)
      : on_cpu(activity_sum(f.run, f.processor, "thread-cpu", "seconds")),
        off_cpu(activity_sum(f.run, f.processor, "thread-noncpu", "seconds")),
        blocked(blocked_shares(f.run)),
        measured(measured_waiting(f.run)) {}

  double all() const { return on_cpu + off_cpu; }
  /// Off the CPU, although the samples stand in code that computes.
  double contended() const { return std::max(0.0, off_cpu - blocked.all * all()); }
  /// For want of a CPU, where rows of tasks tell; else what may be.
  double for_cpu() const { return value_or(measured.share_for_cpu() * all(), contended()); }
  /// Rows tell that most of what was contended was for want of a CPU.
  bool lacks_cpu() const {
    return !is_absent(measured.for_cpu) && for_cpu() >= most_of_waiting * contended();
  }
  /// Most of what was off the CPU was contended.
  bool is_mostly(double contended) const { return contended >= most_of_waiting * off_cpu; }
};

/// Code that computes is off the CPU. Where there are enough cores a lock that native code takes
/// holds it, or, if tasks that only merge are off the CPU as well, a limit on the workers; else the
/// interpreter's lock, or too many threads.
std::vector<Finding> contention(const RunFacts& f, const ThreadTime& time);

}  // namespace crema::diagnose::rules
