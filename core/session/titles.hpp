#pragma once

#include <span>

#include "core/session/opening.hpp"

namespace crema {

/// Gives each of the open runs its title: its name, where others are called alike with as many of
/// the folders above it as tell them apart ("old/run", "new/run"), and where nothing does (the same
/// folder twice) with a number ("run", "run (2)").
void tell_apart(std::span<NewRun* const> runs);

}  // namespace crema
