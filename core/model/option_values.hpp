#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "core/model/options.hpp"

namespace crema {

/// The values that an option lists, in their order; none when it takes any text.
std::vector<std::string_view> values_of(const Option& option);

/// Throws Failure for an option that is not in `known` (unknown_option) and for a value that it
/// does not take (bad_option). The message lists what there is and names the nearest.
void check(const Options& options, std::initializer_list<const Option*> known);

}  // namespace crema
