#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/analyse/calibration.hpp"
#include "core/flame/profiles.hpp"
#include "core/model/options.hpp"
#include "core/table/table.hpp"

namespace crema {

/// The option `leaves`: forced (default), estimated, counted or notebook; Failure bad_option for any other.
LeafChoice leaf_choice(const Options& options);

/// The profile that the option `profile` names ("all" by default); nullptr when the run has none at all.
const Profile* chosen_profile(const Profiles& profiles, const Options& options);

/// The unit of a profile's numbers in a Table: "count" for samples.
std::string count_unit(const Profile* profile);

/// Notes what a profile's numbers mean: profile, total, unit, seconds_per_sample, how sure the leaves are, how far it was selected.
void note_profile(Table& table, const Run& run, const Profiles& profiles, const Profile& profile, const ResolvedTree& tree,
                  LeafChoice choice);

/// The run's Calibration, kept by it.
std::shared_ptr<const Calibration> calibration_of(const Run& run);

/// Notes what a sample of the profile stands for, and how that is known.
void note_sample_time(Table& table, const Calibration& calibration, const Profile& profile);

/// Notes that there is nothing to draw, and what to record.
void note_no_profiles(Table& table);

}  // namespace crema
