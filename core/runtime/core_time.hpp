#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/model/call_tree.hpp"
#include "core/model/run.hpp"
#include "core/model/selection.hpp"
#include "core/model/worker_end.hpp"
#include "core/model/worker_selection.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::profile {
struct FrameFacts;
}

namespace crema::runtime {

/// A part of the core-time.
struct BudgetPart {
  enum class Kind : std::uint8_t {
    available,
    inside_process,
    outside_process,
    lost_work,
    processor_tasks,  ///< inside and outside together, where they cannot be separated
    task,             ///< of one task prefix that is not the processor's
    other_tasks,      ///< of all these prefixes, where a selection does not separate them
    idle,
    not_in_process,  ///< what is left where only process() is known
    activity,        ///< of Dask's, over all task prefixes
    no_activity,     ///< idle: what the activities leave of the available core-time
    section,         ///< of process()
    no_section,      ///< what the sections leave of process()
  };
  Kind kind;
  std::string label;  ///< for people: "Inside process()"; of task, activity and section the name
  double core_seconds = absent;
  std::string source;    ///< where the number comes from, a sentence
  double shortfall = 0;  ///< [core-s] by which the number came out below 0, where it is shown as 0
  bool estimated = false;  ///< how much of the time is this part is an estimate
  bool is_named = true;    ///< `label` is its name: false for tasks without a prefix

  /// "inside_process", "task:PREFIX", "activity:NAME", "section:NAME", ...; parts without a name of
  /// their own have no colon, so none is taken for what they are called: "task", "activity_idle",
  /// "unaccounted"
  std::string id() const;
  /// "whole", "phase", "activity" or "section": parts of one split sum to their parent.
  std::string_view split() const;
  /// The id of the part it belongs to; "" for the whole.
  std::string_view parent() const;
};

/// "inside_process", "task", ...: the id of a part of that kind that has no name of its own.
const char* id_of(BudgetPart::Kind kind);
/// "Inside process()", ...: its label for people; "" of those that have a name of their own.
const char* label_of(BudgetPart::Kind kind);

/// The core-time budget of a run under a selection, and what it rests on.
struct Budget {
  std::vector<BudgetPart> parts;  ///< the whole first
  double available = absent;      ///< [core-s]
  double executing = absent;      ///< [core-s] Σ execute seconds of all task prefixes
  bool estimated = false;         ///< `available` is an estimate
  std::string processor_basis;
  bool processor_guessed = false;
  std::string selection_note;  ///< what a selection could not narrow
  std::string source;          ///< of a selected time: how the parts were placed in it

