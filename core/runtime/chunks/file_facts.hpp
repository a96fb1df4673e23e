#pragma once

#include <vector>

#include "core/model/run.hpp"
#include "core/model/selection.hpp"

namespace crema::runtime {

/// What is known of one input file that selected chunks read. Facts of a file are stated with it,
/// or repeated in each of its chunks: then the first chunk's counts, as in roastcoffea.
struct FileFacts {
  StringId name = no_string;
  StringId dataset = no_string;       ///< of its first chunk
  double compression_ratio = absent;  ///< compressed / uncompressed
  double branches_total = absent;
  double branches_read = absent;
  double branches_read_fraction = absent;
  double tree_bytes = absent;  ///< [byte]
  double bytes_read = absent;  ///< [byte] of the branches that were read
  double bytes_read_fraction = absent;
  double chunks = 0;            ///< selected ones
  double chunk_bytes = absent;  ///< [byte] that its selected chunks read inside process(); absent
                                ///< where not collected
  /// chunk_bytes / bytes_read: more than 1 = read again; absent where only some of its chunks are
  /// selected
  double times_read = absent;
  double seconds = 0;  ///< [s] of its selected chunks
  /// seconds / what its chunks' datasets and events let expect, of chunks of which that is known
  double times_expected = absent;
};

/// One per file with metadata, in recorded order, then files that only chunks name.
std::vector<FileFacts> find_file_facts(const Run& run, const Selection& selection);

}  // namespace crema::runtime
