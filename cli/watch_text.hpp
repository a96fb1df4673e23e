#pragma once

#include <string>

#include "cli/layout.hpp"
#include "core/session/session.hpp"

namespace crema::cli {

/// One screen of `crema watch`: how far the run is, what fails, and what is found so far. `age`
/// [s]: how old what it says is.
std::string watch_text(const Session& session, RunId run, double age, std::size_t width,
                       const Style& style);

/// One line of it.
std::string watch_line(const Session& session, RunId run);

/// Whether the recording goes on, as far as its index says.
bool is_running(const Session& session, RunId run);

}  // namespace crema::cli
