#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crema {

/// Indices of `values`, largest first; of equal ones the earlier first.
std::vector<std::uint32_t> most_first(std::span<const double> values);

/// Calls `take` for those of [at, end) that match, until `most_taken` were taken or `most_seen`
/// were looked at.
template <class Place, class Matches, class Take>
void take_first(Place at, Place end, std::size_t most_seen, std::size_t most_taken,
                const Matches& matches, const Take& take) {
  for (std::size_t taken = 0; at != end && most_seen > 0 && taken < most_taken; ++at, --most_seen) {
    if (!matches(*at)) continue;
    take(*at);
    ++taken;
  }
}

}  // namespace crema
