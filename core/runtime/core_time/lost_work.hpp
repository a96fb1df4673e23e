#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/run.hpp"

namespace crema::runtime {

/// Work done again because a worker was lost (docs/meanings.md, Work done twice).
struct LostWork {
  double core_seconds = absent;  ///< absent when the bundle cannot tell
  double executions = absent;    ///< of the processor, with those done again
  double repeated = absent;      ///< executions that were done again
  bool exact = false;            ///< from the task stream; else estimated
  std::string source;            ///< a sentence: what it is from
};

/// From the task stream: the compute seconds of each execution of a key before its last. Without
/// it, or when it holds fewer executions than were counted (Dask keeps the last 100,000 tasks):
/// (executions by the processor's memory-read count − chunks coffea submitted, at least 0) x the
/// mean task time, marked estimated. `processor_seconds`: Σ execute seconds of the prefix.
LostWork find_lost_work(const Run& run, StringId processor, double processor_seconds);

/// Records of the task stream that are executions done again: each of a key before its last.
std::vector<std::size_t> executions_in_vain(const Run& run, StringId processor);

/// The class of what a task raised: "MemoryError" of "MemoryError('no room')"; "" of nothing.
std::string_view exception_class(std::string_view text);

/// Executions of `processor` in the task stream, with those done again; 0 without a stream.
double executions_in_stream(const Run& run, StringId processor);

}  // namespace crema::runtime
