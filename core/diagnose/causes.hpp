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
  warnings,     ///< what workers logged
  notes         ///< what reading found out about the recording
};
bool is_recorded(const Run& run, Recording recording);

// The parts of the core-time that the excess account tells apart: enumerator, id, label.
#define CREMA_EXCESS_PARTS(PART)                                       \
  PART(computing, "computing", "Computing in process()")               \
  PART(waiting, "waiting", "Waiting in process()")                     \
  PART(outside_process, "outside_process", "Processor tasks, outside") \
  PART(lost_work, "lost_work", "Lost work")                            \
  PART(merging, "merging", "Merging results")                          \
  PART(other_tasks, "other_tasks", "Other tasks")                      \
  PART(idle, "idle", "Idle")                                           \
  PART(nothing, "not_separated", "Not separated")

/// What of the core-time a cause costs; `nothing`: none of what was available, or not known.
enum class CostIn : std::uint8_t {
#define CREMA_ENUMERATOR(name, ...) name,
  CREMA_EXCESS_PARTS(CREMA_ENUMERATOR)
#undef CREMA_ENUMERATOR
};

struct CostInFields {
  std::string_view id, label;
};
inline constexpr std::array all_costs = {
#define CREMA_FIELDS(name, ...) CostInFields{__VA_ARGS__},
    CREMA_EXCESS_PARTS(CREMA_FIELDS)
#undef CREMA_FIELDS
};
inline constexpr const CostInFields& fields_of(CostIn part) {
  return all_costs[static_cast<std::size_t>(part)];
}

/// How far what was recorded holds a cause, the firmest first.
enum class Grounds : std::uint8_t {
  measured,    ///< recorded of exactly this
  bounded,     ///< a difference beyond chance, or an estimate within bounds
  consistent,  ///< it explains what was recorded, as other causes may
  unknown      ///< the symptom was recorded, no cause
};

