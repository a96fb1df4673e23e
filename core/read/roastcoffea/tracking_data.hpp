#pragma once

#include <cstdint>
#include <string_view>

#include "core/json/nodes.hpp"
#include "core/model/run.hpp"
#include "core/read/roastcoffea/series_fast_path.hpp"

namespace crema::read {

/// Node for `tracking_data` (flat schemas) and `raw.workers` (nested): worker counts and the nine
/// per-worker series, `{"tcp://…": [["2025-…", v], …], …}` each.
class TrackingNode : public json::Map {
 public:
  explicit TrackingNode(Run& run);
  bool begin_object() override { return run_.tracked = true; }
  /// The file has ended, wherever it did: what was read goes into the run.
  void finish() { flush(); }

 private:
  static constexpr std::size_t no_worker = ~std::size_t{0};

  json::Node* series_of(std::string_view key);
  json::Node* worker(std::string_view address);
  bool time(std::string_view text);
  bool value(double value);
  /// Puts what was read of the worker's series into the run.
  void flush();

  /// The pairs of one worker; most of them are read without the tokenizer.
  struct Pairs : json::List {
    explicit Pairs(TrackingNode& of)
        : List("a list of pairs", of.pair_, [&](std::size_t) { of.tick_ = TickIndex::none; }),
          owner(of) {}
    bool wants_raw() const override { return true; }
    std::size_t consume_raw(std::string_view bytes, std::size_t& index) override {
      return owner.fast_path_.take(bytes, owner.scale_, owner.builder_, index);
    }
    void end() override { owner.flush(); }
    TrackingNode& owner;
  };

  Run& run_;
  TickIndex ticks_{run_};
  SeriesFastPath fast_path_{ticks_};
  SeriesBuilder builder_;
  Series which_{};
  double scale_ = 1;
  std::size_t worker_ = no_worker;
  std::uint32_t tick_ = TickIndex::none;

  json::Value time_{"an ISO time", {}, [this](std::string_view text) { return time(text); }};
  json::Value value_{"a number, 0 or more, beside an ISO time",
                     [this](double number) { return value(number); }};
  json::Tuple pair_{"a pair [time, number]", {&time_, &value_}};
  Pairs pairs_{*this};
  json::Map series_{"an object of workers",
                    [this](std::string_view address) { return worker(address); }};
  json::Value count_{"a number of workers under an ISO time", [this](double count) {
                       if (tick_ == TickIndex::none || count < 0) return false;
                       run_.worker_counts[tick_] = count;
                       return true;
                     }};
  json::Map counts_{"an object of numbers of workers", [this](std::string_view text) {
                      tick_ = ticks_.find(text);
                      return &count_;
                    }};
};

}  // namespace crema::read
