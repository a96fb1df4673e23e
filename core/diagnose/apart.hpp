#pragma once

#include <string_view>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/diagnose/traits.hpp"

namespace crema::diagnose {

/// How far a trait sets some chunks apart from the others.
struct Apart {
  const Trait* trait = nullptr;
  std::string_view value;           ///< that is most over-represented among them; "" = none is
  double selected = 0, of_all = 0;  ///< chunks with it: of the selected, of all
  double lift = absent;             ///< share of its chunks that are selected / of all chunks
  /// Mutual information of the trait and being selected / entropy of being selected, less what
  /// chance gives on average; 0 … 1. Absent for fewer than `least_selected` chunks on either side.
  double explained = absent;
  double chance = absent;       ///< how often chance alone sets them apart as far
  double chance_then = absent;  ///< the same among chunks that began at about the same time
  bool is_told = false;         ///< beyond chance, with all traits in mind
  bool is_told_then = false;    ///< also at equal times; false where that cannot be told
};

/// Of fewer chunks nothing but counts is said.
inline constexpr std::size_t least_selected = 8;

/// One for each trait. `selected`: one flag per chunk.
std::vector<Apart> set_apart(const Run& run, const std::vector<const Trait*>& traits,
                             const std::vector<bool>& selected);

}  // namespace crema::diagnose
