#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/diagnose/causes.hpp"
#include "core/model/run.hpp"
#include "core/model/selection.hpp"
#include "core/predict/prediction.hpp"
#include "core/predict/progress.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/core_time.hpp"

// What slowed a run down, what that cost, and what would help: anomalies → evidence → findings →
// advice; and what sets selected chunks apart from the others.
namespace crema::diagnose {

using namespace runtime;
using namespace predict;

// Anomalies

/// A group of chunks that takes longer per event than comparable chunks elsewhere. One rule finds
/// all of them: the natural log of seconds per event against chunks of the same dataset outside the
/// group (of a dataset, against the other datasets; of a section in a dataset, against the other
/// sections of the same chunks; of a moment, at other times).
struct Anomaly {
  enum class Kind : std::uint8_t {
    host,
    site,
    worker,
    dataset,
    section,
    file,
    half,  ///< of each file: "first" or "second", against the other one
    moment,
    first_chunks,   ///< of every worker
    with_each,      ///< longer with each chunk that a worker has done
    first_of_files  ///< a worker's first chunk of each file
  };
  Kind kind = Kind::file;
  std::string name;             ///< the host, site, dataset, section or file; a worker's address
  double begin = absent;        ///< [s] of a moment
  double end = absent;          ///< [s] of a moment
  std::string dataset;          ///< of a file or a section, and of a host that alone serves it
  std::string section;          ///< with most of the excess; "" where none has most
  std::string function;         ///< of `with_each`: what grows, or has half of it in the section
  bool is_of_all = false;       ///< of `with_each`: process() as a whole, no part of it
  double factor = 1;            ///< how many times as long, a median
  double rest_factor = absent;  ///< of a worker or a dataset: likewise without that section
  double core_seconds = 0;      ///< [core-s] more than usual
  std::vector<double> saved;    ///< [s] the same, by chunk
  std::size_t chunks = 0;
  /// Share of its chunks' time on a CPU, and of others': of each chunk's thread where rows of tasks
  /// tell, else per thread of the workers while they ran. Absent where neither was recorded.
  double cpu = absent, cpu_elsewhere = absent;
  /// [s] for which its chunks waited for a request of input, and others; absent without rows.
  double request_wait = absent, request_wait_elsewhere = absent;
  /// Share of its chunks' time in which they could run and had no CPU, and of others'; likewise.
  double for_cpu = absent, for_cpu_elsewhere = absent;
  /// CPUs that other threads of its chunks' processes used meanwhile, and of others'; likewise.
  double beside = absent, beside_elsewhere = absent;
  double reading = absent;  ///< part of the excess that was reading of events, by rows of tasks
  /// Ranges of files that its chunks asked for, by event, and others; and bytes of a range.
  double ranges = absent, ranges_elsewhere = absent;
  double range_bytes = absent, range_bytes_elsewhere = absent;
  double cpu_error = absent;  ///< standard error of their difference, as chunks differ
  double cores = absent, cores_elsewhere = absent;  ///< of a moment: there then, at other times
  double event_bytes = absent, event_bytes_elsewhere = absent;  ///< that chunks read for each event
  double content = absent;  ///< of a dataset and its sections: `runtime::dataset_content`

  bool stands_alone = false;  ///< a host of which no other has chunks of the same datasets

