#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/model/run.hpp"

namespace crema::diagnose {

/// What a rule needs to have been recorded; without it the rule is silent.
enum class Recording : std::uint8_t {
  chunks,       ///< the chunk list
  sections,     ///< track_time() in chunks
  tracking,     ///< the workers' series
  task_stream,  ///< single tasks, and which worker ran a chunk
  profile,      ///< call trees
  activities,   ///< Dask's seconds by task prefix and activity
  files,        ///< facts of the input files
  rows,         ///< what `crema.record` measured of tasks and machines
  warnings,     ///< what workers logged
  notes         ///< what reading found out about the recording
};
bool is_recorded(const Run& run, Recording recording);

/// The parts of the core-time that the excess account tells apart. Of a cause `nothing`: it costs
/// none of what was available, or how much is not known; in the account what is not told apart.
enum class CostIn : std::uint8_t {
  computing,
  waiting,
  outside_process,
  lost_work,
  merging,
  other_tasks,
  idle,
  nothing
};
struct CostInFields {
  std::string_view id, label;
};
inline constexpr std::array all_costs = {
    CostInFields{"computing", "Computing in process()"},
    CostInFields{"waiting", "Waiting in process()"},
    CostInFields{"outside_process", "Processor tasks, outside"},
    CostInFields{"lost_work", "Repeated work"},
    CostInFields{"merging", "Merging results"},
    CostInFields{"other_tasks", "Other tasks"},
    CostInFields{"idle", "Idle"},
    CostInFields{"not_separated", "Not separated"}};
inline constexpr const CostInFields& fields_of(CostIn part) {
  return all_costs[static_cast<std::size_t>(part)];
}

/// Whether a cause costs in the rest of a run what it cost so far. One that passes is over once it
/// is seen (a start, a moment), or it is not known how much of the rest it concerns (a file).
enum class Lasting : std::uint8_t { lasts, passes };

/// How far what was recorded holds a cause, the firmest first.
enum class Grounds : std::uint8_t {
  measured,    ///< recorded of exactly this
  bounded,     ///< a difference beyond chance, or an estimate within bounds
  consistent,  ///< it explains what was recorded, as other causes may
  unknown      ///< the symptom was recorded, no cause
};

// What `library_threads` and `busy_loop` say alike.
#define CREMA_OFF_CPU_BESIDE                                                                   \
  "[All {usable} CPUs were busy. ]Tasks were off the CPU for {share_off} of their time[, for " \
  "{turns} although they had a CPU when they could run: threads of a process take turns at "   \
  "Python code (GIL)]. "

// Every cause that a finding can name, declared here and nowhere else: enumerator, id, the view
// that shows it by its name on screen, what its rule needs, the rule that finds it, the part of the
// core-time that it costs, the firmest grounds that the rule can have, whether it lasts, and what
// it looks at. Where a finding's sentences need no more than its measurements, its title and
// evidence follow: {share}, {cost} and {saving} are the finding's own, other names those of
// measurements. What stands in [] is left out where it names one that is missing. Ids, rules, the
// question `rules`, docs, the page and the benchmark of causes are made from this list. Its order
// decides between findings of equal rank.
#define CREMA_CAUSES(CAUSE)                                                                        \
  CAUSE(failed_tasks, "failed-tasks", "Timelines", task_stream, failed_tasks, lost_work, measured, \
        passes, "tasks that raised an exception")                                                  \
  CAUSE(outside_process, "outside-process", "Timelines", activities, outside_process,              \
        outside_process, measured, lasts, "time of the processor's tasks outside process()")       \
  CAUSE(start_up, "start-up", "Timelines", tracking, start_up, idle, measured, passes,             \
        "time until chunks ran on nearly all cores")                                               \
  CAUSE(client_delays, "client-delays", "Timelines", rows, start_up, nothing, measured, passes,    \
        "a client that is in the analysis's own code before the first task",                       \
        "The client was in {function} for {seconds} before the first task",                        \
        "It was on a CPU for {cpu} of that. Until the first chunks ran, {idle} of cores were "     \
        "there and idle. The whole run took {elapsed}. What does not change from run to run can "  \
        "be kept.")                                                                                \
  CAUSE(library_start, "library-start", "Timelines", activities, library_start, idle, measured,    \
        passes, "libraries of TaskVine that start while tasks wait for them",                      \
        "{share} of the core-time was idle while libraries started",                               \
        "Tasks were ready, and {cost} of cores were on workers where a library that runs them "    \
        "had been sent and not started; {libraries} were sent. A library imports what its tasks "  \
        "need. Possible cause: a large environment that is sent and unpacked.")                    \
  CAUSE(pre_processing, "pre-processing", "Fine metrics", activities, pre_processing, other_tasks, \
        measured, passes, "files that are opened to count their events")                           \
  CAUSE(tail, "tail", "Timelines", chunks, tail, idle, measured, passes,                           \
        "cores that idle while the last chunks run")                                               \
  CAUSE(idle_unknown, "idle-unknown", "Timelines", activities, idle_unknown, idle, unknown,        \
        passes, "idle cores that no other finding explains")                                       \
  CAUSE(                                                                                           \
      unused_preload, "unused-preload", "Input", rows, unused_preload, outside_process, bounded,   \
      lasts, "branches that are read ahead of process() and never used in it",                     \
      "Chunks read {bytes} ahead of process() that it never used",                                 \
      "Nothing in process() read {unused} of the {all} branches that were read while files were "  \
      "opened, {branch} among them. They are {part} of the bytes; by that part they took up to "   \
      "{cost}. What a dataset's preload names in the fileset is read in each chunk, used or not.") \
  CAUSE(held_up, "held-up", "Timelines", rows, held_up, outside_process, measured, passes,         \
        "tasks that spend far longer outside process() than others",                               \
        "{few} spent up to {longest} outside process(), others {usual}",                           \
        "{cost} more than others, between {begin} and {end}. In all, process() included, they "    \
        "waited for requests of input for {input}; what else held them up is unknown.")            \
  CAUSE(tasks_elsewhere, "tasks-elsewhere", "Timelines", rows, tasks_elsewhere, idle, measured,    \
        passes, "cores that idle while tasks wait for other workers",                              \
        "{share} of the core-time was idle while tasks waited for other workers",                  \
        "Tasks had been assigned to workers that could not begin them, while {cost} of other "     \
        "cores had none. Possible causes: work stealing that is off, a worker-saturation above "   \
        "1.1, tasks that are bound to workers (worker_affinity), and workers that came after "     \
        "tasks had been assigned.")                                                                \
  CAUSE(tasks_bound, "tasks-bound", "Timelines", rows, tasks_elsewhere, idle, measured, passes,    \
        "tasks that may run on certain workers only",                                              \
        "{share} of the core-time was idle while tasks waited for workers they were bound to",     \
        "{bound} of {ended} tasks could run on certain workers only.[ {needing} needed a "         \
        "resource that only some workers have.][ {named} were bound by worker_affinity of "        \
        "coffea's executor, or by workers= of Dask.][ {unused} of {workers} workers ran no "       \
        "chunk.] Meanwhile {cost} of other cores idled.")                                          \
  CAUSE(                                                                                           \
      runs_in_series, "runs-in-series", "Timelines", rows, runs_in_series, idle, measured, passes, \
      "cores that idle from one call of a runner to the next",                                     \
      "{runs} calls of a runner, one after the other: {cost} of cores idled between them",         \
      "From when the last chunk of one began until cores had chunks of the next: the end of "      \
      "one, merging, opening files ahead[, and {client} in which the client computed][, most of "  \
      "it in {function}]. Calls that do not need each other's results can be one, with one end.")  \
  CAUSE(hooked, "hook", "Flame graph", rows, hooked, computing, measured, lasts,                   \
        "functions that Python calls at each step of a task",                                      \
        "{hook} was on while tasks ran: it {effect}",                                              \
        "It was on in {chunks}.[ Python calls {called}, at each call or line; tracemalloc notes "  \
        "each piece of memory.] How long that took is unknown. Possible "                          \
        "causes: a debugger, profiler or coverage tool that was left on, or PYTHONTRACEMALLOC in " \
        "the environment of the workers.")                                                         \
  CAUSE(foreign_tasks, "other-tasks", "Timelines", activities, foreign_tasks, other_tasks,         \
        measured, lasts, "tasks that are neither chunks nor coffea's own",                         \
        "{share} of the core-time was other tasks: {name}",                                        \
        "{cost} in tasks that by their names are neither chunks nor pre-processing nor merging. "  \
        "Possible cause: another processor or client, or tasks that the analysis submits itself.") \
  CAUSE(serialization, "serialization", "Fine metrics", activities, conversion, outside_process,   \
        measured, lasts, "serializing and deserializing results",                                  \
        "{share} of the core-time was (de)serialization",                                          \
        "{cost} over all tasks, as counted by Dask.")                                              \
  CAUSE(compression, "compression", "Fine metrics", activities, conversion, outside_process,       \
        measured, lasts, "compressing and decompressing results",                                  \
        "{share} of the core-time was (de)compression",                                            \
        "{cost} over all tasks, as counted by Dask.")                                              \
  CAUSE(spilling, "spilling", "Fine metrics", activities, spilling, nothing, measured, lasts,      \
        "results that Dask wrote to disk",                                                         \
        "{spilled} were written to disk: workers ran short of memory",                             \
        "Writing and reading them took {cost}, as counted by Dask, without the pauses of "         \
        "workers. More memory per worker, smaller chunks or smaller results may avoid it.")        \
  CAUSE(reduction, "reduction", "Fine metrics", activities, reduction, merging, measured, passes,  \
        "merging of results")                                                                      \
  CAUSE(heavy_output, "heavy-output", "Fine metrics", task_stream, reduction, merging, consistent, \
        lasts, "results that grow with the events")                                                \
  CAUSE(lock, "lock", "Flame graph", profile, waiting, waiting, measured, lasts,                   \
        "tasks that wait for a lock")                                                              \
  CAUSE(native_lock, "lock", "Fine metrics", activities, waiting, waiting, consistent, lasts,      \
        "tasks that run one at a time although there are enough cores")                            \
  CAUSE(cpu_limit, "cpu-limit", "Fine metrics", activities, waiting, waiting, consistent, lasts,   \
        "a limit on the CPU of the workers")                                                       \
  CAUSE(interpreter_lock, "interpreter-lock", "Fine metrics", activities, waiting, waiting,        \
        consistent, lasts, "threads that wait for Python's interpreter lock (GIL)")                \
  CAUSE(oversubscribed, "oversubscribed", "Fine metrics", activities, waiting, waiting,            \
        consistent, lasts, "more threads than cores on a host")                                    \
  CAUSE(library_threads, "library-threads", "Timelines", rows, waiting, waiting, consistent,       \
        lasts, "threads of workers beside those that run tasks",                                   \
        "Threads that ran no task used {others} CPUs in the workers",                              \
        CREMA_OFF_CPU_BESIDE                                                                       \
        "[A thread of {thread} used {thread_cpus} of them. ]"                                      \
        "Possible causes: threads that the analysis itself starts, or what a client runs on "      \
        "workers beside tasks[; or numeric libraries that start {each} in every worker: "          \
        "OMP_NUM_THREADS=1, OPENBLAS_NUM_THREADS=1 and MKL_NUM_THREADS=1 in the environment of "   \
        "the workers keep one].")                                                                  \
  CAUSE(thread_beside, "thread-beside", "Timelines", rows, thread_beside, nothing, measured,       \
        lasts, "threads that the analysis or a preload starts in workers",                         \
        "A thread of {thread} computed for {cost} beside the tasks",                               \
        "{place} is what it was started for, in {workers}: {cpus} CPUs in all while chunks ran. "  \
        "It takes turns with the tasks of its process at Python code (GIL), and has a CPU that "   \
        "they may want. What starts it may be a preload, client.run or the analysis.")             \
  CAUSE(                                                                                           \
      busy_loop, "busy-loop", "Timelines", rows, waiting, waiting, measured, lasts,                \
      "event loops of workers that compute beside tasks",                                          \
      "The event loops of the workers used {loop} CPUs beside the tasks[: profile.interval is "    \
      "{profile}]",                                                                                \
      CREMA_OFF_CPU_BESIDE                                                                         \
      "[Dask's profiler looks at their stacks there at that interval, by default each {usual}. ]"  \
      "[{samples} of the samples of event loops are in {function}, which is not Dask's code. ]"    \
      "[{samples} of the samples of event loops are in Dask's {dask}. ]"                           \
      "An event loop runs plugins, metrics and what a client runs on workers (client.run), and "   \
      "sends, receives and unpacks data.")                                                         \
  CAUSE(                                                                                           \
      reads_more, "reads-more", "Input", rows, reads_more, waiting, measured, passes,              \
      "chunks that read far more of files than they ask for",                                      \
      "{few} read {read} from files, of which {asked} were asked for",                             \
      "They waited {cost} longer than others for their requests. What can read more: archives "    \
      "(zip://), which are unpacked from the beginning for each request[, {archive} among them], " \
      "and caches of fsspec that copy or read ahead.")                                             \
  CAUSE(bandwidth_limited, "bandwidth-limited", "Input", profile, waiting, waiting, bounded,       \
        lasts, "storage that gives no more bytes per second")                                      \
  CAUSE(waiting, "waiting", "Fine metrics", activities, waiting, waiting, measured, lasts,         \
        "tasks that wait, for any other cause")                                                    \
  CAUSE(slow_host, "slow-host", "Chunks", chunks, slow_groups, computing, bounded, passes,         \
        "storage hosts that are slow for their events")                                            \
  CAUSE(slow_site, "slow-site", "Chunks", chunks, slow_groups, computing, bounded, passes,         \
        "sites behind a cache that are slow")                                                      \
  CAUSE(slow_worker, "slow-worker", "Chunks", task_stream, slow_groups, computing, bounded, lasts, \
        "workers that take longer for the same work")                                              \
  CAUSE(slow_dataset, "slow-dataset", "Chunks", chunks, slow_groups, computing, bounded, lasts,    \
        "datasets that cost more per event")                                                       \
  CAUSE(slow_cell, "slow-cell", "Chunks", sections, slow_groups, computing, bounded, passes,       \
        "sections that are slow in one dataset")                                                   \
  CAUSE(slow_file, "slow-file", "Chunks", chunks, slow_groups, computing, bounded, passes,         \
        "files that are slow among their dataset's")                                               \
  CAUSE(slow_half, "slow-half", "Chunks", chunks, slow_groups, computing, bounded, lasts,          \
        "entries in the first or the second half of files that take longer")                       \
  CAUSE(slow_moment, "slow-moment", "Timelines", chunks, slow_groups, computing, bounded, passes,  \
        "stretches of time in which all chunks are slow")                                          \
  CAUSE(first_chunks, "first-chunks", "Chunks", task_stream, slow_groups, computing, bounded,      \
        passes, "first chunks of workers that take longer than their others")                      \
  CAUSE(longer_with_each, "longer-with-each", "Chunks", task_stream, slow_groups, computing,       \
        bounded, passes, "chunks that take longer, the more of them their worker has done")        \
  CAUSE(first_of_files, "first-of-files", "Chunks", task_stream, slow_groups, computing, bounded,  \
        lasts, "chunks that are a worker's first of their file and take longer")                   \
  CAUSE(memory_near_limit, "memory-near-limit", "Timelines", tracking, memory_near_limit, idle,    \
        measured, lasts, "workers near their memory limit")                                        \
  CAUSE(garbage_collection, "garbage-collection", "Timelines", warnings, garbage_collection,       \
        nothing, measured, lasts, "time that workers spend in garbage collection")                 \
  CAUSE(collecting, "garbage-collection", "Timelines", rows, garbage_collection, computing,        \
        measured, lasts, "time of tasks in garbage collection",                                    \
        "{part} of the tasks' time was Python's garbage collection[, most in {function}]",         \
        "[{collections} collections, ]{cost}[, {called} of it by gc.collect(), most at "           \
        "{collector}; the collector runs by itself, too].[ It runs where gc.collect() is called, " \
        "and as {objects} are made that can refer to others: lists and dictionaries, not arrays. " \
        "It goes through all that live: fewer, or gc.freeze() once they are made, leave it less "  \
        "to do.]")                                                                                 \
  CAUSE(system_time, "system-time", "Flame graph", rows, system_time, computing, consistent,       \
        lasts, "CPU time in the operating system",                                                 \
        "{part} of the tasks' CPU time was in the operating system",                               \
        "{cost} more than a tenth of it. A chunk takes at least {above} for a moment, beyond "     \
        "what it begins and ends with. Possible cause: arrays of 32 MiB and more that are soon "   \
        "dropped: their memory is taken from the system and given back each time, and cleared "    \
        "in between. Arrays that are written in place (out=) avoid it.")                           \
  CAUSE(page_faults, "page-faults", "Flame graph", rows, system_time, computing, bounded, lasts,   \
        "page faults of memory that is given back and taken again",                                \
        "At least {part} of the tasks' CPU time was page faults",                                  \
        "{each} of them a chunk: chunks with more took longer in the operating system, {cost} in " \
        "all, by the lower end of the slope's 95 % range. {name} is {setting} in the workers: so " \
        "glibc takes large arrays from the system each time.[ {code}, before a cluster is made "   \
        "and where its workers start, leaves it to glibc.][ {unset}.] Workers may keep more "      \
        "memory then.")                                                                            \
  CAUSE(slow_setting, "slow-setting", "Flame graph", rows, slow_settings, nothing, consistent,     \
        lasts, "variables of the environment, and settings of Dask, that make code slower",        \
        "{name} is {setting} in the workers: {effect}",                                            \
        "By default it is {usual}. Whether the analysis uses what it slows, and how much time "    \
        "that took, is unknown. A recording without it would show it: unset it where workers "     \
        "start.")                                                                                  \
  CAUSE(unresponsive, "unresponsive", "Timelines", warnings, unresponsive, nothing, consistent,    \
        passes, "workers that are unresponsive")                                                   \
  CAUSE(lost_work, "lost-work", "Timelines", activities, lost_work, lost_work, bounded, passes,    \
        "work that was repeated after workers left")                                               \
  CAUSE(workers_lost, "workers-lost", "Timelines", tracking, lost_work, nothing, unknown, passes,  \
        "workers that left before the end")                                                        \
  CAUSE(late_workers, "late-workers", "Timelines", tracking, late_workers, nothing, measured,      \
        passes, "workers that join late")                                                          \
  CAUSE(clock_skew, "clock-skew", "Data notes", notes, recording_notes, nothing, measured, passes, \
        "times that do not fit together")                                                          \
  CAUSE(versions_differ, "versions-differ", "Data notes", notes, recording_notes, nothing,         \
        measured, passes, "workers that run different versions")                                   \
  CAUSE(settings_differ, "settings-differ", "Data notes", notes, recording_notes, nothing,         \
        measured, passes, "workers that have different settings")                                  \
  CAUSE(slow_opening, "slow-opening", "Input", rows, slow_opening, outside_process, measured,      \
        lasts, "files of one dataset or host that take longer to open than others")                \
  CAUSE(small_chunks, "small-chunks", "Chunks", chunks, small_chunks, outside_process, bounded,    \
        lasts, "chunks whose cost is mostly fixed")                                                \
  CAUSE(small_files, "small-files", "Input", rows, small_files, outside_process, bounded, lasts,   \
        "files that are small for what it takes to open them",                                     \
        "{files} files of {events} events each: opening them took {cost}",                         \
        "{again} of it in chunks, {ahead} ahead of them to count events. A chunk is at most a "    \
        "file: files merged (hadd) by twos, in chunks twice as large, open half as often.")        \
  CAUSE(large_chunks, "large-chunks", "Chunks", chunks, large_chunks, idle, measured, passes,      \
        "too few chunks, or too long ones")                                                        \
  CAUSE(stopped, "stopped", "Timelines", rows, stopped, waiting, bounded, passes,                  \
        "workers that stand still while they run tasks")                                           \
  CAUSE(stragglers, "stragglers", "Chunks", chunks, stragglers, computing, bounded, passes,        \
        "chunks that take far longer than expected")                                               \
  CAUSE(lost_chunks, "lost-chunks", "Data notes", chunks, lost_chunks, nothing, measured, passes,  \
        "chunks that are missing from the recording")                                              \
  CAUSE(empty_chunks, "empty-chunks", "Chunks", chunks, empty_chunks, nothing, measured, passes,   \
        "chunks without events", "{empty} of {chunks} have no events: {cost}",                     \
        "They are of {files}[, all of {dataset}]. A chunk without events took {each} on average: " \
        "its file is opened, process() runs, and an empty result is merged. Files without events " \
        "can be left out of the fileset.")                                                         \
  CAUSE(processed_twice, "processed-twice", "Chunks", chunks, processed_twice, computing,          \
        measured, passes, "entries of files that several chunks processed")                        \
  CAUSE(repeated_calls, "repeated-calls", "Chunks", rows, repeated_calls, outside_process,         \
        measured, passes, "calls of a runner that process the same entries",                       \
        "{calls} calls of the runner process entries that another call processes",                 \
        "{again} of {chunks} had been processed by an earlier call. Starting them, opening and "   \
        "reading again took {cost}; the rest of process() took {inside}. One call with a "         \
        "processor that does all of it reads once, and computes once what the calls have in "      \
        "common. This does not work if a later call needs the result of an earlier one.")          \
  CAUSE(failed_chunks, "failed-chunks", "Chunks", chunks, failed_chunks, nothing, measured,        \
        passes, "chunks whose record has an error", "{failed} failed",                             \
        "Their records carry an error; their events are missing from the result.")                 \
  CAUSE(reads_much, "reads-much", "Input", files, reads_much, computing, consistent, lasts,        \
        "how much of its files the analysis reads")                                                \
  CAUSE(unused_branches, "unused-branches", "Input", files, reads_much, computing, consistent,     \
        lasts, "branches that are read and possibly never used")                                   \
  CAUSE(baskets_read_again, "baskets-read-again", "Input", files, baskets_read_again, computing,   \
        bounded, lasts, "baskets that several chunks read")                                        \
  CAUSE(other_events, "other-events", "Input", rows, other_events, computing, bounded, lasts,      \
        "chunks that read events of other chunks",                                                 \
        "Chunks read about {others} of other chunks' events",                                      \
        "That is {part} of the {read} that they read of branches[, most of it of {branch}]: it "   \
        "is in baskets without events of their own. Possible cause: code in process() that opens " \
        "files itself and reads them as a whole. With entry_start and entry_stop it reads a "      \
        "chunk's own events; what is the same for all chunks can be read once.")                   \
  CAUSE(read_twice, "read-twice", "Input", rows, read_twice, computing, measured, lasts,           \
        "tasks that read the same baskets several times",                                          \
        "Chunks read {again} of branches that they had read before",                               \
        "That is {part} of the {read} that they read of branches, in baskets that the same task "  \
        "had read; reading and unpacking them took {cost}. Possible cause: code in process() "     \
        "that opens the file of its events again. What it is given has these branches.")           \
  CAUSE(codec, "codec", "Input", files, codec, computing, consistent, passes,                      \
        "files that are compressed differently from the others",                                   \
        "{file} is compressed to {packed} of its size, the others of its dataset to {usual}",      \
        "Its chunks took {cost} more than the same events in the others of {dataset}. Possible "   \
        "cause: another codec or level: {why}.")                                                   \
  CAUSE(slow_codec, "codec", "Input", rows, slow_codec, computing, bounded, lasts,                 \
        "columns that take more CPU to unpack than the same ones with another codec",              \
        "Columns packed with {codec} took {times} times as much CPU to read as with {other}",      \
        "{cost} more, by the CPU of each byte of the same columns, unpacked: {slow} of them are "  \
        "packed with {codec}, {fast} with {other}.[ {codec} is that of files of {datasets}.] "     \
        "Files written anew with {other} may be larger. Columns of other datasets hold other "     \
        "numbers, which may take another time.")                                                   \
  CAUSE(lzma, "codec", "Input", rows, slow_codec, computing, measured, lasts,                      \
        "columns packed with LZMA",                                                                \
        "Reading columns that are packed with LZMA took {cost} of CPU time",                       \
        "{rate} of unpacked columns in a second, {read} in all. LZMA packs densest, and unpacks "  \
        "slowest of ROOT's codecs: files written anew with ZSTD (hadd -f505) are read several "    \
        "times as fast.")                                                                          \
  CAUSE(                                                                                           \
      small_baskets, "small-baskets", "Input", rows, small_baskets, computing, bounded, lasts,     \
      "columns in much smaller baskets than the same ones of another dataset",                     \
      "Baskets of {dataset} hold {small}, those of {other} {usual}: reading took {times} times "   \
      "as much CPU",                                                                               \
      "{cost} more, by the CPU of each byte of the same columns, unpacked, in {baskets} baskets. " \
      "Each basket is found, unpacked and joined by itself, whatever it holds. Files written "     \
      "anew with larger baskets (hadd -O) have fewer.")                                            \
  CAUSE(                                                                                           \
      blocked_scheduler, "blocked-scheduler", "Timelines", rows, blocked_scheduler, idle,          \
      measured, passes, "an event loop of the scheduler that stands still",                        \
      "The scheduler was held up for {late}[, mostly in {function}], while tasks waited",          \
      "Its event loop was late by {longest} at most. Meanwhile no worker gets a task; {cost} of "  \
      "cores were idle.[ {part} of the samples of its event loop are in {function}, which is not " \
      "Dask's code.][ Possible causes: code that {computes} in its process, such as the client's " \
      "or a plugin's, or very many tasks at once.][ Its process used {cpu} of CPU time "           \
      "meanwhile: it hardly computed. Possible causes: a process that is suspended (Ctrl-Z, a "    \
      "debugger, a frozen container), or a call that waits.]")                                     \
  CAUSE(                                                                                           \
      client_beside, "client-beside", "Timelines", rows, blocked_scheduler, idle, measured,        \
      passes, "code of the client's that computes in the scheduler's process while tasks run",     \
      "{thread} computed for {seconds} beside the run, in the scheduler's process",                \
      "{place} is what its thread was started for. The event loop of the scheduler was late by "   \
      "{late}, by {longest} at most: meanwhile no worker gets a task.[ For {taken} it had a CPU "  \
      "that tasks waited for.] Compute it before or after the run, in a task, or in another "      \
      "process.")                                                                                  \
  CAUSE(client_computes, "client-computes", "Timelines", rows, client_computes, idle, measured,    \
        passes, "a client that computes while no task runs",                                       \
        "The client computed for {seconds} {when}",                                                \
        "No task ran meanwhile.[ Most of it was in {function}.] Do it in tasks, or while tasks "   \
        "run, or when no worker waits.")                                                           \
  CAUSE(client_prepares, "client-prepares", "Timelines", rows, client_computes, idle, measured,    \
        passes, "a client that runs coffea or Dask while no task runs",                            \
        "The client computed for {seconds} {when}, most of it in coffea or Dask",                  \
        "No task ran meanwhile.[ Most of it was in {function}.][ There Dask makes the names of "   \
        "tasks from {named}, item by item: large tables in the metadata of datasets, or in the "   \
        "processor, take long.] Possible causes: preparing tasks of many files and chunks, or of " \
        "large metadata of the fileset, or merging results.")                                      \
  CAUSE(foreign_load, "foreign-load", "Timelines", rows, waiting, waiting, measured, lasts,        \
        "programs beside the run that use its CPUs")                                               \
  CAUSE(no_bytecode, "no-bytecode", "Timelines", rows, no_bytecode, outside_process, measured,     \
        passes, "modules that workers compile as they import them",                                \
        "Tasks compiled the modules that they imported for {cost}",                                \
        "Python keeps what it compiles beside each module (__pycache__), and found none that "     \
        "holds: it took {each} in each of {workers}, and more before the first task.[ "            \
        "PYTHONDONTWRITEBYTECODE is {value} in the workers.] Possible causes: "                    \
        "PYTHONDONTWRITEBYTECODE or PYTHONPYCACHEPREFIX, set in workers, or software in a "        \
        "read-only folder. python -m compileall makes them once, as for an image of a container.") \
  CAUSE(large_processor, "large-processor", "Timelines", rows, large_processor, outside_process,   \
        measured, lasts, "a processor that takes long to unpack",                                  \
        "{cost} were spent unpacking the processor",                                               \
        "Each task unpacks it again, for {each}. Possible causes: large tables in it, which "      \
        "workers could read from a file once, or code that runs while it is unpacked "             \
        "(__setstate__, imports).")                                                                \
  CAUSE(memory_grows, "memory-grows", "Timelines", rows, memory_grows, nothing, measured, passes,  \
        "memory of workers that grows with every chunk",                                           \
        "Memory of workers grows with every chunk, by {each}",                                     \
        "After {chunks} the largest had {last}, after its first one {first}; it grew with nearly " \
        "all of them. Results that wait for merging are not counted. Possible cause: "             \
        "objects that are kept between chunks: lists, caches, and closures of tasks.")             \
  CAUSE(needless_calls, "needless-calls", "Flame graph", profile, needless_calls, computing,       \
        measured, lasts, "calls that the analysis can do without", "{all} in {what}",              \
        "{part} of the samples in process() are there.[ Those at the lines that call it may be "   \
        "of it, too: {most} in all.][ {once}, it would cost {cost} less.] {how}.")                 \
  CAUSE(own_function, "own-function", "Flame graph", profile, largest_part, nothing, measured,     \
        passes, "the largest part of the analysis, and what commonly makes it faster")

enum class FindingCause : std::uint8_t {
#define CREMA_ENUMERATOR(name, ...) name,
  CREMA_CAUSES(CREMA_ENUMERATOR)
#undef CREMA_ENUMERATOR
};

/// What the list says of a cause.
struct CauseFields {
  FindingCause cause;
  std::string_view id;    ///< two causes that look alike to a user share one
  std::string_view view;  ///< that shows it, by its name on screen
  Recording needs;        ///< without it the rule is silent
  CostIn cost;
  Grounds grounds;
  Lasting lasting;
  std::string_view looks_at;  ///< a fragment
  std::string_view title{};   ///< with names of measurements; "" where core/report has both
  std::string_view evidence{};
};
inline constexpr std::array all_causes = {
#define CREMA_FIELDS(name, id, view, needs, rule, cost, grounds, lasting, ...) \
  CauseFields{FindingCause::name, id,           view,                          \
              Recording::needs,   CostIn::cost, Grounds::grounds,              \
              Lasting::lasting,   __VA_ARGS__},
    CREMA_CAUSES(CREMA_FIELDS)
#undef CREMA_FIELDS
};
inline constexpr const CauseFields& fields_of(FindingCause cause) {
  return all_causes[static_cast<std::size_t>(cause)];
}
inline constexpr std::string_view id_of(FindingCause cause) { return fields_of(cause).id; }

/// Two causes that share their symptoms, and what tells them apart. A mechanism stands in a title
/// only where each rival is excluded; else the title has both.
struct Rivals {
  FindingCause one, other;
  std::string_view separator;