// Every cause that a finding can name, declared here and nowhere else: enumerator, id, the view
// that shows it by its name on screen, what its rule needs, the rule that finds it, the part of the
// core-time that it costs, the firmest grounds that the rule can have, and what it looks at. Where
// a finding's sentences need no more than its measurements, its title and evidence follow: {share},
// {cost} and {saving} are the finding's own, other names those of measurements. Ids, rules, the
// question `rules`, docs, the page and the benchmark of causes are made from this list. Its order
// decides between findings of equal rank.
#define CREMA_CAUSES(CAUSE)                                                                        \
  CAUSE(failed_tasks, "failed-tasks", "Timelines", task_stream, failed_tasks, lost_work, measured, \
        "tasks that raised an exception")                                                          \
  CAUSE(outside_process, "outside-process", "Timelines", activities, outside_process,              \
        outside_process, measured, "time of the processor's tasks outside process()",              \
        "{outside_share} of the processor tasks' time was outside process()",                      \
        "Each task took {outside} outside process() and {inside} inside. Outside, files are "      \
        "opened, events built, the processor unpickled and results packed; 0.1 s per task is "     \
        "usual.")                                                                                  \
  CAUSE(start_up, "start-up", "Timelines", tracking, start_up, idle, measured,                     \
        "time until chunks ran on nearly all cores")                                               \
  CAUSE(pre_processing, "pre-processing", "Fine metrics", activities, pre_processing, other_tasks, \
        measured, "files that are opened to count their events")                                   \
  CAUSE(tail, "tail", "Timelines", chunks, tail, idle, measured,                                   \
        "cores that idle while the last chunks run")                                               \
  CAUSE(idle_unknown, "idle-unknown", "Timelines", activities, idle_unknown, idle, unknown,        \
        "idle cores that no other finding explains")                                               \
  CAUSE(serialization, "serialization", "Fine metrics", activities, conversion, outside_process,   \
        measured, "serializing and deserializing results",                                         \
        "{share} of the core-time was (de)serialization",                                          \
        "{cost} over all tasks, as counted by Dask.")                                              \
  CAUSE(compression, "compression", "Fine metrics", activities, conversion, outside_process,       \
        measured, "compressing and decompressing results",                                         \
        "{share} of the core-time was (de)compression",                                            \
        "{cost} over all tasks, as counted by Dask.")                                              \
  CAUSE(spilling, "spilling", "Fine metrics", activities, spilling, nothing, measured,             \
        "results that Dask wrote to disk",                                                         \
        "{spilled} of results were written to disk: workers ran short of memory",                  \
        "Writing and reading them took {cost}, as counted by Dask, without the pauses of "         \
        "workers. More memory per worker, smaller chunks or smaller results avoid it.")            \
  CAUSE(reduction, "reduction", "Fine metrics", activities, reduction, merging, measured,          \
        "merging of results")                                                                      \
  CAUSE(heavy_output, "heavy-output", "Fine metrics", task_stream, reduction, merging, consistent, \
        "results that grow with the events")                                                       \
  CAUSE(lock, "lock", "Flame graph", profile, waiting, waiting, measured,                          \
        "tasks that wait for a lock")                                                              \
  CAUSE(native_lock, "lock", "Fine metrics", activities, waiting, waiting, consistent,             \
        "tasks that run one at a time although there are enough cores")                            \
  CAUSE(cpu_limit, "cpu-limit", "Fine metrics", activities, waiting, waiting, consistent,          \
        "a limit on the CPU of the workers")                                                       \
  CAUSE(interpreter_lock, "interpreter-lock", "Fine metrics", activities, waiting, waiting,        \
        consistent, "threads that wait for Python's interpreter lock (GIL)")                       \
  CAUSE(oversubscribed, "oversubscribed", "Fine metrics", activities, waiting, waiting,            \
        consistent, "more threads than cores on a host")                                           \
  CAUSE(bandwidth_limited, "bandwidth-limited", "Input", profile, waiting, waiting, bounded,       \
        "storage that gives no more bytes per second")                                             \
  CAUSE(waiting, "waiting", "Fine metrics", activities, waiting, waiting, measured,                \
        "tasks that wait, for any other cause")                                                    \
  CAUSE(slow_host, "slow-host", "Chunks", chunks, slow_groups, computing, bounded,                 \
        "storage hosts that are slow for their events")                                            \
  CAUSE(slow_site, "slow-site", "Chunks", chunks, slow_groups, computing, bounded,                 \
        "sites behind a cache that are slow")                                                      \
  CAUSE(slow_worker, "slow-worker", "Chunks", task_stream, slow_groups, computing, bounded,        \
        "workers that take longer for the same work")                                              \
  CAUSE(slow_dataset, "slow-dataset", "Chunks", chunks, slow_groups, computing, bounded,           \
        "datasets that cost more per event")                                                       \
  CAUSE(slow_cell, "slow-cell", "Chunks", sections, slow_groups, computing, bounded,               \
        "sections that are slow in one dataset")                                                   \
  CAUSE(slow_file, "slow-file", "Chunks", chunks, slow_groups, computing, bounded,                 \
        "files that are slow among their dataset's")                                               \
  CAUSE(slow_moment, "slow-moment", "Timelines", chunks, slow_groups, computing, bounded,          \
        "stretches of time in which all chunks are slow")                                          \
  CAUSE(memory_near_limit, "memory-near-limit", "Timelines", tracking, memory_near_limit, idle,    \
        measured, "workers near their memory limit")                                               \
  CAUSE(garbage_collection, "garbage-collection", "Timelines", warnings, garbage_collection,       \
        nothing, measured, "time that workers spend in garbage collection")                        \
  CAUSE(unresponsive, "unresponsive", "Timelines", tracking, unresponsive, nothing, consistent,    \
        "workers that are unresponsive")                                                           \
  CAUSE(lost_work, "lost-work", "Timelines", activities, lost_work, lost_work, bounded,            \
        "work that was repeated after workers left")                                               \
  CAUSE(workers_lost, "workers-lost", "Timelines", tracking, lost_work, nothing, unknown,          \
        "workers that left before the end")                                                        \
  CAUSE(late_workers, "late-workers", "Timelines", tracking, late_workers, nothing, measured,      \
        "workers that join late")                                                                  \
  CAUSE(clock_skew, "clock-skew", "Data notes", notes, recording_notes, nothing, measured,         \
        "times that do not fit together")                                                          \
  CAUSE(versions_differ, "versions-differ", "Data notes", notes, recording_notes, nothing,         \
        measured, "workers that run different versions")                                           \
  CAUSE(settings_differ, "settings-differ", "Data notes", notes, recording_notes, nothing,         \
        measured, "workers that have different settings")                                          \
  CAUSE(unbalanced, "unbalanced", "Timelines", tracking, unbalanced, idle, measured,               \
        "workers that are unequally busy",                                                         \
        "{least_share} to {most_share} of the time: workers were unequally busy",                  \
        "{least} ran tasks {least_share} of the time, {most} {most_share}, according to their "    \
        "heartbeats.")                                                                             \
  CAUSE(small_chunks, "small-chunks", "Chunks", chunks, small_chunks, outside_process, bounded,    \
        "chunks whose cost is mostly fixed")                                                       \
  CAUSE(large_chunks, "large-chunks", "Chunks", chunks, large_chunks, idle, measured,              \
        "too few chunks, or too long ones")                                                        \
  CAUSE(stragglers, "stragglers", "Chunks", chunks, stragglers, computing, bounded,                \
        "chunks that take far longer than expected")                                               \
  CAUSE(lost_chunks, "lost-chunks", "Data notes", chunks, lost_chunks, nothing, measured,          \
        "chunks that are missing from the recording")                                              \
  CAUSE(failed_chunks, "failed-chunks", "Chunks", chunks, failed_chunks, nothing, measured,        \
        "chunks whose record has an error", "{failed} failed",                                     \
        "Their records carry an error; their events are missing from the result.")                 \
  CAUSE(unaccounted, "unaccounted", "Chunks", sections, unaccounted, nothing, measured,            \
        "time of process() in no section", "{uncovered} of process() is in no section",            \
        "{cost} inside process() are not timed by any track_time().")                              \
  CAUSE(reads_much, "reads-much", "Input", files, reads_much, computing, consistent,               \
        "how much of its files the analysis reads")                                                \
  CAUSE(unused_branches, "unused-branches", "Input", files, reads_much, computing, consistent,     \
        "branches that are read and probably never used")                                          \
  CAUSE(baskets_read_again, "baskets-read-again", "Input", files, baskets_read_again, computing,   \
        bounded, "baskets that several chunks read")                                               \
  CAUSE(codec, "codec", "Input", files, codec, computing, consistent,                              \
        "files that are compressed differently from the others",                                   \
        "{file} is compressed differently from the other files of its dataset",                    \
        "It is compressed to {packed} of its size, the others of {dataset} to {usual}. Its "       \
        "chunks took {cost} more than expected for their events. Consistent with another codec "   \
        "or level: stronger compression (LZMA) takes longer to unpack.")                           \
  CAUSE(own_function, "own-function", "Flame graph", profile, largest_part, nothing, measured,     \
        "the largest part of the analysis, and what commonly makes it faster")

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
  std::string_view looks_at;  ///< a fragment
  std::string_view title{};   ///< with names of measurements; "" where core/report has both
  std::string_view evidence{};
};
inline constexpr std::array all_causes = {
#define CREMA_FIELDS(name, id, view, needs, rule, cost, grounds, ...)               \
  CauseFields{FindingCause::name, id,         view, Recording::needs, CostIn::cost, \
              Grounds::grounds,   __VA_ARGS__},
    CREMA_CAUSES(CREMA_FIELDS)
#undef CREMA_FIELDS
};
inline constexpr const CauseFields& fields_of(FindingCause cause) {
  return all_causes[static_cast<std::size_t>(cause)];
}
inline constexpr std::string_view id_of(FindingCause cause) { return fields_of(cause).id; }

