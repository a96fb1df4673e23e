#pragma once

#include <string>

#include "core/table/table.hpp"

namespace crema::exports {

/// An answer of `compare` for a pull request: what is not like for like, the headline numbers, and
/// per dimension what contributed most to the change; differences within noise are left out.
std::string comparison_markdown(const Table& compared);

}  // namespace crema::exports
