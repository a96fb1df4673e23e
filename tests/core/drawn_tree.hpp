#pragma once

#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/model/call_tree.hpp"
#include "core/profile/profile.hpp"

namespace crema::test {

using namespace profile;

/// A call tree drawn as indented text, two spaces per level, "name[@file] count" per line; the
/// first line is the root:
///
///     root 3
///       main@ana.py 3
///         work 0
inline CallTree drawn_tree(Names& names, const std::string& text,
                           CallTree::Leaves leaves = CallTree::Leaves::uncounted) {
  CallTree tree;
  tree.leaves = leaves;
  std::vector<NodeId> open;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t indent = line.find_first_not_of(' ');
    const std::size_t space = line.rfind(' ');
    if (indent == std::string::npos) continue;
    const std::size_t depth = indent / 2;
    if (depth > open.size() || (depth == 0) != open.empty())
      throw std::invalid_argument("badly drawn: " + line);
    const std::string label = line.substr(indent, space - indent);
    const std::size_t at = label.find('@');
    const std::string file = at == std::string::npos ? "" : label.substr(at + 1);
    open.resize(depth);
    tree.parent.push_back(depth == 0 ? no_node : open.back());
    tree.frame.push_back(names.frames.intern(names.strings.intern(label.substr(0, at)),
                                             names.strings.intern(file), 0));
    tree.count.push_back(std::strtod(line.c_str() + space + 1, nullptr));
    open.push_back(static_cast<NodeId>(tree.size() - 1));
  }
  return tree;
}

inline std::string plain(double value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

/// A resolved tree as text, siblings in order of NodeId: "name total", then " self=a" or "
/// self=a..b" (its bounds), then " open=n" (unresolved), each only where it is not 0.
inline std::string text_of(const ResolvedTree& tree, const Names& names) {
  std::vector<std::vector<NodeId>> children(tree.size());
  for (std::size_t i = 1; i < tree.size(); ++i)
    children[tree.parent[i]].push_back(static_cast<NodeId>(i));
  std::string out;
  std::vector<std::pair<NodeId, std::size_t>> open;
  if (tree.size() > 0) open.emplace_back(0, 0);
  while (!open.empty()) {
    const auto [node, depth] = open.back();
    open.pop_back();
    out += std::string(2 * depth, ' ') +
           std::string(names.strings[names.frames.name[tree.frame[node]]]) + " " +
           plain(tree.total[node]);
    if (tree.self_max(node) > 0) out += " self=" + plain(tree.self_min(node));
    if (tree.self_max(node) > tree.self_min(node)) out += ".." + plain(tree.self_max(node));
    if (tree.unresolved(node) > 0) out += " open=" + plain(tree.unresolved(node));
    out += "\n";
    for (std::size_t i = children[node].size(); i-- > 0;)
      open.emplace_back(children[node][i], depth + 1);
  }
  return out;
}

}  // namespace crema::test
