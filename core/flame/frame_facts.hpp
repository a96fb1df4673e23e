#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/flame/categories.hpp"
#include "core/model/frames.hpp"

namespace crema {

/// What flame graphs need to know of every frame, in columns indexed by FrameId.
struct FrameFacts {
  std::vector<FrameId> same_as;  ///< the first frame of the same name, normalised file and first line: one function on many hosts
  std::vector<std::string> file;  ///< `normalised_path`
  std::vector<Category> category;
  std::vector<std::uint32_t> rank;  ///< place in the order by name, file, first line, id: the tie-break of every sort
};

FrameFacts frame_facts(const Names& names);

/// Whether `text` occurs in each frame's name or normalised file, whatever the case of ASCII letters.
std::vector<bool> frames_matching(const Names& names, const FrameFacts& facts, std::string text);

}  // namespace crema
