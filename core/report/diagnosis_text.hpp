#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/diagnose/diagnose.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::report {

using namespace runtime;

/// The first finding of a run as a sentence; where there is none, the largest part of its
/// core-time. And where the rest went.
struct CoreTimeVerdict {
  std::string text;  ///< "" where nothing is known
  std::string limits;
};

/// Of the whole run's tree by functions.
CoreTimeVerdict core_time_verdict(const Run& run, const Options& options, const CoreTimeTree& tree);

/// The feature's value that is over-represented: a name, or "1 to 2 s"; "" where none is.
std::string value_text(const diagnose::FeatureAssociation& association);

/// What a reader is to know first: the most telling association of those, by rank.
std::string verdict_text(const std::vector<diagnose::FeatureAssociation>& associations,
                         double selected, double others);

std::string_view name_of(diagnose::Certainty certainty);  ///< "likely"
std::string assumption_of(const diagnose::Advice& advice);

/// All advice as one block of Python, each line under what is expected of it and why; "" for none.
std::string code_block(const Run& run, const Options& options,
                       const std::vector<diagnose::Advice>& advice);

/// A line about a recording that goes on.
struct NowLine {
  std::string_view part;  ///< the heading that it stands under
  std::string_view
      kind;          ///< "failure", "repeated", "silent", "idle", "slow-file", "rest", "restart"
  std::string name;  ///< the exception, the worker, the finding's id, the setting
  std::string text;
  double low = absent, high = absent;  ///< of rest [core-s], of restart [s]
};
std::vector<NowLine> now_lines(const Run& run, const diagnose::Now& now);

}  // namespace crema::report
