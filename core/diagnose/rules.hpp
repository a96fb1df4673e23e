#pragma once

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "core/diagnose/diagnose.hpp"
#include "core/predict/replay.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::diagnose {

using Cause = FindingCause;
using Unit = Measurement::Unit;

/// Tasks of chunks that took far longer outside process() than others, as their rows tell: at about
/// the same moment, and not most of one file's. Without the first of each process, which imports,
/// and what its other threads began meanwhile.
struct HeldUp {
  double chunks = 0, seconds = 0;           ///< [s] beyond the others
  double usual = absent, longest = absent;  ///< [s] outside
  double for_input = 0;                     ///< [s] for which they waited for requests
  double begin = absent, end = absent;      ///< [s]
  double firsts = 0, by_first = 0;          ///< those, and [s] by which they took longer
  std::vector<bool> is_first;               ///< of rows of tasks; empty without
  std::vector<double> first_took;           ///< [s] of `by_first`, by rows of tasks

  explicit HeldUp(const Run& run);
  /// [core-s] of `by_first` that are usual.
  double importing() const;
};

SlowOpening find_slow_opening(const Run& run);

/// A process that stood still while it ran tasks: nothing looked at it for three times as long as
/// usual, and it used a CPU for less than half of that.
struct Stop {
  StringId process = no_string, host = no_string;
  double begin = absent, end = absent;  ///< [s] of the looks before and after
  double seconds = 0;                   ///< without what it used of a CPU
};

struct Stops {
  std::vector<Stop> all;
  double seconds = 0;           ///< [core-s] of tasks
  std::vector<double> of_task;  ///< [s] by row of tasks; empty without stops
  std::vector<double> inside;   ///< [s] of it in process(), by chunk; likewise
};
/// Kept by the run.
const Stops& stops_of(const Run& run);

struct RunFacts;

/// Files of one chunk each, and what opening them took: [core-s] in chunks, as their rows tell, and
/// ahead of them. Where others have several chunks, those of at most half a chunk. None where that
/// is no tenth of the core-time.
struct SmallFiles {
  double files = 0, events = absent;  ///< events of one, a median
  double again = 0, ahead = 0;

  SmallFiles() = default;
  explicit SmallFiles(const RunFacts& f);
  explicit operator bool() const { return files > 0; }
};

/// What chunks read of baskets that several of them read.
struct ReadAgain {
  double times = absent;       ///< that a byte of the branches was read; absent where that is usual
  double bytes = 0, held = 0;  ///< [byte] by chunks, of the branches
  double seconds = absent;     ///< [core-s] but for the first time
  bool is_measured = false;    ///< by rows of tasks and branches, else by a profile
  bool is_by_bytes = false;    ///< `seconds` is what branches took for their bytes

  ReadAgain() = default;
  explicit ReadAgain(const RunFacts& f);
};

/// Branches that chunks read while they opened their file (`preload`).
struct ReadAhead {
  double all = 0, unused = 0;  ///< [byte] unpacked; of these, of branches that process() never used
  double unused_packed = 0;    ///< [byte]
  double seconds = absent;     ///< [core-s] that reading these took at most; absent where none is
  std::set<StringId> branches, used;

  explicit ReadAhead(const Run& run);
};

/// Chunks whose process read far more from files than they asked for, and waited for it.
struct ReadMore {
  double chunks = 0, asked = 0, read = 0;  ///< [byte]
  std::string file;                        ///< one of them
  std::vector<double> seconds;             ///< [s] that each waited longer than others; 0 of these
  double cost = 0;                         ///< [core-s] of all

  explicit ReadMore(const Run& run);
  /// It is most of what chunks took longer by [s].
  bool is_most_of(const std::vector<double>& longer) const;
};

/// What rules look at, computed once.
struct RunFacts {
  const Run& run;
  Budget budget;
  double available = absent;  ///< [core-s]
  double elapsed = absent;    ///< [s]
  double cores = absent;      ///< time average
  StringId processor = no_string;
  double processor_seconds = absent;  ///< Σ execute seconds of the processor
  double inside = absent;             ///< [core-s] in process()
  LostWork lost;
  IdleTime idle;
  std::vector<Phase> phases;
  Tail tail;
  HeldUp held_up;
  SlowOpening slow_opening;
  /// [core-s] of tasks that look at files ahead of the chunks; attempts that failed are a finding
  /// of their own.
  double preprocessing = absent;
  SmallFiles small_files;
  ReadAgain read_again;
  ReadAhead read_ahead;
  ReadMore read_more;
  bool filled = false;     ///< chunks ran on 90 % of the cores at some time
  bool whole_list = true;  ///< no chunks are missing that ran: sums over chunks can be trusted
  std::vector<ExcessPart> account;     ///< once other findings are known
  const ReplayTrace* trace = nullptr;  ///< the run as it is replayed; none where it cannot be
  double replayed = absent;            ///< [s] its length by replay

