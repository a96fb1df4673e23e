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
// that shows it by its name on screen, what its rule needs, and what the rule looks at. Ids, the
// question `rules`, docs, the page and the benchmark of causes are made from this list.
#define CREMA_CAUSES(CAUSE)                                                                       \
  CAUSE(failed_tasks, "failed-tasks", "Timelines", task_stream, "tasks that raised an exception") \
  CAUSE(outside_process, "outside-process", "Timelines", activities,                              \
        "time of the processor's tasks outside process()")                                        \
  CAUSE(start_up, "start-up", "Timelines", tracking, "time until chunks ran on nearly all cores") \
  CAUSE(pre_processing, "pre-processing", "Fine metrics", activities,                             \
        "files that are opened to count their events")                                            \
  CAUSE(tail, "tail", "Timelines", chunks, "cores that idle while the last chunks run")           \
  CAUSE(idle_with_work, "idle-with-work", "Timelines", tracking,                                  \
        "cores that idle while tasks are assigned")                                               \
  CAUSE(serialization, "serialization", "Fine metrics", activities,                               \
        "serializing and deserializing results")                                                  \
  CAUSE(compression, "compression", "Fine metrics", activities,                                   \
        "compressing and decompressing results")                                                  \
  CAUSE(spilling, "spilling", "Fine metrics", activities, "results that Dask wrote to disk")      \
  CAUSE(reduction, "reduction", "Fine metrics", activities, "merging of results")                 \
  CAUSE(heavy_output, "heavy-output", "Fine metrics", task_stream,                                \
        "results that grow with the events")                                                      \
  CAUSE(lock, "lock", "Flame graph", profile, "tasks that wait for a lock")                       \
  CAUSE(native_lock, "lock", "Fine metrics", activities,                                          \
        "tasks that run one at a time although there are enough cores")                           \
  CAUSE(cpu_limit, "cpu-limit", "Fine metrics", activities, "a limit on the CPU of the workers")  \
  CAUSE(interpreter_lock, "interpreter-lock", "Fine metrics", activities,                         \
        "threads that wait for Python's interpreter lock (GIL)")                                  \
  CAUSE(oversubscribed, "oversubscribed", "Fine metrics", activities,                             \
        "more threads than cores on a host")                                                      \
  CAUSE(bandwidth_limited, "bandwidth-limited", "Input", profile,                                 \
        "storage that gives no more bytes per second")                                            \
  CAUSE(waiting, "waiting", "Fine metrics", activities, "tasks that wait, for any other cause")   \
  CAUSE(slow_host, "slow-host", "Chunks", chunks, "storage hosts that are slow for their events") \
  CAUSE(slow_site, "slow-site", "Chunks", chunks, "sites behind a cache that are slow")           \
  CAUSE(slow_worker, "slow-worker", "Chunks", task_stream,                                        \
        "workers that take longer for the same work")                                             \
  CAUSE(slow_dataset, "slow-dataset", "Chunks", chunks, "datasets that cost more per event")      \
  CAUSE(slow_cell, "slow-cell", "Chunks", sections, "sections that are slow in one dataset")      \
  CAUSE(slow_file, "slow-file", "Chunks", chunks, "files that are slow among their dataset's")    \
  CAUSE(slow_moment, "slow-moment", "Timelines", chunks,                                          \
        "stretches of time in which all chunks are slow")                                         \
  CAUSE(memory_near_limit, "memory-near-limit", "Timelines", tracking,                            \
        "workers near their memory limit")                                                        \
  CAUSE(garbage_collection, "garbage-collection", "Timelines", warnings,                          \
        "time that workers spend in garbage collection")                                          \
  CAUSE(unresponsive, "unresponsive", "Timelines", tracking, "workers that do not answer")        \
  CAUSE(lost_work, "lost-work", "Timelines", activities,                                          \
        "tasks that had to run again after workers left")                                         \
  CAUSE(workers_lost, "workers-lost", "Timelines", tracking, "workers that left before the end")  \
  CAUSE(late_workers, "late-workers", "Timelines", tracking, "workers that join late")            \
  CAUSE(clock_skew, "clock-skew", "Data notes", notes, "clocks of workers that disagree")         \
  CAUSE(versions_differ, "versions-differ", "Data notes", notes,                                  \
        "workers that run different versions")                                                    \
  CAUSE(settings_differ, "settings-differ", "Data notes", notes,                                  \
        "workers that have different settings")                                                   \
  CAUSE(unbalanced, "unbalanced", "Timelines", tracking, "workers that are unequally busy")       \
  CAUSE(small_chunks, "small-chunks", "Chunks", chunks, "chunks whose cost is mostly fixed")      \
  CAUSE(large_chunks, "large-chunks", "Chunks", chunks, "too few chunks, or too long ones")       \
  CAUSE(stragglers, "stragglers", "Chunks", chunks, "chunks that take far longer than expected")  \
  CAUSE(lost_chunks, "lost-chunks", "Data notes", chunks, "chunks that left no record")           \
  CAUSE(failed_chunks, "failed-chunks", "Chunks", chunks, "chunks whose record has an error")     \
  CAUSE(unaccounted, "unaccounted", "Chunks", sections, "time of process() in no section")        \
  CAUSE(reads_much, "reads-much", "Input", files, "how much of its files the analysis reads")     \
  CAUSE(unused_branches, "unused-branches", "Input", files,                                       \
        "branches that are read and most likely never used")                                      \
  CAUSE(baskets_read_again, "baskets-read-again", "Input", files,                                 \
        "baskets that several chunks read")                                                       \
  CAUSE(codec, "codec", "Input", files, "files that are compressed differently from the others")  \
  CAUSE(bytes_not_recorded, "bytes-not-recorded", "Data notes", chunks,                           \
        "bytes read that were not recorded")                                                      \
  CAUSE(fine_metrics_tail, "fine-metrics-tail", "Fine metrics", activities,                       \
        "fine metrics that came too late to be recorded")                                         \
  CAUSE(cores_inflated, "cores-inflated", "Summary", tracking,                                    \
        "a stored number of cores that is too high")                                              \
  CAUSE(own_function, "own-function", "Flame graph", profile,                                     \
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
};
inline constexpr std::array all_causes = {
#define CREMA_FIELDS(name, id, view, needs, looks_at) \
  CauseFields{FindingCause::name, id, view, Recording::needs, looks_at},
    CREMA_CAUSES(CREMA_FIELDS)
#undef CREMA_FIELDS
};
inline constexpr const CauseFields& fields_of(FindingCause cause) {
  return all_causes[static_cast<std::size_t>(cause)];
}
inline constexpr std::string_view id_of(FindingCause cause) { return fields_of(cause).id; }

}  // namespace crema::diagnose
