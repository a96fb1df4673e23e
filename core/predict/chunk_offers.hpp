#pragma once

#include <vector>

#include "core/predict/chunk_size_model.hpp"
#include "core/runtime/cluster.hpp"

// Sizes that chunks could have, and which of them are best: what `chunk_sizes` lists and `advice`
// takes.

namespace crema::predict {

using namespace runtime;

/// A size that could be asked for, and what it would change.
struct ChunkOffer {
  double events, chunks;
  bool is_present;
  double inside, outside_low, outside_high, longest;  ///< [s]
  ChunkSizeModel::Estimate elapsed;                   ///< [s]
  double tail;                                        ///< [s]
  double memory;                                      ///< [byte]
  const char* limited_by;                             ///< "memory", "tail" or ""
};

/// Sizes around the present one.
struct ChunkOffers {
  ChunkSizeModel model;
  TightestWorker worker;
  std::vector<ChunkOffer> offers;
  /// The sizes that make the run shortest and leave workers their memory, and its length: the
  /// shortest in the middle, and a band that holds those of all these sizes. Absent where there is
  /// none, or the run's length is not known.
  ChunkSizeModel::Estimate best;
  double best_low = absent, best_high = absent;  ///< [events]

  /// The best size is expected to change something.
  bool is_better() const;
};
ChunkOffers chunk_offers(const Run& run, const ChunkSelection& chosen, bool whole,
                         const Options& options);

/// 28,284 is 28,000: more digits would promise more than a model can hold.
double two_digits(double size);

}  // namespace crema::predict
