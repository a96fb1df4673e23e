#include "core/query/parts/flame_boxes.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/profile/flame_tree.hpp"
#include "core/profile/pattern.hpp"
#include "core/profile/search.hpp"
#include "core/profile/tree/path_numbers.hpp"
#include "core/profile/tree/time_order.hpp"
#include "core/query/parts/profile_notes.hpp"
#include "core/table/rows.hpp"

namespace crema::query {

namespace {

enum class Order : std::uint8_t { heavy, name, time };

// The functions among which the unresolved samples of a node were taken: its children whose self
// time is uncertain.
std::string candidates(const FlameTree& of, const Children& children, NodeId node) {
  constexpr std::size_t shown = 5;
  const ResolvedTree& tree = of.tree;
  std::string text;
  std::size_t found = 0;
  std::vector<NodeId> possible(children.child.begin() + children.first[node],
                               children.child.begin() + children.first[node + 1]);
  std::sort(possible.begin(), possible.end());
  for (const NodeId child : possible) {
    if (tree.self_max(child) <= tree.self[child] || found++ >= shown) continue;
    if (found > 1) text += ", ";
    text += of.facts->name[tree.frame[child]];
  }
  return found > shown ? text + " and " + std::to_string(found - shown) + " more" : text;
}

Layout in_time(const FlameTree& of, const Window& window) {
  if (of.sample_node.empty())
    throw Failure(
        ErrorCode::bad_option,
        "order=time needs one profile whose samples were recorded in order, not inverted");
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
  Picture picture{options.choice<Order>(order_option),
                  options.number(begin_option),
                  options.number(end_option),
                  {},
                  {},
                  0,
                  {}};
  const double narrowest = options.number(min_fraction_option);
  if (choice.profile == nullptr) return picture;
  picture.of = flame_tree(run, choice);
  const ResolvedTree& tree = picture.of->tree;
  const bool is_timed = picture.order == Order::time;
  const double extent = picture.extent = is_timed ? time_extent(*picture.of) : tree.whole();
  const Window window{picture.begin * extent, picture.end * extent, narrowest * extent,
                      options.flag(runs_option)};
  if (is_timed) {
    picture.layout = in_time(*picture.of, window);
    return picture;
  }
  const SiblingOrder siblings =
      picture.order == Order::name ? SiblingOrder::name : SiblingOrder::heavy;
  picture.children = ordered_children(run, choice, *picture.of, siblings);
  picture.layout = lay_out(tree, *picture.children, window);
  return picture;
}

/// Which picture it is.
void note_picture(Table& table, const FlameChoice& choice, const Picture& picture,
                  const Options& options) {
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

/// By box, what of the search `search` of the options matches; empty without one. Notes how much
/// does.
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

/// Which of the boxes match: a column of its own, because boxes stand where they stand whatever is
/// searched.
void add_matched(Table& table, std::size_t boxes, const std::vector<std::uint8_t>& marks) {
  Rows<> rows(table, boxes);
  rows.flag(
      "matched", [&](std::size_t i) { return !marks.empty() && marks[i] != 0; },
      "1 = it matches the search; of a run: one of its boxes, or one below, does");
}

}  // namespace

Table flame_boxes(const Run& run, const FlameChoice& choice, const Options& options) {
  const Picture picture = picture_of(run, choice, options);
  const Layout& layout = picture.layout;
  Table table;
  std::vector<std::uint8_t> marks;
  if (choice.profile == nullptr) {
    note_no_profiles(table);
  } else {
    const FlameTree& of = *picture.of;
    const bool all = !options.flag(marks_option);
    if (all) note_profile(table, run, *choice.profile, of.tree, choice.leaves);
    note_transform(table, choice, of);
    if (all) table.note("nodes", static_cast<double>(of.tree.size()));
    note_picture(table, choice, picture, options);
    if (all) table.note("ordered", of.sample_node.empty() ? 0.0 : 1.0);
    marks = marks_in(picture, options, table);
  }
  if (options.flag(marks_option)) {
    add_matched(table, layout.size(), marks);
    return table;
  }

  const ResolvedTree no_tree{};
  const FrameFacts no_facts{};
  const ResolvedTree& tree = picture.of ? picture.of->tree : no_tree;
  const FrameFacts& facts = picture.of ? *picture.of->facts : no_facts;
  PathNumbers paths(tree, facts);
  const std::string title = choice.profile == nullptr ? std::string() : title_of(*choice.profile);
  const bool in_time_order = picture.order == Order::time;

  const auto is_open = [&](std::size_t i) { return layout.is_unresolved[i] != 0; };
  const auto is_run = [&](std::size_t i) { return layout.run[i] > 0; };
  const auto is_box = [&](std::size_t i) { return !is_open(i) && !is_run(i); };
  const auto is_named = [&](std::size_t i) { return is_box(i) && layout.node[i] > 0; };
  const auto frame = [&](std::size_t i) { return tree.frame[layout.node[i]]; };
  // Of a node as a whole: in time its boxes are parts of it.
  const auto of_node = [&](auto value) {
    return [&, value](std::size_t i) {
      return !is_box(i) ? 0.0 : in_time_order ? absent : value(layout.node[i]);
    };
  };
  // A function has many boxes: its texts are looked up once.
  const auto of_frame = [&](auto text) {
    return
        [&, text, known = std::vector<StringId>(facts.size(), no_string)](std::size_t i) mutable {
          if (!is_named(i)) return no_string;
          StringId& id = known[frame(i)];
          if (id == no_string) {
            id = table.strings.intern(text(frame(i)));
          }
          return id;
        };
  };

  const std::string counts = count_unit(choice.profile);
  const char* const unit = counts.c_str();
  Rows<> rows(table, layout.size());
  rows.number("node", "", [&](std::size_t i) {
    if (is_run(i)) return absent;
    return static_cast<double>(is_open(i) ? tree.size() + layout.node[i] : layout.node[i]);
  });
  rows.number("depth", "count", [&](std::size_t i) { return layout.depth[i]; });
  rows.number(
      "x0", "1", [&](std::size_t i) { return layout.begin[i] / picture.extent; },
      "left edge as a fraction of the profile's total, in time order of time_extent");
  rows.number(
      "x1", "1", [&](std::size_t i) { return layout.end[i] / picture.extent; },
      "right edge as a fraction of the profile's total, in time order of time_extent");
  rows.text(
      "frame", [&, known = std::vector<StringId>(facts.size(), no_string)](std::size_t i) mutable {
        if (is_run(i)) return no_string;
        if (!is_named(i))
          return table.strings.intern(is_open(i) ? unresolved_label : std::string_view(title));
        StringId& id = known[frame(i)];
        if (id == no_string) id = table.strings.intern(facts.name[frame(i)]);
        return id;
      });
  rows.text("file", of_frame([&](FrameId f) -> std::string_view { return facts.file[f]; }));
  rows.number("line", "", [&](std::size_t i) {
    return !is_named(i) || facts.line[frame(i)] == 0 ? absent : facts.line[frame(i)];
  });
  rows.number(
      "total", unit,
      [&](std::size_t i) {
        if (is_open(i)) return tree.unresolved(layout.node[i]);
        return is_box(i) && !in_time_order ? tree.total[layout.node[i]]
                                           : layout.end[i] - layout.begin[i];
      },
      "self + total of the callees + unresolved");
  rows.number("self", unit, of_node([&](NodeId n) { return tree.self[n]; }),
              "samples whose innermost frame was this one: certain and shared-out ones");
  rows.number("self_min", unit, of_node([&](NodeId n) { return tree.self_min(n); }),
              "least possible self time");
  rows.number("self_max", unit, of_node([&](NodeId n) { return tree.self_max(n); }),
              "self time if all the unresolved time among its siblings were its own");
  rows.number(
      "unresolved", unit,
      [&](std::size_t i) {
        if (is_box(i) && in_time_order) return absent;
        return is_run(i) ? 0.0 : tree.unresolved(layout.node[i]);
      },
      "samples in direct callees; in which of them is unknown");
  rows.text("category", of_frame([&](FrameId f) { return name_of(facts.category[f]); }));
  add_matched(table, layout.size(), marks);
  rows.number("parent", "", [&](std::size_t i) {
    const NodeId n = layout.node[i];
    return !is_box(i) ? n : n == 0 ? absent : tree.parent[n];
  });
  rows.flag("is_unresolved", is_open, "1 = the box is the unresolved part of its parent");
  rows.text("candidates", [&](std::size_t i) {
    return is_open(i)
               ? table.strings.intern(candidates(*picture.of, *picture.children, layout.node[i]))
               : no_string;
  });
  rows.number("frame_id", "", [&](std::size_t i) { return is_named(i) ? frame(i) : absent; });
  rows.number("estimated", unit, of_node([&](NodeId n) { return tree.estimated(n); }),
              "the part of self that was shared out, so not certain");
  rows.number(
      "path", "", [&](std::size_t i) { return is_named(i) ? paths.of(layout.node[i]) : absent; },
      "the same number for the same stack in every profile");
  rows.number(
      "more", "count", [&](std::size_t i) { return layout.run[i]; },
      "boxes too narrow to be shown that this run stands for; 0 = it is a box");
  rows.text("package", of_frame([&](FrameId f) { return package_of(facts.file[f]); }));
  return table;
}

}  // namespace crema::query
