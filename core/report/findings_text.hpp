#pragma once

#include <string>

#include "core/diagnose/diagnose.hpp"

namespace crema::report {

struct FindingText {
  std::string title;     ///< the claim, a short sentence without its stop
  std::string evidence;  ///< sentences with the numbers; a cause only as "possible cause"
};
FindingText text_of(const diagnose::Finding& finding);

/// By the words of the list of causes: for evidence that is measurements alone.
FindingText text_of(const diagnose::Finding& finding, const diagnose::CauseFields& cause);

std::string_view name_of(diagnose::Grounds grounds);  ///< "consistent with"
/// The rivals of a cause, each with what tells them apart: "slow-moment: chunks of other files …".
std::string rivals_text(diagnose::FindingCause cause);
std::string_view name_of(diagnose::Recording recording);  ///< "the task stream"

/// What can cost time and would leave no trace in this recording; "" where all is recorded.
std::string unseen_text(const Run& run);

}  // namespace crema::report
