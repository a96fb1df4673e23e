#include "core/report/answer_text.hpp"

#include <algorithm>

#include "core/base/text.hpp"
#include "core/profile/profile.hpp"

namespace crema::report {

using runtime::Failed;

namespace {

/// "2 chunks": pieces of work by what is known of them.
std::string items_text(const Failed& failed) {
  const char* const what = failed.is_library                ? "library instance"
                           : !is_absent(failed.entry_start) ? "chunk"
                           : !failed.file.empty()           ? "file"
                                                            : "task";
  return format_count(failed.items, what);
}

/// "b.root, entries 2,000 to 4,000 of ttbar", of the first attempt; "" where nothing is known.
std::string place_text(const Failed& failed) {
  std::string text(base_name(failed.file));
  if (!is_absent(failed.entry_start + failed.entry_stop))
    text += fill("{}entries {} to {}",
                 {text.empty() ? "" : ", ", failed.entry_start, failed.entry_stop});
  if (failed.dataset.empty()) return text;
  return text.empty() ? failed.dataset : text + " of " + failed.dataset;
}

std::string fate_text(const Failed& failed) {
  if (failed.skipped > 0)  // coffea leaves out a chunk that cannot be read, not its file
    return items_text(failed) + (failed.items == 1 ? " was left out" : " were left out");
  if (failed.untold == failed.items) return "whether another attempt succeeded is not recorded";
  if (failed.recovered == 0) return "none has succeeded";
  if (failed.in_parts && failed.recovered == failed.items)
    return failed.items == 1 ? "it succeeded in smaller chunks" : "all succeeded in smaller chunks";
  if (failed.recovered == failed.items)
    return failed.items == 1 ? "another attempt succeeded" : "all succeeded in another attempt";
  return fill("{} of {} succeeded in another attempt", {failed.recovered, failed.items});
}

/// A batch system's log has exceptions of its own for jobs that it ended.
bool is_of_worker(const Failed& failed) {
  return failed.lost > 0 && (failed.exception.empty() || failed.exception == "WorkerLost");
}

/// What TaskVine says of attempts that raised nothing; "" of others.
std::string result_text(const Failed& failed) {
  const char* const its = failed.attempts == 1 ? "its" : "their";
  if (failed.exception == "RESOURCE_EXHAUSTION")
    return fill(" exceeded {} limit of {}", {its, failed.message});
  if (failed.exception == "SANDBOX_EXHAUSTION") return fill(" exceeded {} limit of disk", {its});
  if (failed.exception == "MAX_WALL_TIME") return fill(" exceeded {} limit of wall time", {its});
  if (failed.exception == "SIGNAL") return " ended by " + failed.message;
  if (failed.exception == "CANCELLED")
    return failed.attempts == 1 ? " was cancelled by the client" : " were cancelled by the client";
  if (failed.exception == "FORSAKEN" || failed.exception == "Requeued")
    return failed.attempts == 1 ? " was given back by its worker"
                                : " were given back by their workers";
  return "";
}

bool is_any_of(std::string_view text, std::initializer_list<std::string_view> all) {
  for (const std::string_view one : all) {
    if (text == one) return true;
  }
  return false;
}

}  // namespace

std::string worker_end_text(WorkerEnd end, std::string_view reason) {
  switch (end) {
    case WorkerEnd::memory_limit: return "was killed near its memory limit";
    case WorkerEnd::signal: return fill("was stopped from outside ({})", {reason});
    case WorkerEnd::lifetime: return "closed itself, as at the end of its --lifetime";
    case WorkerEnd::wall_time: return "closed itself at the end of its --wall-time";
    case WorkerEnd::silent: return "was silent for too long, and given up";
    case WorkerEnd::retired: return fill("was asked to leave ({})", {reason});
    case WorkerEnd::other: return fill("left ({})", {reason});
    case WorkerEnd::killed:
      return "was killed by SIGKILL, unknown why: Linux without memory and batch systems do so";
    case WorkerEnd::job_memory:
      return fill("went when its job was stopped for its memory ({})", {words_of_job(reason)});
    case WorkerEnd::job_time:
      return fill("went when its job was stopped for its time ({})", {words_of_job(reason)});
    case WorkerEnd::job_evicted:
      return fill("lost its slot of the batch system ({})", {words_of_job(reason)});
    case WorkerEnd::job_ended: return fill("went when its job ended ({})", {words_of_job(reason)});
    case WorkerEnd::crashed: return fill("crashed ({})", {reason});
    case WorkerEnd::not_said: break;
  }
  return "was lost, unknown why: killed from outside, a crash and a lost machine look the same";
}

std::string gone_text(const Run& run, std::span<const runtime::GoneWorker> gone) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, gone.size()); ++i) {
    const std::string name = profile::worker_label(run, gone[i].worker);
    const char* who = i == 0 ? "Worker " : "; worker ";
    if (name.empty()) who = i == 0 ? "A worker" : "; a worker";  // Dask's metrics name none
    text += fill("{}{} {}, at {s}",
                 {who, name, worker_end_text(gone[i].end, gone[i].reason), gone[i].at});
  }
  if (gone.size() > most) text += fill("; {} more", {std::to_string(gone.size() - most)});
  return text;
}

