#pragma once

#include <string>

#include "core/compare/gate.hpp"

namespace crema::exports {

/// The headline, what keeps the runs from being checked, and a line per rule with the verdict
/// first.
std::string gate_markdown(const compare::Gate& gate);

}  // namespace crema::exports