  /// Its chunks wait where others compute.
  bool waits() const;
  /// Their threads wait, while others of their processes compute.
  bool computes_beside() const;
  /// Most of the excess is reading of events.
  bool reads() const { return reading >= 0.5; }
  /// Its chunks ask for more ranges of files than others, for as many events.
  bool asks_for_more() const { return ranges > 2 * ranges_elsewhere; }
  /// They are on a CPU for about the same part of their time as others.
  bool waits_as_others() const;
  /// They compute, as far as the CPU of chunks tells; of what is in between neither.
  bool computes() const;
  /// Most of that for want of a CPU, as measured.
  bool lacks_cpu() const;
  /// Another size of the cluster is what makes the moment slow.
  bool has_more_cores() const;
  /// A dataset that took longer in its section, and hardly longer in the rest, as no slower machine
  /// makes it.
  bool is_in_section() const {
    return kind == Kind::dataset && rest_factor < runtime::hardly_longer &&
           rest_factor - 1 < (factor - 1) / 4;
  }
};

/// Groups that are slow beyond chance (with false discoveries controlled over all candidates) and
/// that cost enough to be reported, most [core-s] first. What one explains is taken out before the
/// next one is looked for, so the files of a slow host are not reported as well. Kept by the run.
const std::vector<Anomaly>& anomalies(const Run& run);

/// How many times as long those of one kind took, by name.
std::map<std::string_view, double> anomaly_factors(const Run& run, Anomaly::Kind kind);

/// What of each chunk's time [s] neither an anomaly explains nor a process that stood still.
std::vector<double> unexplained_durations(const Run& run);

// Findings

// What rules measured: by name for sentences that stand in the list of causes, else a struct for
// each sentence of core/report/findings_text.cpp. Shares are of the core-time unless stated
// otherwise; numbers are absent where they are not known.

/// A number or a name, for the sentences of its cause.
struct Measurement {
  enum class Unit : std::uint8_t { number, seconds, bytes, share, chunks };
  std::string_view name;
  std::variant<double, std::string> value{};
  Unit unit = Unit::number;
};
using Measurements = std::vector<Measurement>;

struct FailedTasks {
  double executions = 0, failed = 0;
  double missing = 0;     ///< tasks that never succeeded
  double untold = 0;      ///< tasks without a name that failed: what became of them is not known
  std::string worker;     ///< address, where all failed on one of several
  std::string file;       ///< where all were of one
  double skipped = 0;     ///< attempts after which their chunk or file was left out
  std::string exception;  ///< the most frequent class; "" where none is recorded
  double exception_times = 0;
  std::size_t exceptions = 0;  ///< classes
  bool of_libraries = false;   ///< instances of TaskVine's libraries, in which tasks run
  bool is_open = false;  ///< the run goes on, or a manager's client may have tasks do their work
  std::vector<runtime::Failed> ways;  ///< the costliest first; none of a task stream
};

/// Of a task of the processor, on average.
struct OutsideProcess {
  double share = 0;                ///< of the processor's tasks' time
  double outside = 0, inside = 0;  ///< [s]
  /// [s] starting Python, where each task has a process of its own; opening the file, unpacking the
  /// processor, packing the result, and none of these; absent without rows.
  double starting = absent, opening = absent, unpacking = absent, packing = absent, other = absent;
  bool counts_other = false;  ///< its cost is of `other` alone
  OwnFunction function{};     ///< of the analysis, with most of its samples outside
  /// While none of these was running: of no library, that most samples of event loops are in.
  LoopFunction in_loop{};
  double compression = absent;  ///< `slow_compression`
};

struct StartUp {
  double first_core = 0, first_chunk = 0, end = 0;  ///< [s]
  bool has_chunks = false;
  bool filled = false;            ///< chunks ran on 90 % of the cores at some time
  bool has_ramp = false;          ///< `end` is when they did
  double files = 0, opening = 0;  ///< that the client opened one after the other meanwhile, [s]
  std::string function;           ///< of the analysis, in which the client was for half of it
  bool imports = false;           ///< it imported modules in place of that
  double in_function = 0;         ///< [s]
  double by_first = absent;       ///< [core-s] that first tasks took outside process(), if most
  std::string tasks;              ///< prefix of other tasks that ran for half of it and longer
  double in_tasks = 0;            ///< [s] while any of them ran
};

struct Preprocessing {
  double ahead = 0, again = 0;     ///< [core-s] counting events; opening files again
  double computing = absent;       ///< share of opening them again that was on a CPU
  bool copies = false;             ///< whoever opens a file first copies it: fsspec's caches
  std::string file;                ///< that took half of all that, of several; "" = none
  double of_file = 0;              ///< [s]
  double file_computing = absent;  ///< share of that on a CPU
};

/// Idle core-seconds that no finding explains, by cause.
struct UnexplainedIdle {
  bool states = false;  ///< which tasks were ready is known at each moment
  std::array<double, idle_causes.size()> seconds{};
  /// [core-s] of CPU that workers used while no task ran, where that is for most of this time.
  double computing = 0;
  LoopFunction in_loop{};  ///< of the workers, then
};

struct LastChunks {
  double length = 0;             ///< [s] from the end of 95 % of the chunks to the last one's
  double busy = 0;               ///< share of the cores in process() meanwhile
  double ideal = 0, actual = 0;  ///< [s] makespan longest first, and as it was
};

/// Merging results: `reduction`, or `heavy_output` where a merged result keeps most of them.
struct Merging {
  double results = 0, merged = 0;  ///< [byte] of all results; of the largest merged one
  double tasks = 0;                ///< whose results are known
  OwnFunction function;            ///< of the analysis, with most of its samples
  double packing = absent;         ///< [core-s] in tasks of chunks
  double compression = absent;     ///< `slow_compression`
  bool are_packed = false;         ///< by coffea's executor, which is how their bytes are counted
};

struct Lock {
  double share = 0;             ///< of the tasks' time
  runtime::WaitingPlace place;  ///< the function of the analysis that asks, as far as it is known
};

/// Code that computes is off the CPU: causes from `native_lock` to `oversubscribed`.
struct CpuContention {
  double share = 0;                 ///< of the tasks' time
  double off_cpu = 0, blocked = 0;  ///< shares of the tasks' time, of the samples
  double for_cpu = absent;          ///< likewise of their time, for want of a CPU, as measured
  std::string host;
  double threads = 0, cores = 0, workers = 0;  ///< of the host, at once; cores as they were used
  bool is_mean = false;        ///< while any task ran, not only while all threads did
  double host_busy = absent;   ///< share of its CPUs, where that shows free cores
  bool merging_waits = false;  ///< tasks that merge results are off the CPU as well
  double throttled = absent;   ///< share of the time for which a quota held threads back, if much
  runtime::WaitingPlace place{};          ///< of waiting for a lock in native code
  double usable = absent, cpus = absent;  ///< that a process may use, of its host, where fewer
};

struct ForeignLoad {
  double others = 0, usable = 0;        ///< CPUs
  double started = 0;                   ///< of others those of what the client started
  double threads = 0;                   ///< of the run
  double off_cpu = 0;                   ///< share of the tasks' time
  bool is_measured = false;             ///< it is that in which they could run
  double begin = absent, end = absent;  ///< [s] where not all of the run
};

struct Bandwidth {
  std::string host;
  double bytes_per_second = 0;
  double reading = 0;        ///< share of the samples in process() that wait for reading, or
  bool is_measured = false;  ///< of the chunks' time, in which they waited for requests
  double chunks = 0;         ///< at a time
};

struct WaitingTasks {
  enum class For : std::uint8_t { unknown, input, own_call, cpu };
  For what = For::unknown;
  double share = 0;               ///< of the tasks' time
  double waited = 0, on_cpu = 0;  ///< [core-s]
  double reading = 0;             ///< share of samples in which they read, or
  bool is_measured = false;       ///< of the chunks' time, in which they waited for requests
  bool knows_latency = false;     ///< the time does not grow with the bytes read
  double own = 0;                 ///< share of samples in a call of the analysis
  double for_cpu = absent;        ///< share of the chunks' time without a CPU, as measured
  double client = absent;         ///< CPUs that the client's process used, where that is much
  double started = absent;        ///< likewise what it started, without the workers
  bool takes_turns = false;       ///< processes run several tasks at once
  std::string function;           ///< of the analysis, with most of them
  std::string library;            ///< in which the function spends most of its time; "" = none
  runtime::WaitingPlace place{};  ///< of all waiting that was no want of a CPU

