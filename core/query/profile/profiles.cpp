// The call trees of a run: `profiles`.
#include <algorithm>

#include "core/profile/profile.hpp"
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
    note_no_profiles(table);
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
