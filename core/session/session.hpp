#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/model/run.hpp"
#include "core/questions/question.hpp"
#include "core/read/format.hpp"
#include "core/write/writer.hpp"

namespace crema {

using FileId = std::uint32_t;
using RunId = std::uint32_t;

/// What became of an opening: the runs it made and what could not be used (one sentence per file or fault).
struct Opened {
  std::vector<RunId> runs;
  std::vector<Doubt> doubts;  ///< of files that belong to no run
};

/// How far a file has been read.
struct FileProgress {
  std::string_view format;     ///< the id of the format it was recognised as, "" while unknown
  std::string where;           ///< the path of the value being read: `tracking_data.worker_cpu["tcp://…"][12]`
  std::vector<Stored> stored;  ///< the numbers roastcoffea stored, as far as they were read
};

/// The front door of the core: opens bundles, answers questions, exports. Nothing here throws.
///
/// Opening: `add_file`, `push` its bytes in any pieces, `finish_file`, for each file; then `finish` decides which files make
/// a run (domain.md 1). Several files may be open at once. RunIds count up and are never reused.
class Session {
 public:
  /// `first_run` is the id of its first run: a Session that takes the place of another goes on counting.
  explicit Session(RunId first_run = 0);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Begins a file of the current opening. `path` has "/" between folders; `size` [byte] may be 0 when unknown.
  FileId add_file(std::string path, std::uint64_t size);
  void push(FileId file, std::span<const char> bytes);
  void finish_file(FileId file);
  /// The id of the format a file was recognised as, "" while unknown.
  std::string_view format_of(FileId file) const;
  /// For whoever waits; costs a walk down the open containers and a copy of the stored numbers.
  FileProgress progress(FileId file) const;

  /// Ends the opening. An error only when nothing at all can be shown; it names every file and why.
  Result<Opened> finish();
  /// Forgets the opening and frees what it holds.
  void cancel();

  std::vector<RunId> runs() const;
  const Run* run(RunId id) const;  ///< nullptr when there is none
  void close(RunId id);

  Result<Table> ask(std::string_view question, std::span<const RunId> runs, const Selection& selection,
                    const Options& options) const;
  /// `request`: {"question": name, "runs": [id...], "selection": {...}, "options": {...}}; all but "question" optional, no
  /// "runs" = all open runs up to what the question takes. A selection has "time": [begin, end], "workers", "datasets",
  /// "files", "hosts", "prefixes": [text...], "ranges": [{"column", "lo", "hi"}...].
  Result<Table> ask(std::string_view request) const;

  /// Writes `run` in the format `to` ("speedscope", "folded", "json", "csv"); options are the command line's.
  Result<std::vector<Artefact>> export_run(RunId run, std::string_view to, const Selection& selection,
                                           const Options& options) const;

 private:
  struct Opening;
  std::shared_ptr<Names> names_;
  std::unique_ptr<Opening> opening_;
  std::map<RunId, std::unique_ptr<Run>> runs_;
  RunId next_run_;
};

}  // namespace crema
