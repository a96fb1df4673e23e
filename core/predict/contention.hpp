#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/model/options.hpp"
#include "core/model/run.hpp"

// Tasks in each other's way. A task computes, on the cores of its host, and waits: for storage, for
// a lock, for a core. What of it is shared by all tasks takes longer the more of them run. Cores
// and storage are stations of a closed queueing network, threads are its customers (P. J.
// Schweitzer's approximate mean value analysis: E. D. Lazowska et al., Quantitative System
// Performance, 1984, ch. 6; several servers at a station after A. Seidmann et al., 1987).

namespace crema::predict {

/// Something that tasks share: seconds of its service that each takes, and how many it serves at
/// once.
struct Station {
  double demand = 0;  ///< [s] per task
  double servers = 1;
};

/// How long a task takes [s] when `threads` run at once, each with `apart` seconds of its own and
/// the stations between them.
double task_seconds(double threads, double apart, std::span<const Station> stations);

/// What the tasks of a run did, on average.
struct Load {
  double threads = absent;    ///< tasks that ran at once, on average from the first to the last
  double cores = absent;      ///< that were there meanwhile
  double hosts = 1;           ///< on which workers were
  double per_worker = 1;      ///< threads of a worker's process, at most
  double task = absent;       ///< [s] per chunk: in process(), outside of it, its part of merging
  double on_cpu = absent;     ///< the share of that on a CPU; absent where nothing tells
  double tasks = 0;           ///< how many
  double error = 0;           ///< of `task`, relative: by how chunks spread about what is expected
  double blocked = absent;    ///< share of the samples of its profile in calls that block
  double locks = absent;      ///< share of them in calls that take a lock
  bool measured_cpu = false;  ///< by Dask's thread-cpu; else by the workers' own process CPU
  /// CPUs of one host, how many of them were busy, and with other processes; of a cluster of
  /// several hosts, or where it was not recorded, absent.
  double cpus = absent, physical = absent, host_busy = absent, foreign = absent;
  double usable = absent;  ///< CPUs that the affinity of the workers lets them use, summed

  /// [s] per task; where nothing tells, all of it: cores are what is surely shared.
  double computing() const { return value_or(on_cpu, 1) * task; }
  double waiting() const { return task - computing(); }  ///< [s] per task
  /// The share of the time that somebody surely had a lock, which lets one task through at a time:
  /// at most all but one wait for it. 0 of threads, whose locks may be one a process, and of
  /// several hosts.
  double lock_taken() const {
    return hosts == 1 && per_worker == 1 && threads > 1 && locks > 0
               ? std::min(1.0, locks * threads / (threads - 1))
               : 0;
  }
  /// Cores of a host that computed at once on average.
  double busy() const { return threads * value_or(on_cpu, 1) / hosts; }
};
const Load& load_of(const Run& run, const Options& options);

/// A task's time when other numbers of them run at once / its time as it was. `ideal`: what tasks
/// share is not at its limit, so waiting stays what it was. `contended`: tasks waited for each
/// other, so what they share gives no more to more of them, and makes none of fewer wait.
struct Slowdown {
  double ideal = 1;
  double contended = 1;
};
/// With `factor` times as many threads. A host's cores are shared by its own threads only: of a
/// cluster of several hosts more of the same are assumed. Where the host's CPUs were recorded, the
/// best is all of them, and the worst its physical cores.
/// `most_served` [s] bounds what storage serves one at a time of a task, where other sizes tell.
Slowdown slowdown_at(const Load& load, double factor, double most_served = absent);

/// With `per_worker` threads in a process instead of the recorded ones. What computes may hold the
/// interpreter's lock, which threads of a process take in turns: at worst all of it does, and what
/// waited, waited for the lock.
void share_interpreter(Slowdown& slowdown, const Load& load, double per_worker);

/// A task's time at a number of threads, seen.
struct Observed {
  double threads = absent;
  double seconds = absent;  ///< per task, or per the same piece of work
  double error = 0;         ///< relative
};

/// What makes tasks longer as more run, fitted to two sizes or more: too few cores, or storage that
/// serves one at a time. Both explain a growth that was seen; they part beyond it.
struct Contention {
  double cores = absent;    ///< that compute at once, were they the cause
  double storage = absent;  ///< [s] of a task served one at a time, were it the cause; where no
                            ///< growth was seen, as much of it as chance may have hidden
  double growth = absent;   ///< of a task's time from the least to the most threads, relative
  double error = absent;    ///< of the growth
  double least = absent, most = absent;  ///< threads
  /// The growth is no chance: what tasks do at other sizes is known from it.
  bool is_seen() const { return growth > 2 * error; }

  /// A task's time at `threads` / its time at `reference`, by the two explanations.
  struct Growth {
    double by_cores = absent, by_storage = absent;
  };
  Growth between(double reference, double threads) const;
  /// Threads beyond which more of them only wait, by the two explanations: where the rate of tasks
  /// alone would pass the most that the cause allows (E. D. Lazowska et al., ch. 5).
  Growth knee() const {
    return is_seen() ? Growth{cores * task / computing, task / storage} : Growth{};
  }

  double task = absent, computing = absent;  ///< [s] of one alone
};
/// Nothing with fewer than two sizes. `on_cpu`: share of a task on a CPU at the smallest.
Contention fit_contention(const std::vector<Observed>& seen, double on_cpu);

/// What a run itself shows at different sizes: chunks while so many cores were there, against what
/// their dataset lets expect. Empty where the size did not change enough.
std::vector<Observed> sizes_within(const Run& run, const Options& options);

}  // namespace crema::predict
