#pragma once

#include <vector>

#include "core/model/run.hpp"
#include "core/stats/fit.hpp"

namespace crema::predict {

// How much memory chunks of a size take. A process has something before its first chunk, and a
// chunk adds to it by its events: a line through the resident memory at the peak of each chunk.
// Where chunks hardly differ in size, a line can be anything from flat to all of what a chunk added
// growing with its events; whatever is said of another size holds for both ends. A process keeps
// what earlier chunks took: the peak of a smaller one may be theirs, and it may have needed only
// what it added. What chunks are above or below the line they are at another size, too: by as much,
// or in proportion to the events.

/// The sizes that chunks have or could have: all the same one, or their own times a factor.
struct ChunkSizes {
  double events = absent;
  double times = 1;

  double of(double own) const { return is_absent(events) ? times * own : events; }
};

/// What chunks of these sizes take [byte].
struct MemoryAt {
  double likely = absent;              ///< at its peak, the median chunk
  double low = absent, high = absent;  ///< 9 of 10 chunks are between these; absent with few chunks
  double largest = absent;             ///< none of as many chunks as were recorded takes more
};

/// Which share of the chunks takes more than a limit; 9 of 10 times between `low` and `high`.
struct ShareAbove {
  double likely = absent, low = absent, high = absent;
};

/// Chunks, or attempts of any kind that a batch system measured, of which the peak is known.
class ChunkMemory {
 public:
  StringId name = no_string;  ///< dataset; of attempts that are no chunks their function;
                              ///< no_string of all together
  double at_once = 1;         ///< chunks at once in a process, whose memory is of all of them
  double lost =
      0;  ///< attempts that ended for want of memory or with their worker: of unknown peak
  double base = absent;               ///< [byte] the least that a process had before a chunk
  std::vector<double> events, peaks;  ///< [byte] of each chunk; events absent where nobody says
  std::vector<double> added;          ///< [byte] to what its process had before; absent, likewise
  double requested = absent;          ///< [byte] the most that any of them asked for
  stats::LineRange line;              ///< [byte] and [byte] per event; absent without events

  double count() const { return static_cast<double>(peaks.size()); }
  double median_events() const;
  MemoryAt at(const ChunkSizes& sizes) const;
  ShareAbove above(double limit, const ChunkSizes& sizes) const;
  /// Which share of the chunks takes more than `MemoryAt::largest`, at most, with 90 % certainty:
  /// n chunks below it are seen in one of ten cases where the share is 1 − 0.1^(1/n), whatever the
  /// distribution of their memory.
  double above_largest() const;
  /// The largest size of which `largest` is below the limit; absent where none is.
  double size_within(double limit) const;

  void fit();

 private:
  /// Of each chunk, were it of that size. What it is above the line grows with a power of its size.
  std::vector<double> moved(const stats::Line& by, double power, const ChunkSizes& sizes) const;
  /// Calls `use` with the chunks in all cases of what is not known of other sizes.
  template <class Use>
  void each_case(const ChunkSizes& sizes, const Use& use) const;
};

struct MemoryModel {
  std::vector<ChunkMemory> parts;  ///< all together first; then by dataset, the largest peak first
  double limit = absent;           ///< [byte] of the worker nearest to it, else what jobs requested
  bool is_requested = false;       ///< `limit` is a request
};

/// From the rows of `crema.record` or of a log. Datasets apart only where processes run one chunk
/// at a time, and of eight chunks or more.
MemoryModel memory_model(const Run& run);

// What Dask does at which share of a worker's memory limit (distributed.worker.memory).
inline constexpr double dask_spills = 0.7, dask_pauses = 0.8, dask_terminates = 0.95;

}  // namespace crema::predict
