#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/runtime/core_time.hpp"

namespace crema::report {

/// What became of a worker: "was killed near its memory limit".
std::string worker_end_text(runtime::WorkerEnd end, std::string_view reason);

/// "Worker 0 was killed near its memory limit, at 4.1 s; worker 1 ...": the first five.
std::string gone_text(const Run& run, std::span<const runtime::GoneWorker> gone);

/// One way of failing as a sentence without its stop: how often, how, where, and what became of
/// it.
std::string failure_text(const runtime::Failed& failed);

/// What to do about it, as a sentence; "" where nothing is known to help.
std::string failure_advice(const runtime::Failed& failed);

/// All ways in one sentence, the costliest first. There is at least one.
std::string failures_headline(std::span<const runtime::Failed> failures);

}  // namespace crema::report
