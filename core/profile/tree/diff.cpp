#include "core/profile/tree/diff.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/profile/tree/growing_tree.hpp"

namespace crema::profile {

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
