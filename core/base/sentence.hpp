#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace crema {

/// Joins the parts, as `+` would, with a fraction of the code.
std::string sentence(std::initializer_list<std::string_view> parts);

}  // namespace crema
