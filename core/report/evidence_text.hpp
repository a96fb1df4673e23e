#pragma once

#include "core/base/number_format.hpp"
#include "core/report/findings_text.hpp"

namespace crema::report {

// The sentences of evidence whose words fill a file of their own; those of the rest stand in
// findings_text.cpp.

FindingText text_of(const diagnose::Finding& f, const diagnose::Lock& e);
FindingText text_of(const diagnose::Finding& f, const diagnose::CpuContention& e);
FindingText text_of(const diagnose::Finding&, const diagnose::ForeignLoad& e);
FindingText text_of(const diagnose::Finding&, const diagnose::Bandwidth& e);
FindingText text_of(const diagnose::Finding&, const diagnose::WaitingTasks& e);
FindingText text_of(const diagnose::Finding&, const diagnose::SlowGroup& e);

/// "3 s to 7 s".
inline std::string range_text(double begin, double end) {
  return format_seconds(begin) + " to " + format_seconds(end);
}

}  // namespace crema::report
