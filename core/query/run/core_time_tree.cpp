#include <algorithm>
#include <forward_list>

#include "core/query/parts/core_time_options.hpp"
#include "core/query/question.hpp"
#include "core/report/core_time_verdict.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"
#include "core/table/rows.hpp"

namespace crema::query::core_time_tree {

namespace {

constexpr Option depth_option{.name = "depth",
                              .type = Option::Type::count,
                              .about = "number of levels below it",
                              .fallback = "3",
                              .least = 0,
                              .most = 100};
constexpr Option most_option{
    .name = "most",
    .type = Option::Type::count,
    .about = "maximum number of children of a part; the smallest are merged",
    .fallback = "60",
    .least = 2,
    .most = 1e6};

/// A row: a node of the tree, or the small ones of its siblings together.
struct Row {
  const CoreTimeNode* node;
  std::string id, parent;
  double depth = 0;
  double begin = 0;  // [core-s] from the left edge of the whole
  double children = 0;
};

class Unfolding {
 public:
  Unfolding(const CoreTimeTree& tree, const Options& options)
      : tree_(tree),
        nodes_(tree.nodes),
        children_(tree.children),
        most_(static_cast<std::size_t>(options.number(most_option))),
        levels_(options.number(depth_option)) {}

  std::vector<Row> from(std::uint32_t node) {
    const std::uint32_t parent = nodes_[node].parent;
    unfold(node, row_of(node, parent == CoreTimeNode::none ? std::string() : tree_.id(parent),
                        tree_.depth(node), tree_.begin(node)));
    return std::move(rows_);
  }

 private:
  Row row_of(std::uint32_t i, const std::string& parent, double depth, double begin) {
    Row row{&nodes_[i], {}, parent, depth, begin, static_cast<double>(children_[i].size())};
    row.id = parent.empty() ? nodes_[i].segment : parent + "/" + nodes_[i].segment;
    return row;
  }

  // Level by level on a stack of its own: children after their parents, from left to right.
  void unfold(std::uint32_t first, Row start) {
    const double top = start.depth;
    std::vector<std::pair<std::uint32_t, Row>> waiting;
    waiting.emplace_back(first, std::move(start));
    while (!waiting.empty()) {
      const std::uint32_t node = waiting.back().first;
      const Row row = std::move(waiting.back().second);
      waiting.pop_back();
      rows_.push_back(row);
      if (node == CoreTimeNode::none || row.depth - top >= levels_) continue;
      const std::vector<std::uint32_t>& below = children_[node];
      const std::size_t whole = below.size() <= most_ ? below.size() : most_ - 1;
      const std::size_t mark = waiting.size();
      double begin = row.begin;
      for (std::size_t k = 0; k < whole; ++k) {
        waiting.emplace_back(below[k], row_of(below[k], row.id, row.depth + 1, begin));
        begin += nodes_[below[k]].core_seconds;
      }
      if (whole < below.size()) waiting.emplace_back(CoreTimeNode::none, others(below, whole, row));
      if (whole < below.size()) waiting.back().second.begin = begin;
      std::reverse(waiting.begin() + static_cast<std::ptrdiff_t>(mark), waiting.end());
    }
  }

  Row others(const std::vector<std::uint32_t>& below, std::size_t from, const Row& above) {
    CoreTimeNode& node = made_.emplace_front();
    Row row{&node, {}, {}};
    node.kind = "others";
    node.label = std::to_string(below.size() - from) + " others";
    node.certainty = nodes_[below[from]].certainty;
    node.note = "the smallest together";
    node.least = node.most = node.on_cpu = node.waiting = node.blocked = node.samples = 0;
    for (std::size_t k = from; k < below.size(); ++k) {
      const CoreTimeNode& one = nodes_[below[k]];
      node.core_seconds += one.core_seconds;
      node.least += one.least;
      node.most += one.most;
      node.on_cpu += one.on_cpu;
      node.waiting += one.waiting;
      node.blocked += one.blocked;
      node.samples += one.samples;
      node.open += one.open;
    }
    node.most = std::min(node.most, std::max(node.core_seconds, above.node->most));
    row.parent = above.id;
    row.id = above.id + "/(others)";
    row.depth = above.depth + 1;
    return row;
  }

