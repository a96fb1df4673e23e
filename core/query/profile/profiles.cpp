#include <algorithm>

#include "core/profile/flame_tree.hpp"
#include "core/profile/tree/walk.hpp"
#include "core/query/parts/profile_notes.hpp"
#include "core/query/question.hpp"
#include "core/table/rows.hpp"

namespace crema::query::profiles {

namespace {

// A row for "all" (the sum) and for every recorded call tree; `profile` is what the other questions
// and exports take.
Table answer(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  const Run& run = *runs[0];
  // The sum is made as the flame graph first shows it: it is then made once.
  const FlameChoice choice = flame_choice(
      run, selection,
      Options(std::map<std::string, std::string>{{std::string(leaves_option.name), "estimated"}}));
  const Profiles& profiles = choice.profiles;
  const bool any = !profiles.list.empty();
  const std::shared_ptr<const Calibration> calibration = any ? calibration_of(run) : nullptr;
  // The sum of one tree is that tree: where that is known at once, it is not made to be counted.
  const auto is_itself = [&](const std::vector<const CallTree*>& trees) {
    return trees.size() == 1 && trees[0]->siblings_differ &&
           is_sum_of_itself(trees, *facts_of(run));
  };
  const bool is_added_up = any && !is_itself(profiles.list.front().trees);
  const std::shared_ptr<const FlameTree> sum = is_added_up ? flame_tree(run, choice) : nullptr;
  const auto first = [](const Profile& p) -> const CallTree* {
    return p.trees.empty() ? nullptr : p.trees.front();
  };
  // What was recorded of a profile: one tree, or slices of a selected time; nothing of the sum.
  const auto is_sum = [&](const Profile& p) { return &p == &profiles.list.front(); };
  const auto recorded = [&](const Profile& p) { return is_sum(p) ? nullptr : first(p); };
  const auto over_trees = [&](const Profile& p, auto of_sum, auto fold) {
    if (is_sum(p) && sum != nullptr) return static_cast<double>(of_sum(sum->tree));
    double all = 0;
    for (const CallTree* tree : p.trees) all = fold(all, *tree);
    return all;
  };

  Table table;
  Rows rows(table, profiles.list);
  rows.text("profile", &Profile::id);
  rows.text("label", &Profile::label);
  rows.text("worker", [&](const Profile& p) {
    const CallTree* tree = recorded(p);
    const bool known = p.kind == CallTree::Kind::worker && tree != nullptr;
    return known ? run.text(tree->worker) : std::string_view{};
  });
  rows.text("kind", [](const Profile& p) { return name_of(p.kind); });
  rows.number("total", "count", [&](const Profile& p) {
    return over_trees(
        p, [](const ResolvedTree& tree) { return tree.whole(); },
        [](double all, const CallTree& tree) { return all + whole_count(tree); });
  });
  rows.text("unit", [&](const Profile& p) {
    return first(p) != nullptr ? std::string_view(first(p)->unit) : std::string_view{};
  });
  rows.number("depth", "count", [&](const Profile& p) {
    return over_trees(
        p, [](const ResolvedTree& tree) { return depth_of(tree.parent); },
        [](double most, const CallTree& tree) {
          return std::max<double>(most, depth_of(tree.parent));
        });
  });
  rows.number("nodes", "count", [&](const Profile& p) {
    return over_trees(
        p, [](const ResolvedTree& tree) { return tree.size(); },
        [](double all, const CallTree& tree) { return all + static_cast<double>(tree.size()); });
  });
  rows.number("interval", "s", [](const Profile& p) {
    const SampleTime time = sample_time(p);
    return time.recorded ? time.seconds : absent;
  });
  rows.number(
      "seconds_per_sample", "s", [&](const Profile& p) { return calibration->of(p).seconds; },
      "calibrated with the tasks' seconds where known, else assumed");
  rows.text("source", [&](const Profile& p) {
    return recorded(p) != nullptr ? std::string_view(recorded(p)->source) : std::string_view{};
  });
  rows.flag("alternative", &Profile::alternative,
            "1 = repeats samples that \"all\" counts from another source");
  rows.flag(
      "ordered",
      [&](const Profile& p) { return p.trees.size() == 1 && !first(p)->sample_node.empty(); },
      "1 = its samples are in order of time");
  if (!any) {
    note_no_profiles(table);
    return table;
  }
  if (const std::string& note = profiles.list.front().note; !note.empty())
    table.note("selection", note);
  note_sample_time(table, *calibration, profiles.list.front());
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "profiles",
    .about = "the call trees of the run",
    .narrowed_by = tree_dimensions,
    .function = answer,
};

}  // namespace crema::query::profiles
