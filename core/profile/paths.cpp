#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "core/profile/transform.hpp"
#include "core/profile/tree.hpp"

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
    : tree_(tree), facts_(facts), own_(facts.size(), 0), path_{{0, nothing}} {}

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
  for (;; node = tree_.parent[node]) {
    // Callers come before what they call, so a larger node is not on the way up.
    while (path_.back().node > node) path_.pop_back();
    if (path_.back().node == node) break;
    up_.push_back(node);
  }
  for (; !up_.empty(); up_.pop_back())
    path_.push_back({up_.back(), below(path_.back().hash, tree_.frame[up_.back()])});
  return number(path_.back().hash);
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

namespace {

double width_of(DiffWidth width, double a, double b) {
  switch (width) {
    case DiffWidth::a: return a;
    case DiffWidth::b: return b;
    case DiffWidth::both: break;
  }
  return (a + b) / 2;
}

}  // namespace

TreeDiff diff(const ResolvedTree& a, double a_factor, const ResolvedTree& b, double b_factor,
              const std::vector<FrameId>& same_as, DiffWidth width) {
  TreeDiff result;
  GrowingTree growing;
  const auto add = [&](const ResolvedTree& tree, double factor, std::vector<double>& total,
                       std::vector<double>& self) {
    std::vector<NodeId> place(tree.size());
    for (std::size_t i = 0; i < tree.size(); ++i) {
      place[i] =
          i == 0 ? (growing.tree().size() == 0 ? growing.child(no_node, same_as[tree.frame[0]]) : 0)
                 : growing.child(place[tree.parent[i]], same_as[tree.frame[i]]);
      for (auto* column : {&total, &self})
        column->resize(std::max<std::size_t>(column->size(), place[i] + 1), 0);
      total[place[i]] += tree.total[i] * factor;
      self[place[i]] += (tree.self[i] + tree.unresolved(i)) * factor;
    }
  };
  add(a, a_factor, result.a, result.a_self);
  add(b, b_factor, result.b, result.b_self);
  result.tree = std::move(growing.tree());
  ResolvedTree& tree = result.tree;
  for (auto* column : {&result.a, &result.b, &result.a_self, &result.b_self})
    column->resize(tree.size(), 0);
  for (std::size_t i = 0; i < tree.size(); ++i) {
    tree.total[i] = width_of(width, result.a[i], result.b[i]);
    tree.self[i] = width_of(width, result.a_self[i], result.b_self[i]);
  }
  return result;
}

std::vector<FrameId> same_in_both(const FrameFacts& facts, const ResolvedTree& a,
                                  const ResolvedTree& b) {
  // By name and file, the lines each tree has them at.
  using Key = std::pair<std::string, std::string>;
  struct Lines {
    std::vector<std::uint32_t> a, b;
  };
  std::map<Key, Lines> functions;
  std::vector<const Key*> key_of(facts.size(), nullptr);
  const auto collect = [&](const ResolvedTree& tree, std::vector<std::uint32_t> Lines::*side) {
    std::vector<bool> seen(facts.size(), false);
    for (std::size_t i = 1; i < tree.size(); ++i) {
      const FrameId f = tree.frame[i];
      if (seen[f]) continue;
      seen[f] = true;
      const std::string file =
          facts.category[f] == Category::analysis ? private_path(facts.file[f]) : facts.file[f];
      const auto entry = functions.try_emplace({facts.name[f], file}).first;
      key_of[f] = &entry->first;
      (entry->second.*side).push_back(facts.line[f]);
    }
  };
  collect(a, &Lines::a);
  collect(b, &Lines::b);

  std::map<std::pair<const Key*, std::size_t>, FrameId> first;
  std::vector<FrameId> same_as = facts.same_as;
  for (auto& [key, lines] : functions) {
    for (auto* side : {&lines.a, &lines.b}) {
      std::sort(side->begin(), side->end());
      side->erase(std::unique(side->begin(), side->end()), side->end());
    }
  }
  for (FrameId f = 0; f < facts.size(); ++f) {
    if (key_of[f] == nullptr) continue;
    const Lines& lines = functions.at(*key_of[f]);
    std::size_t ordinal = 0;
    if (lines.a.size() == lines.b.size()) {
      const auto find = [&](const std::vector<std::uint32_t>& side) {
        return std::find(side.begin(), side.end(), facts.line[f]);
      };
      const auto in_a = find(lines.a);
      ordinal = static_cast<std::size_t>(in_a != lines.a.end() ? in_a - lines.a.begin()
                                                               : find(lines.b) - lines.b.begin());
    }
    same_as[f] = first.try_emplace({key_of[f], ordinal}, f).first->second;
  }
  return same_as;
}

}  // namespace crema::profile
