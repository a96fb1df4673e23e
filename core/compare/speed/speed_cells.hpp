#pragma once

#include <algorithm>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/compare/speed/chunk_ratios.hpp"
#include "core/model/run.hpp"
#include "core/stats/robust.hpp"

// The chunks of two runs in cells, a section of a dataset each, and how they spread: what a speed
// ratio is found in.

namespace crema::compare {

inline constexpr double least_error = 0.002;     // a ratio of seconds is hardly known better
inline constexpr std::size_t worker_chunks = 4;  // chunks that make a worker's level its own

/// The chunks of a cell: a column of a dataset or of a file.
struct Cell {
  double typical = absent;  // median of its chunks' ratios
  double count = 0;         // of chunks, as for one mean
  double seconds_a = 0, seconds_b = 0;
  double expected = 0;  // of B's chunks, by A [s]
  std::size_t chunks = 0;
};

/// The chunks that are compared, by cell; `cells_of` fills it once.
struct Cells {
  using Entry = ChunkRatios::Entry;

  const Run& b;
  const ChunkRatios& ratios;
  std::vector<std::vector<const Entry*>> of_dataset{}, of_file{};
  /// those of B, in its order of time and, of chunks that pair, in A's; where times are recorded
  std::vector<std::vector<const Entry*>> in_time{};
  std::vector<Cell> cells{};  // by dataset x column
  std::vector<Cell> files{};  // the whole duration of each file's chunks
  /// what whole chunks of each dataset, file and worker are off by, of those with chunks enough
  std::vector<double> dataset_level{}, file_level{}, of_worker{};

  double began(const Entry* e) const { return value_or(b.chunks.t_start[e->chunk], 0); }

  const Cell& cell_of(std::size_t dataset, std::size_t column) const {
    return cells[dataset * ratios.columns + column];
  }

  double worker_level(const Entry& e) const {
    return e.worker < of_worker.size() ? of_worker[e.worker] : 0;
  }

  /// What a chunk's whole ratio would be by its file or, where that has few chunks, its dataset:
  /// what the chunks of one file have in common is no spread from chunk to chunk. Where chunks do
  /// not pair, files differ from file to file, and no change of a file is among that.
  double usual_of(const Entry& e) const;

  /// How far a chunk's part is off what is usual in its dataset.
  double away(const Entry& e, std::size_t s) const {
    return e.ratios[s] - (e.of_b ? cell_of(e.dataset, s).typical : 0);
  }

  /// What all parts of a chunk are off by.
  double own_of(const Entry& e) const;
};
Cells cells_of(const Run& a, const Run& b, const ChunkRatios& ratios);

/// How chunks and their parts spread.
struct CellNoise {
  double whole = 0;            // spread of a chunk's duration about its like
  double whole_dof = 1;        // degrees of freedom behind it
  double autocorrelation = 0;  // what of that the mean of many keeps, as a share of it
  double dof = 0;
  std::vector<double> part;  // by column: spread of a part about its chunk's others
  double part_autocorrelation = 0;
  double part_dof = 0;

  double variance(double count) const {
    return stats::squared(whole) *
           (stats::median_variance_ratio / std::max(count, 1.0) + autocorrelation);
  }
  double part_variance(std::size_t s, double count) const {
    return stats::squared(part[s]) *
           (stats::median_variance_ratio / std::max(count, 1.0) + part_autocorrelation);
  }
};
CellNoise noise_of(const Cells& cells);

}  // namespace crema::compare
