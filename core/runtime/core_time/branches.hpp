#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/profile/profile.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::runtime {

// The core-time tree is made in passes: each takes a part and returns what it unfolds into, without
// looking at other parts; `core_time_tree` puts them together.

/// A part with what it unfolds into.
struct Branch {
  CoreTimeNode node;
  std::vector<Branch> below;
};

/// What all passes look at.
struct TreeInput {
  const Run& run;
  const Selection& selection;
  CoreTimeSplit by;
  StringId processor;
  Run::Window time;                      ///< that is selected
  const std::vector<TaskTime>& threads;  ///< by task prefix
  TaskTime of_processor;
  bool sampled = true;  ///< a profile can be had of what is selected
  /// nullptr where none is recorded or none is needed
  std::shared_ptr<const profile::ProfileShares> shares;
};

/// A part of the core-time that its kind identifies, or that `segment` does among its siblings.
Branch part_of(const char* kind, std::string label, double core_seconds, std::string note,
               std::string segment);

/// A part whose name somebody else chose: a dataset, a section, a task prefix. Its name is its
/// segment, with '/' and '%' as in a URL, so that the path says which name is whose; '(' begins the
/// segments of parts without a name, so that no name is taken for one.
Branch named_part(const char* kind, std::string name, double core_seconds, std::string note);

/// Sets what of a part was on a CPU and what waited: in the ratio of `time`, or its own where
/// measured.
void split_threads(CoreTimeNode& node, const TaskTime& time, bool measured = false);

/// Datasets with their sections, or sections with their datasets; empty where no chunk tells.
std::vector<Branch> chunk_branches(const TreeInput& input, bool datasets_first);

/// Functions of the analysis inside process(), down to the function of a library in which samples
/// ended. `seconds` of the part are shared out by samples; `per_sample` [s] becomes what one stands
/// for.
std::vector<Branch> function_branches(const TreeInput& input, double seconds, double& per_sample);

/// What samples outside process() were at, and Dask's own work around the tasks' threads. `around`:
/// [core-s] of it; `per_sample_inside` bounds what a sample stands for, absent where not known.
std::vector<Branch> outside_branches(const TreeInput& input, double seconds, double around,
                                     double per_sample_inside);

/// The processor's tasks by all of their samples.
std::vector<Branch> task_branches(const TreeInput& input, double seconds);

/// Of all prefixes but the processor's, or of all.
TaskTime sum_of(const TreeInput& input, bool with_processor);

/// A task prefix for people: "(no task prefix)" where tasks have none.
std::string name_of_prefix(const Run& run, StringId prefix);

/// [s] Each of Dask's activities, over all tasks or those of one prefix, in order of first
/// appearance.
std::vector<std::pair<StringId, double>> activity_seconds(const Run& run,
                                                          const StringId* prefix = nullptr);

/// What Dask, or `crema.record`, counted of the tasks of one prefix.
std::vector<Branch> activity_branches(const TreeInput& input, StringId prefix);

/// What `seconds` of waiting of the processor's tasks were for, as far as rows tell: for input as
/// measured, for locks as sampled, for a CPU at most. Empty without rows.
std::vector<Branch> waiting_branches(const TreeInput& input, double seconds);

/// [s] CPU time in process() of the selected chunks; absent unless it was measured of each.
double cpu_in_process(const Run& run, const Selection& selection);

/// All task prefixes but the processor's, each with its activities where these are asked for.
Branch other_tasks(const TreeInput& input);

/// The causes of `core_seconds` of idle cores.
std::vector<Branch> idle_branches(const TreeInput& input, double core_seconds);

/// What the client did while no worker ran a task, in the idle time of one cause; empty where it
/// was not looked at then. `scale`: core-s for each of `idle`.
std::vector<Branch> client_branches(const Run& run, const IdleTime& idle, std::size_t cause,
                                    double scale);

/// By what work was lost to: what tasks raised, then workers whose results were needed again.
std::vector<Branch> lost_branches(const TreeInput& input, double core_seconds);

}  // namespace crema::runtime
