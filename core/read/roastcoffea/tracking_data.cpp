// Compiled for speed: it runs for every value of a series or chunk.
#include "core/read/roastcoffea/metrics.hpp"

#include <algorithm>

namespace crema::read {

TrackingNode::TrackingNode(Run& run)
    : Map("an object of series", [this](std::string_view key) { return series_of(key); }),
      run_(run) {}

json::Node* TrackingNode::series_of(std::string_view key) {
  if (key == "worker_counts") {
    ticks_.rewind();
    return &counts_;
  }
  constexpr std::string_view prefix = "worker_";
  if (!key.starts_with(prefix)) return nullptr;
  const auto found = std::find(series_names.begin(), series_names.end(), key.substr(prefix.size()));
  if (found == series_names.end()) return nullptr;
  flush();
  which_ = static_cast<Series>(found - series_names.begin());
  scale_ = which_ == Series::cpu ? 0.01 : 1.0;  // percent
  return &series_;
}

json::Node* TrackingNode::worker(std::string_view address) {
  flush();
  worker_ = run_.workers.intern(run_.names->strings.intern(address));
  ticks_.rewind();
  return &pairs_;
}

bool TrackingNode::time(std::string_view text) {
  tick_ = ticks_.find(text);
  return tick_ != TickIndex::none;
}

bool TrackingNode::value(double value) {
  if (tick_ == TickIndex::none || value < 0) return false;
  builder_.set(tick_, value * scale_);
  return true;
}

void TrackingNode::flush() {
  if (worker_ != no_worker) builder_.flush(run_.workers.of(which_, worker_));
  worker_ = no_worker;
}

}  // namespace crema::read