// What shares a cause's symptoms, and what tells the two apart. A mechanism stands in a title only
// where each rival is excluded; else the title has both, the rival by its phrase.
#define CREMA_RIVALS(RIVAL)                                                                       \
  RIVAL(failed_tasks, workers_lost, "or lost workers", "Dask's status of each execution")         \
  RIVAL(outside_process, small_chunks, "or small chunks",                                         \
        "whether it is paid per chunk or per event")                                              \
  RIVAL(start_up, late_workers, "or late workers", "when each worker was first seen")             \
  RIVAL(start_up, idle_unknown, "or a busy client",                                               \
        "tasks of the scheduler before the first chunk")                                          \
  RIVAL(pre_processing, bandwidth_limited, "or slow storage",                                     \
        "whether process() waits for reading as well")                                            \
  RIVAL(tail, stragglers, "or a straggler", "the replay without the stragglers' excess")          \
  RIVAL(tail, reduction, "or merging", "tasks that merge results after the last chunk")           \
  RIVAL(idle_unknown, start_up, "or the start", "the first task of each worker")                  \
  RIVAL(serialization, heavy_output, "or large results", "bytes of the results")                  \
  RIVAL(compression, heavy_output, "or large results", "bytes of the results")                    \
  RIVAL(spilling, memory_near_limit, "or memory of process()", "bytes that Dask wrote to disk")   \
  RIVAL(reduction, heavy_output, "or results that grow", "whether merging keeps the size")        \
  RIVAL(heavy_output, reduction, "or a deep tree of merges", "whether merging keeps the size")    \
  RIVAL(lock, bandwidth_limited, "or reading", "frames of the samples that block")                \
  RIVAL(native_lock, oversubscribed, "or too few cores", "CPUs of the host that were free")       \
  RIVAL(cpu_limit, oversubscribed, "or too few cores", "CPUs of the host that were free")         \
  RIVAL(interpreter_lock, oversubscribed, "or for a core",                                        \
        "more than one core in use, or free CPUs of the host")                                    \
  RIVAL(oversubscribed, cpu_limit, "or a CPU limit", "usable CPUs of the host against threads")   \
  RIVAL(bandwidth_limited, waiting, "or for each request", "whether the time follows the bytes")  \
  RIVAL(waiting, lock, "or a lock", "frames of the samples that block")                           \
  RIVAL(waiting, oversubscribed, "or too few cores", "CPU of tasks that only compute")            \
  RIVAL(slow_host, slow_dataset, "or of its dataset", "the same dataset from another host")       \
  RIVAL(slow_site, slow_host, "or from its host", "the site's other hosts")                       \
  RIVAL(slow_worker, slow_dataset, "or what it was given",                                        \
        "chunks of the same datasets elsewhere")                                                  \
  RIVAL(slow_worker, slow_moment, "or its moment", "chunks on other workers at the same time")    \
  RIVAL(slow_dataset, slow_moment, "or at its moment",                                            \
        "chunks of other datasets at the same time")                                              \
  RIVAL(slow_cell, slow_moment, "or at its moment", "other sections of the same chunks")          \
  RIVAL(slow_file, slow_moment, "or at its moment",                                               \
        "chunks of other files at the same time, before or after")                                \
  RIVAL(slow_file, slow_dataset, "or in its dataset", "other files of the dataset")               \
  RIVAL(slow_moment, slow_file, "or in a file", "files that ran as a whole at that time")         \
  RIVAL(memory_near_limit, spilling, "or spilled results", "bytes that Dask wrote to disk")       \
  RIVAL(garbage_collection, memory_near_limit, "or memory",                                       \
        "the worker's own count of its collections")                                              \
  RIVAL(unresponsive, interpreter_lock, "or the GIL", "messages of the worker's event loop")      \
  RIVAL(lost_work, failed_tasks, "or failed attempts", "Dask's status of each execution")         \
  RIVAL(workers_lost, late_workers, "or scaling down",                                            \
        "reasons of the cluster, which are not recorded")                                         \
  RIVAL(late_workers, lost_work, "or replaced workers", "whether a worker left before")           \
  RIVAL(clock_skew, idle_unknown, "or a blocked scheduler", "the same tasks in Dask's own clock") \
  RIVAL(versions_differ, settings_differ, "or settings", "packages of each worker")               \
  RIVAL(settings_differ, versions_differ, "or versions", "environment of each worker")            \
  RIVAL(unbalanced, slow_worker, "or a slow worker", "time per event of its chunks")              \
  RIVAL(small_chunks, outside_process, "or slow opening",                                         \
        "the part of process() that does not grow with events")                                   \
  RIVAL(large_chunks, stragglers, "or a straggler", "time for its events")                        \
  RIVAL(stragglers, slow_file, "or its file", "other chunks of the file")                         \
  RIVAL(stragglers, slow_moment, "or its moment", "other chunks at the same time")                \
  RIVAL(lost_chunks, failed_chunks, "or failed chunks", "errors in the chunk list")               \
  RIVAL(failed_chunks, lost_chunks, "or lost chunks", "errors in the chunk list")                 \
  RIVAL(unaccounted, waiting, "or waiting", "samples in process()")                               \
  RIVAL(reads_much, unused_branches, "or unused branches", "the share of branches")               \
  RIVAL(unused_branches, reads_much, "or used branches",                                          \
        "code that uses them, which is not recorded")                                             \
  RIVAL(baskets_read_again, reads_much, "or many branches", "bytes that the branches hold")       \
  RIVAL(codec, slow_file, "or slow storage", "the CPU of the workers during its chunks")          \
  RIVAL(own_function, waiting, "or waiting", "samples in process()")

struct Rival {
  FindingCause cause, rival;
  std::string_view phrase;     ///< in a title, after a comma
  std::string_view separator;  ///< what tells them apart
};
inline constexpr std::array all_rivals = {
#define CREMA_RIVAL(cause, rival, ...) Rival{FindingCause::cause, FindingCause::rival, __VA_ARGS__},
    CREMA_RIVALS(CREMA_RIVAL)
#undef CREMA_RIVAL
};

// Every setting that advice can be about, as a script has them, the cluster first: enumerator, its
// name in coffea or Dask, and what its expectation assumes.
#define CREMA_SETTINGS(SETTING)                                                              \
  SETTING(workers, "n_workers, threads_per_worker",                                          \
          "the machine has a core for each process; at best tasks compute all the time")     \
  SETTING(memory_limit, "memory_limit", "results that were written to disk stay in memory")  \
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
