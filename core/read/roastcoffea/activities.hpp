#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "core/json/nodes.hpp"
#include "core/model/run.hpp"

namespace crema::read {

/// Adds the value of one fine-metric key to `activities`. Keys are Python tuples (context, prefix,
/// activity, unit), with the variants of Dask's containers: a span id after the context (5 items),
/// no prefix (get-data, gather-dep, memory-monitor), no unit, or a plain string. False when it is
/// not a tuple at all; it is kept as text then.
bool add_activity(Activities& activities, StringPool& strings, std::string_view key, double value);

/// Node for `raw_span_metrics`, `raw.tasks` and span-metric dumps: `{"('execute', …)": number}`.
class ActivitiesNode : public json::Numbers {
 public:
  ActivitiesNode(Run& run, std::string path)
      : Numbers("a number under a metric's key",
                [this](std::string_view key, double value) { return keep(key, value); }),
        run_(run),
        path_(std::move(path)) {}

 private:
  bool keep(std::string_view key, double value);

  Run& run_;
  std::string path_;
  // key -> its entry: a key that occurs again holds its last value
  std::unordered_map<std::string, std::size_t> known_;
};

}  // namespace crema::read
