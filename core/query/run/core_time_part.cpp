#include <algorithm>

#include "core/base/most_first.hpp"
#include "core/predict/saving.hpp"
#include "core/profile/worker_functions.hpp"
#include "core/query/parts/core_time_options.hpp"
#include "core/query/question.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"
#include "core/table/rows.hpp"

namespace crema::query::core_time_part {

namespace {

constexpr Option factor_option{
    .name = "factor",
    .type = Option::Type::number,
    .about = "assumed duration of the part, as a fraction of the recorded one",
    .fallback = "0.5",
    .unit = "1",
    .least = 0,
    .most = 1};
constexpr Option most_option{.name = "most",
                             .type = Option::Type::count,
                             .about = "maximum number of rows of each aspect",
                             .fallback = "8",
                             .least = 1,
                             .most = 1e6};

/// A piece of the part, as seen from one side.
struct Piece {
  const char* aspect;
  std::string label;
  double core_seconds = absent, least = absent, most = absent;
  double share = absent;
  std::string note;
};

class Pieces {
 public:
  Pieces(const Run& run, const Selection& selection, const Options& options,
         const CoreTimeTree& tree, std::uint32_t node)
      : run_(run),
        selection_(selection),
        options_(options),
        tree_(tree),
        node_(node),
        most_(static_cast<std::size_t>(options.number(most_option))) {}

  std::vector<Piece> all() {
    add_leaves();
    add_datasets();
    add_workers();
    return std::move(pieces_);
  }

 private:
  const CoreTimeNode& part() const { return tree_.nodes[node_]; }

  // The functions in which its samples ended, over all libraries.
  void add_leaves() {
    struct Sum {
      const CoreTimeNode* leaf;  // the first of that function
      double seconds = 0, least = 0, most = 0;
    };
    std::vector<Sum> sums;
    std::vector<std::uint32_t> place;  // of a function in `sums`, plus one
    std::vector<std::uint32_t> open = {node_};
    while (!open.empty()) {
      const std::uint32_t i = open.back();
      open.pop_back();
      for (const std::uint32_t child : tree_.children[i]) open.push_back(child);
      const CoreTimeNode& node = tree_.nodes[i];
      if (std::string_view(node.kind) != "leaf" || i == node_) continue;
      if (place.size() <= node.frame) place.resize(node.frame + 1, 0);
      if (place[node.frame] == 0) {
        sums.push_back({&node});
        place[node.frame] = static_cast<std::uint32_t>(sums.size());
      }
      Sum& sum = sums[place[node.frame] - 1];
      sum.seconds += node.core_seconds;
      sum.least += node.least;
      sum.most += node.most;
    }
    std::vector<Piece> found;
    for (const Sum& sum : sums) {
      found.push_back({"leaf", sum.leaf->label, sum.seconds, sum.least,
                       std::min(sum.most, part().most), ratio(sum.seconds, part().core_seconds),
                       sum.leaf->category + ", " + sum.leaf->file});
    }
    put(std::move(found));
  }

  void add_datasets() {
    if (std::string_view(part().kind) != "inside_process") return;
    const auto by = runtime::core_time_tree(run_, selection_, options_, CoreTimeSplit::datasets);
    const std::uint32_t inside = by->find("available/inside_process");
    if (inside == CoreTimeNode::none) return;
    std::vector<Piece> found;
    for (const std::uint32_t child : by->children[inside]) {
      const CoreTimeNode& node = by->nodes[child];
      found.push_back({"dataset", node.label, node.core_seconds, node.least, node.most,
                       ratio(node.core_seconds, part().core_seconds), node.note});
    }
    put(std::move(found));
  }

  // The function's share of the samples of each worker: unlike ones stand out.
  void add_workers() {
    const std::string_view kind = part().kind;
    if (kind != "function" && kind != "leaf") return;
    const Options estimated(
        std::map<std::string, std::string>{{std::string(leaves_option.name), "estimated"}});
    Selection workers;
    workers.workers = selection_.workers;
    const auto spread = worker_functions(run_, upright_choice(run_, workers, estimated));
    for (const auto& [frame, shares] : spread->total) {
      const FrameFacts& facts = *spread->facts;
      if (facts.name[frame] != part().label || facts.file[frame] != part().file ||
          (facts.line[frame] > 0 && facts.line[frame] != part().line))
        continue;
      std::vector<Piece> found;
      for (std::size_t w = 0; w < shares.size(); ++w) {
        found.push_back({"worker", spread->workers[w].label, absent, absent, absent, shares[w],
                         "samples of this worker with the function on the stack"});
      }
      put(std::move(found));
      return;
    }
  }

  void put(std::vector<Piece> found) {
    std::vector<double> shares;
    for (const Piece& piece : found) shares.push_back(piece.share);
    std::vector<std::uint32_t> order = most_first(shares);
    if (order.size() > most_) order.resize(most_);
    for (const std::uint32_t i : order) pieces_.push_back(std::move(found[i]));
  }

  const Run& run_;
  const Selection& selection_;
  const Options& options_;
  const CoreTimeTree& tree_;
  std::uint32_t node_;
  std::size_t most_;
  std::vector<Piece> pieces_;
};

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const auto tree = runtime::core_time_tree(run, selection, options,
                                            options.choice<CoreTimeSplit>(core_time_by_option));
  const std::uint32_t node = node_under(*tree, options.text(core_time_under_option));
  const std::vector<Piece> pieces = Pieces(run, selection, options, *tree, node).all();
  Table table;
  Rows rows(table, pieces);
  rows.text("aspect", [](const Piece& piece) -> std::string_view { return piece.aspect; });
  rows.any_text("label", &Piece::label);
  rows.number("core_seconds", "s", &Piece::core_seconds);
  rows.number("least", "s", &Piece::least, "as in core_time_tree");
  rows.number("most", "s", &Piece::most, "as in core_time_tree");
  rows.number("share", "1", &Piece::share, "of the part; of a worker, of all its samples");
  rows.text("note", &Piece::note);
  if (!selection.empty()) {
    table.note("saving", "a replay is of the whole run");
    return table;
  }
  const Saving saving = find_saving(run, options, *tree, node, options.number(factor_option));
  table.note("saves", saving.saved);
  table.note("saves_low", saving.low);
  table.note("saves_high", saving.high);
  table.note("elapsed", saving.elapsed);
  table.note("saving", saving.note);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "core_time_part",
    .about = "a part of the core-time: where it ends, by dataset, by worker, what it would save",
    .options = {&core_time_by_option, &core_time_under_option, &factor_option, &most_option,
                &runtime::processor_option},
    .narrowed_by = chunk_dimensions | Selection::by_worker,
    .function = answer,
};

}  // namespace crema::query::core_time_part
