#pragma once

#include "core/model/run.hpp"

// What guesses, votes and moves: it runs once, after the files of a run are read, and leaves data
// notes of what it changed. Afterwards a Run is columns, and no question changes it.
namespace crema::align {

/// roastcoffea's tick: the run begins up to one before the first, and ends up to one after the
/// last.
inline constexpr double tick_grain = 1;

/// Makes workers, tasks, chunks, activities and call trees of `crema.record`'s rows, where nothing
/// else tells these: Dask's and roastcoffea's own are taken instead.
void add_rows(Run& run);

/// Sets `recording.chunk`: of a row the chunk of the same file, entries and time.
void match_rows(Run& run);

/// Without ticks of a scheduler, what `crema.record`'s processes say each second are the workers'
/// series, at whole seconds of the run axis: memory, CPU, cores, tasks that run. What their
/// machines have is the workers' `machine`, where nothing else tells it. Of a workflow manager's
/// log, cores and tasks at times that are a whole number of seconds apart.
void add_ticks_of_machines(Run& run);

/// Where Dask's heartbeats do not say how many tasks run, trackers that ask for it note 0 at every
/// tick. Where tasks were assigned and none ever ran, the series is counted from the task
/// stream, or dropped without one.
void correct_executing(Run& run);

/// Moves the content of `part` into `into`. Where both have a value, the one in `into` stays, and a
/// data note says so.
void join(Run& into, Run&& part);

/// All steps below, in this order: times of all files on the run axis, each chunk once and on its
/// worker's true time, the worker of each chunk, hosts, activities. Call once per run, after
/// joining its files.
void settle(Run& run);

/// Puts all times on the run axis: seconds since the first tick, or since what comes first where
/// there are no ticks. The scheduler's zone offset comes from `last_seen` (naive tick against epoch
/// heartbeat: the nearest multiple of 15 min; a change that lasts is a clock change), else from the
/// best overlap of chunks and ticks (docs/meanings.md, Clocks). Impossible chunk times (epoch 0,
/// more than a day off) become absent, with a data note.
void settle_clock(Run& run);

/// Removes repeated records of a chunk (same file, entries and times) but the first, with a data
/// note "duplicate-chunks": a chunk runs once at a time.
void drop_duplicate_chunks(Run& run);

/// Chunks carry the time of their worker's clock; Dask's own times are corrected for it. Where a
/// task stream tells which worker ran which chunk, the chunks of a worker whose clock is off are
/// put right, with a data note "worker-clock". Where chunks lie outside the run, or in no task, and
/// nothing tells by how much, `chunks.placed` becomes false, with a data note.
void settle_worker_clocks(Run& run);

/// Sets `chunks.task` and `chunks.worker` by the task that contains each chunk, the worker by the
/// recorder's row of it where there is one; empty where neither tells.
void match_chunks(Run& run);

/// The host of "tcp://host:port" or "host:port"; empty without a port.
std::string_view host_of_address(std::string_view address);

/// Gives workers that no scheduler info names the host of their address.
void complete_hosts(Run& run);

/// Drops the rows that a batch system's log made of its jobs, where another source has the tasks:
/// the jobs hold that source's workers, or are somebody else's.
void leave_jobs(Run& run);

/// Sets `workers.job`: by the job's id in the worker's name, else the job on the worker's host that
/// ran while the worker did. The log's clock is off by whole quarters of an hour where most workers
/// fit so; dates without a year get the run's. A worker that went without a reason gets its job's.
/// Data notes say what was matched, and how surely.
void match_jobs(Run& run);

/// Where only a task stream tells what a cluster did (a performance report alone), its computing
/// counts as the "execute" seconds of each prefix, called "compute". `activities_recorded` stays
/// false: Dask recorded no fine metrics.
void add_activities_of_tasks(Run& run);

}  // namespace crema::align