  /// Of the tasks' time, where they waited for input: samples may tell of more than all waiting.
  double share_for_input() const { return is_measured ? reading : std::min(reading, share); }
};

/// How often chunks entered a section, on average: those of `datasets`, and those of the others. Of
/// datasets that are alike `datasets` is empty, and `most` is of all. Absent where it is once.
struct SectionEntries {
  double most = absent, least = absent;
  std::vector<std::string> datasets;
};

/// A slow host, site, worker, dataset, section, file or moment.
struct SlowGroup {
  Anomaly anomaly;  ///< without `saved`
  SlowestFunction function;
  std::string worker;                             ///< of a slow worker, as people call it
  double alone_from = absent, alone_to = absent;  ///< [s] a dataset or file that ran by itself
  double memory = absent;  ///< [byte] by which each chunk makes the same workers' memory grow
  double for_input = 0;    ///< [core-s] that slow first chunks waited for requests
  /// CPUs that other processes used at a moment, and at other times; absent where not many more.
  double others = absent, others_elsewhere = absent;
  /// Of a dataset or its section: the files that took longer, where others of it took about as long
  /// as usual, and by how many times at most these did.
  std::vector<std::string> files{};
  double other_files = absent;
  /// Of a dataset in files that are all smaller than a chunk of others: how many, and the median
  /// events of one, and of a chunk of others. Absent of others.
  double small_files = absent, file_events = absent, usual_events = absent;
  SectionEntries entries{};  ///< of a dataset or its section: into that with most of the excess
  /// [s] Opening a file in pre-processing, beside each other: each of its own took twice as long as
  /// any other. Absent where that was not so.
  double opened = absent, opened_elsewhere = absent;
  /// Of a dataset or a file that had the cluster to itself: its tasks could run and had no CPU,
  /// which is of the time, not of the data.
  bool had_no_cpu = false;
};

/// What workers logged: `memory_near_limit`, `garbage_collection`, `unresponsive`.
struct WorkerWarnings {
  double times = 0, workers = 0;
  std::string first;           ///< the first message
  std::string worker;          ///< the worst one; "" where single events are not recorded
  double total = 0, most = 0;  ///< [s] and share, or [s], of the worst one
  double idle = 0;             ///< [core-s] of paused workers
  LoopFunction in{};           ///< that most samples of all event loops are in
};

struct NearMemoryLimit {
  double workers = 0;           ///< that came near it
  std::string worker;           ///< the worst one
  double bytes = 0, share = 0;  ///< its peak, and that of its limit
};

/// Workers that left before the end.
struct WorkersThatLeft {
  struct Worker {
    std::string name;
    double last_seen = absent;  ///< [s]
    std::string reason;         ///< as it was recorded (`worker_end`); "" where it was not
  };
  double count = 0, seen = 0;  ///< of all that were seen
  double came = 0;             ///< after one had left
  double last_came = absent;   ///< [s]
  double missing = 0;          ///< [core-s] until each of those came
  std::vector<Worker> named;   ///< the first few
};

struct RepeatedWork {
  double repeated = 0, executions = 0;
  bool exact = false;        ///< from the task stream
  bool none_raised = false;  ///< no attempt did, and workers left
  WorkersThatLeft left;
};

struct LateWorkers {
  double workers = 0, threads = 0;
  double first = 0, last = 0;  ///< [s] when the first worker of all came, and the last of these
};

/// A data note that is worth acting on: `clock_skew`, `versions_differ`, `settings_differ`.
struct NotedByReading {
  std::string note;  ///< id
  std::string message;
};

/// Files that take far longer to open than all others, as rows of tasks tell: those of one dataset,
/// one host, or one file. None where `seconds()` is 0.
struct SlowOpening {
  runtime::ChunkKey key = runtime::ChunkKey::dataset;
  std::vector<std::string> names{};
  double again = 0, ahead = 0;                           ///< [core-s] more, in chunks and before
  double each = absent, elsewhere = absent;              ///< [s] in a chunk, the median
  double each_ahead = absent, elsewhere_ahead = absent;  ///< [s] before chunks
  double computing = absent;                             ///< share of its seconds on a CPU
  bool is_alone_in_time = false;                         ///< few others were opened meanwhile
  double seconds() const { return again + ahead; }
  bool computes() const { return computing >= 0.5; }
};

struct SmallChunks {
  double share = 0;             ///< of the processor's time
  double fixed = 0, all = 0;    ///< [s] per chunk
  double again = 0;             ///< [s] of it that chunks read baskets for, which others read too
  double larger = 2;            ///< times as large chunks are what the gain is of
  bool is_inside_known = true;  ///< whether chunks tell what of process() does not grow with events
};

struct LargeChunks {
  double chunks = 0, cores = 0;
  double longest = 0, elapsed = 0;  ///< [s]
  std::string file;                 ///< of the longest one
  /// Fewer than four rounds of chunks cannot be spread evenly.
  bool are_few() const { return chunks / cores < 4; }
};

struct Stragglers {
  double chunks = 0;
  double longest = 0;                                ///< [s]
  std::string file;                                  ///< where all are of one
  double entry_start = absent, entry_stop = absent;  ///< of a single one
  std::string section;                               ///< with most of it; "" where none is known
  SlowestFunction function;
};

/// Workers that stood still while they ran chunks.
struct Stopped {
  double workers = 0, all = 0;          ///< that did, that ran chunks
  double chunks = 0;                    ///< whose tasks they held up
  double longest = 0, cpu = 0;          ///< [s]; of a CPU that one used between the looks
  std::string worker;                   ///< of the longest
  double begin = absent, end = absent;  ///< [s] looks at the processes between which all stops are
  bool at_once = false;                 ///< one moment is in all of them
  bool others_ran = false;              ///< another process of the host did not stand still
};

/// Chunks beyond the first of the same entries of a file.
struct ProcessedTwice {
  double chunks = 0, events = 0, files = 0;
  std::string file;                   ///< one of them
  std::vector<std::string> datasets;  ///< of which they are, the first chunks' among them
  bool are_shared = false;            ///< a file is in several of them
  bool by_other_paths = false;        ///< the same name and bytes under another path
};

struct LostChunks {
  double lost = 0, recorded = 0, submitted = 0;
};

/// `reads_much`, `unused_branches`.
struct BytesOfFiles {
  double share = 0, branches = 0;  ///< of the bytes, of the branches
  double read = 0, all = 0;        ///< [byte]
  std::string function;            ///< that reads most; "" without a profile
};

struct BasketsReadAgain {
  double times = 0;
  double read = 0, held = 0;  ///< [byte] by chunks, of the branches
  bool is_measured = false;   ///< baskets were recorded, and how long chunks read
  bool is_by_bytes = false;   ///< its cost: what branches took for their bytes
};

/// A function of the analysis that takes much of process().
struct LargeFunction {
  OwnFunction function;
  std::string library;  ///< in which it spends most of its time
  FunctionWork work;
  bool reads = false;  ///< it reads files for most of its time
  bool waits = false;  ///< it is off the CPU, for neither want of one nor the GIL
};

/// The largest part of the analysis that has a name: a section as chunks time it, else a function.
struct LargestPart {
  std::string section;     ///< "" where the profile alone knows the part
  SectionEntries entries;  ///< of the section
  LargeFunction most;      ///< the largest one
  bool is_within = false;  ///< in the section; else in which it ran is not recorded
  LargeFunction next;      ///< outside of the part, and at least half of it; else no name
  double share = 0;        ///< of process()
  double seconds = 0;  ///< [core-s] of the part; the finding's are of `most` where that has half
  double sooner = 0;   ///< [s] the run would end, were it twice as fast
  std::vector<CodePattern> patterns;
};

/// What a finding stands on, one of these. Copies of a finding share it: nobody changes it, and a
/// copy of each kind of evidence would be compiled wherever findings are copied.
class Evidence {
 public:
  using Any = std::variant<Measurements, FailedTasks, OutsideProcess, StartUp, Preprocessing,
                           UnexplainedIdle, LastChunks, Merging, Lock, CpuContention, ForeignLoad,
                           Bandwidth, WaitingTasks, SlowGroup, WorkerWarnings, NearMemoryLimit,
                           WorkersThatLeft, RepeatedWork, LateWorkers, NotedByReading, SmallChunks,
                           LargeChunks, SlowOpening, Stragglers, Stopped, ProcessedTwice,
                           LostChunks, BytesOfFiles, BasketsReadAgain, LargestPart>;

