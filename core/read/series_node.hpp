#pragma once

#include <cstdint>
#include <string_view>

#include "core/json/router.hpp"
#include "core/model/run.hpp"
#include "core/read/series_fast_path.hpp"
#include "core/read/series_slice.hpp"
#include "core/read/tick_index.hpp"

namespace crema::read {

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
  /// Adds members that were read elsewhere: the run is as if they had been read here.
  void take(SeriesSlice&& slice);
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

}  // namespace crema::read
