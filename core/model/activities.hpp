#pragma once

#include <string>
#include <vector>

#include "core/base/string_pool.hpp"

namespace crema {

/// Fine performance metrics: one value per (context, prefix, activity, unit), as in Dask's
/// `Span.cumulative_worker_metrics` and `Scheduler.cumulative_worker_metrics`. Open-ended: any
/// label may occur (docs/meanings.md, Activities).
struct Activities {
  /// "execute", "p2p", "get-data", ...; no_string for a plain string key
  std::vector<StringId> context;
  std::vector<StringId> prefix;    ///< task prefix; no_string where the context has none
  std::vector<StringId> activity;  ///< "thread-cpu", ...; an unparsed key is kept here as its text
  /// "seconds", "bytes", "count", any; no_string when the key has none
  std::vector<StringId> unit;
  std::vector<double> value;
  std::string source;  ///< the file, for telling which of two sources was used

  std::size_t size() const { return value.size(); }
  void add(StringId in_context, StringId of_prefix, StringId an_activity, StringId in_unit,
           double amount) {
    context.push_back(in_context);
    prefix.push_back(of_prefix);
    activity.push_back(an_activity);
    unit.push_back(in_unit);
    value.push_back(amount);
  }
};

struct Run;

/// Where only a task stream tells what a cluster did (a performance report alone), its computing
/// counts as the "execute" seconds of each prefix, called "compute". `activities_recorded` stays
/// false: Dask recorded no fine metrics.
void add_activities_of_tasks(Run& run);

}  // namespace crema