  const CoreTimeTree& tree_;
  const std::vector<CoreTimeNode>& nodes_;
  const std::vector<std::vector<std::uint32_t>>& children_;
  std::size_t most_;
  double levels_;
  std::vector<Row> rows_;
  std::forward_list<CoreTimeNode> made_;  // small ones together
};

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const auto tree = runtime::core_time_tree(run, selection, options,
                                            options.choice<CoreTimeSplit>(core_time_by_option));
  const double whole = tree->nodes[0].core_seconds;
  const double width = tree->width();
  Unfolding unfolding(*tree, options);
  const std::vector<Row> found =
      unfolding.from(node_under(*tree, options.text(core_time_under_option)));
  Table table;
  Rows rows(table, found);
  const auto number = [&](const char* name, const char* unit, double CoreTimeNode::*member,
                          const char* formula = "") {
    rows.number(
        name, unit, [member](const Row& row) { return row.node->*member; }, formula);
  };
  rows.text("id", &Row::id);
  rows.text("parent", &Row::parent);
  rows.number("depth", "count", &Row::depth, "0 = the whole");
  rows.any_text("label", [](const Row& row) -> std::string_view { return row.node->label; });
  rows.text("kind", [](const Row& row) -> std::string_view { return row.node->kind; });
  number("core_seconds", "s", &CoreTimeNode::core_seconds,
         "the sum of its parts, where it has any");
  rows.number(
      "share", "1", [&](const Row& row) { return ratio(row.node->core_seconds, width); },
      "core_seconds / those of the whole, or of all its parts where they are more");
  number("least", "s", &CoreTimeNode::least,
         "of samples: those that can have been nothing else, less the sampling error (95 %)");
  number("most", "s", &CoreTimeNode::most,
         "of samples: all that can have been it, and the sampling error (95 %)");
  number("on_cpu", "s", &CoreTimeNode::on_cpu, "thread-cpu seconds");
  number("waiting", "s", &CoreTimeNode::waiting, "thread-noncpu seconds");
  rows.flag(
      "split_measured", [](const Row& row) { return row.node->split_measured; },
      "1 = of this very part; else shared out as in all tasks of the processor");
  number("blocked", "s", &CoreTimeNode::blocked,
         "samples whose innermost frame only waits: for a lock, a thread, a socket");
  number("uncertain", "s", &CoreTimeNode::open,
         "shared out among several functions that can have been the innermost");
  rows.text("certainty", [](const Row& row) -> std::string_view { return row.node->certainty; });
  rows.text("note", [](const Row& row) -> std::string_view { return row.node->note; });
  rows.text("category", [](const Row& row) -> std::string_view { return row.node->category; });
  rows.text("file", [](const Row& row) -> std::string_view { return row.node->file; });
  number("line", "", &CoreTimeNode::line);
  number("samples", "count", &CoreTimeNode::samples);
  rows.number("children", "count", &Row::children, "into how many parts it unfolds");
  rows.number(
      "begin", "1", [&](const Row& row) { return ratio(row.begin, width); },
      "where it stands in the whole, siblings side by side");
  rows.number(
      "end", "1",
      [&](const Row& row) {
        return row.node == tree->nodes.data() ? 1
                                              : ratio(row.begin + row.node->core_seconds, width);
      },
      "begin + share; of the whole 1");
  table.note("core_seconds", whole);
  if (tree->excess > 0) table.note("excess", tree->excess);
  const bool is_whole = selection.empty() && options.text(core_time_under_option).empty();
  if (is_whole && options.choice<CoreTimeSplit>(core_time_by_option) == CoreTimeSplit::functions) {
    const CoreTimeVerdict verdict = core_time_verdict(run, options, *tree);
    if (!verdict.text.empty()) table.note("verdict", verdict.text);
    if (!verdict.limits.empty()) table.note("limits", verdict.limits);
  }
  if (!tree->missing.empty()) table.note("missing", tree->missing);
  if (!tree->source.empty()) table.note("source", tree->source);
  if (!tree->selection_note.empty()) table.note("selection", tree->selection_note);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "core_time_tree",
    .about = "the core-time unfolded: phases, functions or datasets, libraries, down to the line",
    .options = {&core_time_by_option, &core_time_under_option, &depth_option, &most_option,
                &runtime::processor_option},
    .narrowed_by = chunk_dimensions | Selection::by_worker,
    .function = answer,
};

}  // namespace crema::query::core_time_tree
