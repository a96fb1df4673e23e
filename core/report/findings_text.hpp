#pragma once

#include <string>

#include "core/diagnose/diagnose.hpp"

namespace crema::report {

struct FindingText {
  std::string title;     ///< the claim, a short sentence without its stop
  std::string evidence;  ///< sentences with the numbers; a cause only as "consistent with"
};
FindingText text_of(const diagnose::Finding& finding);

std::string_view name_of(diagnose::Recording recording);  ///< "the task stream"

/// What cannot be seen without a recording, a fragment; "" where nothing needs to be said.
std::string_view unseen_without(diagnose::Recording recording);

}  // namespace crema::report
