#pragma once

#include <string_view>
#include <vector>

#include "core/model/call_tree.hpp"

namespace crema::read {

/// The boxes of a flame graph as Dask draws it (`distributed.profile.plot_data`), in columns of
/// equal length, in preorder.
struct ProfileBoxes {
  std::vector<double> depth;  ///< `bottom`: 0 for the root
  std::vector<double> width;  ///< share of the root's count
  std::vector<StringId> name, file, source_line;
  std::vector<double> line;    ///< executing when first sampled
  std::string_view root_time;  ///< text of the root's time, "77.03 s"; "" when unknown

  std::size_t size() const { return width.size(); }
};

/// What could not be taken as it stands.
struct BoxFaults {
  std::size_t orphans = 0;      ///< boxes that stand on none; left out
  bool counts_rounded = false;  ///< no number of samples makes all widths whole
};

/// The counts behind the boxes: widths are counts / N, so that N is what makes all of them whole.
/// Frames without samples have no box, so of a worker's profile the leaves are missing.
CallTree tree_of(const ProfileBoxes& boxes, Names& names, BoxFaults& faults);

/// Seconds of a time as Dask writes it ("77.03 s", "140.00 ms", "12m 34s", "2hr 5m"); absent when
/// it is none.
double parse_dask_time(std::string_view text);

}  // namespace crema::read
