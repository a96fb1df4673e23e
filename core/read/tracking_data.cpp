#include "core/read/tracking_data.hpp"

#include <algorithm>

#include "core/read/series_fast_path.hpp"
#include "core/read/tick_index.hpp"

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

/// What the series share: their ticks, and what reads one of them after the other.
struct SeriesReading {
  Run& run;
  TickIndex ticks{run};
  SeriesFastPath fast_path{ticks};
  SeriesBuilder builder{};
};

/// `{"tcp://…": [["2025-…", v], …], …}`: one series of all workers. The innermost arrays are pairs.
class SeriesNode : public json::Node {
 public:
  SeriesNode(SeriesReading& reading, Series which) : reading_(reading), which_(which) {}
  bool begin_object() override { return true; }
  json::Node* member(std::string_view address) override {
    flush();
    worker_ = reading_.run.workers.intern(reading_.run.names->strings.intern(address));
    reading_.ticks.rewind();
    return &list_;
  }
  /// Puts what was read of the worker's series into the run.
  void flush() {
    if (worker_ != no_worker) reading_.builder.flush(reading_.run.workers.of(which_, worker_));
    worker_ = no_worker;
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
      tick_ = owner_.reading_.ticks.find(text);
      return tick_ != TickIndex::none;
    }
    bool value(double value) {
      if (tick_ == TickIndex::none || value < 0) return false;
      owner_.reading_.builder.set(tick_, value * owner_.scale_);
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
      std::string_view expects() const override {
        return "a number, 0 or more, beside an ISO time";
      }

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
    explicit List(SeriesNode& owner) : owner_(owner), pair_(owner) {}
    bool begin_array() override { return true; }
    json::Node* element(std::size_t) override { return &pair_; }
    bool wants_raw() const override { return true; }
    std::size_t consume_raw(std::string_view bytes, std::size_t& index) override {
      return owner_.reading_.fast_path.take(bytes, owner_.scale_, owner_.reading_.builder, index);
    }
    void end() override { owner_.flush(); }
    std::string_view expects() const override { return "a list of pairs"; }

   private:
    SeriesNode& owner_;
    Pair pair_;
  };

  static constexpr std::size_t no_worker = ~std::size_t{0};

  SeriesReading& reading_;
  Series which_;
  double scale_ = which_ == Series::cpu ? 0.01 : 1.0;  // percent
  std::size_t worker_ = no_worker;
  List list_{*this};
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

}  // namespace crema::read
