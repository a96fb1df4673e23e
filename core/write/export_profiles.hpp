#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/flame/profiles.hpp"
#include "core/flame/stacks.hpp"
#include "core/model/options.hpp"

namespace crema {

/// The profile that `profile`, `worker` (address or name) or `key` names, nullptr when none of them is given. Failure bad_option
/// when there is no such profile, nothing_to_export when the run has none at all.
const Profile* named_profile(const Run& run, const Profiles& profiles, const Options& options);

/// The sum, then what it is made of (nothing more when that is one tree).
std::vector<const Profile*> sum_and_parts(const Profiles& profiles);

/// A file of a frame as exported: as recorded, or without what tells people and hosts.
std::string exported_file(std::string_view file, bool hide_paths);

/// A text that can be a file name on any system.
std::string as_file_name(std::string_view text);

}  // namespace crema