std::string failure_text(const Failed& failed) {
  std::string text = fill("{attempt} of {}", {failed.attempts, items_text(failed)});
  // Without a word of a worker's end the recording may have ended first, as after an exception.
  if (is_of_worker(failed) && failed.message.empty())
    text += failed.attempts == 1 ? " had not ended when the recording did, or was lost"
                                 : " had not ended when the recording did, or were lost";
  else if (is_of_worker(failed))
    text += fill(" ended when {} worker {}", {failed.attempts == 1 ? "its" : "their",
                                              worker_end_text(failed.worker_end, failed.message)});
  else if (const std::string result = result_text(failed); !result.empty()) text += result;
  else
    text += fill(" failed with {}{}{}",
                 {failed.exception.empty() ? "an unknown exception" : failed.exception,
                  failed.message.empty() ? "" : ": ", failed.message});
  if (!is_of_worker(failed) && failed.attempts > 1 && failed.workers == 1 && !failed.worker.empty())
    text += ", each on worker " + failed.worker;
  if (!failed.frame.empty()) text += " at " + std::string(base_name(failed.frame));
  if (const std::string place = place_text(failed); !place.empty())
    text += fill(" ({}{})", {failed.items > 1 ? "first " : "", place});
  return text + "; " + fate_text(failed);
}

std::string failure_advice(const Failed& failed) {
  const bool is_over = failed.recovered == failed.items;
  if (is_of_worker(failed)) {
    switch (failed.worker_end) {
      case WorkerEnd::memory_limit:
        return "Give workers more memory, or make chunks smaller: `memory` says how much suffices";
      case WorkerEnd::job_memory:
        return "Request more memory for a job, or make chunks smaller: `memory` says how much "
               "suffices";
      case WorkerEnd::job_time: return "Request more time for a job, or start new ones meanwhile";
      case WorkerEnd::wall_time:
        return "Give workers a --wall-time beyond the run, or start new ones meanwhile";
      case WorkerEnd::lifetime:
        return "Let batch slots last longer than the run, or start workers with "
               "--lifetime-stagger, so that not all leave at once";
      default: return "";
    }
  }
  if (failed.skipped > 0) return "Check the file: its events are missing from the result";
  if (has_part(failed.message, "No space left on device"))
    return "Free room on the disk that is written to, or write less";
  if (is_any_of(failed.exception, {"ModuleNotFoundError", "ImportError"}))
    return "Install what is missing where the workers run, or send it along";
  if (is_any_of(failed.exception, {"RESOURCE_EXHAUSTION", "SANDBOX_EXHAUSTION", "MAX_WALL_TIME"}))
    return "Raise the limit, or make chunks smaller";
  if (is_over) return "";
  if (is_any_of(failed.exception, {"OSError", "FileNotFoundError", "TimeoutError"}) &&
      failed.files == 1 && !failed.file.empty())
    return fill("Check {}, or leave it out: its events are then missing from the result",
                {base_name(failed.file)});
  if (!failed.repeated.empty()) return "It failed alike each time: another attempt may not help";
  return "";
}

std::string failures_headline(std::span<const Failed> failures) {
  constexpr std::size_t most = 3;
  if (failures.size() == 1) return failure_text(failures.front());
  double attempts = 0;
  for (const Failed& failed : failures) attempts += failed.attempts;
  std::string text =
      fill("{attempt} did not succeed, in {} ways: ", {attempts, std::to_string(failures.size())});
  for (std::size_t i = 0; i < std::min(most, failures.size()); ++i)
    text += (i == 0 ? "" : ". ") + failure_text(failures[i]);
  if (failures.size() > most)
    text += fill(". And {} more", {std::to_string(failures.size() - most)});
  return text;
}

}  // namespace crema::report
