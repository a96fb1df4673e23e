#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/run.hpp"
#include "core/model/selection.hpp"
#include "core/profile/frame_facts.hpp"
#include "core/profile/tree/resolved_tree.hpp"

namespace crema::profile {

/// Something that can be drawn as one flame graph: one recorded tree, or the sum of several.
struct Profile {
  std::string id;     ///< "all", a worker's address, "key:PREFIX", "file:NAME"; "…#2" when taken
  std::string label;  ///< for people: a worker's name or address, a prefix, a file
  std::vector<const CallTree*> trees;  ///< slices of it where a time is selected
  CallTree::Kind kind = CallTree::Kind::merged;
  bool alternative = false;  ///< repeats samples that "all" already counts from another source
  bool counted = false;      ///< it is a part of "all"
  std::string note;          ///< how far a selection narrowed it, sentences
  std::string part;          ///< of trees that are not the run's: which part of its samples
};

/// The profiles of a run. Sources that say the same are never added up: "all" is the sum of the
/// finest that there are (one tree per worker, else per task prefix, else the merged tree, else
/// imported stacks, else what a page of Dask's shows; of two trees for one worker or prefix, the
/// one of the finer form, then the larger), the others are alternatives. Event loops (server,
/// scheduler) are not part of "all" unless nothing else is.
///
/// Where slices were recorded and a time is selected, all that are of tasks are the sum of the
/// slices that overlap it.
struct Profiles {
  /// "all" first, then every recorded tree; empty when the run has none
  std::vector<Profile> list;
  std::shared_ptr<const std::vector<CallTree>> trees;  ///< those that are not the run's
};
Profiles profiles_of(const Run& run, const Selection& selection = {});

/// The profiles of the samples in one section (with those nested in it; "" = all) of one chunk
/// (absent = all), which `crema.record` keeps of each. Failure bad_option where it kept none.
Profiles profiles_within(const Run& run, const std::string& section, double chunk);

/// Whether it is recorded what was sampled when, in slices.
bool has_slices(const Run& run);

/// What a graph of the profile is called: "all workers", "worker 3", "task prefix P", a file's
/// name.
std::string title_of(const Profile& profile);

/// The profile of that id (or, where no id fits, of that label); Failure bad_option when there is
/// none.
const Profile& find_profile(const Profiles& profiles, std::string_view id);

/// Whether what `merged_tree` makes of `trees` has the nodes of a recorded tree, because there is
/// one and no nodes of it become one.
bool is_sum_of_itself(const std::vector<const CallTree*>& trees, const FrameFacts& facts);

/// Resolves the trees, each for itself, then adds them up; what is shared out
/// (LeafChoice::estimated) is weighed by all of them. `place` gets where the nodes of the last tree
/// went; nothing where each is where it was.
ResolvedTree merged_tree(const std::vector<const CallTree*>& trees, LeafChoice choice,
                         const FrameFacts& facts, std::vector<NodeId>* place = nullptr);
inline ResolvedTree merged_tree(const Profile& profile, LeafChoice choice,
                                const FrameFacts& facts) {
  return merged_tree(profile.trees, choice, facts);
}

/// Seconds per sample of a profile whose unit is samples, as far as the profile itself tells.
struct SampleTime {
  double seconds =
      absent;          ///< absent when the unit is no count of samples, or the sampling not Dask's
  std::string source;  ///< "recorded", or what was assumed
  bool recorded = false;
};
SampleTime sample_time(const Profile& profile);

std::string_view name_of(CallTree::Kind kind);

/// The worker's name where a source has it, else its address.
std::string worker_label(const Run& run, StringId address);

/// Whether any tree leaves its innermost frames uncounted.
bool has_uncounted_leaves(const Profile& profile);

}  // namespace crema::profile
