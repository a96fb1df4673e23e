#include "core/facts/flame_tree.hpp"
#include "core/flame/walk.hpp"
#include "core/questions/parts/profile_notes.hpp"
#include "core/questions/question.hpp"

namespace crema::questions::profiles {

namespace {

// A row for "all" (the sum) and for every recorded call tree; `profile` is what the other questions and exports take.
Table answer(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  const Run& run = *runs[0];
  Table table;
  const auto id = table.add_text("profile");
  const auto label = table.add_text("label");
  const auto worker = table.add_text("worker");
  const auto kind = table.add_text("kind");
  const auto total = table.add_number("total", "count");
  const auto unit = table.add_text("unit");
  const auto depth = table.add_number("depth", "count");
  const auto nodes = table.add_number("nodes", "count");
  const auto interval = table.add_number("interval", "s");
  const auto per_sample =
      table.add_number("seconds_per_sample", "s", "calibrated with the tasks' seconds where known, else assumed");
  const auto source = table.add_text("source");
  const auto alternative = table.add_flag("alternative", "1 = repeats samples that \"all\" counts from another source");
  const auto ordered = table.add_flag("ordered", "1 = its samples are in order of time");

  // The sum is made as the flame graph first shows it: it is then made once.
  const FlameChoice choice = flame_choice(run, selection, Options(std::map<std::string, std::string>{{"leaves", "estimated"}}));
  const Profiles& profiles = choice.profiles;
  if (profiles.list.empty()) {
    note_no_profiles(table);
    return table;
  }
  if (!profiles.selection_note.empty()) table.note("selection", profiles.selection_note);
  const std::shared_ptr<const Calibration> calibration = calibration_of(run);
  note_sample_time(table, *calibration, profiles.list.front());
  for (const Profile& profile : profiles.list) {
    const CallTree* first = profile.trees.empty() ? nullptr : profile.trees.front();
    const bool recorded = first != nullptr && &profile != &profiles.list.front();
    table.put(id, profile.id);
    table.put(label, profile.label);
    if (recorded && first->worker != no_string) table.put(worker, run.text(first->worker));
    else table.put_missing(worker);
    table.put(kind, name_of(profile.kind));
    if (recorded) {
      table.put(total, whole_count(*first));
      table.put(depth, depth_of(first->parent));
      table.put(nodes, static_cast<double>(first->size()));
      table.put(source, first->source);
    } else {
      const std::shared_ptr<const FlameTree> of = flame_tree(run, choice);
      const ResolvedTree& merged = of->tree;
      table.put(total, merged.whole());
      table.put(depth, depth_of(merged.parent));
      table.put(nodes, static_cast<double>(merged.size()));
      table.put_missing(source);
    }
    if (first != nullptr) table.put(unit, first->unit);
    else table.put_missing(unit);
    const SampleTime time = sample_time(profile);
    table.put(interval, time.recorded ? time.seconds : absent);
    table.put(per_sample, calibration->of(profile).seconds);
    table.put(alternative, profile.alternative ? 1 : 0);
    table.put(ordered, first != nullptr && profile.trees.size() == 1 && !first->sample_node.empty() ? 1 : 0);
  }
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "profiles",
    .about = "the call trees there are",
    .narrowed_by = tree_dimensions,
    .function = answer,
};

}  // namespace crema::questions::profiles
