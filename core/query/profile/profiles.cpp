// The call trees of a run: `profiles`.
#include "core/base/collect.hpp"
#include "core/base/order.hpp"
#include "core/query/question.hpp"

namespace crema::query::profiles {

struct Row {
  const Profile* profile;
  const CallTree* recorded;  ///< nullptr of the sum of several
  const CallTree* first;
  double seconds_per_sample;
  double total = 0, depth = 0, nodes = 0;
};

const Columns<Row, Run> columns = {
    {"profile", [](const Row& row) -> std::string_view { return row.profile->id; }},
    {"label", [](const Row& row) -> std::string_view { return row.profile->label; }},
    {"worker",
     [](const Row& row, const Run& run) {
       const bool known = row.profile->kind == CallTree::Kind::worker && row.recorded != nullptr;
       return known ? run.text(row.recorded->worker) : std::string_view{};
     }},
    {"kind", [](const Row& row) { return name_of(row.profile->kind); }},
    {"total", "count", &Row::total},
    {"unit",
     [](const Row& row) {
       return row.first != nullptr ? std::string_view(row.first->unit) : std::string_view{};
     }},
    {"depth", "count", &Row::depth},
    {"nodes", "count", &Row::nodes},
    {"interval", "s",
     [](const Row& row) {
       const SampleTime time = sample_time(*row.profile);
       return time.is_recorded() ? time.seconds : absent;
     }},
    {"seconds_per_sample", "s", &Row::seconds_per_sample,
     "calibrated with the tasks' seconds where known, else assumed"},
    {"source",
     [](const Row& row) {
       return row.recorded != nullptr ? std::string_view(row.recorded->source) : std::string_view{};
     }},
    {"alternative", as_flag, [](const Row& row) { return row.profile->alternative; },
     "1 = repeats samples that \"all\" counts from another source"},
    {"ordered", as_flag,
     [](const Row& row) {
       return row.profile->trees.size() == 1 && !row.first->sample_node.empty();
     },
     "1 = its samples are in order of time"},
};

// A row for "all" (the sum) and for every recorded call tree; `profile` is what the other questions
// and exports take.
static Table answer(const Run& run, const Selection& selection, const Options&) {
  // The sum is made as the flame graph first shows it: it is then made once.
  const FlameChoice choice = flame_choice(
      run, selection,
      Options(std::map<std::string, std::string>{{std::string(leaves_option.name), "estimated"}}));
  const Profiles& profiles = choice.profiles;
  const bool any = !profiles.list.empty();
  // The sum of one tree is that tree: where that is known at once, it is not made to be counted.
  const auto is_itself = [&](const std::vector<const CallTree*>& trees) {
    return trees.size() == 1 && trees[0]->siblings_differ &&
           is_sum_of_itself(trees, *facts_of(run));
  };
  const bool is_added_up = any && !is_itself(profiles.list.front().trees);
  const std::shared_ptr<const FlameTree> sum = is_added_up ? flame_tree(run, choice) : nullptr;
  std::vector<Row> rows;
  for (const Profile& p : profiles.list) {
    const CallTree* const first = p.trees.empty() ? nullptr : p.trees.front();
    const bool is_sum = &p == &profiles.list.front();
    Row row{.profile = &p,
            // One tree, or slices of a selected time; nothing of the sum was recorded.
            .recorded = is_sum ? nullptr : first,
            .first = first,
            .seconds_per_sample = calibrated_time(run, p).seconds};
    if (is_sum && sum != nullptr) {
      row.total = sum->tree.whole();
      row.depth = depth_of(sum->tree.parent);
      row.nodes = static_cast<double>(sum->tree.size());
    } else {
      for (const CallTree* tree : p.trees) {
        row.total += whole_count(*tree);
        row.depth = std::max<double>(row.depth, depth_of(tree->parent));
        row.nodes += static_cast<double>(tree->size());
      }
    }
    rows.push_back(row);
  }
  Table table = columns.table(rows, run);
  if (!any) {
    say(table, notes::no_profile);
    return table;
  }
  if (const std::string& note = profiles.list.front().note; !note.empty())
    table.note("selection", note);
  note_sample_time(table, run, profiles.list.front());
  return table;
}

extern const Question question("profiles", "the call trees of the run", columns, answer,
                               {.narrowed_by = tree_dimensions});

}  // namespace crema::query::profiles

