#pragma once

#include <span>

#include "core/session/opening.hpp"

namespace crema {

/// Gives each open run its title: its name; when others share it, with as many of the folders above
/// as tell them apart ("old/run", "new/run"); when none do (the same folder twice), with a number
/// ("run", "run (2)").
void tell_apart(std::span<NewRun* const> runs);

}  // namespace crema