  /// Core-seconds of the part of that kind (and label, where several are); absent when it is not
  /// there.
  double of(BudgetPart::Kind kind, std::string_view label = {}) const;
};

/// Of a selected time by the series of the whole run, of selected workers by the task stream, of
/// selected chunks what of their time is in process(). `core_time_tree` unfolds these parts, and
/// `core_time_series` places them in time.
Budget compute_budget(const Run& run, const Selection& selection, const Options& options);

/// Work done again because a worker was lost (docs/meanings.md, Work done twice).
struct LostWork {
  double core_seconds = absent;  ///< absent when the bundle cannot tell
  double executions = absent;    ///< of the processor, with those done again
  double repeated = absent;      ///< executions that were done again
  bool exact = false;            ///< from the task stream; else estimated
  /// [core-s] of attempts that raised an exception, by Dask's fine metrics, beyond those that the
  /// task stream has among the executions done again: it has none of attempts that were retried.
  double failed = 0;
  std::string source;  ///< a sentence: what it is from
};

/// From the task stream: the compute seconds of each execution of a key before its last. Without
/// it, or when it holds fewer executions than were counted (Dask keeps the last 100,000 tasks):
/// (executions by the processor's memory-read count − chunks coffea submitted, at least 0) x the
/// mean task time, marked estimated. `processor_seconds`: Σ execute seconds of the prefix.
LostWork find_lost_work(const Run& run, StringId processor, double processor_seconds);

/// What the task stream has of a processor.
struct Executions {
  double count = 0;
  std::vector<std::size_t> superseded;  ///< records: the one that began last of a key counts
};

/// Records of the task stream that are executions done again: each of a key before its last.
const std::vector<std::size_t>& superseded_executions(const Run& run, StringId processor);

/// The class of what a task raised: "MemoryError" of "MemoryError('no room')"; "" of nothing.
std::string_view exception_class(std::string_view text);

/// A piece of work: entries of a file.
struct WorkItem {
  StringId file = no_string;
  double entry_start = absent, entry_stop = absent;
};

/// A worker that went while the run was being recorded.
struct GoneWorker {
  StringId worker = no_string;  ///< address
  double at = absent;           ///< [s]
  WorkerEnd end = WorkerEnd::not_said;
  std::string reason;  ///< as it was recorded
};

/// In order of time, without those that the cluster retired, or a manager when all was done.
std::vector<GoneWorker> gone_workers(const Run& run, const Selection& selection);

/// Attempts at tasks that failed in one way: in one kind of task, with one exception, in one line.
struct Failed {
  std::string prefix;     ///< of the tasks
  std::string exception;  ///< its class; "" where only its worker went
  std::string message;    ///< its first line
  std::string frame;      ///< last line of code outside installed packages; "" when not recorded
  // Of the first: what it worked on. Absent in a task stream of Dask.
  std::string dataset, file;
  double entry_start = absent, entry_stop = absent;
  double attempts = 0;
  double skipped = 0;  ///< of the attempts, those after which their chunk or file was left out
  double lost = 0;     ///< of the attempts, those whose worker went; the others raised
  WorkerEnd worker_end = WorkerEnd::not_said;  ///< of those
  double items = 0;                            ///< distinct pieces of work
  double recovered = 0;  ///< of the items, those of which another attempt succeeded
  double untold = 0;     ///< of the items, those without a name: what became of them is not known
  std::vector<StringId> unfinished;  ///< the others: one id for an item, whichever way it failed
  bool in_parts = false;             ///< some of these in smaller chunks
  /// Of the items, those that failed so at least twice with an exception and never ended well, nor
  /// were given up: what fails alike twice mostly fails again.
  std::vector<WorkItem> repeated;
  double files = absent;  ///< distinct ones; absent in a task stream of Dask
  double workers = 0;
  std::string worker;                    ///< address, of the first
  bool is_library = false;               ///< TaskVine's, in which tasks run: no task itself
  double core_seconds = absent;          ///< Σ duration of the attempts, as far as known
  double first = absent, last = absent;  ///< [s] when the first and the last of them began
};

/// Whether the row is an instance of a library.
bool is_library(const Run& run, std::size_t row);

/// Whether any attempt did not end well, by the rows of `crema.record`, else by the task stream.
bool any_failed(const Run& run);

/// Most core-seconds first, by the rows of `crema.record`, else by the task stream.
std::vector<Failed> find_failures(const Run& run, const Selection& selection);

/// Executions of `processor` in the task stream, with those done again; 0 without a stream.
double executions_in_stream(const Run& run, StringId processor);

/// A stretch of the run: "waiting for workers" or "client in the analysis", "pre-processing",
/// "ramp", "steady", "drain" or "after".
struct Phase {
  /// What is at its end; or why the run is not divided further.
  enum class End : std::uint8_t {
    first_core,
    first_chunk,
    first_full,  ///< chunks first ran on `full_share` of the cores
    last_full,
    last_chunk,
    client_done,
    unknown,  ///< without ticks nothing tells what is before the first chunk
    no_chunks,
    clocks_disagree,
    no_cores,  ///< over time
    never_full,
  };
  std::string name;
  double t0, t1;                 ///< [s] run axis
  double core_seconds = absent;  ///< available in it
  End end;
  bool full = false;  ///< chunks had run on `full_share` of the cores by its end
};

/// The phases of a run in order, without gaps or overlaps; those of no length are left out. Empty
/// without a window. Kept by the run.
///
/// Waiting ends with the first core; pre-processing with the first chunk; the ramp when chunks
/// first run on `full_share` of the cores; the drain begins when they last do, and ends with the
/// last chunk. What was lost and ran again is among the chunks.
inline constexpr double full_share = 0.9;
const std::vector<Phase>& find_phases(const Run& run);

/// Why a core had nothing to run.
enum class IdleCause : std::uint8_t {
  starting,       ///< before its worker's first task of the processor
  between_tasks,  ///< a gap shorter than `short_gap`: the scheduler's and the worker's own time
  nothing_ready,  ///< no more tasks were assigned to the worker than it executed
  held_back,      ///< more were assigned than it executed: their inputs, or the worker, were late
  fetching,       ///< the worker fetched results that its next tasks need
  leaving,        ///< after the last task of a worker that left before the end
  tail,           ///< from when the last task of the processor had begun until all had ended
  after_last,     ///< after the last task of the processor
  unassigned,     ///< tasks were ready, and the scheduler had not assigned one to the worker
  paused,         ///< Dask had paused the worker, whose memory was nearly full
  library,        ///< tasks were ready, and a library that runs them started on the worker
  elsewhere,      ///< tasks were ready, and assigned to other workers that could not begin them
  unknown,
};
inline constexpr std::array<std::string_view, 13> idle_causes = {"Starting",
                                                                 "Between tasks",
                                                                 "No task ready",
                                                                 "Held back",
                                                                 "Fetching inputs",
                                                                 "Worker leaving",
                                                                 "Tail",
                                                                 "After the last chunk",
                                                                 "Not assigned",
                                                                 "Worker paused",
                                                                 "Library starting",
                                                                 "Tasks elsewhere",
                                                                 "Cause not recorded"};
inline constexpr double short_gap = 0.15;  ///< [s]

/// When the client did something: no worker ran a task, or some did.
enum class ClientTime : std::uint8_t { before_tasks, between_tasks, after_tasks, while_tasks };
inline constexpr std::array<std::string_view, 4> client_times = {
    "before the first task", "between tasks", "after the last task", "while tasks ran"};

/// A function of the analysis that the client's thread was seen in, with all that it called; where
/// none was on its stack, the innermost function.
struct ClientFunction {
  FrameId frame = none;
  double line = absent;  ///< where it was most
  double looks = 0;
  double seconds = 0, cpu = 0;  ///< [s] that the looks stand for; of these, or about, on a CPU

