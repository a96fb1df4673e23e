#pragma once

#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.hpp"
#include "core/compare/gate.hpp"
#include "core/model/options.hpp"
#include "core/model/run.hpp"
#include "core/model/selection.hpp"
#include "core/table/table.hpp"

namespace crema::exports {

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

}  // namespace crema::exports
