#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "core/model/options.hpp"

namespace crema {

/// The values that an option lists, in their order; none where it takes anything.
std::vector<std::string_view> values_of(const Option& option);

/// Throws Failure where `options` holds one that is none of `known` (unknown_option), or a value
/// that it does not take (bad_option); it says what there is, and what is nearest.
void check(const Options& options, std::initializer_list<const Option*> known);

}  // namespace crema