  static constexpr FrameId none = 0xffffffffU;
};

/// What the client did in each of these times, by the looks of `crema.record` at the thread that
/// entered the block. All empty without looks or tasks.
struct ClientHour {
  /// In order, without overlaps. Between tasks: of 1 s at least, shorter gaps are while tasks ran.
  std::array<std::vector<Selection::TimeRange>, client_times.size()> times;
  std::array<std::vector<ClientFunction>, client_times.size()> functions;  ///< most seconds first

  const std::vector<Selection::TimeRange>& times_of(ClientTime when) const {
    return times[static_cast<std::size_t>(when)];
  }
  const std::vector<ClientFunction>& functions_of(ClientTime when) const {
    return functions[static_cast<std::size_t>(when)];
  }
};
const ClientHour& client_hour(const Run& run);

/// The same of [begin, end].
std::vector<ClientFunction> client_functions(const Run& run, double begin, double end);

/// At each tick the function that most of its second was seen in; ClientFunction::none where none
/// was.
std::vector<FrameId> client_at_ticks(const Run& run);

/// [s] of [begin, end] that lies in ranges, which are in order and do not overlap.
double overlap_of(std::span<const Selection::TimeRange> ranges, double begin, double end);

/// Idle core-seconds by cause.
struct IdleTime {
  using ByCause = std::array<double, idle_causes.size()>;
  ByCause seconds{};
  /// Of these, while no worker ran a task and the client was looked at: before, between and after.
  std::array<ByCause, 3> without_tasks{};
  bool exact = false;   ///< gaps are those of the task stream; else what heartbeats say at ticks
  bool states = false;  ///< which tasks were ready or assigned is known at each moment

