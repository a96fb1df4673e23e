#include <cmath>

#include "core/base/error.hpp"
#include "core/facts/comparison.hpp"
#include "core/facts/flame_tree.hpp"
#include "core/facts/report_counts.hpp"
#include "core/flame/diff.hpp"
#include "core/flame/path_numbers.hpp"
#include "core/flame/pattern.hpp"
#include "core/questions/parts/flame_boxes.hpp"
#include "core/questions/parts/profile_notes.hpp"
#include "core/questions/question.hpp"

namespace crema::questions::flame_diff {

namespace {

constexpr Option siblings_option{
    .name = "order", .about = "order of the boxes beside each other", .fallback = "heavy", .values = "heavy, name"};
constexpr Option per_option{
    .name = "per",
    .about =
        "in what amounts the runs are compared: shares of each run's own samples, as they are, or for the same number of events",
    .fallback = "share",
    .values = facts::per_names};
constexpr Option width_option{.name = "width",
                              .about = "how wide boxes are: the mean of both runs, or one of them",
                              .fallback = "both",
                              .values = "b, a, both"};

/// One side of the comparison, and by what its numbers are multiplied.
struct OneTree {
  FlameChoice choice;
  std::shared_ptr<const FlameTree> of;
  double seconds = absent;  // of one unit of the tree
  bool in_samples = false;  // counted: what is counted has chance in it

  bool empty() const { return of == nullptr || of->tree.whole() <= 0; }

  /// Times which the tree's numbers are what is compared; absent where the run does not say.
  double factor(const Run& run, Per per, bool as_seconds) const {
    const double unit = as_seconds ? seconds : 1;
    if (per == Per::share) return ratio(1, of->tree.whole());
    return per == Per::absolute ? unit : ratio(unit * 1e6, total_events(run));
  }
};

OneTree side_of(const Run& run, const Selection& selection, const Options& options) {
  OneTree side{flame_choice(run, selection, options), nullptr};
  if (side.choice.profile == nullptr || side.choice.profile->trees.empty()) return side;
  side.of = flame_tree(run, side.choice);
  const bool in_seconds = side.choice.profile->trees.front()->unit == "s";
  side.in_samples = side.choice.profile->trees.front()->unit == "samples";
  side.seconds = in_seconds ? 1 : calibration_of(run)->of(*side.choice.profile).seconds;
  return side;
}

// The flame graphs of two runs on one tree (core/flame/diff.hpp). Options: those of `flame` but time order; per (share = of each
// run's own total, absolute, million_events), width (both = mean of both, b, a: how wide boxes are).
Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const DiffWidth width = options.choice<DiffWidth>(width_option);
  const Per per = options.choice<Per>(per_option);
  const auto order = options.choice<SiblingOrder>(siblings_option);
  const double window_begin = options.number(begin_option);
  const double window_end = options.number(end_option);
  const double narrowest = options.number(min_fraction_option);
  const OneTree a = side_of(*runs[0], selection, options);
  const OneTree b = side_of(*runs[1], selection, options);
  const bool as_seconds = per != Per::share && !is_absent(a.seconds) && !is_absent(b.seconds);
  const std::string unit =
      per == Per::share ? "1" : (as_seconds ? "s" : count_unit(a.choice.profile)) + (per == Per::absolute ? "" : "/10⁶ events");

