#include "core/query/notes.hpp"

#include <algorithm>
#include <cmath>

#include "core/model/worker_selection.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/chunks/missing.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::query {

namespace {

std::string percent(double part) {
  return std::to_string(static_cast<int>(std::lround(100 * part))) + " %";
}

std::string leaves_sentence(const Profile& profile, LeafChoice choice, double certain,
                            double estimated) {
  if (!has_uncounted_leaves(profile))
    return "Self time is exact: this profile counts the innermost frame of each sample.";
  if (choice == LeafChoice::counted) {
    return "As counted by Dask, which leaves out the innermost frame of each sample: all self time "
           "is unresolved among the "
           "callees.";
  }
  if (choice == LeafChoice::notebook) {
    return "The \"exclusive\" time of the notebook that Crema began with: what a function counts "
           "more than its callees counts as its own, though Dask sampled it in one of the callees.";
  }
  const auto is_missing = [](const CallTree* tree) {
    return tree->leaves == CallTree::Leaves::missing;
  };
  if (std::any_of(profile.trees.begin(), profile.trees.end(), is_missing)) {
    return "Dask does not count the innermost frame of a sample, and its page leaves frames "
           "without samples out: all self time "
           "is unresolved among the callees.";
  }
  if (choice == LeafChoice::estimated) {
    return "Dask does not count the innermost frame of a sample. " + percent(certain) +
           " of the samples can only have been taken in one frame; " + percent(estimated) +
           " are shared out among the callees they can have been taken in, by how often each was "
           "certainly the innermost "
           "elsewhere: "
           "an estimate, hatched.";
  }
  return "Dask does not count the innermost frame of a sample. " + percent(certain) +
         " of the samples can only have been taken in one frame and are its self time; the rest is "
         "unresolved among the callees.";
}

}  // namespace

void note_chunk_selection(Table& table, const Selection& selection) {
  if (const std::string note = chunk_selection_note(selection); !note.empty())
    table.note("selection", note);
}

void note_chunks(Table& table, const Run& run, const Selection& selection) {
  if (!run.chunks_recorded) table.note("missing", missing::chunks);
  note_chunk_selection(table, selection);
}

void note_worker_series(Table& table, const Run& run, const Selection& selection) {
  if (!run.tracked && run.ticks.empty()) table.note("missing", missing::tracking);
  if (const std::string note = worker_series_note(selection); !note.empty())
    table.note("selection", note);
  table.note("window_end", run.window().end);
}

void note_time_mean(Table& table, const char* name, const Run& run, const Selection& selection,
                    std::size_t first, std::span<const double> values) {
  const Run::Window window = selected_window(run, selection);
  table.note(name, time_mean(run, first, values, window.begin, window.end));
}

void note_profile(Table& table, const Run& run, const Profile& profile, const ResolvedTree& tree,
                  LeafChoice choice) {
  table.note("profile", title_of(profile));
  if (!profile.note.empty()) table.note("selection", profile.note);
  if (profile.trees.empty()) {
    table.note("missing", "Nothing of what is selected has a profile in this run.");
    return;
  }
  const Certainty known = certainty(tree);
  const double all = known.certain + known.estimated + known.open;
  const double certain = ratio(known.certain, all);
  table.note("total", tree.whole());
  table.note("unit", profile.trees.front()->unit);
  if (!is_absent(certain)) {
    table.note("forced_share", certain);
    table.note("estimated_share", known.estimated / all);
    table.note("unresolved_share", known.open / all);
  }
  table.note("leaves", leaves_sentence(profile, choice, value_or(certain, 0),
                                       value_or(ratio(known.estimated, all), 0)));
  note_sample_time(table, run, profile);
}

void note_sample_time(Table& table, const Run& run, const Profile& profile) {
  const SampleTime time = calibrated_time(run, profile);
  if (is_absent(time.seconds)) return;
  table.note("seconds_per_sample", time.seconds);
  table.note("seconds_per_sample_source", time.source);
}

void note_no_profiles(Table& table) {
  table.note(
      "missing",
      "No profile was recorded. Save one before the cluster closes: {address: {\"meta\": ..., "
      "\"profile\": "
      "client.profile(workers=[address])}} for every worker, written as JSON beside metrics.json.");
}

void note_no_workers(Table& table, const FlameChoice& choice) {
  if (choice.profile == nullptr) note_no_profiles(table);
  else
    table.note("missing",
               "No profile per worker was recorded; one call tree does not separate workers.");
}

void note_transform(Table& table, const FlameChoice& choice, const FlameTree& tree) {
  if (!choice.transform.empty()) table.note("transform", choice.transform);
  std::string limits;
  for (const std::string& sentence : tree.notes) limits += (limits.empty() ? "" : " ") + sentence;
  if (!limits.empty()) table.note("limits", limits);
}

}  // namespace crema::query
