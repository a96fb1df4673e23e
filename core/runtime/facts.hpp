#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/model/facts.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::runtime {

/// What this subject keeps of a run: results that many questions begin with, of the whole run.
struct RuntimeFacts {
  Once<Steps> core_steps, worker_steps, chunk_steps;
  Once<CoreSupply> core_supply;
  Once<std::vector<TaskTime>> task_times;
  Once<MachineUse> machine_use;
  Each<ChunkKey, ChunkGroups> groups;
  Once<std::vector<FileFacts>> files;
  Once<std::vector<std::uint32_t>> chunks_by_start;
  Once<std::vector<double>> lanes, host_loads, expected_durations, outliers, early_ends;
  Each<StringId, Executions> executions;                // by processor
  Each<StringId, std::vector<WorkerWork>> worker_work;  // by processor
  Once<std::vector<Phase>> phases;
  Once<ClientHour> client_hour;
  Each<StringId, CoreTimeSeries> over_time;                        // by processor
  Recent<std::pair<CoreTimeSplit, StringId>, CoreTimeTree> trees;  // by processor, too
};

inline RuntimeFacts& kept_of(const Run& run) { return run.facts.of<RuntimeFacts>(); }

}  // namespace crema::runtime
