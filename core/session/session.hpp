#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/export/export.hpp"
#include "core/model/run.hpp"
#include "core/model/selection.hpp"
#include "core/query/question.hpp"
#include "core/read/format.hpp"

namespace crema {

/// A request as the binding and tests write it; see Session::ask(request).
struct Request {
  std::string question;
  std::vector<std::uint32_t> runs;  ///< empty = as many open runs as the question takes
  Selection selection;
  Options options;
};

/// Reads a request's JSON; throws Failure (bad_option, bad_selection) with a sentence when it is
/// wrong.
Request parse_request(std::string_view json);

using SourceId = std::uint32_t;
using FileId = std::uint32_t;
using RunId = std::uint32_t;

/// The result of an opening: its runs, and what could not be used (one sentence per file or fault).
struct Opened {
  std::vector<RunId> runs;
  std::vector<DataNote> data_notes;  ///< of files that belong to no run
};

/// How far a file has been read.
struct FileProgress {
  std::string_view format;  ///< the id of the format it was recognised as, "" while unknown
  /// the path of the value being read: `tracking_data.worker_cpu["tcp://…"][12]`
  std::string where;
  std::vector<Stored> stored;  ///< the numbers roastcoffea stored, as far as they were read
};

/// A file among those of its opening; two may have one path.
struct FilePlace {
  SourceId source = 0;
  std::string path;  ///< within its source
  bool operator==(const FilePlace&) const = default;
};

struct Opening;
struct NewRun;

/// How much of a file's beginning is gathered before it is recognised and read: where `first` did
/// not tell (a long unknown first member), 16 times as much, and so on up to `most`. Tests make it
/// small, so that small files come to their readers in pieces.
struct HeadSize {
  std::size_t first = std::size_t{64} << 10U;  ///< [byte]
  std::size_t most = std::size_t{16} << 20U;   ///< [byte]
};

/// Runs `work` and turns what it throws into an Error: nothing leaves the core as an exception.
template <class Work>
auto guarded(Work work) -> Result<decltype(work())> {
  try {
    return work();
  } catch (const std::exception&) {
    return current_error();
  }
}

/// The front door of the core: opens bundles, answers questions, exports. Nothing here throws.
///
/// Opening: `begin_source` for each thing that was given; for each of its files `add_file`, `push`
/// its bytes in any pieces, `finish_file`; then `finish` decides which files make a run
/// (docs/meanings.md, Runs). Several files may be open at once. RunIds count up and are never
/// reused.
class Session {
 public:
  /// `first_run` is the id of its first run: a Session that takes the place of another goes on
  /// counting.
  explicit Session(RunId first_run = 0, HeadSize head = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Begins a source of the current opening: a folder, an archive, an address, what was dropped at
  /// once. Files are identified by their source and the folder in it, never by names: `name` is for
  /// people. It is what stands before the paths of the source's files: "old" for the folder old/run
  /// whose files are "run/…", "" when unknown. With a `parent`, an archive that was found in that
  /// source, it is a folder of the parent. SourceIds count from 0 in each opening.
  SourceId begin_source(std::string name, std::optional<SourceId> parent = {});
  /// A source of files that were given one by one: they make one run wherever they lie, unless
  /// there are metrics in several of their folders.
  SourceId begin_single_files(std::string name);

  /// Begins a file of a source. `path` has "/" between folders; `size` [byte] may be 0 when
  /// unknown.
  FileId add_file(SourceId source, std::string path, std::uint64_t size);
  void push(FileId file, std::span<const char> bytes);
  /// False where nothing of a file's rest could be read: it is of no known format, or broken beyond
  /// repair. The rest need then not be fetched or unpacked; `finish_file` comes all the same.
  bool wants_more(FileId file) const;
  void finish_file(FileId file);

  /// Instead of `add_file` and what follows, for a part of the recording of `run`, which goes on
  /// (`RecordedIndex::is_running`): parts never change, and the rows that were read of it are
  /// taken. False where it is none, where it is not the next of the parts in their order, and where
  /// another part was added before it; the file has to be added then.
  bool reuse_file(RunId run, SourceId source, const std::string& path);

  // What cannot be read becomes a data note of the runs that it would belong to, else of the
  // opening; `why` is a sentence.

  /// The rest of a file cannot be read; finishes the file.
  void fail_file(FileId file, std::string why);
  /// A file that was not added cannot be read.
  void miss_file(SourceId source, std::string path, std::string why);
  /// Unknown files cannot be read: the rest of `name` in the source, such as an archive that is cut
  /// off.
  void miss_rest(SourceId source, std::string name, std::string why);

  /// The id of the format a file was recognised as, "" while unknown.
  std::string_view format_of(FileId file) const;
  /// For display while a file is read; walks the open containers and copies the stored numbers.
  FileProgress progress(FileId file) const;

  /// Ends the opening. An error only when nothing at all can be shown; it names every file and why.
  Result<Opened> finish();
  /// Ends the opening as `finish` does; its first run takes the place and the id of `run`. Answers
  /// are those of a Session that has read the same files in the same order. An error where parts
  /// were reused and the index is of another recording by now. After an error `run` is as it was,
  /// but has no parts that could be reused; where memory ran out it is closed.
  Result<Opened> renew(RunId run);
  /// Forgets the opening and frees what it holds.
  void cancel();

  std::vector<RunId> runs() const;
  const Run* run(RunId id) const;  ///< nullptr when there is none
  /// The files that a run was made of, as they were added; none when there is no such run.
  std::vector<FilePlace> files(RunId id) const;
  void close(RunId id);

  /// `may_be_unmade`: the answer may be a Table whose cells are made while it is written.
  Result<Table> ask(std::string_view question, std::span<const RunId> runs,
                    const Selection& selection, const Options& options,
                    bool may_be_unmade = false) const;
  /// `request`: {"question": name, "runs": [id...], "selection": {...}, "options": {...}}; all but
  /// "question" optional, no "runs" = all open runs up to what the question takes. A selection has
  /// "time": [begin, end] (null = the run's own), "workers", "datasets", "files", "hosts",
  /// "prefixes": [text...], "ranges": [{"column", "lo", "hi"}...].
  Result<Table> ask(std::string_view request) const;
  /// What `make` says of the runs of a question, for a report that is no Table; runs, selection and
  /// options are checked as `ask` does.
  template <class T>
  Result<T> report(std::string_view question, std::span<const RunId> runs,
                   const Selection& selection, const Options& options,
                   T (*make)(std::span<const Run* const>, const Selection&, const Options&)) const {
    return guarded([&] {
      const Chosen chosen = choose(question, runs, selection, options);
      return make(chosen.runs, chosen.selection, options);
    });
  }

  /// Checks the names in a selection: the error names one that none of the runs has, those there
  /// are, and the nearest. `ask` accepts such a name and answers with no rows, because a link may
  /// name a dataset of another run. Call this first when a person wrote the selection.
  std::optional<Error> check(std::span<const RunId> runs, const Selection& selection) const;

  /// The selection, with the runs' own ends where its time range is open: for who writes it down.
  Selection closed(const Selection& selection, std::span<const RunId> runs) const;

  /// Writes `run` in the format `to` ("speedscope", "folded", "json", "csv"); options are the
  /// command line's.
  Result<std::vector<exports::Artefact>> export_run(RunId run, std::string_view to,
                                                    const Selection& selection,
                                                    const Options& options) const;
  /// In a format that may be none of the core's own.
  Result<std::vector<exports::Artefact>> export_run(RunId run, const exports::Writer& writer,
                                                    const Selection& selection,
                                                    const Options& options) const;

 private:
  Opening& opening();
  Opened make_runs(std::optional<RunId> renewed);
  /// A question with its runs, and what it is narrowed to. Throws Failure where they do not fit.
  struct Chosen {
    const query::Question& question;
    std::vector<const Run*> runs;
    Selection selection;
  };
  Chosen choose(std::string_view question, std::span<const RunId> runs, const Selection& selection,
                const Options& options) const;
  std::vector<exports::Artefact> written(RunId run, const exports::Writer& writer,
                                         const Selection& selection, const Options& options) const;
  const Run& open_run(RunId id) const;  ///< throws Failure where there is none
  void tell_runs_apart();

  std::shared_ptr<Names> names_;
  std::unique_ptr<Opening> opening_;
  std::map<RunId, std::unique_ptr<NewRun>> runs_;
  RunId next_run_;
  HeadSize head_;
};

}  // namespace crema
