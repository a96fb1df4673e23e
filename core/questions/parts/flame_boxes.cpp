#include "core/questions/parts/flame_boxes.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/facts/flame_tree.hpp"
#include "core/flame/path_numbers.hpp"
#include "core/flame/pattern.hpp"
#include "core/flame/search.hpp"
#include "core/flame/time_order.hpp"
#include "core/questions/parts/profile_notes.hpp"

namespace crema::questions {

namespace {

enum class Order : std::uint8_t { heavy, name, time };

// The functions among which the unresolved samples of a node were taken: its children whose self time is uncertain.
std::string candidates(const FlameTree& of, const Children& children, NodeId node) {
  constexpr std::size_t shown = 5;
  const ResolvedTree& tree = of.tree;
  std::string text;
  std::size_t found = 0;
  std::vector<NodeId> possible(children.child.begin() + children.first[node], children.child.begin() + children.first[node + 1]);
  std::sort(possible.begin(), possible.end());
  for (const NodeId child : possible) {
    if (tree.self_max(child) <= tree.self[child] || found++ >= shown) continue;
    if (found > 1) text += ", ";
    text += of.facts->name[tree.frame[child]];
  }
  return found > shown ? text + " and " + std::to_string(found - shown) + " more" : text;
}

/// The texts of a frame as ids of a Table's strings: a function has many boxes, its texts are looked up once.
struct FrameTexts {
  StringId name = no_string;
  StringId file = no_string;
  StringId category = no_string;
  StringId package = no_string;
};

Layout in_time(const FlameTree& of, const Window& window) {
  if (of.sample_node.empty())
    throw Failure(ErrorCode::bad_option, "order=time needs one profile whose samples were recorded in order, not turned round");
  return lay_out_in_time(of, window);
}

/// The tree, and where the boxes of it stand that are asked for.
struct Picture {
  Order order = Order::heavy;
  double begin = 0, end = 1;  // of the whole
  std::shared_ptr<const FlameTree> of;
  std::shared_ptr<const Children> children;  // nullptr in time order, which has no siblings
  double extent = 0;                         // in the tree's unit
  Layout layout;
};

Picture picture_of(const Run& run, const FlameChoice& choice, const Options& options) {
  Picture picture{options.choice<Order>(order_option), options.number(begin_option), options.number(end_option), {}, {}, 0, {}};
  const double narrowest = options.number(min_fraction_option);
  if (choice.profile == nullptr) return picture;
  picture.of = flame_tree(run, choice);
  const ResolvedTree& tree = picture.of->tree;
  const bool is_timed = picture.order == Order::time;
  const double extent = picture.extent = is_timed ? time_extent(*picture.of) : tree.whole();
  const Window window{picture.begin * extent, picture.end * extent, narrowest * extent, options.flag(runs_option)};
  if (is_timed) {
    picture.layout = in_time(*picture.of, window);
    return picture;
  }
  const SiblingOrder siblings = picture.order == Order::name ? SiblingOrder::name : SiblingOrder::heavy;
  picture.children = ordered_children(run, choice, *picture.of, siblings);
  picture.layout = lay_out(tree, *picture.children, window);
  return picture;
}

/// Which picture it is.
void note_picture(Table& table, const FlameChoice& choice, const Picture& picture, const Options& options) {
  table.note("profile_id", choice.profile->id);
  table.note("shown_leaves", options.text(leaves_option));
  table.note("order", options.text(order_option));
  if (picture.order == Order::time) {
    table.note("time_begin", picture.of->time_begin);
    table.note("time_extent", picture.extent);
  }
  table.note("begin", picture.begin);
  table.note("end", picture.end);
}

/// By box, what of the search `search` of the options matches; empty without one. Notes how much does.
std::vector<std::uint8_t> marks_in(const Picture& picture, const Options& options, Table& table) {
  const std::string search = options.text(search_option);
  if (search.empty()) return {};
  const ResolvedTree& tree = picture.of->tree;
  const Matches found = matches_in(tree, frames_matching(*picture.of->facts, search));
  table.note("matched_total", found.total);
  table.note("matched_boxes", found.hits);
  // in time a run is of samples, not of nodes
  return marks_of(picture.layout, tree, picture.children.get(), found);
}

constexpr const char* matched_formula = "1 = it matches the search; of a run: one of its boxes, or one below, does";

/// Which of the boxes match, and nothing else: boxes stand where they stand whatever is searched.
Table marked_boxes(const Run& run, const FlameChoice& choice, const Options& options) {
  Table table;
  const auto matched = table.add_flag("matched", matched_formula);
  if (choice.profile == nullptr) {
    note_no_profiles(table);
    return table;
  }
  const Picture picture = picture_of(run, choice, options);
  note_transform(table, choice, *picture.of);
  note_picture(table, choice, picture, options);
  const std::vector<std::uint8_t> marks = marks_in(picture, options, table);
  for (std::size_t i = 0; i < picture.layout.size(); ++i) table.put(matched, !marks.empty() && marks[i] != 0 ? 1 : 0);
  return table;
}

}  // namespace

Table flame_boxes(const Run& run, const FlameChoice& choice, const Options& options) {
  if (options.flag(marks_option)) return marked_boxes(run, choice, options);
  const Picture picture = picture_of(run, choice, options);
  const std::string unit = count_unit(choice.profile);

  Table table;
  const auto node = table.add_number("node", "");
  const auto depth = table.add_number("depth", "count");
  const auto x0 = table.add_number("x0", "1", "left edge as a fraction of the profile's total, in time order of time_extent");
  const auto x1 = table.add_number("x1", "1", "right edge as a fraction of the profile's total, in time order of time_extent");
  const auto frame = table.add_text("frame");
  const auto file = table.add_text("file");
  const auto line = table.add_number("line", "");
  const auto total = table.add_number("total", unit, "self + total of the callees + unresolved");
  const auto self =
      table.add_number("self", unit, "samples whose innermost frame was this one: certain, and what was shared out");
  const auto self_min = table.add_number("self_min", unit, "least possible self time");
  const auto self_max = table.add_number("self_max", unit, "self time if all that is unresolved among its siblings fell to it");
  const auto unresolved = table.add_number("unresolved", unit, "samples in direct callees, unknown in which");
  const auto category = table.add_text("category");
  const auto matched = table.add_flag("matched", matched_formula);
  const auto parent = table.add_number("parent", "");
  const auto is_unresolved = table.add_flag("is_unresolved", "1 = the box is the unresolved part of its parent");
  const auto candidates_of = table.add_text("candidates");
  const auto frame_id = table.add_number("frame_id", "");
  const auto estimated = table.add_number("estimated", unit, "the part of self that was shared out, not certain");
  const auto path = table.add_number("path", "", "the same number for the same stack in every profile");
  const auto more = table.add_number("more", "count", "boxes too narrow to be shown that this run stands for; 0 = it is a box");
  const auto package = table.add_text("package");
  if (choice.profile == nullptr) {
    note_no_profiles(table);
    return table;
  }

  const FlameTree& of = *picture.of;
  const ResolvedTree& tree = of.tree;
  const FrameFacts& facts = *of.facts;
  const Layout& layout = picture.layout;
  const double extent = picture.extent;
  PathNumbers paths(tree, facts);
  const std::string title = title_of(*choice.profile);

  note_profile(table, run, choice.profiles, *choice.profile, tree, choice.leaves);
  note_transform(table, choice, of);
  table.note("nodes", static_cast<double>(tree.size()));
  note_picture(table, choice, picture, options);
  table.note("ordered", of.sample_node.empty() ? 0.0 : 1.0);
  const std::vector<std::uint8_t> marks = marks_in(picture, options, table);

  std::vector<FrameTexts> known(facts.size());
  const auto texts_of = [&](FrameId f) -> const FrameTexts& {
    FrameTexts& texts = known[f];
    if (texts.name == no_string) {
      texts = {table.strings.intern(facts.name[f]), table.strings.intern(facts.file[f]),
               table.strings.intern(name_of(facts.category[f])), table.strings.intern(package_of(facts.file[f]))};
    }
    return texts;
  };
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const NodeId n = layout.node[i];
    const FrameId f = tree.frame[n];
    const bool open = layout.is_unresolved[i];
    const bool run_of_many = layout.run[i] > 0;
    const bool is_box = !open && !run_of_many;
    const bool whole_node = is_box && picture.order != Order::time;
    if (run_of_many) table.put_missing(node);
    else table.put(node, static_cast<double>(open ? tree.size() + n : n));
    table.put(depth, layout.depth[i]);
    table.put(x0, layout.begin[i] / extent);
    table.put(x1, layout.end[i] / extent);
    table.put(total, whole_node ? tree.total[n] : open ? tree.unresolved(n) : layout.end[i] - layout.begin[i]);
    const bool timed = is_box && !whole_node;
    table.put(self, timed ? absent : whole_node ? tree.self[n] : 0);
    table.put(self_min, timed ? absent : whole_node ? tree.self_min(n) : 0);
    table.put(self_max, timed ? absent : whole_node ? tree.self_max(n) : 0);
    table.put(estimated, timed ? absent : whole_node ? tree.estimated(n) : 0);
    table.put(unresolved, timed ? absent : run_of_many ? 0 : tree.unresolved(n));
    table.put(is_unresolved, open ? 1 : 0);
    table.put(more, layout.run[i]);
    table.put(matched, !marks.empty() && marks[i] != 0 ? 1 : 0);
    if (!is_box) table.put(parent, n);
    else if (n == 0) table.put_missing(parent);
    else table.put(parent, tree.parent[n]);
    if (is_box && n > 0) {
      const FrameTexts& texts = texts_of(f);
      table.columns[frame].texts.push_back(texts.name);
      table.columns[file].texts.push_back(texts.file);
      table.columns[category].texts.push_back(texts.category);
      table.columns[package].texts.push_back(texts.package);
      table.put(line, facts.line[f] == 0 ? absent : facts.line[f]);
      table.put(frame_id, f);
      table.put(path, paths.of(n));
    } else {
      if (run_of_many) table.put_missing(frame);
      else table.put(frame, open ? unresolved_label : std::string_view(title));
      for (const auto column : {file, line, category, frame_id, path, package}) table.put_missing(column);
    }
    if (open) table.put(candidates_of, candidates(of, *picture.children, n));
    else table.put_missing(candidates_of);
  }
  return table;
}

}  // namespace crema::questions
