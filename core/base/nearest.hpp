#pragma once

#include <span>
#include <string>
#include <string_view>

namespace crema {

/// How many letters must be changed, added, left out, or swapped with their neighbour to make `b`
/// of `a` (each letter at most once; small and capital letters are alike); `limit` + 1 when it
/// takes more than `limit`. Letters are bytes.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

/// Which of `known` was most likely meant by `wanted`: the one with the fewest slips, a third of
/// its letters at most; else the shortest that holds all of `wanted` (three letters or more). Empty
/// when none is like it.
std::string_view nearest(std::string_view wanted, std::span<const std::string_view> known);

/// A sentence for a name that is not among the known ones: "wjet; there are data, ttbar, wjets,
/// zprime. Did you mean wjets?". Of many, only the first are listed.
std::string not_among(std::string_view wanted, std::span<const std::string_view> known);

}  // namespace crema