  Evidence();  ///< no measurements
  template <class One>
  Evidence(One one) : any_(std::make_shared<const Any>(std::move(one))) {}

  const Any& any() const { return *any_; }
  /// Null where it is of another kind.
  template <class One>
  const One* as() const {
    return std::get_if<One>(any_.get());
  }

 private:
  std::shared_ptr<const Any> any_;
};

/// Something about a run that is worth acting on: a cause, its evidence, and what it costs. The
/// sentences are made in core/report/findings_text.cpp.
struct Finding {
  FindingCause cause = FindingCause::waiting;
  std::optional<Severity> severity;  ///< by the share, where a rule does not set it
  Evidence evidence;
  Selection selection;           ///< what to select in the view of the cause
  double core_seconds = absent;  ///< [core-s] it is about
  double share = absent;         ///< of the run's core-time
  /// [core-s] that cores idled for it besides: what the replay wins beyond the cost.
  double idle_core_seconds = 0;
  bool is_of_start = false;  ///< cores that waited for their first task idled for it, too
  Grounds grounds = Grounds::measured;  ///< of the cause, where a rule does not say less
  std::vector<FindingCause> open;       ///< rivals that the evidence does not exclude
  /// [core-s] that can be saved: by the replay of the run without the cause, and at most what it
  /// costs; absent where it is no amount of core-time, or cannot be saved as a whole.
  double gain_core_seconds = absent;
  /// [s] by which the run could have been shorter, by the same replay: more than the core-time's
  /// share of all cores where fewer of them were there, or waited for it.
  double gain_elapsed = absent;
  /// [core-s] by which findings are ordered: the saving, where not set. Of a cause that no replay
  /// can take away it is what the cause costs; of a mere share nothing; `rank_of_code` of what is
  /// no cause at all.
  double rank = absent;
  /// The result is not what was asked for: comes before whatever costs time.
  bool is_failure = false;
};

/// Share of the tasks' time that they were off the CPU: of all tasks, wherever a sentence says it.
double off_cpu_share(const Run& run);

/// The part of the core-time that it costs: of a group that waits, waiting.
CostIn part_of(const Finding& finding);

/// After whatever costs time and after notes: the analysis's own code is what a run is for.
inline constexpr double rank_of_code = -2;

/// Below this many chunks statistics of chunks say nothing, and the rules that need them are
/// silent: four blocks of five in a row tell how far the machine's speed differs by itself.
inline constexpr std::size_t enough_chunks = 20;

/// The findings of a run: failures, then the largest saving first, then shares by size and
/// severity. They are of the whole run; kept by it, for each processor that is asked for.
const std::vector<Finding>& find_findings(const Run& run, const Options& options);

// What is not the cause

/// Something else that could have cost what a finding says, as far as it was measured.
struct LookedAt {
  enum class State : std::uint8_t {
    ruled_out,     ///< all of it is at most a tenth of what the finding costs
    open,          ///< a rival that the evidence does not exclude
    not_recorded,  ///< nothing in the recording measures it
  };
  State state = State::not_recorded;
  std::optional<Suspect> suspect;  ///< else
  std::optional<FindingCause> rival;
  double core_seconds = absent;  ///< all of it in what the finding is about, at most
  double share = absent;         ///< of memory: the largest share of its limit
};

/// What else could cost time, of the whole run, computed once for all its findings.
struct RivalAmounts {
  const Run& run;
  double memory = absent;     ///< largest share of its limit that a worker had
  double client = absent;     ///< [core-s] that its CPU could keep cores idle
  double scheduler = absent;  ///< likewise its lateness
  double raised = absent;     ///< [core-s] of attempts that raised

