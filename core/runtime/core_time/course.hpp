#pragma once

#include <string>
#include <vector>

#include "core/model/options.hpp"
#include "core/model/run.hpp"
#include "core/model/selection.hpp"
#include "core/runtime/cluster/time_bins.hpp"
#include "core/runtime/core_time/budget.hpp"

namespace crema::runtime {

/// The parts of the core-time over time: each sums to what the budget says of it. What is not in
/// process() is placed by the task stream where there is one, else by an estimate: the time outside
/// before its chunk, what is left where the workers said that they execute.
struct CoreTimeCourse {
  struct Part {
    BudgetPart::Kind kind;
    std::string label;            ///< of a dataset its name, else as in the budget
    std::vector<double> seconds;  ///< [core-s] in each bin
    bool exact = true;            ///< placed where it was recorded
    bool is_rest = false;         ///< the smallest datasets together, which no name stands for
  };
  TimeBins bins;
  std::vector<double> available;  ///< [core-s] in each bin; empty where cores are not known
  std::vector<Part> parts;        ///< in the order of the budget, all other tasks as one
  std::string source;             ///< how the parts were placed
};

/// Over the whole run, whatever time is selected; process() split by dataset where wanted.
CoreTimeCourse core_time_course(const Run& run, const Selection& selection, const Options& options,
                                std::size_t bins, bool by_dataset = false);

}  // namespace crema::runtime
