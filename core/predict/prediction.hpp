#pragma once

// Tasks in each other's way. A task computes, on the cores of its host, and waits: for storage, for
// a lock, for a core. What of it is shared by all tasks takes longer the more of them run. Cores
// and storage are stations of a closed queueing network, threads are its customers (P. J.
// Schweitzer's approximate mean value analysis: E. D. Lazowska et al., Quantitative System
// Performance, 1984, ch. 6; several servers at a station after A. Seidmann et al., 1987).

#include "core/predict/replay.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::predict {

using namespace runtime;

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
  /// How much longer tasks took because others had CPUs that they waited for [natural log]; 0 where
  /// that was not recorded.
  double by_others = 0;

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

// What a run would have taken otherwise. All that predicts asks here: `whatif`, `chunk_sizes`,
// `bounds`, what a part of the core-time saves. A prediction is what happened plus the difference
// of two replays.

/// Two runs of the same job differ in pace by so much [natural log, standard deviation of a run]:
/// eight recorded replicates on one two-core virtual machine had 0.17.
inline constexpr Option run_spread_option =
    number_option("run_spread",
                  "assumed relative spread in speed of runs of the same job; 0.17 was measured on "
                  "eight replicates",
                  "0.17", {0, 10}, "1");

/// In what two runs are other work.
struct WorkDifference {
  enum class Kind : std::uint8_t { none, processor, datasets, events, chunk_events };
  Kind kind = Kind::none;
  std::string processor_a{}, processor_b{};
  double a = absent, b = absent;  ///< events, in all or of a chunk

  bool any() const { return kind != Kind::none; }
};

/// Why there is no part of the work that was named.
struct MissingPart {
  enum class Kind : std::uint8_t { none, fine_metrics, not_there };
  Kind kind = Kind::none;
  std::string name{};  ///< "section jets", of a part that is not there

  bool any() const { return kind != Kind::none; }
};

/// What a prediction stands on, and what it cannot know.
struct PredictionBasis {
  enum class Assumed : std::uint8_t {
    nothing,
    same_cluster,
    fewer_threads,
    more_threads,
    more_hosts,
    other_workers,  ///< as many threads
    rest_as_recorded,
  };
  enum class Unseen : std::uint8_t {
    nothing,
    cores,         ///< their number is not realistic
    replay,        ///< it has not understood the run
    part,          ///< there is none of that name
    growth,        ///< whether cores or storage made tasks longer
    other_use,     ///< of the machines
    waiting,       ///< what tasks waited for
    interpreter,   ///< how long threads hold its lock
    slowdown,      ///< how long tasks take with more cores
    between_runs,  ///< another recording has noise of its own
  };
  Assumed assumed = Assumed::nothing;
  Unseen unseen = Unseen::nothing;
  MissingPart missing{};
  double replay_error = absent;
  double cores = absent;                          ///< that are asked for
  const Load* load = nullptr;                     ///< of a prediction of cores, kept by its run
  Contention contention{};                        ///< that was seen
  bool is_within_run = false;                     ///< while its workers came and went
  double by_cores = absent, by_storage = absent;  ///< [s] likely, were one of them the cause
  bool is_wide = false;                           ///< a short recording of that size would help
};

/// What would have happened, and how far that is known.
struct Prediction {
  double likely = absent;     ///< [s]; absent where the recording does not tell
  double low = absent;        ///< [s]
  double high = absent;       ///< [s]
  double ideal = absent;      ///< [s] nothing that tasks share is at its limit
  double contended = absent;  ///< [s] nothing that tasks share gives more than was seen
  PredictionBasis basis{};
};

/// One can plan with such a band: it is no wider than 30 % of its middle each way.
inline bool is_narrow(double low, double high) { return high * 0.7 <= low * 1.3; }

/// The 90 % quantile of the normal distribution: one in ten lies beyond, on each side.
inline constexpr double z_90 = 1.2816;
/// Nine of ten lie within so many standard deviations, both sides together.
inline constexpr double within_90 = 1.6449;

/// Beyond this a replay has not understood the run, and what it says of another one is worth
/// nothing.
inline constexpr double worst_replay = 0.15;

/// How far the replay of the run as it was is from what happened, relative; absent without a
/// replay.
double replay_error(const Run& run, const Options& options);

