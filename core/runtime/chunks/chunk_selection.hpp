#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/run.hpp"
#include "core/model/selection.hpp"

namespace crema::runtime {

/// The chunks that a Selection leaves, and how much of each: `share[chunk]` is 0 for a chunk
/// outside, 1 for a whole one, and the part of its time inside the selected range for one that
/// overlaps its edge. Events, bytes and seconds are prorated by it (uniform inside a chunk);
/// durations stay whole (docs/meanings.md, Clocks).
struct ChunkSelection {
  std::vector<double> share;
  std::size_t count = 0;  ///< chunks with a share above 0
  bool all = true;        ///< nothing was left out

  ChunkSelection(const Run& run, const Selection& selection);
  bool operator[](std::size_t chunk) const { return share[chunk] > 0; }
  /// Σ share x value over present values; absent when no selected chunk has one.
  double prorated_sum(const std::vector<double>& values) const;
  /// The present values of selected chunks, whole.
  std::vector<double> whole(const std::vector<double>& values) const;
};

/// The storage host that serves a file: of root://HOST[:port]/, https://HOST/, ...; "local" for a
/// path without a scheme.
std::string_view host_of(std::string_view file);

/// The host at which a file lies, behind any caches: of root://CACHE//root://ORIGIN//path the
/// ORIGIN. Without a nested address the same as `host_of`.
std::string_view site_of(std::string_view file);

/// What of a selection cannot narrow chunk numbers, as a sentence for the note "selection"; empty
/// when all can.
std::string chunk_selection_note(const Selection& selection);

/// Whether the run's chunks tell how much they read: false when all say 0 (0.1.0, memory-mapped
/// files) or nothing.
bool chunk_bytes_collected(const Run& run);

}  // namespace crema::runtime
