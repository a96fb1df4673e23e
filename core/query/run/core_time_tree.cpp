// The core-time unfolded: `core_time_tree`, and one part of it from several sides:
// `core_time_part`.
#include <forward_list>

#include "core/base/collect.hpp"
#include "core/base/order.hpp"
#include "core/predict/prediction.hpp"
#include "core/query/question.hpp"
#include "core/report/answer_text.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::query::core_time_tree {

constexpr Option depth_option = count_option("depth", "number of levels below it", "3", {0, 100});
constexpr Option most_option = count_option(
    "most", "maximum number of children of a part; the smallest are merged", "60", {2, 1e6});

/// The part of that id; Failure bad_option where there is none.
static std::uint32_t node_under(const CoreTimeTree& tree, const std::string& id) {
  const std::uint32_t node = tree.find(id);
  if (node == CoreTimeNode::none)
    throw Failure(ErrorCode::bad_option, "under is no part of this core-time: " + id);
  return node;
}

/// A row: a node of the tree, or the small ones of its siblings together.
struct Row {
  const CoreTimeNode* node;
  std::uint32_t number;  ///< of a node of the tree
  std::string id, parent;
  double depth = 0;
  double begin = 0;  // [core-s] from the left edge of the whole
  double children = 0;
};

struct Unfolding {
  const std::vector<CoreTimeNode>& nodes;
  const std::vector<std::vector<std::uint32_t>>& children;
  std::size_t most;
  double levels;
  std::forward_list<CoreTimeNode> made{};  ///< small ones together

  /// On a stack of its own: children after their parents, from left to right.
  std::vector<Row> unfold(Row first) {
    const double deepest = first.depth + levels;
    std::vector<Row> rows, waiting{std::move(first)};
    while (!waiting.empty()) {
      const Row row = std::move(waiting.back());
      waiting.pop_back();
      rows.push_back(row);
      if (row.number == CoreTimeNode::none || row.depth >= deepest) continue;
      const std::vector<std::uint32_t>& below = children[row.number];
      const std::size_t whole = below.size() <= most ? below.size() : most - 1;
      std::vector<Row> parts;
      double begin = row.begin;
      for (std::size_t k = 0; k < whole; ++k) {
        parts.push_back(as_row(below[k], row.id, row.depth + 1, begin));
        begin += nodes[below[k]].core_seconds;
      }
      if (whole < below.size()) parts.push_back(others(below, whole, row, begin));
      std::move(parts.rbegin(), parts.rend(), std::back_inserter(waiting));
    }
    return rows;
  }

  Row as_row(std::uint32_t i, const std::string& parent, double depth, double begin) const {
    const std::string id = parent.empty() ? nodes[i].segment : parent + "/" + nodes[i].segment;
    return {&nodes[i], i, id, parent, depth, begin, static_cast<double>(children[i].size())};
  }

  Row others(const std::vector<std::uint32_t>& below, std::size_t from, const Row& above,
             double begin) {
    CoreTimeNode& node = made.emplace_front();
    node.kind = "others";
    node.label = std::to_string(below.size() - from) + " others";
    node.certainty = nodes[below[from]].certainty;
    node.note = "the smallest together";
    for (double CoreTimeNode::*amount :
         {&CoreTimeNode::core_seconds, &CoreTimeNode::least, &CoreTimeNode::most,
          &CoreTimeNode::on_cpu, &CoreTimeNode::waiting, &CoreTimeNode::blocked,
          &CoreTimeNode::samples, &CoreTimeNode::open}) {
      node.*amount = 0;
      for (std::size_t k = from; k < below.size(); ++k) node.*amount += nodes[below[k]].*amount;
    }
    node.most = std::min(node.most, std::max(node.core_seconds, above.node->most));
    return {&node, CoreTimeNode::none, above.id + "/(others)", above.id, above.depth + 1, begin};
  }
};

template <auto member>
constexpr auto node = [](const Row& row) { return row.node->*member; };
template <auto member>
constexpr auto text = [](const Row& row) -> std::string_view { return row.node->*member; };

