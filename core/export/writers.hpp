#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/export/export.hpp"
#include "core/model/options.hpp"
#include "core/model/run.hpp"
#include "core/profile/profile.hpp"

namespace crema::exports {

using namespace profile;

inline constexpr Option worker_option{
    .name = "worker", .about = "only the profile of this worker: an address or a name"};
inline constexpr Option key_option{.name = "key", .about = "only the profile of this task prefix"};

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

/// The founding notebook's `flamegraph_tsv` of one recorded tree: "@:0;func@file:line;...\tcount"
/// per stack with exclusive samples, most frequent first, ties in post-order of first sight; no
/// line break at the end.
std::string notebook_stacks(const Run& run, const CallTree& tree, bool hide_paths);

/// A text as the cell of a Markdown table shows it; a name may hold anything, bars and markup
/// included.
std::string markdown_cell(std::string_view text);

/// speedscope JSON (https://www.speedscope.app/file-format-schema.json): sampled profiles, the sum
/// first, then one per tree it is made of. A node's certain self time is a sample of its stack; its
/// unresolved part one with an explicit frame on top. In seconds where the interval between samples
/// was recorded, else plain counts (unit "none"). Options: `profile`, `worker`, `key` (only that
/// one), `merged` (only the sum), `leaves` (forced, estimated, counted, notebook), `transform`
/// (core/profile/README.md), `hide-paths`. Failure nothing_to_export without profiles,
/// bad_option for a profile there is not.
extern const Writer speedscope_writer;

/// Folded stacks, "outermost;...;innermost count", a line per stack, frames as "name (file:line)".
/// Options as for speedscope; the sum unless one is chosen. `leaves=notebook` writes, for every
/// worker, the founding notebook's `flamegraph_tsv`: exclusive count at the node (count − Σ
/// children), labels "name@file:line" with the line seen first, a tab before the count, most
/// frequent first, ties in the notebook's post-order.
extern const Writer folded_writer;

/// The icicle of one profile as one SVG file that needs nothing else: boxes coloured by category,
/// texts that can be selected and searched, a title per box with its numbers. Boxes narrower than a
/// tenth of a pixel are left out and counted below the picture. Options as for folded stacks, and
/// `order` (heavy, name), `width` [px].
extern const Writer svg_writer;

/// The functions of one profile (question `frames`) as CSV. Options as for folded stacks.
extern const Writer functions_writer;

/// A digest: what can be compared of a run, in one small file: labels, and answers as `crema ask
/// --json` prints them, some of their columns, at most 200 rows each (docs/history.md). The run
/// that is read from it answers the questions that it keeps.
extern const Writer digest_writer;

}  // namespace crema::exports