  explicit RivalAmounts(const Run& of);
  /// What is ruled out first. What costs more than a tenth is no row: it is not excluded, and where
  /// it matters it is a finding itself. None of a finding whose cost is not known.
  std::vector<LookedAt> looked_at_beside(const Finding& finding) const;
};

// The excess account

/// A part of the core-time: core_seconds = baseline + explained + unknown.
struct ExcessPart {
  CostIn kind = CostIn::nothing;
  std::string label;              ///< of other tasks their prefix
  std::optional<IdleCause> idle;  ///< why cores were idle
  double core_seconds = 0;        ///< as the budget has them
  double unknown = 0;             ///< [core-s] beyond the baseline that no finding explains
  struct Explained {
    FindingCause cause;
    double core_seconds;
  };
  std::vector<Explained> by;  ///< in the order of the findings, none of it twice

  double explained() const;  ///< [core-s]
  double excess() const { return explained() + unknown; }
  /// [core-s] that a good run would have needed, as estimated within the run: in process() what
  /// chunks of the dataset let expect, computing all the time; outside 0.1 s per task; a start
  /// within 5 s, and gaps between tasks of at most a tenth of the core-time; merging and idle cores
  /// otherwise nothing. All of what nothing is known of.
  double baseline() const { return core_seconds - excess(); }
};

/// What a good run would not have needed, part by part. Its core-seconds are the budget's. Findings
/// are of the whole run: of a selection all excess is unknown.
std::vector<ExcessPart> excess_account(const Run& run, const Selection& selection,
                                       const Options& options);

// Advice

/// How sure a saving is: "very likely", the whole band is more than noise; "likely", the likely
/// time is; "possible", some of the band.
enum class Certainty : std::uint8_t { possible, likely, very_likely };

/// A setting that is worth changing. It stands on a finding, so that a healthy run is given no
/// advice, and on the model of `whatif`.
struct Advice {
  Setting setting = Setting::chunk_size;
  std::string now;        ///< its value in the run; "" where that is not recorded
  std::string code;       ///< Python statements that set it
  Finding finding;        ///< why
  Prediction expected;    ///< [s] what the run would have taken
  double cores = absent;  ///< that it would have had
  double gain =
      absent;  ///< [core-s] saved: by what is likely, else by the geometric middle of the band
  Certainty certainty = Certainty::possible;
};

/// What to change, the largest saving first, where it saves more than two recordings differ by.
std::vector<Advice> find_advice(const Run& run, const Options& options);

// While it runs

/// A worker none of whose threads has ended a task for `seconds`, three times the longest task.
struct SilentWorker {
  StringId address = no_string;
  double seconds = 0;
};

/// What a finding whose cause stays costs in the rest of the run: in proportion to the work, of a
/// slow dataset to its events, with the band of the time left.
struct RestOfFinding {
  const Finding* finding;
  double low = absent, high = absent;  ///< [core-s]
};

/// All of the work from its beginning with a setting changed, against the rest as it is.
struct Restart {
  enum class Verdict : std::uint8_t { unknown, sooner, later };
  Advice advice;
  double low = absent, high = absent;  ///< [s] by the model of `whatif`, and the time left
  Verdict verdict = Verdict::unknown;  ///< against the time left, where the two bands are apart
};

/// A recording that goes on, as it stands. Of one that has ended only what failed.
struct Now {
  Progress progress;
  std::vector<Failed> failures;
  std::vector<SilentWorker> silent;  ///< the longest first; none where all chunks are done
  double longest = absent;           ///< [s] the longest task so far
  /// What the workers that are not silent were idle for in [from, until], the last time of which
  /// all their tasks are recorded.
  IdleTime idle;
  double from = absent, until = absent;  ///< [s] run axis
  double available = absent;             ///< [core-s] in it; absent where cores are not known
  std::vector<const Finding*> slow_files;
  std::vector<RestOfFinding> rest;
  std::vector<Restart> restarts;
};
Now find_now(const Run& run, const Options& options);

// What sets chunks apart

/// What chunks can differ in: which of them have which of few values, as far as it was recorded.
struct ChunkFeature {
  enum class Unit : std::uint8_t { name, number, times, seconds, bytes, memory };
  std::string_view name;  ///< "dataset", "time", "memory before"
  Unit unit = Unit::name;
  std::vector<std::string_view> names;            ///< of the values, or
  std::vector<std::pair<double, double>> ranges;  ///< from the lowest to the highest of a value
  std::vector<std::uint32_t>
      first;  ///< where a value's chunks begin; one more than there are values
  std::vector<std::uint32_t> chunk;  ///< the chunks, value after value, in recorded order
  /// What selects by it: parts of a Selection, and columns of which it may have a range.
  std::span<const std::string_view> selected_by;

