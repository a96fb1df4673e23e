#pragma once

#include <deque>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/read/format.hpp"
#include "core/session/session.hpp"

namespace crema {

/// Where files of an opening come from; see Session::begin_source.
struct OpeningSource {
  std::string name;  ///< what stands before the paths of its files; in `parent`, when there is one
  std::optional<SourceId> parent;  ///< always of a lower number
  bool one_by_one = false;
};

/// A file that could not be read; without a `path`, some part of its source.
struct Missing {
  SourceId source = 0;
  std::string path;
  DataNote note;
};

/// A file being opened, and the Run of its own that its reader fills.
struct OpeningFile {
  SourceId source = 0;
  std::string path;  ///< within its source
  /// for people: with the folders of an archive that was found in another source
  std::string shown;
  std::uint64_t size = 0;      ///< [byte] as announced
  std::uint64_t received = 0;  ///< [byte] pushed so far
  HeadSize head_size;
  std::string head;  ///< its beginning, until a format is found
  bool undecided = true;
  bool finished = false;
  const read::Format* format = nullptr;
  std::unique_ptr<Run> run;
  std::unique_ptr<read::Reader> reader;
  /// Of a part of a recording that its run has taken: the rows of each of the run's tables up to
  /// its end. Here they are no longer.
  std::vector<std::size_t> rows_until;
  bool is_reused = false;

  void push(std::span<const char> bytes);
  bool wants_more() const { return undecided || (reader && reader->wants_more()); }
  void finish();
  /// The rest of it cannot be read.
  void fail(const std::string& why);

  /// Does `work` on this file. When a reader throws, the rest of the file is left out, with a data
  /// note. When memory runs out, the whole file is, which frees its memory for the others.
  template <class Work>
  void guarded(Work work) {
    try {
      work(*this);
    } catch (const std::bad_alloc&) {
      run_out();
    } catch (const std::exception& failure) {
      give_up(failure.what());
    }
  }

 private:
  void give_up(const std::string& why);
  void run_out();
  std::size_t next_look() const;
  void decide(bool complete);
  void leave_out(const nlohmann::json& sample, bool is_binary, bool complete);
};

/// The sources and files of one opening.
struct Opening {
  std::vector<OpeningSource> sources;
  std::deque<OpeningFile> files;
  std::vector<Missing> missing;
  std::optional<RunId> reuses;  ///< the run that files were taken of
};

/// A run that was made of files of an opening.
struct NewRun {
  std::unique_ptr<Run> run;
  std::string name;   ///< of its folder, its file or its processor
  std::string above;  ///< the folders (archives, addresses) it lies in, as far as they are known,
                      ///< with "/" between
  std::vector<FilePlace> files;
  // For a renewal:
  std::vector<OpeningFile> kept;             ///< the parts of its recording, without their rows
  std::vector<std::vector<double>> moments;  ///< [epoch s] of its rows, as they were read
  std::size_t reused = 0;                    ///< parts of which `Run` has no rows yet
};

/// Whether a file is a part of a recording, which never changes.
bool is_part(const OpeningFile& file);

/// Joins a part to the run, which keeps it for a renewal.
void join_part(NewRun& run, OpeningFile&& part);

/// The parts of an opening that are reused.
struct Reused {
  std::size_t parts = 0;
  std::vector<std::size_t> rows;  ///< of each table, up to the end of the last of them

  explicit Reused(const Opening& opening);
};
/// Moves their rows from `old` to the beginning of `into`, which is not settled yet: as they were
/// read.
void take_rows(const Reused& reused, NewRun& old, NewRun& into);

/// Keeps what `take_rows` needs of a run that is not settled yet.
void keep_moments(NewRun& run);

/// A file's path for people: from what was given on, with the folders around an archive.
std::string shown_path(const std::vector<OpeningSource>& sources, SourceId source,
                       std::string path);

/// Decides which files make a run and joins them: one run per directory of a source; subfolders
/// without metrics of their own join it, and so do archives in it. A second file of a kind that a
/// run has only once begins another run (docs/meanings.md, Runs). Files that belong to no run
/// become data notes.
std::vector<NewRun> group_into_runs(Opening& opening, const std::shared_ptr<Names>& names,
                                    std::vector<DataNote>& notes);

/// Gives each open run its title: its name; when others share it, with as many of the folders above
/// as tell them apart ("old/run", "new/run"); when none do (the same folder twice), with a number
/// ("run", "run (2)").
void tell_apart(std::span<NewRun* const> runs);

}  // namespace crema
