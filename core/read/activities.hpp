#pragma once

#include <string_view>

#include "core/json/router.hpp"
#include "core/model/run.hpp"

namespace crema {

/// Adds the value of one fine-metric key to `activities`. Keys are Python tuples (context, prefix, activity, unit), with the
/// variants of Dask's containers (reference/dask.md 2.1): a span id after the context (5 items), no prefix (get-data,
/// gather-dep, memory-monitor), no unit, or a plain string. False when it is not a tuple at all; it is kept as text then.
bool add_activity(Activities& activities, StringPool& strings, std::string_view key, double value);

/// Node for `raw_span_metrics`, `raw.tasks` and span-metric dumps: `{"('execute', …)": number}`.
class ActivitiesNode : public json::Node {
 public:
  ActivitiesNode(Run& run, std::string path) : run_(run), path_(std::move(path)) {}
  bool begin_object() override;
  json::Node* member(std::string_view key) override;
  bool number(double value) override;
  std::string_view expects() const override { return "a number under a metric's key"; }

 private:
  Run& run_;
  std::string path_;
  std::string key_;
};

}  // namespace crema
