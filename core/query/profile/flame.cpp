// Boxes of a flame graph: `flame`; of the calls of one function: `sandwich`, which callers and
// callees are short for.
#include "core/query/question.hpp"

namespace crema::query::flame {

constexpr Option marks_option =
    flag_option("marks", "return only the column `matched`, for the same rows");

enum class Order : std::uint8_t { heavy, name, time };

// The functions among which the unresolved samples of a node were taken: its children whose self
// time is uncertain.
static std::string candidates(const FlameTree& of, const Children& children, NodeId node) {
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

static Layout in_time(const FlameTree& of, const Window& window) {
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

static Picture picture_of(const Run& run, const FlameChoice& choice, const Options& options) {
  Picture picture{.order = options.choice<Order>(order_option),
                  .begin = options.number(begin_option),
                  .end = options.number(end_option)};
  const double narrowest = options.number(min_fraction_option);
  if (choice.profile == nullptr) {
    const auto none = std::make_shared<FlameTree>();
    none->facts = std::make_shared<FrameFacts>();
    picture.of = none;
    return picture;
  }
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
static void note_picture(Table& table, const FlameChoice& choice, const Picture& picture,
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
static std::vector<std::uint8_t> marks_in(const Picture& picture, const Options& options,
                                          Table& table) {
  const std::string search = options.text(search_option);
  if (search.empty()) return {};
  const ResolvedTree& tree = picture.of->tree;
  const Matches found = matches_in(tree, frames_matching(*picture.of->facts, search));
  table.note("matched_total", found.total);
  table.note("matched_boxes", found.hits);
  // in time a run is of samples, not of nodes
  return marks_of(picture.layout, tree, picture.children.get(), found);
}

/// Rows are the boxes of a layout: of nodes; of the unresolved parts of nodes ("open"); and runs of
/// neighbours that are too narrow to be shown.
struct Of {
  Of(Picture shown, std::string called, std::vector<std::uint8_t> marked)
      : picture(std::move(shown)), title(std::move(called)), marks(std::move(marked)) {}
  Of(const Of&) = delete;
  Of& operator=(const Of&) = delete;

  const Picture picture;
  const std::string title;
  const std::vector<std::uint8_t> marks;
  const bool in_time = picture.order == Order::time;
  const Layout& layout = picture.layout;
  const ResolvedTree& tree = picture.of->tree;
  const FrameFacts& facts = *picture.of->facts;
  mutable PathNumbers paths{tree, facts};

  NodeId node(std::size_t i) const { return layout.node[i]; }
  FrameId frame(std::size_t i) const { return tree.frame[node(i)]; }
  bool is_open(std::size_t i) const { return layout.is_unresolved[i] != 0; }
  bool is_run(std::size_t i) const { return layout.run_at(i) > 0; }
  bool is_box(std::size_t i) const { return !is_open(i) && !is_run(i); }
  bool is_named(std::size_t i) const { return is_box(i) && node(i) > 0; }
  bool is_marked(std::size_t i) const { return !marks.empty() && marks[i] != 0; }
  /// What the frames of boxes tell is looked up once for each of them.
  std::uint32_t key(std::size_t i) const { return is_named(i) ? frame(i) : no_string; }
};

/// Of a node as a whole: in time its boxes are parts of it.
template <auto member>
constexpr auto of_node = [](std::size_t i, const Of& of) -> double {
  if (!of.is_box(i)) return 0;
  if (of.in_time) return absent;
  if constexpr (std::is_member_function_pointer_v<decltype(member)>)
    return (of.tree.*member)(of.node(i));
  else return (of.tree.*member)[of.node(i)];
};

static std::string_view name_of_box(std::size_t i, const Of& of) {
  return of.is_named(i)  ? std::string_view(of.facts.name[of.frame(i)])
         : of.is_open(i) ? unresolved_label
                         : std::string_view(of.title);
}

static double number_of_node(std::size_t i, const Of& of) {
  if (of.is_run(i)) return absent;
  return static_cast<double>(of.is_open(i) ? of.tree.size() + of.node(i) : of.node(i));
}

static double total_of(std::size_t i, const Of& of) {
  if (of.is_open(i)) return of.tree.unresolved(of.node(i));
  return of.is_box(i) && !of.in_time ? of.tree.total[of.node(i)]
                                     : of.layout.end[i] - of.layout.begin[i];
}

static double unresolved_of(std::size_t i, const Of& of) {
  if (of.is_box(i) && of.in_time) return absent;
  return of.is_run(i) ? 0.0 : of.tree.unresolved(of.node(i));
}

static double parent_of(std::size_t i, const Of& of) {
  const NodeId n = of.node(i);
  return !of.is_box(i) ? n : n == 0 ? absent : of.tree.parent[n];
}

const Columns<std::size_t, Of> columns = {
    {"node", "", number_of_node},
    {"depth", "count", [](std::size_t i, const Of& of) { return of.layout.depth[i]; }},
    {"x0", "1", [](std::size_t i, const Of& of) { return of.layout.begin[i] / of.picture.extent; },
     "left edge as a fraction of the profile's total, in time order of time_extent"},
    {"x1", "1", [](std::size_t i, const Of& of) { return of.layout.end[i] / of.picture.extent; },
     "right edge as a fraction of the profile's total, in time order of time_extent"},
    {"frame",
     [](std::size_t i, const Of& of) {
       const auto others = static_cast<std::uint32_t>(of.facts.size()) + (of.is_open(i) ? 1 : 0);
       return Shared{of.is_run(i)     ? no_string
                     : of.is_named(i) ? of.frame(i)
                                      : others,
                     [i, &of] { return name_of_box(i, of); }};
     }},
    {"file",
     [](std::size_t i, const Of& of) {
       return Shared{of.key(i), [i, &of] { return std::string_view(of.facts.file[of.frame(i)]); }};
     }},
    {"line", "",
     [](std::size_t i, const Of& of) {
       const double line = of.is_named(i) ? of.facts.line[of.frame(i)] : 0;
       return line == 0 ? absent : line;
     }},
    {"total", "$", total_of, "self + total of the callees + unresolved"},
    {"self", "$", of_node<&ResolvedTree::self>,
     "samples whose innermost frame was this one: certain and shared-out ones"},
    {"self_min", "$", of_node<&ResolvedTree::self_min>, "least possible self time"},
    {"self_max", "$", of_node<&ResolvedTree::self_max>,
     "self time if all the unresolved time among its siblings were its own"},
    {"unresolved", "$", unresolved_of, "samples in direct callees; in which of them is unknown"},
    {"category",
     [](std::size_t i, const Of& of) {
       return Shared{of.key(i), [i, &of] { return name_of(of.facts.category[of.frame(i)]); }};
     }},
    {"matched", as_flag, [](std::size_t i, const Of& of) { return of.is_marked(i); },
     "1 = it matches the search; of a run: one of its boxes, or one below, does"},
    {"parent", "", parent_of},
    {"is_unresolved", as_flag, [](std::size_t i, const Of& of) { return of.is_open(i); },
     "1 = the box is the unresolved part of its parent"},
    {"candidates",
     [](std::size_t i, const Of& of) {
       return of.is_open(i)
                  ? std::optional(candidates(*of.picture.of, *of.picture.children, of.node(i)))
                  : std::nullopt;
     }},
    {"frame_id", "",
     [](std::size_t i, const Of& of) { return of.is_named(i) ? of.frame(i) : absent; }},
    {"estimated", "$", of_node<&ResolvedTree::estimated>,
     "the part of self that was shared out, so not certain"},
    {"path", "",
     [](std::size_t i, const Of& of) { return of.is_named(i) ? of.paths.of(of.node(i)) : absent; },
     "the same number for the same stack in every profile"},
    {"more", "count", [](std::size_t i, const Of& of) { return of.layout.run_at(i); },
     "boxes too narrow to be shown that this run stands for; 0 = it is a box"},
    {"package",
     [](std::size_t i, const Of& of) {
       return Shared{of.key(i), [i, &of] { return package_of(of.facts.file[of.frame(i)]); }};
     }},
    {"on_cpu", "s", of_node<&ResolvedTree::on_cpu_at>,
     "the part of self on a CPU, the rest waited; empty where no clock was looked at"},
};

/// What alone another search changes: boxes stand where they stand whatever is searched.
const Columns<std::size_t, Of> matched = {
    {"matched", as_flag, [](std::size_t i, const Of& of) { return of.is_marked(i); },
     "1 = it matches the search; of a run: one of its boxes, or one below, does"},
};

/// The boxes of the chosen tree.
static Table boxes(const Run& run, const FlameChoice& choice, const Options& options) {
  Picture picture = picture_of(run, choice, options);
  const bool only_marks = options.flag(marks_option);
  Table notes;
  std::vector<std::uint8_t> marks;
  if (choice.profile == nullptr) {
    say(notes, notes::no_profile);
  } else {
    const FlameTree& of = *picture.of;
    if (!only_marks) note_profile(notes, run, *choice.profile, of.tree, choice.leaves);
    note_transform(notes, choice, of);
    if (!only_marks) notes.note("nodes", static_cast<double>(of.tree.size()));
    note_picture(notes, choice, picture, options);
    if (!only_marks) notes.note("ordered", of.sample_node.empty() ? 0.0 : 1.0);
    marks = marks_in(picture, options, notes);
  }
  const std::size_t rows = picture.layout.size();
  Table table =
      (only_marks ? matched : columns)
          .table(rows,
                 std::make_shared<const Of>(
                     std::move(picture),
                     choice.profile == nullptr ? std::string() : title_of(*choice.profile),
                     std::move(marks)),
                 {.unit = count_unit(choice.profile)});
  table.notes = std::move(notes.notes);
  return table;
}

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  return boxes(run, flame_choice(run, selection, options), options);
}

extern const Question question(
    "flame", "boxes of a flame graph", columns, answer,
    {.options = {&profile::profile_option, &profile::leaves_option, &profile::transform_option,
                 &min_fraction_option, &search_option, &order_option, &begin_option, &end_option,
                 &runs_option, &marks_option, &profile::section_option, &profile::chunk_option,
                 &profile::by_section_option},
     .narrowed_by = tree_dimensions});

}  // namespace crema::query::flame

namespace crema::query::sandwich {

constexpr Option frame_option =
    text_option("frame", "the function, as a pattern such as function=NAME@FILE:LINE");
constexpr Option side_option = choice_option(
    "side", "who calls it, bottom-up, or what it calls, as one", "callers, callees", "callers");

static std::string step_of(std::string_view verb, std::string_view pattern) {
  std::string step(verb);
  for (const char c : pattern) step += c == ';' ? "\\;" : std::string(1, c);
  return step;
}

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const std::string frame = options.text(frame_option);
  if (frame.empty()) {
    Table table = flame::boxes(run, {}, options);
    table.notes.clear();
    say(table, notes::no_function);
    return table;
  }
  FlameChoice choice = flame_choice(run, selection, options);
  std::string transform = upright(choice.transform);
  const bool of_callers = options.text(side_option) == "callers";
  transform += (transform.empty() ? "" : ";") + step_of(of_callers ? "callers:" : "focus:", frame);
  FlameChoice turned = with_transform(run, choice, std::move(transform));
  turned.profiles = std::move(choice.profiles);
  return flame::boxes(run, turned, options);
}

extern const Question question(
    "sandwich", "all calls of a function as one: who calls it, or what it calls", flame::columns,
    answer,
    {.options = {&profile::profile_option, &profile::leaves_option, &profile::transform_option,
                 &min_fraction_option, &search_option, &order_option, &begin_option, &end_option,
                 &runs_option, &flame::marks_option, &frame_option, &side_option},
     .narrowed_by = tree_dimensions});

}  // namespace crema::query::sandwich
