#include "core/profile/call_trees.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace crema::profile {

LeafChoice leaf_choice(const Options& options) { return options.choice<LeafChoice>(leaves_option); }

const Profile* chosen_profile(const Profiles& profiles, const Options& options) {
  return profiles.list.empty() ? nullptr : &find_profile(profiles, options.text(profile_option));
}

std::string count_unit(const Profile* profile) {
  const bool known =
      profile != nullptr && !profile->trees.empty() && profile->trees.front()->unit != "samples";
  return known ? profile->trees.front()->unit : "count";
}

namespace {

struct KeptCalibration {
  Once<std::shared_ptr<const Calibration>> of_run;
};

}  // namespace

std::shared_ptr<const Calibration> calibration_of(const Run& run) {
  return run.facts.of<KeptCalibration>().of_run.of(
      [&] { return std::make_shared<const Calibration>(run); });
}

}  // namespace crema::profile
