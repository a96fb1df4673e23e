#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/model/run.hpp"
#include "core/model/selection.hpp"
#include "core/profile/profiles.hpp"

namespace crema::profile {

/// What a profile says of the time of the processor's tasks, in samples: told apart by whose it
/// was, by the library in which it was spent, by the function that was innermost.
///
/// Inside process(), every sample belongs to the innermost function of the analysis on its stack:
/// these own times add up. Outside, it belongs to what the task was doing ("Opening files ...").
struct ProfileShares {
  /// A number of samples, and how far it is certain: where the innermost frame can have been one of
  /// several, `least` has what can only have been this one, `most` all that can have been it.
  struct Samples {
    double count = 0, least = 0, most = 0;
    double open = 0;     ///< part of `count` that was shared out among several candidates
    double blocked = 0;  ///< part of `count` that certainly waited: in a lock's or a socket's code
    double reading = 0;  ///< part of `blocked` below code that reads files
    double locked = 0;   ///< part of `blocked` below code that takes a lock
  };
  /// Whose: a function of the analysis, or what was done outside process().
  struct Owner {
    FrameId frame = 0;    ///< of a function
    std::string purpose;  ///< "" of a function
    bool inside = false;
    Samples samples;
  };
  /// Where it was spent: a category of code, of one owner.
  struct Library {
    std::uint32_t owner;
    Category category{};
    bool unknown = false;  ///< samples whose innermost frame is unknown
    Samples samples;
  };
  /// In which function: an innermost frame of one library.
  struct Leaf {
    std::uint32_t library;
    FrameId frame;
    Samples samples;
  };

  std::shared_ptr<const FrameFacts> facts;
  std::vector<Owner> owners;       ///< most first
  std::vector<Library> libraries;  ///< of all owners, most first
  std::vector<Leaf> leaves;        ///< of all libraries, most first
  /// A function of the analysis that process() calls, with all that is below it; without samples
  /// that can have been of another.
  struct Callee {
    FrameId frame;
    double samples = 0;
  };
  std::vector<Callee> callees;  ///< most first
  /// A function of a library that the analysis calls, with all below it but reading files.
  struct Call {
    FrameId caller, frame;
    double samples = 0;
  };
  std::vector<Call> calls;
  double inside = 0;   ///< samples under process()
  double outside = 0;  ///< of the processor's tasks, not under it; other tasks' are in neither
  std::string note;    ///< how far the selection narrowed it
};

/// Of all workers together, or of those selected; nullptr where the run has no such profile. Kept
/// by the run.
std::shared_ptr<const ProfileShares> profile_shares(const Run& run, const Selection& selection);

}  // namespace crema::profile
