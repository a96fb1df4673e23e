#include "core/query/question.hpp"

#include "core/model/worker_selection.hpp"
#include "core/report/answer_text.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::query {

void note_chunk_selection(Table& table, const Selection& selection) {
  if (const std::string note = chunk_selection_note(selection); !note.empty())
    table.note("selection", note);
}

void note_chunks(Table& table, const Run& run, const Selection& selection) {
  if (!run.chunks_recorded) say(table, notes::no_chunks);
  note_chunk_selection(table, selection);
}

void note_worker_series(Table& table, const Run& run, const Selection& selection) {
  if (!run.tracked && run.ticks.empty()) say(table, notes::no_tracking);
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
    say(table, notes::no_profile_selected);
    return;
  }
  const profile::Certainty known = certainty(tree);
  const double all = known.certain + known.estimated + known.open;
  const double certain = ratio(known.certain, all);
  table.note("total", tree.whole());
  // Seconds of the threads of a cluster are core time; those of a tool's profile are its own.
  const CallTree& first = *profile.trees.front();
  table.note("unit", first.unit == "s" && is_of_tasks(first.kind) ? "core-s" : first.unit);
  if (!is_absent(certain)) {
    table.note("forced_share", certain);
    table.note("estimated_share", known.estimated / all);
    table.note("unresolved_share", known.open / all);
  }
  table.note("leaves", leaves_text(profile, choice, value_or(certain, 0),
                                   value_or(ratio(known.estimated, all), 0)));
  note_sample_time(table, run, profile);
}

void note_sample_time(Table& table, const Run& run, const Profile& profile) {
  const SampleTime time = calibrated_time(run, profile);
  if (is_absent(time.seconds)) return;
  table.note("seconds_per_sample", time.seconds);
  table.note("seconds_per_sample_source", sample_time_text(time));
}

void note_no_profiles(Table& table) { say(table, notes::no_profile); }

void note_no_workers(Table& table, const FlameChoice& choice) {
  if (choice.profile == nullptr) note_no_profiles(table);
  else say(table, notes::no_worker_profiles);
}

void note_transform(Table& table, const FlameChoice& choice, const FlameTree& tree) {
  if (!choice.transform.empty()) table.note("transform", choice.transform);
  std::string limits;
  for (const TreeLimit& limit : tree.limits)
    limits += (limits.empty() ? "" : " ") + limit_text(limit);
  if (!limits.empty()) table.note("limits", limits);
}

}  // namespace crema::query
