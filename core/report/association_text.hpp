#pragma once

#include <string>
#include <vector>

#include "core/diagnose/diagnose.hpp"

namespace crema::report {

/// The feature's value that is over-represented: a name, or "1 to 2 s"; "" where none is.
std::string value_text(const diagnose::FeatureAssociation& association);

/// What a reader is to know first: the most telling association of those, by rank.
std::string verdict_text(const std::vector<diagnose::FeatureAssociation>& associations,
                         double selected, double others);

}  // namespace crema::report