  Table table;
  const auto node = table.add_number("node", "");
  const auto depth = table.add_number("depth", "count");
  const auto x0 = table.add_number("x0", "1");
  const auto x1 = table.add_number("x1", "1");
  const auto frame = table.add_text("frame");
  const auto file = table.add_text("file");
  const auto line = table.add_number("line", "");
  const auto category = table.add_text("category");
  const auto a_column = table.add_number("a", unit, "total in A; share: of A's own total");
  const auto b_column = table.add_number("b", unit, "total in B; share: of B's own total");
  const auto delta = table.add_number("delta", unit, "b - a");
  const auto ratio_column = table.add_number("ratio", "1", "b / a");
  const auto noise =
      table.add_number("noise", unit, "standard error of delta if samples are independent: \u221a of their number");
  const auto noteworthy = table.add_flag("noteworthy", "1 = more than two standard errors; missing = not counted in samples");
  const auto a_self = table.add_number("a_self", unit, "self and unresolved in A");
  const auto b_self = table.add_number("b_self", unit, "self and unresolved in B");
  const auto total = table.add_number("total", unit, "what the box is wide as");
  const auto parent = table.add_number("parent", "");
  const auto frame_id = table.add_number("frame_id", "");
  const auto path = table.add_number("path", "", "the same number for the same stack in every profile");
  const auto matched = table.add_flag("matched", "1 = it matches the search");
  const auto more = table.add_number("more", "count", "boxes too narrow to be shown that this run stands for; 0 = it is a box");
  if (a.empty() || b.empty()) {
    table.note("missing", std::string(a.empty() ? "The first" : "The second") + " run has no samples to compare.");
    return table;
  }
  // Names are shared by the runs of a session, and both trees were made with all of them that there are now.
  const FrameFacts& facts = *b.of->facts;
  const double a_factor = a.factor(*runs[0], per, as_seconds);
  const double b_factor = b.factor(*runs[1], per, as_seconds);
  if (is_absent(a_factor) || is_absent(b_factor))
    throw Failure(ErrorCode::bad_option,
                  "per=" + options.text(per_option) + ": " + (is_absent(a_factor) ? "A" : "B") + " has no number of events");
  const std::vector<FrameId> same_as = facts.recorded ? same_in_both(facts, a.of->tree, b.of->tree) : facts.same_as;
  const TreeDiff both = diff(a.of->tree, a_factor, b.of->tree, b_factor, same_as, width);
  const ResolvedTree& tree = both.tree;
  const double whole = tree.whole();
  const bool counted = a.in_samples && b.in_samples;
  const Children children = ordered_children(tree, facts, order);
  const Layout layout =
      lay_out(tree, children, {window_begin * whole, window_end * whole, narrowest * whole, options.flag(runs_option)});
  PathNumbers paths(tree, facts);
  const std::vector<bool> matching = frames_matching(facts, options.text(search_option));

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
  if (per != Per::share && !as_seconds)
    table.note("limits", "What a sample stands for is not known for both runs: samples are compared, not seconds.");
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const NodeId n = layout.node[i];
    const FrameId f = tree.frame[n];
    const bool is_run = layout.run[i] > 0;
    const bool named = !is_run && n > 0;
    const auto value = [&](double number) { return is_run ? absent : number; };
    table.put(node, value(n));
    table.put(depth, layout.depth[i]);
    table.put(x0, layout.begin[i] / whole);
    table.put(x1, layout.end[i] / whole);
    table.put(a_column, value(both.a[n]));
    table.put(b_column, value(both.b[n]));
    table.put(delta, value(both.b[n] - both.a[n]));
    table.put(ratio_column, value(ratio(both.b[n], both.a[n])));
    const double error = counted && !is_run ? std::sqrt(both.a[n] * a_factor + both.b[n] * b_factor) : absent;
    table.put(noise, error);
    table.put(noteworthy, is_absent(error) ? absent : std::fabs(both.b[n] - both.a[n]) > sure * error ? 1 : 0);
    table.put(a_self, value(both.a_self[n]));
    table.put(b_self, value(both.b_self[n]));
    table.put(total, is_run ? layout.end[i] - layout.begin[i] : tree.total[n]);
    if (is_run) table.put(parent, n);
    else if (n == 0) table.put_missing(parent);
    else table.put(parent, tree.parent[n]);
    table.put(matched, named && matching[f] ? 1 : 0);
    table.put(more, layout.run[i]);
    if (named) {
      table.put(frame, facts.name[f]);
      table.put(file, facts.file[f]);
      table.put(line, facts.line[f] == 0 ? absent : facts.line[f]);
      table.put(category, name_of(facts.category[f]));
      table.put(frame_id, f);
      table.put(path, paths.of(n));
      continue;
    }
    if (is_run) table.put_missing(frame);
    else table.put(frame, "both");
    for (const auto column : {file, line, category, frame_id, path}) table.put_missing(column);
  }
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "flame_diff",
    .about = "two runs on one flame graph",
    .options = {&facts::profile_option, &facts::leaves_option, &facts::transform_option, &min_fraction_option, &search_option,
                &siblings_option, &begin_option, &end_option, &runs_option, &per_option, &width_option},
    .narrowed_by = tree_dimensions,
    .min_runs = 2,
    .max_runs = 2,
    .function = answer,
};

}  // namespace crema::questions::flame_diff
