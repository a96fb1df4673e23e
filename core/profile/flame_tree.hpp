#pragma once

#include <memory>
#include <string>

#include "core/model/run.hpp"
#include "core/model/selection.hpp"
#include "core/profile/call_trees.hpp"
#include "core/profile/functions.hpp"
#include "core/profile/tree/layout.hpp"
#include "core/profile/tree/transform.hpp"

namespace crema::profile {

/// `frame_facts` of the run's frames, kept.
std::shared_ptr<const FrameFacts> facts_of(const Run& run);

inline constexpr Option transform_option{
    .name = "transform", .about = "steps such as \"fold:numpy;focus:name=process;invert\""};

/// Which tree a question is about: options `profile`, `leaves`, `transform`.
struct FlameChoice {
  Profiles profiles;
  const Profile* profile = nullptr;  ///< of `profiles`; nullptr when the run has none
  LeafChoice leaves{};
  std::string transform;
  std::string key;  ///< what the tree depends on, by which it is kept
};
FlameChoice flame_choice(const Run& run, const Selection& selection, const Options& options);

/// The same choice for another profile or transform.
FlameChoice with_profile(const Run& run, const FlameChoice& choice, const Profile& profile);
FlameChoice with_transform(const Run& run, const FlameChoice& choice, std::string transform);

/// The steps before the tree is turned round: what functions are counted on.
std::string upright(const std::string& transform);

/// The chosen profile's trees, each resolved for itself, added up and transformed; kept by the run.
std::shared_ptr<const FlameTree> flame_tree(const Run& run, const FlameChoice& choice);

/// The same, made for one look: a tree of one worker among thousands would drive all others out.
FlameTree passing_flame_tree(const Run& run, const FlameChoice& choice);

/// What each function took part in, by that tree; kept by the run.
std::shared_ptr<const Functions> functions_in(const Run& run, const FlameChoice& choice);

/// Who calls each function of the analysis most (`main_callers`), by that tree; kept by the run.
std::shared_ptr<const std::vector<FrameId>> main_callers_in(const Run& run,
                                                            const FlameChoice& choice);

/// The children of its nodes, siblings in order; kept by the run.
std::shared_ptr<const Children> ordered_children(const Run& run, const FlameChoice& choice,
                                                 const FlameTree& tree, SiblingOrder order);

}  // namespace crema::profile
