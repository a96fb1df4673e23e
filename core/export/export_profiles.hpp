#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/options.hpp"
#include "core/profile/flame_tree.hpp"
#include "core/profile/stacks.hpp"

namespace crema::exports {

using namespace profile;

inline constexpr Option worker_option{
    .name = "worker", .about = "only the profile of this worker: an address or a name"};
inline constexpr Option key_option{.name = "key", .about = "only the profile of this task prefix"};
inline constexpr Option hide_paths_option{.name = "hide-paths",
                                          .type = Option::Type::flag,
                                          .about = "leave out the folders of source files"};

/// The options that all exports of call trees take.
inline constexpr std::initializer_list<const Option*> profile_options = {
    &profile::profile_option,   &worker_option,    &key_option, &profile::leaves_option,
    &profile::transform_option, &hide_paths_option};

/// The profile that `profile`, `worker` (address or name) or `key` names, nullptr when none of them
/// is given. Failure bad_option when there is no such profile, nothing_to_export when the run has
/// none at all.
const Profile* named_profile(const Run& run, const Profiles& profiles, const Options& options);

/// The sum, then what it is made of (nothing more when that is one tree).
std::vector<const Profile*> sum_and_parts(const Profiles& profiles);

/// A tree to be written, with the names its frames have outside.
struct ExportedTree {
  std::shared_ptr<const FlameTree> of;
  const Run* run = nullptr;
  bool hide_paths = false;

  const ResolvedTree& tree() const { return of->tree; }
  std::string_view name(FrameId frame) const { return of->facts->name[frame]; }
  std::uint32_t line(FrameId frame) const { return of->facts->line[frame]; }
  /// As recorded, or without what tells people and hosts; of groups as on the page.
  std::string file(FrameId frame) const;
};
ExportedTree exported_tree(const Run& run, const Profile& profile, const Options& options);

/// The profile that an export of one is of: the named one, else the sum; and what the file is
/// called, without its ending.
struct ExportedProfile {
  const Profile* profile;
  std::string file_name;
};
ExportedProfile exported_profile(const Run& run, const Profiles& profiles, const Options& options);

/// A file of a frame as exported: as recorded, or without what tells people and hosts.
std::string exported_file(std::string_view file, bool hide_paths);

/// A text that can be a file name on any system.
std::string as_file_name(std::string_view text);

}  // namespace crema::exports
