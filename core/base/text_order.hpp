#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace crema {

/// The places of `texts` in the order of their bytes; equal texts in any order.
std::vector<std::uint32_t> text_order(std::span<const std::string_view> texts);

}  // namespace crema
