#pragma once

#include <string>
#include <vector>

#include "core/model/run.hpp"

namespace crema::runtime {

/// A function of the analysis that a profile saw inside process().
struct OwnFunction {
  std::string name;  ///< "" where there is none
  double share = 0;  ///< of the samples inside process() that belong to it
};

/// The one with most samples; process() itself only where there is no other. Empty without a
/// profile.
OwnFunction largest_own_function(const Run& run);

/// The one below which most samples stand in code that reads and unpacks files; its share is of all
/// its samples.
OwnFunction largest_reader(const Run& run);

/// Functions of the analysis that process() calls and that can be what `section` times, most likely
/// first: those that share a word with it, else those that share none with any section and have no
/// more samples than it has time. Dask does not say in which section a sample was taken.
std::vector<std::string> functions_of_section(const Run& run, const std::string& section);

/// " Functions that may belong to it, by name and share of the samples: a, b."; "" where there are
/// none.
std::string functions_sentence(const Run& run, const std::string& section);

/// Samples in code that reads and unpacks files, of those inside process(); absent without a
/// profile.
double reading_code_share(const Run& run);

/// What of the time in process() goes into something that code can often do without; nothing that
/// the frames do not show.
struct CodePattern {
  std::string what;      ///< the call that the frames show, and who makes it
  std::string_view how;  ///< what commonly helps
  double share = 0;      ///< of the samples in process(); absent where only a line was seen
};

/// Those that frames show, most first; loops over events of which only the line was seen last.
std::vector<CodePattern> code_patterns(const Run& run);

/// The library function that `function` of the analysis calls and that has most of its own samples,
/// "awkward's broadcast"; "" where none has most of them.
std::string mostly_in(const Run& run, const std::string& function);

/// What the processor's tasks waited for, as shares of their samples; the samples of blocking calls
/// tell (a lock's, a socket's, another thread's). All absent without a profile.
struct BlockedShares {
  double all = absent;              ///< in any blocking call
  double reading_inside = absent;   ///< below code that reads files, in process()
  double reading_outside = absent;  ///< likewise, outside it
  double locks = absent;            ///< below code that takes a lock
  double inside = absent;           ///< samples in process()
  std::string lock_function;        ///< of the analysis, with most of the samples in locks
  double elsewhere = absent;        ///< blocked in process(), neither reading nor taking a lock
  std::string elsewhere_function;   ///< of the analysis, with most of them
};
BlockedShares blocked_shares(const Run& run);

}  // namespace crema::runtime
