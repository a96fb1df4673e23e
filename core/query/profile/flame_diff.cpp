// Two flame graphs as one: `flame_diff`.
#include "core/compare/comparison.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"

namespace crema::query::flame_diff {

constexpr Option siblings_option =
    choice_option("order", "order of siblings", "heavy, name", "heavy");
constexpr Option per_option = choice_option("per",
                                            "what is compared: shares of each run's samples, "
                                            "absolute amounts, or amounts per million events",
                                            per_names, "share");
constexpr Option width_option = choice_option(
    "width", "the width of boxes: the mean of both runs, or one of them", "b, a, both", "both");

/// One side of the comparison, and by what its numbers are multiplied.
struct OneTree {
  FlameChoice choice;
  std::shared_ptr<const FlameTree> of;
  double seconds = absent;  // of one unit of the tree
  double samples = 0;       // of one: what was sampled has chance in it

  bool empty() const { return of == nullptr || of->tree.whole() <= 0; }

  /// Times which the tree's numbers are what is compared; absent where the run does not say.
  double factor(const Run& run, Per per, bool as_seconds) const {
    const double unit = as_seconds ? seconds : 1;
    if (per == Per::share) return ratio(1, of->tree.whole());
    return per == Per::absolute ? unit : ratio(unit * 1e6, total_events(run));
  }
};

static OneTree side_of(const Run& run, const Selection& selection, const Options& options) {
  OneTree side{flame_choice(run, selection, options), nullptr};
  if (side.choice.profile == nullptr || side.choice.profile->trees.empty()) return side;
  side.of = flame_tree(run, side.choice);
  side.seconds = seconds_per_count(run, *side.choice.profile);
  side.samples = samples_per_count(*side.choice.profile);
  return side;
}

/// Rows are boxes of nodes, and runs of neighbours that are too narrow to be shown.
struct Of {
  const Layout& layout;
  const TreeDiff& both;
  const FrameFacts& facts;
  PathNumbers& paths;
  const std::vector<bool>& matching;
  double whole;
  double a_sample, b_sample;  // what a sample of either counts; infinite where nothing was sampled

