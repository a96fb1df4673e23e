#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/run.hpp"
#include "core/model/selection.hpp"

namespace crema::runtime {

/// Which of Dask's activities are summed.
struct ActivityChoice {
  std::string unit;                      ///< "seconds", "bytes", "count", ...: never mixed
  std::vector<std::string_view> hidden;  ///< activities that are left out
  const Selection& selection;            ///< of which task prefixes narrow

  bool wants(const Run& run, std::size_t activity) const;
};

/// Dask's own idle time, by subtraction: no function, no activity of one.
bool is_idle_activity(std::string_view activity);

/// Whether the selected task prefixes, where there are any, hold that of an activity.
bool is_selected(const Run& run, const Selection& selection, std::size_t activity);

/// One activity, summed over what it is told apart by no further.
struct ActivitySum {
  std::string_view activity;
  double value = 0;
};

/// What tasks of one prefix did.
struct TaskFunction {
  std::string name;             ///< task prefix, an idle activity, or "12 others"
  StringId prefix = no_string;  ///< no_string for idle ones and for others together
  double merged = 1;            ///< how many functions the row is
  bool is_idle = false;
  double total = 0;
  std::vector<ActivitySum> parts;  ///< in the order of the record
};

/// Task execution by function, most first, by name where equal; of more than `most` the smallest
/// become one.
std::vector<TaskFunction> task_functions(const Run& run, const ActivityChoice& choice,
                                         std::size_t most);

/// Most first, by name where equal.
void sort_functions(std::vector<TaskFunction>& functions);

/// Σ within one context.
struct ContextSums {
  std::string_view context;
  double total = 0;
  std::vector<ActivitySum> activities;  ///< largest first, by name where equal
};

/// In the order of the record.
std::vector<ContextSums> context_sums(const Run& run, const ActivityChoice& choice);

}  // namespace crema::runtime
