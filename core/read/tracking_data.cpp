#include "core/read/tracking_data.hpp"

#include <algorithm>

#include "core/model/clock.hpp"

namespace crema {

std::uint32_t TickIndex::find(std::string_view text) {
  if (expected_ < texts_.size() && texts_[expected_] == text) return expected_++;
  const auto found = index_.find(std::string(text));
  if (found != index_.end()) {
    expected_ = found->second + 1;
    return found->second;
  }
  const auto time = parse_naive_time(text);
  if (!time) return none;
  const auto tick = static_cast<std::uint32_t>(texts_.size());
  texts_.emplace_back(text);
  index_.emplace(texts_.back(), tick);
  run_.tick_naive.push_back(*time);
  run_.worker_counts.push_back(absent);
  expected_ = tick + 1;
  return tick;
}

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

/// `{"tcp://…": [["2025-…", v], …], …}`: one series of all workers. The innermost arrays are pairs.
class SeriesNode : public json::Node {
 public:
  SeriesNode(Run& run, TickIndex& ticks, Series which, double scale) : run_(run), ticks_(ticks), which_(which), scale_(scale) {}
  bool begin_object() override { return true; }
  json::Node* member(std::string_view address) override {
    worker_ = run_.workers.intern(run_.names->strings.intern(address));
    ticks_.rewind();
    return &list_;
  }

 private:
  class Pair : public json::Node {
   public:
    explicit Pair(SeriesNode& owner) : owner_(owner) {}
    bool begin_array() override {
      tick_ = TickIndex::none;
      return true;
    }
    json::Node* element(std::size_t index) override {
      if (index == 0) return &time_;
      return index == 1 ? &value_ : nullptr;
    }
    std::string_view expects() const override { return "a pair [time, number]"; }

    bool time(std::string_view text) {
      tick_ = owner_.ticks_.find(text);
      return tick_ != TickIndex::none;
    }
    bool value(double value) {
      if (tick_ == TickIndex::none || value < 0) return false;
      owner_.run_.workers.of(owner_.which_, owner_.worker_).set(tick_, value * owner_.scale_);
      return true;
    }

   private:
    class Time : public json::Node {
     public:
      explicit Time(Pair& owner) : owner_(owner) {}
      bool string(std::string_view text) override { return owner_.time(text); }
      std::string_view expects() const override { return "an ISO time"; }

     private:
      Pair& owner_;
    };
    class Value : public json::Node {
     public:
      explicit Value(Pair& owner) : owner_(owner) {}
      bool number(double value) override { return owner_.value(value); }
      std::string_view expects() const override { return "a number, 0 or more, beside an ISO time"; }

     private:
      Pair& owner_;
    };

    SeriesNode& owner_;
    std::uint32_t tick_ = TickIndex::none;
    Time time_{*this};
    Value value_{*this};
  };

  class List : public json::Node {
   public:
    explicit List(SeriesNode& owner) : pair_(owner) {}
    bool begin_array() override { return true; }
    json::Node* element(std::size_t) override { return &pair_; }
    std::string_view expects() const override { return "a list of pairs"; }

   private:
    Pair pair_;
  };

  Run& run_;
  TickIndex& ticks_;
  Series which_;
  double scale_;
  std::size_t worker_ = 0;
  List list_{*this};
};

class TrackingDataNode : public json::Node {
 public:
  explicit TrackingDataNode(Run& run) : run_(run), ticks_(run), counts_(run, ticks_) {
    for (std::size_t i = 0; i < series_count; ++i) {
      const auto which = static_cast<Series>(i);
      series_.push_back(std::make_unique<SeriesNode>(run, ticks_, which, which == Series::cpu ? 0.01 : 1.0));
    }
  }
  bool begin_object() override {
    run_.tracked = true;
    return true;
  }
  json::Node* member(std::string_view key) override {
    if (key == "worker_counts") return &counts_;
    constexpr std::string_view prefix = "worker_";
    if (key.substr(0, prefix.size()) != prefix) return nullptr;
    const auto found = std::find(series_names.begin(), series_names.end(), key.substr(prefix.size()));
    return found == series_names.end() ? nullptr : series_[static_cast<std::size_t>(found - series_names.begin())].get();
  }
  std::string_view expects() const override { return "an object of series"; }

 private:
  Run& run_;
  TickIndex ticks_;
  WorkerCountsNode counts_;
  std::vector<std::unique_ptr<SeriesNode>> series_;
};

}  // namespace

std::unique_ptr<json::Node> make_tracking_data_node(Run& run) { return std::make_unique<TrackingDataNode>(run); }

}  // namespace crema
