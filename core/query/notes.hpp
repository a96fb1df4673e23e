#pragma once

#include <span>

#include "core/profile/profile.hpp"
#include "core/query/question.hpp"

// What several questions say beside their rows.

namespace crema::query {

/// Of files and of workers alike.
inline constexpr const char* times_others_formula =
    "median over its chunks of seconds per event / the median of their dataset's other chunks; "
    "what a finding names, as the finding says";

/// Of answers made of chunks: that there are none, and what a selection does not narrow.
void note_chunks(Table& table, const Run& run, const Selection& selection);
/// The second of these alone.
void note_chunk_selection(Table& table, const Selection& selection);

/// Of answers made of the workers' series at ticks: why there is none, what the selection does not
/// narrow, and where the run ends.
void note_worker_series(Table& table, const Run& run, const Selection& selection);

/// `time_mean` (core/runtime/cluster.hpp) of `values`, the first of which is of tick `first`, over
/// the selected time, or the whole run.
void note_time_mean(Table& table, const char* name, const Run& run, const Selection& selection,
                    std::size_t first, std::span<const double> values);

/// What a profile's numbers mean: profile, total, unit, seconds_per_sample, how sure the leaves
/// are, how far it was selected.
void note_profile(Table& table, const Run& run, const Profile& profile, const ResolvedTree& tree,
                  LeafChoice choice);
/// What a sample of the profile stands for, and how that is known.
void note_sample_time(Table& table, const Run& run, const Profile& profile);
/// That there is nothing to draw, and what to record.
void note_no_profiles(Table& table);
/// That no profile tells workers apart.
void note_no_workers(Table& table, const FlameChoice& choice);
/// What was done and could not be done to the tree.
void note_transform(Table& table, const FlameChoice& choice, const FlameTree& tree);

}  // namespace crema::query
