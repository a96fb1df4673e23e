#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/compare/speed_ratio.hpp"
#include "core/model/run.hpp"
#include "core/runtime/chunks.hpp"

namespace crema::compare {

using namespace runtime;

/// The chunks of two runs, each against what A makes one expect of it. A column is a section; then
/// come what the sections leave and, last, the whole duration.
struct ChunkRatios {
  /// A chunk of B (or, where chunks do not pair, of either run).
  static constexpr std::size_t no_worker = ~std::size_t{0};
  struct Entry {
    std::size_t dataset, file, chunk;
    bool of_b = true;
    std::size_t worker = no_worker;          ///< that ran it, of B
    std::size_t worker_a = no_worker;        ///< that ran its pair, numbered for itself
    std::vector<double> ratios{};            ///< natural log, by column
    std::span<const double> seconds;         ///< by column
    std::span<const double> seconds_a = {};  ///< of its pair
    std::size_t chunk_a = 0;                 ///< which is this chunk of A
  };

  std::vector<std::string> datasets, files;
  std::vector<SectionId> sections;   ///< the last one is what the others leave
  std::vector<std::string> workers;  ///< of B, as people know them, where a task stream tells
  std::size_t columns = 0;
  std::vector<std::size_t> parts;  ///< columns that are judged: sections and their rest, or, where
                                   ///< a run has no sections, process()
  std::vector<Entry> entries;
  bool paired = false;
  bool overlap = false;         ///< sections lie in each other, or were entered twice: no sum
  double resized = 0;           ///< log(events per chunk in B / in A); 0 where paired
  std::vector<double> allowed;  ///< by dataset x column: of |ratio|, what is open between a cost
                                ///< per chunk and a cost per event; empty where paired

  std::size_t whole() const { return columns - 1; }
  double may(std::size_t dataset, std::size_t column) const {
    return allowed.empty() ? 0 : allowed[dataset * columns + column];
  }

  std::vector<std::vector<double>> owned;  ///< what `entries` look at

  /// The same without the chunks of some workers; looks at this one's seconds.
  ChunkRatios without(const std::set<std::size_t>& left_out) const;
};

/// Pairs chunks by dataset, file and entry range where most of both runs match; else each is held
/// against A's own line of seconds on events. Without entries where one run has no chunks.
ChunkRatios chunk_ratios(const Run& a, const ChunkSelection& in_a, const Run& b,
                         const ChunkSelection& in_b);

}  // namespace crema::compare
