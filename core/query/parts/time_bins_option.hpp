#pragma once

#include <string_view>

#include "core/model/options.hpp"

namespace crema::query {

/// The option of questions whose rows are bins of time.
constexpr Option time_bins_option(std::string_view fallback = "400", double most = 10000) {
  return {.name = "bins",
          .type = Option::Type::count,
          .about = "number of time bins",
          .fallback = fallback,
          .least = 1,
          .most = most};
}

}  // namespace crema::query
