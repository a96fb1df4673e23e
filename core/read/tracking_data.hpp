#pragma once

#include <memory>

#include "core/json/router.hpp"
#include "core/model/run.hpp"

namespace crema::read {

/// Node for `tracking_data` (flat schemas) and `raw.workers` (nested): worker counts and the nine
/// per-worker series.
class TrackingNode : public json::Node {
 public:
  /// The file has ended, wherever it did: what was read goes into the run.
  virtual void finished() = 0;
};

std::unique_ptr<TrackingNode> make_tracking_data_node(Run& run);

}  // namespace crema::read