  RunFacts(const Run& of, const Options& options);
  /// Processes stood still for a tenth of the tasks' time: shares and sums over the run, of samples
  /// and sections too, tell little of its code.
  bool has_long_stops() const;
  /// Of the processor, repeated ones among them.
  double executions() const;
  /// [core-s] of a part of the processor's tasks, as their rows tell; absent without rows.
  double sum_of(recorded_columns::Task part) const;
  /// [s] The mean of the tasks of chunks that are not the first of their process, which imports.
  double usual_of(recorded_columns::Task part) const;
  /// An edge [s] of the phase of that name, where there is one.
  double phase(std::string_view name, double Phase::*edge, double fallback) const;
  /// a / available; absent without a whole.
  double share(double core_seconds) const { return ratio(core_seconds, available); }

  // How much a replay without the cause saves [core-s], 0 to all; absent without a replay.

  /// Had what took until `before` [s] been done at `after`.
  double saved_between(double before, double after) const;
  /// Were each chunk's task shorter by `saved` [s], by chunk; absent ones by nothing.
  double saved_by(const std::vector<double>& saved) const;
  /// Were the tasks shorter by `core_seconds` in all, each by as much.
  double saved_by(double core_seconds) const;
  /// Had the cores that came until then [s] been there from the beginning, and chunks to run.
  double saved_by_starting_at_once(double until) const;
  /// Had nothing been repeated.
  double saved_without_repeats() const;
};

/// Of the core-time: people notice a tenth of the cores in a queue, a quarter is worth a day of
/// work.
Severity severity_of(double share);
/// What no rule of its own calls more than medium.
Severity at_most_medium(double share);

// Shares of the available core-time from which a finding is reported, and is noticed in a queue.
inline constexpr double least_share = 0.05;
inline constexpr double notable = 0.10;
// Of what every run does: to merge, to collect garbage.
inline constexpr double beyond_usual = 2 * notable;

// CPUs that are idle for less than this have none to give.
inline constexpr double all_busy = 0.95;

/// After whatever is particular to the run, and before shares: what a setting costs all code alike.
inline constexpr double rank_of_setting = -0.5;

// No chunk is larger than its file: with fewer chunks per file, files are small, not chunks.
inline constexpr double chunks_to_join = 2;

// What every run has is a number and no finding. Opening a file, reading the description of its
// tree, unpickling the processor and packing a histogram take 20 to 60 ms from a local disk, and a
// few requests more from a server; up to twice that is normal.
inline constexpr double usual_outside = 0.1;  ///< [s] per execution
// Workers connect, are sent the processor and open their first files within a few seconds: likewise
// usual.
inline constexpr double usual_start = 5;  ///< [s]
// New processes import coffea, numba and a library of models meanwhile, all at once.
inline constexpr double usual_import = 10;  ///< [s]
// A process imports modules of the analysis, compiles functions and reads tables with its first
// chunk: what each takes of that comes after all that is not usual.
inline constexpr double usual_once = 2;  ///< [s]

/// The parts of a budget with what a good run would have needed, [core-s] of `importing` among it;
/// nothing is explained yet.
std::vector<ExcessPart> excess_parts(const Run& run, const Selection& selection,
                                     const Budget& budget, const IdleTime& idle, StringId processor,
                                     double importing);
/// Takes what the finding explains out of what is unknown; returns how much of idle cores that is.
double explain(std::vector<ExcessPart>& parts, const Finding& finding);

/// A rule returns zero or more findings; one that several causes share says of which each is.
using Rule = std::vector<Finding> (*)(const RunFacts& facts);

/// A line of the list of causes.
struct ListedRule {
  Cause cause;
  Rule rule;
};
/// What the rules find, each asked once: with its cause, severity, share and rank, in no order.
std::vector<Finding> apply(std::span<const ListedRule> list, const RunFacts& facts);

