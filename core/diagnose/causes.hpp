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

// Every cause that a finding can name, declared here and nowhere else: enumerator, id, the view
// that shows it by its name on screen, what its rule needs, the rule that finds it, and what that
// looks at. Where a finding's sentences need no more than its measurements, its title and evidence
// follow: {share}, {cost} and {saving} are the finding's own, other names those of measurements.
// Ids, rules, the question `rules`, docs, the page and the benchmark of causes are made from this
// list. Its order decides between findings of equal rank.
#define CREMA_CAUSES(CAUSE)                                                                        \
  CAUSE(failed_tasks, "failed-tasks", "Timelines", task_stream, failed_tasks,                      \
        "tasks that raised an exception")                                                          \
  CAUSE(outside_process, "outside-process", "Timelines", activities, outside_process,              \
        "time of the processor's tasks outside process()",                                         \
        "{outside_share} of the processor tasks' time was outside process()",                      \
        "Each task took {outside} outside process() and {inside} inside. Outside, files are "      \
        "opened, events built, the processor unpickled and results packed; 0.1 s per task is "     \
        "usual.")                                                                                  \
  CAUSE(start_up, "start-up", "Timelines", tracking, start_up,                                     \
        "time until chunks ran on nearly all cores")                                               \
  CAUSE(pre_processing, "pre-processing", "Fine metrics", activities, pre_processing,              \
        "files that are opened to count their events")                                             \
  CAUSE(tail, "tail", "Timelines", chunks, tail, "cores that idle while the last chunks run")      \
  CAUSE(idle_with_work, "idle-with-work", "Timelines", tracking, idle_with_work,                   \
        "cores that idle while tasks are assigned",                                                \
        "{share} of the core-time was idle while tasks were assigned",                             \
        "Workers had at least as many tasks as cores, but ran fewer, according to their "          \
        "heartbeats. Consistent with a busy scheduler, with tasks that wait for their inputs, or " \
        "with workers that have just started.")                                                    \
  CAUSE(serialization, "serialization", "Fine metrics", activities, conversion,                    \
        "serializing and deserializing results", "{share} of the core-time was (de)serialization", \
        "{cost} over all tasks, as counted by Dask.")                                              \
  CAUSE(compression, "compression", "Fine metrics", activities, conversion,                        \
        "compressing and decompressing results", "{share} of the core-time was (de)compression",   \
        "{cost} over all tasks, as counted by Dask.")                                              \
  CAUSE(spilling, "spilling", "Fine metrics", activities, spilling,                                \
        "results that Dask wrote to disk",                                                         \
        "{spilled} of results were written to disk: workers ran short of memory",                  \
        "Writing and reading them took {cost}, as counted by Dask, without the pauses of "         \
        "workers. More memory per worker, smaller chunks or smaller results avoid it.")            \
  CAUSE(reduction, "reduction", "Fine metrics", activities, reduction, "merging of results")       \
  CAUSE(heavy_output, "heavy-output", "Fine metrics", task_stream, reduction,                      \
        "results that grow with the events")                                                       \
  CAUSE(lock, "lock", "Flame graph", profile, waiting, "tasks that wait for a lock")               \
  CAUSE(native_lock, "lock", "Fine metrics", activities, waiting,                                  \
        "tasks that run one at a time although there are enough cores")                            \
  CAUSE(cpu_limit, "cpu-limit", "Fine metrics", activities, waiting,                               \
        "a limit on the CPU of the workers")                                                       \
  CAUSE(interpreter_lock, "interpreter-lock", "Fine metrics", activities, waiting,                 \
        "threads that wait for Python's interpreter lock (GIL)")                                   \
  CAUSE(oversubscribed, "oversubscribed", "Fine metrics", activities, waiting,                     \
        "more threads than cores on a host")                                                       \
  CAUSE(bandwidth_limited, "bandwidth-limited", "Input", profile, waiting,                         \
        "storage that gives no more bytes per second")                                             \
  CAUSE(waiting, "waiting", "Fine metrics", activities, waiting,                                   \
        "tasks that wait, for any other cause")                                                    \
  CAUSE(slow_host, "slow-host", "Chunks", chunks, slow_groups,                                     \
        "storage hosts that are slow for their events")                                            \
  CAUSE(slow_site, "slow-site", "Chunks", chunks, slow_groups,                                     \
        "sites behind a cache that are slow")                                                      \
  CAUSE(slow_worker, "slow-worker", "Chunks", task_stream, slow_groups,                            \
        "workers that take longer for the same work")                                              \
  CAUSE(slow_dataset, "slow-dataset", "Chunks", chunks, slow_groups,                               \
        "datasets that cost more per event")                                                       \
  CAUSE(slow_cell, "slow-cell", "Chunks", sections, slow_groups,                                   \
        "sections that are slow in one dataset")                                                   \
  CAUSE(slow_file, "slow-file", "Chunks", chunks, slow_groups,                                     \
        "files that are slow among their dataset's")                                               \
  CAUSE(slow_moment, "slow-moment", "Timelines", chunks, slow_groups,                              \
        "stretches of time in which all chunks are slow")                                          \
  CAUSE(memory_near_limit, "memory-near-limit", "Timelines", tracking, memory_near_limit,          \
        "workers near their memory limit")                                                         \
  CAUSE(garbage_collection, "garbage-collection", "Timelines", warnings, garbage_collection,       \
        "time that workers spend in garbage collection")                                           \
  CAUSE(unresponsive, "unresponsive", "Timelines", tracking, unresponsive,                         \
        "workers that are unresponsive")                                                           \
  CAUSE(lost_work, "lost-work", "Timelines", activities, lost_work,                                \
        "work that was repeated after workers left")                                               \
  CAUSE(workers_lost, "workers-lost", "Timelines", tracking, lost_work,                            \
        "workers that left before the end")                                                        \
  CAUSE(late_workers, "late-workers", "Timelines", tracking, late_workers,                         \
        "workers that join late")                                                                  \
  CAUSE(clock_skew, "clock-skew", "Data notes", notes, recording_notes,                            \
        "times that do not fit together")                                                          \
  CAUSE(versions_differ, "versions-differ", "Data notes", notes, recording_notes,                  \
        "workers that run different versions")                                                     \
  CAUSE(settings_differ, "settings-differ", "Data notes", notes, recording_notes,                  \
        "workers that have different settings")                                                    \
  CAUSE(unbalanced, "unbalanced", "Timelines", tracking, unbalanced,                               \
        "workers that are unequally busy",                                                         \
        "{least_share} to {most_share} of the time: workers were unequally busy",                  \
        "{least} ran tasks {least_share} of the time, {most} {most_share}, according to their "    \
        "heartbeats.")                                                                             \
  CAUSE(small_chunks, "small-chunks", "Chunks", chunks, small_chunks,                              \
        "chunks whose cost is mostly fixed")                                                       \
  CAUSE(large_chunks, "large-chunks", "Chunks", chunks, large_chunks,                              \
        "too few chunks, or too long ones")                                                        \
  CAUSE(stragglers, "stragglers", "Chunks", chunks, stragglers,                                    \
        "chunks that take far longer than expected")                                               \
  CAUSE(lost_chunks, "lost-chunks", "Data notes", chunks, lost_chunks,                             \
        "chunks that are missing from the recording")                                              \
  CAUSE(failed_chunks, "failed-chunks", "Chunks", chunks, failed_chunks,                           \
        "chunks whose record has an error", "{failed} failed",                                     \
        "Their records carry an error; their events are missing from the result.")                 \
  CAUSE(unaccounted, "unaccounted", "Chunks", sections, unaccounted,                               \
        "time of process() in no section", "{uncovered} of process() is in no section",            \
        "{cost} inside process() are not timed by any track_time().")                              \
  CAUSE(reads_much, "reads-much", "Input", files, reads_much,                                      \
        "how much of its files the analysis reads")                                                \
  CAUSE(unused_branches, "unused-branches", "Input", files, reads_much,                            \
        "branches that are read and probably never used")                                          \
  CAUSE(baskets_read_again, "baskets-read-again", "Input", files, baskets_read_again,              \
        "baskets that several chunks read")                                                        \
  CAUSE(codec, "codec", "Input", files, codec,                                                     \
        "files that are compressed differently from the others",                                   \
        "{file} is compressed differently from the other files of its dataset",                    \
        "It is compressed to {packed} of its size, the others of {dataset} to {usual}. Its "       \
        "chunks took {cost} more than expected for their events. Consistent with another codec "   \
        "or level: stronger compression (LZMA) takes longer to unpack.")                           \
  CAUSE(own_function, "own-function", "Flame graph", profile, largest_part,                        \
        "the largest part of the analysis, and what commonly makes it faster")

enum class FindingCause : std::uint8_t {
#define CREMA_ENUMERATOR(name, ...) name,
  CREMA_CAUSES(CREMA_ENUMERATOR)
#undef CREMA_ENUMERATOR
};

/// What the list says of a cause.
struct CauseFields {
  FindingCause cause;
  std::string_view id;        ///< two causes that look alike to a user share one
  std::string_view view;      ///< that shows it, by its name on screen
  Recording needs;            ///< without it the rule is silent
  std::string_view looks_at;  ///< a fragment
  std::string_view title{};   ///< with names of measurements; "" where core/report has both
  std::string_view evidence{};
};
inline constexpr std::array all_causes = {
#define CREMA_FIELDS(name, id, view, needs, rule, ...) \
  CauseFields{FindingCause::name, id, view, Recording::needs, __VA_ARGS__},
    CREMA_CAUSES(CREMA_FIELDS)
#undef CREMA_FIELDS
};
inline constexpr const CauseFields& fields_of(FindingCause cause) {
  return all_causes[static_cast<std::size_t>(cause)];
}
inline constexpr std::string_view id_of(FindingCause cause) { return fields_of(cause).id; }

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
