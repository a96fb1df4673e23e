#include "core/read/tracking_data.hpp"

#include <algorithm>

#include "core/read/series_node.hpp"

namespace crema::read {

namespace {

/// `{"2025-…": 4, …}`
class WorkerCountsNode : public json::Node {
 public:
  WorkerCountsNode(Run& run, TickIndex& ticks) : run_(run), ticks_(ticks) {}
  bool begin_object() override {
    ticks_.rewind();
    return true;
  }
  json::Node* member(std::string_view key) override {
    tick_ = ticks_.find(key);
    return &count_;
  }

 private:
  class Count : public json::Node {
   public:
    explicit Count(WorkerCountsNode& owner) : owner_(owner) {}
    bool number(double value) override {
      if (owner_.tick_ == TickIndex::none || value < 0) return false;
      owner_.run_.worker_counts[owner_.tick_] = value;
      return true;
    }
    std::string_view expects() const override { return "a number of workers under an ISO time"; }

   private:
    WorkerCountsNode& owner_;
  };

  Run& run_;
  TickIndex& ticks_;
  std::uint32_t tick_ = TickIndex::none;
  Count count_{*this};
};

class TrackingDataNode : public TrackingNode {
 public:
  explicit TrackingDataNode(Run& run) : reading_{run}, counts_(run, reading_.ticks) {
    for (std::size_t i = 0; i < series_count; ++i)
      series_.push_back(std::make_unique<SeriesNode>(reading_, static_cast<Series>(i)));
  }
  bool begin_object() override {
    reading_.run.tracked = true;
    return true;
  }
  json::Node* member(std::string_view key) override {
    if (key == "worker_counts") return &counts_;
    constexpr std::string_view prefix = "worker_";
    if (key.substr(0, prefix.size()) != prefix) return nullptr;
    const auto found =
        std::find(series_names.begin(), series_names.end(), key.substr(prefix.size()));
    return found == series_names.end()
               ? nullptr
               : series_[static_cast<std::size_t>(found - series_names.begin())].get();
  }
  void finished() override {
    for (const auto& one : series_) one->flush();
  }
  bool take(SeriesSlice&& slice, const json::Node* open) {
    const auto found = std::find_if(series_.begin(), series_.end(),
                                    [&](const auto& one) { return one.get() == open; });
    if (found == series_.end()) return false;
    (*found)->take(std::move(slice));
    return true;
  }
  std::string_view expects() const override { return "an object of series"; }

 private:
  SeriesReading reading_;
  WorkerCountsNode counts_;
  std::vector<std::unique_ptr<SeriesNode>> series_;
};

}  // namespace

std::unique_ptr<TrackingNode> make_tracking_data_node(Run& run) {
  return std::make_unique<TrackingDataNode>(run);
}

bool take_slice(TrackingNode& tracking, SeriesSlice&& slice, const json::Node* open) {
  return static_cast<TrackingDataNode&>(tracking).take(std::move(slice), open);
}

}  // namespace crema::read
