#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/diagnose/diagnose.hpp"

namespace crema::report {

std::string_view name_of(diagnose::Certainty certainty);  ///< "likely"
std::string assumption_of(const diagnose::Advice& advice);

/// All advice as one block of Python, each line under what is expected of it and why; "" for none.
std::string code_block(const Run& run, const Options& options,
                       const std::vector<diagnose::Advice>& advice);

}  // namespace crema::report