// The stacks of a profile: `stacks`.
namespace crema::query::stacks {

constexpr Option most_option = count_option("most", "maximum number of rows", "1000", {1, 1e9});

static std::string label_of(const FrameFacts& facts, FrameId frame) {
  std::string label = facts.name[frame];
  if (facts.file[frame].empty()) return label;
  label += " (" + facts.file[frame];
  if (facts.line[frame] > 0) label += ":" + std::to_string(facts.line[frame]);
  return label + ")";
}

/// A stack: the frames above a node and its own, and what was sampled there.
struct Stack {
  NodeId node;
  bool is_unresolved;
  double count;
};

/// The most frequent stacks of a tree, most frequent first, ties in the order of the graph; and how
/// many there are.
struct Frequent {
  std::vector<Stack> stacks;
  std::size_t all = 0;
};

static Frequent most_frequent(const ResolvedTree& tree, const FrameFacts& facts, std::size_t most) {
  Frequent found;
  std::vector<Stack> all;
  for_each_stack(tree, facts,
                 [&](const std::vector<FrameId>&, double count, bool is_unresolved, NodeId node) {
                   all.push_back({node, is_unresolved, count});
                 });
  found.all = all.size();
  std::vector<std::uint32_t> order = most_first(numbers_of(all, &Stack::count));
  order.resize(std::min(most, order.size()));
  for (const std::uint32_t i : order) found.stacks.push_back(all[i]);
  return found;
}

/// The frames of a stack, innermost first.
static std::vector<FrameId> frames_of(const Stack& stack, const ResolvedTree& tree) {
  std::vector<FrameId> frames;
  for (NodeId node = stack.node; node != 0; node = tree.parent[node])
    frames.push_back(tree.frame[node]);
  return frames;
}

static std::string text_of(const Stack& stack, const FlameTree& of) {
  const std::vector<FrameId> frames = frames_of(stack, of.tree);
  std::string text;
  for (std::size_t i = frames.size(); i-- > 0;)
    text += (text.empty() ? "" : ";") + label_of(*of.facts, frames[i]);
  if (stack.is_unresolved) text += (text.empty() ? "" : ";") + std::string(unresolved_label);
  return text;
}

// The distinct stacks of one profile that have samples of their own. Options: profile, leaves,
// transform, most (rows).
struct Of {
  const FlameTree* tree;  ///< nullptr where there are no stacks
  double per_sample;      ///< [s]
};

const Columns<Stack, Of> columns = {
    {"stack", as_given, [](const Stack& stack, const Of& of) { return text_of(stack, *of.tree); }},
    {"depth", "count",
     [](const Stack& stack, const Of& of) {
       return frames_of(stack, of.tree->tree).size() + (stack.is_unresolved ? 1 : 0);
     }},
    {"count", "$", &Stack::count, "samples whose innermost frame is the last of the stack"},
    {"seconds", "s", [](const Stack& stack, const Of& of) { return stack.count * of.per_sample; },
     "count x seconds per sample"},
    {"fraction", "1",
     [](const Stack& stack, const Of& of) { return ratio(stack.count, of.tree->tree.whole()); },
     "count / total of the profile"},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const std::size_t most = static_cast<std::size_t>(options.number(most_option));
  const FlameChoice choice = flame_choice(run, selection, options);
  const Profile* const profile = choice.profile;

  const bool any = profile != nullptr && !profile->trees.empty();
  const std::shared_ptr<const FlameTree> of =
      profile == nullptr ? nullptr : flame_tree(run, choice);
  const auto kept =
      !any ? std::make_shared<const Frequent>()
           : run.facts.of<Recent<std::pair<std::size_t, std::string>, Frequent>>().of(
                 {most, choice.key}, [&] { return most_frequent(of->tree, *of->facts, most); });
  const double per_sample = any ? seconds_per_count(run, *profile) : absent;

  Table table = columns.table(kept->stacks, {of.get(), per_sample}, {.unit = count_unit(profile)});
  if (profile == nullptr) {
    say(table, notes::no_profile);
    return table;
  }
  note_profile(table, run, *profile, of->tree, choice.leaves);
  note_transform(table, choice, *of);
  if (any) table.note("stacks", static_cast<double>(kept->all));
  return table;
}

extern const Question question("stacks", "distinct stacks, most frequent first", columns, answer,
                               {.options = {&profile::profile_option, &profile::leaves_option,
                                            &profile::transform_option, &most_option},
                                .narrowed_by = tree_dimensions});

}  // namespace crema::query::stacks
