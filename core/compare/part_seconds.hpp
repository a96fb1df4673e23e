#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/compare/speed_ratio.hpp"
#include "core/model/run.hpp"

namespace crema::compare {

struct SectionSeconds {
  SectionId id;
  double seconds = 0;  ///< [core-s]
};

struct DatasetSeconds {
  std::string name;         ///< empty where chunks do not say
  double seconds = absent;  ///< [core-s] inside process()
  std::vector<SectionSeconds> sections{};
};

/// What selected chunks spent inside process(), cut along each dimension. Chunks at the edge of the
/// selected time count in part. Sections are listed in order of first appearance, their remainder
/// last; it is left out where sections overlap, because it cannot be computed then.
struct PartSeconds {
  std::vector<DatasetSeconds> datasets{};
  std::vector<SectionSeconds> sections{};  ///< of all datasets
  std::vector<std::pair<std::string, double>> hosts{};
  bool overlap = false;  ///< sections lie in each other: they have no sum
};

PartSeconds part_seconds(const Run& run, const ChunkSelection& chosen);

}  // namespace crema::compare
