#pragma once

#include <array>
#include <vector>

#include "core/model/run.hpp"
#include "core/model/selection.hpp"
#include "core/predict/prediction.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/stats/fit.hpp"

namespace crema::predict {

using namespace runtime;

// What chunks of another size would cost. A model of three terms, each from this run: inside
// process() a fixed cost per chunk and one per event (a robust line per dataset, or where its
// chunks hardly differ in size, one for all files); outside of it (opening files, unpickling,
// sending and merging results) a cost per chunk, as coffea does all that for each, or, at worst and
// where bytes tell no better, per event; and at the end cores that idle while the last chunks run,
// at most (1 − 1/cores) x the longest chunk (R. L. Graham, SIAM J. Appl. Math. 17, 1969). The
// present size has its measured values.

/// The chunks of one dataset: what they cost, and the files that they cut.
struct ChunkPopulation {
  double events = 0, seconds = 0, largest = 0;
  double chunks = 0;
  std::vector<double> sizes, durations;
  std::vector<double> file_events;  // of each file
  std::vector<double> file_size;    // its chunks' median events / those of the dataset
  std::vector<double> file_time;    // and seconds
  stats::LineRange cost;
};

/// The work, cut into chunks of some size.
struct Cutting {
  double chunks = 0;
  std::array<double, 3> inside{};  // [core-s] by the line, by the flat one and by the steep one
  double longest = 0;              // [s] expected of the largest chunk
  double largest = 0;              // [events]
};

/// The model around the present run; all cases of what is not known.
struct ChunkSizeModel {
  std::vector<ChunkPopulation> populations;
  double fitted = 0;  // share of the chunks whose fixed cost a line of their dataset tells
  // Of the others' time, the share that does not grow with a chunk is between these: by files that
  // were cut into larger and smaller chunks than others of their dataset.
  double least_fixed = 0, most_fixed = 1;
  double seconds = 0, files = 0, median_events = absent;
  Cutting now;
  double outside = absent;   // [core-s]
  double outside_fixed = 0;  // the share of it that surely does not grow with a chunk
  double merging = 0;        // [core-s] of tasks among the chunks: a result of each is added
  double cores = absent, elapsed = absent;
  double slowdown = 1;  // the longest chunk / what its line expects
  double noise = 0;     // of another recording (`between_recordings`)

  bool empty() const { return populations.empty(); }
  bool timed() const { return cores >= 1 && elapsed > 0; }
  double longest(const Cutting& cut) const { return slowdown * cut.longest; }
  double tail(const Cutting& cut) const { return (1 - 1 / cores) * longest(cut); }
  double fixed_seconds() const;  // [core-s] that depend on the number of chunks, inside process()

  /// Chunks of `size` events, as coffea would cut the files.
  Cutting cut_at(double size) const;

  /// [s] elapsed; its middle, whether known or not, is by what sizes are ranked.
  struct Estimate : Prediction {
    double middle = absent;
  };
  Estimate at(const Cutting& cut) const;
};

/// Of the chosen chunks; the run's length and what is outside process() only of `whole` runs.
ChunkSizeModel chunk_size_model(const Run& run, const ChunkSelection& chosen, bool whole,
                                const Options& options);

// Sizes that chunks could have, and which of them are best: what `chunk_sizes` lists and `advice`
// takes.

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
