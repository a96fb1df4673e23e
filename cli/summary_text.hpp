#pragma once

#include <string>

#include "cli/layout.hpp"
#include "core/session/session.hpp"

namespace crema::cli {

/// The report of `crema summary`: what a person reads of one run, at most `width` columns wide.
std::string summary_text(const Session& session, RunId run, std::size_t width, const Style& style,
                         bool explain);

}  // namespace crema::cli