  double of(IdleCause cause) const { return seconds[static_cast<std::size_t>(cause)]; }
};

/// In [begin, end], of the chosen workers. All zero where neither tasks nor heartbeats were
/// recorded.
IdleTime find_idle(const Run& run, const WorkerSelection& workers, StringId processor, double begin,
                   double end);

/// The parts of the core-time over time: each sums to what the budget says of it. What is not in
/// process() is placed by the task stream where there is one, else by an estimate: the time outside
/// before its chunk, what is left where the workers said that they execute.
struct CoreTimeSeries {
  struct Part {
    BudgetPart::Kind kind;
    std::string label;            ///< of a dataset its name, else as in the budget
    std::vector<double> seconds;  ///< [core-s] in each bin
    bool exact = true;            ///< placed where it was recorded
    bool is_rest = false;         ///< the smallest datasets together, which no name stands for
  };
  TimeBins bins;
  std::vector<double> available;  ///< [core-s] in each bin; empty where cores are not known
  std::vector<Part> parts;        ///< in the order of the budget, all other tasks as one
  std::string source;             ///< how the parts were placed
  std::string selection_note;     ///< what a selection could not narrow
};

/// Over the whole run, whatever time is selected; process() split by dataset where wanted.
CoreTimeSeries core_time_series(const Run& run, const Selection& selection, const Options& options,
                                std::size_t bins, bool by_dataset = false);

/// What the time inside and outside process() unfolds into.
enum class CoreTimeSplit : std::uint8_t { functions, datasets, sections, activities };

/// A part of the core-time that unfolds into smaller ones.
struct CoreTimeNode {
  std::uint32_t parent = none;
  /// "available", "inside_process", "function", "library", "leaf", "dataset", "idle_cause", ...
  const char* kind = "";
  std::string label;    ///< for people
  std::string segment;  ///< its part of the path that is its id
  double core_seconds = 0;
  /// What is certain, and what is possible [core-s]: samples whose innermost frame can have been
  /// one of several, and the sampling error (95 %). Both are `core_seconds` of what was measured.
  double least = absent, most = absent;
  double on_cpu = absent, waiting = absent;  ///< [core-s]
  bool split_measured = false;  ///< of this very part; else as its task prefix was, as a whole
  double blocked = absent;      ///< [core-s] that certainly waited, by the profile
  double open = 0;  ///< [core-s] shared out among several that can have been the innermost frame
  const char* certainty = "measured";  ///< or "sampled", "estimated", "not known"
  std::string note;                    ///< where the number is from, a sentence
  std::string category;                ///< of code: whose it is
  std::string file;
  double line = absent;
  double samples = absent;
  FrameId frame = 0;  ///< of a function or a leaf

  static constexpr std::uint32_t none = 0xffffffffU;
};

/// Parents before children; each node is the sum of its children, where it has any. Only those of
/// the whole may come to more than it: then tasks took longer than their workers were seen.
struct CoreTimeTree {
  std::vector<CoreTimeNode> nodes;
  double excess = 0;  ///< [core-s] by which the parts of the whole exceed what was available
  std::string selection_note;  ///< what a selection could not narrow
  std::string source;          ///< what the parts of a selected time are from
  std::string missing;         ///< why there is nothing

  std::vector<std::vector<std::uint32_t>> children;  ///< of each node, in order