  NodeId node(std::size_t i) const { return layout.node[i]; }
  FrameId frame(std::size_t i) const { return both.tree.frame[node(i)]; }
  bool is_run(std::size_t i) const { return layout.run_at(i) > 0; }
  bool is_named(std::size_t i) const { return !is_run(i) && node(i) > 0; }
  std::uint32_t key(std::size_t i) const { return is_named(i) ? frame(i) : no_string; }
  double delta(NodeId n) const { return both.b[n] - both.a[n]; }
  double error(NodeId n) const {
    return std::isfinite(a_sample + b_sample)
               ? std::sqrt(both.a[n] * a_sample + both.b[n] * b_sample)
               : absent;
  }
  double noteworthy(NodeId n) const {
    if (is_absent(error(n))) return absent;
    return std::fabs(delta(n)) > z_95 * error(n) ? 1 : 0;
  }
};

/// What is known of the node of a box.
template <auto member>
constexpr auto of_node = [](std::size_t i, const Of& of) -> double {
  if (of.is_run(i)) return absent;
  if constexpr (std::is_member_function_pointer_v<decltype(member)>)
    return (of.*member)(of.node(i));
  else return (of.both.*member)[of.node(i)];
};

const Columns<std::size_t, Of> columns = {
    {"node", "", [](std::size_t i, const Of& of) { return of.is_run(i) ? absent : of.node(i); }},
    {"depth", "count", [](std::size_t i, const Of& of) { return of.layout.depth[i]; }},
    {"x0", "1", [](std::size_t i, const Of& of) { return of.layout.begin[i] / of.whole; }},
    {"x1", "1", [](std::size_t i, const Of& of) { return of.layout.end[i] / of.whole; }},
    {"frame",
     [](std::size_t i, const Of& of) -> std::string_view {
       if (of.is_run(i)) return {};
       return of.is_named(i) ? std::string_view(of.facts.name[of.frame(i)]) : "both";
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
    {"category",
     [](std::size_t i, const Of& of) {
       return Shared{of.key(i), [i, &of] { return name_of(of.facts.category[of.frame(i)]); }};
     }},
    {"a", "$", of_node<&TreeDiff::a>, "total in A; share: of A's own total"},
    {"b", "$", of_node<&TreeDiff::b>, "total in B; share: of B's own total"},
    {"delta", "$", of_node<&Of::delta>, "b - a"},
    {"ratio", "1",
     [](std::size_t i, const Of& of) {
       return of.is_run(i) ? absent : ratio(of.both.b[of.node(i)], of.both.a[of.node(i)]);
     },
     "b / a"},
    {"noise", "$", of_node<&Of::error>,
     "standard error of delta if samples are independent: \u221a of their number"},
    {"noteworthy", as_flag, of_node<&Of::noteworthy>,
     "1 = more than two standard errors; missing = not sampled"},
    {"a_self", "$", of_node<&TreeDiff::a_self>, "self and unresolved in A"},
    {"b_self", "$", of_node<&TreeDiff::b_self>, "self and unresolved in B"},
    {"total", "$",
     [](std::size_t i, const Of& of) {
       return of.is_run(i) ? of.layout.end[i] - of.layout.begin[i] : of.both.tree.total[of.node(i)];
     },
     "the amount that gives the box its width"},
    {"parent", "",
     [](std::size_t i, const Of& of) {
       const NodeId n = of.node(i);
       return of.is_run(i) ? n : n == 0 ? absent : of.both.tree.parent[n];
     }},
    {"frame_id", "",
     [](std::size_t i, const Of& of) { return of.is_named(i) ? of.frame(i) : absent; }},
    {"path", "",
     [](std::size_t i, const Of& of) { return of.is_named(i) ? of.paths.of(of.node(i)) : absent; },
     "the same number for the same stack in every profile"},
    {"matched", as_flag,
     [](std::size_t i, const Of& of) { return of.is_named(i) && of.matching[of.frame(i)]; },
     "1 = it matches the search"},
    {"more", "count", [](std::size_t i, const Of& of) { return of.layout.run_at(i); },
     "boxes too narrow to be shown that this run stands for; 0 = it is a box"},
};

// The flame graphs of two runs on one tree (core/profile/tree.hpp). Options: those of `flame`
// but time order; per (share = of each run's own total, absolute, million_events), width (both =
// mean of both, b, a: how wide boxes are).
static Table answer(std::span<const Run* const> runs, const Selection& selection,
                    const Options& options) {
  const DiffWidth width = options.choice<DiffWidth>(width_option);
  const Per per = options.choice<Per>(per_option);
  const auto order = options.choice<SiblingOrder>(siblings_option);
  const double window_begin = options.number(begin_option);
  const double window_end = options.number(end_option);
  const double narrowest = options.number(min_fraction_option);
  const OneTree a = side_of(*runs[0], selection, options);
  const OneTree b = side_of(*runs[1], selection, options);
  const bool as_seconds = per != Per::share && !is_absent(a.seconds) && !is_absent(b.seconds);
  const std::string unit = per == Per::share ? "1"
                                             : (as_seconds ? "s" : count_unit(a.choice.profile)) +
                                                   (per == Per::absolute ? "" : "/10⁶ events");

  const bool any = !a.empty() && !b.empty();
  const FrameFacts no_facts{};
  // Names are shared by the runs of a session, and both trees were made with all of them that there
  // are now.
  const FrameFacts& facts = any ? *b.of->facts : no_facts;
  const double a_factor = any ? a.factor(*runs[0], per, as_seconds) : 0;
  const double b_factor = any ? b.factor(*runs[1], per, as_seconds) : 0;
  if (is_absent(a_factor) || is_absent(b_factor))
    throw Failure(ErrorCode::bad_option, "per=" + options.text(per_option) + ": " +
                                             (is_absent(a_factor) ? "A" : "B") +
                                             " has no number of events");
  const auto same_as = [&] {
    return facts.recorded ? same_in_both(facts, a.of->tree, b.of->tree) : facts.same_as;
  };
  const TreeDiff both =
      any ? diff(a.of->tree, a_factor, b.of->tree, b_factor, same_as(), width) : TreeDiff{};
  const ResolvedTree& tree = both.tree;
  const double whole = any ? tree.whole() : 0;
  const Window window{window_begin * whole, window_end * whole, narrowest * whole,
                      options.flag(runs_option)};
  const Layout layout =
      any ? lay_out(tree, ordered_children(tree, facts, order), window) : Layout{};
  PathNumbers paths(tree, facts);
  const std::vector<bool> matching = frames_matching(facts, options.text(search_option));

  const Of of{
      layout, both, facts, paths, matching, whole, a_factor / a.samples, b_factor / b.samples};
  Table table = columns.table(layout.size(), of, {.unit = unit});
  if (!any) {
    say(table, notes::no_samples, {a.empty() ? "The first" : "The second"});
    return table;
  }
  table.note("profile_id", a.choice.profile->id);
  table.note("per", options.text(per_option));
  table.note("width", options.text(width_option));
  table.note("begin", window_begin);
  table.note("end", window_end);
  table.note("profile_a", title_of(*a.choice.profile));
  table.note("profile_b", title_of(*b.choice.profile));
  table.note("total_a", a.of->tree.whole());
  table.note("total_b", b.of->tree.whole());
  table.note("unit", unit);
  if (!is_absent(a.seconds)) table.note("seconds_per_sample_a", a.seconds);
  if (!is_absent(b.seconds)) table.note("seconds_per_sample_b", b.seconds);
  note_transform(table, b.choice, *b.of);
  if (per != Per::share && !as_seconds) say(table, notes::samples_not_seconds);
  return table;
}

extern const Question question("flame_diff", "two runs on one flame graph", columns, answer,
                               {.options = {&profile::profile_option, &profile::leaves_option,
                                            &profile::transform_option, &min_fraction_option,
                                            &search_option, &siblings_option, &begin_option,
                                            &end_option, &runs_option, &per_option, &width_option},
                                .narrowed_by = tree_dimensions,
                                .run_count = {2, 2}});

}  // namespace crema::query::flame_diff
