#pragma once

#include <vector>

#include "core/model/run.hpp"

namespace crema::predict {

/// How far the chunks of a dataset, or of all, have come.
struct PartProgress {
  StringId dataset = no_string;  ///< no_string: of all of them, or of those without one
  double planned = absent;       ///< chunks handed to executors; absent where nobody said
  double done = 0;               ///< chunks that ended well
  double skipped = 0;            ///< chunks that were given up
  double failed = 0;             ///< attempts that failed or were lost
  double events_planned = absent;
  double events = 0;        ///< of chunks that are done
  double core_seconds = 0;  ///< [s] Σ duration of all attempts
};

/// How far a run has come that `crema.record` records or recorded.
struct Progress {
  bool is_running = false;
  double since_begin =
      absent;  ///< [s] from the beginning of the recording until its index was written
  double files_planned = absent, files = 0;  ///< to be looked at before the chunks are known
  PartProgress all;
  std::vector<PartProgress> datasets;  ///< in the order in which they were planned, then began
  double now = absent;                 ///< [s] run axis: when the index was written
  double recent = absent;      ///< [s] run axis: where the last third of the time so far begins
  double work = absent;        ///< [core-s] of chunks that ended well
  double cores = absent;       ///< threads that were busy in that third
  double event_rate = absent;  ///< [1/s] events of chunks that ended in that third, over its time
  /// [s] until the last chunk has ended: eight of ten are between `low` and `high`. Absent where it
  /// does not run, where nothing was planned and before the first chunk has ended.
  double left = absent, left_low = absent, left_high = absent;
};

/// From the rows of tasks, up to the time of the last index. The rest of the work costs what its
/// dataset has cost per event so far, or what all have where none of it is done, without the first
/// chunk of each thread where most are others; it is shared by the threads that were busy in the
/// last third of the time. The band (10 % to 90 %) holds the spread of chunks, the pace of a
/// machine, which differs by 8 % from part to part of a run, what datasets differ by that have not
/// begun (30 %), what first chunks take longer where there are few others (30 %), and 0.4 chunks at
/// the end. Of four sets of recordings (46, 44, 34 and 31 runs), looked at after 10 %, 20 %, … 90 %
/// of their time, 89, 90, 85 and 87 % of the bands held (`npm run bench -- progress`).
const Progress& progress_of(const Run& run);

}  // namespace crema::predict
