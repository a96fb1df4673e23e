#include "core/model/worker_end.hpp"

#include <array>
#include <utility>

#include "core/base/text.hpp"

namespace crema {

namespace {

constexpr std::array<std::pair<WorkerEnd, std::string_view>, 4> ends_of_jobs = {{
    {WorkerEnd::job_memory, "job-memory: "},
    {WorkerEnd::job_time, "job-time: "},
    {WorkerEnd::job_evicted, "job-evicted: "},
    {WorkerEnd::job_ended, "job-ended: "},
}};

/// What TaskVine's manager says of any worker that it did not send away itself.
bool is_vague(std::string_view reason) { return reason == "FAILURE" || reason == "UNKNOWN"; }

}  // namespace

WorkerEnd worker_end(std::string_view reason) {
  const auto begins = [&](std::string_view word) { return reason.starts_with(word); };
  if (reason.empty() || reason == "handle-worker-cleanup" || is_vague(reason))
    return WorkerEnd::not_said;
  if (reason == "memory-limit") return WorkerEnd::memory_limit;
  if (reason == "signal-15" || reason == "signal-2") return WorkerEnd::signal;
  // Worker.close_gracefully, which only the timer of the lifetime calls
  if (reason == "worker-lifetime-reached" || reason == "worker-close-gracefully")
    return WorkerEnd::lifetime;
  if (reason == "wall-time-exhausted") return WorkerEnd::wall_time;
  if (reason == "signal-9") return WorkerEnd::killed;
  if (reason == "signal-11" || reason == "signal-6" || reason == "signal-7")
    return WorkerEnd::crashed;
  if (begins("signal-")) return WorkerEnd::not_said;
  if (begins("check-worker-ttl") || reason == "keepalive") return WorkerEnd::silent;
  if (begins("retire-workers") || begins("scheduler-close") || begins("scheduler-retire") ||
      reason == "EXPLICIT" || reason == "IDLE_OUT")
    return WorkerEnd::retired;
  for (const auto& [end, word] : ends_of_jobs) {
    if (begins(word)) return end;
  }
  return WorkerEnd::other;
}

bool is_of_manager(std::string_view reason) {
  switch (worker_end(reason)) {
    case WorkerEnd::job_memory:
    case WorkerEnd::job_time:
    case WorkerEnd::job_evicted:
    case WorkerEnd::job_ended:
    case WorkerEnd::other: return true;
    default: return is_vague(reason);
  }
}

std::string reason_of_job(WorkerEnd end, std::string_view words) {
  for (const auto& [of, word] : ends_of_jobs) {
    if (of == end) return sentence({word, words});
  }
  return std::string(words);
}

std::string_view words_of_job(std::string_view reason) {
  for (const auto& [of, word] : ends_of_jobs) {
    if (reason.starts_with(word)) return reason.substr(word.size());
  }
  return reason;
}

}  // namespace crema
