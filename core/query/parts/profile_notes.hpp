#pragma once

#include "core/profile/flame_tree.hpp"
#include "core/query/question.hpp"

namespace crema::query {

/// Notes what a profile's numbers mean: profile, total, unit, seconds_per_sample, how sure the
/// leaves are, how far it was selected.
void note_profile(Table& table, const Run& run, const Profile& profile, const ResolvedTree& tree,
                  LeafChoice choice);

/// Notes what a sample of the profile stands for, and how that is known.
void note_sample_time(Table& table, const Calibration& calibration, const Profile& profile);

/// Notes that there is nothing to draw, and what to record.
void note_no_profiles(Table& table);

/// Notes that no profile tells workers apart.
void note_no_workers(Table& table, const FlameChoice& choice);

/// Notes what was done and could not be done to the tree.
void note_transform(Table& table, const FlameChoice& choice, const FlameTree& tree);

}  // namespace crema::query
