#pragma once

#include "core/read/format.hpp"

namespace crema {

/// Per-worker Dask profiles with worker meta, `{address: {meta, profile}}`: the founding notebook's `dask_profiles.json`.
extern const Format worker_profiles_format;

/// A map of Dask trees: `{address: tree}` (`client.profile(merge_workers=False)`) or `{task prefix: tree}`.
extern const Format profile_map_format;

/// One Dask tree (`client.profile()`). Whose it is, the file does not say: "server" or "scheduler" in its name is taken as a hint.
extern const Format profile_tree_format;

bool recognises_worker_profiles(const Head& head);
bool recognises_profile_map(const Head& head);
bool recognises_profile_tree(const Head& head);

/// Trees go to `run.call_trees`, worker meta to `run.workers`. Profiles without samples, counts that cannot be, and files that
/// are cut off become doubts.
std::unique_ptr<Reader> open_worker_profiles(Run& run, const std::string& path);
std::unique_ptr<Reader> open_profile_map(Run& run, const std::string& path);
std::unique_ptr<Reader> open_profile_tree(Run& run, const std::string& path);

}  // namespace crema