  std::string id(std::uint32_t node) const;  ///< its path: "available/inside_process/..."
  std::uint32_t depth(std::uint32_t node) const;
  double begin(std::uint32_t node) const;  ///< [core-s] from the whole's left edge
  double width() const { return nodes[0].core_seconds + excess; }  ///< [core-s] of all its parts
  /// The node of that id, the whole for ""; CoreTimeNode::none where there is none.
  std::uint32_t find(std::string_view id) const;
};

/// Kept by the run where nothing is selected.
std::shared_ptr<const CoreTimeTree> core_time_tree(const Run& run, const Selection& selection,
                                                   const Options& options, CoreTimeSplit by);

/// A function of the analysis that a profile saw inside process().
struct OwnFunction {
  std::string name;  ///< "" where there is none
  double share = 0;  ///< of the samples inside process(), or in a section of it, that are its own
};

/// The one with most samples, process() itself aside; in a section where one is named, which only
/// samples that know it can tell. Empty without such a profile, and where the samples that can be
/// of several functions outweigh those that are certainly of this one.
OwnFunction largest_own_function(const Run& run, const std::string& section = {});
/// The one that has most of the samples of the processor's tasks outside process(), with what it
/// calls; its share is of these. Empty where none has half of them.
OwnFunction own_outside(const Run& run);
/// Likewise in merging results, which took `part` of the time in process(): what packs and sends
/// them has samples that do not tell what for.
OwnFunction own_in_merging(const Run& run, double part);
/// What most samples of an event loop are in, with what it calls.
struct LoopFunction : OwnFunction {
  bool is_of_dask = false;  ///< where none is of no library: the innermost of Dask's that has most
};
/// Of the scheduler, or of the workers (`CallTree::Kind::server`). Nothing where no function has
/// most samples, or there are fewer than five.
LoopFunction function_in_loop(const Run& run, CallTree::Kind of);
/// All that have at least that share of the samples inside process() for certain, most first;
/// process() itself aside.
std::vector<OwnFunction> own_functions(const Run& run, double least);

/// The one below which most samples stand in code that reads and unpacks files; its share is of all
/// its samples.
OwnFunction largest_reader(const Run& run);

/// Samples in code that reads and unpacks files, but for those that waited, of those inside
/// process(); absent without a profile.
double reading_code_share(const Run& run);

/// What of the time in process() goes into something that code can often do without; nothing that
/// the frames do not show.
struct CodePattern {
  enum class Kind : std::uint8_t {
    costly,    ///< it is needed, in part
    needless,  ///< the same can be had without
    set_up     ///< what it makes does not depend on events: one time in a worker is enough
  };
  std::string what;      ///< the call that the frames show, and who makes it
  std::string_view how;  ///< what commonly helps
  double share = 0;      ///< of the samples in process()
  Kind kind = Kind::costly;
  double called_back = 0;  ///< of these, in functions of the analysis that they call
  double chunks = absent;  ///< of a set-up: in which it was seen, by samples that know their task
  std::string caller{};    ///< the function of the analysis that calls it most; "" = none has half
  /// Of these samples, beyond `share`: those at lines that call it. What holds the interpreter's
  /// lock is looked at when it has ended.
  double at_calls = 0;
};

/// Those that frames show, most first.
std::vector<CodePattern> code_patterns(const Run& run);

/// [core-s] Samples of tasks in which importlib compiles the source of a module that it imports,
/// as it does where there is no byte code of it (docs.python.org, importlib:
/// SourceLoader.source_to_code). 0 without samples that know their task.
double seconds_compiling_modules(const Run& run);

/// The function of the analysis in which most samples of Python's garbage collector are; "" where
/// none has most of them, and without Dask, whose callback shows them. `share`: of the tasks' time
/// that collections took; where samples show less than half of it they were elsewhere.
std::string collecting_function(const Run& run, double share);

/// A function of a library as people call it: "numpy's histogram", "pandas' concat"; "awkward" of
/// one whose name says nothing, "numba" of what stands around code that it compiled, which has no
/// frames.
std::string called_text(const profile::FrameFacts& facts, FrameId frame);

/// The library function that `function` of the analysis calls and that has most of its own samples,
/// in a section where one is named: "awkward's broadcast"; "" where none has most of them.
std::string mostly_in(const Run& run, const std::string& function, const std::string& section = {});

/// A line of the analysis.
struct CodeLine {
  std::string file;
  double line = absent;
  double share = 0;  ///< of what is asked: of a function's time, say
  /// What it calls there that has no frame, as the code names it (`np.sort`), for most of the
  /// line's time: one, or two ("np.sort and np.exp"); "" where that is not known.
  std::string native;
  std::string text;  ///< as it stands there; "" where that was not recorded
};
/// The one that has more than half of what is asked, beyond what so many samples scatter by; else
/// the two to four that together have, most first. Empty where it takes more.
using CodeLines = std::vector<CodeLine>;

/// A line of the analysis, with what it calls that is of no function of the analysis, in chunks; by
/// the samples that know their task.
struct LineWork {
  std::string function;     ///< that it is of
  CodeLine at;              ///< `share`: of all lines
  double core_seconds = 0;  ///< lines come to what the function has in `core_time_tree`
  double of_function = 0;   ///< its part of that
  double waiting = absent;  ///< [core-s] of these off the CPU
};
/// Every line that was seen, most first; process() and its own lines among them. Empty without such
/// samples.
std::vector<LineWork> line_work(const Run& run, const Selection& selection, const Options& options);

/// What a function of the analysis did, by the samples that know their task; absent and empty where
/// there are none.
struct FunctionWork {
  double reading = absent;            ///< part of its time in code that reads ROOT files
  double off_cpu = absent;            ///< part of its time off the CPU
  double off_cpu_of_others = absent;  ///< likewise of all other functions
  CodeLines lines;                    ///< that most of its time is at
  std::string section;                ///< in which it is for more than half of its time
  /// All in which it was seen, with their parts of its time.
  std::vector<std::pair<std::string, double>> sections;
  std::string caller;   ///< of the analysis, other than process(): nearly all calls
  CodeLines called_at;  ///< where that calls it
  /// The function of a library that calls it back, or what calls it, for most of its time:
  /// "scipy's quad"; "" where none has most.
  std::string called_back_by;
  double called_back = 0;  ///< part of its time in such calls
  std::string by_whom;     ///< the function of the analysis that calls that one
  /// Those whose chunks alone it was seen in: half of all and three at most, where that is certain.
  std::vector<std::string> datasets;
};
/// In a section where one is named, and in none within it; `datasets` are of all of process().
FunctionWork work_of(const Run& run, const std::string& function, const std::string& section = {});

/// Times as long that are no slower machine's.
inline constexpr double hardly_longer = 1.1;

/// The function of the analysis in which chunks took longer.
struct SlowestFunction {
  std::string name;         ///< "" where none has most of it, or samples do not know their chunk
  double off_cpu = absent;  ///< part of its time in these chunks
  bool is_alone = false;    ///< the others took hardly longer there: it is no slower machine
};
/// `longer`: [s] by which each chunk took longer than the others; of those that did not 0. Where a
/// section is named, in it: `seconds` are what each chunk spent there.
SlowestFunction slowest_function(const Run& run, const std::vector<double>& longer,
                                 const std::string& section = {},
                                 const std::vector<double>& seconds = {});

/// Where chunks were off the CPU in process(), by their threads' clocks, beyond what their CPU time
/// lets expect where they wanted one: most of it. What none has most of is empty or absent.
struct WaitingPlace {
  std::string section;
  std::string function;  ///< of the analysis
  CodeLines lines;       ///< most of what was in that function
};
/// All empty where samples do not know their CPU time.
WaitingPlace waiting_place(const Run& run);

/// [s] of the functions of the analysis in process() that have at least so much in all, by chunk;
/// process() itself aside. Absent of chunks that no sample is of.
std::vector<struct SectionColumn> function_seconds(const Run& run, double least);

/// What the processor's tasks waited for, as shares of their samples; the samples of blocking calls
/// tell (a lock's, a socket's, another thread's). All absent without a profile.
struct BlockedShares {
  double all = absent;              ///< in any blocking call
  double reading_inside = absent;   ///< below code that reads files, in process()
  double reading_outside = absent;  ///< likewise, outside it
  double locks = absent;            ///< below code that takes a lock
  double inside = absent;           ///< samples in process()
  std::string lock_function;        ///< of the analysis, with most of the samples in locks
  double elsewhere = absent;        ///< blocked in process(), neither reading nor taking a lock
  std::string elsewhere_function;   ///< of the analysis, with most of them
  /// Off the CPU in process(), by the threads' own clocks, neither reading nor taking a lock: of
  /// the function of the analysis with most of it. Absent where samples have no CPU time.
  double off_cpu = absent;
  std::string off_cpu_function;
  double off_cpu_of_function = absent;  ///< share of the function's own samples
  double off_cpu_of_others = absent;    ///< likewise of all other code in process()
};
BlockedShares blocked_shares(const Run& run);

/// What the tasks of chunks were off the CPU for, by their own rows.
struct MeasuredWaiting {
  double wall = 0, off_cpu = 0;  ///< [core-s]
  double for_input = absent;     ///< [core-s] for bytes that they had requested
  /// [core-s] in which their threads could run and had no CPU (`run_delay`); absent where a row
  /// does not tell.
  double for_cpu = absent;

  double share_for_input() const { return ratio(for_input, wall); }
  double share_for_cpu() const { return ratio(for_cpu, wall); }
};
MeasuredWaiting measured_waiting(const Run& run);

/// What a worker did over the whole run, by the task stream.
struct WorkerWork {
  double executions = absent;  ///< of the processor
  double lost = absent;        ///< of them, done again elsewhere or later
  double chunks = 0;           ///< that are known to be this worker's
  /// By `Paces`: against other workers, so that the mix of datasets does not matter.
  double times_others = absent;
};

/// In the order of the workers, kept by the run; empty without a task stream.
const std::vector<WorkerWork>& worker_work(const Run& run, StringId processor);

/// More than this many robust spreads above the others is unlike them.
inline constexpr double unlike_spreads = 3;
/// Below that excess a worker is like the others however alike these are.
inline constexpr double least_excess = 0.1;
/// A worker with fewer chunks, and a cluster with fewer such workers, tells nothing.
inline constexpr std::size_t least_chunks_of_worker = 5;

/// From which `times_others` on a worker is slow; infinite where too few workers tell.
double slow_from(const std::vector<WorkerWork>& work);

}  // namespace crema::runtime
