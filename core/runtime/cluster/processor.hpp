#pragma once

#include <string>
#include <unordered_map>

#include "core/model/options.hpp"
#include "core/model/run.hpp"

namespace crema::runtime {

/// Which task prefix is the user's processor (docs/meanings.md, The processor).
struct Processor {
  StringId prefix = no_string;  ///< no_string when there are no fine metrics
  std::string basis;            ///< a sentence: chosen, recognised or guessed, and from what
  bool guessed = false;
};

inline constexpr Option processor_option{.name = "processor",
                                         .about =
                                             "which task prefix is the processor; default: "
                                             "recognised by its recorded time, else guessed"};

/// `processor_option` where given; else the prefix whose thread-cpu seconds are the
/// `processor_cpu_time_seconds` that roastcoffea stored (it knows the class name); else the prefix
/// with most thread time (of all seconds, where there is none).
Processor find_processor(const Run& run, const Options& options);

/// Σ seconds of context "execute" of one prefix, all activities; absent when it has none.
double execute_seconds(const Run& run, StringId prefix);

/// The same of every prefix: one walk.
std::unordered_map<StringId, double> execute_seconds(const Run& run);

/// Σ of (execute, prefix, activity, unit); absent when nothing matches, and for a prefix that is
/// none.
double activity_sum(const Run& run, StringId prefix, std::string_view activity,
                    std::string_view unit);

/// The same over all prefixes but Dask's own "N/A".
double activity_sum(const Run& run, std::string_view activity, std::string_view unit);

}  // namespace crema::runtime
