#pragma once

#include <memory>

#include "core/json/router.hpp"
#include "core/model/run.hpp"
#include "core/read/series_slice.hpp"

namespace crema::read {

/// Node for `tracking_data` (flat schemas) and `raw.workers` (nested): worker counts and the nine
/// per-worker series.
class TrackingNode : public json::Node {
 public:
  /// The file has ended, wherever it did: what was read goes into the run.
  virtual void finished() = 0;
};

std::unique_ptr<TrackingNode> make_tracking_data_node(Run& run);

/// Adds the members of `slice` to the series of `tracking` that `open` reads; false when it reads
/// none.
bool take_slice(TrackingNode& tracking, SeriesSlice&& slice, const json::Node* open);

}  // namespace crema::read