  std::size_t values() const { return first.size() - 1; }
  std::span<const std::uint32_t> members(std::size_t of) const {
    return {chunk.data() + first[of], chunk.data() + first[of + 1]};
  }
};

/// All but what the selection itself is about. Kept by the run.
std::vector<const ChunkFeature*> features_beside(const Run& run, const Selection& selection);

/// How far a feature sets some chunks apart from the others.
struct FeatureAssociation {
  const ChunkFeature* feature = nullptr;
  std::optional<std::size_t> value;  ///< that is most over-represented among them, if any is
  double selected = 0, of_all = 0;   ///< chunks with it: of the selected, of all
  double lift = absent;              ///< share of its chunks that are selected / of all chunks
  /// Mutual information of the feature and being selected / entropy of being selected, less what
  /// chance gives on average; 0 … 1. Absent for fewer than `least_selected` chunks on either side.
  double explained = absent;
  double p_value = absent;
  double p_value_then = absent;      ///< among chunks that began at about the same time
  bool is_significant = false;       ///< with all features in mind
  bool is_significant_then = false;  ///< also at equal times; false where that is unknown
};

/// Of fewer chunks nothing but counts is said.
inline constexpr std::size_t least_selected = 8;

/// One for each feature. `selected`: one flag per chunk.
std::vector<FeatureAssociation> associate(const Run& run,
                                          const std::vector<const ChunkFeature*>& features,
                                          const std::vector<bool>& selected);

}  // namespace crema::diagnose