const Columns<Row, CoreTimeTree> columns = {
    {"id", &Row::id},
    {"parent", &Row::parent},
    {"depth", "count", &Row::depth, "0 = the whole"},
    {"label", as_given, text<&CoreTimeNode::label>},
    {"kind", text<&CoreTimeNode::kind>},
    {"core_seconds", "s", node<&CoreTimeNode::core_seconds>,
     "the sum of its parts, where it has any"},
    {"share", "1",
     [](const Row& row, const CoreTimeTree& tree) {
       return ratio(row.node->core_seconds, tree.width());
     },
     "core_seconds / those of the whole, or of all its parts where they are more"},
    {"least", "s", node<&CoreTimeNode::least>,
     "of samples: those that can have been nothing else, less the sampling error (95 %)"},
    {"most", "s", node<&CoreTimeNode::most>,
     "of samples: all that can have been it, and the sampling error (95 %)"},
    {"on_cpu", "s", node<&CoreTimeNode::on_cpu>, "thread-cpu seconds"},
    {"waiting", "s", node<&CoreTimeNode::waiting>, "thread-noncpu seconds"},
    {"split_measured", as_flag, node<&CoreTimeNode::split_measured>,
     "1 = of this very part; else shared out as in all tasks of the processor"},
    {"blocked", "s", node<&CoreTimeNode::blocked>,
     "samples whose innermost frame only waits: for a lock, a thread, a socket"},
    {"uncertain", "s", node<&CoreTimeNode::open>,
     "shared out among several functions that can have been the innermost"},
    {"certainty", text<&CoreTimeNode::certainty>},
    {"note", text<&CoreTimeNode::note>},
    {"category", text<&CoreTimeNode::category>},
    {"file", text<&CoreTimeNode::file>},
    {"line", "", node<&CoreTimeNode::line>},
    {"samples", "count", node<&CoreTimeNode::samples>},
    {"children", "count", &Row::children, "into how many parts it unfolds"},
    {"begin", "1",
     [](const Row& row, const CoreTimeTree& tree) { return ratio(row.begin, tree.width()); },
     "where it stands in the whole, siblings side by side"},
    {"end", "1",
     [](const Row& row, const CoreTimeTree& tree) {
       return row.node == tree.nodes.data()
                  ? 1
                  : ratio(row.begin + row.node->core_seconds, tree.width());
     },
     "begin + share; of the whole 1"},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const auto tree = runtime::core_time_tree(run, selection, options,
                                            options.choice<CoreTimeSplit>(core_time_by_option));
  const double whole = tree->nodes[0].core_seconds;
  Unfolding unfolding{tree->nodes, tree->children,
                      static_cast<std::size_t>(options.number(most_option)),
                      options.number(depth_option)};
  const std::uint32_t top = node_under(*tree, options.text(core_time_under_option));
  const std::uint32_t above = tree->nodes[top].parent;
  const std::vector<Row> found = unfolding.unfold(
      unfolding.as_row(top, above == CoreTimeNode::none ? std::string() : tree->id(above),
                       tree->depth(top), tree->begin(top)));
  Table table = columns.table(found, *tree);
  table.note("core_seconds", whole);
  if (tree->excess > 0) table.note("excess", tree->excess);
  const bool is_whole = selection.empty() && options.text(core_time_under_option).empty();
  if (is_whole && options.choice<CoreTimeSplit>(core_time_by_option) == CoreTimeSplit::functions) {
    const VerdictText words = core_time_verdict(run, options, *tree);
    if (!words.verdict.empty()) table.note("verdict", words.verdict);
    if (!words.limits.empty()) table.note("limits", words.limits);
  }
  if (!tree->missing.empty()) table.note("missing", tree->missing);
  if (!tree->source.empty()) table.note("source", tree->source);
  if (!tree->selection_note.empty()) table.note("selection", tree->selection_note);
  return table;
}

extern const Question question(
    "core_time_tree",
    "the core-time unfolded: phases, functions or datasets, libraries, down to the line", columns,
    answer,
    {.options = {&core_time_by_option, &core_time_under_option, &depth_option, &most_option,
                 &runtime::processor_option},
     .narrowed_by = chunk_dimensions});

}  // namespace crema::query::core_time_tree

