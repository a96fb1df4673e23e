#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/model/run.hpp"
#include "core/predict/chunk_size.hpp"
#include "core/profile/profile.hpp"
#include "core/runtime/core_time.hpp"

// Sentences about a whole answer that depend on its numbers; those that do not are in notes.hpp.

namespace crema::diagnose {
struct Finding;
}

namespace crema::report {

/// What a reader is to know first, and what it cannot tell.
struct VerdictText {
  std::string verdict, limits;
};

/// Whether tasks measured their activities themselves: no heartbeat brought them, and what a
/// cluster spills and sends beside tasks is not among them.
bool activities_are_of_rows(const Run& run);

/// Files, of which it is known what the branches that were used hold.
struct InputSums {
  std::string name;
  double files = 0, chunks = 0;
  double tree = absent, used = absent, read = absent;  ///< [byte]

  double times_read() const { return ratio(read, used); }
  double used_share() const { return ratio(used, tree); }
};

/// How much of the input was there, used and read.
struct InputUse {
  InputSums all{.name = "all files"};
  InputSums of_one_chunk, of_several;
  double unknown = 0;                                        ///< files that do not tell
  double fewest = absent, most = absent, branches = absent;  ///< used in a file; in a tree
};
VerdictText input_text(const InputUse& input);
/// What the threads waited for, by the findings; they were off a CPU for `waited` of their time.
std::string waiting_text(const std::vector<diagnose::Finding>& findings, double waited);

/// What stands out among the workers of a run.
struct WorkersSeen {
  double workers = 0, slow = 0;
  double compared = 0;              ///< with enough chunks to be held against the others
  bool is_known = false;            ///< enough of these to say which were slow
  double least = absent;            ///< of the slow workers, else of all: how many times as long
  double most = absent;             ///< as the others they took
  double left = 0;                  ///< before the end
  double executions = 0, lost = 0;  ///< of the processor; 0 where no task stream was recorded
  double memory_share = absent;     ///< the peak, of the limit
};
VerdictText workers_text(const WorkersSeen& seen);

/// Of Dask's fine metrics: shares of the core-time, or of the tasks' time where the cores are not
/// known; what the processor's tasks and all others took, and how not to read the numbers.
VerdictText fine_text(const Run& run, const runtime::Budget& budget);

/// How far self times of the profile are certain: of these shares of its samples.
std::string leaves_text(const profile::Profile& profile, profile::LeafChoice choice, double certain,
                        double estimated);

/// How the seconds of a sample are known.
std::string sample_time_text(const profile::SampleTime& time);

/// What could not be done to a call tree.
std::string limit_text(const profile::TreeLimit& limit);

/// How the end of a phase was found.
std::string_view phase_text(runtime::Phase::End end);

/// What is not known of the time of chunks of another size.
std::string fixed_cost_text(const predict::ChunkSizeModel& model);

}  // namespace crema::report
