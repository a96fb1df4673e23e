#include "core/flame/search.hpp"

namespace crema {

Matches matches_in(const ResolvedTree& tree, const std::vector<bool>& frames) {
  const std::size_t n = tree.size();
  Matches found{std::vector<std::uint8_t>(n, 0), std::vector<std::uint8_t>(n, 0)};
  std::vector<std::uint8_t> covered(n, 0);
  for (std::size_t i = 1; i < n; ++i) {
    const std::uint8_t inside = covered[tree.parent[i]];
    const std::uint8_t matches = frames[tree.frame[i]] ? 1 : 0;
    found.node[i] = found.within[i] = matches;
    covered[i] = inside | matches;
    if (matches == 0) continue;
    if (tree.total[i] > 0) ++found.hits;
    if (inside == 0) found.total += tree.total[i];
  }
  for (std::size_t i = n; i-- > 1;) found.within[tree.parent[i]] |= found.within[i];
  return found;
}

}  // namespace crema
