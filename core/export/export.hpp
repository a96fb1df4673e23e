#pragma once

#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.hpp"
#include "core/compare/gate.hpp"
#include "core/model/run.hpp"
#include "core/model/selection.hpp"
#include "core/profile/profile.hpp"
#include "core/table/table.hpp"

namespace crema::exports {

using namespace profile;

/// A file to be saved.
struct Artefact {
  std::string name;     ///< suggested file name, no folder
  std::string content;  ///< its bytes
};

/// An output format: one file in core/export, one line in the list.
struct Writer {
  std::string_view id;  ///< "speedscope", "folded", "json", "csv"
  std::vector<Artefact> (*write)(const Run& run, const Selection& selection,
                                 const Options& options);
  std::initializer_list<const Option*> options{};
  bool several = false;  ///< it writes several files, into a folder
};

const std::vector<Writer>& writers();

inline constexpr Option hide_paths_option{.name = "hide-paths",
                                          .type = Option::Type::flag,
                                          .about = "leave out the folders of source files"};

/// A text that can be a file name on any system.
std::string as_file_name(std::string_view text);

/// JSON of a Table, what `crema ask --json` prints: {"question", "rows", "columns": [{"name",
/// "type", "unit", "values": [...]}], "notes": {...}}; missing values are null, a matrix column's
/// values are lists. `explain` adds each column's formula.
void write_table_json(const Table& table, bool explain, TextSink& out);
std::string table_json(const Table& table, bool explain = false);

/// CSV (RFC 4180): a header "name [unit]", then a line per row; missing cells are empty; a matrix
/// column becomes one column per entry, "name.0", "name.1", ..., and one that is empty where it has
/// none. Text that a spreadsheet would run as a formula gets an apostrophe before it.
void write_table_csv(const Table& table, TextSink& out);
std::string table_csv(const Table& table);

/// Two sides for a pull request: what is not like for like, the headline numbers, and per dimension
/// what contributed most to the change; differences within noise are left out. Options are those of
/// `compare`.
std::string comparison_markdown(std::span<const Run* const> runs, const Selection& selection,
                                const Options& options);

/// Of the same the beginning: the sentence, its limits, and of five dimensions what changed most.
std::string comparison_brief(std::span<const Run* const> runs, const Selection& selection,
                             const Options& options);

/// The headline, what keeps the runs from being checked, and a line per rule with the verdict
/// first.
std::string gate_markdown(const compare::Gate& gate);

/// A text as XML holds it, between tags or in quotes. What XML cannot hold is left out: control
/// characters. Bytes that are no UTF-8 stay as they are.
std::string xml_text(std::string_view text);

/// Rewrites the files of a bundle so that they name no user and show no folder below a user's home,
/// alike in all files:
///
///     /home/jdoe/secret/x.py                              -> /home/user1/folder1/x.py
///     root://host//store/user/jdoe/run3/nano.root         ->
///     root://host//store/user/user1/folder2/nano.root
///     /home/jdoe/env/lib/python3.11/site-packages/dask/y  ->
///     /home/user1/folder3/lib/python3.11/site-packages/dask/y "owner": "jdoe" -> "owner": "user1"
///
/// Users are those whose homes occur (`/home/U`, `/Users/U`, `/user/U`, `/user/u/U`, `/work/u/U`,
/// …); accounts that name no person (root, jovyan, …) stay. What follows `lib/pythonX`,
/// `site-packages`, `src` or a Dask worker's scratch folder stays: it tells one code from another.
/// It works on text of any format, JSON's escapes included, but not on what is packed within. The
/// files stay readable whatever the users are called: numbers, keys that are plain words (the
/// fields of a format) and the words that formats write as values are left as they are.
///
/// First all files are shown to `learn`, each piece by piece and ended by `end_file`; then they are
/// given to `hide` in the same manner, whose returns, with that of `end_hiding`, are the new file.
class NameHider {
 public:
  /// `also`: further words to hide wherever they stand alone, in keys as well.
  explicit NameHider(std::vector<std::string> also = {});

  void learn(std::string_view piece);
  void end_file();

  std::string hide(std::string_view piece);
  std::string end_hiding();

 private:
  std::string_view complete_part(std::string_view piece);
  void learn_from(std::string_view text);
  std::string_view shown_name(std::string_view user) const;
  std::string hidden(std::string_view text);

  std::string buffer_;        // begins with what the last piece left
  std::size_t complete_ = 0;  // bytes of `buffer_` that were dealt with
  std::map<std::string, std::string, std::less<>> words_;  // asked for
  std::map<std::string, std::string, std::less<>> names_;  // of users
  std::map<std::string, std::string, std::less<>> folders_;
  std::size_t users_ = 0;
};

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
  /// "name (file:line)", as far as known.
  std::string label(FrameId frame) const;
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
