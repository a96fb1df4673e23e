#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace crema {

/// How a worker went, as Dask, its nanny or a manager's log says.
enum class WorkerEnd : std::uint8_t {
  not_said,      ///< its connection ended: killed, crashed or its machine lost, which look the same
  killed,        ///< by SIGKILL, as Linux without memory and batch systems do
  crashed,       ///< by a signal of its own doing
  memory_limit,  ///< killed by its nanny near its memory limit
  signal,        ///< asked to end by SIGTERM or SIGINT, as batch systems do
  lifetime,      ///< closed itself, which workers do at the end of their --lifetime
  wall_time,     ///< closed itself at the end of its --wall-time
  silent,        ///< no sign of life within worker-ttl or keepalive-timeout
  retired,       ///< asked to leave by the cluster, as it scales down
  job_memory,    ///< its batch system stopped its job for its memory
  job_time,      ///< its batch system stopped its job for its time
  job_evicted,   ///< its batch system took its slot, or lost its machine
  job_ended,     ///< its job ended otherwise: removed, held, by a signal, with an exit code
  other          ///< in words of the log's
};

/// By what Dask's scheduler, a worker, its nanny or a manager's log calls it, or `reason_of_job`.
WorkerEnd worker_end(std::string_view reason);

/// Whether a manager's log or a batch system's gives the reason: both end all workers when all is
/// done.
bool is_of_manager(std::string_view reason);

/// The reason for which a worker went, where the log of its batch system tells it:
/// "job-memory: 12.0, over 2 GB".
std::string reason_of_job(WorkerEnd end, std::string_view words);
/// What it says: "12.0, over 2 GB".
std::string_view words_of_job(std::string_view reason);

}  // namespace crema
