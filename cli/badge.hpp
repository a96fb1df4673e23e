#pragma once

#include <string>

namespace crema::cli {

enum class Badge { good, bad, unknown };

/// A badge for a README: what it is about, and what is to be said of it, as an SVG.
std::string badge_svg(const std::string& about, const std::string& said, Badge colour);

}  // namespace crema::cli