/// How long the run would have been, had its replay come out at `replayed` [s].
double elapsed_after(const Run& run, const Options& options, double replayed);

/// Workers that are asked for.
struct Cluster {
  double cores = absent;
  double per_worker = absent;  ///< threads of each; absent: as many as recorded
};

/// Had there been this cluster. The first run is the one that is replayed, where none is nearer to
/// that size; the other comparable ones tell how tasks slow each other down.
Prediction predict_cluster(std::span<const Run* const> runs, const Options& options,
                           const Cluster& cluster);

/// What runs of the same work, or one whose size changed, show of tasks in each other's way.
Contention contention_of(std::span<const Run* const> comparable, const Options& options);

/// A part of the work, as something that can take more or less time.
struct WorkPart {
  std::vector<double> by_chunk;  ///< [s] of each chunk's process(); empty: none of it
  double outside = 0;            ///< share of the time outside process()
  double merging = 0;            ///< share of the other tasks
  double repeated = 0;           ///< share of the work that was done again
  double waiting = 0;            ///< share of each task
  double on_cpu = absent;        ///< share of the part
  double least = 1, most = 1;    ///< what is certainly of the part, and what can be, of it
  MissingPart missing{};         ///< why there is none
};
/// "section:NAME", "dataset:NAME", "file:NAME" (or the end of its path), "host:NAME",
/// "function:NAME", "outside", "merging", "waiting"; "throughput:HOST" is the waiting of that
/// host's chunks, of which all or nothing may be for its storage.
WorkPart part_named(const Run& run, const Options& options, std::string_view text);

/// [s] elapsed, had the part taken `factor` of its time: as far as it is known, only what is
/// certainly of it and on a CPU, and all that can be of it.
struct ChangedPart {
  double likely, least, most;
};
ChangedPart change_part(const Run& run, const Options& options, const WorkPart& part,
                        double factor);

/// Had the part taken `factor` of its time. The band is from what is certainly of it, and of that
/// only what is on a CPU, to all that can be of it.
Prediction predict_part(const Run& run, const Options& options, const WorkPart& part,
                        double factor);

/// What another recording would take, were the recorded tasks replayed with a change: `likely` [s],
/// or anything between it and `ends`.
Prediction predict_replayed(const Run& run, const Options& options, double likely,
                            std::vector<double> ends);

/// Whether a run says something about another one's scaling, or what differs.
WorkDifference what_differs(const Run& a, const Run& b, const Options& options);

/// Another recording of the same work differs by so much [natural log, standard deviation of the
/// difference]: what waits as well as what computes, since a slower machine lets tasks wait. Other
/// programs that made tasks wait may be gone or make them wait as much again: nine of ten times it
/// is between these.
double between_recordings(const Run& run, const Options& options);

/// The band of another recording [s]: what the model leaves open, from `low` to `high`, and on top
/// of it what recordings differ by. Nine of ten are within it, wherever between its ends the model
/// is right. Where the model alone is not narrow there is no likely value, nor where it leaves open
/// whether the run takes more or less than `recorded` [s], by more than recordings differ.
void widen(Prediction& prediction, double recorded, double noise);

/// How much sooner a run ends, were one part of its core-time shorter.
struct Saving {
  double saved = absent;  ///< [s] of elapsed time, by replay
  /// [s] bounds: only what is certainly of the part, and of that only what was on a CPU; all that
  /// can be of it. Both widened by what the replay of the run as it was is off.
  double low = absent, high = absent;
  double elapsed = absent;  ///< [s] the run took

  enum class Basis : std::uint8_t {
    replay,
    not_recorded,  ///< chunks, cores or the run's length
    no_work,       ///< the part is none that could take less time
    bad_replay,    ///< that of the unchanged run is too far off
  };
  Basis basis = Basis::replay;
  double replay_error = absent;  ///< relative, of the unchanged run
};

/// The recorded chunks replayed on the recorded cluster, the part `factor` times as long. Absent
/// without chunks or cores, for a part that is no work, and where the replay of the run as it was
/// is more than 15 % off.
Saving find_saving(const Run& run, const Options& options, const CoreTimeTree& tree,
                   std::uint32_t node, double factor);

}  // namespace crema::predict
