#pragma once

#include <string>

#include "core/predict/memory.hpp"
#include "core/predict/prediction.hpp"
#include "core/predict/progress.hpp"
#include "core/predict/scaling.hpp"

namespace crema::report {

/// "another processor: Zprime, not Diphoton"; "" of the same work.
std::string difference_text(const predict::WorkDifference& difference);

/// Why nothing is predicted from a replay that is so far off.
std::string withheld_text(double replay_error);

/// "fewer threads on the same hosts and storage"
std::string assumed_text(const predict::PredictionBasis& basis);
/// "2 cores: 1.9 tasks computed at once on average, ..."
std::string seen_text(const predict::PredictionBasis& basis);
/// "how long tasks take with 4 cores: whether ..."
std::string unseen_text(const predict::PredictionBasis& basis);

/// What a saving is from, or why there is none.
std::string saving_text(const predict::Saving& saving);

/// Why there is no efficiency, or what of it is not known.
std::string missing_text(const predict::Efficiency& efficiency);
/// "share of task time on a CPU fell from 92 % to 43 %"; "" where nothing fell.
std::string fell_text(const predict::EfficiencyLoss& loss);
/// "share of task time on a CPU: 43 %"
std::string costs_text(const predict::EfficiencyLoss& loss);

/// Whether more cores help, with numbers, and what limits the claim; "" with one size only.
struct ScalingText {
  std::string sentence, limits;
};
ScalingText scaling_text(const predict::ScalingStudy& study,
                         const predict::ScalingVerdict& verdict);

/// How much is done and how long the rest will take: "45.8 % of 122 chunks done; 28 to 41 s left".
std::string progress_headline(const predict::Progress& progress);

/// How many chunks of these sizes pass a limit, and what suffices.
std::string memory_headline(const predict::ChunkMemory& chunks, double limit,
                            const predict::ChunkSizes& sizes);

}  // namespace crema::report
