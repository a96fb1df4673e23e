#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "core/json/router.hpp"
#include "core/model/run.hpp"

namespace crema::read {

/// Adds the value of one fine-metric key to `activities`. Keys are Python tuples (context, prefix,
/// activity, unit), with the variants of Dask's containers: a span id after the context (5 items),
/// no prefix (get-data, gather-dep, memory-monitor), no unit, or a plain string. False when it is
/// not a tuple at all; it is kept as text then.
bool add_activity(Activities& activities, StringPool& strings, std::string_view key, double value);

/// Node for `raw_span_metrics`, `raw.tasks` and span-metric dumps: `{"('execute', …)": number}`.
class ActivitiesNode : public json::Node {
 public:
  ActivitiesNode(Run& run, std::string path) : run_(run), path_(std::move(path)) {}
  bool begin_object() override;
  json::Node* member(std::string_view key) override;
  bool number(double value) override;
  bool begin_array() override { return false; }
  void end() override { inside_ = false; }
  std::string_view expects() const override { return "a number under a metric's key"; }

 private:
  Run& run_;
  std::string path_;
  std::string key_;
  bool inside_ = false;
  // key -> its entry: a key that occurs again holds its last value
  std::unordered_map<std::string, std::size_t> known_;
};

}  // namespace crema::read
