// Compiled for speed: it runs for every node of a call tree.
#include "core/profile/search.hpp"

#include <algorithm>

namespace crema::profile {

Matches matches_in(const ResolvedTree& tree, const std::vector<bool>& frames) {
  const std::size_t n = tree.size();
  Matches found{std::vector<std::uint8_t>(frames.begin(), frames.end()),
                std::vector<std::uint8_t>(n, 0)};
  std::vector<std::uint8_t> covered(n, 0);  // itself, or a node above it
  for (std::size_t i = 1; i < n; ++i) {
    const NodeId above = tree.parent[i];
    covered[i] = covered[above];
    if (found.frame[tree.frame[i]] == 0) continue;
    if (tree.total[i] > 0) ++found.hits;
    if (covered[i] == 0) found.total += tree.total[i];
    covered[i] = 1;
    found.within[i] = 1;
    // From where it is known, it is known up to the root.
    for (NodeId node = above; found.within[node] == 0; node = tree.parent[node]) {
      found.within[node] = 1;
      if (node == 0) break;
    }
  }
  return found;
}

std::vector<std::uint8_t> marks_of(const Layout& layout, const ResolvedTree& tree,
                                   const Children* children, const Matches& found) {
  std::vector<std::uint8_t> marks(layout.size(), 0);
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const NodeId node = layout.node[i];
    if (layout.run[i] == 0) {
      marks[i] = !layout.is_unresolved[i] && node > 0 ? found.frame[tree.frame[node]] : 0;
    } else if (children != nullptr && found.within[node] != 0) {
      const auto first = children->child.begin() + layout.run_first[i];
      marks[i] = std::any_of(first, first + layout.run[i],
                             [&](NodeId child) { return found.within[child] != 0; })
                     ? 1
                     : 0;
    }
  }
  return marks;
}

}  // namespace crema::profile
