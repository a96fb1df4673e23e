#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/model/run.hpp"
#include "core/model/selection.hpp"

namespace crema::facts {

/// What chunks can differ in: each chunk's value as one of few.
struct Trait {
  std::string name;                ///< "dataset", "time", "memory before"
  std::vector<std::string> value;  ///< a text for each value
  std::vector<std::uint32_t> of;   ///< of each chunk; `unknown` where it was not recorded
  static constexpr std::uint32_t unknown = 0xffffffffU;
};

/// How far a trait sets some chunks apart from the others.
struct Apart {
  std::uint32_t value = Trait::unknown;  ///< the one that is most over-represented among them
  double selected = 0, of_all = 0;       ///< chunks with it: of the selected, of all
  double lift = absent;                  ///< share of its chunks that are selected / of all chunks
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

/// All that is recorded of chunks, but for what the selection itself is about.
std::vector<Trait> traits_of(const Run& run, const Selection& selection);

/// One for each trait. `selected`: one flag per chunk.
std::vector<Apart> set_apart(const Run& run, const std::vector<Trait>& traits,
                             const std::vector<bool>& selected);

}  // namespace crema::facts
