#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/model/options.hpp"
#include "core/profile/calibration.hpp"
#include "core/profile/profiles.hpp"

namespace crema::profile {

inline constexpr Option profile_option{
    .name = "profile",
    .about = "which call tree: \"all\", or an id from the question profiles",
    .fallback = "all"};
inline constexpr Option leaves_option{
    .name = "leaves",
    .about = "how to treat the innermost frames, which Dask does not count",
    .fallback = "forced",
    .values = "forced, estimated, counted, notebook"};

inline constexpr Option section_option{
    .name = "section",
    .about = "only samples in this section of process(), which crema.record keeps"};
inline constexpr Option chunk_option{
    .name = "chunk",
    .type = Option::Type::count,
    .about = "only samples of this chunk, by its number in the question chunks",
    .least = 0};

/// What `leaves_option` says.
LeafChoice leaf_choice(const Options& options);

/// The profile that `profile_option` names; nullptr when the run has none at all.
const Profile* chosen_profile(const Profiles& profiles, const Options& options);

/// The unit of a profile's numbers in a Table: "count" for samples.
std::string count_unit(const Profile* profile);

/// The run's Calibration, kept by it.
std::shared_ptr<const Calibration> calibration_of(const Run& run);

}  // namespace crema::profile
