#include "core/profile/tree/path_numbers.hpp"

#include <string>
#include <string_view>

namespace crema::profile {

namespace {

constexpr std::uint64_t nothing = 0xcbf29ce484222325ULL;  // FNV-1a begins with it

std::uint64_t hashed(std::uint64_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return (hash ^ 0xffU) * 0x100000001b3ULL;
}

double number(std::uint64_t hash) {
  constexpr std::uint64_t bits = (std::uint64_t{1} << 52U) - 1;
  return static_cast<double>(hash & bits);
}

}  // namespace

PathNumbers::PathNumbers(const ResolvedTree& tree, const FrameFacts& facts)
    : tree_(tree), facts_(facts), own_(facts.size(), 0), known_{{0, nothing}} {}

std::uint64_t PathNumbers::below(std::uint64_t parent, FrameId frame) {
  std::uint64_t& own = own_[frame];
  if (own == 0)
    own = hashed(hashed(hashed(nothing, facts_.name[frame]), facts_.file[frame]),
                 std::to_string(facts_.line[frame]));
  const std::uint64_t mixed = (parent ^ own) * 0x9e3779b97f4a7c15ULL;
  return mixed ^ (mixed >> 29U);
}

double PathNumbers::of(NodeId node) {
  if (node == 0) return 0;
  up_.clear();
  auto known = known_.find(node);
  for (; known == known_.end(); known = known_.find(node)) {
    up_.push_back(node);
    node = tree_.parent[node];
  }
  std::uint64_t hash = known->second;
  while (!up_.empty()) {
    hash = below(hash, tree_.frame[up_.back()]);
    known_.emplace(up_.back(), hash);
    up_.pop_back();
  }
  return number(hash);
}

std::vector<double> PathNumbers::all() {
  std::vector<std::uint64_t> hash(tree_.size(), nothing);
  std::vector<double> paths(tree_.size(), 0);
  for (std::size_t i = 1; i < tree_.size(); ++i) {
    hash[i] = below(hash[tree_.parent[i]], tree_.frame[i]);
    paths[i] = number(hash[i]);
  }
  return paths;
}

}  // namespace crema::profile
