#pragma once

#include "core/analyse/question.hpp"

namespace crema {

// The questions, one file each in core/analyse (budget.hpp and the profile questions have headers of their own). Columns:
// questions.md.
Table runs(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table sources(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table summary(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table findings(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table quality(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table timeline(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table workers(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table throughput(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table chunk_columns(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table chunks(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table datasets(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table files(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table hosts(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table sites(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table worker_matrix(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table worker_spread(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table concurrency(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table distribution(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table runtime_histogram(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table compression_histogram(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table access_histogram(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table branch_histogram(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table sections(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table custom_metrics(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table access(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table bytes(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table branches(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table fine(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table task_prefixes(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table phases(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table tail(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table system_load(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table chunk_sizes(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table tasks(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table profiles(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table flame(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table stacks(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table frames(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table compare(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table check(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table scaling(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table scaling_curve(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table whatif(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table callers(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table callees(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table worker_frames(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table profile_spread(std::span<const Run* const> runs, const Selection& selection, const Options& options);
Table flame_diff(std::span<const Run* const> runs, const Selection& selection, const Options& options);

}  // namespace crema