namespace rules {
#define CREMA_RULE(cause, id, view, needs, rule, ...) std::vector<Finding> rule(const RunFacts& f);
CREMA_CAUSES(CREMA_RULE)
#undef CREMA_RULE

/// Of tasks that process chunks, look at files ahead of them, or merge results.
std::set<std::string_view> prefixes_of_coffea(const RunFacts& f);
/// [core-s] outside process() beyond what is usual.
double unusual_outside(const RunFacts& f);
/// [core-s] of it that opened files: all of it where rows do not tell, nothing where opening was
/// less than half of it.
double unusual_opening(const RunFacts& f);
/// [core-s] off the CPU while files were opened, as rows of tasks tell; without them all of
/// pre-processing, and what is unusual outside process().
double waiting_to_open(const RunFacts& f);
/// [core-s] outside process() in which the processor's tasks neither opened files nor unpacked the
/// processor nor packed their results, as their rows tell; absent without rows.
double untold_outside(const RunFacts& f);
/// The level at which most chunks' results were packed, where LZ4 compresses slowly; else absent.
double slow_compression(const Run& run);
/// The tick at which a worker's memory was nearest to its limit; absent where neither is recorded.
struct MemoryPeak {
  double share = absent, bytes = absent;  ///< of the limit then; [byte]

  MemoryPeak(const Run& run, std::size_t worker);
};
/// [core-s] of attempts that raised; absent where attempts were not recorded.
double seconds_raised(const Run& run);
/// [s] Absent where it is not known when chunks ran.
double end_of_last_chunk(const Run& run);
/// The thread of the analysis, or of a preload, that used most CPU time beside the tasks while
/// chunks ran; of the client's process, from the run's beginning.
struct OwnThread {
  std::string place, name;  ///< "leakwatch.py:12", "watch"; "" where there is none
  double seconds = 0;       ///< [core-s]
  double cpus = absent, workers = 0;
};
enum class ThreadOf : std::uint8_t { workers, client };
OwnThread own_thread(const RunFacts& f, ThreadOf process);
/// How late the scheduler's event loop was until then, where it was by 10 ms and more.
struct Lateness {
  double seconds = 0, longest = 0;
  bool is_recorded = false;

  Lateness(const Run& run, double until);
};
/// Whether the scheduler's event loop was late for a tenth of the run.
bool stood_still(const RunFacts& f);
/// Whether it was late for half of the time until `end` [s] besides, and cores are known to have
/// idled before their first task: why the run started late.
bool stood_still_until(const RunFacts& f, double end);
/// As people call it after the word "worker": by Dask's name, else by its port, with its host where
/// there are several.
std::string worker_name(const Run& run, std::size_t worker);
/// CPUs that the run may use, over time the median; absent where not recorded, infinite where
/// processes have CPUs of their own, of which it is not recorded how many there are.
double usable_cpus(const Run& run);
/// How the memory of all workers grows from chunk to chunk; `each` is absent where it does not.
struct MemoryGrowth {
  double each = absent;                    ///< [byte] a chunk
  double first = 0, last = 0, chunks = 0;  ///< [byte] after these chunks of the largest worker
};
MemoryGrowth memory_growth(const Run& run);
/// Garbage collection by the rows of tasks; nothing where they do not tell, or it is usual.
std::vector<Finding> time_collecting(const RunFacts& f);
/// What tasks waited for a CPU: as measured, else what code that computes was off it.
struct CpuWait {
  double seconds = 0;   ///< [core-s]
  double measured = 0;  ///< share of the tasks' time; absent where no row tells
  double off_cpu = 0;   ///< share of their time, for whatever reason
};
/// Where programs beside the run have the CPUs that tasks waited for.
std::vector<Finding> foreign_load(const RunFacts& f, const CpuWait& wait);
/// The same of threads in the tasks' own processes that run no task.
std::vector<Finding> library_threads(const RunFacts& f, const CpuWait& wait);

// A quarter of the tasks' time: below it they count as busy with computing.
inline constexpr double worth_waiting = 0.25;
// Contention is the cause where it is most of the waiting: what blocks in native code looks alike.
inline constexpr double most_of_waiting = 0.5;
// Who waits for the interpreter's lock asks again after 5 ms (sys.getswitchinterval()).
inline constexpr double turns = 200;  // [1/s]

// Want of a CPU, or of the interpreter's lock, takes its part of all code alike: a function that is
// off the CPU for more of its time by so much than all other code waits for something of its own.
inline constexpr double off_by_more = 0.25;

/// Whether each process ran one task at a time, so that none waited for the interpreter's lock.
bool one_at_a_time(const Run& run);

/// Whether a function that is off the CPU for that part of its time, other code for that part of
/// its, waits for something of its own: by so much more than tasks do for want of a CPU, too.
bool waits_for_its_own(const Run& run, double off_cpu, double off_cpu_of_others);

/// By what tasks recorded; means are of the chunks that entered it.
SectionEntries entries_of(const Run& run, const std::string& section);

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

}  // namespace rules

}  // namespace crema::diagnose
