// Compiled for speed: it runs for every node of a call tree.
#include "core/profile/tree/estimate.hpp"

namespace crema::profile {

void LeafEstimate::learn(const ResolvedTree& forced) {
  for (std::size_t i = 1; i < forced.size(); ++i) {
    if (!(forced.self[i] > 0)) continue;
    const auto added = static_cast<NodeId>(certain_.size());
    const NodeId pair =
        pairs_.find_or_add(of(forced.frame[forced.parent[i]]), of(forced.frame[i]), added);
    if (pair == added) certain_.push_back(0);
    certain_[pair] += forced.self[i];
  }
}

void LeafEstimate::apply(ResolvedTree& forced) const {
  const std::size_t n = forced.size();
  std::vector<double> weights(n, 0.0);
  std::vector<double> sum(n, 0.0);  // of the children's weights
  for (std::size_t i = 1; i < n; ++i) {
    const NodeId parent = forced.parent[i];
    if (!(forced.unresolved(parent) > 0) || !(forced.self_max(i) > forced.self[i])) continue;
    const NodeId pair = pairs_.find(of(forced.frame[parent]), of(forced.frame[i]));
    weights[i] = 1 + (pair == no_node ? 0 : certain_[pair]);
    sum[parent] += weights[i];
  }
  for (std::size_t i = 1; i < n; ++i) {
    if (weights[i] == 0) continue;
    const NodeId parent = forced.parent[i];
    const double share = forced.unresolved(parent) * (weights[i] / sum[parent]);
    forced.self[i] += share;
    forced.total[i] += share;
    forced.unsettled[i].estimated += share;
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (sum[i] > 0) forced.unsettled[i].unresolved = 0;
  }
}

}  // namespace crema::profile
