#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/options.hpp"
#include "core/model/run.hpp"

namespace crema::compare {

// What can keep runs from being held against rules, by the names under which it is allowed.
inline constexpr std::string_view no_rules = "no-rules";
inline constexpr std::string_view nothing_compared = "nothing-compared";
inline constexpr std::string_view same_run = "same-run";
inline constexpr std::string_view missing_datasets = "missing-datasets";
inline constexpr std::string_view missing_events = "missing-events";
inline constexpr std::string_view another_processor = "another-processor";
inline constexpr std::string_view not_recorded = "not-recorded";
inline constexpr std::array gate_reasons = {no_rules,         nothing_compared, same_run,
                                            missing_datasets, missing_events,   another_processor,
                                            not_recorded};

/// What must be so before two runs, or two sides of several, are held against rules.
struct GateCondition {
  std::string_view name;  ///< one of `gate_reasons`
  const char* condition;  ///< "all runs have the same events"
  std::string broken_by;  ///< a sentence; empty where it is so
};

/// The conditions on the runs themselves. All runs are held against the first: replicates of a side
/// are of the same work, too.
std::vector<GateCondition> gate_conditions(std::span<const Run* const> runs,
                                           const Options& options);

}  // namespace crema::compare