  bool are(FindingCause a, FindingCause b) const {
    return (one == a && other == b) || (one == b && other == a);
  }
};
inline constexpr std::array all_rivals = [] {
  using enum FindingCause;
  return std::array{
      Rivals{failed_tasks, lost_work, "Dask's status of each execution"},
      Rivals{outside_process, small_chunks, "whether it is paid per chunk or per event"},
      Rivals{small_files, small_chunks, "chunks for each file"},
      Rivals{slow_opening, slow_moment, "other files that are opened at the same time"},
      Rivals{slow_opening, pre_processing, "whether other files take as long to open"},
      Rivals{start_up, idle_unknown, "the first task of each worker"},
      Rivals{unused_preload, outside_process, "branches that nothing in process() reads"},
      Rivals{reads_more, stragglers, "bytes that their processes read, beside those asked for"},
      Rivals{reads_more, bandwidth_limited, "bytes that were read, beside those asked for"},
      Rivals{held_up, outside_process, "whether few tasks have most of it"},
      Rivals{held_up, stragglers, "the time in process()"},
      Rivals{tasks_elsewhere, idle_unknown, "the worker that each task was assigned to"},
      Rivals{tasks_elsewhere, late_workers, "the worker that each task was assigned to"},
      Rivals{tasks_elsewhere, tasks_bound, "restrictions of the tasks that ended"},
      Rivals{runs_in_series, client_computes, "the client's CPU between the runs"},
      Rivals{runs_in_series, tail, "the call of the runner that a task is of"},
      Rivals{hooked, own_function, "what Python calls at each step of the thread"},
      Rivals{first_of_files, first_chunks, "a worker's first chunks of its other files"},
      Rivals{first_of_files, slow_half, "the same entries on other workers"},
      Rivals{start_up, library_start, "when the manager sent libraries, and when they started"},
      Rivals{start_up, late_workers, "when each worker was first seen"},
      Rivals{start_up, client_delays, "whether there were cores to wait for"},
      Rivals{pre_processing, bandwidth_limited, "whether process() waits for reading as well"},
      Rivals{tail, stragglers, "the replay without their excess"},
      Rivals{tail, reduction, "tasks that merge results after the last chunk"},
      Rivals{foreign_tasks, idle_unknown, "Dask's seconds of each task prefix"},
      Rivals{serialization, heavy_output, "bytes of the results"},
      Rivals{compression, heavy_output, "bytes of the results"},
      Rivals{spilling, memory_near_limit, "bytes that Dask wrote to disk"},
      Rivals{reduction, heavy_output, "whether merging keeps the size of results"},
      Rivals{lock, bandwidth_limited, "frames of the samples that block"},
      Rivals{lock, waiting, "frames of the samples that block"},
      Rivals{native_lock, oversubscribed, "CPUs of the host that were free"},
      Rivals{cpu_limit, oversubscribed, "usable CPUs of the host against threads"},
      Rivals{interpreter_lock, oversubscribed, "more than one core in use, or free CPUs"},
      Rivals{library_threads, oversubscribed, "CPU time of a task's process beside its thread's"},
      Rivals{thread_beside, library_threads, "the function that the thread was started for"},
      Rivals{library_threads, busy_loop, "CPU time of the workers' main threads"},
      Rivals{bandwidth_limited, waiting, "whether the time follows the bytes"},
      Rivals{slow_host, slow_dataset, "the same dataset from another host"},
      Rivals{slow_host, slow_moment, "chunks from other hosts at the same time"},
      Rivals{slow_site, slow_host, "other hosts of the site"},
      Rivals{slow_site, slow_moment, "chunks from other sites at the same time"},
      Rivals{slow_worker, slow_dataset, "chunks of the same datasets on other workers"},
      Rivals{slow_worker, slow_moment, "chunks on other workers at the same time"},
      Rivals{slow_dataset, slow_moment, "chunks of other datasets at the same time"},
      Rivals{slow_cell, slow_moment, "other sections of the same chunks"},
      Rivals{slow_file, slow_moment, "chunks of other files at the same time, before or after"},
      Rivals{slow_half, slow_moment, "both halves of several files, read at different times"},
      Rivals{slow_file, slow_dataset, "other files of the dataset"},
      Rivals{garbage_collection, memory_near_limit, "the worker's own count of collections"},
      Rivals{collecting, memory_near_limit, "the time of collections in each task"},
      Rivals{system_time, memory_near_limit, "memory before, within and after each chunk"},
      Rivals{page_faults, system_time, "memory that a chunk takes for a moment"},
      Rivals{slow_setting, own_function, "a run without the setting"},
      Rivals{slow_setting, settings_differ, "whether all workers have it"},
      Rivals{unresponsive, interpreter_lock, "what the worker's event loop reports"},
      Rivals{lost_work, workers_lost, "executions of the same key"},
      Rivals{late_workers, workers_lost, "whether a worker left before"},
      Rivals{clock_skew, idle_unknown, "the same tasks by Dask's own clock"},
      Rivals{versions_differ, settings_differ, "packages and environment of each worker"},
      Rivals{large_chunks, stragglers, "the time that its events let expect"},
      Rivals{stopped, stragglers, "looks at the processes, and their CPU meanwhile"},
      Rivals{stopped, unresponsive, "looks at the processes, and their CPU meanwhile"},
      Rivals{stragglers, slow_file, "other chunks of the file"},
      Rivals{stragglers, slow_moment, "other chunks at the same time"},
      Rivals{empty_chunks, small_chunks, "the events of the chunks"},
      Rivals{processed_twice, lost_work, "how many tasks of the dataset were submitted"},
      Rivals{repeated_calls, processed_twice, "which call of the runner each chunk is of"},
      Rivals{lost_chunks, failed_chunks, "errors in the chunk list"},
      Rivals{reads_much, unused_branches, "the share of all branches"},
      Rivals{baskets_read_again, reads_much, "bytes that the branches hold"},
      Rivals{read_twice, baskets_read_again, "the task that read a basket before"},
      Rivals{other_events, baskets_read_again, "baskets without events of the chunk's own"},
      Rivals{slow_codec, slow_dataset, "the codec, and CPU of the same columns in other files"},
      Rivals{small_baskets, slow_codec, "bytes of a basket in files that are read as quickly"},
      Rivals{lzma, small_baskets, "bytes of a basket"},
      Rivals{codec, slow_file, "the CPU of the workers during its chunks"},
      Rivals{first_chunks, stragglers, "the first chunk of every other worker"},
      Rivals{longer_with_each, slow_moment, "whether workers that began later are as slow"},
      Rivals{blocked_scheduler, clock_skew, "lateness of the scheduler's event loop"},
      Rivals{client_beside, blocked_scheduler, "CPU time of threads of the client's own code"},
      Rivals{client_computes, idle_unknown, "the client's CPU after the last task"},
      Rivals{client_computes, client_prepares, "whose function the client was in"},
      Rivals{foreign_load, oversubscribed, "the run's threads against usable CPUs"},
      Rivals{no_bytecode, outside_process, "samples in which importlib compiles"},
      Rivals{large_processor, outside_process, "the time in which tasks are unpacked"},
      Rivals{memory_grows, memory_near_limit, "memory after each chunk"},
      Rivals{needless_calls, waiting, "samples in process()"},
      Rivals{own_function, waiting, "samples in process()"}};
}();

// What is looked at beside each finding, as it slows down whatever runs, or keeps cores idle:
// enumerator, and what the page calls it.
#define CREMA_SUSPECTS(SUSPECT)                            \
  SUSPECT(off_cpu, "waiting, for whatever")                \
  SUSPECT(for_cpu, "waiting for a CPU")                    \
  SUSPECT(for_input, "waiting for data of ROOT files")     \
  SUSPECT(collecting, "garbage collection")                \
  SUSPECT(system, "CPU time in the operating system")      \
  SUSPECT(opening, "opening files")                        \
  SUSPECT(unpacking, "unpacking the processor")            \
  SUSPECT(client, "computing in the client")               \
  SUSPECT(scheduler, "a scheduler late by 10 ms and more") \
  SUSPECT(failures, "exceptions")                          \
  SUSPECT(memory, "Dask's memory limit")

enum class Suspect : std::uint8_t {
#define CREMA_ENUMERATOR(name, label) name,
  CREMA_SUSPECTS(CREMA_ENUMERATOR)
#undef CREMA_ENUMERATOR
};
struct SuspectFields {
  std::string_view id, label;
};
inline constexpr std::array all_suspects = {
#define CREMA_FIELDS(name, label) SuspectFields{#name, label},
    CREMA_SUSPECTS(CREMA_FIELDS)
#undef CREMA_FIELDS
};
inline constexpr const SuspectFields& fields_of(Suspect suspect) {
  return all_suspects[static_cast<std::size_t>(suspect)];
}

// Every setting that advice can be about, as a script has them, the cluster first: enumerator, its
// name in coffea or Dask, and what its expectation assumes.
#define CREMA_SETTINGS(SETTING)                                                              \
  SETTING(workers, "n_workers, threads_per_worker",                                          \
          "the machine has a core for each process; at best tasks compute all the time")     \
  SETTING(memory_limit, "memory_limit",                                                      \
          "the machine has as much for each worker; results written to disk stay in memory") \
  SETTING(chunk_size, "chunksize", "the model of chunk_sizes")                               \
  SETTING(tree_reduction, "treereduction",                                                   \
          "merging two results takes as long as merging any other two")                      \
  SETTING(preload, "preload", "all waiting is for requests, of which one per chunk remains") \
  SETTING(preprocess, "preprocess", "files and chunk size do not change")

enum class Setting : std::uint8_t {
#define CREMA_ENUMERATOR(name, ...) name,
  CREMA_SETTINGS(CREMA_ENUMERATOR)
#undef CREMA_ENUMERATOR
};

/// What the list says of a setting.
struct SettingFields {
  std::string_view name, assumption;
};
inline constexpr SettingFields fields_of(Setting setting) {
  constexpr std::array all = {
#define CREMA_FIELDS(name, ...) SettingFields{__VA_ARGS__},
      CREMA_SETTINGS(CREMA_FIELDS)
#undef CREMA_FIELDS
  };
  return all[static_cast<std::size_t>(setting)];
}

}  // namespace crema::diagnose