namespace crema::query::core_time_part {

constexpr Option factor_option =
    number_option("factor", "assumed duration of the part, as a fraction of the recorded one",
                  "0.5", {0, 1}, "1");
constexpr Option most_option =
    count_option("most", "maximum number of rows of each aspect", "8", {1, 1e6});

/// A piece of the part, as seen from one side.
struct Piece {
  const char* aspect;
  std::string label;
  double core_seconds = absent, least = absent, most = absent;
  double share = absent;
  std::string note;
};

/// The functions in which its samples ended, over all libraries.
static std::vector<Piece> leaves_of(const CoreTimeTree& tree, std::uint32_t top) {
  struct Sum {
    const CoreTimeNode* leaf;  // the first of that function
    double seconds = 0, least = 0, most = 0;
  };
  std::vector<Sum> sums;
  std::unordered_map<FrameId, std::size_t> places;
  std::vector<std::uint32_t> open = {top};
  while (!open.empty()) {
    const std::uint32_t i = open.back();
    open.pop_back();
    for (const std::uint32_t child : tree.children[i]) open.push_back(child);
    const CoreTimeNode& node = tree.nodes[i];
    if (std::string_view(node.kind) != "leaf" || i == top) continue;
    Sum& sum = one_of(places, node.frame, sums, {&node});
    sum.seconds += node.core_seconds;
    sum.least += node.least;
    sum.most += node.most;
  }
  const CoreTimeNode& part = tree.nodes[top];
  std::vector<Piece> found;
  for (const Sum& sum : sums) {
    found.push_back({"leaf", sum.leaf->label, sum.seconds, sum.least, std::min(sum.most, part.most),
                     ratio(sum.seconds, part.core_seconds),
                     sum.leaf->category + ", " + sum.leaf->file});
  }
  return found;
}

static std::vector<Piece> datasets_of(const Run& run, const Selection& selection,
                                      const Options& options, const CoreTimeNode& part) {
  std::vector<Piece> found;
  if (std::string_view(part.kind) != "inside_process") return found;
  const auto by = runtime::core_time_tree(run, selection, options, CoreTimeSplit::datasets);
  const std::uint32_t inside = by->find("available/inside_process");
  if (inside == CoreTimeNode::none) return found;
  for (const std::uint32_t child : by->children[inside]) {
    const CoreTimeNode& node = by->nodes[child];
    found.push_back({"dataset", node.label, node.core_seconds, node.least, node.most,
                     ratio(node.core_seconds, part.core_seconds), node.note});
  }
  return found;
}

/// The function's share of the samples of each worker: unlike ones stand out.
static std::vector<Piece> workers_of(const Run& run, const Selection& selection,
                                     const CoreTimeNode& part) {
  std::vector<Piece> found;
  const std::string_view kind = part.kind;
  if (kind != "function" && kind != "leaf") return found;
  const Options estimated(
      std::map<std::string, std::string>{{std::string(leaves_option.name), "estimated"}});
  Selection workers;
  workers.workers = selection.workers;
  const auto spread = worker_functions(run, upright_choice(run, workers, estimated));
  const FrameFacts& facts = *spread->facts;
  const auto own = std::find_if(spread->total.begin(), spread->total.end(), [&](const auto& one) {
    const FrameId frame = one.first;
    return facts.name[frame] == part.label && facts.file[frame] == part.file &&
           (facts.line[frame] == 0 || facts.line[frame] == part.line);
  });
  for (std::size_t w = 0; own != spread->total.end() && w < own->second.size(); ++w) {
    found.push_back({"worker", spread->workers[w].label, absent, absent, absent, own->second[w],
                     samples_of_worker});
  }
  return found;
}

const Columns<Piece> columns = {
    {"aspect", &Piece::aspect},
    {"label", as_given, &Piece::label},
    {"core_seconds", "s", &Piece::core_seconds},
    {"least", "s", &Piece::least, "as in core_time_tree"},
    {"most", "s", &Piece::most, "as in core_time_tree"},
    {"share", "1", &Piece::share, "of the part; of a worker, of all its samples"},
    {"note", &Piece::note},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const auto tree = runtime::core_time_tree(run, selection, options,
                                            options.choice<CoreTimeSplit>(core_time_by_option));
  const std::uint32_t node =
      core_time_tree::node_under(*tree, options.text(core_time_under_option));
  const CoreTimeNode& part = tree->nodes[node];
  std::vector<Piece> pieces;
  for (std::vector<Piece> found :
       {leaves_of(*tree, node), datasets_of(run, selection, options, part),
        workers_of(run, selection, part)}) {
    std::vector<std::uint32_t> order = most_first(numbers_of(found, &Piece::share));
    order.resize(std::min(order.size(), static_cast<std::size_t>(options.number(most_option))));
    for (const std::uint32_t i : order) pieces.push_back(std::move(found[i]));
  }
  Table table = columns.table(pieces);
  if (!selection.empty()) {
    say(table, notes::saving_is_whole);
    return table;
  }
  const Saving saving = find_saving(run, options, *tree, node, options.number(factor_option));
  table.note("saves", saving.saved);
  table.note("saves_low", saving.low);
  table.note("saves_high", saving.high);
  table.note("elapsed", saving.elapsed);
  table.note("saving", saving_text(saving));
  return table;
}

extern const Question question(
    "core_time_part",
    "a part of the core-time: where it ends, by dataset, by worker, what it would save", columns,
    answer,
    {.options = {&core_time_by_option, &core_time_under_option, &factor_option, &most_option,
                 &runtime::processor_option},
     .narrowed_by = chunk_dimensions});

}  // namespace crema::query::core_time_part
